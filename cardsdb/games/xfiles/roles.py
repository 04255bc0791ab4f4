"""The roles of the cards of an X-Files deck: which cards take a role beside a team and its Sites, and what
speaks for each. ``roles.toml`` has the numbers, the weights and the sentences.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cardsdb.games.kit import Card, Decklist, Entry, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.kit.play.statistics import tally
from cardsdb.games.xfiles.rules import BUREAU, QUESTIONS, SKILLS, TEAM, reach, skills_of
from cardsdb.games.xfiles.statistics import worth_of

KEYS = {name: key for key, name in SKILLS.items()}
# Activators that need no own card in play: of turns and places, and those that other players' cards meet.
FREE = {*QUESTIONS, *"Active Agent Briefing Bureau Combat Conspiracy Event Field Hospital Move Site".split()}
# Shares of a deck say nothing while it has fewer cards.
ENOUGH = 45
CP_LOW, CP_HIGH, SALE_LOW, RESOURCES = 27, 49, 0.7, 5
# So many Sites for a question are enough.
SITES = 6


class Bureau(View):
    """A deck counted: the skills of its team, what its Sites in reach ask, and what its cards do."""

    watched = ("does", "keywords")

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        self.team, self.bureau = TEAM.pick(deck), BUREAU.pick(deck)
        self.skills = skills_of(self.team)
        self.words = {word for _, word in self.there}
        within = [site for site in deck.of_type("site") if self.reached(site.card)]
        self.asked = tally(within, lambda site: site.card.words("site_questions"))
        self.helped = {
            skill for one in deck.of_type("witness", "equipment") for skill in _skills_in(one.card)
        }

    @cached_property
    def sites(self) -> list[Card]:
        """The Sites of the game."""
        return [card for card in self.cards if card.type == "site"]

    def reached(self, site: Card) -> bool:
        return reach(site, self.skills) == "whole"

    def playable(self, card: Card) -> bool:
        """True if what it needs in play is in the deck, or can be there always."""
        return all(word in FREE or word in self.words for word in card.words("activators"))

    def takes(self, role: str, card: Card) -> bool:
        """An Agent starts once, and not beside a copy in the Bureau deck."""
        if role == "team":
            return card.name not in self.names
        return self.reached(card) if role == "site" else role != "equipment" or self.playable(card)

    # -- the base

    @cached_property
    def closed(self) -> list[Card]:
        """The game's Sites that the team does not reach."""
        return [site for site in self.sites if not self.reached(site)]

    def opens(self, card: Card) -> Times:
        """The Sites that the team reaches with the Agent besides, and each point by which own ones come
        nearer ten times; how many of all.
        """
        skills = {name: self.skills.get(name, 0) + (card.number(key) or 0) for name, key in KEYS.items()}
        opened = sum(not _short(site, skills) for site in self.closed)
        own = [site for site in self.closed if site.name in self.names]
        nearer = sum(_short(site, self.skills) - _short(site, skills) for site in own)
        return opened + 10 * nearer, opened

    def shared(self, card: Card) -> Times:
        """The more X-Files share its answers, the longer it takes to tell it from them."""
        others = [other for other in self.cards if other.type == "x-file"]
        shared = sum(
            card.fact(key.lower()) == other.fact(key.lower()) for other in others for key in QUESTIONS
        )
        return shared, shared

    # -- the Bureau deck

    def asks(self, card: Card) -> Times:
        rarest = min(card.words("site_questions"), key=lambda question: self.asked[question])
        most, skill = max((self.skills.get(skill, 0), skill) for skill in card.words("site_skills"))
        return max(0, SITES - self.asked[rarest]), rarest, skill, card.number("site_level") or 0, most

    def usable(self, card: Card) -> Times:
        return 1 if self.playable(card) else -2, card.number("cost") or 0, str(card.fact("pool"))

    def common(self, card: Card) -> Times:
        """The share of all Sites that it can be played at."""
        words = {word for word in card.words("activators") if word in KEYS or word in QUESTIONS}
        number = sum(words.issubset(site.words("keywords")) for site in self.sites)
        few = f"{number} of the game's {len(self.sites)} Sites"
        return number / len(self.sites), few if number < len(self.sites) else "any Site"

    def helps(self, card: Card) -> Times:
        """A skill that own Sites ask and nothing else helps yet."""
        asked = [(self.there["site", skill], skill) for skill in _skills_in(card) if skill not in self.helped]
        number, skill = max(asked, default=(0, ""))
        return min(3, number) or -1, skill, number

    # -- checks

    def checked(self) -> Iterator[Said]:
        cards = count_of(self.bureau)
        for code, few in (("no-question", 0), ("question-once", 1)):
            found = [question for question in QUESTIONS if self.asked[question] == few]
            if found and (cards or self.team):
                yield Said(code, (" or ".join(found),))
        conspiracy = [entry for entry in self.bureau if entry.card.fact("pool") == "CP"]
        share = round(100 * count_of(conspiracy) / max(1, cards))
        if cards >= ENOUGH and not CP_LOW <= share <= CP_HIGH:
            yield Said("conspiracy-share", (share, CP_LOW, CP_HIGH))
        cost = _sum(conspiracy, "cost")
        sold = sum((worth or 0) * entry.count for entry in self.bureau for worth in worth_of(entry.card))
        if cards >= ENOUGH and sold < SALE_LOW * cost:
            yield Said("too-little-to-sell", (sold, cost))
        resources = _sum(self.team, "resources")
        if self.team and resources < RESOURCES:
            yield Said("few-resources", (resources, RESOURCES))


def _short(site: Card, skills: Mapping[str, int]) -> int:
    """The points that are lacking to reach the Site."""
    best = max([skills.get(skill, 0) for skill in site.words("site_skills")], default=0)
    return max(0, (site.number("site_level") or 0) - best)


def _skills_in(card: Card) -> list[str]:
    """The skills that the card's text names."""
    return [skill for skill in KEYS if skill in card.text]


def _sum(entries: Iterable[Entry], fact: str) -> int:
    return sum((entry.card.number(fact) or 0) * entry.count for entry in entries)
