"""Groups of print options that are used again: presets, calibrated printers, and settings that a browser
keeps. ``print_request.py`` applies them, ``printing/web`` shows and saves them.

To add a preset, add an entry to ``PRESETS``. The settings of a browser (those of its last print, and those
saved under a name) are in one signed cookie that is sent to the print pages only. They are not secret, and
visitors need no row in the database for them. Settings are strings as in a URL, ``{"gap": "2"}``, read by
``read_options``; other files call them the options "in words".
Tests: ``tests/printing/request/test_settings.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase

from cardsdb.faults import Fault, Refused
from cardsdb.site.middleware import SignedCookie
from decks.web.forms import clean_name
from printing.layout.calibration import NOT_MOVED, back_options
from printing.layout.marks import REGISTRATION_KINDS
from printing.models import PrinterCalibration
from printing.options.sizes import (
    INCH,
    MIN_PAPER,
    PAPERS,
    SLEEVE,
    STOCKS,
    TRIMS,
    cutter_template,
    read_paper,
    shown,
)
from printing.options.values import NAMED, Options, read_options

# The bleed that print services ask for, in micrometres.
SERVICE_BLEED = INCH // 8
COOKIE = SignedCookie("printing", "printing.page.remembered", "/print/")
# Named settings of one browser.
MAX_PRESETS = 10
# Characters of such a name.
MAX_NAME = 40
# Characters of the fields that name the last printed cards. Longer ones are not kept in the cookie.
MAX_SUBJECT = 300
# Countries that use letter paper, as they appear in a language tag such as en-US.
LETTER = {"us", "ca", "mx", "ph", "cl", "co"}
# Options that hold for one print alone, and are not kept: which cards, which side of the paper, which slots.
OF_ONE_PRINT = frozenset(
    name for name, option in NAMED.items() if option.group in ("Choosing cards", "Places")
) | {"side"}

Settings = Mapping[str, str]


@dataclass(frozen=True)
class Preset:
    """A named group of settings. ``settings`` has the options that it changes, as words; all others stay.
    ``one_card``: True if the paper is as large as one card with its bleed.
    """

    name: str
    help: str
    settings: Settings
    one_card: bool = False


def _usual(names: str) -> dict[str, str]:
    """The defaults of these options, named with spaces between them: settings that reset them."""
    return {name: NAMED[name].default for name in names.split()}


_CLOSE = _usual("gap gap_y")
_BLED_OUTSIDE = {"bleed": "2", "bleed_where": "outside"}
# The gap in mm for card sizes without a template of silhouette-card-maker.
_CUTTER_GAP = "1.25"
# What the preset "service" changes for its pages of one card. Another preset resets it on its way back to
# sheets with several cards.
_OF_SHEETS = _usual("margin marks header style bleed bleed_where")

PRESETS = {
    "usual": Preset(
        "Usual settings",
        "Card beside card, marks in the margins, fronts only, in light ink.",
        _usual(
            "gap gap_y bleed bleed_where trim orientation corner marks cut_order backs side style block"
            " left top turn"
        ),
    ),
    "scissors": Preset(
        "Cut with scissors",
        "2 mm between cards, so that each cut has room to miss.",
        {"gap": "2", **_usual("gap_y marks cut_order bleed bleed_where")},
    ),
    "guillotine": Preset(
        "Guillotine, edge to edge",
        "Lines across the whole sheet, no gaps: one cut serves two cards. Cuts are numbered, as few as"
        " can be.",
        {**_CLOSE, "marks": "edges", "cut_order": "yes", **_BLED_OUTSIDE},
    ),
    "silhouette": Preset(
        "Silhouette cutter",
        "Three registration marks, and cards as far apart as silhouette-card-maker’s template for their"
        " size and paper has them; the sheet names it.",
        {
            "gap": _CUTTER_GAP,
            **_usual("gap_y cut_order bleed bleed_where block left top turn"),
            "marks": "registration3",
            "orientation": "landscape",
            "corner": "3",
        },
    ),
    "duplex": Preset(
        "Duplex, long edge",
        "Backs on the other side; bleed round the block hides a small shift.",
        {"backs": "long", "side": "both", **_BLED_OUTSIDE},
    ),
    "fold": Preset(
        "Fold and glue",
        "Backs beside the fronts: no printer has to hit the other side.",
        {"backs": "gutterfold", "side": "both", **_usual("block left top turn")},
    ),
    "test": Preset(
        "Test print",
        "Outlines and marks only: try paper and printer before ink is spent.",
        {"style": "outline"},
    ),
    "saver": Preset("Ink saver", "Words and lines, no fills and no art.", {"style": "saver"}),
    "service": Preset(
        "Print shop, one card a page",
        "Each page is one card with 1/8 in of bleed, without marks and words.",
        {
            "margin": "0",
            "marks": "none",
            "header": "no",
            "bleed": shown(SERVICE_BLEED),
            "bleed_where": "outside",
            "style": "full",
            **_usual("block left top turn orientation"),
        },
        one_card=True,
    ),
    **{
        slug: Preset(
            stock["name"],
            stock["help"],
            {**_CLOSE, **_usual("bleed bleed_where backs sleeves"), **stock["settings"]},
        )
        for slug, stock in STOCKS.items()
    },
}


def is_one_card(options: Options) -> bool:
    """True if the paper is a page for one card: not a named paper, and smaller than two cards."""
    width, height = (options.trim or TRIMS["poker"]).lengths
    return (
        options.paper.slug not in PAPERS and options.paper.width * options.paper.height < 2 * width * height
    )


def applied(preset: Preset, now: Options, sheet_paper: str, trim: tuple[int, int]) -> Options:
    """Apply a preset to the options ``now``: its settings replace theirs, all others stay.

    - trim: the game's own card size, in micrometres, used unless ``now`` states another;
    - sheet_paper: the paper to return to from a page of one card, such as ``a4``.

    Two presets look at the paper and the card as well: "service" makes the paper as large as one card, and
    "silhouette" takes the gaps of the cutting template.
    """
    # From a page of one card every preset returns to sheets, except one that changes only the style.
    only_style = set(preset.settings) == {"style"}
    to_sheets = is_one_card(now) and not (preset.one_card or only_style)
    settings = {**(_OF_SHEETS if to_sheets else {}), **preset.settings}
    chosen = read_options(settings)
    options = replace(now, **{name: getattr(chosen, name) for name in settings})
    if to_sheets and "paper" not in settings:
        options = replace(options, paper=read_paper(sheet_paper))
    if preset.one_card:
        # The page is the card, smaller if it goes into a sleeve, with the bleed on all sides.
        more = 2 * SERVICE_BLEED - (SLEEVE if now.sleeves else 0)
        lengths = [max(length + more, MIN_PAPER) for length in (now.trim.lengths if now.trim else trim)]
        paper = read_paper("x".join(map(shown, lengths)))
        backs = "none" if options.backs == "gutterfold" else options.backs
        return replace(options, paper=paper, backs=backs)
    template = cutter_template(options.paper, options.trim.lengths if options.trim else trim)
    if template and preset.settings.get("marks") in REGISTRATION_KINDS:
        return replace(options, gap=template.gap, gap_y=template.gap_y)
    return options


# -- printers -------------------------------------------------------------------------


def options_of(row: PrinterCalibration) -> dict[str, str]:
    """The options that a calibrated printer sets, as words: paper, margins, the corrections of fronts and
    backs, and the duplex mode in which they were read.
    """
    margin = {"margin": row.margin} if row.margin else {}
    return {"paper": row.paper, **margin, **back_options(row.shift, row.mode, row.front)}


def words_of_printer(printers: Iterable[PrinterCalibration], number: str) -> dict[str, str]:
    """The options set by the printer with this id, as words; for an empty id, no corrections. Raises Refused
    if there is no such printer.
    """
    if not number:
        return dict(NOT_MOVED)
    row = next((row for row in printers if str(row.pk) == number), None)
    if row is None:
        raise Refused(Fault("unknown_printer", "This printer is no longer kept: choose another.", "printer"))
    return {**NOT_MOVED, **options_of(row)}


def printer_with(printers: Iterable[PrinterCalibration], words: Settings) -> str:
    """The id of the printer that would set exactly these options, as text; empty if there is none."""
    for row in printers:
        set_by_it = {**NOT_MOVED, **options_of(row)}
        # An option that ``words`` leave out has its default; ``paper`` and ``margin`` have none here.
        stated = {name: words.get(name) or NOT_MOVED.get(name, "") for name in set_by_it}
        if set_by_it == stated:
            return str(row.pk)
    return ""


def about_other_paper(printers: Iterable[PrinterCalibration], options: Options) -> Iterator[str]:
    """A sentence if the corrections in ``options``, which must have some, are those of a printer that was
    calibrated on other paper.
    """
    words, paper = options.query(), options.paper
    rows = [
        row for row in printers if printer_with([row], {**words, "paper": row.paper, "margin": row.margin})
    ]
    if rows and all(row.paper != paper.slug for row in rows):
        yield (
            f"“{rows[0].name}” was calibrated on {rows[0].paper_name}, and its corrections may be wrong on"
            f" {paper.name}: print the calibration sheet on this paper, too."
        )


# -- what a browser keeps --------------------------------------------------------------


@dataclass(frozen=True)
class SavedSettings:
    """The settings that a browser keeps in its cookie, immutable.

    - ``last``: the options of the last print: the paper, and those that differ from the default.
    - ``own``: (name, settings) of the settings that the visitor saved.
    - ``subject``: the last printed cards as fields of a URL, ``(("deck", "abc"),)``; empty for a pasted list.
    - ``sheet_paper``: the paper of the last print with several cards on a page.
    """

    last: Settings
    own: tuple[tuple[str, Settings], ...] = ()
    subject: tuple[tuple[str, str], ...] = ()
    sheet_paper: str = "a4"

    def printed(self, chosen: Settings, subject: tuple[tuple[str, str], ...]) -> "SavedSettings":
        """The settings after a print of ``subject`` with the settings ``chosen``, which must name the
        paper.
        """
        paper = self.sheet_paper if is_one_card(read_options(chosen)) else chosen["paper"]
        return replace(self, last=chosen, subject=subject, sheet_paper=paper)

    def without(self, name: str) -> "SavedSettings":
        """A copy without the own settings of this name."""
        return replace(self, own=tuple(pair for pair in self.own if pair[0] != name))

    def as_json(self) -> dict[str, Any]:
        """The content of the cookie. Options that hold for one print alone are left out."""
        return {
            "last": lasting(self.last),
            "own": [[name, lasting(own)] for name, own in self.own],
            "subject": self.subject if sum(len(value) for _, value in self.subject) <= MAX_SUBJECT else [],
            "paper": self.sheet_paper,
        }

    def kept_as(self, name: str, chosen: Settings) -> "SavedSettings":
        """A copy with settings saved under a name; they replace those of the same name. Raises Refused for a
        bad name, and if the cookie is full.
        """
        try:
            name = clean_name(name)
        except ValidationError:
            wanted = "a name of letters" if name else "a name"
            raise _bad_name("bad_name", f"Give the settings {wanted}.") from None
        if len(name) > MAX_NAME:
            raise _bad_name("too_long", f"A name has at most {MAX_NAME} letters.")
        others = tuple(pair for pair in self.own if pair[0].casefold() != name.casefold())
        if len(others) >= MAX_PRESETS:
            raise _bad_name(
                "too_many", f"You keep {MAX_PRESETS} settings already, which is the most. Delete some first."
            )
        more = replace(self, own=(*others, (name, dict(chosen))))
        if not COOKIE.fits(more.as_json()):
            raise _bad_name(
                "too_many", "Your settings no longer fit into this browser's memory. Delete some first."
            )
        return more


def _bad_name(code: str, sentence: str) -> Refused:
    return Refused(Fault(code, sentence, "name"))


def lasting(chosen: Settings) -> dict[str, str]:
    """The settings that are worth keeping for the next print, without those of OF_ONE_PRINT."""
    return {name: value for name, value in chosen.items() if name not in OF_ONE_PRINT}


def saved_settings(request: HttpRequest) -> SavedSettings:
    """Read the settings that this browser keeps. A cookie that was tampered with, or that cannot be read by
    this release, counts as none.
    """
    # A new visitor gets the paper of the country in the browser's first language: "en-US,en;q=0.9" -> letter.
    language = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0]
    _, dash, country = language.strip().casefold().rpartition("-")
    usual = {"paper": "letter" if dash and country in LETTER else "a4"}
    try:
        cookie = COOKIE.read(request)
        own = tuple((str(name), _checked(chosen)) for name, chosen in cookie["own"])
        subject = tuple((str(name), str(value)) for name, value in cookie.get("subject", ()))
        last = _checked(cookie["last"])
        # Cookies of earlier releases have no "paper". A page for one card is no paper for sheets.
        paper = _checked({"paper": cookie.get("paper", last.get("paper", ""))}).get("paper") or usual["paper"]
        if is_one_card(read_options({"paper": paper})):
            paper = usual["paper"]
        # Settings that this release cannot read are empty (``_checked``).
        still_read = tuple((name, chosen) for name, chosen in own if chosen)
        return SavedSettings(last or usual, still_read, subject, paper)
    except (KeyError, ValueError, TypeError, signing.BadSignature):
        return SavedSettings(usual, sheet_paper=usual["paper"])


def save_settings(response: HttpResponseBase, saved: SavedSettings) -> None:
    """Send the settings to the browser as a cookie, unless they are too large for one."""
    COOKIE.send(response, saved.as_json())


def _checked(chosen: Any) -> dict[str, str]:
    """Settings from a cookie; empty if they can no longer be read, because the options changed since."""
    try:
        words = {str(name): str(value) for name, value in dict(chosen).items()}
        read_options(words)
    except Refused:
        return {}
    return lasting(words)
