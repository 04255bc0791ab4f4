"""Reads formats that are declared as data, and the examples with which the contract tests their rules.

A format stands in one of three places:

- a table ``[formats.FORMAT]`` of a ``game.toml`` (``FormatReader``, called by ``game_file.py``);
- a file of its own among the site's data, which adds a format to a game (``with_format``);
- a league on the site, which stores the same values in the database (``read_league``).

name = "Tuesday league"
help = "The Agency Deck with a points list."
based_on = "agency"                      the format whose sections and rules this one takes over
leave_out = ["PR-1"]                     codes of rules of that format which this one does not take over
numbers = { "AG-3.at_least" = 40 }       numbers of its rules that are different in this format
sections = ["leaders", "deck"]           the parts of a deck; those of ``based_on`` or of the game if absent
[[rules]]                                further rules (``rules.py``)

A file and a league also say ``game`` (its slug), ``by``, ``title`` and ``url``. Every rule needs a citation:
one from ``rulebook.toml``, or one made here of what the rule says.

``cardsdb/games/__init__.py`` adds the files to the games; ``decks/leagues`` uploads and downloads the file of
a league (``parse_league_file``, ``write_league_file``), and ``decks/models/league.py`` reads what is stored.
Tests: ``tests/cardsdb/games/kit/declared/test_formats.py``; of leagues, in ``tests/decks/leagues``,
``test_league_formats.py``, and of their files ``test_views.py``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from cardsdb.games.kit.contract.checks import card_list_problems
from cardsdb.games.kit.declared.rules import read_rule
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.files import FolderError, parse_toml, read_declared
from cardsdb.games.kit.folder.rulebook import Rulebook
from cardsdb.games.kit.folder.table import MAX_LISTED, MAX_LONG_TEXT, SLUG, DeclaredFile, Table
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.format import Example, Format, League, Rule, Verdict
from cardsdb.games.kit.model.rulebook import Citation, Document
from cardsdb.games.kit.model.text import slugify
from cardsdb.games.kit.rules.house_rules import house_rules_of, with_house_rules, write_house_rules

# At most 40 letters, digits and hyphens.
RULE_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}")
# Characters of a league's name at the beginning of the codes of its rules, as in TUESDAY-LEAGUE-1.
_MAX_CODE = 16
# Bytes of a league's file that a visitor uploads.
MAX_LEAGUE_FILE = 128 * 1024


@dataclass(frozen=True)
class DeclaredFormat:
    """A format, and the citations (by code) of those of its rules that no rulebook states."""

    format: Format
    citations: Mapping[str, Citation]


class FormatReader:
    """Reads the formats of one game, one after the other; each may be based on those before it."""

    def __init__(self, game: GameFolder, known: Mapping[str, Format], document: str, official: bool) -> None:
        """``known``: slug -> format that there is already. ``document``: key of the document that is cited
        for rules which no rulebook states; empty for a game with code, whose ``rulebook.toml`` states all
        rules. ``official``: the formats are those of the game itself.

        So a ``game.toml`` of data gives "own", the file of a format or a league "format-SLUG".
        """
        self._game, self._document, self._official = game, document, official
        self._known = dict(known)
        self._cited = dict(game.citations) if document else {}

    def read(self, slug: str, table: Table) -> DeclaredFormat:
        """Read one format. What is wrong in it becomes a fault of the table's file."""
        if slug in self._known:
            table.fault("name", f"the format {slug!r} is declared already; choose another name")
        name = table.text("name", needed=True, most=80)
        base = self._known.get(table.choice("based_on", self._known))
        citations: dict[str, Citation] = {}  # of rules that no rulebook states; both methods below add to it
        rules = self._rules_taken_over(table, base, slug, name, citations) if base else []
        usual = base.sections if base else tuple(self._game.sections_by_slug)
        sections = table.known("sections", self._game.sections_by_slug, "section", usual)
        for number, rule_table in enumerate(table.listed_tables("rules"), start=1):
            if rule := self._rule(rule_table, f"{slug.upper()}-{number}", name, citations):
                rules.append(rule)
        if not rules:
            table.fault(
                "rules", "has no rule; a format needs one at least, as in [[rules]] with rule = 'size'"
            )
        # ``made`` reads no field that is given to it, so only a game's own format may state these two.
        inherited: dict[str, Any] = {}
        if not self._official or "details" not in table:
            inherited["details"] = base.details if base else ()
        if not self._official or "basis" not in table:
            inherited["basis"] = ""
        format = table.made(
            Format,
            slug=slug,
            name=name,
            rules=tuple(rules),
            # Only a game with code may have a format without sections.
            sections=(sections or usual) if self._document else sections,
            official=table.flag("official", self._official),
            declared_in=None,
            league=None,
            **inherited,
        )
        self._known[slug] = format
        self._cited |= citations
        return DeclaredFormat(format, citations)

    def _rule(
        self, table: Table, usual_code: str, format: str, citations: dict[str, Citation]
    ) -> Rule | None:
        """Read one rule of the format of this name; None if it has a fault. Its citation is added to
        ``citations``, those of this format, unless its code is cited already.
        """
        code, says = table.text("code", usual_code), table.text("says")
        if not RULE_CODE.fullmatch(code):
            table.fault("code", f"{code[:60]!r} must be at most 40 letters, digits and hyphens")
        read = read_rule(table, self._game, code)
        # Without a document of ours the rulebook cites all rules.
        is_cited = not self._document or code in self._cited or code in citations
        if is_cited and says:
            table.fault(
                "says",
                f"the rule {code!r} says something already; leave this out or give the rule another code",
            )
        if read is None:
            return None
        rule, sentence_of_kind = read
        if not is_cited:
            citations[code] = self._citation(code, format, says or sentence_of_kind)
        return rule

    def _rules_taken_over(
        self, table: Table, base: Format, slug: str, name: str, citations: dict[str, Citation]
    ) -> list[Rule]:
        """The rules of the base format without those left out. A rule with a changed number gets a code and a
        citation of this format, which is added to ``citations``.

        ``numbers = { "AG-3.at_least" = 40 }`` makes of AG-3 the rule TUESDAY-LEAGUE-AG-3, which cites "AG-3:
        cards with the leaders, at least 40, where the rulebook says 50."
        """
        left_out = table.known("leave_out", {rule.code: rule for rule in base.rules}, "rule of that format")
        try:
            changed = with_house_rules(base, write_house_rules(dict(table.numbers("numbers"))))
        except ValueError as error:
            table.fault("numbers", str(error))
            changed = base
        rules = []
        # ``with_house_rules`` keeps the order of the rules, and those that it does not change.
        for before, rule in zip(base.rules, changed.rules, strict=True):
            if before.code in left_out:
                continue
            if rule is not before:
                words = "; ".join(house.words for house in house_rules_of(changed) if house.rule is rule)
                rule = replace(rule, code=f"{slug.upper()}-{rule.code}")
                # Two rules of a format may share a code, and then share a citation.
                said = f"{citations[rule.code].says} " if rule.code in citations else ""
                citations[rule.code] = self._citation(rule.code, name, f"{said}{words}.")
            rules.append(rule)
        return rules

    def _citation(self, code: str, section: str, says: str) -> Citation:
        return Citation(code, self._document, section, "", "stated", says)


