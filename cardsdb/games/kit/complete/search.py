"""Decks are finished by role: first what is priced or paired, as one set; then what the roles lack, what others depend
on first, each time the card that fits best. Each card is judged, and none stays that the judge remarks on.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random, SystemRandom

from cardsdb.games.kit.complete.allowed import Removed, allowed
from cardsdb.games.kit.complete.needs import (
    Needs,
    by_role,
    cards_in,
    needs_of,
    roles_for,
    shares,
    target_size,
    whole_size,
)
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, with_changes
from cardsdb.games.kit.model.format import Format, Report, Severity, Starter, Verdict
from cardsdb.games.kit.play.roles import Character, Point, Role, Roles, Said, View
from cardsdb.games.kit.rules.construction import TotalAtMost

MOST = 3
# Sets of cards that the search for a base goes on with.
WIDTH = 24
# So many starters make a card as common as can be.
COMMON = 3
USUAL = Character("like-a-starter", "Like {0}", like_starter=True)


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
    added: tuple[Added, ...]
    removed: tuple[Removed, ...]
    changes: tuple[CardChange, ...]
    deck: Decklist
    report: Report
    needs: Needs
    like: Starter | None = None

    @property
    def name(self) -> str:
        return self.character.name.format(self.like.name if self.like else "")

    @property
    def verdict(self) -> Verdict:
        return self.report.verdict


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
    roles = roles_for(game, format)
    if roles is None:
        return ()
    search = _Search(game, roles, format, wishes, lot, deck)
    return tuple(search.proposal(character) for character in search.characters()[:most])


def fitting(
    game: Game, deck: Decklist, format: Format, role: str, most: int, wishes: Wishes = NO_WISHES
) -> tuple[Added, ...]:
    """At most so many cards for one role that fit the deck as it is, the best first, each with its reason."""
    roles = roles_for(game, format)
    if roles is None:
        return ()
    search = _Search(game, roles, format, wishes, SystemRandom(), deck)
    return search.fitting(role, most)


class _Search:
    """What all proposals for a deck share, and the cards of earlier ones."""

    def __init__(
        self, game: Game, roles: Roles, format: Format, wishes: Wishes, lot: Random, deck: Decklist
    ) -> None:
        self.game, self.roles, self.format, self.wishes, self.lot = game, roles, format, wishes, lot
        self.sent, self.count = deck, roles.view(game.cards)
        places = {card.code: place for place, card in enumerate(game.cards)}
        in_order = sorted(
            deck.entries,
            key=lambda entry: (
                places.get(entry.card.code, len(places)),
                entry.card.key,
                entry.section,
                -entry.marks.keep,
            ),
        )
        self.start, self.removed = allowed(game, replace(deck, entries=tuple(in_order)), format)
        self.own = Counter[str]()
        for entry in self.start:
            self.own[entry.card.code] += entry.count
        self.cards = tuple(
            card
            for card in game.cards
            if not card.own
            and not card.written
            and card.code not in wishes.never
            and game.type_named(card.type).in_decks
            and roles.addable(card)
        )
        self.earlier: set[Card] = set()

    @cached_property
    def starters(self) -> tuple[tuple[Starter, dict[str, Card]], ...]:
        """Each starter of a format that has the roles' sections, with its cards by their codes."""
        return tuple(
            (starter, {entry.card.code: entry.card for entry in read_deck(self.game, starter.text).deck})
            for starter in self.game.starters
        )

    def characters(self) -> Sequence[Character]:
        declared = self.roles.characters
        if self.wishes.like:
            return [one for one in declared if one.like_starter] or [USUAL]
        view = self.count(self.start, "")
        return sorted(declared, key=lambda one: -self.roles.suits(view, one.leaning))

    def proposal(self, character: Character) -> Proposal:
        like = self._starter(character)
        filling = _Filling(self, character, like)
        filling.run()
        added = tuple(filling.added.values())
        self.earlier.update(one.card for one in added)
        changes = tuple(change for one in self.removed for change in one.changes)
        changes += tuple(CardChange(one.card, one.section, one.count) for one in added)
        deck = with_changes(self.sent, changes)
        return Proposal(
            character,
            added,
            self.removed,
            changes,
            deck,
            self.game.judge(deck, self.format),
            filling.needs(),
            like[0] if like else None,
        )

    def fitting(self, slug: str, most: int) -> tuple[Added, ...]:
        role = next((role for role in self.roles.roles if role.slug == slug), None)
        if role is None:
            return ()
        filling = _Filling(self, self.roles.characters[0], None)
        return tuple(filling.best_of(role, most))

    def _starter(self, character: Character) -> tuple[Starter, dict[str, Card]] | None:
        """The starter that is asked for, else, for a character that follows one, the nearest: the one that has most
        of the deck's cards; of equals the one whose cards the deck can use most of.
        """
        if self.wishes.like:
            return next((one for one in self.starters if one[0].slug == self.wishes.like), None)
        if not character.like_starter:
            return None
        view = self.count(self.start, character.leaning)
        near = [one for one in self.starters if one[0].format in self.roles.formats]

        def shared(one: tuple[Starter, dict[str, Card]]) -> tuple[int, int]:
            usable = sum(
                card.type in role.of.types and role.may(card, view)
                for card in one[1].values()
                for role in self.roles.fillable
            )
            return len(one[1].keys() & self.own.keys()), usable

        return max(near, key=shared, default=None)


