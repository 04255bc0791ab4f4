"""The statistics of an X-Files deck: which Sites the team can solve, and what it can then ask."""

from collections.abc import Iterator

from cardsdb.games.kit import Card, Decklist, Entry, GameFolder, Group, count_of
from cardsdb.games.kit.play.statistics import (
    NOT_STATED,
    NOTHING,
    Cell,
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
    """For every skill how much the starting team has, how many Sites can be solved by it, and how many are
    within reach.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        rows = []
        for name in SKILLS.values():
            asking = [site for site in team.sites if name in site.card.words("site_skills")]
            levels = [level for site in asking if (level := site.card.number("site_level")) is not None]
            within = sum(site.count for site in asking if team.by_skill(site.card, name))
            rows.append(
                TableRow(
                    name,
                    (
                        team.skills.get(name),
                        count_of(asking),
                        max(levels, default=None if asking else NOTHING),
                        within,
                    ),
                )
            )
        unstated = [site for site in team.sites if not site.card.words("site_skills")]
        if unstated:
            rows.append(TableRow(NOT_STATED, (NOTHING, count_of(unstated), NOTHING, 0)))
        anyhow = sum(site.count for site in team.sites if team.whole(site.card))
        feet = [
            TableRow(
                "Sites in all, and within reach by any skill",
                (NOTHING, count_of(team.sites), NOTHING, anyhow),
            )
        ]
        columns, note = ("Team", "Sites", "Highest need", "Within reach"), team.noted(self.help)
        return self.table("Skill", columns, rows, feet, drawn=(0,), note=note) if team.sites else None


class Questions(Statistic):
    """The four characteristics that can be asked about, by how many Sites that the starting team
    reaches.
    """

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        team = _Team(deck)
        rows = []
        for kind in QUESTIONS:
            asking = [site for site in team.sites if kind in site.card.words("site_questions")]
            within = sum(site.count for site in asking if team.whole(site.card))
            partly = sum(
                site.count
                for site in asking
                if not team.whole(site.card) and team.for_one_answer(site.card, kind)
            )
            cells = (within, partly, count_of(asking) - within - partly)
            rows.append(TableRow(kind, cells, (("site_questions", kind),)))
        unstated = sum(site.count for site in team.sites if not site.card.words("site_questions"))
        if unstated:
            rows.append(TableRow(NOT_STATED, (0, 0, unstated)))
        columns, note = ("Within reach", "For one answer", "Out of reach"), team.noted(self.help)
        return self.table("Question", columns, rows, (), "stacked", note=note) if team.sites else None


class Activators(Statistic):
    """The activators that cards need, beside how many cards of the deck are one."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key["activators"]
        needed = tally(
            [e for e in picked if fact.applies_to(e.card.type)], lambda entry: words_of(entry.card, fact)
        )
        words = tally(deck.entries, lambda entry: entry.card.words("keywords"))
        ordered = sorted(needed.keys() - {NOT_STATED}, key=lambda word: (-needed[word], word))
        rows = [
            TableRow(word, (needed[word], words.get(word, 0)), (("activators", word),)) for word in ordered
        ]
        rows += [TableRow(NOT_STATED, (needed[NOT_STATED], NOTHING))] if NOT_STATED in needed else []
        return self.table("Activator", ("Cards that need it", "Own cards with the keyword"), rows, drawn=(0,))


class WorthInConspiracyPoints(Statistic):
    """The Conspiracy Points that cards bring when they are discarded in an opponent's Briefing Phase."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        worth: dict[int | None, int] = {}
        for entry in picked:
            for points in worth_of(entry.card):
                worth[points] = worth.get(points, 0) + entry.count
        rows = [
            TableRow(str(points), (worth[points],))
            for points in sorted(points for points in worth if points is not None)
        ]
        rows += [TableRow(NOT_STATED, (worth[None],))] if None in worth else []
        total: Cell = sum(points * count for points, count in worth.items() if points)
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
        """The note on a table; for a deck without a team it says that there is none."""
        return f"{help} {NO_TEAM}" if self.has_none else help

    def by_skill(self, site: Card, skill: str) -> bool:
        return reach(site, {skill: self.skills.get(skill, 0)}) == "whole"

    def whole(self, site: Card) -> bool:
        return reach(site, self.skills) == "whole"

    def for_one_answer(self, site: Card, kind: str) -> bool:
        """True if the team has enough for the one answer that is easier, and that it is of this kind."""
        return str(site.fact("site_special")).startswith(kind) and reach(site, self.skills) == "one answer"


def worth_of(card: Card) -> Iterator[int | None]:
    """The Conspiracy Points of a card that can be sold; nothing for one that cannot."""
    if card.type == "agent":
        yield card.number("resources")
    elif card.fact("pool") in ("RP", "*P"):
        yield 0 if card.fact("cost_formula") else card.number("cost")
    elif card.fact("pool") is None:
        yield None
