"""The set-up of a game for so many players, each number with its source; and an evening of it: what has to be
brought, what is printed, how the table looks, and what else can be done.

``folder/guides.py`` reads it, and it is evaluated here. Every amount is linear in the choice: ``table``
once, ``each`` for every player, ``per`` for every unit of a numeric option. An amount that gives none of the
three is one that no document states, and stays unknown.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from cardsdb.games.kit.model.rulebook import CitedClaim
from cardsdb.games.kit.model.text import either, plural


@dataclass(frozen=True)
class TablePlace:
    """A place on the table before the first turn: ``table`` cards and ``each`` more for every player, side by
    side or in one stack; a stack without a number is as high as its deck. ``own``: every player has one.
    """

    label: str
    shape: Literal["row", "stack", "space"] = "row"
    table: int = 0
    each: int = 0
    own: bool = False

    def cards(self, players: int) -> int:
        """The number of cards that lie there; 0 where it is not known, and on an empty space."""
        return self.table + self.each * players


@dataclass(frozen=True)
class Door:
    """Something to do tonight. ``to``: ``build``, ``check``, ``cards``, ``play``, or a worksheet of the game.

    ``asks`` is the query of the cards, without the game.
    """

    title: str
    says: str
    to: str
    asks: str = ""


@dataclass(frozen=True)
class Evening:
    """An evening as a game declares it. ``bring`` is the sentence with which its page begins.

    ``title`` and ``says`` stand on the link that prints everything. ``decks`` are starters, one for each
    player as far as they go; ``shared`` lie between all; ``spare`` is one whose cards stand for a box that is
    not there, with the number of players in its name. ``sheets`` are worksheets, of which each player gets
    one. ``words``: an extra of printing (or ``spare``) -> what this game calls it. ``seats``: a number of
    players as text -> words for it. ``usual``: the number of players that is shown first, that of the set-up
    where it is 0.
    """

    bring: str = ""
    title: str = ""
    says: str = ""
    usual: int = 0
    decks: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    spare: str = ""
    sheets: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    places: tuple[TablePlace, ...] = ()
    doors: tuple[Door, ...] = ()

    def starters(self, players: int) -> tuple[str, ...]:
        """The names of the starters that so many players need, as far as there are any."""
        return (*self.decks[:players], *self.shared)

    def spare_for(self, players: int) -> str:
        """The name of the starter that stands for the box; empty if there is none."""
        return self.spare.replace("{players}", str(players))


NO_EVENING = Evening()


# -- the set-up ------------------------------------------------------------------------

MAX_PLAYERS = 12
Kind = Literal["card", "token", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Choice = str | int


class SetUpError(ValueError):
    """A set-up that cannot be worked out. ``faults``: (players or an option's key, sentence for a reader)."""

    def __init__(self, *faults: tuple[str, str]) -> None:
        super().__init__(" ".join(message for _, message in faults))
        self.faults = faults


@dataclass(frozen=True)
class Span:
    """Numbers of players: from ``low`` to ``high``, or from ``low`` upwards where no highest number is
    stated.
    """

    low: int
    high: int | None

    def __contains__(self, players: object) -> bool:
        return players in self.numbers

    @property
    def numbers(self) -> range:
        """The numbers that Cutout works out a set-up for; up to ``MAX_PLAYERS`` where no highest is
        stated.
        """
        return range(self.low, (self.high if self.high is not None else MAX_PLAYERS) + 1)

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low} or more"
        return (
            " or ".join(map(str, self.numbers)) if self.high - self.low < 2 else f"{self.low} to {self.high}"
        )


