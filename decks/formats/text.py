"""Plain text in our own dialect, which reads back as the same deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardsdb.games.kit import Game
from cardsdb.games.kit.cardline import MAX_LINE
from cardsdb.games.kit.decktext import Reading, read_deck, write_deck
from decks.formats.contract import Body, FileFormat, Loss
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses


def write(game: Game, reading: Reading) -> Body:
    """Name, format and comments on top, then what ``write_deck`` writes, then the lines that were not read."""
    deck = reading.deck
    head = [_strokes(game, deck.name, ("// name: ", "// ", "#"), lambda again: again.deck.name)] if deck.name else []
    head += [f"// format: {reading.format}"] if reading.format else []
    # Without a name on top, the first plain comment would be taken for one.
    marks = ("// ", "/// ", "#") if deck.name else ("// note: ",)
    head += [_strokes(game, comment, marks, _comment_of, "// name: deck\n") for comment in reading.comments]
    remark = "// not read: " if deck.name else "// note: not read: "
    room = MAX_LINE - len(remark)
    tail = [f"{remark}{_shortened(line.strip(), room)}" for unread in reading.unread for line in unread.text.split("\n")]
    body = write_deck(game, replace(deck, name="")).strip("\n")
    cut = tuple(
        Loss("line_shortened", f"Line {u.line} is too long for a comment; its end is left out.", f"line {u.line}")
        for u in reading.unread
        if any(len(line) > room for line in u.text.split("\n"))
    )
    blocks = ["\n".join(head), body, "\n".join(tail)]
    return "\n\n".join(block for block in blocks if block) + "\n", (*extra_losses(game, reading, ALL_BUT_UNREAD, "a comment"), *cut)


def _strokes(game: Game, words: str, marks: tuple[str, ...], read: Callable[[Reading], str], above: str = "") -> str:
    """The words behind the first of these marks from which they read back; “// Leaders”, say, would be a heading."""
    lines = [f"{mark}{words}" for mark in marks]
    return next((line for line in lines if read(read_deck(game, above + line)) == words), lines[0])


def _comment_of(again: Reading) -> str:
    return "".join(again.comments)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


FORMAT = FileFormat("text", "Plain text", ".txt", "text/plain", write)
