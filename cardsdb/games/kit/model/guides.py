"""Set-up guides: how to set a game up for a number of players; and evenings: what to bring, print and do.

``folder/guides.py`` reads both from one file, ``set_up.toml``. Below come the evening, the set-up as declared
(``SetUpGuide``), and the set-up worked out for one choice of players and options (``Guide``). An amount that
no document states is unknown (None), also in sums; every number carries its sources. A refusal quotes at most
40 characters of what was typed.

``web/guide_views.py``, ``web/game_page.py`` and ``printing/web/evening.py`` show them. Tests:
``tests/cardsdb/web/test_set_ups.py`` has the set-ups of every game.
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
    """A place on the table before the first turn, holding ``table`` cards and ``each`` more for every player.

    ``shape``: cards side by side, one stack, or an empty space. A stack without a number is the whole deck.
    ``own``: every player has such a place.
    """

    label: str
    shape: Literal["row", "stack", "space"] = "row"
    table: int = 0
    each: int = 0
    own: bool = False

    def cards(self, players: int) -> int:
        """Return the number of cards on this place; 0 if it is unknown or the place is empty."""
        return self.table + self.each * players


@dataclass(frozen=True)
class Door:
    """A link on the evening's page to something to do. ``to``: ``build``, ``check``, ``cards``, ``play``, or
    the slug of a worksheet of the game. ``asks``: the card query that the link opens, without the game.
    """

    title: str
    says: str
    to: str
    asks: str = ""


@dataclass(frozen=True)
class Evening:
    """An evening as a game declares it.

    - ``bring``: the first sentence of its page. ``title``, ``says``: texts of the link that prints
      everything.
    - ``decks``: slugs of starters, one for each player; later players have none if there are too few.
    - ``shared``: slugs of starters that all players use together.
    - ``spare``: slug of the starter that replaces a missing box; "{players}" in it becomes the number.
    - ``sheets``: slugs of worksheets, one copy for each player.
    - ``words``: key of a print extra (or "spare") -> the game's word for it.
    - ``seats``: number of players as text -> words for it.
    - ``usual``: number of players shown first; 0 means that of the set-up guide.
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
        """Return the slugs of the starters for this number of players, as far as there are any."""
        return (*self.decks[:players], *self.shared)

    def spare_for(self, players: int) -> str:
        """Return the slug of the starter that replaces a missing box; empty if there is none."""
        return self.spare.replace("{players}", str(players))


NO_EVENING = Evening()


# -- the set-up as declared --------------------------------------------------------------

# Set-ups are worked out up to this number if a game states no highest number of players.
MAX_PLAYERS = 12
# The key of the number of players among the answers of a form; all other keys are those of options.
PLAYERS = "players"
Kind = Literal["card", "token", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Choice = str | int


class SetUpError(ValueError):
    """Raised if a set-up cannot be worked out. ``faults``: (``PLAYERS`` or an option's key, sentence to
    show).
    """

    def __init__(self, *faults: tuple[str, str]) -> None:
        super().__init__(" ".join(message for _, message in faults))
        self.faults = faults


@dataclass(frozen=True)
class Span:
    """A range of numbers of players, from ``low`` to ``high``; ``high`` is None if no highest is stated."""

    low: int
    high: int | None

    def __contains__(self, players: object) -> bool:
        return players in self.numbers

    @property
    def numbers(self) -> range:
        """The numbers for which a set-up is worked out: up to ``high``, else up to ``MAX_PLAYERS``."""
        return range(self.low, (self.high if self.high is not None else MAX_PLAYERS) + 1)

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low} or more"
        if self.high - self.low < 2:
            return " or ".join(map(str, self.numbers))
        return f"{self.low} to {self.high}"


