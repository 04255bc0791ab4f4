"""Ways to finish a deck (``proposals``), and cards for one role of it (``fitting``), each with its reasons.
``decks/check/completion.py`` calls both. Roles, terms and views are explained in ``play/roles.py``.

First a deck loses what its rules forbid (``allowed``). Then cards are added one by one: for base roles first,
for vital and other roles after that, always the card that fits the role best (``_Filling``): the one with
most points by the terms of ``roles.toml``. The deck is judged with each card, and a card stays only if the
judge has no new remark on it. The same deck and wishes give the same proposals; only ``lot`` adds chance.
Tests: ``tests/cardsdb/games/kit/complete/test_search.py``.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from cardsdb.games.kit.complete.needs import Needs, needs_by, roles_for
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, changes_between, with_changes
from cardsdb.games.kit.model.format import Format, Report, Severity, Starter
from cardsdb.games.kit.play.roles import Character, Role, Roles, Said, Times, View
from cardsdb.games.kit.repair.search import smallest_repairs
from cardsdb.games.kit.repair.steps import Limits, too_many

# Bounds of the repair inside ``allowed``, which takes out what is forbidden and nothing else: it cures no
# violation that lacks cards, since the completion adds those.
FORBIDDEN_ALONE = Limits(judgements=100, seconds=0.2, lacking=0)


@dataclass(frozen=True)
class Removed:
    """Copies of a card that a rule forbids in their section."""

    card: Card
    count: int
    section: str
    code: str  # of the rule; empty if no single rule names the card
    to: str = ""  # the section that the copies moved to; empty if they left the deck


def allowed(game: Game, deck: Decklist, format: Format) -> tuple[Decklist, tuple[Removed, ...]]:
    """Take out of a deck, or move, what its rules forbid, and nothing else. Return (the deck that is left,
    what was taken out or moved). A line that is marked to be kept keeps its last copy.

    Of an Agency Deck with ``5 Kai`` and ``1 A Night at the Opera``, a mission, 2 Kai come out by AG-4 and the
    mission by AG-1.
    """
    report = game.judge(deck, format)
    illegal = tuple(violation for violation in report.violations if violation.severity is Severity.ILLEGAL)
    smaller = _without_surplus(game, deck, format, replace(report, violations=illegal))
    repairs = [
        _without_substitutes(repair.changes)
        for repair in smallest_repairs(game, smaller, format, FORBIDDEN_ALONE)
    ]
    # Of equally small repairs take the one that leaves most cards in the deck.
    repair = max(repairs, key=lambda changes: sum(change.by for change in changes), default=())
    left = with_changes(smaller, repair)
    changes = changes_between(deck, left)
    # Name of a card -> code of the first rule that names it, which as the last of the reversed stays.
    codes = {name: violation.code for violation in reversed(illegal) for name in violation.cards}
    moved = {change.card: change.section for change in changes if change.by > 0}
    return left, tuple(
        Removed(out.card, -out.by, out.section, codes.get(out.card.name, ""), moved.get(out.card, ""))
        for out in changes
        if out.by < 0
    )


def _without_surplus(game: Game, deck: Decklist, format: Format, report: Report) -> Decklist:
    """Return the deck without the surplus copies of single cards, so that a long list is judged only a few
    times. ``report`` has its illegal violations. Cards in a section that does not take their type stay: the
    repair may move them.
    """
    of_single_cards = tuple(violation for violation in report.violations if len({*violation.cards}) == 1)
    surplus = too_many(replace(report, violations=of_single_cards))
    types_of = {slug: game.sections_by_slug[slug].types for slug in format.sections}
    cuts = {}  # (key of a card, section) -> change: two lines of a section may have the same card
    for entry in deck:
        place = entry.card.key, entry.section
        if place in surplus and entry.card.type in types_of.get(entry.section, ()):
            cuts[place] = CardChange(entry.card, entry.section, -surplus[place])
    return with_changes(deck, cuts.values())


def _without_substitutes(changes: Sequence[CardChange]) -> list[CardChange]:
    """The changes of a repair without the new cards that it puts in: new cards are proposed by role."""
    out = {change.card for change in changes if change.by < 0}
    return [change for change in changes if change.card in out]


# -- proposals -------------------------------------------------------------------------

MOST = 3  # proposals for one deck
MAX_COPIES = 2  # of a card; a third copy is put in by the player alone
# Terms that say nothing of what a card does for the deck. They are the reason only if no other term favours
# it.
LAST = ("like", "owned")
NO_REASON = Said("")


@dataclass(frozen=True)
class Added:
    """Copies of a card that a proposal adds."""

    card: Card
    count: int
    section: str
    role: Role  # the role that they take
    reason: str  # the sentence of the term that favours the first copy most
    owned: int = 0  # how many of them the player has


@dataclass(frozen=True)
class Proposal:
    """A way to finish a deck, with the finished deck and its verdict."""

    character: Character
    like: Starter | None  # the starter that it follows
    added: tuple[Added, ...]  # in the order of the roles
    removed: tuple[Removed, ...]  # what rules forbid of the player's own cards
    changes: tuple[CardChange, ...]  # all changes from the player's deck to ``deck``
    deck: Decklist
    report: Report
    needs: Needs  # what the finished deck still lacks

    @property
    def name(self) -> str:
        return f"Like {self.like.name}" if self.like else self.character.name


@dataclass(frozen=True)
class Wishes:
    """A player's wishes for a completion."""

    like: str = ""  # slug of the starter that the deck shall resemble
    never: Collection[str] = frozenset()  # codes of cards that are not put in
    owned: Mapping[str, int] = field(default_factory=dict)  # code of a card -> copies that the player has
    prefer_owned: bool = False


