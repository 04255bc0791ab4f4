"""Decks are finished by role: first what is priced or paired, as one set; then what the roles lack, what
others depend on first, each time the card that fits best. Each card is judged, and none stays that the judge
remarks on. Before that a deck loses what its rules forbid, and no more.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice

from cardsdb.games.kit.complete.needs import Needs, needs_by, roles_for
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, changes_between, with_changes
from cardsdb.games.kit.model.format import Format, Report, Severity, Starter
from cardsdb.games.kit.play.roles import Character, Role, Roles, Said, Times
from cardsdb.games.kit.repair.search import smallest_repairs
from cardsdb.games.kit.repair.steps import Limits, too_many

# What is lacking is left to the completion.
FORBIDDEN_ALONE = Limits(judgements=100, seconds=0.2, lacking=0)


@dataclass(frozen=True)
class Removed:
    """Copies that the rule with this code forbids in their section; ``to`` is the section that they moved to,
    empty if they came out.
    """

    card: Card
    count: int
    section: str
    code: str
    to: str = ""


def allowed(game: Game, deck: Decklist, format: Format) -> tuple[Decklist, tuple[Removed, ...]]:
    """The deck without what its rules forbid, and what that was; a line that is marked to be kept keeps its
    last copy.
    """
    report = game.judge(deck, format)
    wrong = [violation for violation in report.violations if violation.severity is Severity.ILLEGAL]
    codes = {name: violation.code for violation in reversed(wrong) for name in violation.cards}
    # Surplus copies of one card come out first, so that a long list is judged a few times; cards that may
    # belong in another section do not.
    alone = tuple(one for one in wrong if len({*one.cards}) == 1)
    surplus = too_many(replace(report, violations=alone))
    takes = {slug: game.sections_by_slug[slug].types for slug in format.sections}
    at_home = [entry for entry in deck if entry.card.type in takes.get(entry.section, ())]
    kept = with_changes(
        deck,
        [CardChange(one.card, one.section, -surplus.pop((one.card.key, one.section), 0)) for one in at_home],
    )
    repairs = (_out(repair.changes) for repair in smallest_repairs(game, kept, format, FORBIDDEN_ALONE))
    # Of the smallest repairs the one that leaves most cards in the deck.
    kept = with_changes(kept, max(repairs, key=lambda one: sum(change.by for change in one), default=()))
    changes = changes_between(deck, kept)
    moved = {change.card: change.section for change in changes if change.by > 0}
    return kept, tuple(
        Removed(out.card, -out.by, out.section, codes.get(out.card.name, ""), moved.get(out.card, ""))
        for out in changes
        if out.by < 0
    )


def _out(changes: Sequence[CardChange]) -> list[CardChange]:
    """The changes of a repair without the cards that it puts in the place of others: these are proposed by
    role.
    """
    gone = {change.card for change in changes if change.by < 0}
    return [change for change in changes if change.card in gone]


# -- decks -----------------------------------------------------------------------------

MOST = 3
# Reasons that do not say what a card does for the deck: told where nothing else speaks for it.
LAST = ("like", "owned")


@dataclass(frozen=True)
class Added:
    """Copies of a card that are proposed, the role that they take, and the reason: what speaks for the first
    of them most. ``owned``: how many of them the player has.
    """

    card: Card
    count: int
    section: str
    role: Role
    reason: str
    owned: int = 0


@dataclass(frozen=True)
class Proposal:
    """A way to finish a deck: ``removed`` is what a rule forbids of the player's, ``added`` what comes in, in
    the order of the roles; ``deck`` and its ``report`` are what comes of it, ``needs`` what is left to want.
    ``like`` is the starter that it follows, if any.
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
        return f"Like {self.like.name}" if self.like else self.character.name


@dataclass(frozen=True)
class Wishes:
    """A player's wishes for a completion: the slug of the starter that it is to be ``like``; codes of cards
    that are ``never`` put in; code -> copies ``owned``, which are preferred if ``prefer_owned``.
    """

    like: str = ""
    never: Collection[str] = frozenset()
    owned: Mapping[str, int] = field(default_factory=dict)
    prefer_owned: bool = False


NO_WISHES = Wishes()


