"""Decks are finished by role: first what is priced or paired, as one set; then what the roles lack, what others depend
on first, each time the card that fits best. Each card is judged, and none stays that the judge remarks on.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import NamedTuple

from cardsdb.games.kit.complete.allowed import Removed, allowed
from cardsdb.games.kit.complete.needs import (
    Needs,
    by_type,
    counted,
    least_size,
    needs,
    roles_for,
    shares,
)
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, with_changes
from cardsdb.games.kit.model.format import Format, Report, Severity, Starter
from cardsdb.games.kit.play.roles import Character, Role, Roles, Said, Values, View
from cardsdb.games.kit.rules.construction import TotalAtMost

MOST = 3
# Sets of cards that the search for a base goes on with.
WIDTH = 24
# So many starters make a card as common as can be.
COMMON = 3
LIKE_A_STARTER = Character("like-a-starter", "Like {0}", like_starter=True)


@dataclass(frozen=True)
class Added:
    """Copies of a card that are proposed, the role that they take, and the reason: what speaks for the first of them
    most. ``owned``: how many of them the player has.
    """

    card: Card
    count: int
    section: str
    role: Role
    reason: Said
    owned: int = 0


@dataclass(frozen=True)
class Proposal:
    """A way to finish a deck: ``removed`` is what a rule forbids of the player's, ``added`` what comes in, in the
    order of the roles; ``deck`` and its ``report`` are what comes of it, ``needs`` what is left to want. ``like`` is
    the starter that it follows, if any.
    """

    character: Character
    like: Starter | None
    added: tuple[Added, ...]
    removed: tuple[Removed, ...]
    changes: tuple[CardChange, ...]
    deck: Decklist
    report: Report
    needs: Needs | None

    @property
    def name(self) -> str:
        return self.character.name.format(self.like.name if self.like else "")


@dataclass(frozen=True)
class Wishes:
    """What a player asks of a completion: the slug of the starter that it is to be ``like``; codes of cards that are
    ``never`` put in; code -> copies ``owned``, which are preferred if ``prefer_owned``.
    """

    like: str = ""
    never: Collection[str] = frozenset()
    owned: Mapping[str, int] = field(default_factory=dict)
    prefer_owned: bool = False


NO_WISHES = Wishes()


def proposals(
    game: Game, deck: Decklist, format: Format, lot: Random, wishes: Wishes = NO_WISHES, most: int = MOST
) -> tuple[Proposal, ...]:
    """At most so many ways to finish the deck, by the characters that suit it best; one if it is to be like a
    starter. None for a game or a format that declares no roles.

    ``lot`` draws secret cards, so it must be no generator whose seed a link holds. Else the result depends on the
    cards of the deck alone, not on their order.
    """
    if (roles := roles_for(game, format)) is None:
        return ()
    places = {card.code: place for place, card in enumerate(game.cards)}
    in_order = sorted(
        deck, key=lambda one: (places.get(one.card.code, 0), one.card.key, one.section, one.count)
    )
    start, removed = allowed(game, replace(deck, entries=tuple(in_order)), format)
    view = roles.view(by_type(game.cards), start, "")
    characters = sorted(roles.characters, key=lambda one: -view.suits(one.leaning))
    if wishes.like:
        characters = [next((one for one in characters if one.like_starter), LIKE_A_STARTER)]
    starters = {one.slug: {entry.card for entry in read_deck(game, one.text).deck} for one in game.starters}
    found: list[Proposal] = []
    for character in characters[:most]:
        filling = _Filling(game, format, roles.of(character), character, start, wishes)
        filling.earlier = {one.card for proposal in found for one in proposal.added}
        filling.follow(starters)
        filling.fill(lot)
        added = tuple(filling.told())
        changes = (
            *(change for one in removed for change in one.changes),
            *(CardChange(one.card, one.section, one.count) for one in added),
        )
        whole = with_changes(deck, changes)
        report, left = game.judge(whole, format), needs(game, whole, format, character)
        found.append(Proposal(character, filling.like, added, removed, changes, whole, report, left))
    return tuple(found)


def fitting(
    game: Game, deck: Decklist, format: Format, role: str, most: int, wishes: Wishes = NO_WISHES
) -> tuple[Added, ...]:
    """At most so many cards for the role of this slug that fit the deck as it is, the best first, each with its
    reason.
    """
    roles = roles_for(game, format)
    for one in roles.roles if roles else ():
        if roles and one.slug == role:
            filling = _Filling(game, format, roles, roles.characters[0], deck, wishes)
            start = _Set(0, deck, filling.named(deck), filling.room(one) if one.base else 1)
            fit = (
                filling.put_in(start, *step) for step in filling.ranked(one, start, filling.candidates(one))
            )
            filling.put = [each.put[0] for each in islice(filter(None, fit), most)]
            return tuple(filling.told())
    return ()


class _Put(NamedTuple):
    """A copy that came in."""

    role: Role
    card: Card
    reason: Said


class _Set(NamedTuple):
    """What came in so far: what it is worth, the deck with it, what the judge says of it, and how much more may come
    in.
    """

    worth: float
    deck: Decklist
    named: set[tuple[str, str, str]]
    room: int
    put: tuple[_Put, ...] = ()


# What a term says: its points, and the sentence.
Points = list[tuple[float, Said]]


class _Filling:
    """One deck that is finished in one character."""

    def __init__(
        self, game: Game, format: Format, roles: Roles, character: Character, deck: Decklist, wishes: Wishes
    ) -> None:
        self.game, self.format, self.roles, self.character = game, format, roles, character
        self.deck, self.wishes, self.refused = deck, wishes, set(wishes.never)
        self.cards = by_type(game.cards)
        self.own = Counter(entry.card.code for entry in deck)
        self.terms = {term.slug: term for term in roles.terms}
        self.put: list[_Put] = []
        self.like: Starter | None = None
        self.liked: Collection[Card] = ()
        self.earlier: Collection[Card] = ()
        self.staples: Counter[Card] = Counter()

    def view(self, deck: Decklist) -> View:
        return self.roles.view(self.cards, deck, self.character.leaning)

    def follow(self, starters: Mapping[str, Collection[Card]]) -> None:
        """Prefer what is common in starters, and the cards of the one that is asked for; else, in a character that
        follows one, of the nearest: it has most of the deck's cards, or the deck can use most of its cards.
        """
        self.staples = Counter(card for cards in starters.values() for card in cards)
        view, own = self.view(self.deck), {entry.card for entry in self.deck}

        def near(one: Starter) -> tuple[int, int]:
            usable = [
                card
                for card in starters[one.slug]
                for role in self.roles.roles
                if not role.base and card.type in role.of.types and role.takes(card, view)
            ]
            return len(own.intersection(starters[one.slug])), len(usable)

        asked = [one for one in self.game.starters if one.slug == self.wishes.like]
        if not asked and self.character.like_starter:
            asked = [one for one in self.game.starters if one.format == self.format.slug]
        self.like = max(asked, key=near, default=None)
        self.liked = starters[self.like.slug] if self.like else ()

    def fill(self, lot: Random) -> None:
        """Put in what the deck lacks."""
        for role in self.roles.roles:
            if role.base:
                self._grow(role, self.room(role), lot, WIDTH)
        waiting = [role for role in self.roles.roles if not role.base]
        found = counted(self.roles, self.view(self.deck))[1]
        whole = least_size(self.game, self.roles, self.deck, self.format, found)
        # Where too few cards fit a role, others take its room.
        for place, role in enumerate([*waiting, *waiting]):
            have, found = counted(self.roles, self.view(self.deck))
            adds = shares(waiting[place:] or waiting, have, found, whole, self.roles.size)
            whole = max(whole, found + adds.total())
            self._grow(role, adds[role.slug], lot)

    def told(self) -> Iterator[Added]:
        """What came in, card by card."""
        copies = Counter(one.card for one in self.put)
        for card, count in copies.items():
            role, _, reason = next(one for one in self.put if one.card is card)
            spare = max(0, self.wishes.owned.get(card.code, 0) - self.own[card.code])
            yield Added(card, count, self._section(role, card), role, reason, min(count, spare))

    def _section(self, role: Role, card: Card) -> str:
        return next(iter(role.of.sections), "") or self.game.section_for(card.type, self.format)

    def room(self, role: Role) -> int:
        """How much of a base role is lacking: up to what a rule allows of its sum, else what it wants."""
        limits = [
            rule.limit
            for rule in self.format.rules
            if isinstance(rule, TotalAtMost) and rule.fact == role.counts and rule.of.types == role.of.types
        ]
        have = sum(role.measure(entry.card) * entry.count for entry in role.of.pick(self.deck))
        return min(limits, default=role.want) - have

    # -- the search

    def candidates(self, role: Role) -> list[Card]:
        """The cards that come into question for the role, in the order of the catalogue."""
        tests = [test for group in (role.of, self.roles.addable) if (test := group.where)]
        cards = [card for kind in role.of.types for card in self.cards[kind]]
        return [card for card in cards if all(test(card) for test in tests)]

    def _grow(self, role: Role, room: int, lot: Random, width: int = 1) -> None:
        """Put in the best set for a role; of ``role.lot`` best one by lot."""
        sets, done, candidates = (
            [_Set(0, self.deck, self.named(self.deck), room)],
            list[_Set](),
            self.candidates(role),
        )
        while sets:
            ranked = [(one, self.ranked(role, one, candidates)) for one in sets]
            steps = [(one.worth + step[0], one, step) for one, each in ranked for step in each]
            grown: dict[frozenset[str], _Set] = {}
            for _, one, step in sorted(steps, key=lambda step: -step[0]):
                key = frozenset((step[2].code, *(put.card.code for put in one.put)))
                if len(grown) < width and key not in grown and (new := self.put_in(one, *step)):
                    grown[key] = new
            done += [one for one, each in ranked if not each] if grown else sets
            sets = list(grown.values())
        best = lot.choice(sorted(done, key=lambda one: -one.worth)[: role.lot])
        self.deck, self.put = best.deck, [*self.put, *best.put]

    def ranked(
        self, role: Role, one: _Set, candidates: Iterable[Card]
    ) -> list[tuple[float, Role, Card, Points]]:
        """The cards that may take the role, the best first; of equals the first in the catalogue."""
        view = self.view(one.deck)
        copies = {entry.card.code: entry.count for entry in one.deck}
        apart = {other.fact(role.apart) for other in self.earlier if role.apart}
        found = []
        for card in candidates:
            if card.code in self.refused or role.measure(card) > one.room:
                continue
            if role.takes(card, view):
                points = self._points(
                    role, card, view, copies.get(card.code, 0), card.fact(role.apart) in apart
                )
                found.append((sum([worth for worth, _ in points]), role, card, points))
        return sorted(found, key=lambda each: -each[0])

    def _points(self, role: Role, card: Card, view: View, copies: int, is_like_earlier: bool) -> Points:
        shared: dict[str, tuple[float, Values]] = {
            "again": (copies == 1, ()),
            "pair": (copies == 1 and self.own[card.code], ()),
            "many": (min(0, 1 - copies), ()),
            "staple": (min(COMMON, self.staples[card]), (self.staples[card],)),
            "like": (card in self.liked, (self.like.name if self.like else "",)),
            "owned": (self.wishes.prefer_owned and self.wishes.owned.get(card.code, 0) > copies, ()),
            "earlier": (-(card in self.earlier), ()),
            "apart": (-is_like_earlier, ()),
        }
        own = {slug: self.terms[slug].times(card, view) for slug in role.terms}
        return [
            (self.terms[slug].weight * times, Said(slug, values))
            for slug, (times, values) in (own | shared).items()
            if times and slug in self.terms
        ]

    def put_in(self, one: _Set, worth: float, role: Role, card: Card, points: Points) -> _Set | None:
        """The set with a copy of the card; None if the judge then says something of it that was not said before, and
        it is not tried again.
        """
        deck = with_changes(one.deck, (CardChange(card, self._section(role, card), 1),))
        named = self.named(deck)
        if any(name == card.name for *_, name in named - one.named):
            self.refused.add(card.code)
            return None
        said = [each for each in points if self.terms[each[1].code].says]
        _, reason = max(said, key=lambda each: each[0], default=(0, Said("")))
        room, put = one.room - role.measure(card), (*one.put, _Put(role, card, reason))
        return _Set(one.worth + worth, deck, named, room, put)

    def named(self, deck: Decklist) -> set[tuple[str, str, str]]:
        """What the judge says of which card, but for what is only lacking."""
        return {
            (violation.code, violation.problem, name)
            for violation in self.game.judge(deck, self.format).violations
            if violation.severity is not Severity.INCOMPLETE
            for name in violation.cards
        }
