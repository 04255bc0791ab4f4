"""What the cards of an Agency Deck are for: who can be paid, what can be carried and done, and what speaks for each.
``roles.toml`` has the numbers, the weights and the sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.play.roles import Point, Said
from cardsdb.games.spycraft.rules import FREELANCER, SKILLS, cost_of, deck_faction, is_of, is_promo

FRANCHISE = "Franchise"
# Two cards have this name.
SHARED_NAMES = frozenset({"Tracer"})
# A usual discard brings so much for an agent, and so much is sure for gear and actions.
DISCARD, SURE = 3, 2
# Means say nothing while there are fewer cards.
ENOUGH = 30
AT_ONCE, WITH_DISCARD, BRAVADO = 4, 10, 2
KINDS_OF_GEAR = ("Vehicle", "Firearm", "Armor", "Melee")


class View:
    """A deck counted: what its leaders pay, what its people carry and do, and which cards are idle."""

    def __init__(self, usual: dict[int, int], skills: dict[str, float], deck: Decklist, leaning: str) -> None:
        self.usual_skills, self.leaning = skills, leaning
        self.leaders, self.agents = deck.of_type("leader"), deck.of_type("agent")
        self.names = {entry.card.name for entry in deck}
        self.levels = {entry.card.number("level") for entry in self.leaders}
        self.partners = {entry.card.fact(link) for entry in self.leaders for link in ("master", "henchman")}
        self.faction = deck_faction(self.leaders)
        if not self.leaders:
            factions = Counter[str]()
            for entry in self.agents:
                if (faction := str(entry.card.fact("faction"))) != FREELANCER:
                    factions[faction] += entry.count
            self.faction = max(factions, key=lambda name: (factions[name], name), default=None)
        self.purses = dict(usual)
        for entry in self.leaders:
            if (level := entry.card.number("level")) and (purse := entry.card.number("expense")) is not None:
                self.purses[level] = purse
        self.people = [entry.card for entry in (*self.leaders, *self.agents) for _ in range(entry.count)]
        self.bearers = sorted((card.number("expense") or 0 for card in self.people), reverse=True)
        self.sums = {
            skill: sorted((card.number(skill) or 0 for card in self.people), reverse=True) for skill in SKILLS
        }
        self.drawn = [entry for entry in deck if entry.card.type in ("agent", "action", "gear")]
        self.cards = count_of(self.drawn)
        bravado = sum((entry.card.number("bravado") or 0) * entry.count for entry in self.drawn)
        self.bravado = bravado / self.cards if self.cards else float(DISCARD)
        self.verbs = {(entry.card.type, verb) for entry in self.drawn for verb in entry.card.words("does")}
        self.solo = self.restricted = 0
        self.carried, self.looked_for = Counter[str](), Counter[str]()
        for entry in self.drawn:
            self.solo += entry.count * (entry.card.fact("solo_op") is True)
            if entry.card.type == "gear":
                self.carried.update(dict.fromkeys(entry.card.words("traits"), entry.count))
            self.looked_for.update(dict.fromkeys(entry.card.words("restricted_to"), entry.count))

    def of_kind(self, card: Card) -> list[Card]:
        """The people who may use the card."""
        kinds = card.words("restricted_to")
        return [one for one in self.people if is_of(one, kinds)] if kinds else self.people


def view(cards: Sequence[Card]) -> Callable[[Decklist, str], View]:
    """Leaders of a level that a deck lacks are taken to pay what is usual at it."""
    leaders = [card for card in cards if card.type == "leader"]
    purses: dict[int, list[int]] = {}
    for card in leaders:
        purses.setdefault(card.number("level") or 0, []).append(card.number("expense") or 0)
    usual = {level: round(fmean(each)) for level, each in purses.items()}
    people = [card for card in cards if card.type in ("leader", "agent")]
    skills = {skill: fmean([card.number(skill) or 0 for card in people] or [0]) for skill in SKILLS}
    return lambda deck, leaning: View(usual, skills, deck, leaning)


def addable(card: Card) -> bool:
    return not is_promo(card) and card.name not in SHARED_NAMES


def suits(view: View, leaning: str) -> float:
    """How far the deck's people are above the usual in this skill."""
    if not view.people:
        return 0
    return fmean(view.sums[leaning]) - view.usual_skills[leaning]


# -- people


def leads(card: Card, view: View) -> bool:
    """A leader of the lowest level that is open, of the deck's faction; of the Franchise in its own decks alone."""
    level = next((level for level in sorted(view.purses) if level not in view.levels), None)
    faction = card.fact("faction")
    return card.number("level") == level and (
        faction == view.faction if view.faction else faction != FRANCHISE
    )


def leader(card: Card, view: View) -> Iterator[Point]:
    yield from _skilled(card, view, 1)
    yield Point("purse", card.number("expense") or 0, (card.number("expense") or 0,))
    yield Point("couple", card.name in view.partners)


def _skilled(card: Card, view: View, share: float) -> Iterator[Point]:
    numbers = {skill: card.number(skill) or 0 for skill in SKILLS}
    if view.leaning:
        yield Point(
            "leaning", numbers[view.leaning] * share, (view.leaning.capitalize(), numbers[view.leaning])
        )
    best = max(SKILLS, key=lambda skill: numbers[skill])
    yield Point("skills", sum(numbers.values()) * share, (best.capitalize(), numbers[best]))


