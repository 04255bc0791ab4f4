"""Read ``rulebook.toml``, what rules and facts are cited from, and ``glossary.toml``, whose terms cite it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.files import FolderError, read_toml
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.citation import Citation, Document, Ruling
from cardsdb.games.kit.model.glossary import GlossaryEntry

_ENTRY_KEYS = {"meaning", "aliases", "facts", "see"}
_CLAIM_KEYS = {"document", "section", "lines", "certainty", "note"}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Documents by their key, rules as citations by their code, and rulings, each in the file's order."""

    documents: Mapping[str, Document]
    citations: Mapping[str, Citation]
    rulings: tuple[Ruling, ...]

    def claim(self, values: Mapping[str, Any]) -> Claim:
        """The document, section, lines and certainty that an entry names; the first document where it names none."""
        named = {key: values[key] for key in _CLAIM_KEYS & set(values)}
        return Claim(**{"document": next(iter(self.documents), ""), **named})


def read_rulebook(folder: Path) -> Rulebook:
    """What ``rulebook.toml`` says. Raises FolderError if the file is missing or no TOML."""
    path = folder / "rulebook.toml"
    if not path.exists():
        raise FolderError(f"{folder.name}/{path.name} is missing")
    tables = read_toml(path)
    documents = {key: Document(key=key, **entry) for key, entry in tables["documents"].items()}
    default = next(iter(documents), "")
    citations = {code: Citation(**{"code": code, "document": default, "section": "", **entry}) for code, entry in tables["rules"].items()}
    rulings = (Ruling(id=id, **{**entry, "rules": tuple(entry.get("rules", ()))}) for id, entry in tables.get("rulings", {}).items())
    return Rulebook(documents, citations, tuple(rulings))


def read_glossary(folder: Path, rulebook: Rulebook) -> tuple[GlossaryEntry, ...]:
    """The entries of ``glossary.toml`` in the order of the alphabet; none if there is no such file.

    Raises FolderError for a key that means nothing.
    """
    terms = read_toml(folder / "glossary.toml").get("terms", {})
    entries = (_entry(f"{folder.name}/glossary.toml, {term}", rulebook, term, values) for term, values in terms.items())
    return tuple(sorted(entries, key=lambda entry: entry.sorted_by))


def _entry(place: str, rulebook: Rulebook, term: str, values: dict[str, Any]) -> GlossaryEntry:
    if unknown := set(values) - _ENTRY_KEYS - _CLAIM_KEYS:
        raise FolderError(f"{place}: {sorted(unknown)[0]!r} is no key of a term")
    if not values.get("meaning"):
        raise FolderError(f"{place}: the meaning is missing")
    lists = {key: tuple(values.get(key, ())) for key in ("aliases", "facts", "see")}
    return GlossaryEntry(term, values["meaning"], rulebook.claim(values), **lists)
