"""Indexes of own texts: made once a state of a box, and kept for its last state alone."""

from __future__ import annotations

from collections import OrderedDict

import pytest
from django.contrib.auth.models import User

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.own.texts import save_text
from cardsdb.search import own_texts
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import results_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that are undone leave boxes behind whose keys are given again."""
    monkeypatch.setattr(own_texts, "_kept", OrderedDict())


def test_of_a_box_that_changes_one_index_is_kept() -> None:
    viewer = Viewer(User.objects.create_user("ada").pk)
    for words in ("Zeppelin.", "Dirigible.", "Balloon."):
        save_text(viewer, games()["spycraft"], "kai", words)
        assert results_of(parse_query(f"text:{words[:-1]}", viewer=viewer)).total == 1
    assert len(own_texts._kept) == 1


def test_an_index_counts_more_than_its_letters() -> None:
    viewer = Viewer(User.objects.create_user("ada").pk)
    save_text(viewer, games()["spycraft"], "kai", "Zeppelin.")
    assert results_of(parse_query("zeppelin", viewer=viewer)).total == 1
    ((_, size),) = own_texts._kept.values()
    assert size >= own_texts.PER_INDEX + len("zeppelin.") * own_texts.PER_CHARACTER
