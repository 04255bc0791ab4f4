"""Rules that only Spycraft has, for Agency Decks and for Mission Decks in three formats.

``game.toml`` lists them in its formats with those of the kit: ``rule = "agency_size"`` is ``AgencySize``.
There are also their codes (AG-3) and sentences; ``rulebook.toml`` cites each code, ``examples.toml`` has a
deck that breaks it, which ``tests/cardsdb/games/test_games.py`` judges. Below the rules: functions about
cards that rules and roles share.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cardsdb.games.kit import Card, CopyLimit, Decklist, Entry, Meter, Rule, Violation, count_of
from cardsdb.games.kit.model.format import Lack, names_of

# Types of the cards that are drawn, and of all cards of an Agency Deck.
DRAW_DECK = ("agent", "action", "gear")
AGENCY = ("leader", *DRAW_DECK)
FREELANCER = "Freelancer"
SKILLS = ("charisma", "combat", "transport", "craft")
# Codes of the sets of promotional cards.
FLASHPOINT = "FP"
PROMO_SETS = frozenset({"PR", FLASHPOINT})
# The most that one discard can add to pay a cost: printed on the action Bravado (rulebook, line 177).
MAX_BRAVADO = 5


class MisplacedCards(Rule):
    """Notes leaders that are not listed under Leaders, and other cards that are not under Deck. The other
    rules look at types only, so this changes no verdict.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = []
        for entry in deck.of_type(*AGENCY):
            home = "leaders" if entry.card.type == "leader" else "deck"
            if entry.section != home:
                wrong.append(entry)
        yield from self.noted("misplaced", wrong)


