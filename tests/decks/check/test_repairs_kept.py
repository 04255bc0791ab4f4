"""What is marked to be kept stays in the deck; too many of it go, and where the mark stands in the way, the
page says so.
"""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from re import findall, sub
from typing import Any

import pytest
from django.test import Client

from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.repair.search import barred_by_marks
from decks.models import Deck
from tests.cardsdb.games.kit.repair.test_search import (
    AGENCY,
    BANSHEE,
    PATIENT,
    SPYCRAFT,
    card,
    changed,
    repairs,
    words,
)

THRICE = next(entry for entry in BANSHEE if entry.count == 3)


def keeping(entry: Entry, count: int, deck: Decklist = BANSHEE) -> Decklist:
    """The deck with so many copies of one of its lines, marked to be kept."""
    return replace(
        deck,
        entries=tuple(replace(e, count=count, marks=Marks(keep=True)) if e is entry else e for e in deck),
    )


def page(answer: Any) -> str:
    return unescape(answer.content.decode())


def kept(client: Client, deck: Decklist) -> Deck:
    client.post(
        "/decks/new/",
        {"game": "spycraft", "format": "agency", "name": "Dragons", "text": write_deck(SPYCRAFT, deck)},
    )
    return Deck.objects.get()


# A leader of another faction: only without it is the deck legal.
STRANGER = card(
    SPYCRAFT,
    lambda c: c.type == "leader" and c.fact("faction") != BANSHEE.of_type("leader")[0].card.fact("faction"),
)


def with_stranger(keep: bool) -> Decklist:
    """A deck with a leader too many, of another faction; all leaders are to be kept or none."""
    first = BANSHEE.of_type("leader")[0]
    deck = replace(BANSHEE, entries=(*BANSHEE, Entry(STRANGER, 1, first.section)))
    return changed(deck, lambda e: replace(e, marks=Marks(keep=keep)) if e.section == first.section else e)


# -- copies beyond the limit -------------------------------------------------------------


@pytest.mark.parametrize("count", [4, 5, 9])
def test_of_a_kept_card_only_the_surplus_comes_out(count: int) -> None:
    found = repairs(SPYCRAFT, keeping(THRICE, count), AGENCY)
    assert words(found)[0] == f"Take out {count - 3} {THRICE.card.name}."
    assert found[0].is_whole


def test_the_other_line_of_that_card_loses_its_copies_before_the_kept_one() -> None:
    deck = keeping(THRICE, 3)
    twice = replace(deck, entries=(*deck, Entry(THRICE.card, 1, "deck")))
    assert words(repairs(SPYCRAFT, twice, AGENCY))[0] == f"Take out 1 {THRICE.card.name}."


@pytest.mark.django_db
def test_the_surplus_is_taken_out_by_the_button_beside_the_verdict_and_by_the_repair(client: Client) -> None:
    deck = kept(client, keeping(THRICE, 5))
    change = f"-2 deck {THRICE.card.code}"
    for address in ("", "edit/", "repairs/"):
        assert f'value="{change}"' in page(client.get(f"/decks/{deck.link}/{address}"))
    client.post(f"/decks/{deck.link}/repair/", {"change": change})
    line = Deck.objects.get().lines.get(card__code=THRICE.card.code)
    assert (line.count, line.keep, Deck.objects.get().verdict) == (3, True, "legal")


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["-3 deck {0}", "-5 deck {0}", "-2 deck {0}, -1 deck {0}"])
def test_no_more_of_a_kept_card_comes_out_than_is_too_many(client: Client, change: str) -> None:
    deck = kept(client, keeping(THRICE, 5))
    answer = client.post(
        f"/decks/{deck.link}/repair/", {"change": change.format(THRICE.card.code)}, follow=True
    )
    assert "marked to be kept" in page(answer)
    assert Deck.objects.get().lines.get(card__code=THRICE.card.code).count == 5


# -- marks that stand in the way ---------------------------------------------------------------


def test_the_repair_that_marks_bar_names_them() -> None:
    deck = with_stranger(keep=True)
    assert not any(repair.is_whole for repair in repairs(SPYCRAFT, deck, AGENCY))
    barred = barred_by_marks(SPYCRAFT, deck, AGENCY, PATIENT)
    assert barred and barred[1] == (STRANGER.name,) and barred[0].verdict == "legal"


def test_a_card_of_which_only_the_surplus_comes_out_is_not_named() -> None:
    deck = keeping(THRICE, 5, with_stranger(keep=True))
    barred = barred_by_marks(SPYCRAFT, deck, AGENCY, PATIENT)
    assert barred and barred[1] == (STRANGER.name,)


def test_marks_that_bar_nothing_are_not_blamed() -> None:
    assert barred_by_marks(SPYCRAFT, with_stranger(keep=False), AGENCY, PATIENT) is None
    elsewhere = keeping(THRICE, 3, with_stranger(keep=False))
    assert barred_by_marks(SPYCRAFT, elsewhere, AGENCY, PATIENT) is None


@pytest.mark.django_db
def test_the_page_says_that_a_mark_is_the_reason(client: Client) -> None:
    deck = kept(client, with_stranger(keep=True))
    found = page(client.get(f"/decks/{deck.link}/repairs/"))
    assert f"{STRANGER.name} is marked to be kept. Without the mark this would do: " in found
    assert f'href="/decks/{deck.link}/edit/"' in found
    deck.lines.update(keep=False)
    assert "marked to be kept. Without" not in page(client.get(f"/decks/{deck.link}/repairs/"))


@pytest.mark.django_db
def test_a_pasted_list_is_told_the_same(client: Client) -> None:
    text = write_deck(SPYCRAFT, with_stranger(keep=True))
    found = page(client.post("/check/repairs/", {"game": "spycraft", "format": "agency", "text": text}))
    assert f"{STRANGER.name} is marked to be kept." in found


@pytest.mark.django_db
def test_what_a_repair_makes_of_the_deck_is_said_in_the_words_of_the_site(client: Client) -> None:
    deck = kept(client, with_stranger(keep=True))
    found = findall(r'class="verdict-mark">([^<]+)<', page(client.get(f"/decks/{deck.link}/repairs/")))
    assert "illegal" not in found
    one = sub(r"(?ms)^Deck:.*", "", write_deck(SPYCRAFT, BANSHEE)).split("\n\n")[0]
    verdict = page(client.post("/check/", {"game": "spycraft", "format": "agency", "text": one}))
    assert "1 cards" not in verdict