def proposals(
    game: Game, deck: Decklist, format: Format, lot: str, wishes: Wishes = NO_WISHES, most: int = MOST
) -> tuple[Proposal, ...]:
    """At most so many ways to finish the deck, by the characters that suit it best; one if it is to be like a
    starter. None where ``roles_for`` the deck has none.

    ``lot`` is a secret that draws secret cards, the same for each way, so it stands in no link. Else the
    result depends on the cards of the deck alone, not on their order.
    """
    if (roles := roles_for(game, deck, format)) is None:
        return ()
    places = {card.code: place for place, card in enumerate(game.cards)}
    in_order = sorted(
        deck, key=lambda one: (places.get(one.card.code, 0), one.card.key, one.section, one.count)
    )
    start, removed = allowed(game, replace(deck, entries=tuple(in_order)), format)
    # What a rule takes out or moves does not come in at once.
    wishes = replace(wishes, never={*wishes.never, *(one.card.code for one in removed)})
    view = roles.view(game.cards, start, "")
    characters = sorted(roles.characters, key=lambda one: -view.suits(one.leaning))
    found: list[Proposal] = []
    for character in characters[: 1 if wishes.like else most]:
        earlier = {one.card for proposal in found for one in proposal.added}
        filling = _Filling(game, format, roles.of(character), character, start, wishes, earlier)
        added = filling.filled(lot)
        changes = changes_between(deck, filling.deck)
        whole = with_changes(deck, changes)
        report, left = game.judge(whole, format), needs_by(filling.roles, game, whole, format)
        found.append(Proposal(character, filling.like, added, removed, changes, whole, report, left))
    return tuple(found)


def fitting(game: Game, deck: Decklist, format: Format, role: str, most: int) -> tuple[Added, ...]:
    """At most so many cards for the role of this slug that fit the deck as it is, the best first, each with
    its reason.
    """
    if (roles := roles_for(game, deck, format)) is None:
        return ()
    character = replace(roles.characters[0], like_starter=False)
    filling = _Filling(game, format, roles, character, deck, NO_WISHES)
    need = next(one for one in filling.needs().roles if one.role.slug == role)
    ranked = filling.ranked(need.role, need.add if need.role.base else 1)
    return tuple(one for one, *_ in islice(filling.judged(need.role, ranked), most))


# Severity, code and problem of a violation, and a card that it names.
Remark = tuple[Severity, str, str, str]


