"""A request for a print as a value: ``PrintFields`` are its fields as they were sent, and ``PrintRequest`` is
what they mean.

Pages, API and commands make PrintFields and call ``PrintRequest.parse`` once. It does not raise for wrong
input: the fault is in ``refusal``, so that a page can show it beside the form. ``build_job`` in
``assembly.py`` then makes the job, or raises that refusal::

    deck=abc&gap=2&preset=scissors   the fields
    lists, words, options            the deck, {"gap": "2", ...}, Options(gap=2000, ...)
    selections                       the cards of each list that these options choose

Tests: ``tests/printing/request/test_print_request.py``; the table and buttons of cards in
``tests/printing/web/test_print_cards.py``.
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
from printing.request.choice_fields import SentRow, counts_option, only_option, rows_pressed, rows_sent
from printing.request.lists import Lists, parse_lists
from printing.request.selection import Selection, select
from printing.request.settings import (
    OF_ONE_PRINT,
    PRESETS,
    SavedSettings,
    applied,
    saved_settings,
    words_of_printer,
)

# The fields that name stored cards. They are part of a print's address, unlike those of a pasted list.
SUBJECT = ("evening", "deck", "card", "starter")
# The fields of a pasted list.
LIST_FIELDS = ("game", "format", "text")
# The value of a size field whose size is typed in the field beside it: ``trim=other&trim_other=60x85``.
OTHER = "other"
# The field of a button that takes a deck out of the print; its value is the deck's link.
WITHOUT = "without"
# Characters that need no percent-encoding in a query string, so that it stays readable.
_PLAIN = ",=:/"
# The prefix of ``preset`` for settings that the visitor saved: ``own:Hall``.
OWN = "own:"
# The highest number of a sheet to preview.
MAX_SHEETS = 10_000


@dataclass(frozen=True)
class Brought:
    """Own texts (by card code) and pictures (by (card code, side)) that are used for one print and not
    stored. All are of one game.

    ``remarks``: sentences about parts that could not be read. ``lacks``: True if some pictures are left out.
    """

    game: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[tuple[str, str], PictureRef] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    lacks: bool = False


NOTHING = Brought()


@dataclass(frozen=True)
class PrintFields:
    """The fields of a request as they were sent, and their sender. No property raises.

    - ``data``: all fields, as strings.
    - ``pasted``: True if there may be a pasted list. It comes in a POST only and is not part of an address.
    - ``root``: the site's address without a path, for QR codes.
    - ``saved``: the settings of this browser; those of its last print apply if the request states no options.
    - ``partly``: True if a pasted list may have unread lines, because the page shows them.
    - ``own``: texts and pictures for this print alone.
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
        """The fields of an HTTP request. The saved settings of the last print apply only ``here``, on the
        page with the form; elsewhere the same address must lead to the same file in every browser.
        """
        data = request.POST if request.method == "POST" else request.GET
        pasted = request.method == "POST" and "text" in data
        saved = saved_settings(request)
        own = saved if here else replace(saved, last={})
        return cls(data, pasted, viewer_of(request), request.build_absolute_uri("/"), own, partly=True)

    @property
    def empty(self) -> bool:
        """True if the fields name no cards at all."""
        return not (self.subject or (self.pasted and self.data.get("text")))

    @property
    def subject(self) -> list[tuple[str, str]]:
        """(name, value) of the fields that name stored cards, without decks that are taken out by WITHOUT."""
        named = [(name, value) for name in SUBJECT for value in self.data.getlist(name) if value]
        removed = set(self.data.getlist(WITHOUT))
        if not removed:
            return named
        kept = []
        for name, value in named:
            if name == "deck":
                # One field may name several decks.
                kept += [(name, link) for link in value.split(",") if link not in removed]
            else:
                kept.append((name, value))
        return kept

    @property
    def list_fields(self) -> list[tuple[str, str]]:
        """(name, value) of the fields of the pasted list; empty if there is none."""
        return [(name, self.data.get(name, "")) for name in LIST_FIELDS if self.pasted]

    @property
    def cards(self) -> MultiValueDict[str, str]:
        """Only the fields that name cards, stored or pasted, for ``parse_lists``."""
        cards = MultiValueDict[str, str]()
        for name, value in (*self.subject, *self.list_fields):
            cards.appendlist(name, value)
        return cards

    @property
    def stated(self) -> bool:
        """True if the fields state any option, preset or printer. Then options that they leave out have their
        default, and the saved settings do not apply.
        """
        return not self.data.keys().isdisjoint((*NAMED, "preset", "printer"))

    @cached_property
    def table(self) -> dict[str, SentRow]:
        """The rows of the table of single cards that were sent, by card."""
        return rows_sent(self.data)

    @property
    def printer_chosen(self) -> bool:
        """True if the visitor chose another printer than the form showed (``printer_was``). Only then its
        options replace those in the form.
        """
        was = self.data.get("printer_was", "")
        return self.data.get("printer", was) != was

    @property
    def size_awaited(self) -> bool:
        """True if "another size" was chosen, and its field is still empty."""
        return any(
            self.data.get(name) == OTHER and not self.data.get(f"{name}_{OTHER}", "").strip()
            for name, option in NAMED.items()
            if option.kind == "size"
        )

    @cached_property
    def printers(self) -> list[PrinterCalibration]:
        """The visitor's calibrated printers."""
        return list(PrinterCalibration.objects.of(self.viewer))

    @property
    def sheet(self) -> int:
        """The number of the sheet to preview, from 1; 1 if the field is no number."""
        return min(whole_number(self.data.get("sheet", "")) or 1, MAX_SHEETS)

    @property
    def as_remembered(self) -> str:
        """The query string of this print with the saved settings of the last one; empty if those are the
        defaults.
        """
        options = _options_or_usual(self.saved.last)
        return "" if options == USUAL else self.query(options, self.sheet)

    def query(self, options: Options, sheet: int = 1) -> str:
        """The query string of a print with these options: the cards, the paper, and every option that differs
        from its default.
        """
        fields = [*self.subject, *stated(options).items()]
        if sheet > 1:
            fields.append(("sheet", str(sheet)))
        return in_address(fields)


