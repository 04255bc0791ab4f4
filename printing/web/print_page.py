"""The print page as one object, whose attributes its template shows: the form, what is wrong, and what the
print comes to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.text import plural, some
from printing.exports.estimate import Estimate, estimate
from printing.exports.export import sheets_are_big
from printing.exports.parts import part_remarks
from printing.job.job import Job
from printing.job.pictures import SoftPicture
from printing.layout import margins
from printing.layout.imposition import mode_to_calibrate
from printing.models import PrinterCalibration
from printing.options.sizes import INCH, MM
from printing.options.table import NAMED
from printing.options.values import CannotPrint
from printing.render.preview import shown_sides
from printing.request.assembly import NOTHING_LACKS
from printing.request.card_fields import CopyRow, copy_rows, out_of_date
from printing.request.lists import refused
from printing.request.presets import PRESETS, applied
from printing.request.print_request import OWN, ParsedFields, PrintRequest, stated
from printing.request.printers import printer_with
from printing.request.saved_settings import SavedSettings, lasting
from printing.request.selection import all_of
from printing.web.card_menus import CardMenu, CardMenus, LeftOut, Pick
from printing.web.form import Form, SeveralDecks, form_for, several_decks, with_advice

CANNOT_PRINT = "This cannot be printed yet"
# The spaces of “63.5 × 88.9 mm” and of “300 ppi”.
_WITHIN_SIZES = re.compile(r"(?<=\d) (?=×|mm\b|ppi\b)|(?<=×) (?=\d)")


class DrawnSide(NamedTuple):
    """One side of a sheet: its picture with the places of its cards, and the names of its cards row by
    row.
    """

    svg: SafeString
    title: str
    rows: tuple[tuple[str, ...], ...]
    paper: tuple[int, int]
    picks: tuple[Pick, ...]


class PresetButton(NamedTuple):
    """A preset as a button names it. ``chosen``: the print has these settings."""

    value: str
    name: str
    help: str
    chosen: bool


class CopyTable(NamedTuple):
    """How often each card is printed. ``anew``: the table that the browser has must give way to this one."""

    rows: tuple[CopyRow, ...] = ()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a print comes to: its job, in words and in numbers, and one sheet of it.

    ``calibrate``: where a calibration sheet of this job's kind is to be had, if backs are moved by what was
    read from another kind. ``before`` and ``after`` are the addresses of the neighbouring sheets; ``chosen``
    is the request as fields of a form.
    """

    job: Job
    in_short: str
    kind: str
    estimate: Estimate
    details: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    soft: tuple[SoftPicture, ...]
    instructions: tuple[tuple[str, str], ...]
    calibrate: str
    big: bool
    sheet: int
    before: str
    after: str
    sides: tuple[DrawnSide, ...]
    menus: tuple[CardMenu, ...]
    left_out: tuple[LeftOut, ...]
    chosen: tuple[tuple[str, str], ...]

    @property
    def remarked(self) -> str:
        """How much there is to be said of the print, as words that lead there; empty where there is
        nothing.
        """
        parts = (
            some(len(self.soft), "soft picture") if self.soft else "",
            some(len(self.remarks), "remark") if self.remarks else "",
        )
        return " and ".join(filter(None, parts))

    @classmethod
    def of(cls, print_request: PrintRequest, job: Job) -> Outcome:
        """The outcome, with the sheet that the request names, or the last one there is. Raises Refused."""
        fields, options = print_request.fields, job.options
        sheet = min(fields.sheet, job.sheets)
        try:
            sides = shown_sides(job, sheet)
        except CannotPrint as error:
            raise refused(error) from None
        cards = CardMenus(print_request.selections, options)
        picks = [cards.picks(side) for side in sides]
        return cls(
            job=job,
            in_short=unbroken(job.extent()),
            estimate=estimate(job),
            kind=job.content_type.rpartition("/")[2].upper(),
            details=tuple(job.details()),
            remarks=(*part_remarks(job), *job.remarks()),
            soft=tuple(job.soft),
            instructions=instructions(job),
            calibrate=_calibration(job),
            big=sheets_are_big(job),
            sheet=sheet,
            before=fields.query(options, sheet - 1) if sheet > 1 else "",
            after=fields.query(options, sheet + 1) if sheet < job.sheets else "",
            # Made by printing.render.preview, which escapes every word in it.
            sides=tuple(
                DrawnSide(mark_safe(side.svg), side.title, side.rows, side.paper, own)  # noqa: S308 (ours)
                for side, own in zip(sides, picks, strict=True)
            ),
            menus=cards.menus(pick for own in picks for pick in own),
            left_out=cards.left_out(),
            chosen=(*fields.subject, *stated(options).items()),
        )


