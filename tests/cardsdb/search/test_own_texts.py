"""What is made of boxes for searching: once a state of a box, bounded in bytes, and asked for by two small
queries a search.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from cardsdb.search.box_cache import BoxCache
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY, Viewer
from cardsdb.models import Card, Edition, OwnBox
from cardsdb.own.texts import box_for_everyone, save_text
from cardsdb.search import own_texts
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import pks_with_retired, results_of

SPYCRAFT = games()["spycraft"]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that are undone leave boxes behind whose keys are given again."""
    monkeypatch.setattr(own_texts, "_kept", BoxCache(own_texts.MAX_BYTES))


@pytest.fixture
def ada(db: None) -> Viewer:
    return Viewer(User.objects.create_user("ada").pk)


@dataclass(frozen=True)
class Made:
    bytes: int


# -- what is kept ------------------------------------------------------------------------


def test_of_a_box_that_changes_the_last_state_alone_is_kept() -> None:
    kept = BoxCache[Made](100)
    for state in (11, 12, 13):
        kept.get(((1, state),), lambda: Made(1))
    assert len(kept) == 1


def test_two_parts_of_one_state_are_kept_beside_each_other() -> None:
    kept, made = BoxCache[Made](100), list[str]()
    for part in ("current", "retired", "current", "retired"):
        kept.get(((1, 11),), lambda part=part: made.append(part) or Made(1), 7, part)  # type: ignore[misc]
    assert made == ["current", "retired"]


def test_what_was_used_longest_ago_gives_way_to_bytes() -> None:
    kept, made = BoxCache[Made](100), list[int]()
    for box in (1, 2, 1, 3, 1):
        kept.get(((box, 11),), lambda box=box: made.append(box) or Made(40))  # type: ignore[misc]
    assert (made, len(kept)) == ([1, 2, 3], 2)


def test_an_index_is_made_once_a_change(ada: Viewer) -> None:
    for words in ("Zeppelin.", "Dirigible.", "Balloon."):
        save_text(ada, SPYCRAFT, "kai", words)
        assert results_of(parse_query(f"text:{words[:-1]}", viewer=ada)).total == 1
    assert len(own_texts._kept) == 1


def test_a_look_into_current_and_retired_cards_keeps_the_indexes_of_both(ada: Viewer) -> None:
    save_text(ada, SPYCRAFT, "kai", "Zeppelin.")
    Card.objects.filter(game="spycraft", code="glock-17").update(retired=True)
    Edition.objects.create()
    query = parse_query("zeppelin", viewer=ada)
    pks_with_retired(query)
    with CaptureQueriesContext(connection) as asked:
        assert len(pks_with_retired(query)) == 1
    assert not [one for one in asked if "owntext" in one["sql"]]


def test_an_index_counts_more_than_its_letters(ada: Viewer) -> None:
    save_text(ada, SPYCRAFT, "kai", "Zeppelin.")
    query = parse_query("zeppelin", viewer=ada)
    index = own_texts.own_texts(query.own, query.state, results_of(query)._snapshot)
    assert index is not None and index.bytes > 10 * len("zeppelin.")


# -- what it takes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", ["kai", "text:zeppelin", '"a zeppelin"', 'similar:!"Kai"', "which cards hide a zeppelin?"]
)
def test_a_search_with_own_texts_asks_the_database_for_no_more_than_one_without(
    ada: Viewer, query: str
) -> None:
    counts = []
    for words in ("", "Choose a zeppelin and hide it."):
        save_text(ada, SPYCRAFT, "kai", words)
        results_of(parse_query(query, viewer=ada)).slice(0, 10)
        with CaptureQueriesContext(connection) as asked:
            results_of(parse_query(query, viewer=ada)).slice(0, 10)
        counts.append(len(asked))
    # The edition and the boxes.
    assert counts == [2, 2]


# -- whose boxes -------------------------------------------------------------------------


@pytest.mark.parametrize("https", [False, True])
def test_the_states_are_those_of_the_boxes_that_a_visitor_sees(
    ada: Viewer, settings: object, https: bool
) -> None:
    settings.HTTPS = https  # type: ignore[attr-defined]
    for viewer in (ada, Viewer(browser="bob's"), Viewer(browser="ann's")):
        save_text(viewer, SPYCRAFT, "kai", "Words.")
    box_for_everyone().changed()
    OwnBox.objects.create(browser="never-changed")
    both = Viewer(ada.user_id, browser="bob's")
    for viewer in (
        ada,
        both,
        Viewer(browser="bob's"),
        Viewer(browser="never-changed"),
        Viewer(),
        Viewer(key_hash="k"),
        NOBODY,
    ):
        seen = OwnBox.objects.visible_to(viewer).filter(state__gt=0)
        assert OwnBox.objects.states_seen_by(viewer) == tuple(sorted(seen.values_list("pk", "state")))
