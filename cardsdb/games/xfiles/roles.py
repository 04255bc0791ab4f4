"""The roles of the cards of an X-Files deck: which cards take a role beside a team and its Sites, and what speaks for
each. ``roles.toml`` has the numbers, the weights and the sentences.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.xfiles.reach import QUESTIONS, SKILLS, reach, skills_of
from cardsdb.games.xfiles.statistics import BUREAU, TEAM, worth_of

KEYS = {name: key for key, name in SKILLS.items()}
# Activators that need no card of one's own in play: of turns and places, and those that other players' cards meet.
FREE = {*QUESTIONS, *"Active Agent Briefing Bureau Combat Conspiracy Event Field Hospital Move Site".split()}
# Shares of a deck say nothing while it has fewer cards.
ENOUGH = 45
CP_LOW, CP_HIGH, SALE_LOW, RESOURCES = 27, 49, 0.7, 5
# So many Sites for a question, so many cards that bring something, are enough.
SITES, BRINGING = 6, 3


class Bureau(View):
    """A deck counted: the skills of its team, what its Sites in reach ask, and what its cards do."""

    watched = ("does", "keywords")

    def __init__(self, cards: Mapping[str, Sequence[Card]], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        self.team, self.bureau = TEAM.pick(deck), BUREAU.pick(deck)
        self.skills = skills_of(self.team)
        self.asked, self.helped = Counter[str](), Counter[str]()
        self.words = {word for _, word in self.there}
        self.out = self.bringing = 0
        for entry in deck:
            card = entry.card
            if card.type == "site":
                if self.reached(card):
                    self.asked.update(dict.fromkeys(card.words("site_questions"), entry.count))
                else:
                    self.out += entry.count
            elif card.type in ("witness", "equipment"):
                self.helped.update(_skills_in(card))
            self.bringing += entry.count * self._brings(card)

    @cached_property
    def closed(self) -> list[Card]:
        """The game's Sites that the team does not reach."""
        return [site for site in self.cards["site"] if not self.reached(site)]

    # -- the base

    def once(self, card: Card) -> bool:
        """An Agent starts once, and not beside a copy in the Bureau deck."""
        return card.name not in self.names

    def opens(self, card: Card) -> Times:
        """The Sites that the team reaches with the Agent besides, own ones fifty times; how many of all."""
        skills = {name: self.skills.get(name, 0) + (card.number(key) or 0) for name, key in KEYS.items()}
        opened = [site for site in self.closed if reach(site, skills) == "whole"]
        return len(opened) + 50 * sum(site.name in self.names for site in opened), len(opened)

    def shared(self, card: Card) -> Times:
        """The more X-Files share its answers, the longer it takes to tell it from them."""
        keys, others = [question.lower() for question in QUESTIONS], self.cards["x-file"]
        shared = sum(card.fact(key) == other.fact(key) for other in others for key in keys)
        return shared, shared

    # -- the Bureau deck

    def reached(self, card: Card) -> bool:
        return reach(card, self.skills) == "whole"

    def asks(self, card: Card) -> Times:
        rarest = min(card.words("site_questions"), key=lambda question: self.asked[question])
        skill = self._skill_for(card)
        level = card.number("site_level") or 0
        return max(0, SITES - self.asked[rarest]), rarest, skill, level, self.skills.get(skill, 0)

    def _skill_for(self, card: Card) -> str:
        return max(card.words("site_skills"), key=lambda skill: self.skills.get(skill, 0))

    def agents(self, card: Card) -> Times:
        """The Agents of the team that it needs, beyond one, counted against it."""
        key, left, needed = KEYS[self._skill_for(card)], card.number("site_level") or 0, 0
        for number in sorted((agent.card.number(key) or 0 for agent in self.team), reverse=True):
            needed += left > 0
            left -= number
        return (1 - needed,)

    def usable(self, card: Card) -> Times:
        return 1 if self.playable(card) else -2, card.number("cost") or 0, str(card.fact("pool"))

    def playable(self, card: Card) -> bool:
        """True if what it needs in play is in the deck, or can be there always."""
        return all(word in FREE or word in self.words for word in card.words("activators"))

    def common(self, card: Card) -> Times:
        """The share of all Sites that it can be played at."""
        words = [word for word in card.words("activators") if word in KEYS or word in QUESTIONS]
        sites = self.cards["site"]
        for word in words:
            sites = [site for site in sites if word in site.words("keywords")]
        return len(sites) / len(self.cards["site"]), len(sites), len(self.cards["site"])

    def brings(self, card: Card) -> Times:
        return (self.bringing < BRINGING and self._brings(card),)

    def _brings(self, card: Card) -> bool:
        return card.type == "event" and not {"gain", "draw", "find"}.isdisjoint(card.words("does"))

    def helps(self, card: Card) -> Times:
        """A skill that own Sites ask and nothing else helps yet."""
        asked = [(self.there["site", skill], skill) for skill in _skills_in(card) if not self.helped[skill]]
        number, skill = max(asked, default=(0, ""))
        return min(3, number) or -1, skill, number

    # -- checks

    def checked(self) -> Iterator[Said]:
        cards = count_of(self.bureau)
        for code, few in (("no-question", 0), ("question-once", 1)):
            found = [question for question in QUESTIONS if self.asked[question] == few]
            if found and (cards or self.team):
                yield Said(code, (" or ".join(found),))
        if self.out:
            yield Said("sites-out-of-reach", (self.out,))
        conspiracy = [entry for entry in self.bureau if entry.card.fact("pool") == "CP"]
        share = round(100 * count_of(conspiracy) / max(1, cards))
        if cards >= ENOUGH and not CP_LOW <= share <= CP_HIGH:
            yield Said("conspiracy-share", (share, CP_LOW, CP_HIGH))
        cost = sum((entry.card.number("cost") or 0) * entry.count for entry in conspiracy)
        sold = sum((worth or 0) * entry.count for entry in self.bureau for worth in worth_of(entry.card))
        if cards >= ENOUGH and sold < SALE_LOW * cost:
            yield Said("too-little-to-sell", (sold, cost))
        resources = sum((agent.card.number("resources") or 0) * agent.count for agent in self.team)
        if self.team and resources < RESOURCES:
            yield Said("few-resources", (resources, RESOURCES))


def _skills_in(card: Card) -> list[str]:
    """The skills that the card's text names."""
    return [skill for skill in KEYS if skill in card.text]
