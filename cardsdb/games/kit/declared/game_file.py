"""Reads ``game.toml``, which declares a whole game (``read_game``), and ``roles.toml`` beside it.

``cardsdb/games/__init__.py`` calls it for folders of data, and the ``__init__.py`` of a game with code calls
it with its own modules, whose classes and functions the file may then name. No Python in a folder of data is
ever run. Every fault is collected, and all are raised at the end as one FolderError. The keys of the file:

name, publisher, year, summary, players, rights, not_known, showcase, showcase_list, write_in
hue = ["#7a2e6b", "#d59bc9"]       the game's colour on light and on dark paper
card_size = [63.5, 88.9]           width and height of a card in millimetres; card_size_source: who says so
key_cards = { leader = "level" }   the card types that represent a deck, each with the number that orders it
set_up = [{ label, value, cites }] numbers of the set-up, for the game's page; to_begin: formats for beginners
[player_words]                     PHRASE = its meaning for players: another phrase or field of the game, or
                                   a query; "# UNIT" = "FIELD#": a number with its unit
[credit]                           text, licence, licence_url, work_url, changes: shown with all its material
[colours]                          VALUE = "#rrggbb", for the values of facts
[types.TYPE]                       name, plural, help, symbol, in_decks, kind, face (``looks.py``)
[facts.FACT]                       kind, help, types, label, aliases, optional, optional_for, unless,
                                   is_aside, is_id, opposites
[sections.SECTION]                 name, types, headings, secret, order; without any there is one: "deck"
columns = ["cost", "artist"]       the facts that tables of lists show, in this order, or a table { key,
                                   heading, symbol, place } for each; if absent, those of every card
[formats.FORMAT]                   ``formats.py``; its rules are [[formats.FORMAT.rules]] (``rules.py``)
[marks.FACT], [[backs]]            ``looks.py``; deck_mark: the fact whose mark a deck bears if its cards
                                   share the value
[line_symbols]                     WORD = drawing, for words in the headers of the cards' lines
[[statistics]]                     statistic (a kind of ``play/statistics.py``), title, help, of, cites ...
[[opening.piles]]                  slug, name, deals, of, per_turn, when, formats, mulligan, help, cites,
                                   terms
[[checklist]]                      slug, label, card_type, count, cites, note, facts, stand_in
[[print_extras.markers]]           name, symbol, count, each, cites, colour, note; also scores and card_tables
[[examples]]                       name, format, list, verdict, breaks, notes, like, change: decks whose
                                   verdict is known (``formats.py``)

A drawing is the name of one of ours. The file of a game with code may also give SVG path data in its place,
and may have [exports.FORMAT], [[worksheets]] and [sentences].
Tests: ``tests/cardsdb/games/kit/declared/test_game_file.py``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from cardsdb.games.kit.declared.formats import FormatReader, examples_of, read_examples
from cardsdb.games.kit.declared.looks import (
    Drawings,
    drawings,
    read_backs,
    read_colour,
    read_face,
    read_marks,
)
from cardsdb.games.kit.declared.rules import read_group
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.files import GAME_FILE, check_files, read_declared
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, Rulebook
from cardsdb.games.kit.folder.table import (
    COLOUR,
    MAX_LISTED,
    MAX_LONG_TEXT,
    SLUG,
    DeclaredFile,
    Table,
    named_kinds,
)
from cardsdb.games.kit.game import Credit, Game, RowFact
from cardsdb.games.kit.model.cards import CardType, Fact, FactKind
from cardsdb.games.kit.model.decklist import Section
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.model.format import Group
from cardsdb.games.kit.model.rulebook import Document
from cardsdb.games.kit.play import statistics
from cardsdb.games.kit.play.roles import Roles, View
from cardsdb.games.kit.play.statistics import Statistic
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.games.kit.print.shapes import SYMBOLS

# Key of the document that stands for the game's own files: the source of cards and rules that no other
# document states.
OWN = "own"
USUAL_HUE = ("#3d4a5c", "#a9bdd6")
# Width and height of a card, and the bounds of both, in millimetres.
USUAL_SIZE = (63.0, 88.0)
MIN_SIDE, MAX_SIDE = 30, 150
MAX_FACTS = 200


def slug_of(folder: Path) -> str:
    """The slug of the game in this folder."""
    return folder.name.replace("_", "-")


def read_game(folder: Path, *modules: ModuleType) -> Game:
    """The game of a folder. ``modules``: the game's own, whose public classes and functions ``game.toml`` may
    name; without any the folder is data alone. Raises FolderError with every fault, each with its key.
    """
    check_files(folder)
    code = {name: value for module in modules for name, value in vars(module).items() if name[0] != "_"}
    file = DeclaredFile(f"{folder.name}/{GAME_FILE}", code)
    game = _game(folder, Table(read_declared(folder / GAME_FILE), file), is_data=not modules)
    file.end()
    return game


def _game(folder: Path, table: Table, is_data: bool) -> Game:
    """The game that the file declares. ``is_data``: the folder has no code. The keys that need code
    (worksheets, exports, sentences) are then not read, so that ``Table.close`` makes faults of them.
    """
    base, face_tables = _base(folder, table, is_data)
    types, facts = base.types_by_slug, base.facts_by_key
    numbers = {key: fact for key, fact in facts.items() if fact.kind == "number"}
    # How fields are read whose type alone does not tell: drawings, and groups of this game's cards.
    table.file.readers |= {
        "symbol": lambda each, key: each.drawing(key, SYMBOLS),
        Group: lambda each, key: read_group(each.table(key), base),
    }
    reader = FormatReader(base, {}, OWN if is_data else "", official=True)
    formats = [reader.read(key, each) for key, each in table.tables("formats", "format")]
    if not formats:
        table.fault("formats", "has no format; a game needs one at least, as in [formats.usual]")
    declared_in = folder / GAME_FILE if is_data else None
    # The fields of ``GameFolder``, as ``_base`` has read them, with the citations that the formats made.
    of_folder = {field.name: getattr(base, field.name) for field in fields(GameFolder)}
    citations = {code: citation for each in formats for code, citation in each.citations.items()}
    of_folder["said_beside"] = replace(base.said_beside, citations=citations)
    marks = read_marks(table, base.facts)
    usual_mark = next(iter(marks), "") if is_data else ""
    examples = read_examples(table)
    size_source = (
        f"{GAME_FILE} says so."
        if "card_size" in table
        else "Nothing says a card's size: the usual one is assumed."
    )
    colours = table.table_or_empty("colours")
    worksheets = () if is_data else table.listed_tables("worksheets")
    # Fields of ``Game`` that are not given here are read from the key of the same name. Faults are told in
    # the order in which the fields are read, so keep the order of these lines.
    return table.made(
        Game,
        **of_folder,
        publisher=table.text("publisher"),
        year=table.text("year", most=20),
        summary=table.text("summary", f"{base.name}: a game of your own.", most=MAX_LONG_TEXT),
        formats=tuple(replace(each.format, declared_in=declared_in) for each in formats),
        faces={key: read_face(face_tables[key], each, base.facts, marks) for key, each in types.items()},
        hue=_hue(table),
        backs=read_backs(table, types),
        row_facts=tuple(_row_facts(table, facts, marks)),
        deck_mark=table.choice("deck_mark", tuple(marks), usual_mark),
        line_symbols=drawings(table.table_or_empty("line_symbols")),
        colours={value: read_colour(colours, value) for value in colours},
        players=table.text("players", most=60),
        rights=table.text("rights", most=MAX_LONG_TEXT),
        credit=_credit(table.table("credit")),
        write_in=table.known("write_in", types, "type"),
        trim=_card_size(table),
        trim_source=table.text("card_size_source", size_source),
        exports={} if is_data else _exports(table),
        sentences={} if is_data else table.values("sentences"),
        worksheets=tuple(each.made(Worksheet) for each in worksheets),
        statistics=tuple(_statistics(table)),
        examples=lambda: (*examples, *examples_of(folder)),
        showcase_list=table.text("showcase_list", most=MAX_LONG_TEXT),
        key_cards=_key_cards(table, types, numbers),
        player_words=_player_words(table),
        roles=read_roles(base, table.file.code),
    )


def _base(folder: Path, table: Table, is_data: bool) -> tuple[GameFolder, dict[str, Table | None]]:
    """(the game with its types, facts and sections, which everything else in the file names; slug of a type
    -> the table of its face).
    """
    slug = slug_of(folder)
    if not SLUG.fullmatch(slug):
        table.file.fault(
            folder.name,
            "the folder's name stands in addresses; call it by at most 40 small letters, digits and hyphens",
        )
    name = table.text("name", needed=True, most=60)
    types, face_tables = {}, {}
    for key, each in table.tables("types", "type"):
        # The types of a game with code may be drawn by their faces alone.
        types[key], face_tables[key] = _type(key, each, "card" if is_data else "")
    if not types:
        table.fault("types", "has no type; a game needs one at least, as in [types.agent]")
    facts = _facts(table, types, EFFECT_FACTS if (folder / "effects.toml").exists() else ())
    numbers = tuple(fact.key for fact in facts if fact.kind == "number")
    sections = tuple(
        each.made(
            Section,
            slug=key,
            name=_name(key, each),
            types=each.known("types", types, "type", needed=True),
            order=each.choice("order", numbers),
        )
        for key, each in table.tables("sections", "section")
    )
    sections = sections or (
        Section("deck", "Deck", tuple(card_type.slug for card_type in types.values() if card_type.in_decks)),
    )
    # A game of data is a source of its own. A game with code cites its rulebook for everything.
    own = Document(OWN, f"{name}: cards and rules of its own", by=table.text("publisher"))
    said_beside = Rulebook({OWN: own}, {}, ()) if is_data else NOTHING_SAID
    base = GameFolder(slug, name, folder, tuple(types.values()), facts, sections, said_beside=said_beside)
    return base, face_tables


def _name(slug: str, table: Table) -> str:
    return table.text("name", slug.replace("-", " ").capitalize(), most=60)


def _type(slug: str, table: Table, symbol: str) -> tuple[CardType, Table | None]:
    """(card type, table of its face). ``symbol``: the drawing of a type that names none."""
    name, face = _name(slug, table), table.table("face")
    card_type = table.made(
        CardType,
        slug=slug,
        name=name,
        plural=table.text("plural", f"{name}s", most=60),
        symbol=table.drawing("symbol", SYMBOLS, symbol),
    )
    return card_type, face


def _facts(game: Table, types: Mapping[str, CardType], of_effects: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts in the file's order, then those of effects. In a game with code the facts of effects stand
    before the first aside, such as the artist.
    """
    tables = dict(game.tables("facts", "fact", MAX_FACTS))
    facts = []
    for key, table in tables.items():
        kind = table.choice("kind", get_args(FactKind), "word", needed=True)
        label = table.text("label", most=60)
        facts.append(
            table.made(
                Fact,
                key=key,
                kind=kind,
                label=label,
                help=table.text(
                    "help", f"{label or key.replace('_', ' ').capitalize()}, as the card has it."
                ),
                types=table.known("types", types, "type"),
                optional_for=table.known("optional_for", types, "type"),
                unless=table.known("unless", tables, "fact"),
            )
        )
    for fact in of_effects:
        if fact.key in tables:
            game.fault(f"facts.{fact.key}", "is added, since there is an effects.toml; leave it out here")
    asides = [index for index, fact in enumerate(facts) if fact.is_aside]
    place = asides[0] if game.file.code and asides else len(facts)
    return (*facts[:place], *of_effects, *facts[place:])


