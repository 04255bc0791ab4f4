"""Statistics that only The X-Files has: the Sites that the team reaches, the questions it can then ask, the
activators that cards need, and the Conspiracy Points that cards sell for. ``[[statistics]]`` of ``game.toml``
names the classes; ``reach`` (``rules.py``) says which Sites a team reaches.
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
    and how many of them the team reaches by this skill. ``Behavioral | 9 | 3 | 5 | 3``, ``Medical | 2 | 0 | |
    0``; the foot ``Sites in all ... | | 15 | | 15``.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        if not team.sites:
            return None
        rows = [self._row(team, skill) for skill in SKILLS.values()]
        unstated = count_of(site for site in team.sites if not site.card.words("site_skills"))
        if unstated:
            rows.append(TableRow(NOT_STATED, (NOTHING, unstated, NOTHING, 0)))
        reached = count_of(site for site in team.sites if team.reaches(site.card))
        label = "Sites in all, and within reach by any skill"
        feet = [TableRow(label, (NOTHING, count_of(team.sites), NOTHING, reached))]
        columns = ("Team", "Sites", "Highest need", "Within reach")
        return self.table("Skill", columns, rows, feet, drawn=(0,), note=team.noted(self.help))

    def _row(self, team: "_Team", skill: str) -> TableRow:
        asking = [site for site in team.sites if skill in site.card.words("site_skills")]
        levels = [site.card.number("site_level") for site in asking]
        # Sites that ask for the skill without a known level leave the highest unknown (None).
        usual = None if asking else NOTHING
        highest = max((level for level in levels if level is not None), default=usual)
        reached = count_of(site for site in asking if team.reaches_by(skill, site.card))
        return TableRow(skill, (team.skills.get(skill), count_of(asking), highest, reached))


class Questions(Statistic):
    """A row for each of the four questions: the Sites that ask it and are within reach of the starting team,
    within reach for one answer only, and out of reach. If the team has 4 points for Excelsius Dei (see
    ``reach``), the Site counts for Motive as within reach for one answer, for Method as out of reach.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        if not team.sites:
            return None
        rows = []
        for question in QUESTIONS:
            asking = [site for site in team.sites if question in site.card.words("site_questions")]
            reached = count_of(site for site in asking if team.reaches(site.card))
            partly = count_of(site for site in asking if team.reaches_one_answer(site.card, question))
            cells = (reached, partly, count_of(asking) - reached - partly)
            rows.append(TableRow(question, cells, (("site_questions", question),)))
        unstated = count_of(site for site in team.sites if not site.card.words("site_questions"))
        if unstated:
            rows.append(TableRow(NOT_STATED, (0, 0, unstated)))
        columns = ("Within reach", "For one answer", "Out of reach")
        return self.table("Question", columns, rows, (), "stacked", note=team.noted(self.help))


class Activators(Statistic):
    """A row for each activator: the cards that need it, and the cards of the deck with that keyword."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key["activators"]
        needing = [entry for entry in picked if fact.applies_to(entry.card.type)]
        needed = tally(needing, lambda entry: words_of(entry.card, fact))
        owned = tally(deck.entries, lambda entry: entry.card.words("keywords"))
        unstated = needed.pop(NOT_STATED, None)
        most_needed_first = sorted(needed, key=lambda word: (-needed[word], word))
        rows = [
            TableRow(word, (needed[word], owned[word]), (("activators", word),)) for word in most_needed_first
        ]
        if unstated is not None:
            rows.append(TableRow(NOT_STATED, (unstated, NOTHING)))
        return self.table("Activator", ("Cards that need it", "Own cards with the keyword"), rows, drawn=(0,))


class WorthInConspiracyPoints(Statistic):
    """The number of cards by the Conspiracy Points that they sell for in an opponent's Briefing Phase."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        cards = tally(picked, lambda entry: worth_of(entry.card))  # points, None if unknown -> cards
        known = {points: count for points, count in cards.items() if points is not None}
        rows = [TableRow(str(points), (known[points],)) for points in sorted(known)]
        if None in cards:
            rows.append(TableRow(NOT_STATED, (cards[None],)))
        total = sum(points * count for points, count in known.items())
        return self.table("CP", ("Cards",), rows, (TableRow("Sum in CP", (total,)),))


class _Team:
    """The skills of the starting team, and the Sites of the deck."""

    def __init__(self, deck: Decklist) -> None:
        self.sites: tuple[Entry, ...] = SITES.pick(deck)
        team = TEAM.pick(deck)
        self.has_none = not team
        # An empty team has 0 of every skill. In other teams a skill that no source states is missing.
        self.skills = skills_of(team) if team else dict.fromkeys(SKILLS.values(), 0)

    def noted(self, help: str) -> str:
        """Return the note of a table, which also says so if the deck has no team."""
        return f"{help} {NO_TEAM}" if self.has_none else help

    def reaches_by(self, skill: str, site: Card) -> bool:
        """True if the team reaches the Site completely by this skill alone."""
        return reach(site, {skill: self.skills.get(skill, 0)}) == "whole"

    def reaches(self, site: Card) -> bool:
        """True if the team reaches the Site completely, by any of its skills."""
        return reach(site, self.skills) == "whole"

    def reaches_one_answer(self, site: Card, question: str) -> bool:
        """True if the team reaches the Site for its easier answer only, and that is one to this question:
        ``Motive: Security at 4`` to Motive.
        """
        return site.word("site_special").startswith(question) and reach(site, self.skills) == "one answer"


def worth_of(card: Card) -> Iterator[int | None]:
    """Yield the Conspiracy Points that a card sells for, None if unknown; nothing for a card that cannot be
    sold. A cost that is a formula counts as 0. "*P" is the pool of cards that either points pay.
    """
    if card.type == "agent":
        yield card.number("resources")
    elif card.fact("pool") in ("RP", "*P"):
        yield 0 if card.fact("cost_formula") else card.number("cost")
    elif card.fact("pool") is None:
        yield None
