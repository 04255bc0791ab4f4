"""A copy of a game as data, to be changed by whoever plays it otherwise: its folder's tables as they are, and
a ``game.toml``.

What is code stays behind: rules for which the kit has no rule, faces, statistics, worksheets. ``write_copy``
says which rules do.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cardsdb.games.kit.declared.bounds import DECLARED, TABLES
from cardsdb.games.kit.declared.faces import MAX_LINES, MAX_NUMBERS
from cardsdb.games.kit.declared.league_file import toml_key, toml_value
from cardsdb.games.kit.declared.looks import PATTERNS, SYMBOLS
from cardsdb.games.kit.declared.rule_tables import NotAsData, is_simplified, rule_table
from cardsdb.games.kit.folder.files import GAME_FILE, LICENCE_FILE
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import CardType, Fact
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.model.format import Format, Rule
from cardsdb.games.kit.model.rulebook import Citation
from cardsdb.games.kit.print.symbols import CARD

_SYMBOL_NAMES = {path: name for name, path in SYMBOLS.items()}
_PATTERN_NAMES = {path: name for name, path in PATTERNS.items()}
_HEAD = """# {name}, made like {like}: a copy as data. Its cards stand in cards.csv, its rules below; change both as you play it.
# docs/add-a-game.md says what else may stand here; `manage.py check` names whatever is wrong.
"""


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A rule of some formats that the copy does not have, or ``simplified``: without what its code says
    besides.
    """

    code: str
    formats: tuple[str, ...]
    citation: Citation | None
    document: str
    simplified: bool

    @property
    def words(self) -> str:
        """The rule, where it stands and what it says, on one line."""
        if self.citation is None:
            return f"{self.code} ({'; '.join(self.formats)})"
        lines = f"line {self.citation.lines}" if self.citation.lines else ""
        where = ", ".join(filter(None, (self.document, self.citation.section, lines)))
        return " ".join(f"{self.code} ({'; '.join(self.formats)}. {where}): {self.citation.says}".split())


def write_copy(game: Game, folder: Path, name: str) -> tuple[LeftBehind, ...]:
    """Write the copy into the folder, which is there and empty; what of the rules is left behind, in the
    game's order.

    Raises ValueError where no format of the game has a rule that data can declare.
    """
    formats = {format.slug: _rule_tables(format) for format in game.formats}
    whole = [format for format in game.formats if formats[format.slug]]
    if not whole:
        raise ValueError(f"no rule of {game.name} can be declared as data")
    left = tuple(_left_behind(game))
    text = (
        "\n".join([_HEAD.format(name=name, like=game.name), *_lines(game, name, whole, formats, left)]) + "\n"
    )
    (folder / GAME_FILE).write_text(text, encoding="utf-8")
    texts = [document.file for document in game.documents.values() if document.file]
    for file in (*TABLES, *DECLARED, *texts, LICENCE_FILE):
        if file != GAME_FILE and (game.folder / file).is_file():
            shutil.copyfile(game.folder / file, folder / file)
    # A list that states details, such as the number of players, cannot be read without them, and data
    # declares none.
    kept = {format.slug for format in whole if not format.details}
    if starters := [starter for starter in game.starters if starter.format in kept]:
        (folder / "starters").mkdir()
        for starter in starters:
            shutil.copyfile(
                game.folder / "starters" / f"{starter.slug}.txt", folder / "starters" / f"{starter.slug}.txt"
            )
    return left


def _rule_tables(format: Format) -> list[tuple[Rule, dict[str, Any]]]:
    tables = []
    for rule in format.rules:
        try:
            tables.append((rule, rule_table(rule)))
        except NotAsData:
            continue
    return tables


def _left_behind(game: Game) -> Iterator[LeftBehind]:
    seen: dict[tuple[str, bool], dict[str, None]] = {}
    for format in game.formats:
        carried = [rule for rule, _ in _rule_tables(format)]
        for rule in format.rules:
            is_carried = any(rule is one for one in carried)
            if not is_carried or is_simplified(rule):
                cited = getattr(rule, "cites", "") or rule.code
                seen.setdefault((cited, is_carried), {})[format.name] = None
    for (code, simplified), formats in seen.items():
        citation = game.citations.get(code)
        document = game.documents[citation.document].title if citation else ""
        yield LeftBehind(code, tuple(formats), citation, document, simplified)


# -- game.toml --------------------------------------------------------------------------


