"""The data of the print page for its template (``templates/printing/page/``): form, faults, and the outcome
of the print with a preview and menus on its cards.

``print_views.py`` makes an ``Outcome`` of a job and a ``PrintPage`` around it. Templates read their
attributes and the keys of their dicts by name, so look there before renaming one. Tests in
``tests/printing/web``: ``test_print_views.py``, and for preview and menus ``test_print_cards.py``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.safestring import mark_safe

from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import plural, some
from printing.exports.export import Cost
from printing.exports.parts import estimate, part_remarks
from printing.faces.compose import has_notes
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.layout.imposition import mode_to_calibrate
from printing.options.copies import MAX_COPIES_OF_CARD, Cards, copies_in
from printing.options.sizes import INCH, MM
from printing.options.values import NAMED, Options
from printing.render.preview import MAX_DRAWN, ShownSide, shown_sides
from printing.request.assembly import NOTHING_LACKS
from printing.request.choice_fields import copy_rows, out_of_date
from printing.request.print_request import OWN, PrintRequest, stated
from printing.request.selection import Selection, owned_too
from printing.request.settings import PRESETS, SavedSettings, applied, lasting, printer_with
from printing.web.form import Form, form_for, several_decks, with_advice

# Cards left out of the print that get a button to bring them back.
MAX_LEFT_OUT = 20
CANNOT_PRINT = "This cannot be printed yet"
# The spaces inside “63.5 × 88.9 mm” and “300 ppi”.
_WITHIN_SIZES = re.compile(r"(?<=\d) (?=×|mm\b|ppi\b)|(?<=×) (?=\d)")
# Values for a part of the template, by the names that it uses.
Shown = dict[str, Any]


class CardMenus:
    """The cards on the preview of a sheet, and a menu for each: more copies, fewer, left out, its pages."""

    def __init__(self, selections: Iterable[Selection], options: Options) -> None:
        selections = tuple(selections)
        self.options = options
        self.cards = Cards(chosen.listed.deck.entries for chosen in selections)
        self.copies = copies_in(chosen.entries for chosen in selections)
        # A slot of a sheet knows the code and name of its card, but not its game.
        self.keys = {(card.code, card.name): key for key, card in self.cards.by_key.items()}

    def picks(self, side: ShownSide) -> list[Shown]:
        """A dict for each slot of a side with a card of the lists: its ``key``, the id of its ``menu``, a
        ``label`` and its ``area``. Empty if the side has more than MAX_DRAWN cards, because the preview does
        not draw them.
        """
        # Extra pieces and the backs of cards have no key, so they are left out.
        places = [(slot.area, self.keys.get((slot.code, slot.name), "")) for slot in side.slots]
        known = [(area, key) for area, key in places if key]
        if len({key for _, key in known}) > MAX_DRAWN:
            return []
        times = f", {self.options.copies} times each" if self.options.copies > 1 else ""
        return [
            {
                "key": key,
                "menu": _id(key),
                "label": f"{self.cards.by_key[key].name}, {self.copies[key]}"
                f" {plural(self.copies[key], 'copy', 'copies')}{times}",
                "area": area,
            }
            for area, key in known
        ]

    def menus(self, sides: Iterable[Shown]) -> list[Shown]:
        """The menu of each different card on these sides. ``less``, ``more`` and ``out`` are values of the
        field ``copies_of``: of three Kai ``kai:2``, ``kai:4`` and ``kai:0``, empty if impossible. ``page``,
        ``words`` (of its own text) and ``pictures`` are addresses, empty if there is none.
        """
        shown_keys = {pick["key"] for side in sides for pick in side["picks"]}
        return [self._menu(key) for key in self.cards.by_key if key in shown_keys]

    def _menu(self, key: str) -> Shown:
        card, copies, name = self.cards.by_key[key], self.copies[key], self.cards.shortest(key)
        place = [card.game, card.code]
        game = game_named(card.game) if card.has_page else None
        # The text of an own card is edited on the card's page.
        has_words = game and not card.own and has_notes(game, card.type)
        return {
            "id": _id(key),
            "name": card.name,
            "copies": copies,
            "less": f"{name}:{copies - 1}" if copies > 1 else "",
            "more": f"{name}:{copies + 1}" if copies < MAX_COPIES_OF_CARD else "",
            "out": f"{name}:0",
            "page": reverse("card", args=place) if game else "",
            "words": reverse("card_text", args=place) if has_words else "",
            "pictures": reverse("pictures") if game else "",
        }

    def left_out(self) -> dict[str, str]:
        """The cards that the option ``counts`` sets to 0, at most MAX_LEFT_OUT: ``{"kai:": "Kai"}``, the
        value of ``copies_of`` that brings each back, and its name.
        """
        called = [self.cards.called(count.card) for count in self.options.counts if not count.relative]
        gone = [keys[0] for keys in called if len(keys) == 1 and not self.copies[keys[0]]]
        return {f"{self.cards.shortest(key)}:": self.cards.by_key[key].name for key in gone[:MAX_LEFT_OUT]}


def _id(key: str) -> str:
    """The id of a card's menu in the page: ``spycraft/kai`` -> ``pick-spycraft-kai``."""
    return f"pick-{key.replace('/', '-')}"


