"""What the cards of an X-Files deck are for: which cards take a role beside a team and its Sites, and what speaks for
each. ``roles.toml`` has the numbers, the weights and the sentences.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.model.effects import quoted_names
from cardsdb.games.kit.play.roles import Point, Said
from cardsdb.games.xfiles.reach import QUESTIONS, SKILLS, reach, skills_of
from cardsdb.games.xfiles.rules import is_killer
from cardsdb.games.xfiles.statistics import worth_of

ANSWERS = ("affiliation", "motive", "method", "result")
# Activators that a player can always meet, some of them on their own turn, and those that another player's cards meet.
FREE = {*"Active Agent Briefing Bureau Combat Conspiracy Event Field Hospital Move Site".split(), *QUESTIONS}
TEMPERS = ("Believer", "Skeptic", "Neutral")
# No Site asks for more of a skill.
MOST = 12
# Shares of a deck say nothing while it has fewer cards; Sites are asked for from the first card on.
ENOUGH = 45
CP_LOW, CP_HIGH, SALE_LOW, RESOURCES = 27, 49, 0.7, 5


class Catalogue:
    """What is counted once of all cards: the Sites that each sum of a skill reaches, as bits of a number; how many
    Sites have a keyword, and X-Files an answer; the skills and cards that a text names.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        sites = [card for card in cards if card.type == "site"]
        self.place = {card.code: 1 << number for number, card in enumerate(sites)}
        asking = {
            name: [one for one in sites if name in one.words("site_skills")] for name in SKILLS.values()
        }
        self.reached = {
            skill: [
                sum(self.place[one.code] for one in asked if reach(one, {skill: total}) == "whole")
                for total in range(MOST + 1)
            ]
            for skill, asked in asking.items()
        }
        self.sites = len(sites)
        self.with_word = Counter(word for site in sites for word in site.words("keywords"))
        self.answers = Counter((key, card.fact(key)) for card in cards for key in ANSWERS)
        names = re.compile("|".join(SKILLS.values()))
        self.helps = {card.code: tuple(dict.fromkeys(names.findall(card.text))) for card in cards}
        self.partners = {card.code: tuple(dict.fromkeys(quoted_names(card.text))) for card in cards}

    def all_reached(self, skills: Mapping[str, int]) -> int:
        bits = 0
        for skill, total in skills.items():
            bits |= self.reached[skill][min(total, MOST)]
        return bits


class View:
    """A deck counted: the skills of its team, what its Sites in reach ask, and what its cards do."""

    def __init__(self, catalogue: Catalogue, deck: Decklist) -> None:
        self.catalogue = catalogue
        self.team = [entry for entry in deck.in_section("agents") if entry.card.type == "agent"]
        self.bureau = deck.in_section("bureau")
        self.names = {entry.card.name for entry in (*self.team, *self.bureau)}
        self.starting = {entry.card.name for entry in self.team}
        self.skills = skills_of(self.team)
        self.reached = catalogue.all_reached(self.skills)
        self.words, self.asked, self.crowd, self.helped = (Counter[str]() for _ in range(4))
        self.verbs: set[tuple[str, str]] = set()
        self.own = self.brings = self.out = 0
        for entry in (*self.team, *self.bureau):
            for word in entry.card.words("keywords"):
                self.words[word] += entry.count
        self.tempers = {word for agent in self.team for word in agent.card.words("keywords")}
        for entry in self.bureau:
            card = entry.card
            self.verbs.update((card.type, verb) for verb in card.words("does"))
            if card.type == "site":
                self.own |= catalogue.place.get(card.code, 0)
                self.crowd.update(dict.fromkeys(card.words("site_skills"), entry.count))
                if reach(card, self.skills) == "whole":
                    self.asked.update(dict.fromkeys(card.words("site_questions"), entry.count))
                else:
                    self.out += entry.count
            elif card.type in ("witness", "equipment"):
                self.helped.update(dict.fromkeys(catalogue.helps.get(card.code, ()), entry.count))
            elif card.type == "event":
                self.brings += brings(card) * entry.count