@dataclass(frozen=True)
class PrintPage:
    """The page of a request that was read as far as possible. A part of it that is not shown costs nothing.

    ``live``: the outcome alone is shown, in the place of the one that the browser has. ``kept_words``: on the
    page of a request that names no cards, the settings that are kept for the next print.
    """

    parsed: ParsedFields
    saved: SavedSettings
    outcome: Outcome | None = None
    refusal: Refused | None = None
    title: str = CANNOT_PRINT
    live: bool = False
    without_cards: bool = False
    has_jobs: bool = False
    kept_words: tuple[str, ...] = ()

    # -- what is wrong ------------------------------------------------------------------

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(map(with_advice, self.refusal.faults)) if self.refusal else ()

    @property
    def fault_title(self) -> str:
        return "Nothing lacks" if self.nothing_lacks else self.title

    @property
    def nothing_lacks(self) -> bool:
        """Whether nothing is printed because the visitor owns all of it, which is good news."""
        return bool(self.faults) and all(fault.code == NOTHING_LACKS for fault in self.faults)

    @property
    def print_all(self) -> str:
        """Where nothing lacks: the address that prints all of it."""
        result = self.parsed.result
        if isinstance(result, Refused):
            return ""
        return self.parsed.fields.query(all_of(result.options, result.lists.lists))

    @property
    def prints(self) -> bool:
        """Whether the place of the outcome shows one, and not what is wrong."""
        return self.outcome is not None and not (self.live and self.faults)

    @property
    def option_names(self) -> frozenset[str]:
        """The fields of the form, to which a fault may lead."""
        return frozenset(NAMED)

    # -- what is printed ----------------------------------------------------------------

    @property
    def by_address(self) -> bool:
        """Whether an address says all of it: no list was pasted."""
        return not self.parsed.fields.pasted

    @property
    def subject(self) -> list[tuple[str, str]]:
        """Which cards, as fields of a form."""
        return self.parsed.fields.subject

    @property
    def text(self) -> str:
        """The pasted list; ``list_game`` and ``format`` are those it came with."""
        return self.parsed.fields.data.get("text", "")

    @property
    def list_game(self) -> str:
        """The game that the list was read as, also where it was guessed, so that it stays while settings and
        lines change.
        """
        return self._list_fields.get("game", "")

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The lines of the pasted list that are not printed, because they could not be read."""
        return self.parsed.lists.unread if self.parsed.lists else ()

    @property
    def format(self) -> str:
        return self._list_fields.get("format", "")

    @property
    def _list_fields(self) -> Mapping[str, str]:
        said = self.parsed.fields.data
        return self.parsed.lists.list_fields(said) if self.parsed.lists else said

    @property
    def heading(self) -> str:
        """What is printed, by name, also where it cannot be printed; empty where the lists cannot be read."""
        if self.parsed.lists is None:
            return ""
        names = list(dict.fromkeys(one.title or f"{one.game.name} cards" for one in self.parsed.lists.lists))
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"

    @property
    def back_to(self) -> str:
        """The page of the one thing that is printed."""
        lists = self.parsed.lists.lists if self.parsed.lists else ()
        return lists[0].page if len(lists) == 1 else ""

    @property
    def cards_to_come(self) -> bool:
        """Whether the decks have no cards yet."""
        lists = self.parsed.lists
        return lists is not None and self.by_address and not any(one.deck.entries for one in lists.lists)

    # -- the form -----------------------------------------------------------------------

    @property
    def has_form(self) -> bool:
        return not self.without_cards and bool(self.outcome or self.text or self.subject)

    @cached_property
    def form(self) -> Form:
        return form_for(self.parsed, self.faults, self.table.rows)

    @cached_property
    def table(self) -> CopyTable:
        """The table of single cards. While the cards cannot be printed it stays as it was sent, because
        nobody knows the copies.
        """
        lists, sent, result = self.parsed.lists, self.parsed.fields.table, self.parsed.result
        if lists is None:
            return CopyTable()
        chosen = None if self.outcome is None or isinstance(result, Refused) else result.selections
        rows = copy_rows(lists.lists, chosen, sent)
        return CopyTable(rows, chosen is not None and bool(sent) and out_of_date(rows, sent))

    @property
    def counts(self) -> str:
        """The option with the numbers of single cards."""
        return self.parsed.form_words.get("counts", "")

    @property
    def printers(self) -> list[PrinterCalibration]:
        return self.parsed.fields.printers

    @cached_property
    def printer(self) -> str:
        """The number of the printer whose settings are chosen."""
        return printer_with(self.printers, self.parsed.form_words)

    @cached_property
    def several(self) -> SeveralDecks:
        return several_decks(self.parsed)

    @property
    def presets(self) -> list[PresetButton]:
        job, paper = self.outcome.job if self.outcome else None, self.saved.sheet_paper
        return [
            PresetButton(
                one.slug,
                one.name,
                one.help,
                job is not None and applied(one, job.options, paper, job.game.trim) == job.options,
            )
            for one in PRESETS
        ]

    @property
    def own_presets(self) -> list[PresetButton]:
        """The settings that the visitor keeps under names."""
        now = lasting(stated(self.outcome.job.options)) if self.outcome else None
        return [
            PresetButton(f"{OWN}{name}", name, "Your own.", now == lasting(own))
            for name, own in self.saved.own
        ]


def unbroken(sentence: str) -> str:
    """The sentence with spaces inside its sizes that no line breaks at."""
    return _WITHIN_SIZES.sub("\N{NO-BREAK SPACE}", sentence)


def _calibration(job: Job) -> str:
    way = mode_to_calibrate([part.layout for part in job.parts], job.options)
    return (
        f"{reverse('calibration')}?{urlencode({'paper': job.options.paper.slug, 'way': way.slug})}#print"
        if way
        else ""
    )


def instructions(job: Job) -> tuple[tuple[str, str], ...]:
    """What to choose in the printer's dialog: (what the dialog calls it, what to choose)."""
    options, layout = job.options, job.layout
    bars = margins.furnished(layout, options, job.extras.codes)[1]
    if bars:
        lengths = " and ".join(bar.label for bar in bars)
        first = f"Print one, then lay a ruler on the {plural(len(bars), 'scale bar')}: {lengths}."
    else:
        width = job.size[0]
        first = f"Print one, then measure a card: it is {width / MM:g} mm ({width / INCH:.2f} in) wide."
    return (
        ("Paper", f"{options.paper.name}, {'landscape' if layout.landscape else 'portrait'}."),
        (
            "Scale",
            "100 %, “actual size” or “no scaling”. Never “fit” or “shrink”: cards would come out too small.",
        ),
        ("Two-sided", _two_sided(job)),
        *(
            [("Colour", "Greys or black and white: the sheets have no colours.")]
            if options.ink == "grey"
            else []
        ),
        ("First sheet", first),
    )


def _two_sided(job: Job) -> str:
    options = job.options
    if options.backs == "gutterfold":
        return "Off. Fold along the dashed line, glue, let it dry, then cut."
    if options.apart:
        return "Off. Print the fronts, lay the stack back in, then print the backs from the other file."
    if options.flip and options.side == "both":
        return f"On, turned over the {options.flip} edge (“{options.flip}-edge binding”)."
    return "Off."
