"""JSON files: read with the place of every object, so that what is passed over can be told with where it
stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from cardsdb.games.kit.model.text import some
from decks.formats.contract import Loss
from decks.formats.decoding import MAX_JSON_BYTES, json_of_text, text_of_bytes
from decks.formats.places import NOWHERE, Lines, Place

# Strings, which may hold brackets, and the beginnings of objects.
_OBJECTS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?P<object>\{)', re.DOTALL)
# Losses of one kind of object that are told one by one.
MAX_TOLD = 20
_KINDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    dict: "an object",
    bool: "yes or no",
    int: "a number",
    float: "a number",
}


class JsonFile:
    """The value of a JSON file, and what is read of it: every value that is passed over becomes a loss, once
    for its key.

    Raises Unreadable for what is no JSON.
    """

    def __init__(self, data: bytes) -> None:
        text, self._losses = text_of_bytes(data, MAX_JSON_BYTES)
        self.value: Any = json_of_text(text)
        lines = Lines(text)
        begins = [lines.place(found.start()) for found in _OBJECTS.finditer(text) if found["object"]]
        # Objects are met in the order in which they begin, since no key is there twice.
        self._places = dict(zip(map(id, _objects_in(self.value)), begins, strict=False))
        self._dropped: dict[tuple[str, str, str], tuple[str, int]] = {}

    def place(self, content: Mapping[str, Any]) -> Place:
        """Where this object begins."""
        return self._places.get(id(content), NOWHERE)

    def reads(self, content: Mapping[str, Any], called: str, known: Collection[str]) -> None:
        """Say which keys of an object are read; the others are told if they say something."""
        for key, value in content.items():
            if key not in known and value not in (None, "", [], {}, False):
                self._drop(content, called, key, "")

    def text(self, content: Mapping[str, Any], key: str, called: str = "deck") -> str:
        """The text under this key; empty for anything else, which is told."""
        value = content.get(key)
        return value.strip() if isinstance(value, str) else self._not_taken(content, called, key, str, "")

    def items(self, content: Mapping[str, Any], key: str, called: str = "deck") -> list[Any]:
        """The list under this key; empty for anything else, which is told."""
        value = content.get(key)
        return value if isinstance(value, list) else self._not_taken(content, called, key, list, [])

    def mapping(self, content: Mapping[str, Any], key: str, called: str = "deck") -> dict[str, Any]:
        """The object under this key; empty for anything else, which is told."""
        value = content.get(key)
        return value if isinstance(value, dict) else self._not_taken(content, called, key, dict, {})

    def objects(self, content: Mapping[str, Any], key: str, called: str = "deck") -> list[dict[str, Any]]:
        """The objects of the list under this key; whatever else is in it is told."""
        return self._of(content, key, called, dict)

    def texts(self, content: Mapping[str, Any], key: str, called: str = "deck") -> tuple[str, ...]:
        """The texts of the list under this key; whatever else is in it is told."""
        return tuple(self._of(content, key, called, str))

    def drop(self, content: Mapping[str, Any], called: str, key: str, why: str) -> None:
        """Tell that the value under this key is left out."""
        self._drop(content, called, key, why)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What decoding assumed, and a loss for each key whose values are left out, at the first of them."""
        told = []
        for (called, key, why), (where, times) in list(self._dropped.items())[:MAX_TOLD]:
            reason = f", {why}" if why else ""
            again = f" ({times} times)" if times > 1 else ""
            told.append(
                Loss(
                    "value_dropped" if why else "key_dropped",
                    f"Left out: “{key[:40]}” of the {called}{reason}{again}.",
                    where,
                )
            )
        if (more := len(self._dropped) - MAX_TOLD) > 0:
            names = ", ".join(key[:20] for _, key, _ in list(self._dropped)[MAX_TOLD : 2 * MAX_TOLD])
            rest = ", …" if more > MAX_TOLD else ""
            told.append(Loss("key_dropped", f"Left out: {some(more, 'other key')}, {names}{rest}."))
        return (*self._losses, *told)

    def _not_taken(self, content: Mapping[str, Any], called: str, key: str, wanted: type, empty: Any) -> Any:
        value = content.get(key)
        if value is not None:
            self._drop(content, called, key, f"which is {_KINDS[type(value)]}, not {_KINDS[wanted]}")
        return empty

    def _of(self, content: Mapping[str, Any], key: str, called: str, wanted: type) -> list[Any]:
        values = self.items(content, key, called)
        for value in values:
            if not isinstance(value, wanted):
                kind = _KINDS.get(type(value), "nothing")
                self._drop(content, called, key, f"of which one is {kind}, not {_KINDS[wanted]}")
        return [value for value in values if isinstance(value, wanted)]

    def _drop(self, content: Mapping[str, Any], called: str, key: str, why: str) -> None:
        where, times = self._dropped.get((called, key, why), (self.place(content).of(key), 0))
        self._dropped[called, key, why] = (where, times + 1)


def count_in(content: Mapping[str, Any], key: str) -> str:
    """A count as it stands in the file: a text as it is, nothing as an empty text, anything else as JSON
    would show it.
    """
    value = content.get(key)
    return value if isinstance(value, str) else "" if value is None else repr(value)


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """All objects, in the order in which they begin in the text."""
    found, waiting = [], [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            found.append(inner)
            waiting.extend(reversed(inner.values()))
        elif isinstance(inner, list):
            waiting.extend(reversed(inner))
    return found
