"""The pages on which a printer is calibrated, and the calibration sheet."""

from collections.abc import Sequence
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
    NOT_MOVED,
    OutOfReach,
    Readings,
    calibration_sheet,
    lying,
    measured,
    ruled_for,
    stacked,
)
from printing.layout.true_size import Measured
from printing.models import PrinterCalibration
from printing.options.duplex import DUPLEX_MODES, DuplexMode, Shift, duplex_mode_named, in_words
from printing.options.sizes import MM, PAPERS, NoSize, read_paper
from printing.options.values import NAMED, WHOLE, BadOption, Option
from printing.render.pdf import About, make_pdf
from printing.request.settings import options_of

MAX_PRINTERS = 30
NOT_MEASURED = Measured()
# The ways to turn sheets, as the forms offer them.
MODE_CHOICES = tuple((way.slug, f"{way.words[:1].upper()}{way.words[1:]}") for way in DUPLEX_MODES)


_LENGTH = Option("moved", "length", "", least=-MAX_SHIFT, most=MAX_SHIFT)
_LENGTHS = f"a length in millimetres from −{MAX_SHIFT // MM} to {MAX_SHIFT // MM}, for example −0.4"


class ShiftField(forms.CharField):
    """A length as people write it, in micrometres; with another option a value as that option takes it. A
    field that is not ``required`` may be left empty, and is None then.
    """

    def __init__(
        self, label: str, required: str = "", option: Option = _LENGTH, *, optional: bool = False
    ) -> None:
        required = required or f"Enter what you read for “{label}”: 0 if the line called 0 meets."
        self.option = option
        super().__init__(
            label=label, max_length=40, required=not optional, error_messages={"required": required}
        )

    def clean(self, value: Any) -> Any:
        """The value, as the option has it; the sheet's own minus sign is read too."""
        if not (text := super().clean(value).replace("−", "-")):
            return None
        try:
            return self.option.read(text)
        except BadOption as error:
            allowed = _LENGTHS if self.option is _LENGTH else " or ".join(error.allowed)
            raise ValidationError(f"{self.label}: {allowed}.") from None


_RULED = Option("ruled", "length", "", least=1, most=1_200 * MM)
_EDGE = Option("edge", "length", "", least=NAMED["margin"].least, most=NAMED["margin"].most)


def ruled_field(label: str, option: Option = _RULED) -> ShiftField:
    """A field for a length that was measured with a ruler, which may be left empty."""
    return ShiftField(label, option=option, optional=True)


class _Named(forms.Form):
    """A printer's name, which the sheet must be able to print, and the way in which its sheet is turned."""

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


# The fields of what is measured with a ruler, each with its place in ``Measured``; and those of the four
# edges.
_MEASURED = {"high": "high", "wide": "wide", "upper": "upper", "lower": "lower", "top_edge": "top"}
EDGES = ("above", "right", "below", "left")


class AgainForm(forms.Form):
    """The numbers that were read from the sheet."""

    top = ShiftField("Strip 1, at the top")
    foot = ShiftField("Strip 2, at the foot")
    middle = ShiftField("Strip 3, in the middle")

    high = ruled_field("Length of line a")
    wide = ruled_field("Length of line b")
    upper = ruled_field("From the edge to the upper end of line a")
    lower = ruled_field("From the edge to the lower end of line a")
    top_edge = ruled_field("From the top edge to line b")
    above, right, below, left = (
        ruled_field(f"Smallest whole number at the {edge}", _EDGE)
        for edge in ("top", "right", "foot", "left")
    )

    @property
    def read_fields(self) -> list[forms.BoundField]:
        """The three fields of the strips."""
        return [self[name] for name in Readings._fields]

    @property
    def ruled_fields(self) -> list[forms.BoundField]:
        """The fields of lengths measured with a ruler, and of the edges."""
        return [self[name] for name in (*_MEASURED, *EDGES)]

    @property
    def ruled(self) -> bool:
        """True if any of these is filled in or wrong."""
        return any(field.value() or field.errors for field in self.ruled_fields)

    def clean(self) -> None:
        """The cleaned data. All four edges are given, or none."""
        super().clean()
        missing = [name for name in EDGES if self.cleaned_data.get(name) is None]
        if 0 < len(missing) < len(EDGES) and missing[0] not in self.errors:
            self.add_error(missing[0], "Read all four edges, or leave all four empty.")


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
    front_x = ShiftField("All right by", optional=True)
    front_y = ShiftField("All down by", optional=True)
    front_turn = ShiftField("All clockwise by", option=NAMED["front_turn"], optional=True)
    scale_x = ShiftField(NAMED["scale_x"].label, option=NAMED["scale_x"], optional=True)
    scale_y = ShiftField(NAMED["scale_y"].label, option=NAMED["scale_y"], optional=True)
    margin = ShiftField("Unprintable margins: top, right, foot, left", option=NAMED["margin"], optional=True)

    @property
    def of_backs(self) -> list[forms.BoundField]:
        """The fields that move backs against fronts."""
        return [self[name] for name in ("x", "y", "turn")]

    @property
    def of_fronts(self) -> list[forms.BoundField]:
        """The fields that hold for both sides."""
        return [self[name] for name in ("front_x", "front_y", "front_turn", "scale_x", "scale_y", "margin")]

    def of_row(self) -> dict[str, Any]:
        """The columns of a printer with these numbers. Percentages are of upright paper, rows as the sheet
        lay.
        """
        data = dict(self.cleaned_data)
        mode = data.pop("way")
        longer = [(data.pop(name) or WHOLE) - WHOLE for name in ("scale_x", "scale_y")]
        data["wider"], data["higher"] = reversed(longer) if mode.landscape else longer
        data |= {name: data[name] or 0 for name in ("front_x", "front_y", "front_turn")}
        data["margin"] = NAMED["margin"].words(data["margin"]) if data["margin"] else ""
        return data | mode._asdict()