def _paid(card: Card, view: View) -> int | None:
    return cost_of(card, view.faction)


def at_once(card: Card, view: View) -> bool:
    return (cost := _paid(card, view)) is not None and cost <= view.purses[1]


def with_discard(card: Card, view: View) -> bool:
    return (cost := _paid(card, view)) is not None and view.purses[1] < cost <= view.purses[1] + DISCARD


def later(card: Card, view: View) -> bool:
    return (cost := _paid(card, view)) is not None and view.purses[1] + DISCARD < cost <= view.purses[4]


def agent(card: Card, view: View) -> Iterator[Point]:
    yield from _skilled(card, view, 8 / ((card.number("expense") or 0) + 4))
    wanted = next((kind for kind in view.looked_for if is_of(card, (kind,))), "")
    yield Point(
        "looked_for", bool(wanted) and len([1 for one in view.people if is_of(one, (wanted,))]) < 3, (wanted,)
    )
    yield Point("foreign", -(card.fact("faction") not in (view.faction, FREELANCER)))
    yield Point("hired", -(card.fact("faction") == FREELANCER))


# -- what people carry and do


def borne(card: Card, view: View) -> bool:
    """Gear that a bearer of the fifth best purse pays with a discard, and that two may use."""
    purse = next(iter(view.bearers[4:5] or view.bearers[-1:]), 0)
    return (card.number("expense") or 0) <= purse + SURE and len(view.of_kind(card)) >= 2


def gear(card: Card, view: View) -> Iterator[Point]:
    expense = card.number("expense") or 0
    alone = sum((one.number("expense") or 0) >= expense for one in view.of_kind(card))
    yield Point("bearers", min(6, alone), (alone,))
    bonuses = {skill: card.number(f"{skill}_bonus") or 0 for skill in SKILLS}
    best = max(SKILLS, key=lambda skill: (bonuses[skill], skill == view.leaning))
    yield Point("bonus", sum(bonuses.values()), (bonuses[best], best.capitalize()))
    if view.leaning:
        yield Point(
            "bonus_leaning", bonuses[view.leaning], (bonuses[view.leaning], view.leaning.capitalize())
        )
    yield Point(
        "crowd",
        -max((view.carried[kind] for kind in card.words("traits") if kind in KINDS_OF_GEAR), default=0),
    )
    yield from _new(card, view)


def _new(card: Card, view: View) -> Iterator[Point]:
    verb = next((verb for verb in card.words("does") if (card.type, verb) not in view.verbs), "")
    yield Point("verb", bool(verb), (verb,))


def _header(card: Card) -> tuple[str, str, int]:
    """Phase, skill and number of the first action on the card; of a number X, and without one, 0."""
    phase, skill, *number = (*next(iter(card.words("action_headers")), "").split(), "", "")[:3]
    return phase, skill.lower(), int(number[0]) if number and number[0].isdecimal() else 0


def _done(card: Card, view: View, phase: str) -> bool:
    """Whether it is of this phase, and the second best at its skill does it with a discard, and two may do it."""
    when, skill, number = _header(card)
    if when != phase or skill not in SKILLS or len(doers := view.of_kind(card)) < 2:
        return False
    second = (
        sorted(one.number(skill) or 0 for one in doers)[-2]
        if doers is not view.people
        else view.sums[skill][1]
    )
    return second + SURE >= number and second > 0


def intel(card: Card, view: View) -> bool:
    return _done(card, view, "Intel")


def mission(card: Card, view: View) -> bool:
    return _done(card, view, "Mission")


def answers(card: Card, view: View) -> bool:
    return _done(card, view, "React")


def action(card: Card, view: View) -> Iterator[Point]:
    _, skill, number = _header(card)
    able = sum((one.number(skill) or 0) >= max(1, number) for one in view.of_kind(card))
    yield Point("able", min(4, able), (able, skill.capitalize(), number))
    yield Point("its_skill", skill == view.leaning, (skill.capitalize(),))
    yield from _new(card, view)
    yield Point("bravado", (card.number("bravado") or 0) - DISCARD)
    yield Point("solo", -view.solo if card.fact("solo_op") is True else 0)


# -- checks


def checked(view: View) -> Iterator[Said]:
    """What is out of the span of played decks."""
    at_start = sum(entry.count for entry in view.agents if at_once(entry.card, view))
    soon = at_start + sum(entry.count for entry in view.agents if with_discard(entry.card, view))
    if view.agents and at_start < AT_ONCE:
        yield Said("few-at-once", (at_start, AT_ONCE))
    if view.agents and soon < WITH_DISCARD:
        yield Said("few-with-discard", (soon, WITH_DISCARD))
    if view.cards >= ENOUGH and view.bravado < BRAVADO:
        yield Said("low-bravado", (f"{view.bravado:.1f}", BRAVADO))
    idle = [
        entry.card.name
        for entry in view.drawn
        if view.people
        and (
            (entry.card.type == "gear" and not borne(entry.card, view))
            or (
                _header(entry.card)[1] in SKILLS
                and entry.card.type == "action"
                and not _done(entry.card, view, _header(entry.card)[0])
            )
        )
    ]
    if idle:
        yield Said("idle", (", ".join(idle),))
