"""Read the data files of a game folder. One bad cell is one clear error with its line.

cards.csv    code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note + one column a fact
             one line a print; lines with the same code are prints of one card, whose facts the first line states;
             source is document#locator@facts, several joined by ";"
claims.csv   code,fact,value,document,section,lines,certainty,note: who else says something about a fact
sets.csv     code,name,year,size,official,source,note
rulebook.toml   [documents.KEY] [rules.CODE] [rulings.ID]
starters/*.txt  decks as text; "// key: value" lines on top give name, format, source and note
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardsdb.games.kit.cards import CERTAINTIES, Card, CardSet, Certainty, Claim, FactValue, Print, as_words

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

CARD_COLUMNS = ("code", "name", "type", "set", "number", "rarity", "print_code", "print_note", "source", "aliases", "text", "note")


class FolderError(ValueError):
    """A game folder's file says something that cannot be true; names file and line."""


def read_cards(game: Game) -> tuple[Card, ...]:
    """Read ``cards.csv`` and ``claims.csv``."""
    path = game.folder / "cards.csv"
    cards: dict[str, Card] = {}
    for line, row in _rows(path):
        try:
            card = _card(game, row)
        except ValueError as error:
            raise FolderError(f"{path.parent.name}/cards.csv line {line}: {error}") from None
        first = cards.get(card.code)
        cards[card.code] = _with_print(game, first, card) if first else card
    claims = _claims(game, cards)
    return tuple(replace(card, sources={**card.sources, **claims[code]}) if code in claims else card for code, card in cards.items())


def _card(game: Game, row: dict[str, str]) -> Card:
    extra = set(row) - set(CARD_COLUMNS) - set(game.facts_by_key)
    if extra:
        raise ValueError(f"column {sorted(map(str, extra))[0]} is neither a standard column nor a declared fact")
    if row["type"] not in game.types_by_slug:
        raise ValueError(f"type {row['type']!r} is not declared")
    facts: dict[str, FactValue] = {}
    for fact in game.facts:
        value = fact.read(row.get(fact.key) or "")
        if value is not None:
            if not fact.applies_to(row["type"]):
                raise ValueError(f"{fact.key} does not apply to a card of type {row['type']}")
            facts[fact.key] = value
    sources = _sources(game, row["source"], facts)
    prints = (
        (Print(row["set"], row["number"], row["rarity"], row.get("print_code") or "", row.get("print_note") or ""),) if row["set"] else ()
    )
    aliases = tuple(alias.strip() for alias in (row.get("aliases") or "").split("|") if alias.strip())
    return Card(
        game.slug, row["code"], row["name"], row["type"], facts, row.get("text") or "", sources, prints, aliases, row.get("note") or ""
    )


def _sources(game: Game, cell: str, facts: dict[str, FactValue]) -> dict[str, tuple[Claim, ...]]:
    """The claims behind a row: under ``""`` all of them, and apart for facts of which not all of them speak."""
    claims = [_source(game, text) for text in cell.split(";") if text.strip()]
    if not claims:
        raise ValueError("every card needs a source")
    sources = {"": tuple(claim for claim, _, _ in claims)}
    for key in facts:
        speaking = tuple(claim for claim, only, but in claims if (not only or key in only) and key not in but)
        if not speaking:
            raise ValueError(f"no source of the row speaks of {key}")
        if len(speaking) < len(claims):
            sources[key] = speaking
    return sources


def _source(game: Game, text: str) -> tuple[Claim, frozenset[str], frozenset[str]]:
    """``document#locator@facts`` as a claim, the facts it alone speaks of, and those it says nothing of.

    A locator of digits is line numbers, anything else a section. Facts are separated by commas;
    a minus before them means all but these.
    """
    text, _, about = text.strip().partition("@")
    key, _, locator = text.partition("#")
    if key not in game.documents:
        raise ValueError(f"source {key!r} is not among the documents of rulebook.toml")
    words = {word.strip().removeprefix("-") for word in about.split(",") if word.strip()}
    if unknown := words - set(game.facts_by_key):
        raise ValueError(f"source {key!r} speaks of {sorted(unknown)[0]!r}, which is no fact")
    certainty: Certainty = "stated" if game.documents[key].kind == "rulebook" else "outside"
    lines = bool(re.fullmatch(r"[0-9, -]+", locator))
    claim = Claim(key, lines=locator, certainty=certainty) if lines else Claim(key, section=locator, certainty=certainty)
    chosen, none = frozenset(words), frozenset[str]()
    return (claim, none, chosen) if about.lstrip().startswith("-") else (claim, chosen, none)


