"""What the pages of house rules accept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms

from cardsdb.games.kit import Format, Game
from cardsdb.games.kit.rules.house_rules import (
    MAX_HOUSE_RULES,
    MAX_NUMBER,
    RuleNumber,
    parse_house_rules,
    parse_number,
    rule_numbers,
    write_house_rules,
)
from decks.pages.forms import CheckForm


class HouseCheckForm(CheckForm):
    """A list to judge, by house rules if there are any."""

    house = forms.CharField(
        required=False,
        max_length=MAX_HOUSE_RULES,
        error_messages={"max_length": f"House rules are at most {MAX_HOUSE_RULES} characters long."},
    )


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number of the rules as the form shows it: the rulebook's, what was typed, and what is wrong with that."""

    number: RuleNumber
    typed: str
    error: str = ""

    @property
    def id(self) -> str:
        """For the page: ``house-ag-3-at_least``."""
        return f"house-{self.number.key.lower().replace('.', '-').replace(':', '-')}"

    @property
    def label(self) -> str:
        """The number's words; the code stands beside them as the link to the rule."""
        words = self.number.label.removeprefix(f"{self.number.code}: ")
        return words[:1].upper() + words[1:]

    @property
    def differs(self) -> bool:
        return not self.error and self.typed != str(self.number.value)


@dataclass(frozen=True, slots=True)
class NumbersForm:
    """Every number of a format, by rule."""

    fields: tuple[NumberField, ...]

    @property
    def errors(self) -> list[NumberField]:
        return [field for field in self.fields if field.error]

    def house(self) -> str:
        """The numbers that differ, as house rules are kept. Only where there are no errors."""
        return write_house_rules({field.number.key: int(field.typed) for field in self.fields if field.differs})


def numbers_form(format: Format, typed: Mapping[str, str]) -> NumbersForm:
    """The form with what was typed; a number left out or emptied is the rulebook's."""
    return NumbersForm(tuple(_field(number, typed.get(number.key, "").strip()) for number in rule_numbers(format)))


def _field(number: RuleNumber, text: str) -> NumberField:
    if not text:
        return NumberField(number, str(number.value))
    try:
        return NumberField(number, str(parse_number(number.key, text)))
    except ValueError:
        return NumberField(number, text[:20], f"A whole number from 0 to {MAX_NUMBER}.")


def stored_numbers(house: str) -> dict[str, str]:
    """A deck's house rules as if they had been typed."""
    return {key: str(value) for key, value in parse_house_rules(house).items()}


def format_of(game: Game, slug: str) -> Format:
    """The format with this slug, the game's first for none or an unknown one."""
    return game.formats_by_slug.get(slug, game.formats[0])