@dataclass(frozen=True)
class Option:
    """A choice besides the number of players: one of ``choices`` (key -> words), or without these a number
    from ``low`` to ``high``.
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
        """The value if nothing is chosen: ``usual``, else the first choice, else the lowest number."""
        return self.usual if self.usual != "" else next(iter(self.choices), self.low)

    def read(self, value: Choice) -> Choice:
        """Return the choice for a value from a form or a program: a key of ``choices``, or a number. Raises
        SetUpError that names the choices.
        """
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
        """Return the words for a choice."""
        return self.choices.get(str(value), str(value))


@dataclass(frozen=True)
class Condition:
    """The condition of a step or question: numbers of players (None: any), and ``when``: key of an option ->
    choices of it that count. Both must hold.
    """

    players: Span | None = None
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def holds(self, players: int, options: Mapping[str, Choice]) -> bool:
        """True for this choice; ``options``: key of each option of the guide -> its choice."""
        if self.players is not None and players not in self.players:
            return False
        return all(str(options[key]) in chosen for key, chosen in self.when.items())


@dataclass(frozen=True)
class PlayerAmount:
    """An amount that depends on players and options: ``table + each * players`` plus, for each option's key
    in ``per``, its factor times the chosen number. With no part given, no document states the amount.

    ``each=50`` is 100 cards for 2 players; ``per={"downloads": 1}`` as many cards as downloads are chosen.
    """

    table: int | None = None
    each: int | None = None
    per: Mapping[str, int] = field(default_factory=dict)

    def total(self, players: int, options: Mapping[str, Choice]) -> int | None:
        """Return the amount for this choice; None if it is unknown."""
        if self.table is None and self.each is None and not self.per:
            return None
        return (
            (self.table or 0)
            + players * (self.each or 0)
            + sum(times * int(options[key]) for key, times in self.per.items())
        )


@dataclass(frozen=True)
class Component:
    """Something that a step uses, from the box or the table. ``least``: the amount is a lower bound."""

    what: str
    kind: Kind
    amount: PlayerAmount
    sources: tuple[CitedClaim, ...]
    least: bool = False


@dataclass(frozen=True)
class SetUpStep:
    """A step as declared. ``needs``: components brought to the table, which the guide adds up. ``lays``:
    components already there. ``amounts``: name -> number that ``says`` and ``short`` use as "{name}", besides
    "{players}". ``short``: ``says`` in as few words as fit on a card.
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
    """A question about the set-up that the documents leave open. ``ruling``: id of our ruling, or empty."""

    question: str
    treatment: str
    ruling: str = ""
    condition: Condition = Condition()


# -- the set-up worked out ----------------------------------------------------------


@dataclass(frozen=True)
class Quantity:
    """An amount of a component. ``total``: None if unknown. ``each``: a player's share; None if there is one
    player only, or if the total is not made up of equal shares alone. ``least``: the amount is a lower bound.
    """

    what: str
    kind: Kind
    total: int | None
    each: int | None
    least: bool
    sources: tuple[CitedClaim, ...]


