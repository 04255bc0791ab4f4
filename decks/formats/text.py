"""Plain text (``text``), read from any tool and written in our own dialect, and GCCG's decks (``gccg``),
which are text too. ``formats/__init__.py`` lists both.

A list that is written as text and read again must be the same deck. So a name or a comment that would be read
as something else gets another mark (``_marked``).

GCCG writes names in capitals and, behind a name that several sets have, the set. The comments at the top hold
the notes::

    #                                   #######
    # GCCG v0.9.8.1 Spycraft deck       Leaders
    #                                   #######
    #      Nine Tiger
    #                                   #  (1)

    # Strong in Craft.                  1 LI CONG

A game says in ``exports["gccg"]``: ``title``, GCCG's name of the game; ``sections``, section -> name there;
``sets``, set code -> GCCG's abbreviation if they differ. Tests: ``tests/decks/formats/test_text.py``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from textwrap import wrap
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Entry, Game, count_of, fold
from cardsdb.games.kit.listtext.deck import ListTooLarge, lines_of, read_deck, write_deck
from cardsdb.games.kit.listtext.guess import guess_game
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.reading import Reading, Unread
from decks.formats.contract import (
    PROGRAMS,
    Body,
    FileFormat,
    Games,
    Loss,
    Parsed,
    Place,
    ReadFile,
    Row,
    Unreadable,
    decided,
    game_called,
    settings_of,
)
from decks.formats.files import bounded_lines, text_of_bytes
from decks.formats.notes import ALL_BUT_UNREAD, PRINTS_OPEN, extra_losses, note_lines
from decks.formats.placing import reader
from decks.formats.writing import (
    alike_losses,
    first_print,
    fold_losses,
    named_by,
    number_losses,
    parts_of,
    print_losses,
)

# -- plain text ---------------------------------------------------------------------------------

# Lines in which the signs of other programs are searched.
MAX_SEARCHED = 200
# (program, pattern of texts that it writes).
_SIGNS = [(program["title"], re.compile(program["sign"])) for program in PROGRAMS["texts"]]
# The beginnings of lines that may hold a name, and of those that may hold a comment. The usual one is first.
_NAME_MARKS = ("// name: ", "// ", "#")
_COMMENT_MARKS = ("// ", "/// ", "#")
_FIRST_NOTE, _NEXT_NOTE = "// notes: ", "// notes> "
_NOT_READ = "// not read: "


def read(game: Game | None, data: bytes, filename: str, among: Games | None = None) -> ReadFile:
    """Read a list line by line. Raise Unreadable if it is too large, or if no game is given and the cards do
    not tell it.
    """
    text, losses = text_of_bytes(data)
    lines = bounded_lines(text, "list")
    chosen = game or decided(guess_game((among or games()).values(), text), "list")
    # The signs of other programs stand near the beginning of their texts.
    sample = "\n".join(line for line in lines[:MAX_SEARCHED] if len(line) <= MAX_LINE)
    program = next((title for title, sign in _SIGNS if sign.search(sample)), "")
    try:
        return ReadFile(chosen, read_deck(chosen, text), losses, "text", program, text)
    except ListTooLarge as error:
        raise Unreadable("too_large", str(error)) from None


def write(game: Game, reading: Reading) -> Body:
    """Return the text of a list: what it says of the deck, then the cards, then the lines that were not
    read.
    """
    head = [*_head_lines(game, reading), *_notes_lines(reading.notes)]
    cards = write_deck(game, replace(reading.deck, name="")).strip("\n")
    tail, shortened = _unread_lines(reading.unread)
    blocks = ("\n".join(head), cards, "\n".join(tail))
    text = "\n\n".join(filter(None, blocks)) + "\n"
    return text, (*extra_losses(game, reading, ALL_BUT_UNREAD, "a comment"), *shortened)


def _head_lines(game: Game, reading: Reading) -> list[str]:
    """Return the lines for name, format, house rules, tags and comments."""

    def name_in(line: str) -> str:
        return read_deck(game, line).deck.name

    def comment_in(line: str) -> str:
        # Below a name, so that the comment is not taken for it.
        return "".join(read_deck(game, f"// name: deck\n{line}").comments)

    name = reading.deck.name
    values = {"format": reading.format, "house": reading.house, "tags": ", ".join(reading.tags)}
    lines = [_marked(name, _NAME_MARKS, name_in)] if name else []
    lines += [f"// {key}: {value}" for key, value in values.items() if value]
    # A list's first plain comment is read as its name, unless a line "name:" comes before it.
    if not name and (reading.comments or reading.unread):
        lines.append("// name:")
    return lines + [_marked(comment, _COMMENT_MARKS, comment_in) for comment in reading.comments]


def _marked(words: str, marks: tuple[str, ...], read: Callable[[str], str]) -> str:
    """Return the words behind the first mark with which ``read`` returns them unchanged, else behind the
    usual one. ``// Leaders`` would be read as a heading, so that comment is written as ``/// Leaders``.
    """
    for mark in marks:
        if read(mark + words) == words:
            return mark + words
    return marks[0] + words


def _notes_lines(notes: str) -> list[str]:
    """Return the notes as comments. A long line is continued behind ``// notes> ``."""
    lines = []
    for note in lines_of(notes):
        pieces = wrap(note, MAX_LINE - len(_FIRST_NOTE), drop_whitespace=True) or [""]
        lines.append((_FIRST_NOTE + pieces[0]).rstrip())
        lines += [_NEXT_NOTE + piece for piece in pieces[1:]]
    return lines