@dataclass(frozen=True)
class Option:
    """A choice beside the number of players: one of ``choices`` (key -> words), or a number from low to
    high.
    """

    key: str
    label: str
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    usual: Choice = ""

    @property
    def default(self) -> Choice:
        """The value when nothing is chosen: ``usual``, else the first choice, else the lowest number."""
        return self.usual if self.usual != "" else next(iter(self.choices), self.low)

    def read(self, value: Choice) -> Choice:
        """The choice that a person or a program has typed. Raises SetUpError with what may be chosen."""
        if self.choices:
            if value in self.choices:
                return value
            raise SetUpError(
                (self.key, f"{self.label} can be {either(tuple(self.choices))}, not “{str(value)[:40]}”.")
            )
        number = _number(value)
        if number is None or not self.low <= number <= self.high:
            words = f"{self.label} must be a whole number from {self.low} to {self.high}"
            raise SetUpError((self.key, f"{words}, not “{str(value)[:40]}”."))
        return number

    def shown(self, value: Choice) -> str:
        return self.choices.get(str(value), str(value))


@dataclass(frozen=True)
class Condition:
    """When a step or question is meant: for these numbers of players, under these choices."""

    players: Span | None = None
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def holds(self, players: int, options: Mapping[str, Choice]) -> bool:
        return (self.players is None or players in self.players) and all(
            str(options[key]) in chosen for key, chosen in self.when.items()
        )


@dataclass(frozen=True)
class PlayerAmount:
    """A number that follows from the choice; None throughout where no document states it."""

    table: int | None = None
    each: int | None = None
    per: Mapping[str, int] = field(default_factory=dict)

    def total(self, players: int, options: Mapping[str, Choice]) -> int | None:
        if self.table is None and self.each is None and not self.per:
            return None
        return (
            (self.table or 0)
            + players * (self.each or 0)
            + sum(times * int(options[key]) for key, times in self.per.items())
        )


@dataclass(frozen=True)
class Component:
    """Something that a step takes from the box or the table; ``least``: the amount is a lower bound."""

    what: str
    kind: Kind
    amount: PlayerAmount
    sources: tuple[CitedClaim, ...]
    least: bool = False


@dataclass(frozen=True)
class SetUpStep:
    """A step as declared. ``needs`` is brought to the table, ``lays`` comes from what is there already;
    ``short`` says it in as few words as a card has room for.
    """

    title: str
    says: str
    sources: tuple[CitedClaim, ...]
    condition: Condition = Condition()
    needs: tuple[Component, ...] = ()
    lays: tuple[Component, ...] = ()
    amounts: Mapping[str, PlayerAmount] = field(default_factory=dict)
    note: str = ""
    short: str = ""


@dataclass(frozen=True)
class OpenQuestion:
    """A question that the documents leave open about the set-up; ``ruling`` is the id of Cutout's ruling, if
    there is one.
    """

    question: str
    treatment: str
    ruling: str = ""
    condition: Condition = Condition()


# -- the answer -------------------------------------------------------------------


@dataclass(frozen=True)
class Quantity:
    """So many of something. ``total`` and ``each`` (a player's share) are None where they are not known or do
    not apply.
    """

    what: str
    kind: Kind
    total: int | None
    each: int | None
    least: bool
    sources: tuple[CitedClaim, ...]


@dataclass(frozen=True)
class GuideStep:
    """A step for the reader. ``sources`` are its own and those of its quantities; ``short`` is empty where
    nothing shorter than ``says`` is declared.
    """

    number: int
    title: str
    says: str
    quantities: tuple[Quantity, ...]
    sources: tuple[CitedClaim, ...]
    note: str = ""
    short: str = ""


@dataclass(frozen=True)
class Guide:
    """The set-up for one choice: ordered steps, the components needed in all, and what stays open."""

    game: str
    players: int
    options: Mapping[str, Choice]
    steps: tuple[GuideStep, ...]
    components: tuple[Quantity, ...]
    open: tuple[OpenQuestion, ...]