def _row_facts(game: Table, facts: Mapping[str, Fact], marks: Mapping[str, Drawings]) -> Iterator[RowFact]:
    """The facts that rows of lists show: those of [[columns]]; or, where ``columns`` is a list of names, the
    facts with marks and then the named ones.
    """
    if game.lists_tables("columns"):
        for table in game.listed_tables("columns"):
            key = table.choice("key", facts, needed=True)
            yield table.made(
                RowFact, key=key, symbols=marks.get(key, ()) if table.text("place") == "mark" else ()
            )
    else:
        yield from (RowFact(key, place="mark", symbols=symbols) for key, symbols in marks.items())
        unmarked = {key: fact for key, fact in facts.items() if key not in marks}
        yield from map(RowFact, game.known("columns", unmarked, "fact"))


def _statistics(game: Table) -> Iterator[Statistic]:
    """The declared statistics, of kinds of the kit and of the game's code."""
    kinds = named_kinds(Statistic, {**vars(statistics), **game.file.code})
    for table in game.listed_tables("statistics"):
        if kind := kinds.get(table.choice("statistic", kinds, needed=True)):
            yield table.made(kind)


def _exports(game: Table) -> Mapping[str, Mapping[str, Any]]:
    """Name of a deck file format -> what its module must know of the game. Only that module knows the keys,
    so they are not checked here.
    """
    return {name: table.unchecked() for name, table in game.tables("exports", "file format")}


