"""Read ``set_up.toml``. One bad entry is one clear error that names it.

[players]       numbers ("2", "2-4", "2+"), usual, and where that is stated
[options.KEY]   label, help, and choices = { key = "words" } or low and high; usual
[[steps]]       title, says, needs, lays, amounts, note; the source; players and when say for whom it is meant
[[open]]        question and treatment, or ruling (an id of rulebook.toml); players and when

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
from cardsdb.games.kit.model.rulebook import CitedClaim
from cardsdb.games.kit.model.set_up import (
    KINDS,
    Component,
    Condition,
    OpenQuestion,
    Option,
    PlayerAmount,
    SetUpGuide,
    SetUpStep,
    Span,
)

_CONDITION = {"players", "when"}
_AMOUNT = {"table", "each", "per"}
_KEYS = {
    "players": {"numbers", "usual", "note"} | SOURCE_KEYS,
    "option": {"label", "help", "choices", "low", "high", "usual"},
    "step": {"title", "says", "needs", "lays", "amounts", "note"} | SOURCE_KEYS | _CONDITION,
    "component": {"what", "kind", "least"} | SOURCE_KEYS | _AMOUNT,
    "amount": _AMOUNT,
    "open": {"question", "treatment", "ruling"} | _CONDITION,
}


def read_set_up(folder: Path, rulebook: Rulebook, game: str, name: str) -> SetUpGuide | None:
    """What the ``set_up.toml`` of a game (its slug and name) declares; None if there is no such file. Raises
    FolderError.
    """
    tables = read_toml(folder / "set_up.toml")
    return _File(tables, f"{folder.name}/set_up.toml", rulebook, game, name).guide() if tables else None


class _File:
    def __init__(
        self, tables: Mapping[str, Any], place: str, rulebook: Rulebook, game: str, name: str
    ) -> None:
        self.tables, self.place, self.rulebook = tables, place, rulebook
        self.game, self.name = game, name
        self.parts = AllProblems()

    def guide(self) -> SetUpGuide:
        with self.parts:
            numbers = self.parts.each(self._players, [self.tables.get("players", {})])
            options = self.parts.each(self._option, self.tables.get("options", {}).items())
            steps = self.parts.each(self._step, self.tables.get("steps", ()))
            questions = self.parts.each(self._open, self.tables.get("open", ()))
        ((span, usual, source),) = numbers
        return SetUpGuide(self.game, self.name, span, usual, source, options, steps, questions)

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

    def _amount(self, values: dict[str, Any], title: str) -> PlayerAmount:
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

    def _sources(self, values: dict[str, Any], title: str) -> tuple[CitedClaim, ...]:
        return self.rulebook.sources(values, f"{self.place}, {title}")

    def _span(self, text: str, title: str) -> Span:
        match = re.fullmatch(r"([0-9]{1,2})(?:(\+)|-([0-9]{1,2}))?", text)
        if match is None:
            raise FolderError(
                f"{self.place}, {title}: numbers of players are written 2, 2-4 or 2+, not {text!r}"
            )
        low = int(match[1])
        return Span(low, None if match[2] else int(match[3] or low))

    def _known(self, table: str, values: dict[str, Any], title: str) -> dict[str, Any]:
        if unknown := set(values) - _KEYS[table]:
            raise FolderError(f"{self.place}, {title}: {sorted(unknown)[0]!r} means nothing here")
        return values
