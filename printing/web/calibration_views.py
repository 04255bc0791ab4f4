"""The pages on which a printer is calibrated, and the sheet to do it with."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import slugify, whole_number
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import owned_by
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import private_action, private_form, private_page
from decks.web.forms import clean_name
from printing.faces import fonts
from printing.layout.calibration import (
    MAX_SHIFT,
    OutOfReach,
    Readings,
    calibration_sheet,
    lying,
    measured,
    stacked,
)
from printing.models import PrinterCalibration
from printing.options.duplex import DUPLEX_MODES, DuplexMode, Shift, duplex_mode_named, in_words
from printing.options.sizes import MM, PAPERS, NoSize, read_paper, shown
from printing.options.values import NAMED, BadOption, Option
from printing.render.pdf import About, make_pdf
from printing.request.settings import options_of

MAX_PRINTERS = 30
# How sheets are turned, as the forms offer it.
MODE_CHOICES = tuple((way.slug, f"{way.words[:1].upper()}{way.words[1:]}") for way in DUPLEX_MODES)


_LENGTH = Option("moved", "length", "", least=-MAX_SHIFT, most=MAX_SHIFT)
_LENGTHS = f"a length in millimetres from −{MAX_SHIFT // MM} to {MAX_SHIFT // MM}, for example −0.4"


class ShiftField(forms.CharField):
    """A length as people write it, in micrometres; with another option a value as that takes it."""

    def __init__(self, label: str, required: str = "", option: Option = _LENGTH) -> None:
        required = required or f"Enter what you read for “{label}”: 0 if the line called 0 meets."
        self.option = option
        super().__init__(label=label, max_length=20, error_messages={"required": required})

    def clean(self, value: Any) -> int:
        """The number; the sheet's own minus sign is one too."""
        try:
            return int(self.option.read(super().clean(value).replace("−", "-")))
        except BadOption as error:
            allowed = _LENGTHS if self.option is _LENGTH else " or ".join(error.allowed)
            raise ValidationError(f"{self.label}: {allowed}.") from None


class _Named(forms.Form):
    """A printer's name, which the sheet must be able to print, and how its sheet is turned."""

    name = forms.CharField(
        label="Printer",
        max_length=60,
        error_messages={"required": "Name the printer, so that you know it again."},
    )
    way = forms.TypedChoiceField(
        label="How its pages lay, and the paper was turned",
        choices=MODE_CHOICES,
        coerce=duplex_mode_named,
        error_messages={"required": "Say how the sheet was printed: side B says it on top."},
    )

    def clean_name(self) -> str:
        """The name in one line."""
        name = clean_name(self.cleaned_data["name"])
        if missing := fonts.missing(name):
            raise ValidationError(f"The sheet cannot print {' '.join(missing)}: use other letters.")
        return name


class AgainForm(forms.Form):
    """The numbers that were read from the sheet."""

    top = ShiftField("Strip 1, at the top")
    foot = ShiftField("Strip 2, at the foot")
    middle = ShiftField("Strip 3, in the middle")

    @property
    def read_fields(self) -> list[forms.BoundField]:
        """The three fields."""
        return [self[name] for name in Readings._fields]


class ReadingForm(AgainForm, _Named):
    """The numbers that were read from the sheet of a new printer."""

    paper = forms.CharField(label="Paper", max_length=40)

    def clean_paper(self) -> str:
        """The word of the paper."""
        try:
            return read_paper(self.cleaned_data["paper"]).slug
        except NoSize as error:
            raise ValidationError(f"{error}.") from None


class ShiftForm(_Named):
    """A printer's name and numbers, typed in directly."""

    x = ShiftField("Right by")
    y = ShiftField("Down by")
    turn = ShiftField(
        "Clockwise by", "Enter how far backs are turned: 0 if they are not.", NAMED["back_turn"]
    )

    @property
    def lengths(self) -> list[forms.BoundField]:
        """The two fields of lengths."""
        return [self["x"], self["y"]]


@transaction.atomic
def save_reading(viewer: Viewer, row: PrinterCalibration, readings: Readings) -> PrinterCalibration:
    """Add what was read from a sheet to what the printer has, and store it. Raises ValidationError by field."""
    rows = PrinterCalibration.objects.of(viewer)
    if row.pk:
        row = rows.select_for_update().get(pk=row.pk)
    try:
        paper = lying(read_paper(row.paper), row.landscape)
        row.x, row.y, row.turn = stacked(row.shift, measured(readings, paper))
    except OutOfReach as error:
        raise ValidationError({"top": f"{str(error).capitalize()}."}) from None
    if not row.pk and rows.count() >= MAX_PRINTERS:
        sentence = f"You have {MAX_PRINTERS} printers, which is the most. Delete one first."
        raise ValidationError({"name": sentence})
    row.save()
    return row


@transaction.atomic
def claim_printers(viewer: Viewer) -> int:
    """Make what this browser measured without an account the account's, as far as it has room for more; how
    many printers.
    """
    theirs = PrinterCalibration.objects.of_browser(viewer)
    room = max(0, MAX_PRINTERS - PrinterCalibration.objects.of(viewer).count())
    first = list(theirs.order_by("made", "pk").values_list("pk", flat=True)[:room])
    return theirs.filter(pk__in=first).update(owner=viewer.user_id, browser=None)


