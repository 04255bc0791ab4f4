"""A list changed where it stands: names put right in their lines, copies of cards added and taken out, all
other lines as they are.

``deck.py`` reads a list and ``line.py`` writes one line; here a text becomes another text.
``with_corrections`` serves every form with lines that were not understood, ``with_card_changes`` the repairs
of a pasted list (``decks/check/pasted.py``). ``test_rewriting.py`` tests both, ``test_line.py`` more
corrections.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import joined_lines, lines_of, read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE, UNKNOWN, as_unknown, line_for, with_count, with_name
from cardsdb.games.kit.listtext.reading import Reading, split_heading
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, with_changes
from cardsdb.games.kit.model.format import Format

# Sent in place of a suggestion: the line stays as a card that is not in the catalogue, or becomes the name of
# the deck.
KEEP_UNKNOWN = f"| {UNKNOWN}"
KEEP_TITLE = "// title"


def with_corrections(game: Game, text: str, suggestions: Mapping[int, str]) -> str:
    """The list with each suggestion put into its line. ``suggestions``: number of a line, from 1 -> a name, a
    heading with its colon, KEEP_UNKNOWN or KEEP_TITLE. Numbers of no line are passed over.
    """
    # Lines and the ends of lines take turns, so that each line keeps its own end.
    parts = re.split(r"(\r\n|\n|\r)", text)
    for number, words in suggestions.items():
        place, suggestion = 2 * (number - 1), " ".join(words.split())[:MAX_LINE]
        if suggestion and 0 <= place < len(parts):
            parts[place] = _corrected(game, parts[place].strip(), suggestion)
    return "".join(parts)


def _corrected(game: Game, line: str, suggestion: str) -> str:
    """A line with a suggestion in it. Its count, its marks and a heading before the card stay:
    ``SB: 2x Termitte #blue`` -> ``SB: 2 Termite #blue``.
    """
    if suggestion == KEEP_TITLE:
        return f"// name: {line}"
    heading, rest = split_heading(game, line)
    before = f"{line.partition(':')[0]}: " if heading and rest != line else ""
    if suggestion == KEEP_UNKNOWN:
        return before + as_unknown(rest)
    return suggestion if suggestion.endswith(":") else before + with_name(rest, suggestion)


def with_card_changes(
    game: Game, text: str, changes: Iterable[CardChange], format: Format | None = None
) -> str | None:
    """The list with these changes of its cards, and its other lines as they are, each with LF at its end.
    None if the text would not read back as the deck that is meant: the caller writes that out anew then.

    ``format``: the one by which the list is read. Raises ValueError with a sentence if the list lacks cards
    that are to come out.
    """
    changes = tuple(changes)
    before = read_deck(game, text, format)
    meant = with_changes(before.deck, changes)
    joined = joined_lines(lines_of(text))
    lines = _Lines(
        game,
        before,
        [line.split("\n") for _, line in joined],
        {number: place for place, (number, _) in enumerate(joined)},
    )
    # Cards come out first: a line that is taken out would take along what was added below it.
    for change in sorted(changes, key=lambda change: change.by > 0):
        lines.change(change)
    changed = "\n".join(part for line in lines.lines for part in line) + "\n"
    after = read_deck(game, changed, format)
    return (
        changed if _copies(after.deck) == _copies(meant) and len(after.unread) == len(before.unread) else None
    )


def _copies(deck: Decklist) -> Counter[tuple[str, str]]:
    """(section, key of a card) -> copies: what a deck is without the order and the marks of its entries."""
    return Counter({(entry.section, entry.card.key): entry.count for entry in deck})


@dataclass
class _Lines:
    """The lines of a list while they are changed.

    ``lines``: at each place a line that was read, and behind it those that go on with it (its marks and
    facts) and those that were added below it; no line where a card came out. ``numbered``: the number of a
    line as it was read -> its place. ``copies``: (section, code of a card) -> [number of a line, its copies]
    of each line that names the card. ``begun``: section -> lines of the heading that was added for it.
    """

    game: Game
    reading: Reading
    lines: list[list[str]]
    numbered: dict[int, int]

    def __post_init__(self) -> None:
        self.copies = {key: [list(place) for place in places] for key, places in self.reading.places.items()}
        self.begun: dict[str, list[str]] = {}

    def change(self, change: CardChange) -> None:
        """Add copies to the first line that has the card, or a line if none has; take copies out of the lines
        that have it, the last line first.
        """
        stated = self.copies.get((change.section, change.card.code), [])
        if change.by > 0 and any(count for _, count in stated):
            stated = [line for line in stated if line[1]][:1]
        elif change.by > 0:
            self._add(change)
            return
        left = change.by
        for line in reversed(stated):
            by = left if left > 0 else max(left, -line[1])
            if by:
                line[1], left = line[1] + by, left - by
                self._write(line[0], line[1], change)

    def _write(self, number: int, count: int, change: CardChange) -> None:
        """Write so many copies of the card into the line of this number; 0 takes the line out."""
        place = self.numbered[number]
        if not count:
            self.lines[place] = []
            return
        line, *more = self.lines[place]
        heading, rest = split_heading(self.game, " ".join(line.split()))
        before = f"{line.strip().partition(':')[0]}: " if heading and ":" in line else ""
        self.lines[place] = [before + with_count(self.game, rest, count, change.card), *more]

    def _add(self, change: CardChange) -> None:
        """Add a line for the card: below the cards of its type in its section, else below those of its
        section, else at the end under a heading that is added, too.
        """
        line = line_for(self.game, Entry(change.card, change.by, change.section))
        beside = [entry for entry in self.reading.deck if entry.section == change.section]
        beside = [entry for entry in beside if entry.card.type == change.card.type] or beside
        places = [
            self.numbered[number]
            for entry in beside
            for number, _ in self.reading.places[entry.section, entry.card.code]
        ]
        if places:
            self.lines[max(places)].append(line)
        else:
            if change.section not in self.begun:
                self.begun[change.section] = ["", f"{self.game.sections_by_slug[change.section].name}:"]
                self.lines.append(self.begun[change.section])
            self.begun[change.section].append(line)
