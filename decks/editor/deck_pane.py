"""The deck's half of the editor: its sections and lines, the cards that are still missing, the gauges of its
format, its verdict, and the words about the last change.

``views.py`` calls ``deck_pane``, which returns the context of ``deck.html`` and ``verdict.html`` in
``templates/decks/editor``. ``rows.py`` groups and sorts the lines as the author chose. That changes only the
display: in edits (``changes.py``) a line is named by its section and card, "deck kai".
Tests: ``tests/decks/editor/test_deck_pane.py``.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from cardsdb.games.kit import Entry, Fact, Game, Section, Severity, as_words, count_of, plural, some
from cardsdb.games.kit.model.format import Lack
from cardsdb.search.query.tree import normal
from decks.core.content import DeckContent, by_type
from decks.core.judging import Judged
from decks.core.violations import ViolationView
from decks.editor.fitting import lacks_of, tree_of
from decks.editor.rows import USUAL, Arrangement, Column, columns_of, facts_to_group_by, row_facts
from decks.models import Deck
from decks.saving.history import steps_of
from decks.web.deck_context import fan_of

# -- sections, groups and lines ---------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One line of the deck. ``key`` names it in edits ("deck kai"), ``id`` is its HTML id. ``fan`` is the
    direction in which its face overlaps others in a stack. ``is_open``: it is shown with its form.
    """

    game: Game
    entry: Entry
    is_open: bool
    fan: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that the row shows. Only rows ask for them, so they are not computed for stacks
        of faces.
        """
        return row_facts(self.game, self.entry.card)

    @property
    def key(self) -> str:
        return f"{self.entry.section} {self.entry.card.code}"

    @property
    def id(self) -> str:
        return line_id(self.entry.section, self.entry.card.code)

    @property
    def prints(self) -> tuple[tuple[str, int], ...]:
        """(label, the line's copies of it) of each print of the card, and of each that the line asks for."""
        prints = self.entry.marks.prints
        chosen = dict(prints.groups(self.entry.count))
        labels = dict.fromkeys((*self.entry.card.print_labels, *prints.labels))
        return tuple((label, chosen.get(label, 0)) for label in labels)


@dataclass(frozen=True)
class Group:
    """Lines of one section that have something in common, such as their type. ``columns`` are their
    headings.
    """

    title: str
    lines: tuple[Line, ...]
    columns: tuple[Column, ...] = ()

    @property
    def count(self) -> int:
        return count_of(line.entry for line in self.lines)

    @property
    def fans(self) -> list[tuple[str, list[Line]]]:
        """The lines, grouped by the direction in which their faces overlap: (fan, lines)."""
        fans: dict[str, list[Line]] = {}
        for line in self.lines:
            fans.setdefault(line.fan, []).append(line)
        return list(fans.items())

    @property
    def opened(self) -> Line | None:
        """The line that is shown with its form, or None if it is in another group."""
        return next((line for line in self.lines if line.is_open), None)


@dataclass(frozen=True)
class Part:
    """One section of the deck as shown; it may be empty. ``missing``: a dict for each kind of card that it
    lacks, with ``words``, ``query`` and ``href`` of a search for them. ``is_foreign``: the format has no such
    section, but the deck has cards in it.
    """

    section: Section
    groups: list[Group]
    missing: Collection[dict[str, str]]
    is_foreign: bool

    @property
    def takes(self) -> str:
        """Slugs of the card types that may be put here, separated by spaces, for the script."""
        return "" if self.is_foreign else " ".join(self.section.types)

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)


def line_id(section: str, code: str) -> str:
    """Return the HTML id of a line, to which the browser returns after a change: "line-deck-kai"."""
    return f"line-{section}-{code}"


