"""A game's worksheet filled in: what was typed, what the game calculates, and the verdict on the list that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from cardsdb.games.kit import Citation, Decklist, Game
from cardsdb.games.kit.play.worksheet import Field, Outcome, Worksheet, WorksheetResult
from decks.core.judging import Judged, judge_text

# More than any field takes, so that what is too long is still refused with its reason.
MAX_TYPED = 1_000


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with what stands in it, the few words beside it and what is wrong with it."""

    field: Field
    text: str
    note: str
    problem: str


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """An outcome with the rules it rests on. ``columns`` and cells of its table say whether they hold numbers; each row has its bar."""

    outcome: Outcome
    cited: tuple[Citation, ...]
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[tuple[tuple[str, bool], ...], int | None], ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A worksheet filled in. ``text`` is the list it stands for, ``judged`` the verdict on that; both empty without one."""

    game: Game
    sheet: Worksheet
    result: WorksheetResult
    text: str
    judged: Judged | None

    @property
    def address(self) -> dict[str, str]:
        """The parameters that lead here again."""
        return self.sheet.address(self.result.values) if not self.result.problems else dict(self.result.typed)

    @property
    def groups(self) -> list[tuple[str, list[tuple[str, list[ShownField]]]]]:
        """Heading -> parts -> fields, ready to be shown."""
        return [
            (group.name, [(part.name, [self._shown(one) for one in part.fields]) for part in group.parts]) for group in self.sheet.groups
        ]

    def _shown(self, field: Field) -> ShownField:
        problem = " ".join(sentence for key, sentence in self.result.problems if key == field.key)
        return ShownField(field, self.result.typed[field.key], self.result.calculation.notes.get(field.key, ""), problem)

    @property
    def outcomes(self) -> list[ShownOutcome]:
        return [self._told(outcome) for outcome in self.result.calculation.outcomes]

    def _told(self, outcome: Outcome) -> ShownOutcome:
        cited = tuple(self.game.citations[code] for code in outcome.cites if code in self.game.citations)
        bars = outcome.bars or (None,) * len(outcome.rows)
        numeric = [bool(number) and _numbers(row[number] for row in outcome.rows) for number in range(len(outcome.columns))]
        rows = tuple((tuple(zip(row, numeric, strict=True)), bar) for row, bar in zip(outcome.rows, bars, strict=True))
        return ShownOutcome(outcome, cited, tuple(zip(outcome.columns, numeric, strict=True)), rows)

    @property
    def in_short(self) -> str:
        """What a reader hears when the outcome changes."""
        if self.result.problems:
            return " ".join(sentence for _, sentence in self.result.problems)
        said = [f"{one.label}: {one.value}." for one in self.result.calculation.outcomes if one.kind in ("total", "warning")]
        return " ".join([*said, *([self.judged.verdict_words + "."] if self.judged else [])])


def _numbers(cells: Iterable[str]) -> bool:
    return all(not cell or cell.isdigit() for cell in cells)


def worksheet_or_404(game: Game, slug: str) -> Worksheet:
    for sheet in game.worksheets:
        if sheet.slug == slug:
            return sheet
    raise Http404


def given_of(sheet: Worksheet, parameters: Mapping[str, Any]) -> dict[str, str]:
    """What of the sheet's fields stands among the parameters of a request."""
    return {one.key: str(parameters[one.key])[:MAX_TYPED] for one in sheet.fields if one.key in parameters}


def fill(game: Game, sheet: Worksheet, given: Mapping[str, str]) -> Filled:
    """Fill the sheet in with what was typed, and judge the list it stands for."""
    result = sheet.fill_in(game, given)
    text = sheet.writes(result.values) if sheet.writes and not result.problems else ""
    judged = judge_text(game, text, game.formats_by_slug[sheet.format]) if text else None
    return Filled(game, sheet, result, text, judged)


def sheets_in(game: Game, deck: Decklist) -> list[tuple[Worksheet, str, dict[str, str]]]:
    """(worksheet, code of the card, parameters) of every card of a deck that has a sheet, each card once, in the deck's order."""
    found = []
    for sheet in game.worksheets:
        cards = {entry.card.code: entry.card for entry in deck if sheet.card_type and entry.card.type == sheet.card_type}
        for code, card in cards.items():
            if sheet.of_card:
                found.append((sheet, code, sheet.address({**sheet.start, **sheet.of_card(card)})))
    return found


def whole_deck_sheets(game: Game, deck: Decklist, format: str) -> list[tuple[Worksheet, dict[str, str]]]:
    """(worksheet, parameters) of every sheet that is this whole deck."""
    return [
        (sheet, sheet.address({**sheet.start, **sheet.of_deck(deck)}))
        for sheet in game.worksheets
        if sheet.of_deck and sheet.format == format
    ]
