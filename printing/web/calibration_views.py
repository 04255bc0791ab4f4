"""The pages for calibrating printers: print the calibration sheet, enter its readings, keep the printer's
numbers.

1. The visitor prints the two-sided sheet (``sheet``) and holds it against the light.
2. They enter where its lines meet (``ReadingForm``). ``save_reading`` turns the readings into the shifts of a
   PrinterCalibration, with the arithmetic of ``printing/layout/calibration.py``.
3. The next sheet is printed with these shifts; its readings (``AgainForm``) are added to them.

``options_of`` in ``printing/request/settings.py`` makes options of a printer for a print. Tests:
``test_calibration_views.py``; of the arithmetic ``tests/printing/layout/test_calibration.py``.
"""

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
from printing.options.duplex import DUPLEX_MODES, WHOLE, DuplexMode, duplex_mode_named, in_words
from printing.options.sizes import MM, PAPERS, NoSize, read_paper
from printing.options.values import NAMED, BadOption, Option
from printing.render.pdf import About, make_pdf
from printing.request.settings import options_of

# Characters of a paper's name or size that are read from an address.
MAX_WORDS = 40
# Printers of one account or browser.
MAX_PRINTERS = 30
# Duplex modes as choices of a form.
MODE_CHOICES = tuple((mode.slug, f"{mode.words[:1].upper()}{mode.words[1:]}") for mode in DUPLEX_MODES)
# The usual value of a ShiftField: a length in micrometres, and the words for it in errors.
_LENGTH = Option("moved", "length", "", least=-MAX_SHIFT, most=MAX_SHIFT)
_LENGTHS = f"a length in millimetres from −{MAX_SHIFT // MM} to {MAX_SHIFT // MM}, for example −0.4"


class ShiftField(forms.CharField):
    """A text field whose value is read by an ``option``: by default a length, as micrometres. ``required`` is
    the error if it is empty; an ``optional`` field that is empty has the value None.
    """

    def __init__(
        self, label: str, required: str = "", option: Option = _LENGTH, *, optional: bool = False
    ) -> None:
        errors = {"required": required or f"Enter what you read for “{label}”: 0 if the lines meet at 0."}
        super().__init__(label=label, max_length=40, required=not optional, error_messages=errors)
        self.option = option

    def clean(self, value: Any) -> Any:
        """The value as the option reads it. The minus sign that the sheet prints (U+2212) is accepted."""
        text = super().clean(value).replace("−", "-")
        if not text:
            return None
        try:
            return self.option.read(text)
        except BadOption as error:
            allowed = _LENGTHS if self.option is _LENGTH else " or ".join(error.allowed)
            raise ValidationError(f"{self.label}: {allowed}.") from None


# The values of optional fields: a length measured with a ruler, up to 1.2 m, and an unprintable margin.
_RULED = Option("ruled", "length", "", least=1, most=1_200 * MM)
_EDGE = Option("edge", "length", "", least=NAMED["margin"].least, most=NAMED["margin"].most)


def _ruled_field(label: str) -> ShiftField:
    return ShiftField(label, option=_RULED, optional=True)


def _edge_field(edge: str) -> ShiftField:
    return ShiftField(f"Smallest whole number at the {edge}", option=_EDGE, optional=True)


class _Named(forms.Form):
    """The fields for a printer's name and for the duplex mode of its sheet."""

    name = forms.CharField(
        label="Printer",
        max_length=60,
        error_messages={"required": "Name the printer, so that you know it again."},
    )
    way = forms.TypedChoiceField(
        label="How its pages lay, and how the paper was turned",
        choices=MODE_CHOICES,
        coerce=duplex_mode_named,
        error_messages={"required": "Say how the sheet was printed: side B says it on top."},
    )

    def clean_name(self) -> str:
        """The name in one line. Raises ValidationError for characters that the sheet cannot print."""
        name = clean_name(self.cleaned_data["name"])
        if missing := fonts.missing(name):
            raise ValidationError(f"The sheet cannot print {' '.join(missing)}: use other letters.")
        return name


# Form field -> field of ``Measured`` (printing/layout/true_size.py). The form has a strip called "top", so
# the distance from the top edge is called "top_edge" in it.
_MEASURED = {"high": "high", "wide": "wide", "upper": "upper", "lower": "lower", "top_edge": "top"}
# The fields of the unprintable margins.
EDGES = ("above", "right", "below", "left")


