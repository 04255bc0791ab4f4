"""Reads ``rulebook.toml`` and ``glossary.toml``.

A ``Rulebook`` holds the documents of a game, a citation for each of its rules, and rulings. Cards, guides and
glossary cite these documents and rules, so it is read before all of them.

rulebook.toml   [documents.KEY]: title, kind, by, note, url, file, pages; [rules.CODE]: document, section,
                lines, certainty, says; [rulings.ID]: question, treatment, rules
glossary.toml   [terms.TERM]: meaning, aliases, facts, see; document, section, lines, certainty, note

Tests: ``tests/cardsdb/games/kit/folder/test_rulebook.py``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.folder.table import MAX_LISTED, Table, open_table
from cardsdb.games.kit.model.cards import CERTAINTIES, Certainty, Claim
from cardsdb.games.kit.model.rulebook import Citation, CitedClaim, Document, GlossaryEntry, Ruling

RULEBOOK = "rulebook.toml"
# The name of a file in the game's folder with the text of a document.
TEXT_FILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\.txt")


@dataclass(frozen=True)
class Rulebook:
    """Key -> document, code of a rule -> its citation, and the rulings, each in the order of the file."""

    documents: Mapping[str, Document]
    citations: Mapping[str, Citation]
    rulings: tuple[Ruling, ...]

    def followed_by(self, other: "Rulebook") -> "Rulebook":
        """This rulebook and another as one. What both have is the other's."""
        return Rulebook(
            {**self.documents, **other.documents},
            {**self.citations, **other.citations},
            (*self.rulings, *other.rulings),
        )

    def claim(self, table: Table) -> Claim:
        """The claim of the document, section, lines and certainty that a table names. The document may be
        left out if it is the first.
        """
        certainty: Certainty = table.choice("certainty", CERTAINTIES, "stated")  # type: ignore[assignment]
        document = table.choice("document", self.documents, next(iter(self.documents), ""))
        return Claim(document, table.text("section"), table.text("lines"), certainty)

    def sources(self, table: Table) -> tuple[CitedClaim, ...]:
        """The sources of a table: the rules that it names with ``cites``, and the section or lines that it
        names itself. Empty if it names neither.
        """
        sources = []
        for code in table.known("cites", self.citations, "rule"):
            rule = self.citations[code]
            sources.append(CitedClaim(code, Claim(rule.document, rule.section, rule.lines, rule.certainty)))
        claim = self.claim(table)
        if claim.section or claim.lines:
            sources.append(CitedClaim("", claim))
        return tuple(sources)


NOTHING_SAID = Rulebook({}, {}, ())


def read_rulebook(folder: Path) -> Rulebook:
    """The rulebook of ``rulebook.toml``. Raises FolderError if the file is missing, or with every fault."""
    if not (folder / RULEBOOK).exists():
        raise FolderError(f"{folder.name}/{RULEBOOK} is missing")
    table = open_table(folder / RULEBOOK)
    if table is None:
        return NOTHING_SAID
    documents = {
        key: _document(key, each)
        for key, each in table.tables("documents", "document", MAX_LISTED, is_named_freely=True)
    }
    first = next(iter(documents), "")
    citations = {
        code: each.made(
            Citation,
            code=code,
            document=each.choice("document", documents, first),
            section=each.text("section"),
        )
        for code, each in table.tables("rules", "rule", MAX_LISTED, is_named_freely=True)
    }
    rulings = tuple(
        each.made(Ruling, id=id, rules=each.known("rules", citations, "rule"))
        for id, each in table.tables("rulings", "ruling", MAX_LISTED, is_named_freely=True)
    )
    table.close()
    table.file.end()
    return Rulebook(documents, citations, rulings)


def _document(key: str, table: Table) -> Document:
    pages = table.whole_numbers("pages", MAX_LISTED)
    if pages != tuple(sorted({*pages} - {0})):
        table.fault("pages", "are the lines that pages begin with, each later than the one before")
    document = table.made(Document, key=key, pages=pages)
    if document.file and not TEXT_FILE.fullmatch(document.file):
        table.fault("file", f"{document.file!r} is no text file of the folder, such as rulebook.txt")
    return document


def read_glossary(folder: Path, rulebook: Rulebook) -> tuple[GlossaryEntry, ...]:
    """The entries of ``glossary.toml`` in the order of the alphabet; none if there is no such file. Raises
    FolderError with every fault.
    """
    table = open_table(folder / "glossary.toml")
    if table is None:
        return ()
    entries = [
        each.made(
            GlossaryEntry,
            term=term,
            source=replace(rulebook.claim(each), note=each.text("note", most=each.file.longest)),
        )
        for term, each in table.tables("terms", "term", MAX_LISTED, is_named_freely=True)
    ]
    table.close()
    table.file.end()
    return tuple(sorted(entries, key=lambda entry: entry.sorted_by))
