"""Boxes: each owner sees into their own, and on a private site into everyone's; nobody into another's."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardsdb.box import texts
from cardsdb.box.texts import box_for_everyone, own_text, save_text, texts_of, with_text
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox

pytestmark = pytest.mark.django_db
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


def for_everyone(code: str, text: str) -> None:
    box_for_everyone().owntexts.create(game="spycraft", card_code=code, text=text)


def test_what_everyone_has_is_seen_by_all_and_ones_own_stands_before_it() -> None:
    for_everyone("kai", "Everyone's.")
    save_text(ADA, SPYCRAFT, "kai", "Ada's.")
    assert texts_of(ADA, SPYCRAFT) == {"kai": "Ada's."}
    assert texts_of(BOB, SPYCRAFT) == texts_of(Viewer(), SPYCRAFT) == {"kai": "Everyone's."}
    found = own_text(ADA, SPYCRAFT, "kai")
    assert found is not None and found.text == "Ada's."


def test_a_public_site_shows_nothing_of_everyones_box(settings: Any) -> None:
    for_everyone("kai", "Everyone's.")
    save_text(ADA, SPYCRAFT, "kai", "Ada's.")
    settings.HTTPS = True
    assert texts_of(BOB, SPYCRAFT) == {} and own_text(Viewer(), SPYCRAFT, "kai") is None
    assert texts_of(ADA, SPYCRAFT) == {"kai": "Ada's."}


@pytest.mark.parametrize("owner", [{}, {"browser": "x", "everyone": True}, {"everyone": False}])
def test_a_box_has_exactly_one_owner(owner: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        OwnBox.objects.create(**owner)


def test_there_is_one_box_for_everyone() -> None:
    box_for_everyone()
    with pytest.raises(IntegrityError), transaction.atomic():
        OwnBox.objects.create(everyone=True)


def test_every_change_of_a_box_gives_it_another_state() -> None:
    states = []
    for text in ("one", "two", "", ""):
        save_text(ADA, SPYCRAFT, "kai", text)
        states.append(OwnBox.objects.of(ADA).get().state)
    assert len(set(states)) == 3 and states[2] == states[3] and 0 not in states


def test_a_text_of_ones_own_has_no_document_behind_it() -> None:
    card = next(card for card in SPYCRAFT.cards if "text" in card.sources)
    assert "text" not in with_text(card, {card.code: "Mine."}).sources
    assert with_text(card, {}) is card


def test_a_box_that_is_full_says_so_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_TEXTS", 1)
    save_text(ADA, SPYCRAFT, "kai", "one")
    with pytest.raises(Refused):
        save_text(ADA, SPYCRAFT, "tracer", "two")
    save_text(ADA, SPYCRAFT, "kai", "another")
    assert texts_of(ADA, SPYCRAFT) == {"kai": "another"}
