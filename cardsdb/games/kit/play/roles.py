"""The roles that cards have in a deck: how many of each a game advises and where that stands, which cards
take a role and what speaks for one, the characters that a finished deck may have, and checks whether a deck
can be played.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.effects import quoted_names
from cardsdb.games.kit.model.format import EVERYTHING, Group

Values = tuple[str | float, ...]
# How many times a term speaks for a card, and the values of its sentence.
Times = tuple[float, *Values]


class Said(NamedTuple):
    """A sentence that is not yet words: the slug of a ``Term`` or of a ``Check``, and its values in order."""

    code: str
    values: Values = ()


class View:
    """A deck, counted once for all that looks at it. A game's own class has the methods by which
    ``roles.toml`` calls its terms: each returns how many times the term speaks for a card, below 0 against
    it, and the values of its sentence. ``cards`` are those of the catalogue; ``watched`` are facts whose
    words are counted: (type, word) -> cards of the deck.
    """

    watched: tuple[str, ...] = ("does",)

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        self.cards, self.deck, self.leaning = cards, deck, leaning
        self.names = {entry.card.name for entry in deck}
        self.there: Counter[tuple[str, str]] = Counter()
        for entry in deck:
            for word in (word for fact in self.watched for word in entry.card.words(fact)):
                self.there[entry.card.type, word] += entry.count

    def takes(self, role: str, card: Card) -> bool:
        """True if a card of those in question takes the role of this slug in the deck."""
        return True

    def checked(self) -> Iterable[Said]:
        """Yield what is found of the checks, in the order in which they decide games."""
        return ()

    def suits(self, leaning: str) -> float:
        """A number that is the higher, the better a leaning goes with the deck."""
        return 0

    def new(self, card: Card) -> Times:
        """Once for a card that does what no other of its type does here; the first two verbs of that."""
        verbs = [verb for verb in card.words("does") if not self.there[card.type, verb]]
        return bool(verbs), " and ".join(verbs[:2])

    def partner(self, card: Card) -> Times:
        """Twice for a card whose text names one of the deck, once against it if it names others alone; the
        name.
        """
        named = quoted_names(card.text)
        there = next((name for name in named if name in self.names), "")
        return 2 if there else -bool(named), there


@dataclass(frozen=True)
class Term:
    """Something that speaks for a card: what one time of it is worth, and its sentence as a reason, in which
    {0}, {1} are its values. It is the method of the game's ``View`` that is called so, or a ``fact`` of the
    card ({0} is the leaning): whether it has one of the ``words``, against it as often as others of its type
    have it where they ``crowd``; else its number, or against the card as far as it is ``above``.
    """

    slug: str
    weight: float
    says: str = ""
    fact: str = ""
    words: tuple[str, ...] = ()
    crowd: bool = False
    above: int | None = None

    def times(self, card: Card, view: View) -> Times:
        if not self.fact:
            times: Times = getattr(view, self.slug)(card)
            return times
        if self.words:
            found = [word for word in card.words(self.fact) if word in self.words]
            return (
                (-max([view.there[card.type, word] for word in found], default=0),)
                if self.crowd
                else (bool(found),)
            )
        number = card.number(self.fact.format(view.leaning)) or 0
        return (
            number if self.above is None else min(0, self.above - number),
            number,
            view.leaning.capitalize(),
        )


@dataclass(frozen=True)
class Role:
    """The purpose of some cards of a deck, and how many a deck wants of them.

    ``of`` are the cards that come into question, in the section that they are put into; the view says which
    of them take the role, ``terms`` are what speaks for one. A ``base`` role is filled before all others, as
    one set, and is not counted in ``Roles.size``; ``counts`` is the number fact that is then added up in
    place of cards, in this ``unit``. A ``vital`` role is filled whole, though the deck grows by it. ``low``
    and ``high``: what real decks have. ``cites`` are rules, ``counted`` says which decks were counted; a role
    that has neither is our judgement. ``help`` is what its cards are for at the table, ``ruled`` the rules
    that say so. ``lot``: one of so many best is drawn by lot. ``apart``: a fact by whose values later
    proposals differ from earlier ones.
    """

    slug: str
    name: str
    want: int
    of: Group
    help: str = ""
    ruled: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    terms: tuple[str, ...] = ()
    vital: bool = False
    base: bool = False
    counts: str = ""
    unit: str = ""
    lot: int = 1
    apart: str = ""
    cites: tuple[str, ...] = ()
    counted: str = ""

    @property
    def standing(self) -> str:
        """The source of its number: a cited ``source``, a ``count`` of decks, or our ``judgement``."""
        return "source" if self.cites else "count" if self.counted else "judgement"

    def measure(self, card: Card) -> int:
        """The amount that a copy of the card counts towards ``want``."""
        return (card.number(self.counts) or 0) if self.counts else 1


@dataclass(frozen=True)
class Character:
    """A way to finish a deck. ``wants`` are other numbers than the roles' own, by their slugs; ``leaning`` is
    a word that the game's view knows; ``like_starter``: the cards of the nearest starter are preferred.
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
    """A count of played decks that a deck should not fall out of; never a verdict. ``says`` is the sentence
    where it does, {0}, {1} its values; ``role`` the slug of the role that it belongs to.
    """

    slug: str
    says: str
    role: str = ""
    cites: tuple[str, ...] = ()
    counted: str = ""


@dataclass(frozen=True)
class Roles:
    """All that ``roles.toml`` of a game says. ``roles`` stand in the order in which they are filled; ``size``
    is what the wants of all roles add up to that are not ``base``.

    ``addable`` are the cards that may be put into a deck, but for those of the codes ``never``. The
    characters that suit a deck best are proposed. The terms ``fills``, ``again``, ``pair`` (a second copy of
    a card of the player's), ``like``, ``owned``, ``earlier`` and ``apart`` are the search's own, and speak
    for cards of every role.
    """

    formats: tuple[str, ...]
    size: int
    roles: tuple[Role, ...]
    characters: tuple[Character, ...]
    terms: tuple[Term, ...] = ()
    checks: tuple[Check, ...] = ()
    addable: Group = EVERYTHING
    never: tuple[str, ...] = ()
    view: type[View] = View

    def in_words(self, said: Said) -> str:
        """The sentence of a reason, or of a check that found something; empty for one that has none."""
        says = {one.slug: one.says for one in self.checks} | {one.slug: one.says for one in self.terms}
        return says.get(said.code, "").format(*said.values)

    def of(self, character: Character) -> "Roles":
        """The same with the numbers that the character wants."""
        roles = tuple(replace(role, want=character.wants.get(role.slug, role.want)) for role in self.roles)
        return replace(self, roles=roles)
