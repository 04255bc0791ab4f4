"""The two steps of the import page: choose a file or paste a list, then check what was read and save it as a
deck.

Between the steps nothing is stored. What the first step learnt about the file (its losses, the places of
unread lines) travels to the second in a signed form field, ``told`` (``first_step_packed`` writes it,
``first_step_of`` reads it). The second step is shown again until its list can be saved.
Tests: ``tests/decks/importing/test_views.py``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Game
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page
from decks.core.judging import Judged, judge_text
from decks.formats import FORMATS, Loss
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import import_file, in_list, loss_report, with_unknown_kept
from decks.models import Visibility
from decks.saving.save import save_new
from decks.web.deck_context import judged_context, leagues_seen, own_seen, to_new_deck
from decks.web.forms import NewDeckForm, TagsField, add_faults, corrected, name_of_new

# Losses, and unread lines, that are passed from the first step to the second.
MAX_LOSSES = 200
# Keeps these signatures apart from others made with the same secret key. If it is changed, forms that are
# open then lose what the first step learnt (``FORGOTTEN``).
SALT = "decks.importing"
FORGOTTEN = Loss(
    "forgotten",
    "The list of what was left out or moved is lost. Choose the file again to see it.",
)
SIZES = f"at most {MAX_JSON_BYTES // 1024 // 1024} MB of JSON, 256 KB of anything else"


class FileForm(forms.Form):
    """A file or pasted text. Game and format are needed only if the file does not say them."""

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
    """The second step: the deck as it was read, before it is saved. ``unread``: the lines to correct, for the
    template.
    """

    tags = TagsField()
    house = forms.CharField(max_length=MAX_HOUSE_RULES, required=False, widget=forms.HiddenInput)
    keep_unknown = forms.BooleanField(required=False)
    unread: tuple[Unread, ...] = ()


def first_step_packed(taken: str, losses: Sequence[Loss], judged: Judged | None) -> str:
    """Return what the second step must know of the first, signed: (file format in words, losses, unread lines
    of the file). A loss is (message, place), an unread line (its text, the slug of the game it was read for,
    its place in the file, the reason).
    """
    lost = [(loss.message, loss.where) for loss in losses[:MAX_LOSSES]]
    of_file = []
    if judged:
        of_file = [
            (_plain(line), judged.game.slug, line.where, line.message)
            for line in judged.unread
            # A line without a place in the file, or with its place in the list, needs no reminder of it.
            if line.where not in ("", in_list(line))
        ]
    return signing.dumps((taken, lost, of_file[:MAX_LOSSES]), salt=SALT, compress=True)


def first_step_of(posted: QueryDict) -> tuple[str, list[Loss], list[list[str]]]:
    """Return (file format, losses, unread lines) as ``first_step_packed`` wrote them. If the signature is
    broken, the only loss says that they are lost.
    """
    try:
        taken, lost, of_file = signing.loads(posted.get("told", ""), salt=SALT)
    except signing.BadSignature:
        return "", [FORGOTTEN], []
    return taken, [Loss("lost", *loss) for loss in lost], of_file


def _plain(line: Unread) -> str:
    """Return the text of the line with single blanks, by which lines of both steps are matched."""
    return " ".join(line.text.split())


def with_places_of_file(judged: Judged, of_file: Iterable[list[str]]) -> Judged:
    """Return the verdict in which unread lines that were not edited keep their place in the file, and for the
    same game the reason that was given there.
    """
    # Text of a line -> [game, place, reason] of each line of the file with that text.
    by_text: dict[str, list[list[str]]] = {}
    for text, *rest in of_file:
        by_text.setdefault(text, []).append(rest)
    unread = []
    for line in judged.unread:
        if same := by_text.get(_plain(line)):
            game, where, message = same.pop(0)
            message = message if game == judged.game.slug else line.message
            line = replace(line, where=where, message=message)
        unread.append(line)
    return replace(judged, reading=replace(judged.reading, unread=tuple(unread)))


@form_page
@private
@counted_as_work("POST")
def deck_import(request: HttpRequest) -> HttpResponse:
    """Show the form for a file, read the file that was sent, or handle the second step. Nothing is stored
    before "Save as my deck".
    """
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
            field = "file" if file else "pasted"
            if fault.where == "game":
                field = "game"
            # A fault of the whole file stands above the form, not beside a field.
            form.add_error(None if fault.code == "foreign_game" else field, fault.message)
        return _ask(request, form, refused.status)
    reading, judged = read.reading, read.judged
    initial = {
        "game": judged.game.slug,
        "format": judged.format.slug,
        "name": read.name,
        "notes": read.notes,
        "tags": ", ".join(reading.tags),
        "house": judged.house,
        "visibility": Visibility.PRIVATE,
        "text": read.of_file.text,
    }
    form = ImportedForm(initial=initial)
    form.unread = judged.unread
    return _show(request, form, judged, read.of_file.taken_for, read.of_file.losses)


def _ask(request: HttpRequest, form: FileForm, status: int = 200) -> HttpResponse:
    """Render the first step: the form for a file."""
    context = {"form": form, "games": games().values(), "formats": FORMATS.values(), "largest": SIZES}
    return render(request, "decks/importing/import.html", context, status=status)


def _imported(request: HttpRequest) -> HttpResponse:
    """Handle the second step: correct a line, check again, or save the deck."""
    game = games().get(request.POST.get("game", ""))
    posted = corrected(request.POST, game) if "correct" in request.POST else request.POST
    # The button "Save as my deck".
    keeping = posted.get("step") == "keep"
    taken, lost, of_file = first_step_of(posted)
    form = ImportedForm(posted) if keeping else ImportedForm(initial=posted.dict())
    judged = None
    if game:
        try:
            judged = with_places_of_file(_judged_again(request, game, posted), of_file)
            form.unread = judged.unread
        except Refused as refused:
            form = ImportedForm(posted)
            # Django adds errors only to a form that has been validated.
            form.is_valid()
            add_faults(form, refused)
    if not keeping or judged is None or not form.is_valid():
        return _show(request, form, judged, taken, lost, status=400 if keeping or judged is None else 200)
    values = {field: form.cleaned_data[field] for field in ("name", "notes", "tags")}
    values["name"] = name_of_new(judged.game, values["name"], judged.deck.name)
    try:
        judged.refuse_unread()
        visibility = form.cleaned_data["visibility"]
        saved = save_new(request, judged.game, judged.content(**values), visibility)
    except Refused as refused:
        if judged.unread:
            form.add_error("text", "Some lines could not be read, so nothing was saved: see below.")
        else:
            add_faults(form, refused)
        return with_headers(_show(request, form, judged, taken, lost, status=refused.status), refused)
    return to_new_deck(request, *saved)


def _judged_again(request: HttpRequest, game: Game, posted: QueryDict) -> Judged:
    """Judge the list of the second step. With ``keep_unknown`` its unread lines become unknown cards."""
    # The visitor's own cards, which the list may name too.
    also, leagues = tuple(own_seen(request)(game)), leagues_seen(request)
    text, format = posted.get("text", ""), game.formats_by_slug.get(posted.get("format", ""))
    judged = judge_text(game, text, format, also, leagues=leagues)
    if "keep_unknown" in posted and judged.unread:
        with_unknown = with_unknown_kept(game, text, judged.unread)
        judged = judge_text(game, with_unknown, judged.format, also, leagues=leagues)
    return judged


def _show(
    request: HttpRequest,
    form: ImportedForm,
    judged: Judged | None,
    taken: str,
    lost: Sequence[Loss],
    status: int = 200,
) -> HttpResponse:
    """Render the second step: what the file was taken for, its losses, and the list with its verdict."""
    context: dict[str, Any] = {
        "form": form,
        "taken": taken,
        "told": first_step_packed(taken, lost, judged),
        "games": games().values(),
        "report": loss_report(lost, judged),
        "game": games().get(request.POST.get("game", "")),
    }
    if judged:
        context |= judged_context(judged)
        context["unknown"] = [line for line in judged.unread if line.may_stay_unknown]
    return render(request, "decks/importing/import_deck.html", context, status=status)
