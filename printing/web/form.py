"""The form of the print page: the options of ``options.toml`` as fields, with the versions and decks that its
visitor can choose from. Templates read the attributes of Field, Group and Form by name.

``print_page.py`` calls ``form_for``, ``several_decks`` and ``with_advice``, ``print_views.py`` calls
``decks_of``. Tests: ``test_form.py`` in ``tests/printing/web``, and for ``with_advice``
``test_print_views.py`` there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
from printing.options.reading import FLAGS
from printing.options.sizes import MAX_PAPER, MAX_TRIM, MIN_PAPER, MIN_TRIM, shown
from printing.options.values import NAMED, BadOption, Option
from printing.request.choice_fields import CopyRow, Sections, sections_of
from printing.request.lists import MAX_DECKS, PrintList
from printing.request.print_request import OTHER, PrintRequest
from printing.request.selection import past_print

NO_SECTIONS = Sections()
# The options that most visitors choose, always shown. The others are in groups that open.
COMMON = ("paper", "trim", "marks", "backs", "style")
# The latest versions of a deck, which are offered even without a name.
LAST = 8
# Versions that are offered in all.
MAX_VERSIONS = 60
# Versions that are read to find named ones.
MAX_VERSIONS_READ = 500
# Decks that can be added to the print, the last changed first. Others are chosen in the visitor's list of
# decks.
MAX_OFFERED = 30
# Characters that may be typed into a field whose option sets no bound.
MAX_TYPED = 400
# Own decks on the page of a request without cards.
MAX_READY = 8


class Field(NamedTuple):
    """One option in the form, with its chosen value and its fault."""

    option: Option
    chosen: str
    problem: str = ""
    # Choices for this request that replace those of the option: {value: label}. The field becomes a select.
    offered: Mapping[str, str] = MappingProxyType({})
    # For the option ``only``: boxes of sections.
    sections: Sections = NO_SECTIONS
    # What has no effect on these lists: names of options ("since"), and choices as "extras=tokens".
    idle: Collection[str] = ()
    # For the option ``counts``: the rows of the table of single cards.
    rows: tuple[CopyRow, ...] = ()
    # A note for these lists.
    note: str = ""

    @property
    def name(self) -> str:
        return self.option.name

    @property
    def value(self) -> str:
        """The chosen value; another spelling of a choice (``also``) becomes the choice."""
        chosen = self.chosen.strip()
        return self.option.also.get(chosen.casefold(), chosen)

    @property
    def is_size(self) -> bool:
        """True if the choices include "Another size"."""
        return self.option.kind == "size"

    @property
    def selected(self) -> str:
        """The selected choice: the value, or OTHER for a size without a name."""
        return OTHER if self.is_size and self.value not in self.option.choices else self.value

    @property
    def typed(self) -> str:
        """The size in the field beside the choices: ``60x85``. Empty for a size with a name, and if "Another
        size" is chosen but not typed yet.
        """
        return "" if self.selected != OTHER or self.value == OTHER else self.value

    @property
    def choices(self) -> Mapping[str, str]:
        """The choices to show: {value: label}. Idle ones are left out, unless they are ticked."""
        known = self.option.choices
        if self.option.kind == "several":
            return {
                value: label
                for value, label in known.items()
                if value in self.ticked or f"{self.name}={value}" not in self.idle
            }
        if self.offered:
            # The value itself is always a choice, even if it is not offered.
            return {**self.offered, self.value: self.offered.get(self.value, self.value)}
        return {**known, OTHER: "Another size"} if self.is_size else known

    @property
    def widget(self) -> str:
        """The name of the control in the template: select, sections, by_card, checkbox, checkboxes, number,
        text.
        """
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
        """The most characters that may be typed."""
        return max(MAX_TYPED, self.option.most) if self.option.kind in ("text", "counts") else MAX_TYPED

    @property
    def hint(self) -> str:
        """The hint below the field: the choices that may be typed instead of a number, else the note."""
        named = [
            f"“{value}”: {label[:1].lower()}{label[1:]}"
            for value, label in self.option.choices.items()
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
    """Fields under one heading, which can be folded up."""

    title: str
    fields: tuple[Field, ...]

    @property
    def changed(self) -> int:
        """The number of fields whose value is not the default."""
        return sum(field.changed for field in self.fields)

    @property
    def problem(self) -> bool:
        return any(field.problem for field in self.fields)


class Form(NamedTuple):
    """The whole form: ``common`` is always shown, ``groups`` can be unfolded."""

    common: tuple[Field, ...]
    groups: tuple[Group, ...]


def form_for(
    print_request: PrintRequest, faults: Iterable[Fault] = (), rows: tuple[CopyRow, ...] = ()
) -> Form:
    """The form of a request, with the sections and versions of its lists as far as they could be read. A
    fault of an option is shown at its field. ``rows``: the table of single cards.

    Options and choices without an effect on these lists are shown only if they are set.
    """
    given, lists, idle = print_request.words, print_request.lists, _idle(print_request.lists)
    # Option -> the choices that this request has for it, instead of the usual ones.
    offered: dict[str, Mapping[str, str]] = {}
    if versions := _versions(print_request):
        offered["since"] = versions
    else:
        idle.add("since")
    # Others who find the paper cannot open the page of a private deck, so the choice of QR codes warns.
    qr_warning = next((listed.privacy_warning for listed in lists if listed.privacy_warning), "")
    if qr_warning:
        offered["qr"] = {**NAMED["qr"].choices, "page": "To the deck's page, which opens for you alone"}
    wrong = {fault.where: fault.message for fault in faults}
    fields = {
        name: Field(
            option,
            chosen=given.get(name) or option.default,
            problem=wrong.get(name, ""),
            offered=offered.get(name, {}),
            idle=idle,
        )
        for name, option in NAMED.items()
    }
    if lists:
        fields["only"] = fields["only"]._replace(sections=sections_of(given.get("only", ""), lists))
    fields["counts"] = fields["counts"]._replace(rows=rows)
    fields["qr"] = fields["qr"]._replace(note=qr_warning)
    if "since" in offered:
        # Its help says how to type a version; here one is chosen.
        fields["since"] = fields["since"]._replace(option=replace(NAMED["since"], help=""))
    groups: dict[str, list[Field]] = {}
    for field in fields.values():
        has_effect = field.name not in idle
        if field.name not in COMMON and (has_effect or field.changed or field.problem):
            groups.setdefault(field.option.group, []).append(field)
    return Form(
        tuple(fields[name] for name in COMMON),
        tuple(Group(title, tuple(members)) for title, members in groups.items()),
    )


def _idle(lists: Sequence[PrintList]) -> set[str]:
    """The extras without an effect on these lists, as ``extras=choice``. Before there are lists, only
    worksheets are: just the list of an evening, which states its players, has them.
    """
    idle = set()
    if not any(listed.players for listed in lists):
        idle.add("extras=sheets")
    if not lists:
        return idle
    extras = [listed.game.print_extras for listed in lists]
    if not any(extra.markers for extra in extras):
        idle.add("extras=tokens")
    if not any(extra.scores or extra.card_tables for extra in extras):
        idle.add("extras=scores")
    # Single cards are no deck.
    if all(listed.loose for listed in lists):
        idle |= {"extras=labels", "extras=register", "extras=box"}
    return idle


def with_advice(fault: Fault) -> Fault:
    """The fault to show on the page. For a wrong size, how to write one replaces the long list of known
    sizes.
    """
    option = NAMED.get(fault.where)
    if option is None or option.kind != "size" or fault.code != BadOption.code:
        return fault
    # A print service's short list of sizes is kept; it does not offer "width x height".
    if "width x height" not in fault.message:
        return fault
    least, most = (MIN_PAPER, MAX_PAPER) if option.name == "paper" else (MIN_TRIM, MAX_TRIM)
    sentence = f"{option.label}: write width x height in mm, {shown(least)} to {shown(most)} each."
    return replace(fault, message=sentence)


# -- the visitor's versions and decks ---------------------------------------------------


def _versions(print_request: PrintRequest) -> dict[str, str]:
    """The choices for ``since``, ``{"Friday": "“Friday”, 3 May 2026", "7": "Version 7, 1 May 2026"}``: the
    named and the latest versions, if a single stored deck is printed by its author; else empty.
    """
    row = print_request.lists[0].row if len(print_request.lists) == 1 else None
    if row is None or not row.is_editable_by(print_request.fields.viewer):
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
    since = print_request.words.get("since", "")
    past = past_print(since, print_request.fields.viewer)
    if past and past.pk:
        # The page Mine leads here. The summary of the print names the day.
        choices[since] = "One of your prints"
    return choices if len(choices) > 1 else {}


def several_decks(print_request: PrintRequest) -> dict[str, Any]:
    """The decks that can be taken out of the print or added to it, of any game. One query.

    ``printed``: the print's decks, if it has more than one list. ``offered``: the visitor's own decks and
    favourites to add; ``more``: True if there are further ones. ``full``: True if the print has ``most``
    decks already.
    """
    viewer = print_request.fields.viewer
    printed = [listed.row for listed in print_request.lists if listed.row is not None]
    full = len(printed) >= MAX_DECKS
    decks: list[Deck] = []
    if print_request.lists and not full and viewer not in (Viewer(), NOBODY):
        own = Q(pk__in=Deck.objects.editable_by(viewer).order_by().values("pk"))
        rows = Deck.objects.visible_to(viewer).filter(own | favourite_of(viewer), game__in=games())
        rows = rows.exclude(link__in=[row.link for row in printed]).only("link", "name", "game")
        decks = list(rows[: MAX_OFFERED + 1])
    return {
        "printed": _named(printed) if len(print_request.lists) > 1 else [],
        "offered": _named(decks[:MAX_OFFERED]),
        "more": len(decks) > MAX_OFFERED,
        "full": full,
        "most": MAX_DECKS,
    }


def decks_of(viewer: Viewer) -> list[dict[str, str]]:
    """The visitor's own decks, the last changed first, as ``link``, ``name`` and ``game``. One query."""
    rows = Deck.objects.editable_by(viewer).filter(game__in=games()).only("link", "name", "game")
    return _named(rows[:MAX_READY])


def _named(rows: Iterable[Deck]) -> list[dict[str, str]]:
    """Decks with the words for their buttons."""
    return [{"link": row.link, "name": row.name, "game": games()[row.game].name} for row in rows]
