"""Changes the text of a deck list where it stands, so that all other lines stay as their author wrote them.

``with_corrections`` puts chosen names into lines that were not understood, for every form that takes a list.
``with_card_changes`` adds and takes out copies of cards, for the repairs of a pasted list
(``decks/check/pasted.py``); its result must read back as exactly the deck that is meant.
Tests: ``tests/cardsdb/games/kit/listtext/test_rewriting.py``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import lines_of, read_deck
from cardsdb.games.kit.listtext.line import (
    MAX_LINE,
    UNKNOWN,
    as_unknown,
    joined_lines,
    line_for,
    with_count,
    with_name,
)
from cardsdb.games.kit.listtext.reading import Reading, split_heading
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, with_changes
from cardsdb.games.kit.model.format import Format

# Values that a form sends in place of a suggestion: keep the line as an unknown card, or as the deck's name.
KEEP_UNKNOWN = f"| {UNKNOWN}"
KEEP_TITLE = "// title"


def with_corrections(game: Game, text: str, suggestions: Mapping[int, str]) -> str:
    """The list with each suggestion put into its line. ``suggestions``: number of a line, from 1 -> the name
    of a card, a heading with its colon, KEEP_UNKNOWN or KEEP_TITLE. Numbers without a line are ignored.
    """
    # [line, line break, line, line break, ...], so that each line keeps its own break.
    parts = re.split(r"(\r\n|\n|\r)", text)
    for number, words in suggestions.items():
        place, suggestion = 2 * (number - 1), " ".join(words.split())[:MAX_LINE]
        if suggestion and 0 <= place < len(parts):
            parts[place] = _corrected(game, parts[place].strip(), suggestion)
    return "".join(parts)


def _corrected(game: Game, line: str, suggestion: str) -> str:
    """A line with a suggestion in place of its name: ``SB: 2x Termitte #blue`` -> ``SB: 2 Termite #blue``."""
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
    """The list with these changes of its cards; every line ends with LF. None if the changed text would not
    read back as the deck that is meant; the caller then writes the deck as a new list.

    ``format``: the format that the list is read for. Raises ValueError with a sentence if cards shall come
    out that the list does not have.

    "Deck:", "2 Kai // fast", "1 Ambush" with one Kai and the Ambush out and two Alex Kole into the leaders is
    "Deck:", "1 Kai // fast", "", "Leaders:", "2 Alex Kole".
    """
    changes = tuple(changes)
    before = read_deck(game, text, format)
    meant = with_changes(before.deck, changes)
    joined = joined_lines(lines_of(text))
    lines = _Lines(
        game,
        before,
        lines=[line.split("\n") for _, line in joined],
        numbered={number: place for place, (number, _) in enumerate(joined)},
    )
    # Cards come out first, because a line that comes out takes along the lines that were added below it.
    for change in sorted(changes, key=lambda change: change.by > 0):
        lines.change(change)
    changed = "\n".join(part for line in lines.lines for part in line) + "\n"
    after = read_deck(game, changed, format)
    is_as_meant = _copies(after.deck) == _copies(meant) and len(after.unread) == len(before.unread)
    return changed if is_as_meant else None


def _copies(deck: Decklist) -> Counter[tuple[str, str]]:
    """(section, key of a card) -> copies: a deck without the order and the marks of its entries."""
    return Counter({(entry.section, entry.card.key): entry.count for entry in deck})


@dataclass
class _Lines:
    """The lines of a list while they are changed.

    The list "Deck:", "2 Kai // fast", "  | #blue", "1 Ambush" has
    lines = [["Deck:"], ["2 Kai // fast", "  | #blue"], ["1 Ambush"]] and numbered = {1: 0, 2: 1, 4: 2}.
    """

    game: Game
    reading: Reading
    # At each place a line that was read, then lines that go on with it (its marks and facts), then lines that
    # were added below it. The list is empty where a card came out.
    lines: list[list[str]]
    numbered: dict[int, int]  # number of a line as it was read -> its place in ``lines``

    def __post_init__(self) -> None:
        # (section, code of a card) -> {number of a line: its copies} for the lines that name the card.
        self.copies = {key: dict(places) for key, places in self.reading.places.items()}
        # Section -> the lines of a heading that was added for it.
        self.begun: dict[str, list[str]] = {}

    def change(self, change: CardChange) -> None:
        """Make one change. Copies are added to the first line that names the card, or as a new line if none
        does; they are taken out of the lines that name it, from the last one upwards.
        """
        copies = self.copies.get((change.section, change.card.code), {})
        numbers = [number for number, count in copies.items() if count]
        if change.by > 0:
            if not numbers:
                self._add(change)
                return
            numbers = numbers[:1]
        left = change.by
        for number in reversed(numbers):
            # A line cannot lose more copies than it has; the line above loses the others.
            by = left if left > 0 else max(left, -copies[number])
            if by:
                copies[number] += by
                left -= by
                self._write(number, copies[number], change)

    def _write(self, number: int, count: int, change: CardChange) -> None:
        """Write a new count into the line of this number; a count of 0 takes the line out."""
        place = self.numbered[number]
        if not count:
            self.lines[place] = []
            return
        line, *more = self.lines[place]
        # "SB: 2 Kai" keeps its own heading.
        heading, rest = split_heading(self.game, " ".join(line.split()))
        before = f"{line.strip().partition(':')[0]}: " if heading and ":" in line else ""
        self.lines[place] = [before + with_count(self.game, rest, count, change.card), *more]

    def _add(self, change: CardChange) -> None:
        """Add a line for the card: below the cards of its type in its section, else below the cards of its
        section, else at the end of the list under a new heading.
        """
        line = line_for(self.game, Entry(change.card, change.by, change.section))
        above = [entry for entry in self.reading.deck if entry.section == change.section]
        above = [entry for entry in above if entry.card.type == change.card.type] or above
        places = [
            self.numbered[number]
            for entry in above
            for number, _ in self.reading.places[entry.section, entry.card.code]
        ]
        if places:
            self.lines[max(places)].append(line)
        else:
            if change.section not in self.begun:
                self.begun[change.section] = ["", f"{self.game.sections_by_slug[change.section].name}:"]
                self.lines.append(self.begun[change.section])
            self.begun[change.section].append(line)
