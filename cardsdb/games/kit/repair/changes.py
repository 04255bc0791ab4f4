"""Changes of a deck card by card: what a repair asks for, what an author applies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist, Entry


@dataclass(frozen=True, slots=True)
class CardChange:
    """More (``by`` above 0) or fewer copies of a card in a section; ``before`` says how many were there."""

    card: Card
    section: str
    by: int
    before: int = 0


def size_of(changes: Iterable[CardChange]) -> int:
    """How many cards change; one put in for another counts once."""
    out, into = out_and_in(changes)
    return max(out, into)


def out_and_in(changes: Iterable[CardChange]) -> tuple[int, int]:
    out = into = 0
    for change in changes:
        out, into = out + max(0, -change.by), into + max(0, change.by)
    return out, into


def changes_between(before: Decklist, after: Decklist) -> tuple[CardChange, ...]:
    """What changed: what came out first, in the order of the deck."""
    counts: dict[tuple[str, str], list[int]] = {}
    cards: dict[tuple[str, str], Card] = {}
    for which, deck in enumerate((before, after)):
        for entry in deck.entries:
            key = (entry.card.key, entry.section)
            cards[key] = entry.card
            counts.setdefault(key, [0, 0])[which] += entry.count
    changed = [CardChange(cards[key], key[1], now - was, was) for key, (was, now) in counts.items() if now != was]
    return tuple(sorted(changed, key=lambda change: change.by > 0))


def with_changes(deck: Decklist, changes: Iterable[CardChange]) -> Decklist:
    """The deck with these changes. Raises ValueError with a sentence if it has not the cards that are to come out.

    A line that is marked to be kept may lose copies, never its last.
    """
    entries = list(deck.entries)
    for change in changes:
        places = [place for place, e in enumerate(entries) if e.card.key == change.card.key and e.section == change.section]
        if change.by > 0 and places:
            entries[places[0]] = replace(entries[places[0]], count=entries[places[0]].count + change.by)
        elif change.by > 0:
            entries.append(Entry(change.card, change.by, change.section))
        else:
            out = -change.by
            for place in reversed(places):
                entry = entries[place]
                taken = min(out, entry.count - entry.marks.keep)
                out -= taken
                entries[place] = replace(entry, count=entry.count - taken)
            if out and any(entries[place].marks.keep for place in places):
                raise ValueError(f"{change.card.name} is marked to be kept, so it stays in the deck.")
            if out:
                raise ValueError(f"The deck has {-change.by - out} of the {-change.by} {change.card.name} that are to come out.")
    return replace(deck, entries=tuple(entry for entry in entries if entry.count > 0))