def view(cards: Sequence[Card]) -> Callable[[Decklist, str], View]:
    catalogue = Catalogue(cards)
    return lambda deck, leaning: View(catalogue, deck)


def addable(card: Card) -> bool:
    """Killer cards are for players who agreed to them, others for three players or more."""
    return not is_killer(card) and "Multiplayer" not in card.words("activators")


# -- the base


def once(card: Card, view: View) -> bool:
    """An Agent starts once, and not beside a copy in the Bureau deck."""
    return card.name not in view.names


def starting(card: Card, view: View) -> Iterator[Point]:
    skills = dict(view.skills)
    for key, name in SKILLS.items():
        skills[name] = skills.get(name, 0) + (card.number(key) or 0)
    new = view.catalogue.all_reached(skills) & ~view.reached
    opened, resources = (new & view.own).bit_count(), card.number("resources") or 0
    yield Point("opens_own", opened, (opened,))
    yield Point("opens", new.bit_count(), (new.bit_count(),))
    yield Point("resources", resources, (resources,))
    yield Point("spends", card.number("cost") or 0)


def secret(card: Card, view: View) -> Iterator[Point]:
    """The more X-Files share its answers, the longer it takes to tell it from them."""
    shared = sum(view.catalogue.answers[key, card.fact(key)] - 1 for key in ANSWERS)
    yield Point("shared", shared, (shared,))


# -- the Bureau deck


def reached(card: Card, view: View) -> bool:
    return reach(card, view.skills) == "whole"


def site(card: Card, view: View) -> Iterator[Point]:
    questions, level = card.words("site_questions"), card.number("site_level") or 0
    rarest = min(questions, key=lambda question: view.asked[question], default="")
    skill = max(card.words("site_skills"), key=lambda name: view.skills.get(name, 0), default="")
    total, asked = view.skills.get(skill, 0), view.asked[rarest]
    yield Point("asks", max(0, 6 - asked), (rarest, skill, level, total))
    key = next((key for key, name in SKILLS.items() if name == skill), "")
    needed, gathered = 0, 0
    for number in sorted((agent.card.number(key) or 0 for agent in view.team), reverse=True):
        if gathered < level:
            needed, gathered = needed + 1, gathered + number
    yield Point("agents", 1 - needed)
    yield Point("crowd", -view.crowd[skill])
    yield Point("margin", min(3, total - level))
    yield Point("several", 1 - len(questions))


def plays(card: Card, view: View) -> Iterator[Point]:
    """What speaks for a card that is played: that it can be, where, and that it does what is not there yet."""
    activators = [word for word in card.words("activators") if word not in FREE]
    strange = [word for word in activators if not view.words[word]]
    yield Point("usable", not strange, (card.number("cost") or 0, str(card.fact("pool"))))
    yield Point("unmet", -len(strange))
    new = next((verb for verb in card.words("does") if (card.type, verb) not in view.verbs), "")
    yield Point("verb", bool(new), (new,))
    yield from _partners(card, view)


def _partners(card: Card, view: View) -> Iterator[Point]:
    for name in view.catalogue.partners[card.code]:
        is_there = name in view.names
        yield Point("partner" if is_there else "stranger", 1 if is_there else -1, (name,))


def _dear(card: Card, above: int) -> Point:
    return Point("dear", min(0, above - (card.number("cost") or 0)))


def event(card: Card, view: View) -> Iterator[Point]:
    yield from plays(card, view)
    yield _dear(card, 3)
    yield Point("brings", brings(card) and view.brings < 3)


def brings(card: Card) -> bool:
    """Whether the card brings RP, CP or cards."""
    return not {"gain", "draw", "find"}.isdisjoint(card.words("does"))


