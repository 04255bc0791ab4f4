"""Roles of cards in an X-Files deck: which Sites the team can reach, which cards can be played, and the terms
by which cards are compared.

``roles.toml`` has the roles, weights and sentences; it names the methods of ``Bureau`` as terms. ``complete``
uses it to finish a deck, and is tested with it in ``tests/cardsdb/games/kit/complete``. ``Times``, which
terms return, is (how often the term counts, then the values of its sentence).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cardsdb.games.kit import Card, Decklist, Entry, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.kit.play.statistics import tally
from cardsdb.games.xfiles.rules import BUREAU, QUESTIONS, SKILLS, TEAM, reach, skills_of
from cardsdb.games.xfiles.statistics import worth_of

# Name of a skill on the card -> key of its fact.
KEYS = {name: key for key, name in SKILLS.items()}
# Activators that need no card of the deck: phases, places, and those that other players' cards meet.
FREE = {*QUESTIONS, *"Active Agent Briefing Bureau Combat Conspiracy Event Field Hospital Move Site".split()}
# Decks with fewer cards are not checked for shares.
ENOUGH = 45
# In played decks, the least and the highest percentage of cards that Conspiracy Points pay.
CP_LOW = 27
CP_HIGH = 49
# In played decks, the least share of those cards' cost that cards for sale bring in.
SALE_LOW = 0.7
# In played decks, the least resources of the team.
RESOURCES = 5
# This number of Sites for a question is enough.
ENOUGH_SITES = 6


class Bureau(View):
    """An X-Files deck, counted. ``skills``: name of a skill -> the team's sum. ``asked``: question -> Sites
    of the deck that ask it and are within reach. ``helped``: skills named by its witnesses and equipment.
    ``words``: the words in its cards' text and keywords, which ``watched`` names.
    """

    watched = ("does", "keywords")

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        self.team, self.bureau = TEAM.pick(deck), BUREAU.pick(deck)
        self.skills = skills_of(self.team)
        self.words = {word for _, word in self.copies}
        within = [site for site in deck.of_type("site") if self.reached(site.card)]
        self.asked = tally(within, lambda site: site.card.words("site_questions"))
        helpers = deck.of_type("witness", "equipment")
        self.helped = {skill for entry in helpers for skill in _skills_in(entry.card)}

    @cached_property
    def sites(self) -> list[Card]:
        """The Sites of the game."""
        return [card for card in self.cards if card.type == "site"]

    def reached(self, site: Card) -> bool:
        """True if the team reaches the Site completely."""
        return reach(site, self.skills) == "whole"

    def playable(self, card: Card) -> bool:
        """True if each activator of the card is free or is a keyword of a card in the deck."""
        return all(word in FREE or word in self.words for word in card.words("activators"))

    def takes(self, role: str, card: Card) -> bool:
        """True if the card can take the role with this slug: an Agent that the deck does not have yet, a Site
        within reach, equipment that can be played, any card of another role.
        """
        match role:
            case "team":
                return card.name not in self.names
            case "site":
                return self.reached(card)
            case "equipment":
                return self.playable(card)
        return True

    # -- terms of base roles: the team and the X-File

    @cached_property
    def closed(self) -> list[Card]:
        """The Sites of the game that the team does not reach."""
        return [site for site in self.sites if not self.reached(site)]

    def opens(self, card: Card) -> Times:
        """Return (score, Sites opened). Opened are Sites of the game that the team reaches only with this
        Agent. The score is their number, plus ten for each point by which Sites of the deck come nearer.
        """
        # The team's sums with this Agent.
        skills = {name: self.skills.get(name, 0) + (card.number(key) or 0) for name, key in KEYS.items()}
        opened = sum(not _short(site, skills) for site in self.closed)
        own = [site for site in self.closed if site.name in self.names]
        nearer = sum(_short(site, self.skills) - _short(site, skills) for site in own)
        return opened + 10 * nearer, opened

    def shared(self, card: Card) -> Times:
        """Return how many answers other X-Files share with this one: the more, the longer it stays secret."""
        others = [other for other in self.cards if other.type == "x-file"]
        shared = sum(
            card.fact(key.lower()) == other.fact(key.lower()) for other in others for key in QUESTIONS
        )
        return shared, shared

    # -- terms of the Bureau deck

    def asks(self, card: Card) -> Times:
        """Return (Sites that the rarest of the Site's questions lacks to ENOUGH_SITES, that question, the
        team's best skill for the Site, the level needed, the team's level). If 2 Sites ask Method and 5 ask
        Motive, Excelsius Dei, which asks both -> (4, "Method", "Criminal Investigation", 5, 6)
        """
        rarest = min(card.words("site_questions"), key=lambda question: self.asked[question])
        most, skill = max((self.skills.get(skill, 0), skill) for skill in card.words("site_skills"))
        return max(0, ENOUGH_SITES - self.asked[rarest]), rarest, skill, card.number("site_level") or 0, most

    def usable(self, card: Card) -> Times:
        """Return (1 for a card that can be played, else -2; its cost; its pool)."""
        return 1 if self.playable(card) else -2, card.number("cost") or 0, str(card.fact("pool"))

    def common(self, card: Card) -> Times:
        """Return (share of the game's Sites at which the card can be played, that in words): (0.12..., "7 of
        the game's 57 Sites"), (1.0, "any Site")
        """
        words = {word for word in card.words("activators") if word in KEYS or word in QUESTIONS}
        number = sum(words.issubset(site.words("keywords")) for site in self.sites)
        few = f"{number} of the game's {len(self.sites)} Sites"
        return number / len(self.sites), few if number < len(self.sites) else "any Site"

    def helps(self, card: Card) -> Times:
        """Return (score, skill, number): the skill that this card helps, no other card of the deck does, and
        most of its Sites ask for; and their number. The score is the number, at most 3; -1 if it is 0.
        """
        # ``copies``: (card type, word) -> copies in the deck.
        asked = [
            (self.copies["site", skill], skill) for skill in _skills_in(card) if skill not in self.helped
        ]
        number, skill = max(asked, default=(0, ""))
        return min(3, number) or -1, skill, number

    # -- checks

    def checked(self) -> Iterator[Said]:
        """Yield the checks of ``roles.toml`` that the deck fails, with the values of their sentences."""
        cards = count_of(self.bureau)
        for code, sites in (("no-question", 0), ("question-once", 1)):
            rare = [question for question in QUESTIONS if self.asked[question] == sites]
            if rare and (cards or self.team):
                yield Said(code, (" or ".join(rare),))
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
    """Return the points that these skills lack to reach the Site."""
    best = max([skills.get(skill, 0) for skill in site.words("site_skills")], default=0)
    return max(0, (site.number("site_level") or 0) - best)


def _skills_in(card: Card) -> list[str]:
    """Return the names of the skills in the card's text."""
    return [skill for skill in KEYS if skill in card.text]


def _sum(entries: Iterable[Entry], fact: str) -> int:
    """Return the sum of a number fact, counting copies."""
    return sum((entry.card.number(fact) or 0) * entry.count for entry in entries)
