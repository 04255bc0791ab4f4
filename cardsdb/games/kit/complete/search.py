"""Decks are finished by role: first what is priced or paired, as one set; then what the roles lack, what others depend
on first, each time the card that fits best. Each card is judged, and none stays that the judge remarks on.
"""

from collections import Counter
from collections.abc import Collection, Mapping
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
    needs_by,
    roles_for,
    shares,
)
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, with_changes
from cardsdb.games.kit.model.format import Format, Report, Severity, Starter
from cardsdb.games.kit.play.roles import Character, Role, Roles, Said, Values, View

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
    needs: Needs

    @property
    def name(self) -> str:
        return self.character.name.format(self.like.name if self.like else "")


@dataclass(frozen=True)
class Wishes:
    """A player's wishes for a completion: the slug of the starter that it is to be ``like``; codes of cards that are
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
    starters = {one: {entry.card for entry in read_deck(game, one.text).deck} for one in game.starters}
    found: list[Proposal] = []
    for character in characters[:most]:
        earlier = {one.card for proposal in found for one in proposal.added}
        filling = _Filling(game, format, roles.of(character), character, start, wishes, starters, earlier)
        added = filling.filled(lot)
        changes = [change for one in removed for change in one.changes]
        changes += [CardChange(one.card, one.section, one.count) for one in added]
        whole = with_changes(deck, changes)
        report, left = game.judge(whole, format), needs_by(filling.roles, game, whole, format)
        found.append(Proposal(character, filling.like, added, removed, tuple(changes), whole, report, left))
    return tuple(found)


def fitting(
    game: Game, deck: Decklist, format: Format, role: str, most: int, wishes: Wishes = NO_WISHES
) -> tuple[Added, ...]:
    """At most so many cards for the role of this slug that fit the deck as it is, the best first, each with its
    reason.
    """
    if (roles := roles_for(game, format)) is None:
        return ()
    filling = _Filling(game, format, roles, roles.characters[0], deck, wishes)
    named = next(one for one in roles.roles if one.slug == role)
    start = filling.start(named, filling.room(named) if named.base else 1)
    fit = (filling.put_in(start, *step) for step in filling.ranked(named, start))
    return tuple(islice((one.put[0] for one in fit if one), most))


# Severity, code and problem of a violation, and a card that it names.
Remark = tuple[Severity, str, str, str]


class _Set(NamedTuple):
    """The cards that came in so far: what they are worth, the deck with it, what the judge says of it, and how much more may come
    in.
    """

    worth: float
    deck: Decklist
    said: set[Remark]
    room: int
    put: tuple[Added, ...] = ()


# A card with its points, each with its sentence.
Step = tuple[float, Role, Card, list[tuple[float, Said]]]


@dataclass
class _Filling:
    """One deck that is finished in one character. ``earlier`` are the cards of the proposals before it."""

    game: Game
    format: Format
    roles: Roles
    character: Character
    deck: Decklist
    wishes: Wishes
    starters: Mapping[Starter, Collection[Card]] = field(default_factory=dict)
    earlier: Collection[Card] = ()

    def __post_init__(self) -> None:
        self.cards, self.refused = by_type(self.game.cards), set(self.wishes.never)
        self.addable = by_type(filter(self.roles.addable.holds, self.game.cards))
        self.own = Counter(entry.card.code for entry in self.deck)
        self.terms = {term.slug: term for term in self.roles.terms}
        self.staples = Counter(card for cards in self.starters.values() for card in cards)
        slug, format = self.wishes.like, self.format.slug if self.character.like_starter else ""
        asked = [one for one in self.starters if (one.slug == slug if slug else one.format == format)]
        self.like = max(asked, key=self._nearness, default=None)
        self.liked = self.starters[self.like] if self.like else ()

    def _nearness(self, starter: Starter) -> tuple[int, int]:
        """The number of its cards that the deck has, and of those that the deck can use."""
        cards, view = self.starters[starter], self.view(self.deck)
        roles = [role for role in self.roles.roles if not role.base]
        usable = sum(role.of.holds(card) and role.takes(card, view) for card in cards for role in roles)
        return sum(card.code in self.own for card in cards), usable

    def view(self, deck: Decklist) -> View:
        return self.roles.view(self.cards, deck, self.character.leaning)

    def filled(self, lot: Random) -> tuple[Added, ...]:
        """The cards that the deck lacks, each once with its copies."""
        put, waiting = list[Added](), [role for role in self.roles.roles if not role.base]
        for role in self.roles.roles:
            if role.base:
                put += self._grow(role, self.room(role), lot, WIDTH)
        _, found = counted(self.roles, self.view(self.deck))
        whole = least_size(self.game, self.roles, self.deck, self.format, found)
        # Where too few cards fit a role, others take its room.
        for place, role in enumerate([*waiting, *waiting]):
            have, found = counted(self.roles, self.view(self.deck))
            adds = shares(waiting[place:] or waiting, have, found, whole, self.roles.size)
            whole = max(whole, found + adds.total())
            put += self._grow(role, adds[role.slug], lot)
        copies = Counter(one.card for one in put)
        owned = {card: max(0, self.wishes.owned.get(card.code, 0) - self.own[card.code]) for card in copies}
        firsts = {one.card: one for one in reversed(put)}
        return tuple(replace(firsts[card], count=n, owned=min(n, owned[card])) for card, n in copies.items())

    def room(self, role: Role) -> int:
        """The amount of a base role that may come in, by the rules that it cites."""
        meters = [
            one for rule in self.format.rules if rule.code in role.cites for one in rule.meters(self.deck)
        ]
        return min([one.most - one.found for one in meters if one.most is not None], default=role.want)

    def start(self, role: Role, room: int) -> _Set:
        return _Set(0, self.deck, self._said(self.deck), room)

    def _grow(self, role: Role, room: int, lot: Random, width: int = 1) -> tuple[Added, ...]:
        """Put in the best set for a role; of ``role.lot`` best one by lot."""
        begun, done = self.start(role, room), list[_Set]()
        sets = [begun]
        while sets:
            ranked = [(one, self.ranked(role, one)) for one in sets]
            steps = [(one.worth + step[0], one, step) for one, each in ranked for step in each]
            grown: dict[frozenset[Card], _Set] = {}
            for _, one, step in sorted(steps, key=lambda step: -step[0]):
                key = frozenset([step[2], *(put.card for put in one.put)])
                if len(grown) < width and key not in grown and (new := self.put_in(one, *step)):
                    grown[key] = new
            done += [one for one, each in ranked if not each] if grown else sets
            sets = list(grown.values())
        done.sort(key=lambda one: (len(one.said - begun.said), -one.worth))
        best = lot.choice(done[: role.lot])
        self.deck = best.deck
        return best.put

    def ranked(self, role: Role, one: _Set) -> list[Step]:
        """The cards that may take the role, the best first; of equals the first in the catalogue."""
        view, found = self.view(one.deck), list[Step]()
        copies = {entry.card: entry.count for entry in one.deck}
        apart = {other.fact(role.apart) for other in self.earlier if role.apart}
        for card in (card for kind in role.of.types for card in self.addable[kind]):
            fits = card.code not in self.refused and role.measure(card) <= one.room
            if fits and role.of.holds(card) and role.takes(card, view):
                count = copies.get(card, 0)
                times: dict[str, tuple[float, Values]] = {
                    slug: self.terms[slug].times(card, view) for slug in role.terms
                } | {
                    "fills": (1, (role.name,)),
                    "again": (count == 1, ()),
                    "pair": (count == 1 and self.own[card.code], ()),
                    "many": (min(0, 1 - count), ()),
                    "staple": (min(COMMON, self.staples[card]), (self.staples[card],)),
                    "like": (card in self.liked, (self.like.name if self.like else "",)),
                    "owned": (self.wishes.prefer_owned and self.wishes.owned.get(card.code, 0) > count, ()),
                    "earlier": (-(card in self.earlier), ()),
                    "apart": (-(card.fact(role.apart) in apart), ()),
                }
                points = [
                    (self.terms[slug].weight * each[0], Said(slug, each[1]))
                    for slug, each in times.items()
                    if each[0] and slug in self.terms
                ]
                found.append((sum([worth for worth, _ in points]), role, card, points))
        return sorted(found, key=lambda each: -each[0])

    def put_in(
        self, one: _Set, worth: float, role: Role, card: Card, points: list[tuple[float, Said]]
    ) -> _Set | None:
        """The set with a copy of the card; None if the judge then says something of it that was not said before, and
        it is not tried again. Of a base, notes count when it is whole: leaders may belong together.
        """
        section = next(iter(role.of.sections), "") or self.game.section_for(card.type, self.format)
        deck = with_changes(one.deck, (CardChange(card, section, 1),))
        said = self._said(deck)
        if any(name == card.name and (grave or not role.base) for grave, *_, name in said - one.said):
            self.refused.add(card.code)
            return None
        told = [point for point in points if point[0] > 0 and self.terms[point[1].code].says]
        _, reason = max(told, key=lambda point: point[0], default=(0, Said("")))
        put = (*one.put, Added(card, 1, section, role, reason))
        return _Set(one.worth + worth, deck, said, one.room - role.measure(card), put)

    def _said(self, deck: Decklist) -> set[Remark]:
        """All that the judge says of single cards, but for what is only lacking."""
        return {
            (violation.severity, violation.code, violation.problem, name)
            for violation in self.game.judge(deck, self.format).violations
            if violation.severity is not Severity.INCOMPLETE
            for name in violation.cards
        }