def _with_print(game: Game, first: Card, again: Card) -> Card:
    """The card with one more print. Where the prints' facts differ, the later one is a claim."""
    sources = {key: list(claims) for key, claims in first.sources.items()}
    printed = game.sets_by_code[again.prints[0].set].name if again.prints else "another print"
    for key in {**first.facts, **again.facts}:
        if key in again.facts and again.facts[key] != first.facts.get(key):
            origin = again.sources[""][0]
            sources.setdefault(key, list(first.claims(key))).append(
                replace(origin, value=as_words(again.facts[key]), note=f"as printed in {printed}")
            )
    return replace(
        first,
        prints=first.prints + again.prints,
        aliases=tuple(dict.fromkeys(first.aliases + again.aliases)),
        sources={key: tuple(claims) for key, claims in sources.items()},
    )


def _claims(game: Game, cards: dict[str, Card]) -> dict[str, dict[str, tuple[Claim, ...]]]:
    path = game.folder / "claims.csv"
    found: dict[str, dict[str, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    if not path.exists():
        return {}
    for line, row in _rows(path):
        place = f"{path.parent.name}/claims.csv line {line}"
        card = cards.get(row["code"])
        if card is None:
            raise FolderError(f"{place}: no card has the code {row['code']!r}")
        if row["fact"] not in game.facts_by_key and row["fact"] not in ("name", "type", "text"):
            raise FolderError(f"{place}: no fact is called {row['fact']!r}")
        if row["document"] not in game.documents:
            raise FolderError(f"{place}: no document is called {row['document']!r}")
        if row["certainty"] not in CERTAINTIES:
            raise FolderError(f"{place}: certainty must be one of {', '.join(CERTAINTIES)}")
        claim = Claim(row["document"], row["section"], row["lines"], row["certainty"], row["value"] or None, row["note"])
        claims = found[row["code"]][row["fact"]]
        if not claims:
            # What the row in cards.csv rests on stays a source beside the claim.
            claims.extend(card.claims(row["fact"]))
        if claim.value is None:
            # A document that is cited for this very fact need not be cited for the whole row too.
            behind_all = card.sources[""]
            claims[:] = [other for other in claims if other.document != claim.document or other not in behind_all]
        claims.append(claim)
    return {code: {key: _consistent(cards[code], key, claims) for key, claims in facts.items()} for code, facts in found.items()}


def _consistent(card: Card, key: str, claims: list[Claim]) -> tuple[Claim, ...]:
    """The claims, each once, without a row's document that is known to say something else about this fact."""
    shown = {**card.facts, "name": card.name, "type": card.type}.get(key)
    contrary = {claim.document for claim in claims if not claim.agrees_with(shown)}
    behind_all = card.sources[""]
    return tuple(claim for claim in dict.fromkeys(claims) if claim.document not in contrary or claim not in behind_all)


def read_sets(folder: Path) -> tuple[CardSet, ...]:
    """Read ``sets.csv``; a game without sets has no such file."""
    path = folder / "sets.csv"
    if not path.exists():
        return ()
    return tuple(
        CardSet(
            row["code"],
            row["name"],
            row["year"],
            int(row["size"]) if row["size"] else None,
            row["official"] == "yes",
            row["source"],
            row["note"],
        )
        for _, row in _rows(path)
    )


@lru_cache(maxsize=64)
def rulebook(folder: Path) -> dict[str, Any]:
    """The parsed ``rulebook.toml``."""
    try:
        return tomllib.loads((folder / "rulebook.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FolderError(f"{folder.name}/rulebook.toml: {error}") from None


def read_starters(folder: Path) -> list[dict[str, str]]:
    """Each ``starters/*.txt`` as the fields of a Starter."""
    found = []
    for path in sorted((folder / "starters").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        head = dict(re.findall(r"^// (name|format|source|note): (.*)$", text, re.MULTILINE))
        if missing := {"name", "format"} - set(head):
            raise FolderError(f"{folder.name}/starters/{path.name}: no line '// {missing.pop()}: ...' on top")
        found.append({"slug": path.stem, "text": text, **head})
    return found


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """(line number, row) of a CSV file; the header is line 1."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise FolderError(f"{path.parent.name}/{path.name} line {reader.line_num}: not as many cells as the header")
            rows.append((reader.line_num, row))
        return rows
