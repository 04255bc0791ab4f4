"""What a request says is to be printed, and its address in the one form there is for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, QueryDict

from cardsdb.games.kit.model.text import whole_number
from cardsdb.site.faults import Fault, Refused
from decks.identity.viewer import Viewer, viewer_of
from printing.job.job import Job
from printing.layout.calibration import NOT_MOVED
from printing.models import PrinterCalibration
from printing.options.copies import copies_in
from printing.options.values import NAMED, USUAL, CannotPrint, Options, read_options
from printing.request import card_fields
from printing.request.assembly import assembled
from printing.request.lists import PrintLists, parse_lists, refused
from printing.request.presets import applied, preset_named
from printing.request.printers import calibrations_of, options_of
from printing.request.saved_settings import OF_ONE_PRINT, SavedSettings, saved_settings
from printing.request.selection import Selection, select

# The fields that say which cards; they stay in the address beside the options.
SUBJECT = ("deck", "card")
LIST_FIELDS = ("game", "format", "text")
OTHER = "other"
# A deck that is in the address and is to be in it no longer: what a button of the page says.
WITHOUT = "without"
# May stand in an address as they are.
_PLAIN = ",=:/"
# Before the name of a preset that is the visitor's own.
OWN = "own:"
MAX_SHEETS = 10_000


@dataclass(frozen=True)
class PrintRequest:
    """The fields of a request. No property raises; each method that parses or assembles says what it raises.

    ``pasted``: there is a pasted list among the cards, which no address holds. ``kept``: what this browser printed with last
    holds for a request that says nothing of options. ``root``: the site's address without a path.
    """

    given: QueryDict
    pasted: bool
    viewer: Viewer
    kept: SavedSettings
    root: str = ""

    @classmethod
    def of(cls, request: HttpRequest, *, here: bool = False) -> PrintRequest:
        """The print request of a page's address or form.

        Only ``here``, on the page with the form, do saved settings stand in for unsaid ones: the bare address of a file leads
        everybody to the same file.
        """
        given = request.POST if request.method == "POST" else request.GET
        pasted = request.method == "POST" and "text" in given
        saved = saved_settings(request)
        kept = saved if here else replace(saved, last={})
        return cls(given, pasted, viewer_of(request), kept, request.build_absolute_uri("/"))

    @property
    def empty(self) -> bool:
        """Whether it names no cards at all."""
        return not (self.subject or (self.pasted and self.given.get("text")))

    @property
    def subject(self) -> list[tuple[str, str]]:
        """Which cards, as fields of an address."""
        said = [(name, value) for name in SUBJECT for value in self.given.getlist(name) if value]
        if not (out := set(self.given.getlist(WITHOUT))):
            return said
        parts = [(name, part) for name, value in said for part in (value.split(",") if name == "deck" else (value,))]
        return [(name, part) for name, part in parts if name != "deck" or part not in out]

    @property
    def cards(self) -> QueryDict:
        """The same and the pasted list, as the fields of a request that says nothing else."""
        said = QueryDict(mutable=True)
        for name, value in self.subject:
            said.appendlist(name, value)
        for name in LIST_FIELDS if self.pasted else ():
            said.setlist(name, self.given.getlist(name))
        return said

    @property
    def stated(self) -> bool:
        """Whether it says anything of options. Then what it leaves out is as usual for everybody."""
        return any(name in self.given for name in NAMED) or any(name in self.given for name in ("preset", "printer"))

    def parse_words(self) -> dict[str, str]:
        """The options in the words of the request, as far as it says any. Raises Refused or Http404."""
        return self._words

    @cached_property
    def _words(self) -> dict[str, str]:
        if not self.stated:
            return dict(self.kept.last)
        said = {name: self.given[name] for name in NAMED if name in self.given}
        # Boxes of one name, of which several may be ticked.
        said |= {name: ",".join(self.given.getlist(name)) for name in said if NAMED[name].kind == "several"}
        for name in said:
            if NAMED[name].kind == "size" and said[name] == OTHER:
                said[name] = self.given.get(f"{name}_{OTHER}", "").strip() or OTHER
        said |= self._cards_chosen(said)
        if self.printer_chosen:
            said |= self._of_printer(self.given["printer"])
        wanted = self.given.get("preset", "")
        if wanted.startswith(OWN):
            own = dict(self.kept.own).get(wanted.removeprefix(OWN))
            return said if own is None else {**own, **{name: said[name] for name in said if name in OF_ONE_PRINT}}
        preset = preset_named(wanted)
        return applied(preset, _options_or_usual(said), self.kept.last, self.parse_lists().game.trim).query() if preset else said

    def _cards_chosen(self, said: dict[str, str]) -> dict[str, str]:
        """Sections that were ticked and copies that were changed, each in the one way there is to write it."""
        try:
            lists = self.parse_lists().lists
        except Refused:
            return {}
        found = {}
        if "only" in said:
            *ticked, typed = self.given.getlist("only")
            found["only"] = card_fields.only_option(ticked, typed, lists)
        if self.given.get(WITHOUT) and "counts" in said:
            found["counts"] = card_fields.counts_of_cards_there(said["counts"], lists)
        rows = self.table_sent
        if any(row.changed for row in rows.values()):
            options = _options_or_usual({**said, **found, "counts": ""})
            try:
                otherwise = copies_in(one.entries for one in select(lists, options, self.viewer))
            except Refused:
                otherwise = copies_in(())
            found["counts"] = card_fields.counts_option(found.get("counts", said.get("counts", "")), rows, lists, otherwise)
        return found

    @cached_property
    def table_sent(self) -> dict[str, card_fields.SentRow]:
        """What came back of the table of single cards."""
        return card_fields.rows_sent(self.given)

    @property
    def printer_chosen(self) -> bool:
        """Whether another printer was chosen than the form had, so that it fills in other fields."""
        return "printer" in self.given and self.given["printer"] != self.given.get("printer_was", "")

    @property
    def size_awaited(self) -> bool:
        """Whether another size is to be written and is not yet."""
        sizes = (name for name in NAMED if NAMED[name].kind == "size")
        return any(self.given.get(name) == OTHER and not self.given.get(f"{name}_{OTHER}", "").strip() for name in sizes)

    @cached_property
    def printers(self) -> list[PrinterCalibration]:
        """The printers that the visitor has measured."""
        return list(calibrations_of(self.viewer))

    def _of_printer(self, number: str) -> dict[str, str]:
        """What the printer fills in; without one backs are not moved."""
        if not number:
            return dict(NOT_MOVED)
        row = next((row for row in self.printers if str(row.pk) == number), None)
        if row is None:
            raise Refused(Fault("unknown_printer", "This printer is no longer kept: choose another.", "printer"))
        return {**NOT_MOVED, **options_of(row)}

    @property
    def words_or_usual(self) -> Mapping[str, str]:
        """The same, also where the cards that a preset goes by cannot be read."""
        try:
            return self._words
        except (Refused, Http404):
            return self.kept.last

    def parse_lists(self) -> PrintLists:
        """The lists to print from. Raises Refused or Http404."""
        if isinstance(self._lists, Refused):
            raise self._lists
        return self._lists

    @cached_property
    def _lists(self) -> PrintLists | Refused:
        """The refusal is cached as well: a page needs the lists in many places, and thousands of lines are not read in each."""
        try:
            return parse_lists(self.cards, self.viewer)
        except Refused as error:
            return error

    def parse_options(self) -> Options:
        """The options of the print. Raises Refused or Http404."""
        return self._options

    @cached_property
    def _options(self) -> Options:
        try:
            return read_options(self._words)
        except CannotPrint as error:
            raise refused(error) from None

    def selections(self) -> tuple[Selection, ...]:
        """What of each list is printed. Raises Refused or Http404."""
        return self._selections

    @cached_property
    def _selections(self) -> tuple[Selection, ...]:
        return select(self.parse_lists().lists, self.parse_options(), self.viewer)

    def job(self) -> Job:
        """The sheets, assembled once. Raises Refused or Http404."""
        return self._job

    @cached_property
    def _job(self) -> Job:
        return self.job_with(self.parse_options())

    def job_with(self, options: Options) -> Job:
        """What was chosen, printed with these options. Raises Refused or Http404."""
        try:
            return assembled(self.selections(), options, self.viewer, self.root.rstrip("/"))
        except CannotPrint as error:
            raise refused(error) from None

    @property
    def sheet(self) -> int:
        """The sheet to be looked at, from 1; what is no number is the first."""
        return min(whole_number(self.given.get("sheet", "")) or 1, MAX_SHEETS)

    @property
    def as_remembered(self) -> str:
        """The whole address for a request that says nothing of options; empty where what is remembered is as usual for everybody."""
        options = _options_or_usual(self.kept.last)
        return "" if options == USUAL else self.query(options, self.sheet)

    def query(self, options: Options, sheet: int = 1) -> str:
        """The address of a print with these options: which cards, the paper, and what else differs from the default."""
        said = [*self.subject, *stated(options).items(), *([("sheet", str(sheet))] if sheet > 1 else [])]
        return in_address(said)


def in_address(fields: Iterable[tuple[str, str]]) -> str:
    """The fields as an address has them, as readable as may be."""
    return urlencode(tuple(fields), safe=_PLAIN)


def stated(options: Options) -> dict[str, str]:
    """The paper, and what else differs from the default: settings that say themselves."""
    return {"paper": options.paper.slug, **options.query()}


def _options_or_usual(words: Mapping[str, str]) -> Options:
    try:
        return read_options(words)
    except CannotPrint:
        return USUAL
