"""The roles of the cards of an Agency Deck: who can be paid, what can be carried and done, and what speaks
for each. ``roles.toml`` has the numbers, the weights and the sentences.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from cardsdb.games.kit import Card, Decklist, count_of
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.spycraft.rules import FREELANCER, cost_of, deck_faction, is_of

# What leaders of level 1 and 4 usually pay, for those that a deck lacks yet.
USUAL: dict[int | None, int] = {1: 3, 4: 16}
# A discard brings so much for an agent; for gear and actions so much is sure.
DISCARD, SURE = 3, 2
# It has decks of its own.
FRANCHISE = "Franchise"
# The levels of leaders who alone may activate an agent.
_LEVELS = re.compile(r"forbid leader of level other than (.+) to activate self")
AT_ONCE, WITH_DISCARD, BRAVADO, ENOUGH = 4, 10, 2, 30


class Agency(View):
    """A deck counted: what its leaders pay, and what its people carry and do."""

    watched = ("does", "traits", "solo_op")

    def __init__(self, cards: Sequence[Card], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        leaders = deck.of_type("leader")
        self.people, self.drawn = deck.of_type("leader", "agent"), deck.of_type("agent", "action", "gear")
        factions = Counter[str]()
        for entry in self.people:
            factions[str(entry.card.fact("faction"))] += entry.count
        del factions[FREELANCER]
        self.faction = deck_faction(leaders) or next((name for name, _ in factions.most_common(1)), None)
        self.purses = USUAL | {one.card.number("level"): one.card.number("expense") or 0 for one in leaders}
        self.levels = {one.card.number("level") for one in leaders}

    def suits(self, leaning: str) -> float:
        """The points of the deck's people in this skill. On average all people have about three in each
        skill.
        """
        return sum((entry.card.number(leaning) or 0) * entry.count for entry in self.people)

    def takes(self, role: str, card: Card) -> bool:
        """A leader is of a level that is open and of the deck's faction; an agent is paid by the first
        leader, with a discard, or by the last; gear and actions are for two people or more, the second best
        with a discard.
        """
        if role == "leader":
            return card.number("level") not in self.levels and self.faction in (None, card.fact("faction"))
        if card.type == "agent":
            paid = ("at-once", 1, 0), ("with-discard", 1, DISCARD), ("later", 4, 0)
            return role == next((slug for slug, *by in paid if self.pays(card, *by)), "")
        return role in ("gear", self.action(card)[0].lower()) and self.able(card, SURE)[0] > 1

    def pays(self, card: Card, level: int, more: int) -> bool:
        """True if the leader of this level, with so much more, can activate the agent; not if its cost is not
        known.
        """
        cost, levels = cost_of(card, self.faction), _LEVELS.search(card.text)
        barred = f"forbid {self.faction} leader to activate self" in card.text
        barred |= levels is not None and str(level) not in levels[1]
        return not barred and cost is not None and cost <= self.purses[level] + more

    def loyal(self, card: Card) -> Times:
        """Once against a Freelancer, ten times against another faction, and more against one with its own
        decks.
        """
        own = card.fact("faction")
        return (0 if own == self.faction else -1 if own == FREELANCER else -20 if own == FRANCHISE else -10,)

    def action(self, card: Card) -> tuple[str, str, int]:
        """Phase, skill and number of the first action on the card; of a number X, and without one, 0."""
        phase, skill, number = [*" ".join(card.words("action_headers")[:1]).split(), "", "", ""][:3]
        return phase, skill.lower(), int(number) if number.isdecimal() else 0

    def able(self, card: Card, more: int = 0) -> Times:
        """The people who may use the card and pay for it or do it, with so much more; four times at most."""
        _, key, number = (
            self.action(card) if card.type == "action" else ("", "expense", card.number("expense") or 0)
        )
        kinds = card.words("restricted_to")
        users = [one for one in self.people if not kinds or is_of(one.card, kinds)]
        able = count_of(one for one in users if (one.card.number(key) or 0) + more >= number)
        return min(4, able), able

    def its_skill(self, card: Card) -> Times:
        return self.action(card)[1] == self.leaning, self.leaning.capitalize()

    # -- checks

    def checked(self) -> Iterator[Said]:
        agents = [one for one in self.drawn if one.card.type == "agent"]
        for code, more, few in ("few-at-once", 0, AT_ONCE), ("few-with-discard", DISCARD, WITH_DISCARD):
            paid = count_of(one for one in agents if self.pays(one.card, 1, more))
            if agents and paid < few:
                yield Said(code, (paid, few))
        cards = count_of(self.drawn)
        bravado = sum((one.card.number("bravado") or 0) * one.count for one in self.drawn) / max(1, cards)
        if cards >= ENOUGH and bravado < BRAVADO:
            yield Said("low-bravado", (f"{bravado:.1f}", BRAVADO))
        used = [one.card for one in self.drawn if one.card.type != "agent"]
        if self.people and (
            idle := dict.fromkeys(card.name for card in used if self.able(card, SURE)[0] < 2)
        ):
            yield Said("idle", (", ".join(idle),))