class AgainForm(forms.Form):
    """The readings of a sheet of a printer that is known already."""

    top = ShiftField("Strip 1, at the top")
    foot = ShiftField("Strip 2, at the foot")
    middle = ShiftField("Strip 3, in the middle")

    high = _ruled_field("Length of line a")
    wide = _ruled_field("Length of line b")
    upper = _ruled_field("From the edge to the upper end of line a")
    lower = _ruled_field("From the edge to the lower end of line a")
    top_edge = _ruled_field("From the top edge to line b")
    above = _edge_field("top")
    right = _edge_field("right")
    below = _edge_field("foot")
    left = _edge_field("left")

    @property
    def read_fields(self) -> list[forms.BoundField]:
        """The three fields of the strips."""
        return [self[name] for name in Readings._fields]

    @property
    def ruled_fields(self) -> list[forms.BoundField]:
        """The fields of lengths measured with a ruler, and of the unprintable margins."""
        return [self[name] for name in (*_MEASURED, *EDGES)]

    @property
    def ruled(self) -> bool:
        """True if any of ``ruled_fields`` is filled in or wrong, so that the page shows them unfolded."""
        return any(field.value() or field.errors for field in self.ruled_fields)

    def clean(self) -> None:
        """Check that all four margins are given, or none. Of a wrong one, its own error is enough."""
        super().clean()
        missing = [name for name in EDGES if self.cleaned_data.get(name) is None]
        if 0 < len(missing) < len(EDGES) and missing[0] not in self.errors:
            self.add_error(missing[0], "Read all four edges, or leave all four empty.")


class ReadingForm(AgainForm, _Named):
    """The readings of the sheet of a new printer, with its name, mode and paper."""

    paper = forms.CharField(label="Paper", max_length=MAX_WORDS)

    def clean_paper(self) -> str:
        """The slug of the paper: ``a4``, or ``210x300`` for a size without a name."""
        try:
            return read_paper(self.cleaned_data["paper"]).slug
        except NoSize as error:
            raise ValidationError(f"{error}.") from None


class ShiftForm(_Named):
    """A printer's name and corrections, typed in directly instead of read from a sheet."""

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
        """The fields that correct both sides."""
        return [self[name] for name in ("front_x", "front_y", "front_turn", "scale_x", "scale_y", "margin")]

    def columns(self) -> dict[str, Any]:
        """The values for the columns of a PrinterCalibration. ``scale_x`` 10040, in hundredths of a per cent,
        becomes ``wider`` 40; ``way`` becomes ``edge`` and ``landscape``.
        """
        columns = dict(self.cleaned_data)
        mode = columns.pop("way")
        wider, higher = ((columns.pop(name) or WHOLE) - WHOLE for name in ("scale_x", "scale_y"))
        # The form's percentages are for upright paper, the columns for the orientation of the sheet.
        columns["wider"], columns["higher"] = (higher, wider) if mode.landscape else (wider, higher)
        columns |= {name: columns[name] or 0 for name in ("front_x", "front_y", "front_turn")}
        columns["margin"] = NAMED["margin"].words(columns["margin"]) if columns["margin"] else ""
        return columns | mode._asdict()


@transaction.atomic
def save_reading(viewer: Viewer, row: PrinterCalibration, form: AgainForm) -> PrinterCalibration | None:
    """Add the readings of a valid form to the corrections of a printer, and store it. Return the printer, or
    None after adding an error to the form: the readings are out of reach, or there are too many printers.
    """
    rows, data = PrinterCalibration.objects.of(viewer), form.cleaned_data
    if row.pk:
        # Locked and read again, because readings are added to what is stored now.
        row = rows.select_for_update().get(pk=row.pk)
    paper = lying(read_paper(row.paper), row.landscape)
    readings = Readings(*(data[name] for name in Readings._fields))
    ruled = Measured(**{place: data[name] for name, place in _MEASURED.items()})
    try:
        back = stacked(row.shift, measured(readings, paper))
        front = stacked(row.front, ruled_for(paper, row.mode.edge).shift(ruled))
    except OutOfReach as error:
        form.add_error("top", f"{str(error).capitalize()}.")
        return None
    # Backs are only shifted and turned; stretching is a correction of both sides.
    row.x, row.y, row.turn = back.x, back.y, back.turn
    row.front_x, row.front_y, row.front_turn, row.wider, row.higher = front
    edges = [data[name] for name in EDGES]
    if None not in edges:
        row.margin = NAMED["margin"].words(upright_margins(edges, row.landscape))
    if not row.pk and rows.count() >= MAX_PRINTERS:
        form.add_error("name", f"You have {MAX_PRINTERS} printers, which is the most. Delete one first.")
        return None
    row.save()
    return row


