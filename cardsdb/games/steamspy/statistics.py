"""The statistics of a Steam Spy list: the cell's ranks, and what the two decks hold."""

from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, GameFolder, Group, count_of
from cardsdb.games.kit.play.statistics import Entries, Statistic, Table, TableRow
from cardsdb.games.steamspy.characters import (
    BONUS,
    ENCOUNTER_TYPES,
    OF_A_TYPE,
    RANKS,
    START,
    TRAITS,
    Kind,
    Rank,
    Sheet,
    key_of,
    sheet_of,
)

CELL = Group("characters", types=("character",))


@dataclass(frozen=True)
class CellRanks(Statistic):
    """The sum of the cell's ranks of one kind: those that every sheet starts with, that allegiances add, that
    were bought.

    Characters whose sheet does not add up, or whose allegiance no source knows, stand in a column of their
    own.
    """

    kind: Kind = "trait"

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        cell = CELL.pick(deck)
        rows = []
        for label, ranks in self._lines():
            start = bonus = bought = unsorted = best = 0
            for entry in cell:
                sheet = sheet_of(entry.card)
                added = _bonus(sheet, ranks) if sheet.accounts else None
                shown = [_rank(entry.card, sheet, rank) for rank in ranks]
                best = max(best, *shown)
                if added is None:
                    unsorted += entry.count * sum(shown)
                    continue
                start += entry.count * START * len(ranks)
                bonus += entry.count * added
                # By the reading "one" an unwritten rank may be the one that has the bonus; it is not lost,
                # and was not bought.
                bought += entry.count * max(sum(shown) - START * len(ranks) - added, 0)
            rows.append(TableRow(label, (start, bonus, bought, unsorted, best)))
        head = "Trait" if self.kind == "trait" else "Encounter"
        columns: tuple[str, ...] = ("At the start", "Allegiance adds", "Bought", "Not told apart", "Best")
        if not any(row.cells[3] for row in rows):
            columns = (*columns[:3], *columns[4:])
            rows = [TableRow(row.label, (*row.cells[:3], *row.cells[4:])) for row in rows]
        return (
            self.table(head, columns, rows, (), "stacked", drawn=tuple(range(len(columns) - 1)))
            if cell
            else None
        )

    def _lines(self) -> list[tuple[str, list[Rank]]]:
        if self.kind == "trait":
            return [(name, [RANKS[key_of(name)]]) for name in TRAITS]
        return [
            (encounter, [r for r in RANKS.values() if (r.kind, r.encounter_type) == (self.kind, encounter)])
            for encounter in ENCOUNTER_TYPES
        ]


def _bonus(sheet: Sheet, ranks: list[Rank]) -> int:
    """The sum that the character's corporation or organisation adds to these ranks, as the sheet's account
    reads the bonus.
    """
    first = ranks[0]
    if first.kind == "trait":
        return sheet.corporation.traits.get(first.key, 0) if sheet.corporation else 0
    account = (sheet.affordable or sheet.accounts)[0]
    if first.kind == "skill":
        mine, reading = sheet.corporation.skills if sheet.corporation else "", account.skills
    else:
        mine, reading = sheet.organisation.actions if sheet.organisation else "", account.actions
    if first.encounter_type != mine:
        return 0
    return BONUS * OF_A_TYPE if reading == "each" else BONUS


def _rank(card: Card, sheet: Sheet, rank: Rank) -> int:
    """The rank as written; one that is not written is at its start, the bonus included where every rank of
    the type has it.
    """
    if (written := card.number(rank.key)) is not None:
        return written
    return START + (
        _bonus(sheet, [rank]) // (1 if rank.kind == "trait" else OF_A_TYPE) if sheet.accounts else 0
    )


def opening_hand(deck: Decklist) -> int:
    """Five cards, and one for every character with the download ability (SS-30)."""
    return 5 + count_of(entry for entry in CELL.pick(deck) if entry.card.fact("download") is True)