@dataclass
class _Filling:
    """One deck that is finished in one character. ``earlier`` are the cards of the proposals before it."""

    game: Game
    format: Format
    roles: Roles
    character: Character
    deck: Decklist
    wishes: Wishes
    earlier: Collection[Card] = ()

    def __post_init__(self) -> None:
        self.refused, self.said = {*self.wishes.never, *self.roles.never}, self._said(self.deck)
        addable = [card for card in self.game.cards if self.roles.addable.holds(card)]
        self.cards = {one.slug: list(filter(one.of.holds, addable)) for one in self.roles.roles}
        self.own = Counter(entry.card.code for entry in self.deck for _ in range(entry.count))
        self.terms = {term.slug: term for term in self.roles.terms}
        slug, format = self.wishes.like, self.format.slug if self.character.like_starter else ""
        asked = [one for one in self.game.starters if (one.slug == slug if slug else one.format == format)]
        cards = {one: {entry.card for entry in read_deck(self.game, one.text).deck} for one in asked}
        # The nearest is the one that shares most cards with the deck.
        shared = {one: sum(card.code in self.own for card in cards[one]) for one in asked}
        self.like = max(asked, key=lambda one: shared[one], default=None)
        self.liked = cards[self.like] if self.like else set[Card]()

    def filled(self, lot: str) -> tuple[Added, ...]:
        """The cards that the deck lacks, each once with its copies. Where too few cards fit a role, others
        take its room.
        """
        put, closed = list[Added](), set[str]()
        while waiting := [one for one in self.needs(closed).roles if one.add]:
            for need in [one for one in waiting if one.role.base] or waiting:
                new = list(self._grown(need.role, need.add, lot))
                order = self.game.sections_by_slug[need.role.of.sections[0]].order
                put += sorted(new, key=lambda one: one.card.number(order) or 0)
                if sum(need.role.measure(one.card) for one in new) < need.add:
                    closed.add(need.role.slug)
        copies = Counter(one.card for one in put)
        owned = {card: self.wishes.owned.get(card.code, 0) - self.own[card.code] for card in copies}
        firsts = {one.card: one for one in reversed(put)}
        return tuple(
            replace(firsts[card], count=n, owned=max(0, min(n, owned[card]))) for card, n in copies.items()
        )

    def needs(self, closed: Collection[str] = ()) -> Needs:
        return needs_by(self.roles, self.game, self.deck, self.format, closed)

    def _grown(self, role: Role, room: int, lot: str) -> Iterator[Added]:
        """Put in what fits the role best, as long as there is room, and yield it; of ``role.lot`` best one by
        lot.
        """
        while room > 0:
            ranked = self.ranked(role, room)
            best = sorted(ranked[: role.lot], key=lambda one: sha256(f"{lot}{one[0].code}".encode()).digest())
            judged = self.judged(role, [*best, *ranked[role.lot :]])
            one, self.deck, self.said = next(judged, (None, self.deck, self.said))
            if one is None:
                return
            room -= role.measure(one.card)
            yield one

    def judged(
        self, role: Role, ranked: Iterable[tuple[Card, Said]]
    ) -> Iterator[tuple[Added, Decklist, set[Remark]]]:
        """Yield those of which the judge says nothing that was not said before, each with its deck and with
        all that is said of it. Of a base, notes are borne where all cards have them: leaders may belong
        together.
        """
        section, noted = role.of.sections[0], []
        order = self.game.sections_by_slug[section].order
        for card, reason in ranked:
            deck = with_changes(self.deck, (CardChange(card, section, 1),))
            said = self._said(deck)
            worst = max([grave for grave, *_, name in said - self.said if name == card.name], default=None)
            place = f"{order} {card.number(order)}: " if order else ""
            one = Added(card, 1, section, role, place + self.roles.in_words(reason))
            if worst is None:
                yield one, deck, said
            elif role.base and worst is Severity.NOTE:
                noted.append((one, deck, said))
            else:
                self.refused.add(card.code)
        yield from noted

    def ranked(self, role: Role, room: int) -> list[tuple[Card, Said]]:
        """The cards that may take the role, each with what speaks for it most, the best first; of equals the
        first in the catalogue.
        """
        view = self.roles.view(self.game.cards, self.deck, self.character.leaning)
        found = list[tuple[float, Card, Said]]()
        copies = {entry.card: entry.count for entry in self.deck}
        apart = {other.fact(role.apart) for other in self.earlier if role.apart}
        like = self.like.name if self.like else ""
        for card in self.cards[role.slug]:
            count = copies.get(card, 0)
            fits = card.code not in self.refused and role.measure(card) <= room
            # More than two copies are left to the player.
            if fits and count < 2 and view.takes(role.slug, card):
                times: dict[str, Times] = {
                    slug: self.terms[slug].times(card, view) for slug in role.terms
                } | {
                    "fills": (1,),
                    "again": (count,),
                    "pair": (count and self.own[card.code],),
                    "like": (card in self.liked and role.lot == 1, like),
                    "owned": (self.wishes.prefer_owned and self.wishes.owned.get(card.code, 0) > count,),
                    "earlier": (-(card in self.earlier and role.lot == 1),),
                    "apart": (-(card.fact(role.apart) in apart),),
                }
                points = [
                    (self.terms[slug].weight * number, Said(slug, tuple(values)))
                    for slug, (number, *values) in times.items()
                    if slug in self.terms
                ]
                told = [one for one in points if self.terms[one[1].code].says]
                reason = max(told, key=lambda one: (one[0] > 0 and one[1].code not in LAST, one[0]))[1]
                found.append((sum([one[0] for one in points]), card, reason))
        return [(card, reason) for _, card, reason in sorted(found, key=lambda each: -each[0])]

    def _said(self, deck: Decklist) -> set[Remark]:
        """All that the judge says of single cards, but for what is only lacking."""
        return {
            (violation.severity, violation.code, violation.problem, name)
            for violation in self.game.judge(deck, self.format).violations
            if violation.severity is not Severity.INCOMPLETE
            for name in violation.cards
        }
