"""The statistics of a Spycraft deck: what its leaders can pay for, what its team can do, what its missions
ask for.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Entry, GameFolder, Group, count_of
from cardsdb.games.kit.play.statistics import NOT_STATED, NOTHING, Statistic, Table, TableRow
from cardsdb.games.spycraft.rules import FREELANCER, SKILLS, cost_of, deck_faction

TEAM = 5  # agents on a mission, beside the leader (PL-5)

LEADERS = Group("leaders", types=("leader",))
AGENTS = Group("agents", types=("agent",))
DRAWN = Group("agents, actions and gear", types=("agent", "action", "gear"))


@dataclass(frozen=True)
class LeadersLadder(Statistic):
    """How many agents each leader can activate: alone, with the best discard, or not even then. Loyalty
    doubles the cost of some.
    """

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        leaders = deck.of_type("leader")
        faction = deck_faction(leaders)
        costs = [(entry.count, cost_of(entry.card, faction)) for entry in AGENTS.pick(deck)]
        discards = [
            bravado for entry in DRAWN.pick(deck) if (bravado := entry.card.number("bravado")) is not None
        ]
        best = max(discards, default=0)
        if not leaders or not costs:
            return None
        unknown = sum(count for count, cost in costs if cost is None)
        rows = []
        for entry in sorted(
            leaders, key=lambda entry: (entry.card.number("level") is None, entry.card.number("level") or 0)
        ):
            purse, level = entry.card.number("expense"), entry.card.number("level")
            label = f"{entry.card.name}, level {level}" if level is not None else entry.card.name
            if purse is None:
                rows.append(TableRow(label, (None, None, None, None, sum(count for count, _ in costs))))
                continue
            known = [(count, cost) for count, cost in costs if cost is not None]
            alone = sum(count for count, cost in known if cost <= purse)
            helped = sum(count for count, cost in known if purse < cost <= purse + best)
            rows.append(
                TableRow(
                    label, (purse, alone, helped, sum(count for count, _ in known) - alone - helped, unknown)
                )
            )
        note = (
            f"{self.help} The best discard in this deck has a bravado of {best}." if discards else self.help
        )
        return self.table(
            "Leader",
            ("Pays", "Alone", "With a discard", "Beyond both", "Not stated"),
            rows,
            (),
            "stacked",
            note=note,
            drawn=(1, 2),
        )


@dataclass(frozen=True)
class Loyalty(Statistic):
    """The agents by faction, with what loyalty does to their cost."""

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        faction = deck_faction(deck.of_type("leader"))
        groups: dict[str, list[Entry]] = {}
        for entry in AGENTS.pick(deck):
            groups.setdefault(str(entry.card.fact("faction") or NOT_STATED), []).append(entry)
        rows = []
        for word in sorted(groups, key=lambda word: (word == NOT_STATED, -count_of(groups[word]), word)):
            asks = () if word == NOT_STATED else (("type", "agent"), ("faction", word))
            rows.append(TableRow(word, (count_of(groups[word]), _loyalty(word, faction)), asks))
        return self.table("Faction", ("Agents", "Cost"), rows, drawn=(0,))


@dataclass(frozen=True)
class TeamAgainstMissions(Statistic):
    """For every skill how much the deck's best team has of it, and how much the missions ask for."""

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        missions = self.picked(deck, partner)
        agents, leaders = AGENTS.pick(deck), LEADERS.pick(deck)
        if not missions or not agents:
            return None
        rows = []
        for skill in SKILLS:
            title = game.facts_by_key[skill].title
            asking = [
                entry
                for entry in missions
                if str(entry.card.fact("objective_skill") or "").casefold() == skill
            ]
            values = [
                value for entry in asking if (value := entry.card.number("objective_value")) is not None
            ]
            best = sum(sorted(_each(agents, skill), reverse=True)[:TEAM]) + max(
                _each(leaders, skill), default=0
            )
            rows.append(
                TableRow(title, (best, count_of(asking), max(values, default=None if asking else NOTHING)))
            )
        other = count_of(missions) - sum(int(str(row.cells[1])) for row in rows)
        if other:
            rows.append(TableRow("Another or none stated", (NOTHING, other, NOTHING)))
        return self.table("Skill", ("Best team", "Missions", "Highest lead asked"), rows, drawn=(0,))


def _loyalty(word: str, faction: str | None) -> str:
    if word == FREELANCER:
        return "as printed"
    if word == NOT_STATED or faction is None:
        return NOT_STATED
    return "as printed" if word == faction else "double"


def _each(entries: Iterable[Entry], skill: str) -> list[int]:
    return [
        number
        for entry in entries
        if (number := entry.card.number(skill)) is not None
        for _ in range(entry.count)
    ]