@private_form
def calibration_page(request: HttpRequest) -> HttpResponse:
    """Show the sheet to print, the form for its readings, and one's printers. A POST adds a printer."""
    mode = _asked_mode(request)
    try:
        # The print page links here with its own paper and mode.
        chosen = read_paper(request.GET.get("paper", "")[:MAX_WORDS] or "a4")
    except NoSize:
        chosen = PAPERS["a4"]
    initial = {"paper": chosen.slug, "way": mode.slug}
    form = ReadingForm(request.POST or None, initial=initial)
    if form.is_valid():
        owner, data = owner_of(request), form.cleaned_data
        row = PrinterCalibration(
            **owned_by(owner), **data["way"]._asdict(), name=data["name"], paper=data["paper"]
        )
        if saved := save_reading(owner, row, form):
            next_step = "Print the sheet again with it: all strips should read 0."
            messages.success(request, f"{saved.name} is saved. {next_step}")
            return redirect("calibration_printer", saved.pk)
    viewer = viewer_of(request)
    context = {
        "form": form,
        "printers": [_printer(row) for row in PrinterCalibration.objects.of(viewer)],
        "initial": initial,
        "papers": (PAPERS | {chosen.slug: chosen}).values(),
    }
    # A valid POST has ended in a redirect.
    status = 400 if request.method == "POST" else 200
    return render(request, "printing/calibration/calibration.html", context, status=status)


def upright_margins(edges: Sequence[int], landscape: bool) -> tuple[int, int, int, int]:
    """Convert the margins of a sheet (top, right, foot, left) to those of upright paper.

    Printers turn a landscape page either way, so it is unknown which of two opposite edges is which: both get
    the larger margin.
    """
    above, right, below, left = edges
    ends, sides = max(left, right), max(above, below)
    return (ends, sides, ends, sides) if landscape else (above, right, below, left)


def _printer_or_404(request: HttpRequest, pk: int) -> PrinterCalibration:
    return get_object_or_404(PrinterCalibration.objects.of(viewer_of(request)), pk=pk)


@private_form
def printer_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one printer: its sheet, a form for a further reading, and a form for its numbers."""
    row = _printer_or_404(request, pk)
    sent = request.POST if request.method == "POST" else None
    is_reading = sent is not None and sent.get("what") == "reading"
    again = AgainForm(sent if is_reading else None)
    # The form by hand has the options of the printer, with ``back_x`` called ``x`` and so on.
    words = {**NOT_MOVED, **options_of(row)}
    initial = {**words, "name": row.name, "way": row.mode.slug}
    initial |= {name: words[f"back_{name}"] for name in ("x", "y", "turn")}
    by_hand = ShiftForm(None if is_reading else sent, initial=initial)
    if again.is_valid() and save_reading(viewer_of(request), row, again):
        messages.success(request, "Added to what was measured before.")
        return redirect("calibration_printer", pk)
    if by_hand.is_valid():
        PrinterCalibration.objects.stored(row).update(**by_hand.columns())
        messages.success(request, "Saved.")
        return redirect("calibration_printer", pk)
    context = {"printer": _printer(row), "again": again, "form": by_hand}
    status = 200 if sent is None else 400
    return render(request, "printing/calibration/printer.html", context, status=status)


@private_action
def delete_printer(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a printer."""
    row = _printer_or_404(request, pk)
    row.delete()
    messages.success(request, f"{row.name} is deleted.")
    return redirect("calibration")


@private_page
@counted_as_work()
def sheet(request: HttpRequest) -> HttpResponse:
    """Send the calibration sheet as PDF: of the paper ``?paper=`` uncorrected, or of ``?printer=`` with the
    shifts measured so far.
    """
    if printer := request.GET.get("printer", ""):
        # No printer has the id 0.
        row = _printer_or_404(request, whole_number(printer) or 0)
        mode, name = row.mode, row.name
    else:
        mode, name = _asked_mode(request), ""
        row = PrinterCalibration(paper=request.GET.get("paper", "")[:MAX_WORDS] or "a4")
    try:
        paper = lying(read_paper(row.paper), mode.landscape)
    except NoSize as error:
        reason = Refused(Fault("bad_paper", f"{error}."))
        return refusal(request, reason, "There is no such paper", "Go back and choose one.")
    sides = calibration_sheet(paper, row.shift, mode.edge, name, row.front)
    about = About(
        f"Calibration sheet, {paper.name}",
        "Two sides: how far a printer puts backs beside fronts",
        duplex=mode.edge,
        labels=True,
        # No words for screen readers, because the sheet is for measuring by eye.
        read_aloud=False,
    )
    filename = "-".join(filter(None, ("calibration", paper.slug, mode.slug, slugify(name)[:40]))) + ".pdf"
    headers = {"Content-Disposition": content_disposition_header(True, filename) or "attachment"}
    data = make_pdf(paper.lengths, sides, about)
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def _asked_mode(request: HttpRequest) -> DuplexMode:
    """The duplex mode that ``?way=`` names, else the usual one."""
    return duplex_mode_named(request.GET.get("way", "")) or DuplexMode()


def _printer(row: PrinterCalibration) -> dict[str, Any]:
    """A printer in words, for templates."""
    return {
        "pk": row.pk,
        "name": row.name,
        "paper": row.paper_name,
        "way": row.mode.words,
        "brief": row.mode.brief,
        "moved": in_words(row.shift),
        "fronts": in_words(row.front),
        "margin": row.margin,
        "print_address": f"{reverse('print')}?{urlencode(options_of(row))}",
    }