NO_WISHES = Wishes()


def proposals(
    game: Game, deck: Decklist, format: Format, lot: str, wishes: Wishes = NO_WISHES, most: int = MOST
) -> tuple[Proposal, ...]:
    """Ways to finish the deck, one for each of the ``most`` characters that suit it best; a single one if it
    shall be like a starter. Empty if the deck has no roles (``roles_for``).

    ``lot`` is a secret text that decides which secret cards are drawn; it must not stand in a link, since it
    would tell them. The order of the deck's entries changes nothing.
    """
    if (roles := roles_for(game, deck, format)) is None:
        return ()
    start, removed = allowed(game, _in_order_of_catalogue(game, deck), format)
    # A card that a rule has just taken out or moved is not proposed.
    wishes = replace(wishes, never={*wishes.never, *(out.card.code for out in removed)})
    view = roles.view(game.cards, start, "")
    characters = sorted(roles.characters, key=lambda character: -view.suits(character.leaning))
    found: list[Proposal] = []
    for character in characters[: 1 if wishes.like else most]:
        earlier = {new.card for proposal in found for new in proposal.added}
        filling = _Filling(game, format, roles.of(character), character, start, wishes, earlier)
        added = filling.fill(lot)
        changes = changes_between(deck, filling.deck)
        whole = with_changes(deck, changes)  # with the player's entries in their own order
        found.append(
            Proposal(
                character=character,
                like=filling.like,
                added=added,
                removed=removed,
                changes=changes,
                deck=whole,
                report=game.judge(whole, format),
                needs=needs_by(filling.roles, game, whole, format),
            )
        )
    return tuple(found)


def _in_order_of_catalogue(game: Game, deck: Decklist) -> Decklist:
    places = {card.code: place for place, card in enumerate(game.cards)}

    def place(entry: Entry) -> tuple[int, str, str, int]:
        return places.get(entry.card.code, 0), entry.card.key, entry.section, entry.count

    return replace(deck, entries=tuple(sorted(deck, key=place)))


def fitting(game: Game, deck: Decklist, format: Format, role: str, most: int) -> tuple[Added, ...]:
    """The cards that fit the role of this slug in the deck as it is, at most ``most``, the best first. Empty
    if the deck has no roles.
    """
    if (roles := roles_for(game, deck, format)) is None:
        return ()
    character = replace(roles.characters[0], like_starter=False)
    filling = _Filling(game, format, roles, character, deck, NO_WISHES)
    needs = {need.role.slug: need for need in filling.needs().roles}
    need = needs[role]
    # A base role has the room that is left, such as RP of a team; other roles are shown for one more card.
    ranked = filling.ranked(need.role, need.add if need.role.base else 1)
    return tuple(tried.added for tried in islice(filling.accepted(need.role, ranked), most))


# (severity, code and problem of a violation, name of a card in it), such as (ILLEGAL, "AG-4",
# "too-many-copies", "Kai").
Remark = tuple[Severity, str, str, str]