def with_format(games: Mapping[str, Game], path: Path) -> Game:
    """The game that a format's file names, with the format added to it. ``games``: slug -> game. Raises
    FolderError with every fault of the file.
    """
    file = DeclaredFile(f"{path.parent.name}/{path.name}")
    table = Table(read_declared(path), file)
    slug = path.stem.replace("_", "-")
    if not SLUG.fullmatch(slug):
        table.fault(
            "name",
            "is the file's name, which becomes part of addresses; name the file with at most 40 small"
            " letters, digits and hyphens",
        )
    game = games.get(table.choice("game", tuple(games), needed=True))
    if game is None:
        file.end()  # raises, since the missing game is a fault
        raise AssertionError("a format without its game is a fault")
    declared, document = _read(game, slug, table)
    file.end()
    return replace(
        game,
        formats=(*game.formats, replace(declared.format, declared_in=path)),
        said_beside=game.said_beside.followed_by(Rulebook({document.key: document}, declared.citations, ())),
    )


def read_league(game: Game, link: str, values: object, place: str = "The format") -> Format:
    """The format of a league. Its slug is that of the game's format that it is based on; ``Format.league``
    tells the two apart. Raises FolderError with every fault.

    ``link``: the league's key in addresses. ``values``: what its file would say. ``place``: the name of the
    format in faults.
    """
    file = DeclaredFile(place)
    table = Table(values, file)
    table.choice("game", (game.slug,), needed=True)
    base = table.choice("based_on", game.formats_by_slug, needed=True)
    # Under its code the league is read as a format beside those of the game, so it must not be one of theirs.
    code = _code(slugify(table.text("name"))) or "league"
    is_taken = code in game.formats_by_slug
    declared, document = _read(game, f"league-{code}" if is_taken else code, table)
    file.end()
    # Other formats are checked with their game (``contract/checks.py``); a league is checked here.
    if found := list(card_list_problems(game, (declared.format,))):
        raise FolderError(*(f"{place}: {problem}" for problem in found))
    return replace(
        declared.format,
        slug=base,
        official=False,
        league=League(link, declared.format.name, document, declared.citations),
    )


