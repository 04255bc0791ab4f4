"""Plain text: that of any tool is read as a deck, and our own dialect is written so that it reads back as the
same deck.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from textwrap import wrap

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_LINES, ListTooLarge, lines_of, read_deck, write_deck
from cardsdb.games.kit.listtext.guess import guess_game
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.listtext.sections import SIDEBOARD, heading_of
from decks.formats.contract import Body, FileFormat, Games, Loss, ReadFile, Unreadable
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.files import text_of_bytes
from decks.formats.placing import decided

# Signs of the program that wrote a text; our own comes last.
_SIGNS = (
    ("Forge", re.compile(r"(?mi)^\[metadata\]\s*$")),
    ("XMage", re.compile(r"(?m)^(?:SB:\s*)?\d+ \[[A-Z0-9]{2,6}:\w+\] \S|^LAYOUT (?:MAIN|SIDEBOARD):")),
    ("Deckstats", re.compile(r"(?m)^\d+ \[[\w]{2,6}#\w+\] \S")),
    ("mwDeck", re.compile(r"(?m)^(?:SB:[ \t]+|[ \t]{2,})\d+ \[\w{0,6}\] \S")),
    ("mtg.wtf", re.compile(r"(?m)^\d+ .+ \[\w{2,6}:\w+\](?: \[foil\])?\s*$")),
    ("Archidekt", re.compile(r"(?m)^\d+x .+ \(\w{2,6}\) \S+ .*\[[^\[\]\n]+\]|\^[^^,]+,#[0-9a-fA-F]{3,8}\^")),
    ("TappedOut", re.compile(r"(?m)^\d+x .+\*(?:CMDR|F)\*")),
    ("Apprentice", re.compile(r'(?m)^(?:MD|SB),\d+,"?')),
    ("Moxfield", re.compile(r"(?m)^SIDEBOARD:\s*$|^\d+ .+ \([A-Z0-9]+\) \S+ (?:\*[FE]\*|#)")),
    (
        "Arena",
        re.compile(
            r"(?m)\A(?>(?s:.*?)^(?:About|Deck|Sideboard|Commander|Companion)[ \t]*$)(?s:.*)^\d+ .+"
            r" \(\w+\) \d+"
        ),
    ),
    ("a tournament archive (VTES)", re.compile(r"(?mi)^Crypt\b.*(?:cards|:)")),
    ("Pokémon TCG Live", re.compile(r"(?m)^\* \d+ .+ [A-Z0-9-]{2,6} \d+\s*$")),
    ("Cutout", re.compile(r"(?m)^// (?:name|format|notes|tags): ")),
)


def read(game: Game | None, data: bytes, filename: str, among: Games | None = None) -> ReadFile:
    """Read a list line by line. Raises Unreadable if it is too large, or if no game is passed and its cards
    do not tell which.
    """
    text, losses = text_of_bytes(data)
    if len(lines_of(text)) > MAX_LINES:
        raise Unreadable(
            "too_large", f"The list has {len(lines_of(text)):,} lines; at most {MAX_LINES:,} are read."
        )
    chosen = game or decided(guess_game((among or games()).values(), text), "list")
    content = with_sideboard(chosen, text)
    if content != text:
        losses = (
            *losses,
            Loss(
                "sideboard_taken",
                "One blank line and no headings: what stands below it was taken as the sideboard.",
            ),
        )
    sample = "\n".join(line for line in lines_of(text)[:200] if len(line) <= MAX_LINE)
    dialect = next((title for title, sign in _SIGNS if sign.search(sample)), "")
    return ReadFile(chosen, _reading(chosen, content), losses, "text", dialect, content)


def _reading(game: Game, text: str) -> Reading:
    try:
        return read_deck(game, text)
    except ListTooLarge as error:
        raise Unreadable("too_large", str(error)) from None


def with_sideboard(game: Game, text: str) -> str:
    """Cockatrice's plain text has no headings: one blank line divides the deck from its sideboard. That line
    becomes the heading, so that all others keep their numbers.
    """
    lines = lines_of(text)
    if SIDEBOARD not in game.headings or any(len(line) > MAX_LINE for line in lines):
        return text
    first = next(
        (place for place, line in enumerate(lines) if line.strip() and not line.startswith("//")), len(lines)
    )
    last = max((place for place, line in enumerate(lines) if line.strip()), default=-1)
    blank = [place for place in range(first, last) if not lines[place].strip()]
    named = any(
        heading_of(game, line.strip("[]#/ \t")) is not None or line.strip().endswith(":") or ":" in line[:3]
        for line in lines
    )
    if len(blank) != 1 or named:
        return text
    lines[blank[0]] = "Sideboard:"
    return "\n".join(lines)


def write(game: Game, reading: Reading) -> Body:
    """What the list says of the deck on top, then what ``write_deck`` writes, then the lines that were not
    read.
    """
    deck = reading.deck
    head = (
        [_strokes(game, deck.name, ("// name: ", "// ", "#"), lambda again: again.deck.name)]
        if deck.name
        else []
    )
    values = {"format": reading.format, "house": reading.house, "tags": ", ".join(reading.tags)}
    head += [f"// {key}: {value}" for key, value in values.items() if value]
    # Without a name on top, even an empty one, the first plain comment would be taken for the name.
    head += ["// name:"] if not deck.name and (reading.comments or reading.unread) else []
    head += [
        _strokes(game, comment, ("// ", "/// ", "#"), _comment_of, "// name: deck\n")
        for comment in reading.comments
    ]
    head += [line for note in lines_of(reading.notes) for line in _note_lines(note)]
    remark = "// not read: "
    room = MAX_LINE - len(remark)
    tail = [
        f"{remark}{_shortened(line.strip(), room)}"
        for unread in reading.unread
        for line in unread.text.split("\n")
    ]
    body = write_deck(game, replace(deck, name="")).strip("\n")
    cut = tuple(
        Loss(
            "line_shortened",
            f"Line {u.line} is too long for a comment; its end is left out.",
            f"line {u.line}",
        )
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


def _strokes(
    game: Game, words: str, marks: tuple[str, ...], read: Callable[[Reading], str], above: str = ""
) -> str:
    """The words behind the first of these marks with which they read back the same; “// Leaders”, say, would
    be a heading.
    """
    lines = [f"{mark}{words}" for mark in marks]
    return next((line for line in lines if read(read_deck(game, above + line)) == words), lines[0])


def _comment_of(again: Reading) -> str:
    return "".join(again.comments)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


FORMAT = FileFormat("text", "Plain text", ".txt", "text/plain", write, read)
