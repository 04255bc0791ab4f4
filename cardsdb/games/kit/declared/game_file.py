"""``game.toml``: a whole game as data. With ``cards.csv`` beside it a folder is a game; no Python of the
folder is ever run.

name, publisher, year, summary, players, rights, not_known, showcase, showcase_list, write_in hue =
["#7a2e6b", "#d59bc9"]       the game's colour on light and on dark paper card_size = [63.5, 88.9]
of a card, in millimetres key_cards = { leader = "level" }   the types whose cards stand for a deck, each with
the number by which they are ordered [credit]                           text, licence, licence_url, work_url,
changes: what must stand wherever the game's material appears [colours]                          VALUE =
"#rrggbb", for the values of facts [types.TYPE]                       name, plural, help, symbol, in_decks,
kind, face (``faces.py``) [facts.FACT]                       kind, help, types, label, aliases, optional,
optional_for, unless, is_aside, opposites [sections.SECTION]                 name, types, headings, secret,
order; without any there is one, the deck columns = ["cost", "artist"]          the facts that tables of
lists show, in this order; without it those that every card should have [formats.FORMAT]                   ``formats.py``; its rules are
[[formats.FORMAT.rules]] (``rules.py``) [marks.FACT], [[backs]]            ``looks.py``; deck_mark: the fact
of marks that a deck bears whose cards share its value [[examples]]                       name, format, list,
verdict, breaks: decks whose verdict is known
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

from cardsdb.games.kit.declared.formats import FormatReader
from cardsdb.games.kit.declared.looks import COLOUR, SYMBOLS, read_backs, read_face, read_marks
from cardsdb.games.kit.declared.table import MAX_LONG_TEXT, SLUG, Faults, Table, check_files, read_declared
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.files import GAME_FILE
from cardsdb.games.kit.folder.rulebook import Rulebook
from cardsdb.games.kit.game import Credit, Game, RowFact
from cardsdb.games.kit.model.cards import CardType, Fact, FactKind
from cardsdb.games.kit.model.decklist import Section
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.model.format import Example
from cardsdb.games.kit.model.report import Verdict
from cardsdb.games.kit.model.rulebook import Document
from cardsdb.games.kit.print.face import Face

# The document of what nobody says but the game's own files; a card's source may be called so.
OWN = "own"
USUAL_HUE = ("#3d4a5c", "#a9bdd6")
USUAL_SIZE = (63.0, 88.0)
MIN_SIDE, MAX_SIDE = 30, 150
MAX_FACTS = 200
KINDS_OF_ENTRY = ("card", "component", "term")
CREDIT_PARTS = tuple(field.name for field in fields(Credit))


def slug_of(folder: Path) -> str:
    """The slug of the game that a folder holds."""
    return folder.name.replace("_", "-")


def read_game(folder: Path) -> Game:
    """The game of a folder of data. Raises FolderError with every fault of ``game.toml``, each with its
    key.
    """
    check_files(folder)
    faults = Faults()
    table = Table(read_declared(folder / GAME_FILE), f"{folder.name}/{GAME_FILE}", "", faults)
    if not SLUG.fullmatch(slug_of(folder)):
        faults.say(
            folder.name,
            "the folder's name stands in addresses; call it by at most 40 small letters, digits and hyphens",
        )
    name, publisher = table.text("name", needed=True, most=60), table.text("publisher")
    type_tables = list(table.tables("types", "type"))
    types = tuple(_type(slug, each) for slug, each in type_tables)
    if not types:
        table.fault("types", "has no type; a game needs one at least, as in [types.agent]")
    known = {card_type.slug: card_type for card_type in types}
    fact_tables = list(table.tables("facts", "fact", MAX_FACTS))
    facts = tuple(_fact(key, each, known, dict(fact_tables)) for key, each in fact_tables)
    if (folder / "effects.toml").exists():
        facts += EFFECT_FACTS
    numbers = {fact.key: fact for fact in facts if fact.kind == "number"}
    sections = tuple(
        _section(slug, each, known, numbers) for slug, each in table.tables("sections", "section")
    )
    sections = sections or (
        Section("deck", "Deck", tuple(card_type.slug for card_type in types if card_type.in_decks)),
    )
    own = Rulebook({OWN: Document(OWN, f"{name}: cards and rules of its own", by=publisher)}, {}, ())
    base = GameFolder(slug_of(folder), name, folder, types, facts, sections, said_beside=own)
    reader = FormatReader(base, {}, OWN, official=True)
    formats = [reader.read(slug, each) for slug, each in table.tables("formats", "format")]
    if not formats:
        table.fault("formats", "has no format; a game needs one at least, as in [formats.usual]")
    said = {code: citation for each in formats for code, citation in each.citations.items()}
    marks = read_marks(table, facts)
    columns = {fact.key: fact for fact in facts if fact.key not in marks}
    examples = tuple(_example(each) for each in table.listed_tables("examples"))
    game = Game(
        base.slug,
        name,
        folder,
        types,
        facts,
        sections,
        said_beside=replace(own, citations=said),
        publisher=publisher,
        year=table.text("year", most=20),
        summary=table.text("summary", f"{name}: a game of your own.", most=MAX_LONG_TEXT),
        formats=tuple(replace(each.format, declared_in=folder / GAME_FILE) for each in formats),
        faces={
            card_type.slug: _face(each, card_type, facts, marks)
            for card_type, (_, each) in zip(types, type_tables, strict=True)
        },
        hue=_hue(table),
        backs=read_backs(table, known),
        row_facts=(
            *(RowFact(key, place="mark", symbols=drawn) for key, drawn in marks.items()),
            *(RowFact(key) for key in table.known("columns", columns, "fact")),
        ),
        deck_mark=(
            table.choice("deck_mark", tuple(marks), "") if "deck_mark" in table else next(iter(marks), "")
        ),
        colours=_colours(table),
        players=table.text("players", most=60),
        rights=table.text("rights", most=MAX_LONG_TEXT),
        credit=_credit(table),
        not_known=table.words("not_known"),
        write_in=table.known("write_in", known, "type"),
        trim=_card_size(table),
        trim_source=(
            f"{GAME_FILE} says so."
            if "card_size" in table
            else "Nothing says a card's size: the usual one is assumed."
        ),
        examples=lambda: examples,
        key_cards=_key_cards(table, known, numbers),
        showcase=table.words("showcase"),
        showcase_list=table.text("showcase_list", most=MAX_LONG_TEXT),
    )
    table.close()
    faults.end()
    return game


def _type(slug: str, table: Table) -> CardType:
    """The type. Its table is closed by who reads the face in it."""
    name = table.text("name", slug.replace("-", " ").capitalize(), most=60)
    symbol = SYMBOLS[table.choice("symbol", SYMBOLS, "card")]
    kind: Any = table.choice("kind", KINDS_OF_ENTRY, "card")
    return CardType(
        slug,
        name,
        table.text("plural", f"{name}s", most=60),
        table.text("help"),
        table.flag("in_decks", True),
        symbol,
        kind,
    )


def _face(
    table: Table, card_type: CardType, facts: tuple[Fact, ...], marks: dict[str, tuple[tuple[str, str], ...]]
) -> Face:
    face = read_face(table.table("face"), card_type, facts, marks)
    table.close()
    return face


def _fact(key: str, table: Table, types: dict[str, CardType], facts: Mapping[str, Table]) -> Fact:
    kind: FactKind = table.choice("kind", get_args(FactKind), "word", needed=True)  # type: ignore[assignment]
    label = table.text("label", most=60)
    fact = Fact(
        key,
        kind,
        table.text("help", f"{label or key.replace('_', ' ').capitalize()}, as the card has it."),
        table.known("types", types, "type"),
        label,
        table.words("aliases"),
        table.flag("optional", False),
        table.known("optional_for", types, "type"),
        table.known("unless", facts, "fact"),
        is_aside=table.flag("is_aside", False),
        opposites=table.words("opposites"),
    )
    table.close()
    return fact


def _section(slug: str, table: Table, types: dict[str, CardType], numbers: Mapping[str, Fact]) -> Section:
    name = table.text("name", slug.replace("-", " ").capitalize(), most=60)
    holds = table.known("types", types, "type", needed=True)
    section = Section(
        slug,
        name,
        holds,
        table.words("headings"),
        table.flag("secret", False),
        table.choice("order", numbers, ""),
    )
    table.close()
    return section


def _credit(game: Table) -> Credit | None:
    table = game.table("credit")
    if table is None:
        return None
    said = {part: table.text(part, needed=True, most=MAX_LONG_TEXT) for part in CREDIT_PARTS}
    for part in ("licence_url", "work_url"):
        if said[part] and not said[part].startswith(("https://", "http://")):
            table.fault(part, f"must begin with https://, not {said[part][:40]!r}")
    table.close()
    return Credit(**said)


def _key_cards(
    game: Table, types: Mapping[str, CardType], numbers: Mapping[str, Fact]
) -> tuple[tuple[str, str], ...]:
    table = game.table("key_cards")
    if table is None:
        return ()
    for name in table:
        if name not in types:
            game.fault("key_cards", f"{name[:60]!r} is no type; declared are {', '.join(types)}")
    chosen = tuple((name, table.choice(name, numbers, "", needed=True)) for name in types if name in table)
    return tuple((name, number) for name, number in chosen if number)


def _example(table: Table) -> Example:
    verdict: Verdict = table.choice("verdict", get_args(Verdict), "legal", needed=True)  # type: ignore[assignment]
    list_text = table.text("list", needed=True, most=MAX_LONG_TEXT)
    example = Example(
        table.text("name", needed=True),
        table.text("format", needed=True),
        list_text,
        verdict,
        table.words("breaks"),
    )
    table.close()
    return example


def _hue(table: Table) -> tuple[str, str]:
    hue = table.words("hue", USUAL_HUE)
    if len(hue) != 2 or not all(map(COLOUR.fullmatch, hue)):
        table.fault("hue", 'must be two colours, for light and for dark paper, as in ["#7a2e6b", "#d59bc9"]')
        return USUAL_HUE
    return hue[0], hue[1]


def _colours(table: Table) -> dict[str, str]:
    colours = dict(table.values("colours"))
    for value, colour in colours.items():
        if not (isinstance(colour, str) and COLOUR.fullmatch(colour)):
            table.fault(
                f"colours.{value[:60]}",
                f"must be a colour such as '#7a2e6b', in small letters, not {str(colour)[:40]!r}",
            )
    return {value: str(colour) for value, colour in colours.items()}


def _card_size(table: Table) -> tuple[int, int]:
    size = table.lengths("card_size") if "card_size" in table else USUAL_SIZE
    if len(size) != 2 or not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        table.fault(
            "card_size",
            f"must be width and height in millimetres, each from {MIN_SIDE} to {MAX_SIDE}, as in [63.5,"
            " 88.9]",
        )
        size = USUAL_SIZE
    return round(size[0] * 1000), round(size[1] * 1000)
