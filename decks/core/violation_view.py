"""A violation as pages, the command line and programs are told of it: its sentence, where its rule stands,
what would cure it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit import Citation, Document, Severity, Violation


@dataclass(frozen=True, slots=True)
class ViolationView:
    """A violation with its sentence, its citation, a repair that was tried, and what a house rule has to do
    with it.

    ``changes``: the repair as forms send it, ``-1 deck kai, -2 leaders andros``. ``address``: where the cited
    lines of ``source`` can be read.
    """

    violation: Violation
    message: str
    citation: Citation | None
    source: Document | None
    repair: str
    removed: list[dict[str, Any]]
    house: str = ""
    changes: str = ""
    address: str = ""

    @property
    def document(self) -> str:
        """The title of the document that is cited; empty for none."""
        return self.source.title if self.source else ""

    @property
    def place(self) -> str:
        """Where the rule stands in its document: ``Game Setup, line 430, p. 11``."""
        if self.citation is None or self.source is None:
            return ""
        return ", ".join(filter(None, (self.citation.place, self.source.pages_in_words(self.citation.lines))))

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

    def as_json(self) -> dict[str, Any]:
        v = self.violation
        return {
            "code": v.code,
            "problem": v.problem,
            "severity": self.severity,
            "cards": list(v.cards),
            "found": list(v.found) if isinstance(v.found, tuple) else v.found,
            "wanted": list(v.wanted) if isinstance(v.wanted, tuple) else v.wanted,
            "message": self.message,
            "house": self.house,
            "citation": self._citation_json(),
            "repairs": [{"message": self.repair, "remove": self.removed, "add": []}] if self.removed else [],
        }

    def _citation_json(self) -> dict[str, Any] | None:
        """Where the rule stands, and what it says in our words or its league's."""
        citation, source = self.citation, self.source
        if citation is None or source is None:
            return None
        return {
            "code": citation.code,
            "document": source.title,
            "section": citation.section,
            "lines": citation.lines,
            "pages": list(source.pages_of(citation.lines)),
            "url": self.address,
            "certainty": citation.certainty,
            "says": citation.says,
        }