def _code(slug: str) -> str:
    """The slug as a prefix of rule codes, cut after a whole word: the-tuesday-night-club -> the-tuesday."""
    if len(slug) <= _MAX_CODE:
        return slug
    whole_words, _, _ = slug[: _MAX_CODE + 1].rpartition("-")
    return whole_words or slug[:_MAX_CODE]


def _read(game: Game, slug: str, table: Table) -> tuple[DeclaredFormat, Document]:
    """Read a format from outside the game's folder, with the document that its rules cite: itself."""
    key = f"format-{slug}"
    url = table.text("url")
    if url and not url.startswith(("https://", "http://")):
        table.fault("url", f"must begin with https://, not {url[:40]!r}")
    document = Document(
        key, table.text("title", f"Format of {table.text('name')}"), "house rules", table.text("by"), url=url
    )
    return FormatReader(game, game.formats_by_slug, key, official=False).read(slug, table), document


# -- the file of a league --------------------------------------------------------------


def parse_league_file(data: bytes, name: str) -> dict[str, Any]:
    """The values of an uploaded file of this name, which ``read_league`` checks. Raises FolderError for a
    file that is too large or no TOML.
    """
    if len(data) > MAX_LEAGUE_FILE:
        raise FolderError(f"{name}: {len(data):,} bytes; {MAX_LEAGUE_FILE:,} at most are read")
    return parse_toml(data, name)


def write_league_file(values: Mapping[str, Any]) -> str:
    """The TOML text of these values. Lists of tables (the rules) stand last, since in TOML all that follows
    a table belongs to it.
    """
    tables = {key: value for key, value in values.items() if _is_list_of_tables(value)}
    lines = _lines({key: value for key, value in values.items() if key not in tables})
    for key, listed in tables.items():
        for table in listed:
            lines += ["", f"[[{_key(key)}]]", *_lines(table)]
    return "\n".join(lines) + "\n"


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in values.items()]


def _value(value: object) -> str:
    """The value in TOML, on one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(_lines(value))} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # TOML reads what JSON writes, except for the character DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    """The key in TOML, quoted if it needs to be."""
    return key if key and key.isascii() and key.replace("_", "").replace("-", "").isalnum() else _value(key)


# -- examples: decks whose verdict by a format is known --------------------------------------

EXAMPLES = "examples.toml"


def examples_of(folder: Path) -> tuple[Example, ...]:
    """The examples of ``examples.toml``; none without the file. Raises FolderError."""
    file = DeclaredFile(f"{folder.name}/{EXAMPLES}", most=MAX_LISTED)
    table = Table(read_declared(folder / EXAMPLES), file)
    examples = read_examples(table)
    table.close()
    file.end()
    return examples


def read_examples(table: Table) -> tuple[Example, ...]:
    """Decks whose verdict is known.

    An example that is ``like`` an earlier one begins with that one's list, in which ``change`` (line -> other
    lines) replaces some lines; its own ``list`` follows. After an example "a" with the lines "2 Kai" and "1
    Ambush", ``like = "a"``, ``change = { "2 Kai" = "3 Kai" }`` and ``list = "1 Alex Kole"`` give "3 Kai", "1
    Ambush" and "1 Alex Kole".
    """
    lists: dict[str, tuple[str, ...]] = {}  # name of an example -> its lines
    examples = []
    for each in table.listed_tables("examples"):
        name = each.text("name", needed=True)
        like, changes = each.choice("like", lists), each.table_or_empty("change")
        changed = {line: changes.words(line) for line in changes}
        added = each.text("list", needed=not like, most=MAX_LONG_TEXT).splitlines()
        kept = [changed.get(line, (line,)) for line in lists.get(like, ())]
        lines = [*chain.from_iterable(kept), *added]
        lists[name] = tuple(lines)
        text = "\n".join(chain.from_iterable(map(_numbered, lines)))
        verdict = each.choice("verdict", get_args(Verdict), "legal", needed=True)
        examples.append(each.made(Example, name=name, text=text, verdict=verdict, codes=each.words("breaks")))
    return tuple(examples)


def _numbered(line: str) -> Iterator[str]:
    """The lines that one line stands for: "1 Agent {1-3}" -> "1 Agent 1", "1 Agent 2", "1 Agent 3"."""
    if (counted := re.search(r"\{1-([1-9][0-9]?)\}", line)) is None:
        yield line
    else:
        for number in range(1, int(counted[1]) + 1):
            yield f"{line[: counted.start()]}{number}{line[counted.end() :]}"
