"""The roles of the cards of an Agency Deck: who can be paid, what can be carried and done, and what speaks for each.
``roles.toml`` has the numbers, the weights and the sentences.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from cardsdb.games.kit import Card, Decklist
from cardsdb.games.kit.play.roles import Said, Times, View
from cardsdb.games.spycraft.rules import FREELANCER, SKILLS, cost_of, deck_faction, is_of

# What leaders of each level usually pay, for those that a deck lacks yet.
USUAL = {1: 3, 2: 6, 3: 9, 4: 16}
# A discard brings so much for an agent; for gear and actions so much is sure.
DISCARD, SURE = 3, 2
# Never put in: two cards have the first name; the second has decks of its own.
SHARED_NAME, FRANCHISE = "Tracer", "Franchise"
AT_ONCE, WITH_DISCARD, BRAVADO, ENOUGH = 4, 10, 2, 30


class Agency(View):
    """A deck counted: what its leaders pay, and what its people carry and do."""

    watched = ("does", "traits", "solo_op")

    def __init__(self, cards: Mapping[str, Sequence[Card]], deck: Decklist, leaning: str) -> None:
        super().__init__(cards, deck, leaning)
        every = [entry.card for entry in deck for _ in range(entry.count)]
        leaders = deck.of_type("leader")
        self.people = [card for card in every if card.type in ("leader", "agent")]
        self.drawn = [card for card in every if card.type in ("agent", "action", "gear")]
        factions = Counter(str(card.fact("faction")) for card in self.people)
        del factions[FREELANCER]
        self.faction = deck_faction(leaders) or next((name for name, _ in factions.most_common(1)), None)
        self.purses = {entry.card.number("level"): entry.card.number("expense") or 0 for entry in leaders}
        self.first, self.last = (self.purses.get(level, USUAL[level]) for level in (1, 4))
        self.bearers = sorted(self.expense(card) for card in self.people)

    def expense(self, card: Card) -> int:
        return card.number("expense") or 0

    def suits(self, leaning: str) -> float:
        """The points by which the deck's people are above the usual in this skill."""
        usual = [*self.cards["leader"], *self.cards["agent"]]
        mean, others = (
            fmean([card.number(leaning) or 0 for card in each] or [0]) for each in (self.people, usual)
        )
        return mean - others if self.people else 0

    def users(self, card: Card) -> list[Card]:
        """The people who may use the card."""
        kinds = card.words("restricted_to")
        return [one for one in self.people if is_of(one, kinds)] if kinds else self.people

    # -- people

    def leads(self, card: Card) -> bool:
        """A leader of the lowest level that is open, of the deck's faction."""
        level = min(USUAL.keys() - self.purses.keys(), default=None)
        fits = card.fact("faction") == self.faction if self.faction else card.fact("faction") != FRANCHISE
        return fits and card.number("level") == level

    def cost(self, card: Card) -> int:
        """The agent's cost to activate; too much if it is not known."""
        cost = cost_of(card, self.faction)
        return self.last + 1 if cost is None else cost

    def at_once(self, card: Card) -> bool:
        return self.cost(card) <= self.first

    def with_discard(self, card: Card) -> bool:
        return self.first < self.cost(card) <= self.first + DISCARD

    def later(self, card: Card) -> bool:
        return self.first + DISCARD < self.cost(card) <= self.last

    def skills(self, card: Card) -> Times:
        """All skills, for an agent by what it costs."""
        numbers = {skill: card.number(skill) or 0 for skill in SKILLS}
        best = max(numbers, key=lambda skill: numbers[skill])
        return sum(numbers.values()) * self._share(card), best.capitalize(), numbers[best]

    def leans(self, card: Card) -> Times:
        number = card.number(self.leaning) or 0
        return number * self._share(card), self.leaning.capitalize(), number

    def _share(self, card: Card) -> float:
        return 1 if card.type == "leader" else 8 / (self.expense(card) + 4)

    def loyal(self, card: Card) -> Times:
        """Once against a Freelancer, ten times against an agent of another faction."""
        return (
            0 if card.fact("faction") == self.faction else -1 if card.fact("faction") == FREELANCER else -10,
        )

    # -- what people carry and do

    def borne(self, card: Card) -> bool:
        """Gear that the bearer of the fifth best purse pays with a discard, and that two may use."""
        purse = next(iter(self.bearers[-5:]), 0)
        return self.expense(card) <= purse + SURE and len(self.users(card)) > 1

    def bearers_alone(self, card: Card) -> Times:
        alone = sum(self.expense(one) >= self.expense(card) for one in self.users(card))
        return min(6, alone), alone

    def bonus(self, card: Card) -> Times:
        number = card.number(f"{self.leaning}_bonus") or 0
        return number, number, self.leaning.capitalize()

    def action(self, card: Card) -> tuple[str, str, int]:
        """Phase, skill and number of the first action on the card; of a number X, and without one, 0."""
        phase, skill, number = [*" ".join(card.words("action_headers")[:1]).split(), "", "", ""][:3]
        return phase, skill.lower(), int(number) if number.isdecimal() else 0

    def intel(self, card: Card) -> bool:
        return self.done(card, "Intel")

    def mission(self, card: Card) -> bool:
        return self.done(card, "Mission")

    def answers(self, card: Card) -> bool:
        return self.done(card, "React")

    def done(self, card: Card, phase: str) -> bool:
        """True if the action is of this phase, and two may do it, the second best with a discard."""
        when, skill, number = self.action(card)
        able = (
            sum((one.number(skill) or -SURE) + SURE >= number for one in self.users(card))
            if when == phase
            else 0
        )
        return able > 1 and card.name != SHARED_NAME

    def able(self, card: Card) -> Times:
        _, skill, number = self.action(card)
        able = sum((one.number(skill) or 0) >= max(1, number) for one in self.users(card))
        return min(4, able), able

    def its_skill(self, card: Card) -> Times:
        return self.action(card)[1] == self.leaning, self.leaning.capitalize()

    # -- checks

    def checked(self) -> Iterator[Said]:
        agents = [self.cost(card) for card in self.drawn if card.type == "agent"]
        for code, purse, few in ("few-at-once", 0, AT_ONCE), ("few-with-discard", DISCARD, WITH_DISCARD):
            paid = sum(cost <= self.first + purse for cost in agents)
            if agents and paid < few:
                yield Said(code, (paid, few))
        bravado = fmean([card.number("bravado") or 0 for card in self.drawn] or [0])
        if len(self.drawn) >= ENOUGH and bravado < BRAVADO:
            yield Said("low-bravado", (f"{bravado:.1f}", BRAVADO))
        gear = [card for card in self.drawn if card.type == "gear" and not self.borne(card)]
        actions = [
            card for card in self.drawn if card.type == "action" and not self.done(card, self.action(card)[0])
        ]
        if self.people and (idle := dict.fromkeys(card.name for card in [*gear, *actions])):
            yield Said("idle", (", ".join(idle),))
