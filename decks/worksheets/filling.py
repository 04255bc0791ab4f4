"""A worksheet filled in: what was typed, what the game calculates, the verdict on its list; and how it is put
into a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Citation, Decklist, Entry, Game
from cardsdb.games.kit.play.worksheet import Field, Outcome, Worksheet, WorksheetResult
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent
from decks.core.judging import Judged, judge_text
from decks.models import Deck
from decks.saving.save import Saved, save_edit

# More characters than any field takes, so that the field itself refuses what is too long.
MAX_TYPED = 1_000


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with its text, the note beside it and what is wrong with it."""

    field: Field
    text: str
    note: str
    problem: str


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """An outcome with its rules. ``columns`` and cells of its table say whether they hold numbers; each row
    has its bar or None.
    """

    outcome: Outcome
    cited: tuple[Citation, ...]
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[tuple[tuple[str, bool], ...], int | None], ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A worksheet filled in. ``text``: the list that it writes, empty if it writes none; ``judged``: the
    verdict on that.
    """

    game: Game
    sheet: Worksheet
    result: WorksheetResult
    text: str
    judged: Judged | None

    @property
    def address(self) -> dict[str, str]:
        """The parameters of the address that shows this again."""
        return self.sheet.address(self.result.values) if not self.result.problems else dict(self.result.typed)

    @property
    def groups(self) -> list[tuple[str, list[tuple[str, list[ShownField]]]]]:
        """Heading -> parts -> fields, ready to be shown."""
        return [
            (
                group.name,
                [(part.name, [self._shown_field(field) for field in part.fields]) for part in group.parts],
            )
            for group in self.sheet.groups
        ]

    def _shown_field(self, field: Field) -> ShownField:
        problem = " ".join(sentence for key, sentence in self.result.problems if key == field.key)
        return ShownField(
            field, self.result.typed[field.key], self.result.calculation.notes.get(field.key, ""), problem
        )

    @property
    def outcomes(self) -> list[ShownOutcome]:
        return [self._shown_outcome(outcome) for outcome in self.result.calculation.outcomes]

    def _shown_outcome(self, outcome: Outcome) -> ShownOutcome:
        cited = tuple(self.game.citations[code] for code in outcome.cites if code in self.game.citations)
        bars = outcome.bars or (None,) * len(outcome.rows)
        numeric = [
            bool(number) and _numbers(row[number] for row in outcome.rows)
            for number in range(len(outcome.columns))
        ]
        rows = tuple(
            (tuple(zip(row, numeric, strict=True)), bar) for row, bar in zip(outcome.rows, bars, strict=True)
        )
        return ShownOutcome(outcome, cited, tuple(zip(outcome.columns, numeric, strict=True)), rows)

    @property
    def in_short(self) -> str:
        """The outcome in sentences, which screen readers speak when it changes."""
        if self.result.problems:
            return " ".join(sentence for _, sentence in self.result.problems)
        sentences = [
            f"{outcome.label}: {outcome.value}."
            for outcome in self.result.calculation.outcomes
            if outcome.kind in ("total", "warning")
        ]
        return " ".join([*sentences, *([self.judged.verdict_words + "."] if self.judged else [])])


def _numbers(cells: Iterable[str]) -> bool:
    return all(not cell or cell.isdigit() for cell in cells)


def worksheet_or_404(game: Game, slug: str) -> Worksheet:
    for sheet in game.worksheets:
        if sheet.slug == slug:
            return sheet
    raise Http404


def typed_values(sheet: Worksheet, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Field's key -> text, of the sheet's fields that the parameters of a request have."""
    return {
        field.key: str(parameters[field.key])[:MAX_TYPED] for field in sheet.fields if field.key in parameters
    }


