"""Read ``play.toml``. One bad entry is one clear error that names it.

[from_here]      reach (whole, partly or own cards) and a sentence
[[imprint]]      label, says, url; the source
[[parts]]        title, says, places, head and rows of a chart, card, ordered; the source
[[parts.steps]]  title, says, note, rulings; the source, if that of the part is not meant

A source is ``cites`` (codes of rulebook.toml), or document, section, lines and certainty.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.files import AllProblems, FolderError, read_toml
from cardsdb.games.kit.folder.rulebook import SOURCE_KEYS, Rulebook
from cardsdb.games.kit.model.play_guide import (
    REACHES,
    ImprintLine,
    PlayGuide,
    PlayPart,
    PlayStep,
    PlayTable,
    Reach,
)
from cardsdb.games.kit.model.rulebook import CitedClaim

PLAY = "play.toml"
_KEYS = {
    "file": {"from_here", "imprint", "parts"},
    "from_here": {"reach", "says"},
    "imprint": {"label", "says", "url"} | SOURCE_KEYS,
    "part": {"title", "says", "steps", "places", "head", "rows", "card", "ordered"} | SOURCE_KEYS,
    "step": {"title", "says", "note", "rulings"} | SOURCE_KEYS,
}


def read_play_guide(folder: Path, rulebook: Rulebook) -> PlayGuide | None:
    """What the ``play.toml`` of a folder says; None if there is no such file. Raises FolderError."""
    tables = read_toml(folder / PLAY)
    return _File(f"{folder.name}/{PLAY}", rulebook).guide(tables) if tables else None


class _File:
    def __init__(self, place: str, rulebook: Rulebook) -> None:
        self.place, self.rulebook = place, rulebook

    def guide(self, tables: Mapping[str, Any]) -> PlayGuide:
        self._known("file", tables, "the file")
        with AllProblems() as parts:
            reach = parts.each(self._reach, [tables["from_here"]] if "from_here" in tables else ())
            imprint = parts.each(self._imprint, tables.get("imprint", ()))
            read = parts.each(self._part, tables.get("parts", ()))
        return PlayGuide(next(iter(reach), None), imprint, read)

    def _reach(self, values: Mapping[str, Any]) -> Reach:
        self._known("from_here", values, "from_here")
        if values.get("reach") not in REACHES:
            raise FolderError(f"{self.place}, from_here: reach is one of {', '.join(REACHES)}")
        return Reach(values["reach"], self._text(values, "says", "from_here"))

    def _imprint(self, values: Mapping[str, Any]) -> ImprintLine:
        label = self._text(values, "label", "an imprint")
        self._known("imprint", values, label)
        return ImprintLine(
            label, self._text(values, "says", label), self._sources(values, label), values.get("url", "")
        )

    def _part(self, values: Mapping[str, Any]) -> PlayPart:
        title = self._text(values, "title", "a part")
        self._known("part", values, title)
        sources = self._sources(values, title)
        head, rows = tuple(values.get("head", ())), tuple(map(tuple, values.get("rows", ())))
        if any(len(row) != len(head) for row in rows):
            raise FolderError(f"{self.place}, {title}: every row has as many cells as the head")
        with AllProblems() as steps:
            read = steps.each(lambda step: self._step(step, sources, title), values.get("steps", ()))
        table = PlayTable(head, rows) if rows else None
        flags = {"card": values.get("card", False), "ordered": values.get("ordered", True)}
        return PlayPart(
            title, values.get("says", ""), sources, read, table, tuple(values.get("places", ())), **flags
        )

    def _step(self, values: Mapping[str, Any], of_part: tuple[CitedClaim, ...], part: str) -> PlayStep:
        title = self._text(values, "title", f"a step of {part}")
        self._known("step", values, title)
        for ruling in values.get("rulings", ()):
            if ruling not in {known.id for known in self.rulebook.rulings}:
                raise FolderError(f"{self.place}, {title}: no ruling is called {ruling!r}")
        sources = self._sources(values, title) or of_part
        return PlayStep(
            title,
            self._text(values, "says", title),
            sources,
            values.get("note", ""),
            tuple(values.get("rulings", ())),
        )

    def _sources(self, values: Mapping[str, Any], title: str) -> tuple[CitedClaim, ...]:
        return self.rulebook.sources(values, f"{self.place}, {title}")

    def _text(self, values: Mapping[str, Any], key: str, title: str) -> str:
        text = values.get(key)
        if not text or not isinstance(text, str):
            raise FolderError(f"{self.place}, {title}: {key!r} is missing")
        return text

    def _known(self, table: str, values: Mapping[str, Any], title: str) -> None:
        if unknown := set(values) - _KEYS[table]:
            raise FolderError(f"{self.place}, {title}: {sorted(unknown)[0]!r} means nothing here")
