"""Violations as people see them: each with its sentence, its citation, its house rule and a repair.

``Judged.violation_views`` (``judging.py``) makes them for the pages of a verdict (``templates/decks/check``),
the API and the command ``check_deck``. ``Violation``, ``Citation`` and ``Document`` are defined in
``cardsdb/games/kit``. Keys of ``as_json`` must stay as docs/api.md names them.
Tests: ``tests/decks/core/test_violations.py``; ``as_json`` in ``tests/cardsdb/api/test_framework.py``.
"""

from typing import Any, NamedTuple

from cardsdb.games.kit import (
    Citation,
    Decklist,
    Document,
    Format,
    Game,
    Severity,
    Violation,
    listed,
)
from cardsdb.games.kit.model.format import message
from cardsdb.games.kit.repair.steps import Copies
from cardsdb.games.kit.rules.house_rules import house_rules_broken

SEVERITIES = {
    Severity.ILLEGAL: "Not legal",
    Severity.INCOMPLETE: "Incomplete",
    Severity.UNKNOWN: "Unknown",
    Severity.NOTE: "Note",
}


class ViolationView(NamedTuple):
    """A violation prepared for pages and the API. Of a deck with 9 Kai::

    message   9 copies of Kai; 3 at most.
    citation  of its rule; ``place``: Game Setup, line 430, p. 11
    source    the document cited; ``document``: its title
    address   the URL of the cited lines
    house     a sentence on the house rule that is broken, else empty
    removal   (entry, copies) to take out, here (9 Kai, 6), empty for no repair; ``repair``: Take out 6 Kai.
    """

    violation: Violation
    message: str
    citation: Citation | None
    source: Document | None
    address: str
    house: str
    removal: Copies

    @property
    def repair(self) -> str:
        """The repair in words, empty for none."""
        taken = listed(tuple(f"{count} {entry.card.name}" for entry, count in self.removal))
        return f"Take out {taken}." if taken else ""

    @property
    def changes(self) -> str:
        """The repair as forms send it (``check/pasted.py``): ``-1 deck kai, -2 leaders andros``."""
        return ", ".join(f"-{count} {entry.section} {entry.card.code}" for entry, count in self.removal)

    @property
    def document(self) -> str:
        """The title of the cited document, empty for none."""
        return self.source.title if self.source else ""

    @property
    def place(self) -> str:
        """The place of the rule in its document, such as ``Game Setup, line 430, p. 11``, empty for none."""
        if not self.citation or not self.source:
            return ""
        return ", ".join(filter(None, (self.citation.place, self.source.pages_in_words(self.citation.lines))))

    @property
    def severity(self) -> str:
        return self.violation.severity.slug

    @property
    def severity_words(self) -> str:
        return SEVERITIES[self.violation.severity]

    def as_json(self) -> dict[str, Any]:
        """Return the violation for the API and the command line."""
        violation = self.violation
        removed = [
            {"name": entry.card.name, "section": entry.section, "count": count}
            for entry, count in self.removal
        ]
        return {
            "code": violation.code,
            "problem": violation.problem,
            "cards": list(violation.cards),
            "found": violation.found,
            "wanted": violation.wanted,
            "severity": self.severity,
            "message": self.message,
            "house": self.house,
            "citation": self._citation_json(),
            "repairs": [{"message": self.repair, "remove": removed, "add": []}] if removed else [],
        }

    def _citation_json(self) -> dict[str, Any] | None:
        citation, source = self.citation, self.source
        if not citation or not source:
            return None
        return {
            "code": citation.code,
            "section": citation.section,
            "lines": citation.lines,
            "certainty": citation.certainty,
            "says": citation.says,
            "document": source.title,
            "pages": list(source.pages_of(citation.lines)),
            "url": self.address,
        }


def cited(game: Game, format: Format, code: str) -> tuple[Citation | None, Document | None]:
    """Return the citation of the rule with this code and the document that it cites: of the format's league
    if that made the rule, else of the game. None where there is none.
    """
    league = format.league
    if league and league.document and code in league.citations:
        return league.citations[code], league.document
    citation = game.citations.get(code)
    return citation, game.documents[citation.document] if citation else None


def view_of(
    game: Game, format: Format, deck: Decklist, violation: Violation, removal: Copies
) -> ViolationView:
    """Prepare a violation of the deck, and the repair that was found for it, to be shown."""
    citation, document = cited(game, format, violation.code)
    address = ""
    if citation and document:
        # The document of a league is no file of the game; it has an address of its own.
        is_leagues = format.league and document is format.league.document
        address = document.url if is_leagues else game.address_of(citation.document, citation.lines)
    house = " ".join(
        f"By house rule {change.value}; the rulebook says {change.number.value}."
        for change in house_rules_broken(format, deck, violation)
    )
    sentence = message(violation, game.sentences)
    return ViolationView(violation, sentence, citation, document, address, house, removal)
