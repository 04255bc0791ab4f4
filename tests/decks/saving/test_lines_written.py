"""A save writes the lines of the deck that it changes, and the deck is what was saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsdb.games.kit import Entry, Marks, Prints
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent, written_card
from decks.models import Deck, DeckLine
from decks.saving.save import save_edit
from tests.decks.saving.test_history import SPYCRAFT, having, made

pytestmark = pytest.mark.django_db
CARDS = [card for card in SPYCRAFT.cards if SPYCRAFT.type_named(card.type).in_decks][:12]
CARDS += [
    written_card("spycraft", {"code": "x-mine", "name": "Mine", "type": "agent", "facts": facts})
    for facts in ({}, {"cost": 2})
]
TWELVE = tuple(Entry(card, 1, "deck") for card in CARDS[:12])


def save(deck: Deck, me: Viewer, entries: tuple[Entry, ...]) -> list[str]:
    """The statements that wrote lines when these became the deck's."""

    def edit(content: DeckContent) -> DeckContent:
        return replace(content, deck=replace(content.deck, entries=entries))

    with CaptureQueriesContext(connection) as asked:
        save_edit(deck.link, me, edit)
    return [
        query["sql"]
        for query in asked
        if query["sql"].partition('"')[2].startswith("decks_deckline") and "SELECT" not in query["sql"][:6]
    ]


def told(entries: Iterable[Entry]) -> list[object]:
    """What the lines say, in the order that counts: that of the cards of one type in one section."""
    ordered = sorted(entries, key=lambda e: (e.section, e.card.type))
    return [
        (e.section, e.card.code, dict(e.card.facts) if e.card.written else 0, e.count, e.marks)
        for e in ordered
    ]


def read(deck: Deck) -> list[object]:
    return told(Deck.objects.with_cards().get(pk=deck.pk).decklist())


def pks(deck: Deck) -> list[int]:
    return list(deck.lines.values_list("pk", flat=True))


def test_a_press_writes_one_line_and_the_others_stay() -> None:
    deck, me = made()
    save(deck, me, TWELVE)
    before = pks(deck)
    pressed = (*TWELVE[:4], replace(TWELVE[4], count=2), *TWELVE[5:])
    written = save(deck, me, pressed)
    assert len(written) == 1 and written[0].startswith("UPDATE")
    assert pks(deck) == before
    assert read(deck) == told(pressed)


@pytest.mark.parametrize(
    ("entries", "how"),
    [
        (TWELVE[:5] + TWELVE[6:], "DELETE"),
        ((*TWELVE, Entry(CARDS[12], 3, "deck")), "INSERT"),
        ((*TWELVE[:-1], replace(TWELVE[-1], marks=Marks("why", ("tag",), True, Prints.read("")))), "UPDATE"),
    ],
)
def test_a_card_less_a_card_more_or_a_note_is_one_statement(entries: tuple[Entry, ...], how: str) -> None:
    deck, me = made()
    save(deck, me, TWELVE)
    (written,) = save(deck, me, entries)
    assert written.startswith(how) and read(deck) == told(entries)


def test_a_deck_of_which_much_changes_is_written_anew() -> None:
    deck, me = made()
    save(deck, me, TWELVE)
    assert [sql[:6] for sql in save(deck, me, TWELVE[::-1])] == ["DELETE", "INSERT"]
    assert read(deck) == told(TWELVE[::-1])
    assert list(deck.lines.values_list("position", flat=True)) == list(range(12))


def test_what_is_saved_is_what_is_read_whatever_changed() -> None:
    deck, me = made()
    random = Random(15)
    entries = list(TWELVE)
    for _ in range(40):
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(entries)) if entries else 0
            entry = Entry(random.choice(CARDS), random.randint(1, 9), random.choice(("deck", "leaders")))
            match random.choice(("more", "less", "count", "note", "move")):
                case "more" if not any(
                    (old.card, old.section) == (entry.card, entry.section) for old in entries
                ):
                    entries.insert(at, entry)
                case "less" if len(entries) > 1:
                    del entries[at]
                case "count" if entries:
                    entries[at] = replace(entries[at], count=entry.count)
                case "note" if entries:
                    entries[at] = replace(entries[at], marks=Marks(f"note {entry.count}"))
                case "move" if entries:
                    entries.append(entries.pop(at))
        save(deck, me, tuple(entries))
        assert read(deck) == told(tuple(entries))


def test_a_line_that_stands_twice_of_old_is_written_once() -> None:
    deck, me = made()
    mine = Entry(CARDS[-1], 1, "deck")
    save(deck, me, (*TWELVE, mine))
    line = deck.lines.get(card=None)
    DeckLine.objects.bulk_create(
        [DeckLine(deck=deck, position=20, section="deck", count=2, written=line.written)]
    )
    save(deck, me, (*TWELVE, replace(mine, count=5)))
    assert read(deck) == told((*TWELVE, replace(mine, count=5)))


def test_the_deck_at_hand_reads_its_lines_as_they_were_saved() -> None:
    deck, me = made()
    saved = save_edit(deck.link, me, having(4))
    assert [entry.count for entry in saved.deck.decklist()] == [4]
