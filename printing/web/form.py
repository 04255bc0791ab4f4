"""The form of the print page: the declared options as fields, and the versions and decks of its visitor to
choose from.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.timezone import localtime

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault
from cardsdb.identity.viewer import NOBODY, Viewer
from decks.models import Deck, DeckRevision
from decks.public.fields import favourite_of
from printing.options.sizes import MAX_PAPER, MAX_TRIM, MIN_PAPER, MIN_TRIM, shown
from printing.options.values import FLAGS, NAMED, BadOption, Option
from printing.request.lists import MAX_DECKS
from printing.request.print_request import OTHER, PrintRequest
from printing.request.selection import CopyRow, Sections, sections_of

NO_SECTIONS = Sections()
# The options that most choose; the rest opens by groups.
COMMON = ("paper", "trim", "marks", "backs", "style")
# The number of the last versions that are offered beside those with a name, versions in all, and versions
# that are read for it.
LAST, MAX_VERSIONS, MAX_VERSIONS_READ = 8, 60, 500
# Decks that are offered, the last changed first. A visitor with more ticks decks in their list.
MAX_OFFERED = 30
# Own decks on the page where nothing is chosen yet.
MAX_READY = 8


class Field(NamedTuple):
    """One option in the form, with its chosen value and its fault."""

    option: Option
    chosen: str
    problem: str = ""
    # Choices to pick from in place of words to be typed.
    offered: Mapping[str, str] = MappingProxyType({})
    # For the option of sections: boxes to tick beside the typed words.
    sections: Sections = NO_SECTIONS
    # Choices of the option that can do nothing here, as ``extras=tokens``.
    idle: Collection[str] = ()
    # For the option that counts single cards: a row for each.
    rows: tuple[CopyRow, ...] = ()
    # A note on the option for these decks.
    note: str = ""

    @property
    def name(self) -> str:
        return self.option.name

    @property
    def value(self) -> str:
        """The chosen value; old words for it become today's."""
        chosen = self.chosen.strip()
        return self.option.also.get(chosen.casefold(), chosen)

    @property
    def is_size(self) -> bool:
        """True if another size may be written."""
        return self.option.kind == "size"

    @property
    def selected(self) -> str:
        """The choice that is marked."""
        return OTHER if self.is_size and self.value not in self.option.choices else self.value

    @property
    def typed(self) -> str:
        """The size in the field for other sizes, which is none of the named ones."""
        return self.value if self.selected == OTHER != self.value else ""

    @property
    def choices(self) -> Mapping[str, str]:
        """The choices to pick from, and the chosen value if it is not among them."""
        known = self.option.choices
        if self.option.kind == "several":
            return {
                value: words
                for value, words in known.items()
                if value in self.ticked or f"{self.name}={value}" not in self.idle
            }
        if self.offered:
            return {**self.offered, self.value: self.offered.get(self.value, self.value)}
        return {**known, OTHER: "Another size"} if self.is_size else known

    @property
    def widget(self) -> str:
        """The control: a list to pick from, a box to tick, a number, words."""
        if self.offered:
            return "select"
        if self.sections.boxes:
            return "sections"
        if self.rows:
            return "by_card"
        return _WIDGETS.get(self.option.kind, "text")

    @property
    def checked(self) -> bool:
        return FLAGS.get(self.value.casefold(), False)

    @property
    def ticked(self) -> frozenset[str]:
        """The chosen values of a field that takes several."""
        return frozenset(part.strip() for part in self.value.split(","))

    @property
    def longest(self) -> int:
        """The most letters that may be typed."""
        return max(400, self.option.most) if self.option.kind in ("text", "counts") else 400

    @property
    def words(self) -> str:
        """The words that may stand in place of a number, or a note for these decks."""
        named = [
            f"“{value}”: {words[:1].lower()}{words[1:]}"
            for value, words in self.option.choices.items()
            if value and value not in self.option.help
        ]
        return f"Or {'; '.join(named)}." if named and self.widget == "text" else self.note

    @property
    def changed(self) -> bool:
        return self.value != self.option.default


_WIDGETS = {
    "choice": "select",
    "size": "select",
    "flag": "checkbox",
    "several": "checkboxes",
    "number": "number",
}


class Group(NamedTuple):
    """Some fields under a heading."""

    title: str
    fields: tuple[Field, ...]

    @property
    def changed(self) -> int:
        """The number of fields that differ from their usual value."""
        return sum(field.changed for field in self.fields)

    @property
    def problem(self) -> bool:
        return any(field.problem for field in self.fields)


class Form(NamedTuple):
    """The whole form. ``common`` stands open, ``groups`` open when they are wanted."""

    common: tuple[Field, ...]
    groups: tuple[Group, ...]


