"""The statistic that only Spycraft has: the skills of a deck's best team compared with those its missions ask
for. ``game.toml`` names it. Tests: ``tests/cardsdb/games/kit/play/test_statistics.py`` has the numbers of a
deck, and ``tests/cardsdb/games/test_games.py`` measures every starter.
"""

from collections.abc import Iterable

from cardsdb.games.kit import Decklist, Entry, GameFolder, count_of
from cardsdb.games.kit.play.statistics import NOTHING, Entries, Statistic, Table, TableRow
from cardsdb.games.spycraft.rules import SKILLS

# Agents on a mission besides the leader (PL-5).
TEAM = 5


class TeamAgainstMissions(Statistic):
    """A row for each skill: the points of the best leader and the five best agents, the missions that ask for
    the skill, and the highest number that one of these asks for: ``Craft | 35 | 3 | 5``. The missions are
    those of the deck and of the Mission Deck played with it (``with_partner``): ``picked``.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        agents, leaders = deck.of_type("agent"), deck.of_type("leader")
        if not picked or not agents:
            return None
        rows, asking_for_skills = [], 0
        for skill in SKILLS:
            title = game.facts_by_key[skill].title
            asking = [entry for entry in picked if entry.card.word("objective_skill").casefold() == skill]
            values = _numbers(asking, "objective_value")
            best_agents = sorted(_numbers(agents, skill), reverse=True)[:TEAM]
            best = sum(best_agents) + max(_numbers(leaders, skill), default=0)
            # Missions that ask for the skill without a known number leave the highest unknown.
            highest = max(values, default=None if asking else NOTHING)
            missions = count_of(asking)
            asking_for_skills += missions
            rows.append(TableRow(title, (best, missions, highest)))
        other = count_of(picked) - asking_for_skills
        if other:
            rows.append(TableRow("Another or none stated", (NOTHING, other, NOTHING)))
        return self.table("Skill", ("Best team", "Missions", "Highest lead asked"), rows, drawn=(0,))


def _numbers(entries: Iterable[Entry], fact: str) -> list[int]:
    """Return the known numbers of a fact, one for each copy."""
    found: list[int] = []
    for entry in entries:
        number = entry.card.number(fact)
        if number is not None:
            found += [number] * entry.count
    return found
