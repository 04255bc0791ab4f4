"""Decks to be finished, and what is found of those that are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Format, Game, Severity
from cardsdb.games.kit.complete.search import NO_WISHES, Proposal, Wishes, proposals
from cardsdb.games.kit.listtext.deck import read_deck

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
AGENCY = SPYCRAFT.formats_by_slug["agency"]
ADVANCED = XFILES.formats_by_slug["advanced"]
BOTH = [(XFILES, ADVANCED), (SPYCRAFT, AGENCY)]
NOTHING = Decklist()


def listed(game: Game, format: Format, *lines: str) -> Decklist:
    reading = read_deck(game, "\n".join(lines), format)
    assert not reading.unread
    return reading.deck


def starters(game: Game, format: Format) -> list[Decklist]:
    ready = [one for one in game.starters if one.format == format.slug]
    return [read_deck(game, one.text, format).deck for one in ready]


def part_of(deck: Decklist, share: float, seed: int) -> Decklist:
    """So many of the deck's copies, by lot."""
    copies = [(entry.card, entry.section) for entry in deck for _ in range(entry.count)]
    kept = Counter(Random(seed).sample(copies, round(len(copies) * share)))
    return Decklist(tuple(Entry(card, count, section) for (card, section), count in kept.items()))


def finished(game: Game, format: Format, deck: Decklist, wishes: Wishes = NO_WISHES) -> tuple[Proposal, ...]:
    """What is proposed; of no proposal everything would be true."""
    made = proposals(game, deck, format, "lot", wishes)
    assert made
    return made


def added(one: Proposal) -> dict[str, int]:
    return {new.card.code: new.count for new in one.added}


def remarks(game: Game, format: Format, deck: Decklist) -> set[tuple[str, str, str]]:
    """What the judge has to say of a deck that is not about what it lacks, each card by itself."""
    found = game.judge(deck, format).violations
    return {
        (one.code, one.problem, name)
        for one in found
        if one.severity is not Severity.INCOMPLETE
        for name in one.cards or ("",)
    }


def sizes(entries: Iterable[Entry]) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        counted[entry.card.code, entry.section] += entry.count
    return counted