def form_for(asked: PrintRequest, faults: Iterable[Fault] = (), rows: tuple[CopyRow, ...] = ()) -> Form:
    """The form of a request, with the sections and versions of its lists to choose from, as far as the lists
    could be read; a fault about an option stands at its field. ``rows``: the cards that have a number each.

    Options without an effect here, and such choices, show only if they were set.
    """
    words, lists, offered = asked.words, asked.lists, _versions(asked)
    extras = [one.game.print_extras for one in lists]
    # Without versions of the visitor's own nothing has changed since any. Extras that these lists do not
    # have:
    idle = {
        "since": not offered,
        "extras=tokens": bool(lists) and not any(one.markers for one in extras),
        "extras=scores": bool(lists) and not any(one.scores or one.card_tables for one in extras),
        "extras=sheets": not any(one.players for one in lists),
        **dict.fromkeys(
            ("extras=labels", "extras=register", "extras=box"),
            bool(lists) and all(one.loose for one in lists),
        ),
    }
    # A stranger who finds the paper cannot open the page of a private deck.
    private = next((one.about_page for one in lists if one.about_page), "")
    if private:
        offered["qr"] = {**NAMED["qr"].choices, "page": "To the deck's page, which opens for you alone"}
    wrong = {fault.where: fault.message for fault in faults}
    fields = {
        name: Field(
            one,
            words.get(name) or one.default,
            wrong.get(name, ""),
            offered.get(name, {}),
            sections_of(words.get(name, ""), lists) if name == "only" and lists else NO_SECTIONS,
            [place for place, is_idle in idle.items() if is_idle],
            rows if name == "counts" else (),
            private if name == "qr" else "",
        )
        for name, one in NAMED.items()
    }
    rest: dict[str, list[Field]] = {}
    for one in fields.values():
        if one.name not in COMMON and (one.name not in one.idle or one.changed or one.problem):
            rest.setdefault(one.option.group, []).append(one)
    return Form(
        tuple(fields[name] for name in COMMON),
        tuple(Group(group, tuple(those)) for group, those in rest.items()),
    )


def with_advice(fault: Fault) -> Fault:
    """The fault in the words of the page: for a size, with the way to write one."""
    option = NAMED.get(fault.where)
    # The list of all sizes there are is no help; that of the few that a service takes is.
    is_size = option is not None and option.kind == "size" and fault.code == BadOption.code
    if option is None or not is_size or "width x height" not in fault.message:
        return fault
    least, most = (MIN_PAPER, MAX_PAPER) if option.name == "paper" else (MIN_TRIM, MAX_TRIM)
    sentence = f"{option.label}: write width x height in mm, {shown(least)} to {shown(most)} each."
    return replace(fault, message=sentence)


# -- what the visitor has: versions, decks ----------------------------------------------


def _versions(asked: PrintRequest) -> dict[str, Mapping[str, str]]:
    """Earlier versions to choose from, where one stored deck is printed by its author: those with a name, and
    the last ones.
    """
    row = asked.lists[0].row if len(asked.lists) == 1 else None
    if row is None or not row.is_editable_by(asked.fields.viewer):
        return {}
    revisions = (
        DeckRevision.objects.of(row.pk)
        .filter(number__lt=row.revision)
        .order_by("-number")
        .values_list("number", "name", "made")[:MAX_VERSIONS_READ]
    )
    choices: dict[str, str] = {"": "All of it, whenever it came in"}
    for place, (number, name, made) in enumerate(revisions):
        day = date_format(localtime(made), "j F Y")
        if name and name not in choices:
            choices[name] = f"“{name}”, {day}"
        elif place < LAST:
            choices[str(number)] = f"Version {number}, {day}" if number else f"As first stored, {day}"
        if len(choices) > MAX_VERSIONS:
            break
    return {"since": choices} if len(choices) > 1 else {}


def several_decks(asked: PrintRequest) -> dict[str, Any]:
    """The decks of the print; and the visitor's own decks and favourites, of any game, that are not in it
    yet. One query.

    ``printed``: decks that can be taken out, if the print has more in it than one deck. ``offered``: decks
    that can be added; ``more``: these are not all of them. ``full``: no other can be added.
    """
    viewer, there = asked.fields.viewer, [one.row for one in asked.lists if one.row is not None]
    full = len(there) >= MAX_DECKS
    decks: list[Deck] = []
    if asked.lists and not full and viewer not in (Viewer(), NOBODY):
        own = Q(pk__in=Deck.objects.editable_by(viewer).order_by().values("pk"))
        rows = Deck.objects.visible_to(viewer).filter(own | favourite_of(viewer), game__in=games())
        rows = rows.exclude(link__in=[row.link for row in there]).only("link", "name", "game")
        decks = list(rows[: MAX_OFFERED + 1])
    return {
        "printed": _named(there) if len(asked.lists) > 1 else [],
        "offered": _named(decks[:MAX_OFFERED]),
        "more": len(decks) > MAX_OFFERED,
        "full": full,
        "most": MAX_DECKS,
    }


def decks_of(viewer: Viewer) -> list[dict[str, str]]:
    """The visitor's own decks that were changed last, to print from. One query."""
    rows = Deck.objects.editable_by(viewer).filter(game__in=games()).only("link", "name", "game")
    return _named(rows[:MAX_READY])


def _named(rows: Iterable[Deck]) -> list[dict[str, str]]:
    """Decks as a button names them."""
    return [{"link": row.link, "name": row.name, "game": games()[row.game].name} for row in rows]