def parts_of(judged: Judged, opened: str = "", arrangement: Arrangement = USUAL) -> list[Part]:
    """Return the sections to show: those of the format, and any other that has cards. ``opened`` is the key
    of the line to show with its form, or empty.
    """
    game, missing = judged.game, _missing(judged)
    # The fact by whose values lines are grouped; None: they are grouped by type.
    fact = facts_to_group_by(game).get(arrangement.group)

    def lines_of(entries: Iterable[Entry]) -> tuple[Line, ...]:
        return tuple(
            Line(game, entry, f"{entry.section} {entry.card.code}" == opened, fan_of(game, entry.card.type))
            for entry in arrangement.sorted(game, entries)
        )

    parts = []
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        is_foreign = section.slug not in judged.format.sections
        if is_foreign and not entries:
            continue
        types = by_type(game, section, entries)
        if fact:
            in_order = (entry for _, of_type in types for entry in of_type)
            groups = _grouped_by(fact, lines_of(in_order))
        else:
            groups = [
                Group(kind.plural or "Unknown cards", lines_of(of_type), columns_of(game, kind.slug))
                for kind, of_type in types
            ]
        parts.append(Part(section, groups, missing.get(section.slug, {}).values(), is_foreign))
    return parts


def _grouped_by(fact: Fact, lines: Iterable[Line]) -> list[Group]:
    """Return a group per value of the fact: numbers upwards, words alphabetically, cards without it last."""
    groups: dict[tuple[bool, int, str], list[Line]] = {}
    for line in lines:
        value = line.entry.card.facts.get(fact.key)
        if value is None:
            title = f"No {fact.title.lower()}"
        elif fact.kind == "number":
            title = f"{fact.title} {as_words(value)}"
        else:
            title = as_words(value)
        # The key sorts the groups: those with a value first, then by number, then by title.
        key = (value is None, value if isinstance(value, int) else 0, title)
        groups.setdefault(key, []).append(line)
    return [Group(title, tuple(grouped)) for (_, _, title), grouped in sorted(groups.items())]


def _missing(judged: Judged) -> dict[str, dict[str, dict[str, str]]]:
    """Return section slug -> words -> row of the cards that the deck lacks. A row of the section "leaders"::

        {"words": "Level 1 is missing", "query": "type=leader level=1", "href": "?q=type%3Dleader+level%3D1"}

    A lack that several sections could fill is left out. So is one that only gives a number, if the roles of
    the deck, or a more exact lack of the same types, already say what is needed.
    """
    rows: dict[str, dict[str, dict[str, str]]] = {}
    lacks = lacks_of(judged, {Severity.INCOMPLETE})
    types_of_exact = {lack.types for lack in lacks if _is_exact(lack)}
    for lack in lacks:
        if not _is_exact(lack) and (judged.needs or lack.types in types_of_exact):
            continue
        if lack.sections:
            sections = {lack.sections[0]}
        else:
            sections = {judged.game.section_for(slug, judged.format) for slug in lack.types}
        if len(sections) > 1:
            continue
        words, query = _missing_words(judged.game, lack), normal(tree_of(lack))
        row = {"words": words, "query": query, "href": f"?q={quote_plus(query)}"}
        # Two rules may lack the same cards; they are told once.
        rows.setdefault(sections.pop(), {}).setdefault(words, row)
    return rows


def _is_exact(lack: Lack) -> bool:
    """True if the lack says more than a number of cards of some types."""
    return bool(lack.facts or lack.name)


def _missing_words(game: Game, lack: Lack) -> str:
    """Say what is missing: "Agency Black Chamber is missing", "3 more agents"."""
    if _is_exact(lack):
        facts = (f"{game.facts_by_key[key].title} {as_words(value)}" for key, value in lack.facts.items())
        return f"{lack.name or ', '.join(facts)} is missing"
    kinds = [game.type_named(slug) for slug in lack.types]
    nouns = ("card", "cards") if len(kinds) > 1 else (kinds[0].name, kinds[0].plural)
    return f"{lack.count} more {plural(lack.count, *nouns).lower()}"


# -- the whole side -------------------------------------------------------------------------------


