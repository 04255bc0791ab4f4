"""Statistics that only The X-Files has: the Sites that the team reaches, the questions it can then ask, the
activators that cards need, and the Conspiracy Points that cards sell for.
Tests: ``tests/cardsdb/games/xfiles/test_statistics.py``.
"""

from collections.abc import Iterator

from cardsdb.games.kit import Card, Decklist, Entry, GameFolder, Group, count_of
from cardsdb.games.kit.play.statistics import (
    NOT_STATED,
    NOTHING,
    Entries,
    Statistic,
    Table,
    TableRow,
    tally,
    words_of,
)
from cardsdb.games.xfiles.rules import QUESTIONS, SKILLS, TEAM, reach, skills_of

SITES = Group("Sites", ("bureau",), ("site",))

NO_TEAM = "The deck has no starting Agent yet."


class TeamAndSites(Statistic):
    """A row for each skill: the starting team's sum, the Sites that ask for the skill, their highest level,
    and how many of them the team reaches by this skill.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        rows = []
        for name in SKILLS.values():
            asking = [site for site in team.sites if name in site.card.words("site_skills")]
            levels = [level for site in asking if (level := site.card.number("site_level")) is not None]
            within = count_of(site for site in asking if team.by_skill(site.card, name))
            # Sites that ask for the skill without a known level leave the highest unknown.
            highest = max(levels, default=None if asking else NOTHING)
            rows.append(TableRow(name, (team.skills.get(name), count_of(asking), highest, within)))
        unstated = [site for site in team.sites if not site.card.words("site_skills")]
        if unstated:
            rows.append(TableRow(NOT_STATED, (NOTHING, count_of(unstated), NOTHING, 0)))
        within = count_of(site for site in team.sites if team.whole(site.card))
        label = "Sites in all, and within reach by any skill"
        feet = [TableRow(label, (NOTHING, count_of(team.sites), NOTHING, within))]
        columns, note = ("Team", "Sites", "Highest need", "Within reach"), team.noted(self.help)
        return self.table("Skill", columns, rows, feet, drawn=(0,), note=note) if team.sites else None


class Questions(Statistic):
    """A row for each of the four questions: the Sites that ask it and are within reach of the starting team,
    within reach for one answer only, and out of reach.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        rows = []
        for kind in QUESTIONS:
            asking = [site for site in team.sites if kind in site.card.words("site_questions")]
            within = count_of(site for site in asking if team.whole(site.card))
            partly = count_of(site for site in asking if team.for_one_answer(site.card, kind))
            cells = (within, partly, count_of(asking) - within - partly)
            rows.append(TableRow(kind, cells, (("site_questions", kind),)))
        unstated = count_of(site for site in team.sites if not site.card.words("site_questions"))
        if unstated:
            rows.append(TableRow(NOT_STATED, (0, 0, unstated)))
        columns, note = ("Within reach", "For one answer", "Out of reach"), team.noted(self.help)
        return self.table("Question", columns, rows, (), "stacked", note=note) if team.sites else None


class Activators(Statistic):
    """A row for each activator: the cards that need it, and the cards of the deck with that keyword."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key["activators"]
        needing = [entry for entry in picked if fact.applies_to(entry.card.type)]
        needed = tally(needing, lambda entry: words_of(entry.card, fact))
        words = tally(deck.entries, lambda entry: entry.card.words("keywords"))
        ordered = sorted(needed.keys() - {NOT_STATED}, key=lambda word: (-needed[word], word))
        rows = [
            TableRow(word, (needed[word], words.get(word, 0)), (("activators", word),)) for word in ordered
        ]
        rows += [TableRow(NOT_STATED, (needed[NOT_STATED], NOTHING))] if NOT_STATED in needed else []
        return self.table("Activator", ("Cards that need it", "Own cards with the keyword"), rows, drawn=(0,))


class WorthInConspiracyPoints(Statistic):
    """The number of cards by the Conspiracy Points that they sell for in an opponent's Briefing Phase."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        worth = tally(picked, lambda entry: worth_of(entry.card))
        rows = [
            TableRow(str(points), (worth[points],))
            for points in sorted(points for points in worth if points is not None)
        ]
        rows += [TableRow(NOT_STATED, (worth[None],))] if None in worth else []
        total = sum(points * count for points, count in worth.items() if points)
        return self.table("CP", ("Cards",), rows, (TableRow("Sum in CP", (total,)),))


class _Team:
    """The skills of the starting team, and the Sites of the deck."""

    def __init__(self, deck: Decklist) -> None:
        self.sites: tuple[Entry, ...] = SITES.pick(deck)
        team = TEAM.pick(deck)
        self.has_none = not team
        # An empty team has 0 of every skill.
        self.skills = skills_of(team) if team else dict.fromkeys(SKILLS.values(), 0)

    def noted(self, help: str) -> str:
        """Return the note of a table, which also says so if the deck has no team."""
        return f"{help} {NO_TEAM}" if self.has_none else help

    def by_skill(self, site: Card, skill: str) -> bool:
        return reach(site, {skill: self.skills.get(skill, 0)}) == "whole"

    def whole(self, site: Card) -> bool:
        return reach(site, self.skills) == "whole"

    def for_one_answer(self, site: Card, kind: str) -> bool:
        """True if the team reaches the Site for its easier answer only, and that answers this question."""
        return str(site.fact("site_special")).startswith(kind) and reach(site, self.skills) == "one answer"


def worth_of(card: Card) -> Iterator[int | None]:
    """Yield the Conspiracy Points that a card sells for, None if unknown; nothing for a card that cannot be
    sold. A cost that is a formula counts as 0.
    """
    if card.type == "agent":
        yield card.number("resources")
    elif card.fact("pool") in ("RP", "*P"):
        yield 0 if card.fact("cost_formula") else card.number("cost")
    elif card.fact("pool") is None:
        yield None
