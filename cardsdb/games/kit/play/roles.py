"""The roles that cards have in a deck: how many of each a game advises and where that stands, which cards take a role
and how well they fit, the characters that a finished deck may have, and checks whether a deck can be played.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Group

# The sums of a deck that a game's predicates and scores read; of a class of the game's own.
View: TypeAlias = Any
Values: TypeAlias = tuple[str | int, ...]


class Point(NamedTuple):
    """One thing that speaks for a card, or against it: the code of a ``Term``, so many times its weight, and what
    its sentence is filled in with.
    """

    code: str
    times: float
    values: Values = ()


class Said(NamedTuple):
    """A sentence that is not yet words: the code of a ``Term`` or of a ``Check``, and its values in order."""

    code: str
    values: Values = ()


@dataclass(frozen=True)
class Term:
    """What one time of a ``Point`` is worth, and the sentence that it makes as a reason: {0}, {1} are its values."""

    weight: float
    says: str = ""


@dataclass(frozen=True)
class Role:
    """What some cards of a deck are for, and how many a deck wants of them.

    ``of`` are the cards that come into question, ``may`` says which of them take the role in a deck, ``score`` yields
    what speaks for one. A ``base`` role is filled before all others, as one set, and is not counted in ``Roles.size``;
    ``counts`` is the number fact that is then added up in place of cards. A ``vital`` role is filled whole, though the
    deck grows by it. ``low`` and ``high``: what real decks have. ``cites`` are rules, ``counted`` says which decks were
    counted; a role that has neither is our judgement. ``lot``: one of so many best is drawn by lot. ``apart``: a fact
    by whose values later proposals differ from earlier ones.
    """

    slug: str
    name: str
    want: int
    of: Group
    low: int = 0
    high: int = 0
    may: Callable[[Card, View], bool] = lambda card, view: True
    score: Callable[[Card, View], Iterable[Point]] = lambda card, view: ()
    vital: bool = False
    base: bool = False
    counts: str = ""
    lot: int = 0
    apart: str = ""
    cites: tuple[str, ...] = ()
    counted: str = ""

    @property
    def standing(self) -> str:
        """Where its number comes from: a ``source`` that is cited, a ``count`` of decks, or our ``judgement``."""
        return "source" if self.cites else "count" if self.counted else "judgement"

    def measure(self, card: Card) -> int:
        """How much a copy of the card counts towards ``want``."""
        return (card.number(self.counts) or 0) if self.counts else 1


@dataclass(frozen=True)
class Character:
    """A way to finish a deck. ``wants`` are other numbers than the roles' own, by their slugs; ``leaning`` is a word
    that the game's view knows; ``like_starter``: the cards of the nearest starter are preferred.
    """

    slug: str
    name: str
    help: str = ""
    wants: Mapping[str, int] = field(default_factory=dict)
    leaning: str = ""
    like_starter: bool = False
    cites: tuple[str, ...] = ()
    counted: str = ""


@dataclass(frozen=True)
class Check:
    """A count of played decks that a deck should not fall out of; never a verdict. ``says`` is the sentence where it
    does, {0}, {1} its values; ``role`` the slug of the role that it belongs to.
    """

    slug: str
    says: str
    role: str = ""
    cites: tuple[str, ...] = ()
    counted: str = ""


@dataclass(frozen=True)
class Roles:
    """What ``roles.toml`` of a game says. ``roles`` stand in the order in which they are filled, ``checks`` in the
    order in which they decide games; ``size`` is what the wants of all roles add up to that are not ``base``.

    ``view`` makes of the cards of the catalogue the function that counts a deck, with a character's leaning, once for
    all predicates and scores. ``addable``: whether a card may be put into any deck. ``checked`` yields what is found of
    the checks. ``suits``: how well a leaning goes with a deck; the characters that suit it best are proposed.
    """

    formats: tuple[str, ...]
    size: int
    roles: tuple[Role, ...]
    characters: tuple[Character, ...]
    checks: tuple[Check, ...] = ()
    terms: Mapping[str, Term] = field(default_factory=dict)
    view: Callable[[Sequence[Card]], Callable[[Decklist, str], View]] = lambda cards: (
        lambda deck, leaning: deck
    )
    addable: Callable[[Card], bool] = lambda card: True
    checked: Callable[[View], Iterable[Said]] = lambda view: ()
    suits: Callable[[View, str], float] = lambda view, leaning: 0

    @property
    def fillable(self) -> tuple[Role, ...]:
        """The roles that are counted in ``size``."""
        return tuple(role for role in self.roles if not role.base)

    def check_named(self, slug: str) -> Check | None:
        return next((check for check in self.checks if check.slug == slug), None)

    def in_words(self, said: Said) -> str:
        """The sentence of a reason, or of a check that found something; empty for a code that has none."""
        check = self.check_named(said.code)
        says = check.says if check else self.terms[said.code].says if said.code in self.terms else ""
        return says.format(*said.values)

    def with_wants(self, wants: Mapping[str, int]) -> "Roles":
        """The same with these numbers in place of the roles' own."""
        roles = tuple(replace(role, want=wants.get(role.slug, role.want)) for role in self.roles)
        return replace(self, roles=roles)