def _unread_lines(unread: Iterable[Unread]) -> tuple[list[str], list[Loss]]:
    """Return (comments with the text of the unread lines, a loss for each that had to be cut)."""
    comments, losses = list[str](), list[Loss]()
    most = MAX_LINE - len(_NOT_READ)
    for fault in unread:
        rows = fault.text.split("\n")
        for row in map(str.strip, rows):
            comments.append(_NOT_READ + (row if len(row) <= most else f"{row[: most - 1]}…"))
        if any(len(row) > most for row in rows):
            message = f"Line {fault.line} is too long for a comment; its end is left out."
            losses.append(Loss("line_shortened", message, f"line {fault.line}"))
    return comments, losses


TEXT = FileFormat("text", "Plain text", ".txt", "text/plain", write, read)


# -- GCCG --------------------------------------------------------------------------------------

ENCODING = "iso-8859-1"
# The version of GCCG's files that we write.
VERSION = "v0.9.8.1"
# Written in place of the name of a deck without one.
NAMELESS = "deck"


def write_gccg(game: Game, reading: Reading) -> Body:
    """Write a deck as GCCG does: a heading between rulers for each part, with its cards below."""
    settings, deck = settings_of(game, "gccg"), reading.deck
    # GCCG writes its own parts even if they are empty.
    parts = parts_of(game, deck, named_by(game, "gccg"), empty=settings.get("sections", {}).values())
    first_taken = print_losses(deck)
    # The set in a line tells the print only if no line without one got a set, and no set has two prints.
    is_print_told = not first_taken and not number_losses(deck)
    holds = ("name", "print") if is_print_told else ("name",)
    notes = note_lines(game, reading, parts, holds, (PRINTS_OPEN,) if first_taken else ())
    title = f"# GCCG {VERSION} {settings.get('title', game.name)} deck"
    blocks = [
        "\n".join(["#", title, "#", f"#      {deck.name or NAMELESS}", "#"]),
        "\n".join(f"# {line}" for line in notes),
    ]
    for part in parts:
        ruler = "#" * len(part.name)
        blocks.append(f"{ruler}\n{part.name}\n{ruler}")
        if part.entries:
            blocks.append(f"#  ({count_of(part.entries)})")
            blocks.append("\n".join(_line(game, settings, entry) for entry in part.entries))
    text = "\n\n".join(filter(None, blocks)) + "\n"
    written = text.encode(ENCODING, "replace").decode(ENCODING)
    losses = [*fold_losses(parts), *first_taken, *alike_losses(game, deck)]
    if not settings:
        message = f"No GCCG module for {game.name} is known; section and set names are our own."
        losses.insert(0, Loss("plugin_unknown", message))
    if written != text:
        message = "Characters that GCCG files (ISO-8859-1) do not have are written as ?."
        losses.append(Loss("characters_replaced", message))
    return written, (*losses, *extra_losses(game, reading, holds, "comments"))


