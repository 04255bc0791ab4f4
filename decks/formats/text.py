"""Plain text in our own dialect, which reads back as the same deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import wrap

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import Reading, lines_of, read_deck, write_deck
from cardsdb.games.kit.listtext.line import MAX_LINE
from decks.formats.contract import Body, FileFormat, Loss
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.text_reading import read


def write(game: Game, reading: Reading) -> Body:
    """What the list says of the deck on top, then what ``write_deck`` writes, then the lines that were not read."""
    deck = reading.deck
    head = [_strokes(game, deck.name, ("// name: ", "// ", "#"), lambda again: again.deck.name)] if deck.name else []
    said = {"format": reading.format, "house": reading.house, "tags": ", ".join(reading.tags)}
    head += [f"// {key}: {value}" for key, value in said.items() if value]
    # Without a name on top, be it empty, the first plain comment would be taken for one.
    head += ["// name:"] if not deck.name and (reading.comments or reading.unread) else []
    head += [_strokes(game, comment, ("// ", "/// ", "#"), _comment_of, "// name: deck\n") for comment in reading.comments]
    head += [line for note in lines_of(reading.notes) for line in _note_lines(note)]
    remark = "// not read: "
    room = MAX_LINE - len(remark)
    tail = [f"{remark}{_shortened(line.strip(), room)}" for unread in reading.unread for line in unread.text.split("\n")]
    body = write_deck(game, replace(deck, name="")).strip("\n")
    cut = tuple(
        Loss("line_shortened", f"Line {u.line} is too long for a comment; its end is left out.", f"line {u.line}")
        for u in reading.unread
        if any(len(line) > room for line in u.text.split("\n"))
    )
    blocks = ["\n".join(head), body, "\n".join(tail)]
    text = "\n\n".join(block for block in blocks if block) + "\n"
    return text, (*extra_losses(game, reading, ALL_BUT_UNREAD, "a comment"), *cut)


def _note_lines(note: str) -> list[str]:
    """A line of the notes, on as many lines as it needs."""
    first, *more = wrap(note, MAX_LINE - len("// notes: "), drop_whitespace=True) or [""]
    return [f"// notes: {first}".rstrip(), *(f"// notes> {line}" for line in more)]


def _strokes(game: Game, words: str, marks: tuple[str, ...], read: Callable[[Reading], str], above: str = "") -> str:
    """The words behind the first of these marks from which they read back; “// Leaders”, say, would be a heading."""
    lines = [f"{mark}{words}" for mark in marks]
    return next((line for line in lines if read(read_deck(game, above + line)) == words), lines[0])


def _comment_of(again: Reading) -> str:
    return "".join(again.comments)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


FORMAT = FileFormat("text", "Plain text", ".txt", "text/plain", write, read=read)
