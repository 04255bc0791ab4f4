"""The file of a league's format as text: parsed when brought, written to be taken along. ``format_file``
reads what is in it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from cardsdb.games.kit.folder.files import FolderError

# Bytes of a file that somebody brings to the site.
MAX_LEAGUE_FILE = 128 * 1024


def parse_league_file(data: bytes, name: str) -> dict[str, Any]:
    """What the file says. Raises FolderError, naming the line where the text is no TOML."""
    if len(data) > MAX_LEAGUE_FILE:
        raise FolderError(f"{name}: {len(data):,} bytes; {MAX_LEAGUE_FILE:,} at most are read")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise FolderError(f"{name}: not UTF-8 text; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise FolderError(f"{name}: {error}") from None


def write_league_file(values: Mapping[str, Any]) -> str:
    """The text of a file that says this: first what stands by itself, then its rules."""
    lines = [
        f"{toml_key(key)} = {toml_value(value)}"
        for key, value in values.items()
        if not _is_list_of_tables(value)
    ]
    return (
        "\n".join(
            [
                *lines,
                *(
                    line
                    for key, value in values.items()
                    if _is_list_of_tables(value)
                    for line in _tables(key, value)
                ),
            ]
        )
        + "\n"
    )


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _tables(key: str, tables: list[dict[str, Any]]) -> Iterator[str]:
    for table in tables:
        yield f"\n[[{toml_key(key)}]]"
        yield from (f"{toml_key(name)} = {toml_value(value)}" for name, value in table.items())


def toml_value(value: object) -> str:
    """The value as TOML has it, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{toml_key(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value) if isinstance(value, int | float) else _text(str(value))


def toml_key(key: str) -> str:
    """The key as TOML has it."""
    return key if key and key.isascii() and key.replace("_", "").replace("-", "").isalnum() else _text(key)


def _text(text: str) -> str:
    # What JSON writes in quotation marks TOML reads, but for one letter.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