def _line(game: Game, settings: Mapping[str, Any], entry: Entry) -> str:
    """Return a line such as ``2 KAI``, or ``1 EVE (TRU)`` if prints of cards with this name are in several
    sets.
    """
    card = entry.card
    name = f"{entry.count} {card.name if card.unknown else card.name.upper()}"
    alike = [other for other in game.name_index.called(card.name) if fold(other.name) == fold(card.name)]
    sets = {print_.set for other in (card, *alike) for print_ in other.prints}
    if not card.prints or len(sets) == 1:
        return name
    code = (card.print_called(entry.marks.prints.label) or first_print(card)).set
    return f"{name} ({settings.get('sets', {}).get(code, code)})"


# The title of a file, "# GCCG v0.9.8.1 Spycraft deck"; a line of a card, "1 EVE (TRU)"; the count of a part.
_TITLE = re.compile(r"# GCCG v[\w.]+ (?P<title>.+) deck")
_CARD = re.compile(r"(?P<count>[0-9]+)\s+(?P<name>.*?)(?:\s+\((?P<set>\w{1,6})\))?")
_COUNT = re.compile(r"\([0-9]+\)")


def parse_gccg(data: bytes) -> Parsed:
    """Read any GCCG deck: headings between rulers of #, names in capitals, the set behind a name that several
    sets have.
    """
    raw = bounded_lines(text_of_bytes(data, of_any=True)[0], "file")
    lines = [line.strip() for line in raw]
    rulers = {index for index, line in enumerate(lines) if line and not line.strip("#")}
    rows: list[Row] = []
    notes: list[str] = []
    unread: list[Unread] = []
    part = title = name = ""
    for index, line in enumerate(lines):
        is_between_rulers = index - 1 in rulers and index + 1 in rulers
        if title_line := _TITLE.fullmatch(line):
            title = title_line["title"]
        elif line and is_between_rulers:
            # A heading, or behind "# " the deck's name: "#" alone is a ruler too.
            if not line.startswith("#"):
                part = line
            elif title and not name:
                words = line[1:].strip()
                name = "" if words == NAMELESS else words
        elif line.startswith("#"):
            comment = raw[index].strip("\r\n").removeprefix("#").removeprefix(" ").rstrip()
            # "#" alone is an empty line of the notes; longer rulers and counts belong to the parts.
            is_of_part = (index in rulers and line != "#") or _COUNT.fullmatch(comment.strip())
            if not is_of_part:
                notes.append(comment)
        elif len(line) > MAX_LINE:
            message = f"This line is longer than {MAX_LINE} characters."
            unread.append(Unread(index + 1, line[:MAX_LINE], "line_too_long", message))
        elif card := _CARD.fullmatch(line):
            rows.append(Row(Place(index + 1), card["count"], card["name"], part, card["set"] or ""))
        elif line:
            rows.append(Row(Place(index + 1), "", line, part))
    return Parsed(
        tuple(rows),
        game_called("gccg", title),
        name,
        notes_field="\n".join(notes).strip("\n"),
        unread=tuple(unread),
    )


GCCG = FileFormat(
    "gccg",
    "GCCG",
    ".deck",
    f"text/plain; charset={ENCODING}",
    write_gccg,
    reader("gccg", parse_gccg),
    ENCODING,
)