def _key_cards(
    game: Table, types: Mapping[str, CardType], numbers: Mapping[str, Fact]
) -> tuple[tuple[str, str], ...]:
    """(type, number that orders its cards) of the types that represent a deck, in the order of the types."""
    table = game.table_or_empty("key_cards")
    for name in table:
        if name not in types:
            game.fault("key_cards", f"{name[:60]!r} is no type; declared are {', '.join(types)}")
    named = [(name, table.choice(name, numbers, needed=True)) for name in types if name in table]
    return tuple((name, number) for name, number in named if number)


def _player_words(game: Table) -> Mapping[str, str]:
    """Phrase of players -> its meaning. Only the meaning of a phrase with a number, ``"# points"``, has a #,
    which stands for the same number.
    """
    meanings = game.values("player_words", MAX_LISTED)
    for phrase, query in meanings.items():
        is_text = isinstance(query, str) and query.strip()
        if not is_text or phrase.startswith("# ") != ("#" in query):
            game.fault(
                f"player_words.{phrase[:60]}",
                'must be text: another phrase, a field or a query, with # for the number of "# UNIT" alone',
            )
    return meanings


def _credit(table: Table | None) -> Credit | None:
    if table is None:
        return None
    parts = {part.name: table.text(part.name, needed=True, most=MAX_LONG_TEXT) for part in fields(Credit)}
    for key in ("licence_url", "work_url"):
        if parts[key] and not parts[key].startswith(("https://", "http://")):
            table.fault(key, f"must begin with https://, not {parts[key][:40]!r}")
    table.close()
    return Credit(**parts)


