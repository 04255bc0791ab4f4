"""Read ``set_up.toml`` and ``play.toml``: how a game is laid out and how it is played. One bad entry is one
clear error that names it.

set_up.toml
[players]       numbers ("2", "2-4", "2+"), usual, and where that is stated
[options.KEY]   label, help, and choices = { key = "words" } or low and high; usual
[[steps]]       title, says, needs, lays, amounts, note; the source; players and when say for whom it is meant
[[open]]        question and treatment, or ruling (an id of rulebook.toml); players and when

play.toml
[from_here]      reach (whole, partly or own cards) and a sentence
[[imprint]]      label, says, url; the source
[[parts]]        title, says, places, head and rows of a chart, card, ordered; the source
[[parts.steps]]  title, says, note, rulings; the source, if that of the part is not meant

A source is ``cites`` (codes of rulebook.toml), or document, section, lines and certainty. A component of
needs or lays is what, kind, table, each, per, least, and its own source if the step's is not meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.files import AllProblems, FolderError, read_toml
from cardsdb.games.kit.folder.rulebook import SOURCE_KEYS, Rulebook
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.guides import (
    KINDS,
    REACHES,
    Component,
    Condition,
    ImprintLine,
    OpenQuestion,
    Option,
    PlayerAmount,
    PlayGuide,
    PlayPart,
    PlayStep,
    PlayTable,
    Reach,
    SetUpGuide,
    SetUpStep,
    Span,
)
from cardsdb.games.kit.model.rulebook import CitedClaim

_CONDITION = {"players", "when"}
_AMOUNT = {"table", "each", "per"}
_SET_UP_KEYS = {
    "players": {"numbers", "usual", "note"} | SOURCE_KEYS,
    "option": {"label", "help", "choices", "low", "high", "usual"},
    "step": {"title", "says", "needs", "lays", "amounts", "note"} | SOURCE_KEYS | _CONDITION,
    "component": {"what", "kind", "least"} | SOURCE_KEYS | _AMOUNT,
    "amount": _AMOUNT,
    "open": {"question", "treatment", "ruling"} | _CONDITION,
}


class _GuideFile:
    """A file read table by table: ``keys`` are what each table may say, ``place`` is what faults call it."""

    def __init__(
        self, tables: Mapping[str, Any], place: str, rulebook: Rulebook, keys: Mapping[str, set[str]]
    ) -> None:
        self.tables, self.place, self.rulebook, self.keys = tables, place, rulebook, keys
        self.parts = AllProblems()

    def _sources(self, values: Mapping[str, Any], title: str) -> tuple[CitedClaim, ...]:
        return self.rulebook.sources(values, f"{self.place}, {title}")

    def _known(self, table: str, values: Mapping[str, Any], title: str) -> Mapping[str, Any]:
        if unknown := set(values) - self.keys[table]:
            raise FolderError(f"{self.place}, {title}: {sorted(unknown)[0]!r} means nothing here")
        return values


def read_set_up(folder: Path, rulebook: Rulebook, game: str, name: str) -> SetUpGuide | None:
    """What the ``set_up.toml`` of a game (its slug and name) declares; None if there is no such file. Raises
    FolderError.
    """
    tables = read_toml(folder / "set_up.toml")
    place = f"{folder.name}/set_up.toml"
    return _SetUpFile(tables, place, rulebook, _SET_UP_KEYS).guide(game, name) if tables else None


class _SetUpFile(_GuideFile):
    def guide(self, game: str, name: str) -> SetUpGuide:
        with self.parts:
            numbers = self.parts.each(self._players, [self.tables.get("players", {})])
            options = self.parts.each(self._option, self.tables.get("options", {}).items())
            steps = self.parts.each(self._step, self.tables.get("steps", ()))
            questions = self.parts.each(self._open, self.tables.get("open", ()))
        ((span, usual, source),) = numbers
        return SetUpGuide(game, name, span, usual, source, options, steps, questions)

    def _players(self, values: dict[str, Any]) -> tuple[Span, int, CitedClaim]:
        """The numbers of players, the usual one, and who says so."""
        self._known("players", values, "players")
        span = self._span(values.get("numbers", ""), "players")
        (source, *_) = self._sources(values, "players") or (CitedClaim("", Claim("")),)
        return span, values.get("usual", span.low), source

    def _option(self, item: tuple[str, dict[str, Any]]) -> Option:
        key, values = item
        return Option(key, **{"label": key, **self._known("option", values, f"option {key}")})

    def _step(self, values: dict[str, Any]) -> SetUpStep:
        title = values.get("title", "a step without a title")
        self._known("step", values, title)
        sources = self._sources(values, title)
        return SetUpStep(
            title,
            values.get("says", ""),
            sources,
            self._condition(values, title),
            self.parts.each(
                lambda component: self._component(component, sources, title), values.get("needs", ())
            ),
            self.parts.each(
                lambda component: self._component(component, sources, title), values.get("lays", ())
            ),
            {
                name: self._amount(self._known("amount", amount, title), title)
                for name, amount in values.get("amounts", {}).items()
            },
            values.get("note", ""),
        )

    def _component(self, values: dict[str, Any], of_step: tuple[CitedClaim, ...], title: str) -> Component:
        self._known("component", values, title)
        if "what" not in values:
            raise FolderError(f"{self.place}, {title}: a component has no 'what'")
        if values.get("kind") not in KINDS:
            raise FolderError(
                f"{self.place}, {title}: the kind of {values.get('what')!r} must be one of {', '.join(KINDS)}"
            )
        sources = self._sources(values, title) or of_step
        return Component(
            values["what"], values["kind"], self._amount(values, title), sources, values.get("least", False)
        )

    def _amount(self, values: Mapping[str, Any], title: str) -> PlayerAmount:
        per = values.get("per", {})
        if unknown := set(per) - set(self.tables.get("options", {})):
            raise FolderError(f"{self.place}, {title}: {sorted(unknown)[0]!r} is no option")
        return PlayerAmount(values.get("table"), values.get("each"), per)

    def _open(self, values: dict[str, Any]) -> OpenQuestion:
        self._known("open", values, "open")
        condition = self._condition(values, "open")
        if "ruling" not in values:
            return OpenQuestion(values.get("question", ""), values.get("treatment", ""), "", condition)
        ruling = next((ruling for ruling in self.rulebook.rulings if ruling.id == values["ruling"]), None)
        if ruling is None:
            raise FolderError(f"{self.place}: no ruling is called {values['ruling']!r}")
        return OpenQuestion(ruling.question, ruling.treatment, ruling.id, condition)

    def _condition(self, values: dict[str, Any], title: str) -> Condition:
        when = {
            key: (chosen,) if isinstance(chosen, str) else tuple(chosen)
            for key, chosen in values.get("when", {}).items()
        }
        options = self.tables.get("options", {})
        for key, chosen in when.items():
            if unknown := set(chosen) - set(options.get(key, {}).get("choices", ())):
                raise FolderError(f"{self.place}, {title}: {sorted(unknown)[0]!r} is no choice of {key!r}")
        return Condition(self._span(values["players"], title) if "players" in values else None, when)

    def _span(self, text: str, title: str) -> Span:
        match = re.fullmatch(r"([0-9]{1,2})(?:(\+)|-([0-9]{1,2}))?", text)
        if match is None:
            raise FolderError(
                f"{self.place}, {title}: numbers of players are written 2, 2-4 or 2+, not {text!r}"
            )
        low = int(match[1])
        return Span(low, None if match[2] else int(match[3] or low))


PLAY = "play.toml"
_PLAY_KEYS = {
    "file": {"from_here", "imprint", "parts"},
    "from_here": {"reach", "says"},
    "imprint": {"label", "says", "url"} | SOURCE_KEYS,
    "part": {"title", "says", "steps", "places", "head", "rows", "card", "ordered"} | SOURCE_KEYS,
    "step": {"title", "says", "note", "rulings"} | SOURCE_KEYS,
}


def read_play_guide(folder: Path, rulebook: Rulebook) -> PlayGuide | None:
    """What the ``play.toml`` of a folder says; None if there is no such file. Raises FolderError."""
    tables = read_toml(folder / PLAY)
    return _PlayFile(tables, f"{folder.name}/{PLAY}", rulebook, _PLAY_KEYS).guide() if tables else None


class _PlayFile(_GuideFile):
    def guide(self) -> PlayGuide:
        self._known("file", self.tables, "the file")
        with self.parts:
            reach = self.parts.each(
                self._reach, [self.tables["from_here"]] if "from_here" in self.tables else ()
            )
            imprint = self.parts.each(self._imprint, self.tables.get("imprint", ()))
            read = self.parts.each(self._part, self.tables.get("parts", ()))
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

    def _text(self, values: Mapping[str, Any], key: str, title: str) -> str:
        text = values.get(key)
        if not text or not isinstance(text, str):
            raise FolderError(f"{self.place}, {title}: {key!r} is missing")
        return text