def against(card: Card, view: View) -> Iterator[Point]:
    """What speaks for a card that is played on others' Sites: how many of all Sites it can be played at."""
    where = [word for word in card.words("activators") if word in QUESTIONS or word in SKILLS.values()]
    share = min([view.catalogue.with_word[word] for word in where], default=view.catalogue.sites)
    yield Point("common", share / max(1, view.catalogue.sites), (share, view.catalogue.sites))
    others = {"Witness", "Adversary", "Believer", "Skeptic", "Alien", "Occult"} & {*card.words("activators")}
    yield Point("unmet", -len(others) / 2)
    new = next((verb for verb in card.words("does") if (card.type, verb) not in view.verbs), "")
    yield Point("verb", bool(new), (new,))
    yield from _partners(card, view)


def adversary(card: Card, view: View) -> Iterator[Point]:
    yield from against(card, view)
    fight = max(card.number("long_range_combat") or 0, card.number("close_range_combat") or 0)
    health = card.number("health") or 0
    yield Point("fights", min(6, fight) + min(6, health), (fight, health))
    yield _dear(card, 4)


def bluff(card: Card, view: View) -> Iterator[Point]:
    yield from against(card, view)
    yield _dear(card, 2)


def against_others(card: Card, view: View) -> Iterator[Point]:
    yield from against(card, view)
    yield _dear(card, 3)
    yield Point("brings", brings(card) and view.brings < 3)


def helper(card: Card, view: View) -> Iterator[Point]:
    """A Witness or a piece of Equipment: a skill that own Sites ask and that nothing else helps yet."""
    yield from plays(card, view)
    asked = [(view.crowd[skill], skill) for skill in view.catalogue.helps[card.code]]
    number, skill = max((one for one in asked if not view.helped[one[1]]), default=(0, ""))
    yield Point("helps", min(3, number), (skill, number))
    yield Point("helped", -sum(view.helped[skill] > 0 for _, skill in asked))
    yield Point("weapon", "Weapon" in card.words("keywords"))
    yield _dear(card, 3)


def has_bearer(card: Card, view: View) -> bool:
    """Equipment for Believers or Skeptics needs one in the team."""
    return all(word in view.tempers for word in card.words("activators") if word in TEMPERS)


def combat(card: Card, view: View) -> Iterator[Point]:
    yield from plays(card, view)
    pool = str(card.fact("pool"))
    yield Point("pays", {"*P": 2, "RP": 1}.get(pool, 0), (pool,))


def is_reserve(card: Card, view: View) -> bool:
    return card.name not in view.starting


def reserve(card: Card, view: View) -> Iterator[Point]:
    asked = [(card.number(key) or 0, name) for key, name in SKILLS.items() if view.crowd[name]]
    number, skill = max(asked, default=(0, ""))
    yield Point("skilled", sum(number for number, _ in asked), (skill, number))
    yield _dear(card, 2)


# -- checks


def checked(view: View) -> Iterator[Said]:
    """What is out of the span of played decks."""
    if not view.team and not view.bureau:
        return
    for code, few in (("no-question", 0), ("question-once", 1)):
        if found := [question for question in QUESTIONS if view.asked[question] == few]:
            yield Said(code, (_either(found),))
    if view.out:
        yield Said("sites-out-of-reach", (view.out,))
    cards = count_of(view.bureau)
    if cards >= ENOUGH:
        of_cp = [entry for entry in view.bureau if entry.card.fact("pool") == "CP"]
        share = round(100 * count_of(of_cp) / cards)
        if not CP_LOW <= share <= CP_HIGH:
            yield Said("conspiracy-share", (share, CP_LOW, CP_HIGH))
        cost = sum((entry.card.number("cost") or 0) * entry.count for entry in of_cp)
        sold = sum((worth or 0) * entry.count for entry in view.bureau for worth in worth_of(entry.card))
        if sold < SALE_LOW * cost:
            yield Said("too-little-to-sell", (sold, cost))
    resources = sum((agent.card.number("resources") or 0) * agent.count for agent in view.team)
    if view.team and resources < RESOURCES:
        yield Said("few-resources", (resources, RESOURCES))


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
