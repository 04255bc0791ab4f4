"""A request for a print: its fields as they came, and the whole of it as one value.

Fields are read once, by ``PrintRequest.parse``; their faults are in the value, for a page that shows them
beside the form. ``printing.request.assembly.build_job`` makes the print of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.functional import cached_property

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.faults import Refused
from cardsdb.games.kit import Game, whole_number
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.identity.viewer import Viewer, viewer_of
from printing.models import PrinterCalibration
from printing.options.copies import copies_in
from printing.options.values import NAMED, USUAL, Options, read_options
from printing.request.lists import Lists, parse_lists
from printing.request.selection import (
    Selection,
    SentRow,
    counts_option,
    only_option,
    rows_pressed,
    rows_sent,
    select,
)
from printing.request.settings import (
    OF_ONE_PRINT,
    PRESETS,
    SavedSettings,
    applied,
    saved_settings,
    words_of_printer,
)

# The fields that name cards; they stay in the address beside the options.
SUBJECT = ("evening", "deck", "card", "starter")
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
class Brought:
    """Texts by card code and pictures by (card code, side) for one print alone, all of one game.

    ``remarks``: sentences on parts that could not be read. ``lacks``: some of the pictures that came are not
    among these.
    """

    game: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[tuple[str, str], PictureRef] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    lacks: bool = False


NOTHING = Brought()


@dataclass(frozen=True)
class PrintFields:
    """The fields of a request as they came, and their sender. No property raises.

    ``pasted``: there is a pasted list among the cards, which no address holds. ``saved``: the settings of
    this browser's last print, which count for a request that names no options. ``root``: the site's address
    without a path. ``partly``: the lines of a pasted list that can be read are printed, because the visitor
    is shown the others. ``own``: texts and pictures for this print alone.
    """

    data: MultiValueDict[str, str]
    pasted: bool
    viewer: Viewer
    root: str = ""
    saved: SavedSettings = field(default_factory=lambda: SavedSettings({}))
    partly: bool = False
    own: Brought = NOTHING

    @classmethod
    def of(cls, request: HttpRequest, *, here: bool = False) -> "PrintFields":
        """The fields of a page's address or form.

        Saved settings count only ``here``, on the page with the form: the bare address of a file leads
        to the same file in all browsers.
        """
        data = request.POST if request.method == "POST" else request.GET
        pasted = request.method == "POST" and "text" in data
        saved = saved_settings(request)
        own = saved if here else replace(saved, last={})
        return cls(data, pasted, viewer_of(request), request.build_absolute_uri("/"), own, partly=True)

    @property
    def empty(self) -> bool:
        """True if they name no cards at all."""
        return not (self.subject or (self.pasted and self.data.get("text")))

    @property
    def subject(self) -> list[tuple[str, str]]:
        """The stored cards to print, as fields of an address."""
        named = [(name, value) for name in SUBJECT for value in self.data.getlist(name) if value]
        if not (removed := set(self.data.getlist(WITHOUT))):
            return named
        return [
            (name, part)
            for name, value in named
            for part in (value.split(",") if name == "deck" else (value,))
            if name != "deck" or part not in removed
        ]

    @property
    def list_fields(self) -> list[tuple[str, str]]:
        """The pasted list, as fields of a form."""
        return [(name, self.data.get(name, "")) for name in LIST_FIELDS if self.pasted]

    @property
    def cards(self) -> MultiValueDict[str, str]:
        """The stored cards and the pasted list, as the fields of a request that states nothing else."""
        cards = MultiValueDict[str, str]()
        for name, value in (*self.subject, *self.list_fields):
            cards.appendlist(name, value)
        return cards

    @property
    def stated(self) -> bool:
        """True if they name any option. An option that they leave out then has its usual value, whatever the
        browser has saved.
        """
        return not self.data.keys().isdisjoint((*NAMED, "preset", "printer"))

    @cached_property
    def table(self) -> dict[str, SentRow]:
        """The rows of the table of single cards that came back."""
        return rows_sent(self.data)

    @property
    def printer_chosen(self) -> bool:
        """True if another printer was chosen than the form had, so that it fills in other fields."""
        was = self.data.get("printer_was", "")
        return self.data.get("printer", was) != was

    @property
    def size_awaited(self) -> bool:
        """True if another size is to be written and is not there yet."""
        return any(
            self.data.get(name) == OTHER and not self.data.get(f"{name}_{OTHER}", "").strip()
            for name, option in NAMED.items()
            if option.kind == "size"
        )

    @cached_property
    def printers(self) -> list[PrinterCalibration]:
        """The printers that the visitor has measured."""
        return list(PrinterCalibration.objects.of(self.viewer))

    @property
    def sheet(self) -> int:
        """The number of the sheet to show, from 1; the first for words that are no number."""
        return min(whole_number(self.data.get("sheet", "")) or 1, MAX_SHEETS)

    @property
    def as_remembered(self) -> str:
        """The whole address for a request that states no options; empty if the saved settings are the usual
        ones.
        """
        options = _options_or_usual(self.saved.last)
        return "" if options == USUAL else self.query(options, self.sheet)

    def query(self, options: Options, sheet: int = 1) -> str:
        """The address of a print with these options: the cards, the paper, and every option that differs from
        the default.
        """
        fields = [*self.subject, *stated(options).items()]
        return in_address(fields + [("sheet", str(sheet))] * (sheet > 1))


@dataclass(frozen=True)
class PrintRequest:
    """The print that fields ask for, as far as they could be read.

    ``lists``: the lists to print from, none if one cannot be read. ``words``: the options as the request
    states them, or those of the last print if it states none that can be read. ``options``: the same as
    values; None if they cannot be read. ``selections``: the chosen cards of each list. ``refusal``: the first
    fault; options come before lists, and lists before the choice of their cards.
    """

    fields: PrintFields
    lists: Lists = ()
    words: Mapping[str, str] = field(default_factory=dict)
    options: Options | None = None
    selections: tuple[Selection, ...] = ()
    refusal: Refused | None = None

    @classmethod
    def parse(cls, fields: PrintFields) -> "PrintRequest":
        """Read the fields. Raises Http404 for a deck that the visitor may not see."""
        asked, unread = cls.unread(fields), None
        try:
            asked = replace(asked, lists=parse_lists(fields.cards, fields.viewer, partly=fields.partly))
        except Refused as error:
            unread = error
        try:
            asked = replace(asked, words=_words(fields, asked.lists, unread))
            asked = replace(asked, options=read_options(asked.words))
            if unread:
                raise unread
            return replace(asked, selections=select(asked.lists, asked.settings, fields.viewer))
        except Refused as error:
            return replace(asked, refusal=error)

    @classmethod
    def unread(cls, fields: PrintFields, reason: Refused | None = None) -> "PrintRequest":
        """A request that is refused for this reason, without being read."""
        return cls(fields, words=fields.saved.last, refusal=reason)

    @property
    def settings(self) -> Options:
        """The options, also if the cards cannot be read. Raises Refused."""
        if self.options is None:
            raise self.refusal or Refused()
        return self.options

    @property
    def read(self) -> Options:
        """The options of a request that can be printed. Raises Refused for any other."""
        if self.refusal:
            raise self.refusal
        return self.settings

    @property
    def game(self) -> Game:
        """The game of the first list."""
        return self.lists[0].game

    @property
    def unread_lines(self) -> tuple[Unread, ...]:
        """The lines of a pasted list that were not read, and so are not printed."""
        return tuple(line for one in self.lists for line in one.unread)

    @property
    def list_fields(self) -> dict[str, str]:
        """``game`` and ``format`` of a pasted list, the last of all, as they were read, which may differ from
        the fields.
        """
        game, format = (self.fields.data.get(name, "") for name in ("game", "format"))
        if not self.lists:
            return {"game": game, "format": format}
        read = self.lists[-1].game
        return {"game": read.slug, "format": format if format in read.formats_by_slug else ""}


def _words(fields: PrintFields, lists: Lists, unread: Refused | None) -> Mapping[str, str]:
    """The options in the words of the request, as far as it has any. Raises Refused."""
    data, saved = fields.data, fields.saved
    if not fields.stated:
        return saved.last
    words = {name: data[name] for name in NAMED if name in data}
    for name in words:
        # Boxes of one name, of which several may be ticked.
        if NAMED[name].kind == "several":
            words[name] = ",".join(data.getlist(name))
        elif NAMED[name].kind == "size" and words[name] == OTHER:
            words[name] = data.get(f"{name}_{OTHER}", "").strip() or OTHER
    if lists:
        words |= _words_on_cards(fields, lists, words)
    if fields.printer_chosen:
        words |= words_of_printer(fields.printers, data["printer"])
    wanted = data.get("preset", "")
    if wanted.startswith(OWN) and (own := dict(saved.own).get(wanted.removeprefix(OWN))) is not None:
        return {**own, **{name: words[name] for name in words if name in OF_ONE_PRINT}}
    if wanted not in PRESETS:
        return words
    if unread:
        # A preset goes by the size of the cards.
        raise unread
    return applied(PRESETS[wanted], _options_or_usual(words), saved.sheet_paper, lists[0].game.trim).query()


def _words_on_cards(fields: PrintFields, lists: Lists, words: Mapping[str, str]) -> dict[str, str]:
    """Sections that were ticked and copies that were changed, each in its one way of writing."""
    cards: dict[str, str] = {}
    if "only" in words:
        *ticked, typed = fields.data.getlist("only")
        cards["only"] = only_option(ticked, typed, lists)
    rows = {**fields.table, **rows_pressed(fields.data)}
    changed = any(row.changed for row in rows.values())
    only_there = "counts" in words and bool(fields.data.get(WITHOUT))
    otherwise = Counter[str]()
    if changed:
        with suppress(Refused):
            options = _options_or_usual({**words, **cards, "counts": ""})
            otherwise = copies_in(one.entries for one in select(lists, options, fields.viewer))
    if changed or only_there:
        counts = words.get("counts", "")
        cards["counts"] = counts_option(counts, rows, lists, otherwise, only_there=only_there)
    return cards


def _options_or_usual(words: Mapping[str, str]) -> Options:
    try:
        return read_options(words)
    except Refused:
        return USUAL


def in_address(fields: Iterable[tuple[str, str]]) -> str:
    """The fields as an address has them, as readable as possible."""
    return urlencode(tuple(fields), safe=_PLAIN)


def stated(options: Options) -> dict[str, str]:
    """The paper, and every option that differs from the default: settings that are complete by themselves."""
    return {"paper": options.paper.slug, **options.query()}
