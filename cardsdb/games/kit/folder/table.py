"""Reads the TOML files of a game folder, and those of formats, key by key (``Table``), for ``folder`` and
``declared``. A new kind of value needs a method of ``Table``, and its type in ``_can_say`` and ``_read``.

A fault, such as a missing key or a wrong value, is noted as one sentence with file and key, and reading goes
on with a default; ``DeclaredFile.end`` then raises all faults as one FolderError. So nothing that a table
returned may be used before ``end`` was called; and every table must be closed, by ``close`` or ``made``, or
else its unknown keys go unnoticed. ``in_decks = "no"`` and ``colour = "red"`` below [types.agent] give

    deaddrop/game.toml, types.agent.in_decks: must be true or false, not 'no'
    deaddrop/game.toml, types.agent.colour: means nothing here; known are name, in_decks, aliases

Tests: ``tests/cardsdb/games/kit/folder/test_table.py``. What real files and their readers say is tested with
them: ``test_additions.py``, ``test_guides.py`` and ``test_rulebook.py`` there, and all of
``tests/cardsdb/games/kit/declared``.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from cardsdb.games.kit.folder.files import FolderError, read_declared
from cardsdb.games.kit.model.text import UNPRINTABLE


def open_table(path: Path) -> "Table | None":
    """A TOML file of the folder as a table; None if the file is absent or empty. Raises FolderError if it is
    too large or no TOML.
    """
    file = DeclaredFile(f"{path.parent.name}/{path.name}", {}, MAX_LONG_TEXT, MAX_LISTED)
    values = read_declared(path)
    return Table(values, file) if values else None


Value = TypeVar("Value")
Made = TypeVar("Made")

MAX_FAULTS = 50  # of one file; the last of them ends the reading
MAX_TEXT = 300  # characters of a text on one line
MAX_LONG_TEXT = 4_000  # characters of a text on several lines
MAX_ITEMS = 60  # items of a list or table in a ``game.toml``
MAX_LISTED = 2_000  # items of a long one
MAX_NUMBER = 9_999
MAX_DRAWING = 600  # characters of SVG path data
DRAWING = re.compile(r"M[-0-9.MLHVCZ ]+")
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
COLOUR = re.compile("#[0-9a-f]{6}")


class DeclaredFile:
    """One TOML file while it is read, with the faults found so far. The fault number
    ``MAX_FAULTS`` ends the reading.
    """

    def __init__(
        self, place: str, code: Mapping[str, Any] = {}, longest: int = MAX_TEXT, most: int = MAX_ITEMS
    ) -> None:
        """``place``: the name of the file in faults. ``code``: name -> function or class that the file may
        name; empty for a file whose author is not trusted. ``longest``: characters that a text may have
        unless its reader says otherwise; ``most``: the same for the items of a list.
        """
        self.place, self.code, self.longest, self.most = place, code, longest, most
        self.faults: list[str] = []
        # Name or type of a field -> function that reads the field in place of ``Table._read``: it is called
        # with the table and the key, which is the field's name.
        self.readers: dict[Any, Callable[[Table, str], Any]] = {}

    def fault(self, place: str, problem: str) -> None:
        self.faults.append(f"{place}: {problem}")
        if len(self.faults) >= MAX_FAULTS:
            self.end()

    def end(self) -> None:
        """Raise FolderError with every fault, if there are any."""
        if self.faults:
            raise FolderError(*dict.fromkeys(self.faults))


class Table:
    """One table of a TOML file, read key by key.

    Each method notes the key that it reads, and ``close`` makes faults of all others. If a value is missing
    or wrong the method returns ``usual``, its default; a wrong value, and a missing one that is ``needed``,
    is a fault.
    """

    def __init__(self, values: object, file: DeclaredFile, path: str = "") -> None:
        """``values``: what the file has here, or the name of a table in the file's code. ``path``: the keys
        that lead here, joined by dots; empty for the file itself.
        """
        self.path, self.file = path, file
        if isinstance(values, str) and values in file.code:
            values = dict(file.code[values])
        self._values: Mapping[str, Any] = values if isinstance(values, dict) else {}
        self._asked: dict[str, None] = {}
        if not isinstance(values, dict):
            file.fault(f"{file.place}, {path}", "must be a table, as in { name = ... }")

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def fault(self, key: str, problem: str) -> None:
        self.file.fault(f"{self.file.place}, {self._path_of(key)}", problem)

    def _path_of(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _value(
        self, key: str, usual: Value, wanted: str, fits: Callable[[Any], bool], needed: bool = False
    ) -> Value:
        """The value of a key if it ``fits``, else ``usual``; a value that does not fit is a fault, and a
        missing one that is ``needed``. ``wanted``: the words of the fault for what the value must be.
        """
        self._asked[key] = None
        if key not in self._values:
            if needed:
                self.fault(key, f"is missing; it must be {wanted}")
            return usual
        if fits(value := self._values[key]):
            return cast(Value, value)
        self.fault(key, f"must be {wanted}, not {str(value)[:40]!r}")
        return usual

    def close(self) -> None:
        """Make a fault of each key that was not read; the fault names those that were."""
        for key in self._values:
            if key not in self._asked:
                self.fault(key[:60], f"means nothing here; known are {', '.join(self._asked)}")

    # -- values -------------------------------------------------------------------

    def text(self, key: str, usual: str = "", *, needed: bool = False, most: int = MAX_TEXT) -> str:
        lines = "of several lines" if most > MAX_TEXT else "on one line"
        return self._value(
            key, usual, f"text {lines}, at most {most} characters", lambda text: _is_text(text, most), needed
        )

    def choice(
        self, key: str, choices: Mapping[str, Any] | tuple[str, ...], usual: str = "", *, needed: bool = False
    ) -> str:
        wanted = f"one of {', '.join(choices)}"
        return self._value(key, usual, wanted, lambda text: isinstance(text, str) and text in choices, needed)

    def drawing(self, key: str, drawings: Mapping[str, str], usual: str = "") -> str:
        """SVG path data on a grid of 24: of the drawing that the key names or, in a file with code, as the
        file says it. Empty without a name.
        """
        path = self._values.get(key) if self.file.code else None
        if isinstance(path, str) and len(path) <= MAX_DRAWING and DRAWING.fullmatch(path):
            return self.text(key, most=MAX_DRAWING)
        return drawings.get(self.choice(key, drawings, usual), "")

    def flag(self, key: str, usual: bool) -> bool:
        return self._value(key, usual, "true or false", lambda flag: isinstance(flag, bool))

    def number(
        self, key: str, usual: int | None = None, *, needed: bool = False, least: int = 0
    ) -> int | None:
        wanted = f"a whole number from {least} to {MAX_NUMBER}"
        return self._value(key, usual, wanted, lambda number: _is_number(number, least), needed)

    def _listed(
        self,
        key: str,
        what: str,
        fits: Callable[[Any], bool],
        usual: tuple[Any, ...] = (),
        *,
        needed: bool = False,
        most: int = 0,
        is_one_enough: bool = False,
    ) -> tuple[Any, ...]:
        """The items of a list, of which each must fit. If ``is_one_enough`` one item without a list is taken
        as a list of one.
        """
        most = most or self.file.most

        def is_one(value: object) -> bool:
            return is_one_enough and fits(value)

        def all_fit(value: Any) -> bool:
            return is_one(value) or (_is_sized(value, list, most) and all(map(fits, value)))

        value = self._value(key, usual, f"a list of at most {most} {what}", all_fit, needed)
        return (value,) if is_one(value) else tuple(value)

    def words(
        self, key: str, usual: tuple[str, ...] = (), *, needed: bool = False, most: int = 0
    ) -> tuple[str, ...]:
        """A list of texts. One text without a list is a list of one."""
        return self._listed(key, "texts", _is_word, usual, needed=needed, most=most, is_one_enough=True)

    def known(
        self,
        key: str,
        known: Collection[str],
        what: str,
        usual: tuple[str, ...] = (),
        *,
        needed: bool = False,
        most: int = 0,
    ) -> tuple[str, ...]:
        """A list of names of declared things. Names that are not ``known`` are faults and left out. ``what``:
        the word of the fault for such a thing.
        """
        named = self.words(key, usual, needed=needed, most=most)
        for name in named:
            if name not in known:
                self.fault(key, f"{name!r} is no {what}; declared are {', '.join(known) or 'none'}")
        return tuple(name for name in named if name in known)

    def whole_numbers(self, key: str, most: int = MAX_ITEMS) -> tuple[int, ...]:
        return self._listed(key, "whole numbers", lambda number: _is_number(number, 0), most=most)

    def lengths(self, key: str) -> tuple[float, ...]:
        """A list of numbers from 0, whole or with a decimal point. One number alone is a list of one."""
        return self._listed(key, "numbers", _is_length, most=MAX_ITEMS, is_one_enough=True)

    def rows(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""

        def are_texts(row: Any) -> bool:
            return _is_sized(row, list) and all(_is_text(cell, MAX_TEXT) for cell in row)

        return tuple(map(tuple, self._listed(key, "lists of texts", are_texts)))

    def numbers(self, key: str, *, needed: bool = False) -> tuple[tuple[str, int], ...]:
        """(name, whole number) for each key of the table at this key."""

        def fits(value: Any) -> bool:
            return _is_sized(value, dict, MAX_LISTED) and all(_is_number(each, 0) for each in value.values())

        wanted = f"a table of at most {MAX_LISTED} names, each with a whole number"
        return tuple(self._value(key, {}, wanted, fits, needed).items())

    def values(self, key: str, most: int = MAX_ITEMS) -> Mapping[str, Any]:
        """Name -> value of the table at this key. Values are texts, whole numbers, or true or false; others
        are faults and left out.
        """
        wanted = f"a table of at most {most} names"
        within: dict[str, Any] = self._value(key, {}, wanted, lambda each: _is_sized(each, dict, most))
        wanted = (
            f"text on one line of at most {MAX_TEXT} characters, a whole number from -{MAX_NUMBER} to"
            f" {MAX_NUMBER}, or true or false"
        )
        values = {}
        for name, value in within.items():
            if isinstance(value, bool) or _is_text(value, MAX_TEXT) or _is_number(value, -MAX_NUMBER):
                values[name] = value
            else:
                self.fault(f"{key}.{name[:60]}", f"must be {wanted}, not {str(value)[:40]!r}")
        return values

    def named(self, key: str) -> Any:
        """The class or function of the file's code that the key names; None, and a fault, without it."""
        return self.file.code.get(self.choice(key, self.file.code, needed=True))

    def says(self, key: str, kind: type) -> bool:
        """True if the key is there and has a value of this Python type."""
        return key in self and isinstance(self._values[key], kind)

    def lists_tables(self, key: str) -> bool:
        """True if the key has a list of tables."""
        value = self._values.get(key)
        return isinstance(value, list) and all(isinstance(each, dict) for each in value)

    def unchecked(self) -> Mapping[str, Any]:
        """The whole table as it stands in the file: only for trusted files."""
        return self._values

    # -- what a table makes -------------------------------------------------------

    def made(self, kind: type[Made], /, **given: Any) -> Made:
        """The object of a dataclass ``kind``, made of this table, which is then closed.

        A field that is not ``given`` is read from the key of its name, in the way that its type asks for:
        ``str``, ``bool``, ``int``, ``Literal``, a tuple of texts, a dataclass (a table within), a tuple of
        dataclasses (a list of tables), a mapping. ``DeclaredFile.readers`` adds further ways. So of
        [types.agent] with ``name = "Agent"``, ``made(CardType, slug="agent")`` reads ``name`` as text, and
        gives ``in_decks`` its default.
        """
        hints = types_of_fields(kind)  # type: ignore[arg-type]
        for field in fields(kind):  # type: ignore[arg-type]
            if field.name not in given:
                given[field.name] = self._field(field, hints[field.name])
        self.close()
        return kind(**given)

    def _field(self, field: Field[Any], hint: Any) -> Any:
        """The value of a field of the type ``hint``, found in this order:

        1. A reader of the file for the field's name, else for its type, goes before all that follows.
        2. A field ``A | B`` is read once more, as the one of the two types that its value has.
        3. A type that the file cannot say, such as a function in a file without code, gives the default. The
           key is not noted, so that ``close`` makes a fault of it.
        4. Of a key that is absent, the default. If there is none, reading it makes the fault.
        """
        key = field.name
        usual = field.default_factory() if field.default_factory is not MISSING else field.default
        reader = self.file.readers.get(key) or self.file.readers.get(hint)
        if get_origin(hint) is UnionType and not reader:
            return self._field(field, self._meant_of(key, get_args(hint)))
        if not reader and not self._can_say(hint):
            return usual
        self._asked[key] = None
        if key not in self and usual is not MISSING:
            return usual
        return reader(self, key) if reader else self._read(key, hint)

    def _meant_of(self, key: str, kinds: tuple[Any, ...]) -> Any:
        """Of the types of a field ``A | B`` the one that the value at this key has. If it has none, the last
        type if that is a function and the file names one; else the first.
        """
        for kind in kinds:
            if isinstance(kind, type) and self.says(key, kind):
                return kind
        names_function = self.file.code and self.says(key, str) and get_origin(kinds[-1]) is Callable
        return kinds[-1 if names_function else 0]

    def _can_say(self, hint: Any) -> bool:
        """True if the file can say a value of this type."""
        if get_origin(hint) is Callable:
            return bool(self.file.code)
        return bool(get_args(hint)) or is_dataclass(hint) or hint in (str, bool, int)

    def _read(self, key: str, hint: Any) -> Any:
        """The value at this key, read as the type asks for; a missing one is a fault."""
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Callable:
            return self.named(key)
        if hint is bool:
            return self.flag(key, False)
        if hint is int:
            return self.number(key, 0, needed=True)
        if hint is str:
            return self.text(key, needed=True, most=self.file.longest)
        if origin is Literal:
            return self.choice(key, inner, inner[0], needed=True)
        if origin is Mapping:
            return self.values(key)
        if isinstance(hint, type):  # a dataclass
            return Table(self._values.get(key), self.file, self._path_of(key)).made(hint)
        # What is left is a tuple: of texts, of pairs (name, value), or of dataclasses.
        if inner[0] is str:
            return self.words(key, needed=True)
        if get_origin(inner[0]) is tuple:
            return tuple(self.values(key).items())
        return tuple(each.made(inner[0]) for each in self.listed_tables(key))

    # -- tables within ------------------------------------------------------------

    def table(self, key: str) -> "Table | None":
        """The table at this key; None if the key is absent."""
        self._asked[key] = None
        return Table(self._values[key], self.file, self._path_of(key)) if key in self._values else None

    def table_or_empty(self, key: str) -> "Table":
        """The table at this key; one without keys if the key is absent."""
        return self.table(key) or Table({}, self.file, self._path_of(key))

    def tables(
        self, key: str, what: str, most: int = MAX_ITEMS, is_named_freely: bool = False
    ) -> "Iterator[tuple[str, Table]]":
        """Yield (name, table) of each table at this key, as in [types.agent] and [types.trick]. Names must be
        able to stand in addresses unless the thing ``is_named_freely``. ``what``: the word for such a thing.
        The key counts as read only once the caller asks for the first table.
        """
        wanted = f"a table for each {what}, at most {most}"
        within: dict[str, Any] = self._value(key, {}, wanted, lambda each: _is_sized(each, dict, most))
        for name, values in within.items():
            if not is_named_freely and not SLUG.fullmatch(name.replace("_", "-")):
                self.fault(key, f"{name[:60]!r} must be at most 40 small letters, digits and hyphens")
            yield name, Table(values, self.file, f"{self._path_of(key)}.{name[:60]}")

    def listed_tables(self, key: str) -> "Iterator[Table]":
        """Yield the tables of a list, as in [[backs]]. Faults count them from 1. The key counts as read only
        once the caller asks for the first table.
        """
        for number, values in enumerate(self._listed(key, "tables", lambda each: True), start=1):
            yield Table(values, self.file, f"{self._path_of(key)}.{number}")


@cache
def types_of_fields(kind: type) -> dict[str, Any]:
    """Name of a field -> its type. Cached, because the same hundred classes are asked again and again."""
    return get_type_hints(kind)


def named_kinds(base: type[Made], code: Mapping[str, Any]) -> dict[str, type[Made]]:
    """Name in a file -> class, for the classes derived from ``base`` in ``code`` (name -> anything):
    ``TeamAndSites`` becomes ``team_and_sites``.
    """
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): kind
        for name, kind in code.items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def _is_text(value: object, most: int) -> bool:
    if not isinstance(value, str) or len(value) > most or UNPRINTABLE.search(value):
        return False
    return most > MAX_TEXT or "\n" not in value


def _is_word(value: object) -> bool:
    return value != "" and _is_text(value, MAX_TEXT)


def _is_number(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= MAX_NUMBER


def _is_length(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= MAX_NUMBER  # type: ignore[operator]


def _is_sized(value: object, kind: type[Any], most: int = MAX_ITEMS) -> bool:
    return isinstance(value, kind) and len(value) <= most
