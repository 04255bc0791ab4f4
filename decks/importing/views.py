"""The two steps of the import page: choose a file or paste a list, then check what was read and save it as a
deck.

Between the steps nothing is stored. What the first step learnt about the file (``FirstStep``) travels to the
second in a signed form field, ``told``. The second step is shown again until its list can be saved::

    button             field that says so    form                   status
    Read the file      none (no ``text``)    filled from the file   200
    (correct a line)   correct=7:Termite     filled as it was sent  200
    Check again        step=look             filled as it was sent  200
    Save as my deck    step=keep             validated              302, or that of the errors

A list that cannot be judged is shown again with status 400, whatever the button.
Tests: ``tests/decks/importing/test_views.py``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django import forms
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page
from decks.core.judging import Judged, judge_text
from decks.formats import FORMATS, Loss
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import FileImport, import_file, in_list, loss_report, with_unknown_kept
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
    """The second step: the deck as it was read, before it is saved."""

    tags = TagsField()
    keep_unknown = forms.BooleanField(required=False)


# -- what the second step must know of the first ---------------------------------------------


class UnreadInFile(NamedTuple):
    """A line that was not read, as the file has it: its text, the slug of the game that it was read for, its
    place in the file, and why it was not read.
    """

    text: str
    game: str
    place: str
    reason: str


class FirstStep(NamedTuple):
    """The file as the first step read it: its format in words ("OCTGN"), what was lost, its unread lines."""

    file_format: str
    losses: Sequence[Loss]
    unread: Sequence[UnreadInFile] = ()

    def packed(self) -> str:
        """Return it as a signed text, at most ``MAX_LOSSES`` of each list."""
        losses = [(loss.message, loss.where) for loss in self.losses[:MAX_LOSSES]]
        packed = (self.file_format, losses, self.unread[:MAX_LOSSES])
        return signing.dumps(packed, salt=SALT, compress=True)


def first_step_of(posted: QueryDict) -> FirstStep:
    """Return the first step as ``packed`` wrote it. If the signature is broken, the only loss says that the
    losses are lost.
    """
    try:
        file_format, losses, unread = signing.loads(posted.get("told", ""), salt=SALT)
    except signing.BadSignature:
        return FirstStep("", [FORGOTTEN])
    return FirstStep(
        file_format, [Loss("lost", *loss) for loss in losses], [UnreadInFile(*line) for line in unread]
    )


def _plain(line: Unread) -> str:
    """Return the text of the line with single blanks, by which lines of both steps are matched."""
    return " ".join(line.text.split())


def with_places_of_file(judged: Judged, in_file: Iterable[UnreadInFile]) -> Judged:
    """Return the verdict in which unread lines that were not edited keep their place in the file, and for the
    same game the reason that was given there.
    """
    # Text -> the lines of the file with this text that no line of the list has been matched with.
    by_text: dict[str, list[UnreadInFile]] = {}
    for line_of_file in in_file:
        by_text.setdefault(line_of_file.text, []).append(line_of_file)
    unread = []
    for line in judged.unread:
        alike = by_text.get(_plain(line))
        if not alike:
            unread.append(line)
            continue
        first = alike.pop(0)
        reason = first.reason if first.game == judged.game.slug else line.message
        unread.append(replace(line, where=first.place, message=reason))
    return replace(judged, reading=replace(judged.reading, unread=tuple(unread)))


# -- the view ---------------------------------------------------------------------------------


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
        return _second_step(request)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, form, 400)
    file, values = form.cleaned_data["file"], form.cleaned_data
    try:
        imported = import_file(
            games().get(values["game"]),
            file.read() if file else values["pasted"].encode("utf-8", "replace"),
            file.name if file else "",
            values["taken_for"],
            leagues=leagues_seen(request),
            own=own_seen(request),
        )
    except Refused as refused:
        source = "file" if file else "pasted"
        for fault in refused.faults:
            field = "game" if fault.where == "game" else source
            # A fault of the whole file stands above the form, not beside a field.
            form.add_error(None if fault.code == "foreign_game" else field, fault.message)
        return _ask(request, form, refused.status)
    first = FirstStep(imported.of_file.taken_for, imported.of_file.losses)
    return _show(request, _form_of(imported), imported.judged, first)


def _form_of(imported: FileImport) -> ImportedForm:
    """Return the form of the second step, filled with what the file says."""
    judged, reading = imported.judged, imported.reading
    form = ImportedForm(
        initial={
            "game": judged.game.slug,
            "format": judged.format.slug,
            "name": imported.name,
            "notes": imported.notes,
            "tags": ", ".join(reading.tags),
            "house": judged.house,
            "visibility": Visibility.PRIVATE,
            "text": imported.of_file.text,
        }
    )
    form.unread = judged.unread
    return form


def _ask(request: HttpRequest, form: FileForm, status: int = 200) -> HttpResponse:
    """Render the first step: the form for a file."""
    context = {"form": form, "games": games().values(), "formats": FORMATS.values(), "largest": SIZES}
    return render(request, "decks/importing/import.html", context, status=status)


def _second_step(request: HttpRequest) -> HttpResponse:
    """Handle the second step: correct a line, check again, or save the deck."""
    game = games().get(request.POST.get("game", ""))
    posted = corrected(request.POST, game) if "correct" in request.POST else request.POST
    first = first_step_of(posted)
    is_saving = posted.get("step") == "keep"
    # A form with data is validated and shows errors; one with initial values only shows them again.
    form = ImportedForm(posted) if is_saving else ImportedForm(initial=posted.dict())
    if game is None:
        return _show(request, form, None, first, 400)
    try:
        judged = with_places_of_file(_judged_again(request, game, posted), first.unread)
    except Refused as refused:
        form = ImportedForm(posted)
        # Django adds errors only to a form that has been validated.
        form.is_valid()
        add_faults(form, refused)
        return _show(request, form, None, first, 400)
    form.unread = judged.unread
    if not is_saving:
        return _show(request, form, judged, first)
    if not form.is_valid():
        return _show(request, form, judged, first, 400)
    return _save(request, form, judged, first)


def _save(request: HttpRequest, form: ImportedForm, judged: Judged, first: FirstStep) -> HttpResponse:
    """Save the deck and redirect to it, or show the valid form again with the reason why it was refused."""
    values = form.cleaned_data
    name = name_of_new(judged.game, values["name"], judged.deck.name)
    try:
        judged.refuse_unread()
        content = judged.content(name=name, notes=values["notes"], tags=values["tags"])
        deck, key = save_new(request, judged.game, content, values["visibility"])
    except Refused as refused:
        if judged.unread:
            form.add_error("text", "Some lines could not be read, so nothing was saved: see below.")
        else:
            add_faults(form, refused)
        return with_headers(_show(request, form, judged, first, refused.status), refused)
    return to_new_deck(request, deck, key)


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
    request: HttpRequest, form: ImportedForm, judged: Judged | None, first: FirstStep, status: int = 200
) -> HttpResponse:
    """Render the second step: what the file was taken for, its losses, and the list with its verdict."""
    unread = [
        UnreadInFile(_plain(line), judged.game.slug, line.where, line.message)
        for line in (judged.unread if judged else ())
        # A line without a place in the file, or with its place in the list, needs no reminder of it.
        if line.where not in ("", in_list(line))
    ]
    context: dict[str, Any] = {
        "form": form,
        "file_format": first.file_format,
        "told": first._replace(unread=unread).packed(),
        "games": games().values(),
        "report": loss_report(first.losses, judged),
        "game": games().get(request.POST.get("game", "")),
    }
    if judged:
        context |= judged_context(judged)
        context["unknown"] = [line for line in judged.unread if line.may_stay_unknown]
    return render(request, "decks/importing/import_deck.html", context, status=status)