@dataclass(frozen=True)
class AgencySize(Rule):
    """The deck has at least ``at_least`` cards, including ``leaders`` leaders. The sentence counts leaders
    and other cards separately.
    """

    at_least: int = 50
    leaders: int = 4
    numbers = {"at_least": "cards with the leaders, at least", "leaders": "leaders counted among them"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("cards with the leaders", count_of(deck.of_type(*AGENCY)), self.at_least)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        total, leaders = count_of(deck.of_type(*AGENCY)), count_of(deck.of_type("leader"))
        if total >= self.at_least:
            return
        split = (
            f"{leaders} of {self.leaders} leaders and {total - leaders} of {self.at_least - self.leaders}"
            " other cards"
        )
        # A missing leader cannot be replaced by another card: of 6 cards with 2 leaders, 2 leaders and 42
        # other cards are lacking.
        lacking = self.at_least - total
        lacking_leaders = min(lacking, max(0, self.leaders - leaders))
        lacks = (Lack(lacking - lacking_leaders, DRAW_DECK), Lack(lacking_leaders, ("leader",)))
        yield self.incomplete(
            "agency-too-small",
            what=split,
            found=total,
            wanted=self.at_least,
            lacks=tuple(lack for lack in lacks if lack.count),
        )


class CopiesByName(CopyLimit):
    """The copy limit by name, with a note if the deck has two cards of one name (Tracer)."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield from super().judge(deck)
        codes_of: dict[str, set[str]] = defaultdict(set)
        for entry in deck.entries:
            codes_of[entry.card.name].add(entry.card.code)
        for name, codes in codes_of.items():
            if len(codes) > 1:
                yield self.note("shared-name", cards=(name,), found=len(codes))


class LoyaltyPenalty(Rule):
    """Notes agents of another faction, which are legal but cost double, and those whose double cost no leader
    can pay.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        leaders = deck.of_type("leader")
        faction = deck_faction(leaders)
        stated = {entry.card.fact("faction") for entry in leaders} - {None}
        # If the leaders are of several factions, AG-8 says so, and the deck's faction is not settled.
        if faction is None or len(stated) > 1:
            return
        agents = deck.of_type("agent")
        unknown = [entry for entry in agents if entry.card.fact("faction") is None]
        yield from self.noted("loyalty-unknown", unknown, what="agents")
        foreign = [entry for entry in agents if entry.card.fact("faction") not in (faction, FREELANCER, None)]
        found = count_of(foreign)
        yield from self.noted("off-faction", foreign, what="agents", found=found, wanted=faction)
        # A leader pays for agents that cost at most her expense; one of level 4 has the largest.
        purses = [entry.card.number("expense") or 0 for entry in leaders if entry.card.number("level") == 4]
        if purses:
            payable = max(purses) + MAX_BRAVADO
            too_dear = [entry for entry in foreign if 2 * (entry.card.number("expense") or 0) > payable]
            yield from self.noted("out-of-reach", too_dear, what="agents", wanted=payable)


@dataclass(frozen=True)
class OwnCopyLimit(Rule):
    """Notes cards in more copies than usual that their own text allows."""

    usual: int = 3
    numbers = {"usual": "copies beyond which a card's own limit is pointed out"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for entry in deck.entries:
            if entry.count > self.usual:
                limit = entry.card.number("max_copies")
                if limit is not None and entry.count <= limit:
                    yield self.note("own-limit", [entry], found=entry.count, wanted=limit)


class TopPair(Rule):
    """Notes leaders that name a Master or a Henchman who is not in the deck. The rule is unofficial, so the
    deck stays legal.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        leaders = deck.of_type("leader")
        for entry in leaders:
            for link, level in (("master", 4), ("henchman", 3)):
                partner = entry.card.fact(link)
                if partner is None or any(other.card.name == partner for other in leaders):
                    continue
                # Leaders of the level that the partner should have.
                others = names_of(other for other in leaders if other.card.number("level") == level)
                problem = "wrong-partner" if others else "missing-partner"
                yield self.note(problem, [entry], what="leaders", wanted=str(partner), found=others or None)


class RestrictedCards(Rule):
    """Notes cards restricted to kinds of people that the deck does not have. Such cards are legal."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        # (entry, the kinds of people who may use its card)
        restricted = [
            (entry, entry.card.words("restricted_to"))
            for entry in deck.entries
            if "restricted_to" in entry.card.facts
        ]
        people = deck.of_type("leader", "agent") if restricted else ()
        if not people:
            return
        idle: dict[tuple[str, ...], list[Entry]] = {}  # kinds that the deck lacks -> cards restricted to them
        for entry, wanted in restricted:
            if not any(is_of(person.card, wanted) for person in people):
                idle.setdefault(wanted, []).append(entry)
        for wanted, entries in idle.items():
            yield self.note("nobody-to-use", entries, wanted=" or ".join(wanted))


class PromoLegality(Rule):
    """Notes promos and the two Flashpoint missions, because no source says which of them were legal."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        promos = [entry for entry in deck.entries if is_promo(entry.card)]
        flashpoint = [entry for entry in promos if entry.card.prints[0].set == FLASHPOINT]
        yield from self.noted("promo", [entry for entry in promos if entry not in flashpoint])
        yield from self.noted("flashpoint", flashpoint)


def deck_faction(leaders: tuple[Entry, ...]) -> str | None:
    """Return the faction of the level 1 leader, else the one that all leaders share, else None."""
    stated = [entry.card for entry in leaders if entry.card.fact("faction")]
    first = [card for card in stated if card.number("level") == 1]
    factions = {str(card.fact("faction")) for card in first or stated}
    return factions.pop() if len(factions) == 1 else None


def cost_of(card: Card, faction: str | None) -> int | None:
    """Return the cost to activate an agent in a deck of this faction; None if the expense is unknown, or a
    faction that decides whether it is doubled. Kai of Nine Tiger, expense 7, costs 14 in a Banshee Net deck.
    """
    expense, own = card.number("expense"), card.fact("faction")
    if expense is None or own is None or (faction is None and own != FREELANCER):
        return None
    return expense if own in (faction, FREELANCER) else 2 * expense


def is_of(card: Card, kinds: tuple[str, ...]) -> bool:
    """True for a leader or agent of one of these kinds: traits, factions, or "Leader"."""
    own = {*card.words("traits"), *card.words("faction")}
    return bool(own & {*kinds}) or (card.type == "leader" and "Leader" in kinds)


class Header(NamedTuple):
    """A header of an action: ``Intel Craft 6``. The number is "X" for a formula; what it lacks is empty."""

    moment: str = ""
    skill: str = ""
    number: str = ""


def header_of(card: Card) -> Header:
    """Return the first header of an action, an empty one of other cards."""
    return Header(*card.word("action_headers").split()[:3])


def is_promo(card: Card) -> bool:
    """True for a card that is only in promo sets and that the rulebook does not use in an example."""
    is_of_promos = bool(card.prints) and all(print_.set in PROMO_SETS for print_ in card.prints)
    return is_of_promos and not any(claim.document == "rulebook" for claim in card.claims("name"))


# Codes of the seven missions of the base set in the OCTGN plug-in's deck of 2015, which would be numbers 18
# to 24 of that deck; its other missions are from the expansions.
NEWEST_OF_BASE_SET = frozenset(
    {
        "air-chase-over-nice",
        "destroy-the-biochem-lab",
        "escape-the-khans-lair",
        "sky-drop",
        "snow-killers",
        "the-sting",
        "tracking-subject-zero",
    }
)
BASE_SET = "ON"
EXPANSIONS = frozenset({"EA", "DB", "ML"})


# Tests of cards for the rule ``every`` of game.toml.


def of_base_set(card: Card, _deck: object) -> bool:
    """True for a card with a print in the base set (MD-2)."""
    return BASE_SET in [print_.set for print_ in card.prints]


def of_newest(card: Card, _deck: object) -> bool:
    """True for one of the newest missions (MD-3): of an expansion, or one of those seven."""
    return card.code in NEWEST_OF_BASE_SET or any(print_.set in EXPANSIONS for print_ in card.prints)