@private_form
def calibration_page(request: HttpRequest) -> HttpResponse:
    """The sheet to print, the form for what it shows, and the printers measured so far."""
    mode = _asked_mode(request)
    try:
        # The paper and the way that the address names, where a print page leads to a sheet of its own kind.
        chosen = read_paper(request.GET.get("paper", "")[:40] or "a4")
    except NoSize:
        chosen = PAPERS["a4"]
    initial = {"paper": chosen.slug, "way": mode.slug}
    form = ReadingForm(request.POST or None, initial=initial)
    if form.is_valid():
        owner, data = owner_of(request), form.cleaned_data
        row = PrinterCalibration(
            **owned_by(owner), **data["way"]._asdict(), name=data["name"], paper=data["paper"]
        )
        if saved := _saved(owner, row, form):
            messages.success(
                request, f"{saved.name} is saved. Print the sheet again with it: all strips should read 0."
            )
            return redirect("calibration_printer", saved.pk)
    viewer = viewer_of(request)
    context = {
        "form": form,
        "printers": [_printer(row) for row in PrinterCalibration.objects.of(viewer)],
        "initial": initial,
        "papers": (PAPERS | {chosen.slug: chosen}).values(),
        "elsewhere": PrinterCalibration.objects.of_browser(viewer).count(),
    }
    return render(request, "printing/calibration/calibration.html", context, status=_status(request))


def _saved(viewer: Viewer, row: PrinterCalibration, form: AgainForm) -> PrinterCalibration | None:
    """The printer with what was read; None where that is refused, for which the form has the reasons."""
    try:
        return save_reading(viewer, row, Readings(*(form.cleaned_data[name] for name in Readings._fields)))
    except ValidationError as error:
        form.add_error(None, error)
        return None


def _status(request: HttpRequest) -> int:
    """A form that was sent and does not lead elsewhere has faults."""
    return 400 if request.method == "POST" else 200


def _printer_or_404(request: HttpRequest, pk: int) -> PrinterCalibration:
    return get_object_or_404(PrinterCalibration.objects.of(viewer_of(request)), pk=pk)


@private_form
def printer_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One printer: its sheet, a further reading, its numbers by hand."""
    row = _printer_or_404(request, pk)
    sent = request.POST if request.method == "POST" else None
    is_reading = sent is not None and sent.get("what") == "reading"
    again = AgainForm(sent if is_reading else None)
    initial = {"name": row.name, "x": shown(row.x), "y": shown(row.y), "turn": f"{row.turn / 100:g}"}
    by_hand = ShiftForm(None if is_reading else sent, initial={**initial, "way": row.mode.slug})
    if again.is_valid() and _saved(viewer_of(request), row, again):
        messages.success(request, "Added to what was measured before.")
        return redirect("calibration_printer", pk)
    if by_hand.is_valid():
        data = by_hand.cleaned_data
        data |= data.pop("way")._asdict()
        PrinterCalibration.objects.stored(row).update(**data)
        messages.success(request, "Saved.")
        return redirect("calibration_printer", pk)
    context = {"printer": _printer(row), "again": again, "form": by_hand}
    return render(request, "printing/calibration/printer.html", context, status=_status(request))


@private_action
def delete_printer(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a printer."""
    row = _printer_or_404(request, pk)
    row.delete()
    messages.success(request, f"{row.name} is deleted.")
    return redirect("calibration")


@private_page
@counted_as_work()
def sheet(request: HttpRequest) -> HttpResponse:
    """The calibration sheet of a paper, or of a printer with the shift that was measured before."""
    mode, paper, shift, name = _asked_mode(request), PAPERS["a4"], Shift(), ""
    if printer := request.GET.get("printer", ""):
        row = _printer_or_404(request, whole_number(printer) or 0)
        mode, paper, shift, name = row.mode, read_paper(row.paper), row.shift, row.name
    elif words := request.GET.get("paper", ""):
        try:
            paper = read_paper(words[:40])
        except NoSize as error:
            reason = Refused(Fault("bad_paper", f"{error}."))
            return refusal(request, reason, "There is no such paper", "Go back and choose one.")
    paper = lying(paper, mode.landscape)
    sides = calibration_sheet(paper, shift, mode.edge, name)
    about = About(
        f"Calibration sheet, {paper.name}",
        "Two sides: how far a printer puts backs beside fronts",
        duplex=mode.edge,
        labels=True,
    )
    filename = "-".join(filter(None, ("calibration", paper.slug, mode.slug, slugify(name)[:40]))) + ".pdf"
    headers = {"Content-Disposition": content_disposition_header(True, filename) or "attachment"}
    return HttpResponse(
        make_pdf(paper.lengths, sides, about), content_type="application/pdf", headers=headers
    )


def _asked_mode(request: HttpRequest) -> DuplexMode:
    return duplex_mode_named(request.GET.get("way", "")) or DuplexMode()


def _printer(row: PrinterCalibration) -> dict[str, Any]:
    return {
        "pk": row.pk,
        "name": row.name,
        "paper": read_paper(row.paper).name,
        "way": row.mode.words,
        "brief": row.mode.brief,
        "moved": in_words(row.shift),
        "print_address": f"{reverse('print')}?{urlencode(options_of(row))}",
    }
