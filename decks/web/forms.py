"""The forms of the deck pages. Every message says what to do."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.text import UNPRINTABLE, whole_number
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import Judged
from decks.models import Visibility
from decks.models.deck import WHO_SEES

MAX_NAME = 120
MAX_NOTES = 5_000
MAX_TAGS_TEXT = 1_000
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}


def clean_name(name: str) -> str:
    """A deck's name in NFC and on one line. Raises ValidationError for an empty name and for invisible
    characters.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if UNPRINTABLE.search(name) or any(unicodedata.category(char) in _HIDDEN for char in name):
        raise ValidationError(
            "The name has an invisible or control character; type it again.", code="bad_name"
        )
    if not name or not any(
        char.isprintable() and not unicodedata.combining(char) and not char.isspace() for char in name
    ):
        raise ValidationError("Give the deck a name.", code="required")
    return name


def name_of_new(game: Game, typed: str = "", listed: str = "") -> str:
    """The name of a new deck: as its author typed it, else as its list says if that is a valid name, else
    after its game.
    """
    if not typed and listed:
        with suppress(ValidationError):
            typed = clean_name(listed[:MAX_NAME])
    return typed or f"New {game.name.removeprefix('The ')} deck"


class ListField(forms.CharField):
    """A pasted list, exactly as typed, so that line numbers are those of the field."""

    widget = forms.Textarea

    def __init__(self) -> None:
        messages = {
            "required": "Paste a list: one card a line, for example “2 Kai”.",
            "max_length": "The list is larger than 256 KB.",
        }
        super().__init__(strip=False, max_length=MAX_BYTES, error_messages=messages)


class CheckForm(forms.Form):
    """A list to judge; nothing is saved."""

    game = forms.CharField(max_length=40, error_messages={"required": "Choose one of the games."})
    format = forms.CharField(max_length=40, required=False)
    text = ListField()

    def clean_game(self) -> str:
        slug = self.cleaned_data["game"]
        if slug not in games():
            raise ValidationError("Choose one of the games.", code="unknown_game")
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        game = games().get(cleaned.get("game", ""))
        if game and cleaned.get("format") and cleaned["format"] not in game.formats_by_slug:
            self.add_error(
                "format", ValidationError(f"{game.name} has no such format.", code="unknown_format")
            )
        return cleaned


class GuessedForm(CheckForm):
    """A list that may say itself which game it is for."""

    game = forms.CharField(max_length=40, required=False)

    def clean_game(self) -> str:
        return super().clean_game() if self.cleaned_data["game"] else ""


class DeckForm(CheckForm):
    """A deck to keep. ``judged``: its list as it was read, where it could be; ``unread``: the lines that were
    not understood.
    """

    judged: Judged | None = None
    unread: tuple[Unread, ...] = ()
    # Why it was not stored, where that is no fault of a field.
    refused: Refused | None = None

    name = forms.CharField(max_length=MAX_NAME, error_messages={"required": "Give the deck a name."})
    notes = forms.CharField(max_length=MAX_NOTES, required=False, widget=forms.Textarea)
    revision = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 2, widget=forms.HiddenInput)
    visibility = forms.ChoiceField(choices=WHO_SEES, initial=Visibility.PRIVATE, required=False)
    # Only of a new deck; a stored one has a page for its house rules.
    house = forms.CharField(max_length=MAX_HOUSE_RULES, required=False, widget=forms.HiddenInput)

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    def clean_visibility(self) -> str:
        return self.cleaned_data["visibility"] or Visibility.PRIVATE


class NewDeckForm(DeckForm):
    """A deck that begins with a list. Its name may be left empty; ``name_of_new`` then makes one."""

    name = forms.CharField(max_length=MAX_NAME, required=False)

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"]) if self.cleaned_data["name"] else ""


class PastedDeckForm(GuessedForm, NewDeckForm):
    """A new deck whose list may say itself which game it is for."""


class EmptyDeckForm(NewDeckForm):
    """A deck that begins without a card, to be built in the editor."""

    text = forms.CharField(required=False, strip=False, max_length=MAX_BYTES, widget=forms.Textarea)


class SettingsForm(forms.Form):
    """What an author says about a deck, and who may see it and write to it."""

    name = forms.CharField(max_length=MAX_NAME, error_messages={"required": "Give the deck a name."})
    notes = forms.CharField(max_length=MAX_NOTES, required=False, widget=forms.Textarea)
    tags = forms.CharField(max_length=MAX_TAGS_TEXT, required=False)
    visibility = forms.ChoiceField(choices=WHO_SEES)
    revealed = forms.BooleanField(required=False)
    comments_open = forms.BooleanField(required=False)
    partner = forms.CharField(max_length=400, required=False)

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    def clean_tags(self) -> tuple[str, ...]:
        try:
            return tags_of(self.cleaned_data["tags"])
        except EditRefused as error:
            raise ValidationError(error.message, code=error.code) from None

    def clean_partner(self) -> str:
        """The link of the other deck, which may be typed alone or within an address; empty for none."""
        typed = self.cleaned_data["partner"].strip()
        if not typed:
            return ""
        match = re.search(r"(?:^|/decks/)([\w-]{22})(?:/|\Z)", typed, re.ASCII)
        if not match:
            raise ValidationError(
                "Paste the address of the other deck, as the browser shows it: …/decks/…/", code="bad_partner"
            )
        return match[1]


def request_id(request: HttpRequest) -> str:
    """What the editor's script calls this request, the same each time that it sends it; empty where it does
    not.
    """
    sent = request.POST.get("request_id", "")
    return sent if re.fullmatch(r"[0-9a-f-]{36}", sent, re.ASCII) else ""


def seen_revision(request: HttpRequest) -> int | None:
    """The revision of a deck that the author saw, as their form says; None where it does not."""
    return whole_number(request.POST.get("revision", ""))
