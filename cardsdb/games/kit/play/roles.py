"""Roles of cards in a deck, as a game's ``roles.toml`` declares them: how many cards of each a deck wants,
which cards may take a role, and what makes one card better than another.

``declared/game_file.py`` reads the file, ``contract/optional.py`` checks its names. ``complete/search.py``
fills the roles of a deck with the cards whose ``Term`` values, weighted, add up to most. It asks a ``View``,
a deck counted once; a game may derive its own from it in ``roles.py``. Nothing here is a rule: a check that
fails is advice and never changes a verdict. Choosing cards by these values is tested in
``tests/cardsdb/games/kit/complete``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.effects import quoted_names
from cardsdb.games.kit.model.format import EVERYTHING, Group

# Values that fill {0}, {1} ... of a sentence in ``roles.toml``.
Values = tuple[str | float, ...]
# (times that a term speaks for a card, below 0 against it; then the values of the term's sentence): the
# points of a card are the sum of ``weight`` x times over the terms of its role. ``partner`` returns (2,
# "Kai").
Times = tuple[float, *Values]


class Said(NamedTuple):
    """A reason or finding before ``Roles.in_words`` puts it in words: the slug of a ``Term`` or ``Check``,
    and the values of its sentence in order.
    """

    code: str
    values: Values = ()


class View:
    """A deck, counted once, for the terms that compare cards with it.

    A term of ``roles.toml`` without a fact is computed by the method with its slug, as ``new`` and
    ``partner`` are; a game's subclass adds such methods. ``cards``: the catalogue's cards of the game.
    ``leaning``: a word of the chosen ``Character``. ``watched``: keys of facts whose words are counted in
    ``copies``: (card type, word) -> copies in the deck.
    """

    watched: tuple[str, ...] = ("does",)

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        self.cards, self.deck, self.leaning = cards, deck, leaning
        self.names = {entry.card.name for entry in deck}
        self.copies: Counter[tuple[str, str]] = Counter()
        for entry in deck:
            for fact in self.watched:
                for word in entry.card.words(fact):
                    self.copies[entry.card.type, word] += entry.count

    def takes(self, role: str, card: Card) -> bool:
        """True if a card of the role's group can take the role with this slug."""
        return True

    def checked(self) -> Iterable[Said]:
        """Yield the checks that the deck fails, the most important first."""
        return ()

    def suits(self, leaning: str) -> float:
        """Return how well a leaning goes with the deck; a higher number is better."""
        return 0

    def new(self, card: Card) -> Times:
        """Return 1 for a card with a verb that no card of its type in the deck has, else 0; and the first two
        such verbs.
        """
        verbs = [verb for verb in card.words("does") if not self.copies[card.type, verb]]
        return bool(verbs), " and ".join(verbs[:2])

    def partner(self, card: Card) -> Times:
        """Return 2 for a card whose text names a card of the deck, -1 if it names only other cards, 0 if it
        names none; and the name.
        """
        named = quoted_names(card.text)
        there = next((name for name in named if name in self.names), "")
        if there:
            return 2, there
        return (-1 if named else 0), ""


@dataclass(frozen=True)
class Term:
    """A reason for or against a card. ``weight``: points for each time it counts. ``says``: the sentence,
    with {0}, {1} for its values.

    Without a ``fact`` it is computed by the ``View`` method with its slug. With a ``fact`` (key; {0} in it is
    the leaning) it counts:

    - with ``words``: once if the card has one of them; if they ``crowd``, minus the copies of its type in the
      deck that have the word already;
    - without ``words``: the number of the fact; with ``above``, minus the part of the number beyond that.
    """

    slug: str
    weight: float
    says: str = ""
    fact: str = ""
    words: tuple[str, ...] = ()
    crowd: bool = False
    above: int | None = None

    def times(self, card: Card, view: View) -> Times:
        """Return how often the term counts for a card, and the values of its sentence.

        With a fact of numbers, a card of 7 counts 7 times; with ``above = 5`` it counts -2 times, and a card
        of 5 or less not at all.
        """
        if not self.fact:
            times: Times = getattr(view, self.slug)(card)
            return times
        if self.words:
            found = [word for word in card.words(self.fact) if word in self.words]
            if self.crowd:
                return (-max([view.copies[card.type, word] for word in found], default=0),)
            return (bool(found),)
        number = card.number(self.fact.format(view.leaning)) or 0
        counted = number if self.above is None else min(0, self.above - number)
        return counted, number, view.leaning.capitalize()


@dataclass(frozen=True)
class Role:
    """A purpose of cards in a deck, and how many cards of it a deck wants.

    - ``of``: the cards that may take it, and the section they go into. ``View.takes`` narrows them down.
    - ``want``: number of cards wanted. ``low``, ``high``: the range in decks that were played.
    - ``terms``: slugs of the terms by which its cards are compared.
    - ``base``: filled before all others, as one set; not part of ``Roles.size``.
    - ``counts``: key of a number fact to add up instead of counting cards; ``unit``: its name.
    - ``vital``: filled completely even if the deck gets larger than its size.
    - ``cites``: rules that state the number; ``counted``: the decks it was counted in. Without either, the
      number is our judgement.
    - ``help``: what its cards are for at the table; ``ruled``: the rules that say so.
    - ``lot``: the card is drawn from this many best ones.
    - ``apart``: key of a fact; later proposals prefer other values of it than earlier ones.
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
        """The origin of ``want``: "source" (cited), "count" (of decks) or "judgement" (ours)."""
        return "source" if self.cites else "count" if self.counted else "judgement"

    def measure(self, card: Card) -> int:
        """Return how much one copy of the card counts towards ``want``."""
        return (card.number(self.counts) or 0) if self.counts else 1


@dataclass(frozen=True)
class Character:
    """A style in which a deck can be finished. ``wants``: slug of a role -> number that replaces the role's
    own. ``leaning``: a word for the game's ``View``. ``like_starter``: prefer cards of the nearest starter.
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
    """A range observed in played decks that a deck should stay within; advice, never a verdict. ``says``: the
    sentence for a deck outside it, with {0}, {1} for values. ``role``: slug of the role concerned.
    """

    slug: str
    says: str
    role: str = ""
    cites: tuple[str, ...] = ()
    counted: str = ""


@dataclass(frozen=True)
class Roles:
    """The content of a game's ``roles.toml``.

    ``roles`` are in the order in which they are filled; the wants of those that are not ``base`` add up to
    ``size``. ``addable``: the cards that may be added, except those with the codes ``never``. ``view``: the
    game's subclass of ``View``. The terms ``fills``, ``again``, ``pair`` (a second copy of one of the
    player's cards), ``like``, ``owned``, ``earlier`` and ``apart`` are computed by ``complete`` for every
    role.
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
        """Return the sentence of a term or check; empty if it has none."""
        sentences = {check.slug: check.says for check in self.checks}
        sentences |= {term.slug: term.says for term in self.terms}
        return sentences.get(said.code, "").format(*said.values)

    def of(self, character: Character) -> "Roles":
        """Return a copy with the numbers that the character wants."""
        roles = tuple(replace(role, want=character.wants.get(role.slug, role.want)) for role in self.roles)
        return replace(self, roles=roles)