class Outcome:
    """The outcome of a print request: the job in words and numbers, and a preview of one sheet: the requested
    one, or the last.

    - ``in_short``, ``estimate``, ``kind``, ``details``, ``instructions``: what the file will be, and how to
      print it.
    - ``remarks``, and ``remarked``, their number in words; empty if there are none.
    - ``calibrate``: the address of the calibration sheet to print, if the shift of backs was read from
      another kind of sheet; else empty.
    - ``big``: True if the file is made by a stored job.
    - ``sheet``, ``before``, ``after``: the number of the shown sheet, and the query strings of its
      neighbours.
    - ``sides``, ``menus``, ``left_out``: the preview and its cards (``CardMenus``).
    - ``chosen``: the request as (name, value) of hidden form fields.
    """

    def __init__(self, request: PrintRequest, job: Job) -> None:
        fields, options = request.fields, job.options
        self.job = job
        self.in_short = unbroken(job.extent())
        self.estimate = estimate(job)
        self.kind = job.content_type.rpartition("/")[2].upper()
        self.details = job.details()
        self.remarks = (*part_remarks(job), *remarks_of(job))
        counts = ((len(job.soft), "blurred picture"), (len(self.remarks), "remark"))
        self.remarked = " and ".join(some(count, noun) for count, noun in counts if count)
        self.instructions = instructions(job)
        mode = mode_to_calibrate([part.layout for part in job.parts], options)
        query = urlencode({"paper": options.paper.slug, "way": mode.slug}) if mode else ""
        self.calibrate = f"{reverse('calibration')}?{query}#print" if mode else ""
        self.big = Cost(job.pages).is_big(job)
        self.sheet = min(fields.sheet, job.sheets)
        self.before = fields.query(options, self.sheet - 1) if self.sheet > 1 else ""
        self.after = fields.query(options, self.sheet + 1) if self.sheet < job.sheets else ""
        cards = CardMenus(request.selections, options)
        # The SVG is safe: printing.render.preview escapes every word in it.
        self.sides = [
            {"svg": mark_safe(side.svg), "side": side, "picks": cards.picks(side)}  # noqa: S308 (ours)
            for side in shown_sides(job, self.sheet)
        ]
        self.menus = cards.menus(self.sides)
        self.left_out = cards.left_out()
        self.chosen = (*fields.subject, *stated(options).items())


