"""The statistic that only Steam Spy has, the ranks of the cell; and the size of its opening hand.

Tests: ``tests/cardsdb/games/steamspy/test_statistics.py``.
"""

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

# Cards of the opening hand without downloads (SS-30).
HAND = 5
CELL = Group("characters", types=("character",))


@dataclass(frozen=True)
class CellRanks(Statistic):
    """The sums of the cell's ranks of one ``kind``, by their origin: ranks at the start, ranks that
    allegiances add, ranks that were bought; and the best rank.

    Ranks of characters whose sheet does not add up, or whose allegiance no source knows, have a column of
    their own ("Not told apart").
    """

    kind: Kind = "trait"

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        cell = CELL.pick(deck)
        rows = []
        for label, ranks in self._lines():
            start = bonus = bought = unknown = best = 0  # the cells of the row
            for entry in cell:
                sheet = sheet_of(entry.card)
                added = _bonus(sheet, ranks) if sheet.accounts else None
                shown = [_rank(entry.card, sheet, rank) for rank in ranks]
                best = max(best, *shown)
                if added is None:
                    unknown += entry.count * sum(shown)
                    continue
                start += entry.count * START * len(ranks)
                bonus += entry.count * added
                # By the reading "one" the bonus may be on a rank that is not stated, so that this difference
                # would be below 0.
                bought += entry.count * max(sum(shown) - START * len(ranks) - added, 0)
            rows.append(TableRow(label, (start, bonus, bought, unknown, best)))
        head = "Trait" if self.kind == "trait" else "Encounter"
        columns: tuple[str, ...] = ("At the start", "Allegiance adds", "Bought", "Not told apart", "Best")
        place = columns.index("Not told apart")
        if not any(row.cells[place] for row in rows):
            # Nothing is unknown, so that column is left out.
            columns = (*columns[:place], *columns[place + 1 :])
            rows = [TableRow(row.label, (*row.cells[:place], *row.cells[place + 1 :])) for row in rows]
        # All columns but the best rank are drawn.
        drawn = tuple(range(len(columns) - 1))
        return self.table(head, columns, rows, (), "stacked", drawn=drawn) if cell else None

    def _lines(self) -> list[tuple[str, list[Rank]]]:
        """Return (label, ranks) of each row: a trait, or all ranks of the kind of one encounter type."""
        if self.kind == "trait":
            return [(name, [RANKS[key_of(name)]]) for name in TRAITS]
        of_kind = [rank for rank in RANKS.values() if rank.kind == self.kind]
        return [
            (encounter, [rank for rank in of_kind if rank.encounter_type == encounter])
            for encounter in ENCOUNTER_TYPES
        ]


def _bonus(sheet: Sheet, ranks: list[Rank]) -> int:
    """Return the sum that the character's corporation or organisation adds to these ranks, which are of one
    kind and type, by the reading of the sheet's account.
    """
    first = ranks[0]
    if first.kind == "trait":
        return sheet.corporation.traits.get(first.key, 0) if sheet.corporation else 0
    account = (sheet.affordable or sheet.accounts)[0]
    if first.kind == "skill":
        raised, reading = sheet.corporation.skills if sheet.corporation else "", account.skills
    else:
        raised, reading = sheet.organisation.actions if sheet.organisation else "", account.actions
    if first.encounter_type != raised:
        return 0
    return BONUS * OF_A_TYPE if reading == "each" else BONUS


def _rank(card: Card, sheet: Sheet, rank: Rank) -> int:
    """Return the stated rank; if it is not stated, its start, with the bonus if every rank of its type has
    it.
    """
    if (stated := card.number(rank.key)) is not None:
        return stated
    if not sheet.accounts:
        return START
    bonus = _bonus(sheet, [rank])
    # The bonus of skills and actions is that of all three: 6 by the reading "each", 2 for this one; by "one"
    # it is 2, and on a rank that nobody knows: 2 // 3 is 0.
    return START + (bonus if rank.kind == "trait" else bonus // OF_A_TYPE)


def opening_hand(deck: Decklist) -> int:
    """Return the size of the opening hand: one card more for each character that can download."""
    return HAND + count_of(entry for entry in CELL.pick(deck) if entry.card.fact("download") is True)