def _hue(table: Table) -> tuple[str, str]:
    hue = table.words("hue", USUAL_HUE)
    if len(hue) != 2 or not all(map(COLOUR.fullmatch, hue)):
        table.fault("hue", 'must be two colours, for light and for dark paper, as in ["#7a2e6b", "#d59bc9"]')
        return USUAL_HUE
    return hue[0], hue[1]


def _card_size(table: Table) -> tuple[int, int]:
    """Width and height in micrometres; the file states millimetres."""
    size = table.lengths("card_size") if "card_size" in table else USUAL_SIZE
    if len(size) != 2 or not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        table.fault(
            "card_size",
            f"must be width and height in millimetres, each from {MIN_SIDE} to {MAX_SIDE}, as in [63.5,"
            " 88.9]",
        )
        size = USUAL_SIZE
    return round(size[0] * 1000), round(size[1] * 1000)


# -- roles -----------------------------------------------------------------------------

ROLES = "roles.toml"


def read_roles(base: GameFolder, code: Mapping[str, Any]) -> Roles | None:
    """The roles that ``roles.toml`` declares; ``play/roles.py`` explains its keys. None without the file.
    ``code``: name -> function or class that it may name. Raises FolderError with every fault.

    formats, size     the formats whose decks are completed, and the sum of the wants of all roles
    view              the class in the game's code that counts a deck
    addable, never    the cards that may be put into a deck, and codes of cards that may not
    [[roles]]         slug, name, help, ruled (the rules that say what help says), want, low, high, of (with
                      its section), terms, vital, base, counts, unit, lot, apart; cites or counted
    [[characters]]    slug, name, help, wants = { ROLE = number }, leaning, like_starter; cites or counted
    [[checks]]        slug, says, role; cites or counted; the most important check first
    [[terms]]         slug, weight, says (the reason that a card is proposed for), fact, words, crowd, above
    """
    values = read_declared(base.folder / ROLES)
    if not values:
        return None
    file = DeclaredFile(f"{base.folder.name}/{ROLES}", code, most=MAX_LISTED)
    file.readers |= {
        float: lambda table, key: next(iter(table.lengths(key)), 0.0),
        Group: lambda table, key: read_group(table.table(key), base),
        type[View]: lambda table, key: table.named(key),
    }
    roles = Table(values, file).made(Roles)
    file.end()
    return roles
