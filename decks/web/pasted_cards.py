"""Cards of the catalogue that somebody pastes as lists are pasted, for what is no deck: a collection, a list of banned
cards. They are read as every list is; what is no such card is a line that was not read.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.deck import joined_lines, lines_of
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.listtext.reading import Notice, Unread, bare_heading, beside_words
from cardsdb.games.kit.model.decklist import by_print
from decks.core.judging import read_text

WRITTEN_IN = "The catalogue has no such card; only its cards are taken here."


class PastedCards(NamedTuple):
    """The cards that were read, each with its line; what was set aside of some lines; the lines that were not read, and
    the words of each line, by their numbers.
    """

    cards: list[tuple[Entry, int]]
    notices: tuple[Notice, ...]
    unread: dict[int, Unread]
    text: dict[int, str]

    def left(self, game: Game, refused: Iterable[tuple[Entry, int, str]] = ()) -> tuple[str, list[Unread]]:
        """The lines that were not read, and the cards that are ``refused`` for these reasons, as a text of their own; and
        what is wrong with each, by its line there.

        Cards are written anew: of a line one print may be taken, and several lines may be one number.
        """
        bad = [replace(one, text=self.text[line]) for line, one in self.unread.items()]
        bad += [Unread(line, line_for(game, entry), "refused", why) for entry, line, why in refused]
        left, lines = "", list[Unread]()
        for one in sorted(bad, key=lambda one: one.line):
            lines.append(replace(one, line=left.count("\n") + 1))
            left += f"{one.text}\n"
        return left, lines


def read_cards(game: Game, text: str) -> PastedCards:
    """Read pasted lines. Raises Refused for a text that is too large."""
    lines = lines_of(text)
    reading = read_text(game, "\n".join(_counting(game, line) for line in lines))
    cards, bad = list[tuple[Entry, int]](), {one.line: one for one in reading.unread}
    for entry in reading.deck:
        places = reading.places[entry.section, entry.card.code]
        if entry.card.written:
            bad |= {line: Unread(line, "", "written_in", WRITTEN_IN) for line, _ in places}
        else:
            cards += [(part, places[0][0]) for part in by_print(Decklist((entry,)))]
    return PastedCards(cards, reading.notices, bad, dict(joined_lines(lines)))


def _counting(game: Game, line: str) -> str:
    """The line, but that it puts no card beside a deck: here all cards count alike."""
    heading, _, rest = line.partition(":")
    return rest if beside_words(game, bare_heading(heading.strip())[0]) else line
