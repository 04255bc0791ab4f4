"""The forms of a league's format: what begins one, and the settings that change what its file says."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.declared.formats import MAX_LEAGUE_FILE
from cardsdb.games.kit.declared.table import MAX_NUMBER, MAX_TEXT
from cardsdb.games.kit.rules.house_rules import MAX_NUMBER as MAX_RULE_NUMBER
from cardsdb.games.kit.rules.house_rules import rule_numbers
from decks.leagues.league_rules import USUAL_POINTS, Declared, points_limit, simple_rule, with_rule
from decks.models.league import WHO_SEES
from decks.web.forms import clean_name

MAX_NAME = 80


class NameField(forms.CharField):
    """The name of a format, on one line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=MAX_NAME,
            label="Name",
            error_messages={"required": "Give the format a name."},
            **options,
        )

    def clean(self, value: Any) -> str:
        return clean_name(super().clean(value))


class BeginForm(forms.Form):
    """The name of a new format, and the format that it builds on, ``game/format``."""

    name = NameField()
    base = forms.CharField(
        max_length=90, label="Builds on", error_messages={"required": "Choose the format that it builds on."}
    )

    def clean_base(self) -> tuple[Game, str]:
        slug, _, format = self.cleaned_data["base"].partition("/")
        game = games().get(slug)
        if game is None or format not in game.formats_by_slug:
            raise ValidationError("Choose one of the formats offered.", code="unknown_format")
        return game, format


class LeagueFileForm(forms.Form):
    """A file of a format."""

    file = forms.FileField(label="File", error_messages={"required": "Choose a file such as tuesday.toml."})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_LEAGUE_FILE:
            raise ValidationError(
                f"The file is too large: {MAX_LEAGUE_FILE // 1024} KB at most.", code="too_large"
            )
        return file


def _number(label: str, least: int = 1, most: int = MAX_NUMBER, hint: str = "") -> forms.IntegerField:
    said = dict.fromkeys(
        ("invalid", "min_value", "max_value"), f"A whole number from {least} to {most}, or nothing."
    )
    widget = forms.TextInput({"inputmode": "numeric", "maxlength": "5", "autocomplete": "off"})
    return forms.IntegerField(
        required=False,
        min_value=least,
        max_value=most,
        label=label,
        help_text=hint,
        error_messages=said,
        widget=widget,
    )


def _line(label: str, hint: str = "") -> forms.CharField:
    return forms.CharField(required=False, max_length=MAX_TEXT, label=label, help_text=hint)


class LeagueSettingsForm(forms.Form):
    """Everything of a format but its lists of cards: who made it, who sees it, its rules with a number."""

    use_required_attribute = False

    name = NameField()
    by = _line("Who plays it", "Such as the name of your league.")
    url = _line(
        "Its rules elsewhere", "An address that begins with https://, where your league explains itself."
    )
    help = _line("In a sentence", "What a player should know first.")
    visibility = forms.ChoiceField(choices=WHO_SEES, label="Who sees it")
    copies = _number("Copies of a card, at most", hint="1 is singleton. Empty: as the format beneath has it.")
    at_least = _number("Cards in the deck, at least")
    at_most = _number("Cards in the deck, at most")
    points_limit = _number(
        "Points of a deck, at most",
        0,
        hint=f"What the cards of the points list may cost together; {USUAL_POINTS} if empty.",
    )
    sets = forms.MultipleChoiceField(
        required=False, label="Only these sets", widget=forms.CheckboxSelectMultiple
    )
    leave_out = forms.MultipleChoiceField(
        required=False, label="Rules left out", widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, game: Game, declared: Declared, visibility: str, data: Any = None) -> None:
        base = game.formats_by_slug[declared["based_on"]]
        self._numbers = rule_numbers(base)
        changed = declared.get("numbers", {})
        size = simple_rule(declared, "size")
        initial = {
            **{key: declared.get(key, "") for key in ("name", "by", "url", "help")},
            "visibility": visibility,
            "copies": simple_rule(declared, "copies").get("limit"),
            "at_least": size.get("exactly", size.get("at_least")),
            "at_most": size.get("exactly", size.get("at_most")),
            "points_limit": points_limit(declared),
            "sets": simple_rule(declared, "only_sets").get("sets", []),
            "leave_out": declared.get("leave_out", []),
            **{f"number:{number.key}": changed.get(number.key, number.value) for number in self._numbers},
        }
        super().__init__(data, initial=initial)
        self.fields["sets"].choices = [(one.code, one.name) for one in game.sets]
        says = {
            rule.code: game.citations[rule.code].says for rule in base.rules if rule.code in game.citations
        }
        self.fields["leave_out"].choices = [
            (code, f"{code}: {says.get(code, '')}")
            for code in dict.fromkeys(rule.code for rule in base.rules)
        ]
        for number in self._numbers:
            self.fields[f"number:{number.key}"] = _number(
                number.label, 0, MAX_RULE_NUMBER, f"{number.value} in {base.name}."
            )

    def number_fields(self) -> list[forms.BoundField]:
        """The numbers of the format beneath, in its rules' order."""
        return [self[f"number:{number.key}"] for number in self._numbers]

    def is_base_open(self) -> bool:
        """Whether something is changed, or wrong, in what the format beneath says."""
        names = ["leave_out", *(f"number:{number.key}" for number in self._numbers)]
        values = {number.key: number.value for number in self._numbers}
        changed = any(self.initial[f"number:{key}"] != value for key, value in values.items())
        return changed or bool(self.initial["leave_out"]) or any(name in self.errors for name in names)

    def said(self, declared: Declared) -> dict[str, Any]:
        """What the file says with these settings. Only where there are no errors."""
        values = self.cleaned_data
        said = {
            key: value
            for key, value in declared.items()
            if key not in ("by", "url", "help", "leave_out", "numbers", "rules")
        }
        said |= {"name": values["name"]} | {
            key: values[key] for key in ("by", "url", "help", "leave_out") if values[key]
        }
        changed = {number.key: values[f"number:{number.key}"] for number in self._numbers}
        kept = {
            number.key: changed[number.key]
            for number in self._numbers
            if changed[number.key] not in (None, number.value)
        }
        said |= {"numbers": kept} if kept else {}
        said |= {"rules": list(declared["rules"])} if declared.get("rules") else {}
        said = with_rule(said, "copies", limit=values["copies"])
        said = with_rule(said, "size", at_least=values["at_least"], at_most=values["at_most"])
        said = with_rule(said, "only_sets", sets=values["sets"])
        if listed := simple_rule(said, "points").get("cards"):
            limit = USUAL_POINTS if values["points_limit"] is None else values["points_limit"]
            said = with_rule(said, "points", cards=listed, limit=limit)
        return said
