"""What the import page accepts: a file or a pasted list, and then the deck that was made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import Unread
from decks.core.edits import EditRefused, tags_of
from decks.formats import FORMATS, Loss
from decks.formats.decoding import MAX_JSON_BYTES
from decks.web.forms import MAX_TAGS_TEXT, NewDeckForm

# What the second step sends along of the first: so many things that were lost, each as long as a sentence.
MAX_LOSSES, MAX_LOSS, MAX_TITLE = 200, 600, 120
SIZES = f"at most {MAX_JSON_BYTES // 1024 // 1024} MB of JSON, 256 KB of anything else"


class FileForm(forms.Form):
    """A file, or what stood in one. Game and format are only needed where the file leaves them open."""

    file = forms.FileField(required=False, allow_empty_file=True)
    pasted = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    game = forms.CharField(max_length=40, required=False)
    taken_for = forms.CharField(max_length=10, required=False)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MAX_JSON_BYTES:
            raise ValidationError(f"The file is too large: {SIZES}.", code="too_large")
        return file

    def clean_game(self) -> str:
        slug: str = self.cleaned_data["game"]
        if slug and slug not in games():
            raise ValidationError("Choose one of the games.", code="unknown_game")
        return slug

    def clean_taken_for(self) -> str:
        name: str = self.cleaned_data["taken_for"]
        if name and name not in FORMATS:
            raise ValidationError("Choose one of the formats.", code="unknown_format")
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("file") and not cleaned.get("pasted", "").strip():
            self.add_error("file", ValidationError("Choose a file, or paste a list.", code="required"))
        return cleaned


class ImportedForm(NewDeckForm):
    """The deck that was made of a file, before it is kept."""

    tags = forms.CharField(max_length=MAX_TAGS_TEXT, required=False)
    house = forms.CharField(max_length=400, required=False, widget=forms.HiddenInput)
    keep_unknown = forms.BooleanField(required=False)
    unread: tuple[Unread, ...] = ()

    def clean_tags(self) -> list[str]:
        try:
            return list(tags_of(self.cleaned_data["tags"]))
        except EditRefused as error:
            raise ValidationError(error.message, code=error.code) from None


def lost_in_a_field(losses: Sequence[Loss]) -> str:
    """What was lost, a line for each, for the page of the first step to send along."""
    return "\n".join(f"{loss.where}: {' '.join(loss.message.split())}" for loss in losses[:MAX_LOSSES])


def lost_before(posted: QueryDict) -> tuple[tuple[Loss, ...], str]:
    """What was lost on the way from the file, and what that was taken for, as the first step's page sends both along."""
    lines = [line.strip()[:MAX_LOSS] for line in posted.get("lost", "").split("\n")[:MAX_LOSSES]]
    losses = (Loss("lost", message, where) for where, _, message in (line.partition(": ") for line in lines) if message)
    return tuple(losses), posted.get("taken", "")[:MAX_TITLE]