@transaction.atomic
def save_reading(
    viewer: Viewer,
    row: PrinterCalibration,
    readings: Readings,
    ruled: Measured = NOT_MEASURED,
    margin: str = "",
) -> PrinterCalibration:
    """Add a reading of a sheet to the numbers of the printer, and store it. Raises ValidationError by
    field.
    """
    rows = PrinterCalibration.objects.of(viewer)
    if row.pk:
        row = rows.select_for_update().get(pk=row.pk)
    try:
        paper = lying(read_paper(row.paper), row.landscape)
        row.x, row.y, row.turn, *_ = stacked(row.shift, measured(readings, paper))
        front = stacked(row.front, ruled_for(paper, row.mode.edge).shift(ruled))
        row.front_x, row.front_y, row.front_turn, row.wider, row.higher = front
        row.margin = margin or row.margin
    except OutOfReach as error:
        raise ValidationError({"top": f"{str(error).capitalize()}."}) from None
    if not row.pk and rows.count() >= MAX_PRINTERS:
        sentence = f"You have {MAX_PRINTERS} printers, which is the most. Delete one first."
        raise ValidationError({"name": sentence})
    row.save()
    return row


@transaction.atomic
def claim_printers(viewer: Viewer) -> int:
    """Give the account the printers that this browser measured without one, as far as it has room for more;
    returns their number.
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
    }
    return render(request, "printing/calibration/calibration.html", context, status=_status(request))


def _saved(viewer: Viewer, row: PrinterCalibration, form: AgainForm) -> PrinterCalibration | None:
    """The printer with the reading; None if that is refused, and the form has the reasons then."""
    try:
        data = form.cleaned_data
        edges = [data[name] for name in EDGES]
        ruled = Measured(**{place: data[name] for name, place in _MEASURED.items()})
        margin = "" if None in edges else NAMED["margin"].words(upright_margins(edges, row.landscape))
        return save_reading(viewer, row, Readings(*(data[name] for name in Readings._fields)), ruled, margin)
    except ValidationError as error:
        form.add_error(None, error)
        return None


def upright_margins(edges: Sequence[int], landscape: bool) -> tuple[int, int, int, int]:
    """The margins of upright paper, from the top, right, foot and left of a sheet. A printer turns a
    landscape sheet one way or the other, so that its sides cannot be told apart.
    """
    above, right, below, left = edges
    return (max(left, right), max(above, below)) * 2 if landscape else (above, right, below, left)


def _status(request: HttpRequest) -> int:
    """The status of a page with a form: that of a fault if the form was sent and does not lead elsewhere."""
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
    fills = {**NOT_MOVED, **options_of(row)}
    initial = {**fills, "name": row.name, "way": row.mode.slug}
    initial |= {name: fills[f"back_{name}"] for name in ("x", "y", "turn")}
    by_hand = ShiftForm(None if is_reading else sent, initial=initial)
    if again.is_valid() and _saved(viewer_of(request), row, again):
        messages.success(request, "Added to what was measured before.")
        return redirect("calibration_printer", pk)
    if by_hand.is_valid():
        PrinterCalibration.objects.stored(row).update(**by_hand.of_row())
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
    mode, paper, shift, name, front = _asked_mode(request), PAPERS["a4"], Shift(), "", Shift()
    if printer := request.GET.get("printer", ""):
        row = _printer_or_404(request, whole_number(printer) or 0)
        mode, paper, shift, name, front = row.mode, read_paper(row.paper), row.shift, row.name, row.front
    elif words := request.GET.get("paper", ""):
        try:
            paper = read_paper(words[:40])
        except NoSize as error:
            reason = Refused(Fault("bad_paper", f"{error}."))
            return refusal(request, reason, "There is no such paper", "Go back and choose one.")
    paper = lying(paper, mode.landscape)
    sides = calibration_sheet(paper, shift, mode.edge, name, front)
    about = About(
        f"Calibration sheet, {paper.name}",
        "Two sides: how far a printer puts backs beside fronts",
        duplex=mode.edge,
        labels=True,
        # It is held against the light and measured.
        read_aloud=False,
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
        "fronts": in_words(row.front),
        "margin": row.margin,
        "print_address": f"{reverse('print')}?{urlencode(options_of(row))}",
    }
