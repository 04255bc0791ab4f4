"""Decks that tests finish, and helpers that read off what a proposal adds."""

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
    """The deck of a list with these lines, each of which must be understood."""
    reading = read_deck(game, "\n".join(lines), format)
    assert not reading.unread
    return reading.deck


def starters(game: Game, format: Format) -> list[Decklist]:
    """The decks of the game's starters for a format."""
    ready = [starter for starter in game.starters if starter.format == format.slug]
    return [read_deck(game, starter.text, format).deck for starter in ready]


def part_of(deck: Decklist, share: float, seed: int) -> Decklist:
    """A deck of a share (0 to 1) of this deck's copies, chosen by chance from the seed."""
    copies = [(entry.card, entry.section) for entry in deck for _ in range(entry.count)]
    kept = Counter(Random(seed).sample(copies, round(len(copies) * share)))
    return Decklist(tuple(Entry(card, count, section) for (card, section), count in kept.items()))


def finished(game: Game, format: Format, deck: Decklist, wishes: Wishes = NO_WISHES) -> tuple[Proposal, ...]:
    """The proposals for a deck. There must be one, since a test of each of none would always pass."""
    found = proposals(game, deck, format, "lot", wishes)
    assert found
    return found


def added(proposal: Proposal) -> dict[str, int]:
    """Code of a card -> copies that the proposal adds."""
    return {new.card.code: new.count for new in proposal.added}


def remarks(game: Game, format: Format, deck: Decklist) -> set[tuple[str, str, str]]:
    """(code, problem, name of a card) of everything that the judge says, except that something is lacking."""
    return {
        (violation.code, violation.problem, name)
        for violation in game.judge(deck, format).violations
        if violation.severity is not Severity.INCOMPLETE
        for name in violation.cards or ("",)
    }


def sizes(entries: Iterable[Entry]) -> Counter[tuple[str, str]]:
    """(code of a card, section) -> copies."""
    counted: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        counted[entry.card.code, entry.section] += entry.count
    return counted
