"""Roles of cards in an Agency Deck: which agents the leaders can pay, which gear and actions the people can
use, and the terms by which cards are compared.

``roles.toml`` has the roles, weights and sentences; it names the methods of ``Agency`` as terms. ``complete``
uses it to finish a deck. Tests: ``tests/cardsdb/games/spycraft/test_roles.py``, whole completions in
``tests/cardsdb/games/kit/complete``. ``Times``, which terms return, is (how often the term counts, then the
values of its sentence).
"""

import re
from collections.abc import Iterator, Sequence

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.kit.play.statistics import tally
from cardsdb.games.spycraft.rules import FREELANCER, cost_of, deck_faction, is_of

# Level -> expense that leaders usually have, for leaders that the deck does not have yet. None is the level
# of a leader of which no source states it.
USUAL: dict[int | None, int] = {1: 3, 4: 16}
# Bravado that a discard adds on average.
DISCARD = 3
# Bravado that any discard is sure to add.
SURE = 2
# A faction with decks of its own; its agents hardly suit decks of others.
FRANCHISE = "Franchise"
# In effects.csv: the only levels of leaders that may activate an agent.
_LEVELS = re.compile(r"forbid leader of level other than (.+) to activate self")
# In played decks, the fewest agents that can be paid at once.
AT_ONCE = 4
# In played decks, the fewest agents that can be paid with a discard.
WITH_DISCARD = 10
# In played decks, the least bravado of a card on average.
BRAVADO = 2
# Decks with fewer cards are not checked for that average.
ENOUGH = 30


class Agency(View):
    """An Agency Deck, counted. ``purses``: level -> expense of its leader, the most an agent may cost:
    {1: 3, 2: 6, 3: 8, 4: 16}. ``faction``: the leaders' faction, else the commonest one; None if there is
    none yet.
    """

    watched = ("does", "traits", "solo_op")

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        leaders = deck.of_type("leader")
        self.people, self.drawn = deck.of_type("leader", "agent"), deck.of_type("agent", "action", "gear")
        factions = tally(self.people, lambda entry: entry.card.words("faction"))
        del factions[FREELANCER]
        self.faction = deck_faction(leaders) or next((name for name, _ in factions.most_common(1)), None)
        self.purses = USUAL | {
            entry.card.number("level"): entry.card.number("expense") or 0 for entry in leaders
        }
        self.levels = {entry.card.number("level") for entry in leaders}

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
            # (slug of the role, level of the paying leader, bravado of a discard), cheapest first.
            ways = ("at-once", 1, 0), ("with-discard", 1, DISCARD), ("later", 4, 0)
            payable = (slug for slug, level, more in ways if self.pays(card, level, more))
            return role == next(payable, "")
        phase, _skill, _number = self.action(card)
        return role in ("gear", phase.lower()) and self.able(card, SURE)[0] > 1

    def pays(self, card: Card, level: int, more: int) -> bool:
        """True if the leader of this level, which is in ``purses``, can activate the agent with ``more``
        bravado. False if the cost is unknown.
        """
        cost, levels = cost_of(card, self.faction), _LEVELS.search(card.text)
        barred = f"forbid {self.faction} leader to activate self" in card.text
        barred |= levels is not None and str(level) not in levels[1]
        return not barred and cost is not None and cost <= self.purses[level] + more

    def loyal(self, card: Card) -> Times:
        """Return 0 for an agent of the deck's faction, -1 for a Freelancer, -10 for another faction, -20 for
        a Franchise agent.
        """
        known: dict[object, int] = {FRANCHISE: -20, FREELANCER: -1, self.faction: 0}
        return (known.get(card.fact("faction"), -10),)

    def action(self, card: Card) -> tuple[str, str, int]:
        """Return (phase, skill, number) of the first header on the card; the number is 0 for X or none.
        "Intel Craft 6" -> ("Intel", "craft", 6)
        """
        # A header may be a phase alone, so blanks fill it up.
        phase, skill, number = [*card.word("action_headers").split(), "", "", ""][:3]
        return phase, skill.lower(), int(number) if number.isdecimal() else 0

    def able(self, card: Card, more: int = 0) -> Times:
        """Return (at most 4, number of the deck's people who may use the card and can do so with ``more``
        bravado): who reach its number in its skill, or whose expense is at least that of gear.
        """
        needed, wanted = "expense", card.number("expense") or 0
        if card.type == "action":
            _phase, needed, wanted = self.action(card)
        kinds = card.words("restricted_to")
        users = [entry for entry in self.people if not kinds or is_of(entry.card, kinds)]
        able = count_of(entry for entry in users if (entry.card.number(needed) or 0) + more >= wanted)
        return min(4, able), able

    def its_skill(self, card: Card) -> Times:
        """Return True for an action in the skill that the character leans to; and that skill."""
        return self.action(card)[1] == self.leaning, self.leaning.capitalize()

    # -- checks

    def checked(self) -> Iterator[Said]:
        """Yield the checks of ``roles.toml`` that the deck fails, with the values of their sentences."""
        agents = [entry for entry in self.drawn if entry.card.type == "agent"]
        for code, more, least in ("few-at-once", 0, AT_ONCE), ("few-with-discard", DISCARD, WITH_DISCARD):
            paid = count_of(entry for entry in agents if self.pays(entry.card, 1, more))
            if agents and paid < least:
                yield Said(code, (paid, least))
        cards = count_of(self.drawn)
        total = sum((entry.card.number("bravado") or 0) * entry.count for entry in self.drawn)
        bravado = total / max(1, cards)
        if cards >= ENOUGH and bravado < BRAVADO:
            yield Said("low-bravado", (f"{bravado:.1f}", BRAVADO))
        if not self.people:
            return
        # Actions and gear that fewer than two people can use, though a discard helps.
        used = [entry.card for entry in self.drawn if entry.card.type != "agent"]
        idle = dict.fromkeys(card.name for card in used if self.able(card, SURE)[0] < 2)
        if idle:
            yield Said("idle", (", ".join(idle),))