@dataclass(frozen=True)
class GuideStep:
    """A step worked out for one choice. ``sources``: those of the step and of its quantities. ``short``:
    empty if nothing shorter than ``says`` is declared.
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
    """The set-up for one choice: its steps, the total of each component needed, and open questions."""

    game: str
    players: int
    options: Mapping[str, Choice]
    steps: tuple[GuideStep, ...]
    components: tuple[Quantity, ...]
    open: tuple[OpenQuestion, ...]


@dataclass(frozen=True)
class SetUpGuide:
    """The content of ``set_up.toml``. ``usual`` is the number of players shown first."""

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
        """The number of players that the game's first page shows."""
        return self.evening.usual or self.usual

    def guide(self, players: int, options: Mapping[str, Choice] | None = None) -> Guide:
        """Return the set-up for this choice. Raises SetUpError that names every impossible answer."""
        return self.guide_for({PLAYERS: players, **(options or {})})

    def guide_for(self, answers: Mapping[str, Choice]) -> Guide:
        """Return the set-up for answers from a form or a URL: ``PLAYERS`` and keys of options -> text or
        number, such as ``{"players": "2", "missions": "base"}``. What is not answered is as usual.

        Raises SetUpError that names every impossible answer.
        """
        known = (PLAYERS, *(option.key for option in self.options))
        faults = [
            (key[:40], f"There is nothing called “{key[:40]}” to choose; there is {either(known)}.")
            for key in sorted(set(answers) - set(known))
        ]
        asked = answers.get(PLAYERS, self.usual)
        players = _number(asked)
        if players is None or players not in self.players:
            faults.append((PLAYERS, self._wrong_players(asked)))
        chosen: dict[str, Choice] = {}
        for option in self.options:
            try:
                chosen[option.key] = option.read(answers.get(option.key, option.default))
            except SetUpError as refused:
                faults.extend(refused.faults)
        if faults or players is None:
            raise SetUpError(*faults)
        return self._worked_out(players, chosen)

    def _wrong_players(self, typed: Choice) -> str:
        """Return the sentence about an impossible number of players."""
        number = _number(typed)
        if number is None:
            return f"The number of players must be a whole number, not “{str(typed)[:40]}”."
        if self.players.high is None and number > MAX_PLAYERS:
            return (
                f"Cutout works out a set-up for {MAX_PLAYERS} players at most, not {number}. No document"
                " states a highest number."
            )
        return (
            f"{self.name} is for {self.players} {plural(max(self.players.numbers), 'player')}, not {number}."
        )

    def _worked_out(self, players: int, options: Mapping[str, Choice]) -> Guide:
        """Return the set-up for a choice that is possible."""
        steps: list[GuideStep] = []
        # (name of a component, its kind) -> what all steps so far need of it.
        components: dict[tuple[str, Kind], Quantity] = {}
        for step in self.steps:
            if not step.condition.holds(players, options):
                continue
            needs = [_quantity(component, players, options) for component in step.needs]
            lays = [_quantity(component, players, options) for component in step.lays]
            # Nothing left over is not shown, an unknown amount is.
            shown = (*needs, *(laid for laid in lays if laid.total != 0))
            amounts = {name: amount.total(players, options) for name, amount in step.amounts.items()}
            says = step.says.format(players=players, **amounts)
            short = step.short.format(players=players, **amounts)
            sources = itertools.chain(step.sources, *(quantity.sources for quantity in shown))
            cited = tuple(dict.fromkeys(sources))
            steps.append(GuideStep(len(steps) + 1, step.title, says, shown, cited, step.note, short))
            for need in needs:
                known = components.get((need.what, need.kind))
                components[need.what, need.kind] = _together(known, need) if known else need
        questions = tuple(question for question in self.open if question.condition.holds(players, options))
        return Guide(self.game, players, options, tuple(steps), tuple(components.values()), questions)


def _quantity(component: Component, players: int, options: Mapping[str, Choice]) -> Quantity:
    """Return the amount of a component for this choice."""
    amount = component.amount
    is_equal_shares = players > 1 and not amount.table and not amount.per
    return Quantity(
        what=component.what,
        kind=component.kind,
        total=amount.total(players, options),
        each=amount.each or None if is_equal_shares else None,
        least=component.least,
        sources=component.sources,
    )


def _together(first: Quantity, second: Quantity) -> Quantity:
    """Return the sum of two needs of one component. A sum with an unknown part is unknown."""
    total = None if first.total is None or second.total is None else first.total + second.total
    sources = tuple(dict.fromkeys(first.sources + second.sources))
    return replace(first, total=total, each=None, least=first.least or second.least, sources=sources)


def _number(value: Choice) -> int | None:
    """Return the value if it is a whole number, or the number from 0 to 9999 that a text of digits stands
    for; None for anything else.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    is_number = re.fullmatch(r"[0-9]{1,4}", value.strip(), re.ASCII)
    return int(value) if is_number else None