@dataclass(frozen=True)
class PrintRequest:
    """A print request, as far as it could be read.

    - ``lists``: the lists to print from; empty if one of them cannot be read.
    - ``words``: the options as strings, ``{"gap": "2"}``; those of the last print if the request states none.
    - ``options``: the same as a value; None if they cannot be read.
    - ``selections``: the chosen cards of each list; empty if there is a refusal.
    - ``refusal``: the first fault, else None. Faults of options come first, then of lists, then of the
      choice.
    """

    fields: PrintFields
    lists: Lists = ()
    words: Mapping[str, str] = field(default_factory=dict)
    options: Options | None = None
    selections: tuple[Selection, ...] = ()
    refusal: Refused | None = None

    @classmethod
    def parse(cls, fields: PrintFields) -> "PrintRequest":
        """Read the fields. Faults become the ``refusal``; a hidden or missing deck alone raises Http404."""
        request, lists_refusal = cls.unread(fields), None
        try:
            request = replace(request, lists=parse_lists(fields.cards, fields.viewer, partly=fields.partly))
        except Refused as error:
            # Raised below, once the options are read: the form keeps them, and their faults are shown first.
            lists_refusal = error
        try:
            request = replace(request, words=_words(fields, request.lists, lists_refusal))
            request = replace(request, options=read_options(request.words))
            if lists_refusal:
                raise lists_refusal
            return replace(request, selections=select(request.lists, request.settings, fields.viewer))
        except Refused as error:
            return replace(request, refusal=error)

    @classmethod
    def unread(cls, fields: PrintFields, reason: Refused | None = None) -> "PrintRequest":
        """A request that is not read, with ``reason`` as its refusal."""
        return cls(fields, words=fields.saved.last, refusal=reason)

    @property
    def settings(self) -> Options:
        """The options, even if the cards cannot be read. Raises Refused if the options cannot."""
        if self.options is None:
            raise self.refusal or Refused()
        return self.options

    @property
    def read(self) -> Options:
        """The options of a request without any fault. Raises its refusal if there is one."""
        if self.refusal:
            raise self.refusal
        return self.settings

    @property
    def game(self) -> Game:
        """The game of the first list. Raises IndexError if no list could be read."""
        return self.lists[0].game

    @property
    def unread_lines(self) -> tuple[Unread, ...]:
        """The lines of the pasted list that could not be read, and are not printed."""
        return tuple(line for one in self.lists for line in one.unread)

    @property
    def list_fields(self) -> dict[str, str]:
        """``game`` and ``format`` of the pasted list as it was read, which may differ from the fields
        sent.
        """
        game, format = (self.fields.data.get(name, "") for name in ("game", "format"))
        if not self.lists:
            return {"game": game, "format": format}
        # A pasted list is always the last one.
        game_read = self.lists[-1].game
        return {"game": game_read.slug, "format": format if format in game_read.formats_by_slug else ""}