def gauges_of(judged: Judged) -> Iterator[dict[str, Any]]:
    """Yield a bar for each number that the format's rules count, unless a role already shows it. ``state`` is
    "short", "kept" or "over", ``filled`` a percentage, ``cites`` the cited rule's code or ""::

        {"label": "cards with the leaders", "words": "1 of 50 or more, 49 to go", "state": "short",
         "filled": 2, "cites": "AG-3"}
    """
    roles = judged.needs.roles if judged.needs else ()
    # Codes of the rules whose number a role shows.
    shown = {code for need in roles if need.role.base for code in need.role.cites}
    for meter in judged.meters():
        if meter.code in shown:
            continue
        least, most, count = meter.least, meter.most, meter.found
        # ``full``: the number at which the bar is full.
        if most is not None:
            bounds = f"{most}" if least in (None, most) else f"{least} to {most}"
            full = most
        elif least is not None:
            bounds = f"{least} or more"
            full = least
        else:
            continue
        # A bound may be 0, and a bar is never divided by that.
        full = max(full, 1)
        state, beyond = "kept", ""
        if least is not None and count < least:
            state, beyond = "short", f", {least - count} to go"
        elif most is not None and count > most:
            state, beyond = "over", f", {count - most} too many"
        citation, _ = judged.cited(meter.code)
        yield {
            "label": meter.label,
            "words": f"{count} of {bounds}{beyond}",
            "state": state,
            "filled": 100 * min(count, full) // full,
            "cites": meter.code if citation else "",
        }


@dataclass(frozen=True)
class Feedback:
    """The words of the page about the last change: what was done, or why nothing was.

    ``elsewhere``: what others changed meanwhile. ``note``: how a misspelt name was read. If a line was not
    understood, ``lines`` are similar ones to add instead, and ``unknown`` is the line that keeps ``name`` as
    an unknown card. ``typed`` and ``typed_lines`` are filled into their fields again.
    """

    done: str = ""
    elsewhere: str = ""
    note: str = ""
    problems: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    name: str = ""
    unknown: str = ""
    typed: str = ""
    typed_lines: str = ""


def deck_pane(
    deck: Deck,
    content: DeckContent,
    judged: Judged,
    place: str,
    arrangement: Arrangement,
    feedback: Feedback,
    opened: str = "",
    role: str = "",
) -> dict[str, Any]:
    """Return the context named ``pane`` in the templates ``deck.html`` and ``verdict.html``, which use these
    keys.

    ``place``: the address that the forms post to. ``opened``: the key of the line shown with its form, or
    empty. ``role``: the role whose cards the other half shows, or empty.
    """
    game, parts = judged.game, parts_of(judged, opened, arrangement)
    violations = judged.violation_views()
    line = next((group.opened for part in parts for group in part.groups if group.opened), None)
    return {
        "content": content,
        "place": place,
        # The address, ready for one more query parameter.
        "joined": f"{place}{'&' if '?' in place else '?'}",
        "opened": opened,
        "role": role,
        "feedback": feedback,
        "arrangement": arrangement,
        # Query parameter -> its options.
        "choices": {
            "group": arrangement.groupings(game),
            "sort": arrangement.sortings(game, judged.deck.entries),
            "view": arrangement.views(),
        },
        "parts": parts,
        # Sections that the opened line may be moved to.
        "places": _places_for(line.entry, judged) if line else [],
        "violations": violations,
        "violations_in_short": _in_short(violations),
        "gauges": list(gauges_of(judged)),
        # The details that the format asks for: (detail, the deck's answer or "").
        "details": [(detail, judged.deck.details.get(detail.key, "")) for detail in judged.format.details],
        "steps": steps_of(deck, content, game),
    }


def _places_for(entry: Entry, judged: Judged) -> list[Section]:
    """Return the line's own section, and those of the format that take its card, in the game's order."""
    return [
        section
        for section in judged.game.sections
        if section.slug == entry.section
        or (section.slug in judged.format.sections and entry.card.type in section.types)
    ]


def _in_short(violations: Collection[ViolationView]) -> str:
    """Return the number of violations in words: "1 thing to do, 1 note". Without any, only house rules are
    left to show.
    """
    notes = sum(view.severity == "note" for view in violations)
    counts = ((len(violations) - notes, "thing", " to do"), (notes, "note", ""))
    return ", ".join(f"{some(count, noun)}{rest}" for count, noun, rest in counts if count) or "House rules"