@dataclass(frozen=True)
class SetUpGuide:
    """The set-up that ``set_up.toml`` declares. ``usual`` is the number of players that is shown first."""

    game: str
    name: str
    players: Span
    usual: int
    source: CitedClaim
    options: tuple[Option, ...]
    steps: tuple[SetUpStep, ...]
    open: tuple[OpenQuestion, ...]
    evening: Evening = NO_EVENING

    @property
    def tonight(self) -> int:
        """The number of players with which the game's first page begins."""
        return self.evening.usual or self.usual

    def guide(self, players: int, options: Mapping[str, Choice] | None = None) -> Guide:
        """The set-up for so many players. Raises SetUpError naming every answer that cannot be."""
        return self.guide_for({"players": players, **(options or {})})

    def guide_for(self, answers: Mapping[str, Choice]) -> Guide:
        """The set-up for answers as a form or an address gives them: ``players`` and options by key, as text
        or numbers.
        """
        known = ("players", *(option.key for option in self.options))
        there_is = f"to choose; there is {either(known)}."
        faults = [
            (key[:40], f"There is nothing called “{key[:40]}” {there_is}")
            for key in sorted(set(answers) - set(known))
        ]
        players = _number(answers.get("players", self.usual))
        if players is None or players not in self.players:
            faults.append(("players", self._not_so_many(answers["players"])))
        chosen: dict[str, Choice] = {}
        for option in self.options:
            try:
                chosen[option.key] = option.read(answers.get(option.key, option.default))
            except SetUpError as refused:
                faults.extend(refused.faults)
        if faults or players is None:
            raise SetUpError(*faults)
        return self._worked_out(players, chosen)

    def _not_so_many(self, typed: Choice) -> str:
        number = _number(typed)
        if number is None:
            return f"The number of players must be a whole number, not “{str(typed)[:40]}”."
        if self.players.high is None and number > MAX_PLAYERS:
            return (
                f"Cutout works a set-up out for {MAX_PLAYERS} players at most, not {number}. No document"
                " states a highest number."
            )
        return (
            f"{self.name} is for {self.players} {plural(max(self.players.numbers), 'player')}, not {number}."
        )

    def _worked_out(self, players: int, options: Mapping[str, Choice]) -> Guide:
        steps: list[GuideStep] = []
        components: dict[tuple[str, Kind], Quantity] = {}
        for step in (step for step in self.steps if step.condition.holds(players, options)):
            needs, lays = (
                tuple(_quantity(component, players, options) for component in of)
                for of in (step.needs, step.lays)
            )
            shown = (*needs, *(laid for laid in lays if laid.total != 0))
            amounts = {name: amount.total(players, options) for name, amount in step.amounts.items()}
            says, short = (words.format(players=players, **amounts) for words in (step.says, step.short))
            sources = itertools.chain(step.sources, *(quantity.sources for quantity in shown))
            cited = tuple(dict.fromkeys(sources))
            steps.append(GuideStep(len(steps) + 1, step.title, says, shown, cited, step.note, short))
            for need in needs:
                known = components.get((need.what, need.kind))
                components[need.what, need.kind] = _together(known, need) if known else need
        questions = tuple(question for question in self.open if question.condition.holds(players, options))
        return Guide(self.game, players, options, tuple(steps), tuple(components.values()), questions)


def _quantity(component: Component, players: int, options: Mapping[str, Choice]) -> Quantity:
    amount = component.amount
    # A share is given only where it alone makes up the total.
    each = amount.each if amount.each and not amount.table and not amount.per and players > 1 else None
    total, least = amount.total(players, options), component.least
    return Quantity(component.what, component.kind, total, each, least, component.sources)


def _together(one: Quantity, other: Quantity) -> Quantity:
    """Two needs of one component as one. A sum with an unknown part is unknown."""
    total = None if one.total is None or other.total is None else one.total + other.total
    sources = tuple(dict.fromkeys(one.sources + other.sources))
    return replace(one, total=total, each=None, least=one.least or other.least, sources=sources)


def _number(value: Choice) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if re.fullmatch(r"[0-9]{1,4}", value.strip(), re.ASCII) else None