@dataclass(frozen=True)
class _Set:
    """A base as far as the search has come: its worth, the deck with it, and what was put in and why."""

    worth: float
    deck: Decklist
    left: int
    put: tuple[tuple[Card, Said], ...] = ()


class _Filling:
    """One deck that is finished in one character."""

    def __init__(
        self, search: _Search, character: Character, like: tuple[Starter, dict[str, Card]] | None
    ) -> None:
        self.search, self.character, self.like = search, character, like
        self.game, self.format = search.game, search.format
        self.roles = search.roles.with_wants(character.wants)
        self.weights = {code: term.weight for code, term in self.roles.terms.items()}
        self.deck = search.start
        self.named = self._named(self.deck)
        self.counts = search.own.copy()
        self.added: dict[tuple[str, str], Added] = {}
        self.refused: set[str] = set()
        self.worth_apart = {
            (role.apart, card.fact(role.apart))
            for role in self.roles.roles
            if role.apart
            for card in search.earlier
            if role.of.types and card.type in role.of.types
        }
        staples = Counter(code for _, cards in search.starters for code in cards)
        self.always = {card.code: tuple(self._always(card, staples[card.code])) for card in search.cards}

    def run(self) -> None:
        for role in self.roles.roles:
            if role.base:
                self._fill_base(role)
        target = target_size(self.game, self.roles, self.deck, self.format)
        waiting = list(self.roles.fillable)
        whole = whole_size(self.roles, self._have(), waiting, cards_in(self.roles, self.deck), target)
        while waiting:
            found = cards_in(self.roles, self.deck)
            adds = shares(self.roles, self._have(), waiting, found, whole)
            self._fill(waiting.pop(0), adds)
        for role in self.roles.fillable:
            # Where a role had too few cards that fit, others take its room.
            left = whole - cards_in(self.roles, self.deck)
            if left > 0:
                self._fill(role, Counter({role.slug: left}))

    def needs(self) -> Needs:
        """What the finished deck is left to want."""
        return needs_of(self.roles, self.deck, self.view_of(self.deck), 0)

    def view_of(self, deck: Decklist) -> View:
        return self.search.count(deck, self.character.leaning)

    def _have(self) -> dict[str, int]:
        taken = by_role(self.roles, self.deck, self.view_of(self.deck))
        return {slug: sum(entry.count for entry in entries) for slug, entries in taken.items()}

    def _section(self, role: Role, card: Card) -> str:
        return role.of.sections[0] if role.of.sections else self.game.section_for(card.type, self.format)

    def _candidates(self, role: Role) -> list[Card]:
        types, where = role.of.types, role.of.where
        return [
            card
            for card in self.search.cards
            if card.type in types and card.code not in self.refused and (where is None or where(card))
        ]

    # -- what speaks for a card

    def _always(self, card: Card, staple: int) -> Iterator[Point]:
        """What speaks for a card in whatever deck."""
        if staple:
            yield Point("staple", min(staple, COMMON) / COMMON, (staple,))
        if self.like and card.code in self.like[1]:
            yield Point("like", 1, (self.like[0].name,))
        if self.search.wishes.prefer_owned and card.code in self.search.wishes.owned:
            yield Point("owned", 1)
        if card in self.search.earlier:
            yield Point("avoid", -1)

    def _points(self, role: Role, card: Card, view: View) -> list[Point]:
        points = [*self.always[card.code], *role.score(card, view)]
        if role.apart and (role.apart, card.fact(role.apart)) in self.worth_apart:
            points.append(Point("apart", -1))
        if count := self.counts[card.code]:
            if count > 1:
                points.append(Point("many", 1 - count))
            else:
                points.append(Point("again", 1))
                if self.search.own[card.code]:
                    points.append(Point("pair", 1))
        return points

    def _worth(self, points: Iterable[Point]) -> float:
        return sum([self.weights.get(point.code, 0) * point.times for point in points])

    def _reason(self, points: Iterable[Point]) -> Said:
        """What speaks for the card most, of what has a sentence."""
        said = [
            point for point in points if point.code in self.roles.terms and self.roles.terms[point.code].says
        ]
        most = max(said, key=lambda point: self.weights[point.code] * point.times, default=None)
        return Said(most.code, most.values) if most else Said("")

    def _ranked(
        self, role: Role, candidates: Iterable[Card], view: View
    ) -> list[tuple[float, Card, list[Point]]]:
        """The cards that may take the role, the best first; of equals the first in the catalogue."""
        judged = [
            (self._worth(points := self._points(role, card, view)), card, points)
            for card in candidates
            if role.may(card, view)
        ]
        judged.sort(key=lambda one: -one[0])
        return judged

    # -- putting cards in

    def _fill(self, role: Role, adds: Mapping[str, int]) -> None:
        candidates, left = self._candidates(role), adds[role.slug]
        while left > 0 and candidates:
            view = self.view_of(self.deck)
            best = max(
                (
                    (self._worth(points := self._points(role, card, view)), -place, card, points)
                    for place, card in enumerate(candidates)
                    if role.may(card, view)
                ),
                default=None,
                key=lambda one: one[:2],
            )
            if best is None:
                return
            _, _, card, points = best
            if self._put(role, card, self._reason(points)):
                left -= 1
            else:
                candidates.remove(card)

    def _put(self, role: Role, card: Card, reason: Said) -> bool:
        """Put a copy in, unless the judge then has something to say of the card that was not said before."""
        deck = with_changes(self.deck, (CardChange(card, self._section(role, card), 1),))
        named = self._named(deck)
        if any(name == card.name for _, _, name in named - self.named):
            return False
        self.deck, self.named = deck, named
        self._note(role, card, reason)
        return True

    def _note(self, role: Role, card: Card, reason: Said) -> None:
        """Note that a copy has come in."""
        section = self._section(role, card)
        self.counts[card.code] += 1
        before = self.added.get((card.code, section))
        count = before.count + 1 if before else 1
        spare = self.search.wishes.owned.get(card.code, 0) - self.search.own[card.code]
        owned = max(0, min(count, spare))
        self.added[card.code, section] = (
            replace(before, count=count, owned=owned)
            if before
            else Added(card, 1, section, role, reason, owned)
        )

    def _named(self, deck: Decklist) -> set[tuple[str, str, str]]:
        """What the judge says of which card, but for what is only lacking."""
        return {
            (violation.code, violation.problem, name)
            for violation in self.game.judge(deck, self.format).violations
            if violation.severity is not Severity.INCOMPLETE
            for name in violation.cards
        }

    def best_of(self, role: Role, most: int) -> Iterator[Added]:
        """Yield the cards that fit the deck best as it is."""
        for _, card, points in self._ranked(role, self._candidates(role), self.view_of(self.deck)):
            if most <= 0:
                return
            deck = self.deck
            if self._put(role, card, self._reason(points)):
                yield self.added.pop((card.code, self._section(role, card)))
                self.deck, self.named = deck, self._named(deck)
                self.counts[card.code] -= 1
                most -= 1

    # -- the base

    def _fill_base(self, role: Role) -> None:
        before = self.named
        while True:
            best = self._best_set(role)
            named = self._named(best.deck)
            strange = {name for _, _, name in named - before}
            bad = {card.code for card, _ in best.put if card.name in strange}
            if not bad:
                self.deck, self.named = best.deck, named
                for card, reason in best.put:
                    self._note(role, card, reason)
                return
            self.refused |= bad

    def _best_set(self, role: Role) -> _Set:
        """The set of cards that goes best with what the deck has of the role; of ``role.lot`` best one by lot."""
        most = next(
            (
                rule.limit
                for rule in self.format.rules
                if isinstance(rule, TotalAtMost)
                and role.counts == rule.fact
                and (rule.of.sections, rule.of.types) == (role.of.sections, role.of.types)
            ),
            role.want,
        )
        have = sum(role.measure(entry.card) * entry.count for entry in role.of.pick(self.deck))
        candidates = self._candidates(role)
        growing, done = [_Set(0, self.deck, most - have)], list[_Set]()
        while growing:
            grown: dict[frozenset[str], _Set] = {}
            for one in growing:
                view, found = self.view_of(one.deck), False
                for card in candidates:
                    if role.counts and card.number(role.counts) is None:
                        continue
                    if role.measure(card) > one.left or not role.may(card, view):
                        continue
                    found = True
                    key = frozenset((*(other.code for other, _ in one.put), card.code))
                    points = self._points(role, card, view)
                    worth = one.worth + self._worth(points)
                    if key not in grown or grown[key].worth < worth:
                        grown[key] = replace(
                            one,
                            worth=worth,
                            left=one.left - role.measure(card),
                            put=(*one.put, (card, self._reason(points))),
                        )
                if not found:
                    done.append(one)
            best = sorted(grown.values(), key=lambda one: -one.worth)[:WIDTH]
            growing = [
                replace(
                    one,
                    deck=with_changes(
                        one.deck, (CardChange(one.put[-1][0], self._section(role, one.put[-1][0]), 1),)
                    ),
                )
                for one in best
            ]
        done.sort(key=lambda one: -one.worth)
        return self.search.lot.choice(done[: role.lot]) if role.lot else done[0]
