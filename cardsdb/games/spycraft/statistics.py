"""The statistics of a Spycraft deck: what its team can do, and what its missions ask for."""

from collections.abc import Iterable

from cardsdb.games.kit import Decklist, Entry, GameFolder, count_of
from cardsdb.games.kit.play.statistics import NOTHING, Entries, Statistic, Table, TableRow
from cardsdb.games.spycraft.rules import SKILLS

TEAM = 5  # agents on a mission, beside the leader (PL-5)


class TeamAgainstMissions(Statistic):
    """For every skill how much the deck's best team has of it, and how much the missions ask for."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        agents, leaders = deck.of_type("agent"), deck.of_type("leader")
        if not picked or not agents:
            return None
        rows = []
        for skill in SKILLS:
            title = game.facts_by_key[skill].title
            asking = [
                entry for entry in picked if str(entry.card.fact("objective_skill") or "").casefold() == skill
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
        other = count_of(picked) - sum(int(str(row.cells[1])) for row in rows)
        if other:
            rows.append(TableRow("Another or none stated", (NOTHING, other, NOTHING)))
        return self.table("Skill", ("Best team", "Missions", "Highest lead asked"), rows, drawn=(0,))


def _each(entries: Iterable[Entry], skill: str) -> list[int]:
    return [
        number
        for entry in entries
        if (number := entry.card.number(skill)) is not None
        for _ in range(entry.count)
    ]
