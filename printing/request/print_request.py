"""What a request asks to be printed: its fields as they came, how far they could be read, and the whole of it
as one value.

Fields are read once, by ``parse_fields``. Its value holds what is wrong, for a page that shows it beside the
form; whoever has no use for half a request calls ``PrintRequest.parse``, which raises instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict

from cardsdb.faults import Refused
from cardsdb.games.kit.model.text import whole_number
from cardsdb.identity.viewer import Viewer, viewer_of
from printing.job.job import Job
from printing.models import PrinterCalibration
from printing.options.copies import copies_in
from printing.options.values import NAMED, USUAL, CannotPrint, Options, read_options
from printing.request import card_fields
from printing.request.assembly import NOTHING, assembled
from printing.request.brought import Brought
from printing.request.lists import PrintLists, parse_lists, refused
from printing.request.presets import applied, preset_named
from printing.request.printers import calibrations_of, words_of_printer
from printing.request.saved_settings import OF_ONE_PRINT, SavedSettings
from printing.request.selection import Selection, select
from printing.request.settings_cookie import saved_settings

# The fields that name cards; they stay in the address beside the options.
SUBJECT = ("deck", "card", "starter")
LIST_FIELDS = ("game", "format", "text")
OTHER = "other"
# The field of a button that takes a deck out of the print.
WITHOUT = "without"
# May stand in an address as they are.
_PLAIN = ",=:/"
# Before the name of a preset that is the visitor's own.
OWN = "own:"
MAX_SHEETS = 10_000


@dataclass(frozen=True)
class PrintFields:
    """The fields of a request as they came, and who sent them. No property raises.

    ``pasted``: there is a pasted list among the cards, which no address holds. ``saved``: the settings of
    this browser's last print, which count for a request that names no options. ``root``: the site's address
    without a path. ``partly``: of a pasted list is printed what can be read, because whoever asks is shown
    what cannot.
    """

    data: MultiValueDict[str, str]
    pasted: bool
    viewer: Viewer
    root: str = ""
    saved: SavedSettings = field(default_factory=lambda: SavedSettings({}))
    partly: bool = False
    # Texts and pictures for this print alone.
    own: Brought = NOTHING

    @classmethod
    def of(cls, request: HttpRequest, *, here: bool = False) -> PrintFields:
        """The fields of a page's address or form.

        Saved settings count only ``here``, on the page with the form: the bare address of a file leads
        everybody to the same file.
        """
        data = request.POST if request.method == "POST" else request.GET
        pasted = request.method == "POST" and "text" in data
        saved = saved_settings(request)
        own = saved if here else replace(saved, last={})
        return cls(data, pasted, viewer_of(request), request.build_absolute_uri("/"), own, partly=True)

    @property
    def empty(self) -> bool:
        """Whether they name no cards at all."""
        return not (self.subject or (self.pasted and self.data.get("text")))

    @property
    def subject(self) -> list[tuple[str, str]]:
        """Which cards, as fields of an address."""
        named = [(name, value) for name in SUBJECT for value in self.data.getlist(name) if value]
        if not (removed := set(self.data.getlist(WITHOUT))):
            return named
        parts = [
            (name, part)
            for name, value in named
            for part in (value.split(",") if name == "deck" else (value,))
        ]
        return [(name, part) for name, part in parts if name != "deck" or part not in removed]

    @property
    def cards(self) -> MultiValueDict[str, str]:
        """The same and the pasted list, as the fields of a request that says nothing else."""
        cards = MultiValueDict[str, str]()
        for name, value in self.subject:
            cards.appendlist(name, value)
        for name in LIST_FIELDS if self.pasted else ():
            cards.setlist(name, self.data.getlist(name))
        return cards

    @property
    def stated(self) -> bool:
        """Whether they name any option. Then an option that they leave out has its usual value for
        everybody.
        """
        return any(name in self.data for name in NAMED) or any(
            name in self.data for name in ("preset", "printer")
        )

    @cached_property
    def table(self) -> dict[str, card_fields.SentRow]:
        """What came back of the table of single cards."""
        return card_fields.rows_sent(self.data)

    @property
    def printer_chosen(self) -> bool:
        """Whether another printer was chosen than the form had, so that it fills in other fields."""
        return "printer" in self.data and self.data["printer"] != self.data.get("printer_was", "")

    @property
    def size_awaited(self) -> bool:
        """Whether another size is to be written and is not yet."""
        sizes = (name for name in NAMED if NAMED[name].kind == "size")
        return any(
            self.data.get(name) == OTHER and not self.data.get(f"{name}_{OTHER}", "").strip()
            for name in sizes
        )

    @cached_property
    def printers(self) -> list[PrinterCalibration]:
        """The printers that the visitor has measured."""
        return list(calibrations_of(self.viewer))

    @property
    def sheet(self) -> int:
        """The number of the sheet to show, from 1; the first for words that are no number."""
        return min(whole_number(self.data.get("sheet", "")) or 1, MAX_SHEETS)

    @property
    def as_remembered(self) -> str:
        """The whole address for a request that says nothing of options; empty where the saved settings are
        the usual ones.
        """
        options = _options_or_usual(self.saved.last)
        return "" if options == USUAL else self.query(options, self.sheet)

    def query(self, options: Options, sheet: int = 1) -> str:
        """The address of a print with these options: which cards, the paper, and what else differs from the
        default.
        """
        return in_address(
            [*self.subject, *stated(options).items(), *([("sheet", str(sheet))] if sheet > 1 else [])]
        )


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """The lists to print from, the options, and which cards of each list are chosen."""

    fields: PrintFields
    lists: PrintLists
    options: Options
    selections: tuple[Selection, ...]

    @classmethod
    def parse(cls, fields: PrintFields) -> PrintRequest:
        """What these fields ask for. Raises Refused, and Http404 for a deck that the visitor may not see."""
        return parse_fields(fields).request()

    def job(self, options: Options | None = None) -> Job:
        """The chosen cards assembled, with other options than those of the request where some are given.
        Raises Refused.
        """
        try:
            return assembled(
                self.selections,
                options or self.options,
                self.fields.viewer,
                self.fields.root.rstrip("/"),
                self.fields.own,
            )
        except CannotPrint as error:
            raise refused(error) from None


@dataclass(frozen=True, slots=True)
class ParsedFields:
    """Fields of a request as far as they could be read.

    ``words`` are the options as the request says them, ``result`` is all that it asks for; each, or why there
    is none.
    """

    fields: PrintFields
    lists: PrintLists | None
    words: Mapping[str, str] | Refused
    result: PrintRequest | Refused

    @classmethod
    def unread(cls, fields: PrintFields, reason: Refused) -> ParsedFields:
        """Fields that nobody looks into, for this reason."""
        return cls(fields, None, reason, reason)

    @property
    def form_words(self) -> Mapping[str, str]:
        """The options as a form shows them: those of the last print where the request's cannot be read."""
        return self.fields.saved.last if isinstance(self.words, Refused) else self.words

    def options(self, usual: Mapping[str, str] = MappingProxyType({})) -> Options:
        """The options, also where the cards cannot be read; ``usual`` are those that the request may leave
        out. Raises Refused.
        """
        if isinstance(self.words, Refused):
            raise self.words
        return settings_of({**usual, **self.words})

    def request(self) -> PrintRequest:
        """All that the request asks for. Raises Refused."""
        if isinstance(self.result, Refused):
            raise self.result
        return self.result