def fill(game: Game, sheet: Worksheet, typed: Mapping[str, str]) -> Filled:
    """Fill in the sheet with what was typed, and judge the list that it writes."""
    result = sheet.fill_in(game, typed)
    text = sheet.writes(result.values) if sheet.writes and not result.problems else ""
    judged = judge_text(game, text, game.formats_by_slug[sheet.format]) if text else None
    return Filled(game, sheet, result, text, judged)


def sheets_in(game: Game, deck: Decklist) -> list[tuple[Worksheet, str, dict[str, str]]]:
    """(worksheet, card's code, parameters) of every card of a deck that has a sheet, each card once, by sheet
    and in the deck's order.
    """
    sheets = []
    for sheet in game.worksheets:
        cards = {
            entry.card.code: entry.card
            for entry in deck
            if sheet.card_type and entry.card.type == sheet.card_type
        }
        for code, card in cards.items():
            if sheet.of_card:
                sheets.append((sheet, code, sheet.address({**sheet.start, **sheet.of_card(card)})))
    return sheets


def whole_deck_sheets(game: Game, deck: Decklist, format: str) -> list[tuple[Worksheet, dict[str, str]]]:
    """(worksheet, parameters) of every sheet that describes the whole deck."""
    return [
        (sheet, sheet.address({**sheet.start, **sheet.of_deck(deck)}))
        for sheet in game.worksheets
        if sheet.of_deck and sheet.format == format
    ]


def fits(sheet: Worksheet, deck: Deck) -> bool:
    """Whether the sheet can be put into the deck: it makes a card, or describes a deck of this format."""
    return bool(sheet.writes) and (
        bool(sheet.card_type) or (sheet.of_deck is not None and sheet.format == deck.format)
    )


def put_into(deck: Deck, viewer: Viewer, filled: Filled, code: str = "") -> Saved:
    """Store the sheet in the deck. ``code``: of the card that it was opened from and replaces, empty to add
    one.

    Raises Refused, with the field at fault, when nothing could be stored, and Http404 if the deck is not the
    visitor's to edit.
    """
    if filled.result.problems:
        raise Refused(*(Fault("bad_field", sentence, key) for key, sentence in filled.result.problems))
    if filled.judged is None or not fits(filled.sheet, deck):
        raise Refused(Fault("empty", "Fill something in first; nothing was put into the deck."))
    if filled.judged.unread:
        raise Refused(*(Fault(unread.code, unread.message, "name") for unread in filled.judged.unread))
    edit = _with_card(filled, code) if filled.sheet.card_type else _with_details(filled)
    return save_edit(deck.link, viewer, edit)


def _with_card(filled: Filled, code: str) -> Callable[[DeckContent], DeckContent]:
    assert filled.judged is not None
    card = filled.judged.deck.entries[0].card

    def edit(content: DeckContent) -> DeckContent:
        entries = content.deck.entries
        if code and all(entry.card.code != code for entry in entries):
            sentence = (
                "The card this sheet was opened from is no longer in the deck. Open the sheet from the deck"
                " again to put it in anew."
            )
            raise Refused(Fault("card_gone", sentence, "name"), status=409)
        _refuse_namesake(card, [entry.card for entry in entries if entry.card.code != code or not code])
        if code:
            changed = tuple(
                replace(entry, card=card) if entry.card.code == code else entry for entry in entries
            )
        else:
            section = filled.game.section_for(card.type, filled.game.formats_by_slug.get(content.format))
            changed = (*entries, Entry(card, 1, section))
        return replace(content, deck=replace(content.deck, entries=changed))

    return edit


def _refuse_namesake(card: Card, others: list[Card]) -> None:
    if any(other.code == card.code for other in others):
        sentence = (
            f"Another “{card.name}” is in the deck already. Give this one another name, or open that one from"
            " the deck to change it."
        )
        raise Refused(Fault("written_twice", sentence, "name"))


def _with_details(filled: Filled) -> Callable[[DeckContent], DeckContent]:
    assert filled.judged is not None
    details = dict(filled.judged.deck.details)
    return lambda content: replace(content, deck=replace(content.deck, details=details))
