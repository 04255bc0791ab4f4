"""Roles of cards in an Agency Deck: which agents the leaders can pay, which gear and actions the people can
use, and the terms by which cards are compared.

``roles.toml`` has the roles, weights and sentences; it names the methods of ``Agency`` as terms. Such a
method returns ``Times``: how often the term counts, then the values of its sentence, so ``(4, 7)`` counts 4
times and puts 7 into the sentence. ``complete`` uses it to finish a deck.

Tests: ``tests/cardsdb/games/spycraft/test_roles.py`` says who can pay and use a card. In
``tests/cardsdb/games/kit/complete``, ``test_needs.py`` has the findings of checks, and ``test_search.py``
fails if a bound is too high for the decks that are proposed; it does not notice one that is too low. Weights
are our judgement: only the order of those of ``loyal`` is tested.
"""

import re
from collections.abc import Iterator, Sequence

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.kit.play.statistics import tally
from cardsdb.games.spycraft.rules import FREELANCER, cost_of, deck_faction, header_of, is_of

# Level -> expense that leaders usually have, for leaders that the deck does not have yet. None is the level
# of a leader of which no source states it.
USUAL: dict[int | None, int] = {1: 3, 4: 16}
# Bravado that a discard adds: on average, and at least.
DISCARD = 3
SURE = 2
# Ways to pay an agent, the cheapest first: role that it then takes -> (level of the leader who pays, bravado
# of a discard).
WAYS_TO_PAY = {"at-once": (1, 0), "with-discard": (1, DISCARD), "later": (4, 0)}
# A faction with decks of its own; its agents hardly suit decks of others.
FRANCHISE = "Franchise"
# In effects.csv: the only levels of leaders that may activate an agent.
_LEVELS = re.compile(r"forbid leader of level other than (.+) to activate self")

# -- bounds that played decks keep (``Agency.checked``; the decks are named at the checks in roles.toml)

# The fewest agents that can be paid at once, and with a discard.
AT_ONCE = 4
WITH_DISCARD = 10
# The least bravado of a card on average, in decks of at least so many cards.
BRAVADO = 2
ENOUGH = 30
# The fewest people who can use an action or gear.
USERS = 2

# Faction -> how often the term ``loyal`` counts; 0 times for the deck's own. Its weight in roles.toml is 1.2.
# By skills and expense the agents of the catalogue differ by 4.3 points at most. So a good Freelancer (1.2
# points less) may come before a poor agent of the faction, an agent of another faction (12 less) hardly
# before any of these, and the Franchise is last.
LOYALTY: dict[object, int] = {FRANCHISE: -20, FREELANCER: -1}
OF_ANOTHER_FACTION = -10


class Agency(View):
    """An Agency Deck, counted. ``purses``: level -> expense of its leader, the most an agent may cost:
    {1: 3, 2: 6, 3: 8, 4: 16}. ``faction``: the leaders' faction, else the commonest one; None if there is
    none yet.
    """

    watched = ("does", "traits", "solo_op")

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        leaders = deck.of_type("leader")
        # The people who use cards, and the cards that are drawn.
        self.people, self.drawn = deck.of_type("leader", "agent"), deck.of_type("agent", "action", "gear")
        self.faction = deck_faction(leaders) or self._commonest_faction()
        self.purses = USUAL | {
            entry.card.number("level"): entry.card.number("expense") or 0 for entry in leaders
        }
        self.levels = {entry.card.number("level") for entry in leaders}

    def _commonest_faction(self) -> str | None:
        factions = tally(self.people, lambda entry: entry.card.words("faction"))
        del factions[FREELANCER]
        return max(factions, key=lambda faction: factions[faction], default=None)

    def suits(self, leaning: str) -> float:
        """Return the points of the deck's people in this skill. The average is about the same
        in each skill.
        """
        return sum((entry.card.number(leaning) or 0) * entry.count for entry in self.people)

    def takes(self, role: str, card: Card) -> bool:
        """True if the card can take the role with this slug.

        A leader needs an open level and the deck's faction. An agent takes the first role in which it can be
        paid: by the leader of level 1, by that leader with a discard, by the leader of level 4. Gear and
        actions need two people who can use them.
        """
        if role == "leader":
            return card.number("level") not in self.levels and self.faction in (None, card.fact("faction"))
        if card.type == "agent":
            for cheapest, (level, bravado) in WAYS_TO_PAY.items():
                if self.pays(card, level, bravado):
                    return cheapest == role
            return False
        if role not in ("gear", header_of(card).moment.lower()):
            return False
        return self.count_users(card, SURE) >= USERS

    def pays(self, card: Card, level: int, more: int) -> bool:
        """True if the leader of this level, which is in ``purses``, can activate the agent with ``more``
        bravado. False if the cost is unknown.
        """
        cost, only_levels = cost_of(card, self.faction), _LEVELS.search(card.text)
        if only_levels and str(level) not in only_levels[1]:
            return False
        if f"forbid {self.faction} leader to activate self" in card.text:
            return False
        return cost is not None and cost <= self.purses[level] + more

    def count_users(self, card: Card, more: int = 0) -> int:
        """Return the number of the deck's people who may use the card and can do so with ``more`` bravado:
        who reach the number of an action in its skill, or whose expense is at least that of gear.
        """
        ability, needed = "expense", card.number("expense") or 0
        if card.type == "action":
            header = header_of(card)
            # A formula needs no fixed number.
            ability, needed = header.skill.lower(), int(header.number) if header.number.isdecimal() else 0
        kinds = card.words("restricted_to")
        users = [entry for entry in self.people if not kinds or is_of(entry.card, kinds)]
        return count_of(entry for entry in users if (entry.card.number(ability) or 0) + more >= needed)

    # -- terms of roles.toml

    def loyal(self, card: Card) -> Times:
        """Count 0 times for a card of the deck's faction, less for others (``LOYALTY``). The sentence has no
        value.
        """
        known = {**LOYALTY, self.faction: 0}
        return (known.get(card.fact("faction"), OF_ANOTHER_FACTION),)

    def able(self, card: Card) -> Times:
        """Count once for each of the people who can use the card, at most 4 times. The value is their number:
        (4, 7) for seven.
        """
        users = self.count_users(card)
        return min(4, users), users

    def its_skill(self, card: Card) -> Times:
        """Count once for an action in the skill that the character leans to. The value is that skill."""
        return header_of(card).skill.lower() == self.leaning, self.leaning.capitalize()

    # -- checks of roles.toml

    def checked(self) -> Iterator[Said]:
        """Yield the checks that the deck fails, with the values of their sentences."""
        agents = [entry for entry in self.drawn if entry.card.type == "agent"]
        for code, way, least in (
            ("few-at-once", "at-once", AT_ONCE),
            ("few-with-discard", "with-discard", WITH_DISCARD),
        ):
            paid = count_of(entry for entry in agents if self.pays(entry.card, *WAYS_TO_PAY[way]))
            if agents and paid < least:
                yield Said(code, (paid, least))
        cards = count_of(self.drawn)
        total = sum((entry.card.number("bravado") or 0) * entry.count for entry in self.drawn)
        if cards >= ENOUGH and total / cards < BRAVADO:
            yield Said("low-bravado", (f"{total / cards:.1f}", BRAVADO))
        # Actions and gear that too few people can use, though a discard helps.
        used = [entry.card for entry in self.drawn if entry.card.type != "agent"]
        idle = dict.fromkeys(card.name for card in used if self.count_users(card, SURE) < USERS)
        if self.people and idle:
            yield Said("idle", (", ".join(idle),))