def parse_fields(fields: PrintFields) -> ParsedFields:
    """Read the fields; what is wrong with them is in the value. Raises Http404 for a deck that the visitor
    may not see.
    """
    lists: PrintLists | Refused
    words: Mapping[str, str] | Refused
    try:
        lists = parse_lists(fields.cards, fields.viewer, partly=fields.partly)
    except Refused as error:
        lists = error
    try:
        words = _words(fields, lists)
    except Refused as error:
        words = error
    return ParsedFields(
        fields, None if isinstance(lists, Refused) else lists, words, _result(fields, lists, words)
    )


def _result(
    fields: PrintFields, lists: PrintLists | Refused, words: Mapping[str, str] | Refused
) -> PrintRequest | Refused:
    """All that the request asks for, or its first fault: options come before lists, and lists before the
    choice of their cards.
    """
    if isinstance(words, Refused):
        return words
    try:
        options = settings_of(words)
        return (
            lists
            if isinstance(lists, Refused)
            else PrintRequest(fields, lists, options, select(lists.lists, options, fields.viewer))
        )
    except Refused as error:
        return error


def _words(fields: PrintFields, lists: PrintLists | Refused) -> dict[str, str]:
    """The options in the words of the request, as far as it says any. Raises Refused."""
    data, saved = fields.data, fields.saved
    if not fields.stated:
        return dict(saved.last)
    words = {name: data[name] for name in NAMED if name in data}
    # Boxes of one name, of which several may be ticked.
    words |= {name: ",".join(data.getlist(name)) for name in words if NAMED[name].kind == "several"}
    for name in words:
        if NAMED[name].kind == "size" and words[name] == OTHER:
            words[name] = data.get(f"{name}_{OTHER}", "").strip() or OTHER
    if not isinstance(lists, Refused):
        words |= _words_on_cards(fields, lists, words)
    if fields.printer_chosen:
        words |= words_of_printer(fields.printers, data["printer"])
    wanted = data.get("preset", "")
    if wanted.startswith(OWN):
        own = dict(saved.own).get(wanted.removeprefix(OWN))
        return (
            words if own is None else {**own, **{name: words[name] for name in words if name in OF_ONE_PRINT}}
        )
    preset = preset_named(wanted)
    if preset is None:
        return words
    if isinstance(lists, Refused):
        # A preset goes by the size of the cards.
        raise lists
    return applied(preset, _options_or_usual(words), saved.sheet_paper, lists.game.trim).query()


