"""Own texts in boxes: who sees them, how many there may be, and how they are cleaned.

``claim_texts``, which gives a browser's texts to an account, is tested in
``tests/printing/request/test_texts.py``.
"""

import time

import pytest
from django.db import IntegrityError, transaction

from cardsdb.box import texts
from cardsdb.box.texts import (
    MAX_CHARACTERS_OF_SITE,
    box_for_everyone,
    box_of,
    check_room,
    choices_of,
    clean_text,
    forget,
    own_text,
    plain_cell,
    remember,
    save_text,
    texts_of,
    with_text,
)
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


# -- visibility and owners -------------------------------------------------------------


def test_texts_of_everyone_are_seen_on_a_private_site_and_own_texts_come_first(settings):
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="Everyone's.")
    save_text(ADA, SPYCRAFT, "kai", "Ada's.")
    assert texts_of(ADA, SPYCRAFT) == {"kai": "Ada's."}
    assert texts_of(BOB, SPYCRAFT) == texts_of(Viewer(), SPYCRAFT) == {"kai": "Everyone's."}
    found = own_text(ADA, SPYCRAFT, "kai")
    assert found is not None and found.text == "Ada's."
    settings.HTTPS = True  # a public site
    assert texts_of(BOB, SPYCRAFT) == {} and own_text(Viewer(), SPYCRAFT, "kai") is None
    assert texts_of(ADA, SPYCRAFT) == {"kai": "Ada's."}


def test_an_own_text_has_no_document_as_its_source():
    sourced = next(card for card in SPYCRAFT.cards if "text" in card.sources)
    assert "text" not in with_text(sourced, {sourced.code: "Mine."}).sources
    assert with_text(sourced, {}) is sourced


@pytest.mark.parametrize(
    "owner",
    [{}, {"browser": "x", "everyone": True}, {"everyone": False}, {"everyone": True}],
    ids=["no owner", "two owners", "everyone is false", "a second box of everyone"],
)
def test_a_box_has_exactly_one_owner_and_everyone_has_one(owner):
    box_for_everyone()
    with pytest.raises(IntegrityError), transaction.atomic():
        OwnBox.objects.create(**owner)


def test_every_change_of_a_box_gives_it_another_state():
    states = []
    for text in ("one", "two", "", ""):
        save_text(ADA, SPYCRAFT, "kai", text)
        states.append(OwnBox.objects.of(ADA).get().state)
    # 0 is the state of a box that was never filled. The last save changes nothing: there was no text.
    assert len(set(states)) == 3 and states[2] == states[3] and 0 not in states


def test_forget_deletes_the_texts_of_one_game_or_of_all():
    save_text(ADA, SPYCRAFT, "kai", "one")
    save_text(ADA, games()["xfiles"], "first-aid", "two")
    assert forget(box_of(ADA), "xfiles") == 1 and texts_of(ADA, SPYCRAFT)
    assert forget(box_of(ADA)) == 1 and not OwnText.objects.exists()


# -- limits ----------------------------------------------------------------------------


def test_a_box_that_is_full_says_so_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(texts, "MAX_TEXTS", 1)
    save_text(ADA, SPYCRAFT, "kai", "one")
    with pytest.raises(Refused, match="room for 1 texts"):
        save_text(ADA, SPYCRAFT, "tracer", "two")
    save_text(ADA, SPYCRAFT, "kai", "another")
    assert texts_of(ADA, SPYCRAFT, ["kai", "tracer"]) == {"kai": "another"}


def test_facts_count_towards_the_limit_of_the_site():
    # Takes 301 to 399 characters as JSON: 400 left are enough, 300 are not.
    box_of(ADA).owntexts.create(game="spycraft", card_code="kai", text="", facts={"craft": "x" * 300})
    check_room(box_of(ADA), 0, MAX_CHARACTERS_OF_SITE - 400)
    with pytest.raises(Refused) as refused:
        check_room(box_of(BOB), 0, MAX_CHARACTERS_OF_SITE - 300)
    assert refused.value.status == 507


@pytest.mark.both_databases
def test_the_choices_that_a_box_remembers_are_limited(monkeypatch):
    monkeypatch.setattr(texts, "MAX_CHOICES", 2)
    box = box_of(ADA)
    remember(box, SPYCRAFT, {"b": "kai", "a": ""})
    remember(box, SPYCRAFT, {"a": "tracer"})
    with pytest.raises(Refused, match="3,000 choices"):
        remember(box, SPYCRAFT, {"c": "kai"})
    assert choices_of(box, SPYCRAFT) == {"a": "tracer", "b": "kai"}


# -- cleaning --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("One.<br>Two.", "One.\nTwo."),
        ("<b>Intel:</b> draw &amp; discard", "Intel: draw & discard"),
        ("if craft < 4 and combat > 2", "if craft < 4 and combat > 2"),
        ("One.\r\n\r\n\r\n  Two.\t ", "One.\n\nTwo."),
    ],
)
def test_html_tags_and_extra_spaces_are_removed_from_a_text(cell, text):
    assert clean_text(plain_cell(cell)) == text


def test_a_long_run_of_accents_is_refused_before_it_is_normalised():
    start = time.process_time()
    with pytest.raises(Refused, match="letters"):
        clean_text("a" + "\u0301\u0316" * 100_000)
    assert time.process_time() - start < 1
    assert clean_text("e\u0301" * 4_000) == "é" * 4_000
