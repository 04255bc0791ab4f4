"""Import a deck: choose a file or paste a list, check what it was taken for, correct it, keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import Judged, judge_by_house, judge_text
from decks.formats import FORMATS, Loss
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import import_file, loss_report, with_unknown_kept
from decks.models import Visibility
from decks.saving.room import begin_deck
from decks.saving.save import save_whole
from decks.web.deck_context import judged_context, leagues_seen, own_seen, to_new_deck
from decks.web.forms import MAX_TAGS_TEXT, NewDeckForm, add_faults, corrected, name_of_new

# Bounds of what the second step sends of the first: losses, characters of each, characters of the format's
# title.
MAX_LOSSES, MAX_LOSS, MAX_TITLE = 200, 600, 120
SIZES = f"at most {MAX_JSON_BYTES // 1024 // 1024} MB of JSON, 256 KB of anything else"


class FileForm(forms.Form):
    """A file, or its pasted text. Game and format are only needed where the file does not say them."""

    file = forms.FileField(required=False, allow_empty_file=True)
    pasted = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    game = forms.ChoiceField(
        choices=lambda: [(slug, slug) for slug in games()],
        required=False,
        error_messages={"invalid_choice": "Choose one of the games."},
    )
    taken_for = forms.ChoiceField(
        choices=[(name, name) for name in FORMATS],
        required=False,
        error_messages={"invalid_choice": "Choose one of the formats."},
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file and file.size > MAX_JSON_BYTES:
            self.add_error("file", f"The file is too large: {SIZES}.")
        if not self.errors and not file and not cleaned.get("pasted", "").strip():
            self.add_error("file", "Choose a file, or paste a list.")
        return cleaned


class ImportedForm(NewDeckForm):
    """The deck that was made of a file, before it is kept."""

    tags = forms.CharField(max_length=MAX_TAGS_TEXT, required=False)
    house = forms.CharField(max_length=MAX_HOUSE_RULES, required=False, widget=forms.HiddenInput)
    keep_unknown = forms.BooleanField(required=False)
    unread: tuple[Unread, ...] = ()

    def clean_tags(self) -> list[str]:
        try:
            return list(tags_of(self.cleaned_data["tags"]))
        except EditRefused as error:
            raise ValidationError(error.message, code=error.code) from None


def lost_in_a_field(losses: Sequence[Loss]) -> str:
    """The losses, one a line, for the second step to send back."""
    return "\n".join(f"{loss.where}: {' '.join(loss.message.split())}" for loss in losses[:MAX_LOSSES])


def lost_before(posted: QueryDict) -> tuple[tuple[Loss, ...], str]:
    """The losses and the format that the file was taken for, as the second step sends them back."""
    lines = [line.strip()[:MAX_LOSS] for line in posted.get("lost", "").split("\n")[:MAX_LOSSES]]
    losses = (
        Loss("lost", message, where)
        for where, _, message in (line.partition(": ") for line in lines)
        if message
    )
    return tuple(losses), posted.get("taken", "")[:MAX_TITLE]


def unread_in_a_field(judged: Judged) -> str:
    """The unread lines that stand in a file: their places there, the game that they were read as, why, and
    themselves, one a line, for the second step to send back.
    """
    game = judged.game.slug
    of_file = [
        (line.where, game, line.message, line.text)
        for line in judged.unread
        if line.where not in ("", f"line {line.line} of the list")
    ]
    return "\n".join("\t".join(" ".join(part.split()) for part in told) for told in of_file[:MAX_LOSSES])


def told_as_before(judged: Judged, posted: QueryDict) -> Judged:
    """The verdict in which an unread line that nobody changed keeps its place in the file, and the reason
    that was given there for the same game.
    """
    told: dict[str, list[dict[str, str]]] = {}
    for line in posted.get("unread", "").split("\n")[:MAX_LOSSES]:
        where, game, message, text = [*line.strip()[:MAX_LOSS].split("\t", 3), "", "", ""][:4]
        same = {"message": message} if game == judged.game.slug else {}
        told.setdefault(text, []).append({"where": where, **same})
    again = (told.get(" ".join(line.text.split())) for line in judged.unread)
    return replace(
        judged,
        unread=tuple(
            replace(line, **of.pop(0)) if of else line for line, of in zip(judged.unread, again, strict=True)
        ),
    )


@form_page
@private
@counted_as_work("POST")
def deck_import(request: HttpRequest) -> HttpResponse:
    """First a file, then the deck that was read from it. Nothing is stored before "Keep as a deck"."""
    if request.method != "POST":
        return _ask(request, FileForm(initial={"game": request.GET.get("game", "")[:40]}))
    if "text" in request.POST:
        return _imported(request)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, form, 400)
    file, values = form.cleaned_data["file"], form.cleaned_data
    data = file.read() if file else values["pasted"].encode("utf-8", "replace")
    try:
        read = import_file(
            games().get(values["game"]),
            data,
            file.name if file else "",
            values["taken_for"],
            leagues=leagues_seen(request),
            own=own_seen(request),
        )
    except Refused as refused:
        for fault in refused.faults:
            # A fault of the whole file stands above the form, not beside a field.
            whole = fault.code == "foreign_game"
            form.add_error(
                None if whole else "game" if fault.where == "game" else "file" if file else "pasted",
                fault.message,
            )
        return _ask(request, form, refused.status)
    reading, judged = read.reading, read.judged
    beginning = {
        "game": judged.game.slug,
        "format": judged.format.slug,
        "name": read.name,
        "notes": read.notes,
        "tags": ", ".join(reading.tags),
        "house": judged.house,
        "visibility": Visibility.PRIVATE,
        "text": read.of_file.text,
    }
    form = ImportedForm(initial=beginning)
    form.unread = judged.unread
    return _show(request, form, judged, (read.of_file.losses, read.of_file.taken_for))


def _ask(request: HttpRequest, form: FileForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "games": games().values(),
        "formats": FORMATS.values(),
        "largest": SIZES,
        "here": "decks",
    }
    return render(request, "decks/importing/import.html", context, status=status)


def _imported(request: HttpRequest) -> HttpResponse:
    """The second step: correct lines, look again, or keep the deck."""
    game = games().get(request.POST.get("game", ""))
    posted = corrected(request.POST, game) if "correct" in request.POST else request.POST
    keeping = posted.get("step") == "keep"
    form = ImportedForm(posted) if keeping else ImportedForm(initial=posted.dict())
    judged = None
    if game:
        try:
            text, also = posted.get("text", ""), tuple(own_seen(request)(game))
            judged = judge_text(game, text, game.formats_by_slug.get(posted.get("format", "")), also)
            if "keep_unknown" in posted and judged.unread:
                text = with_unknown_kept(game, text, judged.unread)
                judged = judge_text(game, text, judged.format, also)
            judged = judge_by_house(judged, posted.get("house", ""), leagues_seen(request))
            judged = told_as_before(judged, posted)
            form.unread = judged.unread
        except Refused as refused:
            judged, form = None, ImportedForm(posted)
            form.is_valid()
            add_faults(form, refused)
    if not keeping or judged is None or not form.is_valid():
        return _show(request, form, judged, status=400 if keeping or judged is None else 200)
    deck, key = begin_deck(request, viewer_of(request), game=judged.game.slug)
    values = {field: form.cleaned_data[field] for field in ("name", "notes", "tags")}
    values["house"] = judged.house
    values["name"] = name_of_new(judged.game, values["name"], judged.deck.name)
    try:
        judged.refuse_unread()
        save_whole(deck, judged.content(**values), visibility=form.cleaned_data["visibility"])
    except Refused as refused:
        if judged.unread:
            form.add_error("text", "Some lines could not be read, so nothing was saved: see below.")
        else:
            add_faults(form, refused)
        return with_headers(_show(request, form, judged, status=refused.status), refused)
    return to_new_deck(request, deck, key)


def _show(
    request: HttpRequest,
    form: ImportedForm,
    judged: Judged | None,
    told: tuple[tuple[Loss, ...], str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of what was read. ``told``: the losses and what the file was taken for, by default as the
    second step sends them back.
    """
    lost, taken = told or lost_before(request.POST)
    context: dict[str, Any] = {
        "form": form,
        "taken": taken,
        "lost": lost_in_a_field(lost),
        "games": games().values(),
        "here": "decks",
        "report": loss_report(lost, judged),
        "game": games().get(request.POST.get("game", "")),
    }
    if judged:
        context |= judged_context(judged) | {"told": unread_in_a_field(judged)}
        context["unknown"] = [line for line in judged.unread if line.may_stay_unknown]
    return render(request, "decks/importing/import_deck.html", context, status=status)