def _words_on_cards(fields: PrintFields, lists: PrintLists, words: Mapping[str, str]) -> dict[str, str]:
    """Sections that were ticked and copies that were changed, each in the one way there is to write it."""
    cards: dict[str, str] = {}
    if "only" in words:
        *ticked, typed = fields.data.getlist("only")
        cards["only"] = card_fields.only_option(ticked, typed, lists.lists)
    if fields.data.get(WITHOUT) and "counts" in words:
        cards["counts"] = card_fields.counts_of_cards_there(words["counts"], lists.lists)
    rows = {**fields.table, **card_fields.rows_pressed(fields.data)}
    if any(row.changed for row in rows.values()):
        options = _options_or_usual({**words, **cards, "counts": ""})
        try:
            otherwise = copies_in(one.entries for one in select(lists.lists, options, fields.viewer))
        except Refused:
            otherwise = copies_in(())
        counts = cards.get("counts", words.get("counts", ""))
        cards["counts"] = card_fields.counts_option(counts, rows, lists.lists, otherwise)
    return cards


def settings_of(words: Mapping[str, str]) -> Options:
    """The options that these words say. Raises Refused."""
    try:
        return read_options(words)
    except CannotPrint as error:
        raise refused(error) from None


def _options_or_usual(words: Mapping[str, str]) -> Options:
    try:
        return read_options(words)
    except CannotPrint:
        return USUAL


def in_address(fields: Iterable[tuple[str, str]]) -> str:
    """The fields as an address has them, as readable as may be."""
    return urlencode(tuple(fields), safe=_PLAIN)


def stated(options: Options) -> dict[str, str]:
    """The paper, and what else differs from the default: settings that say themselves."""
    return {"paper": options.paper.slug, **options.query()}