def _lines(
    game: Game,
    name: str,
    formats: list[Format],
    rules: Mapping[str, list[tuple[Rule, dict[str, Any]]]],
    left: tuple[LeftBehind, ...],
) -> Iterator[str]:
    yield from _keys(
        {
            "name": name,
            "publisher": game.publisher,
            "year": game.year,
            "summary": game.summary,
            "players": game.players,
            "rights": game.rights,
            "not_known": list(game.not_known),
            "hue": list(game.hue),
            "card_size": [length / 1000 for length in game.trim],
            "showcase": list(game.showcase),
            "showcase_list": game.showcase_list,
            "write_in": list(game.write_in),
            "deck_mark": "" if game.deck_mark not in _marks(game) else game.deck_mark,
            "key_cards": dict(game.key_cards),
        }
    )
    if game.credit:
        yield from _table("credit", asdict(game.credit))
    for card_type in game.types:
        yield from _table(f"types.{card_type.slug}", _type(game, card_type))
    declared = {fact.key for fact in EFFECT_FACTS} if (game.folder / "effects.toml").exists() else set()
    for fact in game.facts:
        if fact.key not in declared:
            yield from _table(f"facts.{fact.key}", _fact(fact))
    yield from _table("colours", dict(game.colours))
    for key, drawn in _marks(game).items():
        yield f"\n[marks.{key}]"
        yield from _keys(drawn)
    for back in game.backs:
        symbol, pattern = _SYMBOL_NAMES.get(back.emblem, "card"), _PATTERN_NAMES.get(back.pattern, "")
        yield from _table(
            "[backs]",
            {
                "symbol": symbol,
                "pattern": pattern,
                "label": back.label,
                "types": list(back.types),
                "colour": back.colour,
            },
        )
    for section in game.sections:
        yield from _table(
            f"sections.{section.slug}",
            {key: value for key, value in asdict(section).items() if key != "slug"},
        )
    said: set[str] = set()
    for format in formats:
        keys = {"name": format.name, "help": format.help, "sections": list(format.sections)}
        yield from _table(f"formats.{format.slug}", keys if format.official else keys | {"official": False})
        for rule, table in rules[format.slug]:
            yield from _table(f"[formats.{format.slug}.rules]", table | _says(game, rule, said))
        yield from (
            f"\n# Not carried over: {one.words}"
            for one in left
            if format.name in one.formats and not one.simplified
        )


def _keys(values: Mapping[str, Any]) -> Iterator[str]:
    """The keys that say something, a line each; tuples are lists."""
    for key, value in values.items():
        value = list(value) if isinstance(value, tuple) else value
        if value not in ("", [], {}, None):
            yield f"{toml_key(key)} = {toml_value(value)}"


def _table(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if lines := list(_keys(values)):
        yield f"\n[{name}]"
        yield from lines


def _says(game: Game, rule: Rule, said: set[str]) -> dict[str, str]:
    """What the rule says, where the rulebook does not say it under its code, nor a rule before it
    (``said``).
    """
    cited = getattr(rule, "cites", "") or rule.code
    in_rulebook = rule.code in game.citations and rule.code not in game.said_beside.citations
    if in_rulebook or rule.code in said or cited not in game.citations:
        return {}
    said.add(rule.code)
    return {"says": game.citations[cited].says}


def _type(game: Game, card_type: CardType) -> dict[str, Any]:
    values: dict[str, Any] = {"name": card_type.name, "plural": card_type.plural, "help": card_type.help}
    values |= {"symbol": _SYMBOL_NAMES.get(card_type.symbol or CARD, "card")}
    values |= {} if card_type.in_decks else {"in_decks": False}
    values |= {} if card_type.kind == "card" else {"kind": card_type.kind}
    return values | {"face": _face(game, card_type)}


def _face(game: Game, card_type: CardType) -> dict[str, Any]:
    """A layout of the family's with the facts that the game's lists show: what a face is made of is code."""
    shown = [
        (row, game.facts_by_key[row.key])
        for row in game.row_facts
        if game.facts_by_key[row.key].applies_to(card_type.slug)
    ]
    marks = [fact.key for row, fact in shown if row.place == "mark"]
    numbers = [fact.key for row, fact in shown if fact.kind == "number" and fact.expected_of(card_type.slug)]
    first = [fact.key for row, fact in shown if row.place == "chip" and fact.key in numbers]
    corner = next(iter(first or numbers), "")
    column = [key for key in numbers if key != corner][:MAX_NUMBERS]
    written = [
        fact.key
        for row, fact in shown
        if row.place in ("column", "chip") and fact.kind != "text" and not fact.is_aside
    ]
    wide = game.face_named(card_type.slug).landscape
    face: dict[str, Any] = {"layout": "wide" if wide else "column" if column else "lines"}
    face |= {"corner": corner} if corner else {}
    face |= {"column": column} if column and not wide else {}
    face |= {"marks": marks[0]} if marks else {}
    face |= {"band": marks[0]} if marks and _is_coloured(game, card_type, marks[0]) else {}
    lines = [key for key in written if key != corner and (wide or key not in column)][:MAX_LINES]
    return face | ({"lines": lines} if lines else {})


def _is_coloured(game: Game, card_type: CardType, key: str) -> bool:
    """Whether most cards of the type have a value of the fact that has a colour."""
    cards = [card for card in game.cards if card.type == card_type.slug]
    return sum(any(word in game.colours for word in card.words(key)) for card in cards) * 2 > len(cards)


def _marks(game: Game) -> dict[str, dict[str, str]]:
    """The facts whose values are marks, with the drawings that games of data know by name; a value without
    one is a letter.
    """
    rows = [row for row in game.row_facts if row.place == "mark"]
    return {
        row.key: {value: _SYMBOL_NAMES[path] for value, path in row.symbols if path in _SYMBOL_NAMES}
        for row in rows
    }


def _fact(fact: Fact) -> dict[str, Any]:
    values = {key: value for key, value in asdict(fact).items() if key != "key"}
    return {key: value for key, value in values.items() if value is not False}