def _words(fields: PrintFields, lists: Lists, lists_refusal: Refused | None) -> Mapping[str, str]:
    """The options as strings. The saved ones, if the request states none; else those stated, changed in this
    order by:

    1. the table of cards and the boxes of sections;
    2. a printer chosen just now;
    3. a preset, the visitor's own (``own:Hall``) or one of PRESETS.

    Raises Refused for an unknown printer, and ``lists_refusal`` if a preset needs the lists.
    """
    data, saved = fields.data, fields.saved
    if not fields.stated:
        return saved.last
    words = {name: data[name] for name in NAMED if name in data}
    for name in words:
        # Check boxes share one name, so several values may come.
        if NAMED[name].kind == "several":
            words[name] = ",".join(data.getlist(name))
        elif NAMED[name].kind == "size" and words[name] == OTHER:
            words[name] = data.get(f"{name}_{OTHER}", "").strip() or OTHER
    if lists:
        words |= _words_on_cards(fields, lists, words)
    if fields.printer_chosen:
        words |= words_of_printer(fields.printers, data["printer"])
    wanted = data.get("preset", "")
    own = dict(saved.own).get(wanted.removeprefix(OWN)) if wanted.startswith(OWN) else None
    if own is not None:
        # Saved settings replace all options but those that choose cards and slots.
        return {**own, **{name: words[name] for name in words if name in OF_ONE_PRINT}}
    if wanted not in PRESETS:
        return words
    if lists_refusal:
        # A preset depends on the size of the cards.
        raise lists_refusal
    return applied(PRESETS[wanted], _options_or_usual(words), saved.sheet_paper, lists[0].game.trim).query()


def _words_on_cards(fields: PrintFields, lists: Lists, words: Mapping[str, str]) -> dict[str, str]:
    """The options ``only`` and ``counts`` as changed by the boxes of sections and the table of cards."""
    cards: dict[str, str] = {}
    if "only" in words:
        # The boxes and the text field share the name; the text comes last in the form.
        *ticked, typed = fields.data.getlist("only")
        cards["only"] = only_option(ticked, typed, lists)
    rows = {**fields.table, **rows_pressed(fields.data)}
    changed = any(row.changed for row in rows.values())
    # When a deck is taken out, counts of its cards are dropped.
    only_there = "counts" in words and bool(fields.data.get(WITHOUT))
    # The copies that are printed without the option ``counts``.
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
    """The options as a value; the defaults if one of them cannot be read."""
    try:
        return read_options(words)
    except Refused:
        return USUAL


def in_address(fields: Iterable[tuple[str, str]]) -> str:
    """The fields as a query string, percent-encoded as little as possible."""
    return urlencode(tuple(fields), safe=_PLAIN)


def stated(options: Options) -> dict[str, str]:
    """The options as strings: the paper always, because its default differs by visitor, and every other one
    that differs from its default.
    """
    return {"paper": options.paper.slug, **options.query()}
