"""Cards of the catalogue that somebody pastes as lists are pasted, for what is no deck: a collection, a list of banned
cards. They are read as every list is; what is no such card is a line that was not read.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit import Entry, Game
from cardsdb.games.kit.listtext.deck import joined_lines, lines_of
from cardsdb.games.kit.listtext.reading import Notice, Unread, bare_heading, beside_words
from cardsdb.games.kit.model.decklist import Decklist, by_print
from decks.core.judging import read_text

WRITTEN_IN = "The catalogue has no such card; only its cards are taken here."


class PastedCards(NamedTuple):
    """The cards that were read, each with its line; what was set aside of some lines; and the lines that were not
    read, of which ``text`` has the words.
    """

    cards: tuple[tuple[Entry, int], ...]
    notices: tuple[Notice, ...]
    unread: tuple[Unread, ...]
    text: Mapping[int, str]

    def without(self, refused: Mapping[int, str]) -> "PastedCards":
        """The same, but that these lines were not read, each for its reason."""
        also = (Unread(line, self.text[line], "refused", why) for line, why in refused.items())
        unread = sorted((*self.unread, *also), key=lambda one: one.line)
        return self._replace(unread=tuple(unread))

    def left(self) -> tuple[str, tuple[Unread, ...]]:
        """The lines that were not read as a text of their own, and what is wrong with each, by its line there."""
        lines, number, left = list[str](), 1, list[Unread]()
        for one in self.unread:
            lines.append(self.text[one.line])
            left.append(replace(one, line=number))
            number += lines[-1].count("\n") + 1
        return "".join(f"{line}\n" for line in lines), tuple(left)


def read_cards(game: Game, text: str) -> PastedCards:
    """Read pasted lines. Raises Refused for a text that is too large."""
    lines = lines_of(text)
    reading = read_text(game, "\n".join(_counting(game, line) for line in lines))
    entries = [(entry, reading.places[entry.section, entry.card.code]) for entry in reading.deck]
    cards = tuple(
        (part, places[0][0])
        for entry, places in entries
        if not entry.card.written
        for part in by_print(Decklist((entry,)))
    )
    written = {line: WRITTEN_IN for entry, places in entries if entry.card.written for line, _ in places}
    return PastedCards(cards, reading.notices, reading.unread, dict(joined_lines(lines))).without(written)


def _counting(game: Game, line: str) -> str:
    """The line, but that it puts no card beside a deck: here all cards count alike."""
    heading, _, rest = line.partition(":")
    return rest if beside_words(game, bare_heading(heading.strip())[0]) else line