@dataclass(frozen=True)
class PrintPage:
    """The page of a print request, read as far as possible. Parts are computed only when the template shows
    them.

    - ``refusal``, ``title``: the faults and their heading, if there are any.
    - ``live``: True if only the outcome is rendered, to replace the one in the browser (htmx).
    - ``without_cards``: True if the request names no cards; ``kept_words`` are then the settings kept for the
      next print.
    - ``option_names``: the fields of the form, to which a fault may link.
    """

    asked: PrintRequest
    saved: SavedSettings
    outcome: Outcome | None = None
    refusal: Refused | None = None
    title: str = CANNOT_PRINT
    live: bool = False
    without_cards: bool = False
    kept_words: tuple[str, ...] = ()
    option_names = frozenset(NAMED)

    # -- faults -------------------------------------------------------------------------

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(map(with_advice, self.refusal.faults)) if self.refusal else ()

    @property
    def fault_title(self) -> str:
        return "Nothing is missing" if self.nothing_lacks else self.title

    @property
    def nothing_lacks(self) -> bool:
        """True if nothing is printed because the visitor owns every card. The page shows it as good news."""
        return {fault.code for fault in self.faults} == {NOTHING_LACKS}

    @property
    def print_all(self) -> str:
        """The query string that prints owned cards too, for the link beside ``nothing_lacks``."""
        options = self.asked.options
        return self.asked.fields.query(owned_too(options, self.asked.lists)) if options else ""

    @property
    def prints(self) -> bool:
        """True if the outcome is shown: there is one, and no faults take its place."""
        return self.outcome is not None and not (self.live and self.faults)

    # -- the print ----------------------------------------------------------------------

    @property
    def by_address(self) -> bool:
        """True if a URL can state the whole request, because no list was pasted."""
        return not self.asked.fields.pasted

    @property
    def text(self) -> str:
        """The pasted list."""
        return self.asked.fields.data.get("text", "")

    @property
    def heading(self) -> str:
        """The title of the lists, ``One and 2 more``; empty if they cannot be read."""
        titles = (listed.title or f"{listed.game.name} cards" for listed in self.asked.lists)
        names = list(dict.fromkeys(titles))
        return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else "".join(names)

    @property
    def back_to(self) -> str:
        """The path of the page of the deck or card, if a single one is printed; else empty."""
        return self.asked.lists[0].page if len(self.asked.lists) == 1 else ""

    @property
    def cards_to_come(self) -> bool:
        """True if the request names only decks, and none of them has cards yet."""
        # The list of an evening may have no cards of its own: its extras are printed.
        has_content = any(listed.deck.entries or listed.players for listed in self.asked.lists)
        return bool(self.asked.lists) and self.by_address and not has_content

    # -- the form -----------------------------------------------------------------------

    @property
    def has_form(self) -> bool:
        return not self.without_cards and bool(self.outcome or self.text or self.asked.fields.subject)

    @cached_property
    def form(self) -> Form:
        return form_for(self.asked, self.faults, self.table["rows"])

    @cached_property
    def table(self) -> Shown:
        """The ``rows`` of the table of single cards, as sent if the print is impossible. ``anew``: True if
        the table in the browser is out of date and must be replaced.
        """
        sent = self.asked.fields.table
        chosen = self.asked.selections if self.outcome else None
        rows = copy_rows(self.asked.lists, chosen, sent)
        return {"rows": rows, "anew": chosen is not None and bool(sent) and out_of_date(rows, sent)}

    @cached_property
    def printer(self) -> str:
        """The id of the calibrated printer whose settings the options match; empty if there is none."""
        return printer_with(self.asked.fields.printers, self.asked.words)

    @cached_property
    def several(self) -> Shown:
        return several_decks(self.asked)

    @property
    def presets(self) -> Iterator[Shown]:
        """A dict for each preset, then for each of the visitor's saved settings. ``chosen``: True if applying
        it would change nothing.
        """
        job = self.outcome.job if self.outcome else None
        for slug, preset in PRESETS.items():
            sheet = self.saved.sheet_paper
            chosen = job and applied(preset, job.options, sheet, job.game.trim) == job.options
            yield {"value": slug, "name": preset.name, "help": preset.help, "chosen": chosen}
        now = lasting(stated(job.options)) if job else None
        for name, own in self.saved.own:
            yield {"value": f"{OWN}{name}", "name": name, "help": "Your own.", "chosen": now == lasting(own)}


def unbroken(sentence: str) -> str:
    """The sentence with no-break spaces inside sizes such as ``63.5 × 88.9 mm``."""
    return _WITHIN_SIZES.sub("\N{NO-BREAK SPACE}", sentence)


def instructions(job: Job) -> tuple[tuple[str, str], ...]:
    """The settings to choose in the printer's dialog, as (setting, choice) pairs."""
    options, bars = job.options, job.margins.furnished[1]
    if bars:
        lengths = " and ".join(bar.label for bar in bars)
        measure = f"lay a ruler on the {plural(len(bars), 'scale bar')}: {lengths}"
    else:
        width = job.size[0]
        measure = f"measure a card: it is {width / MM:g} mm ({width / INCH:.2f} in) wide"
    two_sided = "Off."
    if options.backs == "gutterfold":
        two_sided = "Off. Fold along the dashed line, glue, let it dry, then cut."
    elif options.apart:
        two_sided = "Off. Print the fronts, lay the stack back in, then print the backs from the other file."
    elif options.flip and options.side == "both":
        two_sided = f"On, turned over the {options.flip} edge (“{options.flip}-edge binding”)."
    greys = ("Colour", "Greys or black and white: the sheets have no colours.")
    return (
        ("Paper", f"{options.paper.name}, {job.layout.lies}."),
        (
            "Scale",
            "100 %, “actual size” or “no scaling”. Never “fit” or “shrink”: cards would come out too small.",
        ),
        ("Two-sided", two_sided),
        *([greys] if options.ink == "grey" else []),
        ("First sheet", f"Print one, then {measure}."),
    )
