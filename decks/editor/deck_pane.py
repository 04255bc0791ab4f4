"""The deck as the editor shows it: every section of its format, every line with what can be done to it, in
groups and an order that the author chose, with rows for what is missing; and the verdict.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from cardsdb.games.kit import Entry, Fact, Game, Section, Severity, as_words, count_of, fold, plural, some
from cardsdb.games.kit.model.format import Lack
from cardsdb.search.query.tree import normal
from decks.core.content import DeckContent, by_type
from decks.core.judging import Judged
from decks.editor.card_pane import lacks_of, tree_of
from decks.editor.row_facts import Column, allegiance_of, columns_of, cost_of, row_facts
from decks.models import Deck
from decks.saving.history import steps_of
from decks.web.deck_context import fan_of

# The cookie that remembers each parameter of the address.
COOKIES = {"group": "deck_grouping", "sort": "deck_sorting", "view": "deck_view"}
MAX_CHOICE = 40


# -- how the lines are laid out ---------------------------------------------------------------------


class Option(NamedTuple):
    """One way to lay the lines out, as a link offers it. ``slug`` stands in the address."""

    slug: str
    title: str
    picked: bool


def _options(titles: Mapping[str, str], picked: str, or_first: bool = True) -> tuple[Option, ...]:
    """The options, of which the picked one is marked, or the first in place of one that is not known."""
    if or_first and picked not in titles:
        picked = next(iter(titles))
    return tuple(Option(slug, title, slug == picked) for slug, title in titles.items())


@dataclass(frozen=True)
class Arrangement:
    """The layout of the deck's lines: what they are grouped and sorted by, and whether they are rows or
    stacks of faces. An address chooses, and the browser remembers it in a cookie for each choice; what a game
    does not know falls back to the first way.
    """

    group: str = "type"
    sort: str = "written"
    view: str = "rows"

    @classmethod
    def of(cls, parameters: Mapping[str, str], cookies: Mapping[str, str]) -> "Arrangement":
        """As the address says, else as this browser chose before."""
        chosen = {name: parameters.get(name) or cookies.get(cookie) for name, cookie in COOKIES.items()}
        return cls(**{name: value[:MAX_CHOICE] for name, value in chosen.items() if value})

    @property
    def in_stacks(self) -> bool:
        return self.view == "stacks"

    def views(self) -> tuple[Option, ...]:
        """The ways to show the lines."""
        return _options({"rows": "Rows", "stacks": "Faces"}, self.view)

    def groupings(self, game: Game) -> tuple[Option, ...]:
        """The ways to group the lines of this game's decks: by type, and by cost and faction if its cards
        have them.
        """
        titles = {slug: fact.title for slug, fact in _facts_to_group_by(game).items()}
        return _options({"type": "Type", **titles}, self.group)

    def sortings(self, game: Game, entries: Iterable[Entry]) -> tuple[Option, ...]:
        """The orders of these lines: by name, copies, and the numbers of the game's rows that some of the
        cards have.
        """
        cards, numbers = [entry.card for entry in entries], _numbers(game)
        known = {
            key: fact.title
            for key, fact in numbers.items()
            if any(card.number(key) is not None for card in cards)
        }
        titles = {"written": "As written", "name": "Name", "copies": "Copies", **known}
        # Of a number that none of the cards has none is picked.
        return _options(titles, self.sort, self.sort not in numbers)

    def sorted(self, game: Game, entries: Iterable[Entry]) -> list[Entry]:
        """The lines in the chosen order. What a card costs begins with the least, other numbers with the
        most; cards without come last.
        """
        fact = _numbers(game).get(self.sort)

        def place(entry: Entry) -> Any:
            if self.sort == "name":
                return fold(entry.card.name)
            if self.sort == "copies":
                return -entry.count
            number = entry.card.number(fact.key) if fact else 0
            return float("inf") if number is None else number if fact == cost_of(game) else -number

        return sorted(entries, key=place)


USUAL = Arrangement()


def _facts_to_group_by(game: Game) -> dict[str, Fact]:
    facts = {"cost": cost_of(game), "faction": allegiance_of(game)}
    return {slug: fact for slug, fact in facts.items() if fact}


def _numbers(game: Game) -> dict[str, Fact]:
    """The number facts that the game declares for rows, by their keys and in its order."""
    facts = (game.facts_by_key.get(row_fact.key) for row_fact in game.row_facts)
    return {fact.key: fact for fact in facts if fact and fact.kind == "number"}


# -- sections, groups and lines ---------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One line. ``key`` names its section and card in edits, ``id`` in the page. ``fan``: how its face
    overlaps with others.
    """

    game: Game
    entry: Entry
    is_open: bool
    fan: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the card that its row shows. Pages with faces never ask."""
        return row_facts(self.game, self.entry.card)

    @property
    def key(self) -> str:
        return f"{self.entry.section} {self.entry.card.code}"

    @property
    def id(self) -> str:
        return line_id(self.entry.section, self.entry.card.code)

    @property
    def prints(self) -> tuple[tuple[str, int], ...]:
        """Each print that the card has, or that the line asks for, with the line's copies of it; none if
        there is no choice.
        """
        prints = self.entry.marks.prints
        chosen = dict(prints.groups(self.entry.count))
        labels = dict.fromkeys((*self.entry.card.print_labels, *prints.labels))
        return tuple((label, chosen.get(label, 0)) for label in labels)


@dataclass(frozen=True)
class Group:
    """Lines of a section that have something in common, such as their type. ``columns``: the headings of
    their numbers.
    """

    title: str
    lines: tuple[Line, ...]
    columns: tuple[Column, ...] = ()

    @property
    def count(self) -> int:
        return count_of(line.entry for line in self.lines)

    @property
    def fans(self) -> list[tuple[str, list[Line]]]:
        """The lines by the way in which their faces overlap."""
        fans: dict[str, list[Line]] = {}
        for line in self.lines:
            fans.setdefault(line.fan, []).append(line)
        return list(fans.items())

    @property
    def opened(self) -> Line | None:
        """The line that is shown with its form, if it is one of these."""
        return next((line for line in self.lines if line.is_open), None)


@dataclass(frozen=True)
class Part:
    """A section of the deck, which may be empty. ``missing``: the cards that it lacks, in words, with the
    query that finds those that fit. ``is_foreign``: cards stand there although the format has no such
    section.
    """

    section: Section
    groups: list[Group]
    missing: Collection[dict[str, str]]
    is_foreign: bool

    @property
    def takes(self) -> str:
        """The types of the cards that may be put into it."""
        return "" if self.is_foreign else " ".join(self.section.types)

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)


def line_id(section: str, code: str) -> str:
    return f"line-{section}-{code}"


def parts_of(judged: Judged, opened: str = "", arrangement: Arrangement = USUAL) -> list[Part]:
    """The sections of the format, and others that have cards. ``opened``: the key of the line shown with its
    form.
    """
    game, parts, missing = judged.game, [], _missing(judged)
    fact = _facts_to_group_by(game).get(arrangement.group)

    def lines_of(entries: Iterable[Entry]) -> tuple[Line, ...]:
        return tuple(
            Line(game, entry, f"{entry.section} {entry.card.code}" == opened, fan_of(game, entry.card.type))
            for entry in arrangement.sorted(game, entries)
        )

    for section in game.sections:
        entries, is_foreign = judged.deck.in_section(section.slug), section.slug not in judged.format.sections
        if is_foreign and not entries:
            continue
        types = by_type(game, section, entries)
        if fact:
            groups = _grouped_by(fact, lines_of(entry for _, of_type in types for entry in of_type))
        else:
            groups = [
                Group(kind.plural or "Unknown cards", lines_of(of_type), columns_of(game, kind.slug))
                for kind, of_type in types
            ]
        parts.append(Part(section, groups, missing.get(section.slug, {}).values(), is_foreign))
    return parts


def _grouped_by(fact: Fact, lines: Iterable[Line]) -> list[Group]:
    """A group for each value of the fact, numbers from the least on and words in the alphabet's order; cards
    without it come last.
    """
    groups: dict[tuple[bool, int, str], list[Line]] = {}
    for line in lines:
        value = line.entry.card.facts.get(fact.key)
        words = "" if value is None else as_words(value)
        title = f"{fact.title} {words}" if fact.kind == "number" else words
        title = f"No {fact.title.lower()}" if value is None else title
        groups.setdefault((value is None, value if isinstance(value, int) else 0, title), []).append(line)
    return [Group(title, tuple(grouped)) for (_, _, title), grouped in sorted(groups.items())]


def _missing(judged: Judged) -> dict[str, dict[str, dict[str, str]]]:
    """The sections that lack cards of certain types, each with its rows by their words. What any of several
    sections could take is left out, and so is a mere number where the roles say what is needed.
    """
    rows: dict[str, dict[str, dict[str, str]]] = {}
    lacks = lacks_of(judged, {Severity.INCOMPLETE})
    if judged.needs:
        lacks = [lack for lack in lacks if lack.facts or lack.name]
    exact = {lack.types for lack in lacks if lack.facts or lack.name}
    for lack in lacks:
        places = set(lack.sections[:1]) or {
            judged.game.section_for(slug, judged.format) for slug in lack.types
        }
        if len(places) == 1 and (lack.facts or lack.name or lack.types not in exact):
            words, query = _missing_words(judged.game, lack), normal(tree_of(lack))
            row = {"words": words, "query": query, "href": f"?q={quote_plus(query)}"}
            rows.setdefault(places.pop(), {}).setdefault(words, row)
    return rows


def _missing_words(game: Game, lack: Lack) -> str:
    if lack.name or lack.facts:
        facts = (f"{game.facts_by_key[key].title} {as_words(value)}" for key, value in lack.facts.items())
        return f"{lack.name or ', '.join(facts)} is missing"
    kinds = [game.type_named(slug) for slug in lack.types]
    nouns = ("card", "cards") if len(kinds) > 1 else (kinds[0].name, kinds[0].plural)
    return f"{lack.count} more {plural(lack.count, *nouns).lower()}"


# -- the whole side -------------------------------------------------------------------------------


def gauges_of(judged: Judged) -> Iterator[dict[str, Any]]:
    """The numbers that the format's rules count, each as a bar with what the deck has of it; not those that a
    role shows. ``filled``: percent; ``state``: short, kept or over; ``cites``: the code of its rule.
    """
    base = (need.role for need in (judged.needs.roles if judged.needs else ()) if need.role.base)
    shown = {code for role in base for code in role.cites}
    for meter in judged.meters():
        if meter.code in shown:
            continue
        least, most, count = meter.least, meter.most, meter.found
        if most is not None:
            bounds, full = f"{most}" if least in (None, most) else f"{least} to {most}", most
        elif least is not None:
            bounds, full = f"{least} or more", least
        else:
            continue
        state, beyond = "kept", ""
        if least is not None and count < least:
            state, beyond = "short", f", {least - count} to go"
        elif most is not None and count > most:
            state, beyond = "over", f", {count - most} too many"
        cites = meter.code if judged.cited(meter.code)[0] else ""
        filled = 100 * min(count, full or 1) // (full or 1)
        yield {
            "label": meter.label,
            "words": f"{count} of {bounds}{beyond}",
            "state": state,
            "filled": filled,
            "cites": cites,
        }


@dataclass(frozen=True)
class Feedback:
    """The page's words about the last change: what was done, or why nothing was.

    ``elsewhere``: what others changed meanwhile. ``note``: how a misspelt name was read. ``lines``: lines to
    add instead of one that was not understood; ``unknown``: the line that keeps ``name``, which no card has.
    ``typed`` and ``typed_lines`` stand in their fields again.
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
    """The deck and its verdict in the editor, as ``editor_deck.html`` and ``editor_verdict.html`` read them
    by these names.

    ``role``: that of the cards found. ``place``: the address that its forms send to. ``opened``: the key of
    the line that is shown with its form. ``arrangement``: how its lines are laid out, as the author chose.
    """
    game, parts = judged.game, parts_of(judged, opened, arrangement)
    violations = judged.violation_views()
    notes = sum(view.severity == "note" for view in violations)
    counts = ((len(violations) - notes, "thing", " to do"), (notes, "note", ""))
    in_short = ", ".join(f"{some(count, noun)}{rest}" for count, noun, rest in counts if count)
    line = next((group.opened for part in parts for group in part.groups if group.opened), None)
    return {
        "content": content,
        "place": place,
        # The address up to where one more parameter stands.
        "joined": f"{place}{'&' if '?' in place else '?'}",
        "opened": opened,
        "role": role,
        "feedback": feedback,
        "arrangement": arrangement,
        # The options of each choice, by the name that it has in the address.
        "choices": {
            "group": arrangement.groupings(game),
            "sort": arrangement.sortings(game, judged.deck.entries),
            "view": arrangement.views(),
        },
        "parts": parts,
        # Where the line that is opened may stand: in its own section, and in those of the format that take
        # it.
        "places": [
            section
            for section in game.sections
            if line
            and (
                section.slug == line.entry.section
                or (section.slug in judged.format.sections and line.entry.card.type in section.types)
            )
        ],
        "violations": violations,
        # The number of violations: "1 thing to do, 1 note".
        "violations_in_short": in_short or "House rules",
        "gauges": list(gauges_of(judged)),
        # What the format asks for besides cards, each with the deck's answer.
        "details": [(one, judged.deck.details.get(one.key, "")) for one in judged.format.details],
        "steps": steps_of(deck, content, game),
    }