class _Rated(NamedTuple):
    """A card with the points by which it fits a role, and the strongest reason for it."""

    points: float
    card: Card
    reason: Said


class _Tried(NamedTuple):
    """A card that the judge accepts: the deck with it, and all remarks on that deck."""

    added: Added
    deck: Decklist
    remarks: set[Remark]


@dataclass
class _Filling:
    """A deck while it is being finished in one character. ``deck`` grows with each card that is added."""

    game: Game
    format: Format
    roles: Roles
    character: Character
    deck: Decklist
    wishes: Wishes
    earlier: Collection[Card] = ()  # cards of the proposals that were made before this one

    def __post_init__(self) -> None:
        # Codes of cards that are not tried, or not once more.
        self.refused = {*self.wishes.never, *self.roles.never}
        self.remarks = self._remarks_on(self.deck)
        addable = [card for card in self.game.cards if self.roles.addable.holds(card)]
        # Slug of a role -> the cards that may take it.
        self.cards = {role.slug: list(filter(role.of.holds, addable)) for role in self.roles.roles}
        # Code of a card -> copies in the player's deck, before anything is added.
        self.own = Counter(entry.card.code for entry in self.deck for _ in range(entry.count))
        self.terms = {term.slug: term for term in self.roles.terms}
        # Key of a fact -> its values on the cards of earlier proposals.
        self.earlier_values = {
            role.apart: {card.fact(role.apart) for card in self.earlier} for role in self.roles.roles
        }
        self.like, self.liked = self._starter_to_follow()

    def _starter_to_follow(self) -> tuple[Starter | None, set[Card]]:
        """(starter, its cards): the starter that is wished for, else the one that shares most cards with the
        deck, if the character follows one.
        """
        if self.wishes.like:
            starters = [starter for starter in self.game.starters if starter.slug == self.wishes.like]
        elif self.character.like_starter:
            starters = [starter for starter in self.game.starters if starter.format == self.format.slug]
        else:
            starters = []
        cards_of = {
            starter: {entry.card for entry in read_deck(self.game, starter.text).deck} for starter in starters
        }

        def shared(starter: Starter) -> int:
            return sum(card.code in self.own for card in cards_of[starter])

        nearest = max(starters, key=shared, default=None)
        return (nearest, cards_of[nearest]) if nearest else (None, set())

    def fill(self, lot: str) -> tuple[Added, ...]:
        """Add the cards that the deck lacks, base roles first. Return each card once with its copies.

        A role that too few cards fit is closed; the next round gives its room to other roles.
        """
        copies: list[Added] = []  # one for each copy
        closed: set[str] = set()  # slugs of roles
        while waiting := [need for need in self.needs(closed).roles if need.add]:
            base = [need for need in waiting if need.role.base]
            for need in base or waiting:
                new = self._grow(need.role, need.add, lot)
                order = self.game.sections_by_slug[need.role.of.sections[0]].order
                copies += sorted(new, key=lambda added: added.card.number(order) or 0)
                if sum(need.role.measure(added.card) for added in new) < need.add:
                    closed.add(need.role.slug)
        # The reason of the first copy stands for all.
        firsts = {added.card: added for added in reversed(copies)}
        counts = Counter(added.card for added in copies)
        return tuple(
            replace(firsts[card], count=count, owned=min(count, self._owned_beside(card)))
            for card, count in counts.items()
        )

    def _owned_beside(self, card: Card) -> int:
        """The copies that the player has besides those in the deck from the beginning."""
        return max(0, self.wishes.owned.get(card.code, 0) - self.own[card.code])

    def needs(self, closed: Collection[str] = ()) -> Needs:
        return needs_by(self.roles, self.game, self.deck, self.format, closed)

    def _grow(self, role: Role, room: int, lot: str) -> list[Added]:
        """Put the best cards for a role into ``deck`` while there is room, and return them. ``lot`` decides
        among the best ``role.lot`` cards.
        """
        grown: list[Added] = []
        while room > 0:
            ranked = self.ranked(role, room)
            best, others = ranked[: role.lot], ranked[role.lot :]
            # Chance that stays the same for the same secret text.
            best.sort(key=lambda rated: sha256(f"{lot}{rated.card.code}".encode()).digest())
            first = next(self.accepted(role, best + others), None)
            if first is None:
                break
            added, self.deck, self.remarks = first
            room -= role.measure(added.card)
            grown.append(added)
        return grown

    def accepted(self, role: Role, ranked: Iterable[_Rated]) -> Iterator[_Tried]:
        """Yield each card that gets no remark when it is added to ``deck``, which stays as it is. For base
        roles follow the cards that get a note only: leaders may belong together. Cards with a graver remark
        go into ``refused``. Each card costs a judgement, so they are tried only as far as they are asked for.
        """
        section = role.of.sections[0]
        noted: list[_Tried] = []
        order = self.game.sections_by_slug[section].order
        for _points, card, reason in ranked:
            deck = with_changes(self.deck, (CardChange(card, section, 1),))
            remarks = self._remarks_on(deck)
            new_remarks = remarks - self.remarks
            severities = [severity for severity, *_, name in new_remarks if name == card.name]
            # "level 3: " before the reason, in sections that are ordered by a number.
            place = f"{order} {card.number(order)}: " if order else ""
            added = Added(card, 1, section, role, place + self.roles.in_words(reason))
            tried = _Tried(added, deck, remarks)
            if not severities:
                yield tried
            elif role.base and max(severities) is Severity.NOTE:
                noted.append(tried)
            else:
                self.refused.add(card.code)
        yield from noted

    def ranked(self, role: Role, room: int) -> list[_Rated]:
        """The cards that may take the role and have room, the best first; cards of equal points stay in the
        order of the catalogue.
        """
        view = self.roles.view(self.game.cards, self.deck, self.character.leaning)
        copies = Counter({entry.card: entry.count for entry in self.deck})
        rated = [
            self._rated(card, role, view, copies[card])
            for card in self.cards[role.slug]
            if card.code not in self.refused
            and role.measure(card) <= room
            and copies[card] < MAX_COPIES
            and view.takes(role.slug, card)
        ]
        return sorted(rated, key=lambda rating: -rating.points)

    def _rated(self, card: Card, role: Role, view: View, count: int) -> _Rated:
        """The card with its points and its reason: the term with most points, if possible one that says what
        the card does; ``NO_REASON`` if no term with a sentence speaks for the card. ``count``: copies of the
        card in the deck.

        Entropy Jones as a leader has 3.91 points: ``leans`` 0.3 × 2, her skills 0.1 × 17, ``purse`` 0.2 × 8,
        ``fills`` 0.01 × 1. The reason is ``purse``, with 1.6: "pays for agents that cost up to 8".
        """
        times = self._times(card, role, view, count)
        points = {
            slug: self.terms[slug].weight * how_often
            for slug, (how_often, *_values) in times.items()
            if slug in self.terms
        }
        favourable = [slug for slug in points if points[slug] > 0 and self.terms[slug].says]
        best = max(favourable, key=lambda slug: (slug not in LAST, points[slug]), default="")
        reason = Said(best, times[best][1:]) if best else NO_REASON
        return _Rated(sum(points.values()), card, reason)

    def _times(self, card: Card, role: Role, view: View, count: int) -> dict[str, Times]:
        """Slug of a term -> how often it speaks for the card (below 0: against it), and the values of its
        sentence: {"purse": (8, 8, "Combat"), "fills": (1,), ...}. First the terms of the role, then those of
        the search itself, which count only if ``roles.toml`` declares them (``Roles.terms``). ``count``:
        copies of the card in the deck.
        """
        is_owned = self.wishes.owned.get(card.code, 0) > count
        # Cards of roles with a lot are drawn, so they need not resemble a starter, nor differ from others.
        is_chosen = role.lot == 1
        is_used = bool(role.apart) and card.fact(role.apart) in self.earlier_values[role.apart]
        return {slug: self.terms[slug].times(card, view) for slug in role.terms} | {
            "fills": (1,),
            "again": (count,),
            "pair": (count and self.own[card.code],),
            "like": (is_chosen and card in self.liked, self.like.name if self.like else ""),
            "owned": (self.wishes.prefer_owned and is_owned,),
            "earlier": (-(is_chosen and card in self.earlier),),
            "apart": (-is_used,),
        }

    def _remarks_on(self, deck: Decklist) -> set[Remark]:
        """Everything that the judge says of named cards, except that something is lacking."""
        return {
            (violation.severity, violation.code, violation.problem, name)
            for violation in self.game.judge(deck, self.format).violations
            if violation.severity is not Severity.INCOMPLETE
            for name in violation.cards
        }
