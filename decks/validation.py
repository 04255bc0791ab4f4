"""Deck or pasted text -> decklist -> report -> the words and JSON of it.

The rule vocabulary lives in ``cardsdb.games.kit`` and not here, so that a game stays one
folder and no import runs in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rapidfuzz import process

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit import Card, Citation, Decklist, Format, Game, Report, Severity, Violation
from cardsdb.games.kit.cards import fold
from cardsdb.games.kit.decktext import ListTooLarge, Notice, Reading, Unread, read_deck
from cardsdb.games.kit.names import name_index
from cardsdb.games.kit.repair import removal_for
from cardsdb.games.kit.words import VERDICTS, listed, message

# Suggestions cost a look at every name, so a list of thousands of unknown lines gets them for the first few only.
MOST_SUGGESTED = 30
# A repair is judged before it is offered; a deck with hundreds of faults has other needs than hundreds of repairs.
MOST_REPAIRED = 12


@dataclass(frozen=True, slots=True)
class Judged:
    """A deck with its verdict and everything that reading it left open."""

    game: Game
    format: Format
    deck: Decklist
    report: Report
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def verdict(self) -> str:
        return self.report.verdict

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.report.verdict]

    def findings(self) -> list[Finding]:
        """The violations ready to be shown, gravest first, in the rulebook's order within."""
        ordered = sorted(self.report.violations, key=lambda violation: -violation.severity)
        return [self._finding(violation, place < MOST_REPAIRED) for place, violation in enumerate(ordered)]

    def _finding(self, violation: Violation, repaired: bool) -> Finding:
        removal = removal_for(self.game, self.deck, self.format, violation, self.report) if repaired else ()
        repair = f"Take out {listed(tuple(f'{count} {entry.card.name}' for entry, count in removal))}." if removal else ""
        removed = [{"name": entry.card.name, "section": entry.section, "count": count} for entry, count in removal]
        sentence = message(violation, self.game.sentences)
        citation = self.game.citation_of(violation)
        document = self.game.documents[citation.document].title if citation else ""
        return Finding(violation, sentence, citation, document, repair, removed)

    def as_json(self) -> dict[str, Any]:
        """The same object for the command line and the API."""
        return {
            "game": self.game.slug,
            "format": self.format.slug,
            "verdict": self.verdict,
            "violations": [finding.as_json(self.game) for finding in self.findings()],
            "unread": [
                {"line": u.line, "text": u.text, "code": u.code, "message": u.message, "suggestions": list(u.suggestions)}
                for u in self.unread
            ],
            "notices": [{"line": notice.line, "message": notice.message} for notice in self.notices],
            "sections": [
                {"section": slug, "count": sum(e.count for e in self.deck.in_section(slug))}
                for slug in dict.fromkeys(entry.section for entry in self.deck)
            ],
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation with its sentence, its citation and a repair that was tried."""

    violation: Violation
    message: str
    citation: Citation | None
    document: str
    repair: str
    removed: list[dict[str, Any]]

    @property
    def severity(self) -> str:
        return self.violation.severity.slug

    @property
    def severity_words(self) -> str:
        return {
            Severity.ILLEGAL: "Not legal",
            Severity.INCOMPLETE: "Incomplete",
            Severity.UNKNOWN: "Unknown",
            Severity.NOTE: "Note",
        }[self.violation.severity]

    def as_json(self, game: Game) -> dict[str, Any]:
        v = self.violation
        return {
            "code": v.code,
            "problem": v.problem,
            "severity": self.severity,
            "cards": list(v.cards),
            "found": list(v.found) if isinstance(v.found, tuple) else v.found,
            "wanted": list(v.wanted) if isinstance(v.wanted, tuple) else v.wanted,
            "message": self.message,
            "citation": citation_json(game, self.citation) if self.citation else None,
            "repairs": [{"message": self.repair, "remove": self.removed, "add": []}] if self.removed else [],
        }


def citation_json(game: Game, citation: Citation) -> dict[str, str]:
    """Where a rule stands, and what it says in our words."""
    return {
        "code": citation.code,
        "document": game.documents[citation.document].title,
        "section": citation.section,
        "lines": citation.lines,
        "certainty": citation.certainty,
        "says": citation.says,
    }


def game_or_refuse(slug: object) -> Game:
    """The game with this slug. Raises Refused naming the ones there are."""
    game = game_named(slug) if isinstance(slug, str) else None
    if game is None:
        raise Refused(Fault("unknown_game", f"There is no game “{str(slug)[:40]}”. Games: {', '.join(games())}.", "game"))
    return game


def format_or_refuse(game: Game, slug: object) -> Format | None:
    """The format with this slug, None for an empty one. Raises Refused naming the ones there are."""
    if not slug:
        return None
    format = game.formats_by_slug.get(slug) if isinstance(slug, str) else None
    if format is None:
        known = ", ".join(game.formats_by_slug)
        raise Refused(Fault("unknown_format", f"{game.name} has no format “{str(slug)[:40]}”. Formats: {known}.", "format"))
    return format


def read_text(game: Game, text: str, format: Format | None = None, also: Iterable[Card] = ()) -> Reading:
    """Read a pasted list, with spelling suggestions. ``also``: retired cards that it may name.

    Raises Refused when it is beyond the bounds.
    """
    try:
        reading = read_deck(game, text, format, also)
    except ListTooLarge as error:
        raise Refused(Fault("too_large", str(error), "text"), status=413) from None
    if not reading.unread:
        return reading
    suggested = (*map(_suggest(game), reading.unread[:MOST_SUGGESTED]), *reading.unread[MOST_SUGGESTED:])
    return replace(reading, unread=suggested)


def _suggest(game: Game) -> Any:
    index = name_index(game)

    def with_suggestions(unread: Unread) -> Unread:
        if unread.code != "unknown_card":
            return unread
        words = fold(unread.text).strip(" 0123456789x*-[]()").split("|")[0].strip()
        close = process.extract(words, index.names, limit=3, score_cutoff=75) if words else []
        names = tuple(dict.fromkeys(index.label(index.called(name)[0]) for name, _, _ in close))
        return replace(unread, suggestions=names)

    return with_suggestions


def judge_text(game: Game, text: str, format: Format | None = None, also: Iterable[Card] = ()) -> Judged:
    """Read and judge a pasted list. The format is the one given, else the list's own, else the likeliest."""
    reading = read_text(game, text, format, also)
    chosen = format or game.formats_by_slug.get(reading.format) or game.likely_format(reading.deck)
    report = game.judge(reading.deck, chosen, len(reading.unread))
    return Judged(game, chosen, reading.deck, report, reading.unread, reading.notices)


def judge(game: Game, deck: Decklist, format: Format, keep_secrets: bool = False) -> Judged:
    """Judge a whole deck; what is secret is judged all the same, but may be kept out of what is told."""
    report = game.judge(deck, format)
    if keep_secrets:
        names = {entry.card.name for entry in deck if game.is_secret(entry.section, entry.card.type)}
        report = Report(tuple(_redacted(violation, names) for violation in report.violations))
        deck = without_secrets(game, deck)
    return Judged(game, format, deck, report)


def without_secrets(game: Game, deck: Decklist) -> Decklist:
    """The deck as a stranger may see it."""
    return replace(deck, entries=tuple(entry for entry in deck if not game.is_secret(entry.section, entry.card.type)))


def _redacted(violation: Violation, names: set[str]) -> Violation:
    """Without the names of secret cards, nor a repair that would give them away."""
    if not names.intersection(violation.cards):
        return violation
    shown = tuple("a secret card" if name in names else name for name in violation.cards)
    return replace(violation, cards=shown, excess=())
