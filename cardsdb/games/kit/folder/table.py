"""The files of a folder of data, bounded before one is read, and their TOML tables, read key by key. Each
fault is one sentence with file and key, and all are told at once.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from cardsdb.games.kit.folder.files import GAME_FILE, AllProblems, FolderError, read_toml
from cardsdb.games.kit.model.text import UNPRINTABLE

MAX_TABLE, MAX_DECLARED, MAX_STARTER = 64 * 1024 * 1024, 1024 * 1024, 256 * 1024
MAX_STARTERS = 200
TABLES = ("cards.csv", "sets.csv", "claims.csv", "effects.csv")
DECLARED = (
    GAME_FILE,
    "rulebook.toml",
    "glossary.toml",
    "set_up.toml",
    "play.toml",
    "effects.toml",
    "examples.toml",
    "roles.toml",
)


def check_files(folder: Path) -> None:
    """Raises FolderError with the files of the folder that are too large to be read, or no files of the
    folder at all.
    """
    starters = sorted(folder.glob("starters/*.txt"))
    bounds = {folder / name: MAX_TABLE for name in TABLES} | {
        folder / name: MAX_DECLARED for name in DECLARED
    }
    bounds |= dict.fromkeys(folder.glob("*.txt"), MAX_DECLARED) | dict.fromkeys(starters, MAX_STARTER)
    with AllProblems() as files:
        files.each(lambda bound: check_file(*bound), bounds.items())
        if len(starters) > MAX_STARTERS:
            raise FolderError(
                f"{folder.name}/starters: {len(starters)} decks; {MAX_STARTERS} at most are read"
            )


def check_file(path: Path, most: int) -> None:
    """Raises FolderError for a file that is a link, no plain file, or larger than ``most`` bytes."""
    place = f"{path.parent.name}/{path.name}"
    if path.is_symlink():
        raise FolderError(
            f"{place}: a link; put the file itself here, for nothing outside of the folder is read"
        )
    if not path.exists():
        return
    if not path.is_file():
        raise FolderError(f"{place}: no plain file")
    if (size := path.stat().st_size) > most:
        raise FolderError(f"{place}: {size:,} bytes; {most:,} at most are read")


def read_declared(path: Path) -> dict[str, Any]:
    """A TOML file of data, if it is none too large. Raises FolderError."""
    check_file(path, MAX_DECLARED)
    return read_toml(path)


def open_table(path: Path) -> "Table | None":
    """A TOML file of the folder as a table; None without one or where it says nothing. Raises FolderError if
    it is no TOML.
    """
    values = read_toml(path)
    return (
        Table(values, DeclaredFile(f"{path.parent.name}/{path.name}", {}, MAX_LONG_TEXT, MAX_LISTED))
        if values
        else None
    )


Value = TypeVar("Value")
Made = TypeVar("Made")

MAX_FAULTS = 50
MAX_TEXT, MAX_LONG_TEXT = 300, 4_000
MAX_ITEMS, MAX_LISTED = 60, 2_000
MAX_NUMBER, MAX_DRAWING = 9_999, 600
DRAWING = re.compile(r"M[-0-9.MLHVCZ ]+")
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
COLOUR = re.compile("#[0-9a-f]{6}")


class DeclaredFile:
    """One file of data: what its faults call it, and the faults so far, of which more than fifty are not
    gathered.

    ``code`` are the functions and classes that it may name, by their names there; none for a file whose
    author is not trusted. ``readers`` read fields of a type in a way of their own.
    """

    def __init__(
        self, place: str, code: Mapping[str, Any] = {}, longest: int = MAX_TEXT, most: int = MAX_ITEMS
    ) -> None:
        """``longest``: how many characters its texts may have where nothing else is said; ``most``: how many
        items its lists.
        """
        self.place, self.code, self.longest, self.most, self.faults = place, code, longest, most, list[str]()
        self.readers: dict[Any, Callable[[Table, str], Any]] = {}

    def fault(self, place: str, problem: str) -> None:
        self.faults.append(f"{place}: {problem}")
        if len(self.faults) >= MAX_FAULTS:
            self.end()

    def end(self) -> None:
        """Raises FolderError with every fault, if there are any."""
        if self.faults:
            raise FolderError(*dict.fromkeys(self.faults))


class Table:
    """One table: the keys that are asked for are noted, and ``close`` names all others. A wrong value gives
    the usual one and a fault.
    """

    def __init__(self, values: object, file: DeclaredFile, path: str = "") -> None:
        """``path`` are the keys that lead to the table, none for the file itself. A name of the file's code
        stands for the table that is called so there.
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
        self._asked[key] = None
        if key not in self._values:
            if needed:
                self.fault(key, f"is missing; it must be {wanted}")
            return usual
        if fits(value := self._values[key]):
            found: Value = value
            return found
        self.fault(key, f"must be {wanted}, not {str(value)[:40]!r}")
        return usual

    def close(self) -> None:
        """Name the keys that mean nothing here, and those that do."""
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
        """A drawing by its name, or, in a file with code, as SVG path data of its own on a grid of 24."""
        said = self._values.get(key) if self.file.code else None
        if isinstance(said, str) and len(said) <= MAX_DRAWING and DRAWING.fullmatch(said):
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
        """A list of things that fit; one alone is a list of one where that ``is_one_enough``."""
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
        """A list of texts; one text alone is a list of one."""
        return self._listed(
            key,
            "texts",
            lambda word: _is_text(word, MAX_TEXT) and word != "",
            usual,
            needed=needed,
            most=most,
            is_one_enough=True,
        )

    def known(
        self,
        key: str,
        known: Mapping[str, Any],
        what: str,
        usual: tuple[str, ...] = (),
        *,
        needed: bool = False,
    ) -> tuple[str, ...]:
        """A list of the names of declared things; those that are not declared are faults."""
        named = self.words(key, usual, needed=needed)
        for name in named:
            if name not in known:
                self.fault(key, f"{name!r} is no {what}; declared are {', '.join(known) or 'none'}")
        return tuple(name for name in named if name in known)

    def whole_numbers(self, key: str, most: int = MAX_ITEMS) -> tuple[int, ...]:
        return self._listed(key, "whole numbers", lambda number: _is_number(number, 0), most=most)

    def lengths(self, key: str) -> tuple[float, ...]:
        """A list of numbers from 0, whole or with a decimal point; one alone is a list of one."""
        return self._listed(key, "numbers", _is_length, most=MAX_ITEMS, is_one_enough=True)

    def rows(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""

        def are_texts(row: Any) -> bool:
            return _is_sized(row, list) and all(_is_text(cell, MAX_TEXT) for cell in row)

        return tuple(map(tuple, self._listed(key, "lists of texts", are_texts)))

    def numbers(self, key: str, *, needed: bool = False) -> tuple[tuple[str, int], ...]:
        """A table of names, each with a whole number."""

        def fits(value: Any) -> bool:
            return _is_sized(value, dict, MAX_LISTED) and all(_is_number(one, 0) for one in value.values())

        wanted = f"a table of at most {MAX_LISTED} names, each with a whole number"
        return tuple(self._value(key, {}, wanted, fits, needed).items())

    def values(self, key: str, most: int = MAX_ITEMS) -> Mapping[str, Any]:
        """A table of names, each with a text, a whole number, or true or false. What does not fit is left
        out.
        """
        within: dict[str, Any] = self._value(
            key, {}, f"a table of at most {most} names", lambda each: _is_sized(each, dict, most)
        )
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
        """The class or function of the file's code that the key names."""
        return self.file.code.get(self.choice(key, self.file.code, needed=True))

    def says(self, key: str, kind: type) -> bool:
        """True if the key holds a value of this kind."""
        return key in self and isinstance(self._values[key], kind)

    def lists_tables(self, key: str) -> bool:
        """True if the key holds a list of tables."""
        value = self._values.get(key)
        return isinstance(value, list) and all(isinstance(each, dict) for each in value)

    def unchecked(self) -> Mapping[str, Any]:
        """All that the table says, for what only trusted files may say."""
        return self._values

    # -- what a table makes -------------------------------------------------------

    def made(self, kind: type[Made], /, **given: Any) -> Made:
        """The object of this kind: what is not given is read from the keys that its fields are called by,
        each as the field's type asks. It is all that the table says.
        """
        hints = types_of_fields(kind)  # type: ignore[arg-type]
        for one in fields(kind):  # type: ignore[arg-type]
            if one.name not in given:
                given[one.name] = self._field(one, hints[one.name])
        self.close()
        return kind(**given)

    def _field(self, one: Field[Any], hint: Any) -> Any:
        """The value of a field of this type; its default where the table does not say it, or cannot."""
        key, origin, inner = one.name, get_origin(hint), get_args(hint)
        usual = one.default_factory() if one.default_factory is not MISSING else one.default
        reader = self.file.readers.get(key) or self.file.readers.get(hint)
        if origin is UnionType and not reader:
            fits = (one for one in inner if isinstance(one, type) and self.says(key, one))
            is_named = self.file.code and self.says(key, str) and get_origin(inner[-1]) is Callable
            return self._field(one, next(fits, inner[-1] if is_named else inner[0]))
        is_known = reader or inner or is_dataclass(hint) or hint in (str, bool, int)
        if not is_known or (origin is Callable and not self.file.code):
            return usual
        self._asked[key] = None
        if key not in self and usual is not MISSING:
            return usual
        if reader:
            return reader(self, key)
        if origin is Callable:
            return self.named(key)
        if hint is str:
            return self.text(key, needed=True, most=self.file.longest)
        if hint is bool:
            return self.flag(key, False)
        if hint is int:
            return self.number(key, 0, needed=True)
        if origin is Literal:
            return self.choice(key, inner, inner[0], needed=True)
        if origin is Mapping:
            return self.values(key)
        if isinstance(hint, type):
            return Table(self._values.get(key), self.file, self._path_of(key)).made(hint)
        if inner[0] is str:
            return self.words(key, needed=True)
        if get_origin(inner[0]) is tuple:
            return tuple(self.values(key).items())
        return tuple(each.made(inner[0]) for each in self.listed_tables(key))

    # -- tables within ------------------------------------------------------------

    def table(self, key: str) -> "Table | None":
        """The table within, None if there is none."""
        self._asked[key] = None
        return Table(self._values[key], self.file, self._path_of(key)) if key in self._values else None

    def tables(
        self, key: str, what: str, most: int = MAX_ITEMS, is_named_freely: bool = False
    ) -> "Iterator[tuple[str, Table]]":
        """The tables within, by their names, which are ``what`` and can stand in addresses unless they are
        named freely.
        """
        wanted = f"a table for each {what}, at most {most}"
        within: dict[str, Any] = self._value(key, {}, wanted, lambda each: _is_sized(each, dict, most))
        for name, values in within.items():
            if not is_named_freely and not SLUG.fullmatch(name.replace("_", "-")):
                self.fault(key, f"{name[:60]!r} must be at most 40 small letters, digits and hyphens")
            yield name, Table(values, self.file, f"{self._path_of(key)}.{name[:60]}")

    def listed_tables(self, key: str) -> "Iterator[Table]":
        """The tables of a list, [[...]]; they are counted from 1."""
        for number, values in enumerate(self._listed(key, "tables", lambda each: True), start=1):
            yield Table(values, self.file, f"{self._path_of(key)}.{number}")


@cache
def types_of_fields(kind: type) -> dict[str, Any]:
    """The type of each field of a class, by its name. The files of five games ask it a thousand times of a
    hundred classes.
    """
    return get_type_hints(kind)


def named_kinds(base: type[Made], code: Mapping[str, Any]) -> dict[str, type[Made]]:
    """The classes of a kind among names of code, by their words in a file: ``TeamAndSites`` is
    ``team_and_sites``.
    """
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): kind
        for name, kind in code.items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def _is_text(value: object, most: int) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= most
        and not UNPRINTABLE.search(value)
        and (most > MAX_TEXT or "\n" not in value)
    )


def _is_number(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= MAX_NUMBER


def _is_length(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= MAX_NUMBER  # type: ignore[operator]


def _is_sized(value: object, kind: type[dict[str, Any]] | type[list[Any]], most: int = MAX_ITEMS) -> bool:
    return isinstance(value, kind) and len(value) <= most
