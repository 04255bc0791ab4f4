"""Read ``rulebook.toml``, what rules and facts are cited from, and ``glossary.toml``, whose terms cite it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from cardsdb.games.kit.folder.files import AllProblems, FolderError, read_toml
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.rulebook import Citation, CitedClaim, Document, GlossaryEntry, Ruling

Made = TypeVar("Made", Document, Citation, Ruling)

RULEBOOK = "rulebook.toml"
TEXT_FILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\.txt")
_ENTRY_KEYS = {"meaning", "aliases", "facts", "see"}
_CLAIM_KEYS = {"document", "section", "lines", "certainty", "note"}
# What a table may say of its source: codes of rules, or a place.
SOURCE_KEYS = {"cites", "document", "section", "lines", "certainty"}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Documents by their key, rules as citations by their code, and rulings, each in the file's order."""

    documents: Mapping[str, Document]
    citations: Mapping[str, Citation]
    rulings: tuple[Ruling, ...]

    def followed_by(self, other: Rulebook) -> Rulebook:
        """What both say, this one first."""
        return Rulebook(
            {**self.documents, **other.documents},
            {**self.citations, **other.citations},
            (*self.rulings, *other.rulings),
        )

    def claim(self, values: Mapping[str, Any]) -> Claim:
        """The document, section, lines and certainty that an entry names; the first document where it names
        none.
        """
        named = {key: values[key] for key in _CLAIM_KEYS & set(values)}
        return Claim(**{"document": next(iter(self.documents), ""), **named})

    def sources(self, values: Mapping[str, Any], place: str) -> tuple[CitedClaim, ...]:
        """The rules that a table cites (``cites``), and the place that it names; empty if it does neither.
        Raises FolderError.
        """
        codes = values.get("cites", ())
        cited = []
        for code in (codes,) if isinstance(codes, str) else codes:
            rule = self.citations.get(code)
            if rule is None:
                raise FolderError(f"{place}: no rule is called {code!r}")
            cited.append(CitedClaim(code, Claim(rule.document, rule.section, rule.lines, rule.certainty)))
        if "section" in values or "lines" in values:
            cited.append(
                CitedClaim(
                    "", self.claim({key: value for key, value in values.items() if key in SOURCE_KEYS})
                )
            )
        return tuple(cited)


NOTHING_SAID = Rulebook({}, {}, ())


def read_rulebook(folder: Path) -> Rulebook:
    """What ``rulebook.toml`` says. Raises FolderError if the file is missing or no TOML."""
    path = folder / RULEBOOK
    if not path.exists():
        raise FolderError(f"{folder.name}/{path.name} is missing")
    place = f"{folder.name}/{path.name}"
    tables = {part: _tables(place, part, read) for part, read in read_toml(path).items()}
    first = next(iter(tables.get("documents", ())), "")

    def document(key: str) -> Document:
        values = tables["documents"][key]
        pages = values.get("pages", [])
        is_listed = isinstance(pages, list) and all(type(line) is int and line > 0 for line in pages)
        if not is_listed or pages != sorted(set(pages)):
            raise FolderError(
                f"{place}, documents.{key}: pages are the lines that they begin with, each later than the one"
                " before"
            )
        made = _made(Document, f"{place}, documents.{key}", {"key": key, **values, "pages": tuple(pages)})
        if made.file and not TEXT_FILE.fullmatch(made.file):
            raise FolderError(
                f"{place}, documents.{key}: {made.file!r} is no text file of the folder, such as rulebook.txt"
            )
        return made

    def citation(code: str) -> Citation:
        return _made(
            Citation,
            f"{place}, rules.{code}",
            {"code": code, "document": first, "section": "", **tables["rules"][code]},
        )

    def ruling(id: str) -> Ruling:
        entry = tables["rulings"][id]
        return _made(
            Ruling, f"{place}, rulings.{id}", {"id": id, **entry, "rules": tuple(entry.get("rules", ()))}
        )

    with AllProblems() as parts:
        documents = {each.key: each for each in parts.each(document, tables.get("documents", ()))}
        citations = {each.code: each for each in parts.each(citation, tables.get("rules", ()))}
        rulings = parts.each(ruling, tables.get("rulings", ()))
    return Rulebook(documents, citations, rulings)


def _tables(place: str, part: str, read: Any) -> dict[str, dict[str, Any]]:
    """A part of the file: its tables by their names. Raises FolderError for anything else."""
    if not isinstance(read, dict):
        raise FolderError(f"{place}: {part!r} is no table; write [{part}.name] above what belongs to each")
    if wrong := next((name for name, values in read.items() if not isinstance(values, dict)), None):
        raise FolderError(
            f"{place}, {part}: {wrong!r} is no table; write [{part}.{wrong}] above what belongs to it"
        )
    return read


def _made(kind: type[Made], place: str, values: Mapping[str, Any]) -> Made:
    """The object of these values. Raises FolderError for a key that it does not have or lacks."""
    known = {field.name: field.default is MISSING for field in fields(kind)}
    if unknown := sorted(set(values) - set(known)):
        raise FolderError(f"{place}: {unknown[0]!r} means nothing here")
    if missing := [name for name, needed in known.items() if needed and name not in values]:
        raise FolderError(f"{place}: {missing[0]!r} is missing")
    return kind(**values)


def read_glossary(folder: Path, rulebook: Rulebook) -> tuple[GlossaryEntry, ...]:
    """The entries of ``glossary.toml`` in the order of the alphabet; none if there is no such file.

    Raises FolderError for a key that means nothing.
    """
    terms = read_toml(folder / "glossary.toml").get("terms", {})

    def read(term: str) -> GlossaryEntry:
        return _entry(f"{folder.name}/glossary.toml, {term}", rulebook, term, terms[term])

    with AllProblems() as parts:
        entries = parts.each(read, terms)
    return tuple(sorted(entries, key=lambda entry: entry.sorted_by))


def _entry(place: str, rulebook: Rulebook, term: str, values: dict[str, Any]) -> GlossaryEntry:
    if unknown := set(values) - _ENTRY_KEYS - _CLAIM_KEYS:
        raise FolderError(f"{place}: {sorted(unknown)[0]!r} is no key of a term")
    if not values.get("meaning"):
        raise FolderError(f"{place}: the meaning is missing")
    lists = {key: tuple(values.get(key, ())) for key in ("aliases", "facts", "see")}
    return GlossaryEntry(term, values["meaning"], rulebook.claim(values), **lists)
