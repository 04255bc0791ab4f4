"""Saving writes only the lines of a deck that change. Of its states the oldest are deleted, but not those
that undo needs or that have a name.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from cardsdb.faults import Refused
from cardsdb.games.kit import Entry, Marks, Prints
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent, written_card
from decks.models import Deck, DeckLine, DeckRevision
from decks.models.contents import MAX_UNNAMED, MAX_UNNAMED_BYTES, STEPS_KEPT
from decks.saving.history import name_version, undo
from decks.saving.save import save_edit
from tests.support.queries import queries_of
from tests.support.saved_decks import SPYCRAFT, having, made

pytestmark = pytest.mark.django_db
CARDS = [card for card in SPYCRAFT.cards if SPYCRAFT.type_named(card.type).in_decks][:12]
CARDS += [
    written_card("spycraft", {"code": "x-mine", "name": "Mine", "type": "agent", "facts": facts})
    for facts in ({}, {"cost": 2})
]
NOTED = Marks("why", ("tag",), True, Prints.read(""))
TWELVE = tuple(Entry(card, 1, "deck") for card in CARDS[:12])

# -- lines ----------------------------------------------------------------------------


def save(deck: Deck, me: Viewer, entries: tuple[Entry, ...]) -> list[str]:
    """Save these entries and return the SQL statements that wrote lines."""

    def edit(content: DeckContent) -> DeckContent:
        return replace(content, deck=replace(content.deck, entries=entries))

    sent = queries_of(lambda: save_edit(deck.link, me, edit))
    of_lines = (sql for sql in sent if sql.partition('"')[2].startswith("decks_deckline"))
    return [sql for sql in of_lines if not sql.startswith("SELECT")]


def comparable(entries: Iterable[Entry]) -> list[object]:
    """All that the lines say, sorted by section and type: only the order within a type counts."""
    ordered = sorted(entries, key=lambda e: (e.section, e.card.type))
    return [
        (e.section, e.card.code, dict(e.card.facts) if e.card.written else 0, e.count, e.marks)
        for e in ordered
    ]


def read(deck: Deck) -> list[object]:
    """The stored lines, comparable."""
    return comparable(Deck.objects.with_cards().get(pk=deck.pk).decklist())


@pytest.mark.parametrize(
    ("entries", "statement", "unchanged"),
    [
        ((*TWELVE[:4], replace(TWELVE[4], count=2), *TWELVE[5:]), "UPDATE", 12),
        (TWELVE[:5] + TWELVE[6:], "DELETE", 11),
        ((*TWELVE, Entry(CARDS[12], 3, "deck")), "INSERT", 12),
        ((*TWELVE[:-1], replace(TWELVE[-1], marks=NOTED)), "UPDATE", 12),
    ],
    ids=["a copy", "a card less", "a card more", "a note"],
)  # fmt: skip
def test_a_small_change_is_one_statement_and_keeps_other_lines(entries, statement, unchanged):
    deck, me = made()
    save(deck, me, TWELVE)
    before = set(deck.lines.values_list("pk", flat=True))
    (written,) = save(deck, me, entries)
    assert written.startswith(statement)
    assert read(deck) == comparable(entries)
    assert len(before & set(deck.lines.values_list("pk", flat=True))) == unchanged


def test_a_large_change_rewrites_all_lines():
    deck, me = made()
    save(deck, me, TWELVE)
    assert [sql[:6] for sql in save(deck, me, TWELVE[::-1])] == ["DELETE", "INSERT"]
    assert read(deck) == comparable(TWELVE[::-1])
    assert list(deck.lines.values_list("position", flat=True)) == list(range(12))


def test_after_random_edits_the_stored_lines_equal_the_saved_ones():
    deck, me = made()
    # Any seed will do; a fixed one repeats a failure.
    random = Random(15)
    entries = list(TWELVE)
    for _ in range(40):
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(entries)) if entries else 0
            entry = Entry(random.choice(CARDS), random.randint(1, 9), random.choice(("deck", "leaders")))
            present = {(old.card.code, old.section) for old in entries}
            match random.choice(("more", "less", "count", "note", "move")):
                case "more" if (entry.card.code, entry.section) not in present:
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
        assert read(deck) == comparable(tuple(entries))


def test_a_duplicate_stored_line_is_removed_by_saving():
    deck, me = made()
    mine = Entry(CARDS[-1], 1, "deck")
    save(deck, me, (*TWELVE, mine))
    line = deck.lines.get(card=None)
    DeckLine.objects.create(deck=deck, position=20, section="deck", count=2, written=line.written)
    save(deck, me, (*TWELVE, replace(mine, count=5)))
    assert read(deck) == comparable((*TWELVE, replace(mine, count=5)))


# -- how much is kept -----------------------------------------------------------------


def filled(deck: Deck, last: int, **values: Any) -> None:
    """Store states up to number ``last``, as if the deck had been saved so often."""
    row = DeckRevision.objects.of(deck.pk).latest("number")
    rows = [
        DeckRevision(**{"deck": deck, "number": n, "kind": "edited", "content": row.content, "undo_to": n - 1}
                     | {"length": row.length} | values)
        for n in range(row.number + 1, last + 1)
    ]  # fmt: skip
    DeckRevision.objects.bulk_create(rows)
    Deck.objects.update(revision=last)


def numbers(deck: Deck) -> list[int]:
    return list(DeckRevision.objects.of(deck.pk).values_list("number", flat=True))


def test_every_eighth_save_deletes_the_oldest_unnamed_states():
    deck, me = made()
    name_version(deck.link, me, 0, "First draft")
    # More than MAX_UNNAMED, and the save after the next is number 312, an eighth one.
    filled(deck, 310)
    save_edit(deck.link, me, having(3))
    assert numbers(deck) == list(range(312)), "311 is no eighth save"
    save_edit(deck.link, me, having(4))
    assert numbers(deck) == [0, *range(13, 313)]
    assert len(numbers(deck)) == MAX_UNNAMED + 1


def test_a_large_state_prunes_the_history_at_once():
    deck, me = made()
    filled(deck, 310)
    # In JSON each é takes six bytes, so the state is larger than USUAL_BYTES.
    save_edit(deck.link, me, lambda content: replace(content, notes="é" * 5_000))
    assert numbers(deck) == list(range(12, 312))


def test_states_that_undo_needs_are_kept_however_old():
    deck, me = made()
    filled(deck, STEPS_KEPT)
    # From every state after these, undo leads to state 3, and on to 0. The save below is an eighth one: 408.
    filled(deck, STEPS_KEPT + 307, kind="undone", undo_to=3)
    save_edit(deck.link, me, having(3))
    assert set(numbers(deck)) >= {0, 1, 2, 3}
    assert len(numbers(deck)) == MAX_UNNAMED


# Five states of 200,000 bytes are within MAX_UNNAMED_BYTES, beside the usual one that is saved as number 8.
# Of states that fill it alone, ALWAYS_KEPT stay.
@pytest.mark.parametrize(
    ("length", "kept"), [(200_000, [3, 4, 5, 6, 7, 8]), (MAX_UNNAMED_BYTES, [5, 6, 7, 8])]
)
def test_beyond_the_limit_of_bytes_only_the_newest_states_stay(length, kept):
    deck, me = made()
    filled(deck, 7, length=length)
    save_edit(deck.link, me, having(3))
    assert numbers(deck) == kept
    for _ in kept[1:]:
        undo(deck.link, me)
    with pytest.raises(Refused, match="nothing to undo"):
        undo(deck.link, me)


def test_a_state_stores_its_length_and_the_migration_adds_missing_ones():
    deck, me = made()
    save_edit(deck.link, me, lambda content: replace(content, notes="x" * 500))
    state = DeckRevision.objects.get(number=1)
    length = len(json.dumps(state.content))
    assert state.length == length
    DeckRevision.objects.update(length=0)
    with connection.cursor() as cursor:
        editor = SimpleNamespace(connection=connection, execute=cursor.execute)
        import_module("decks.migrations.0014_account_sessions").measure(None, editor)
    assert DeckRevision.objects.get(number=1).length == length
