"""Plain text (``text``), read from any tool and written in our own dialect, and GCCG's decks (``gccg``),
which are text too.

``formats/__init__.py`` lists both. A list that is written and read again must be the same deck. GCCG writes
names in capitals and, behind a name that several sets have, the set. The comments at the top hold the notes::

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
from collections.abc import Callable, Mapping
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

# Lines in which the signs of other programs are searched.
MAX_SEARCHED = 200
# (program, pattern of texts that it writes).
_SIGNS = [(program["title"], re.compile(program["sign"])) for program in PROGRAMS["texts"]]


def read(game: Game | None, data: bytes, filename: str, among: Games | None = None) -> ReadFile:
    """Read a list line by line. Raise Unreadable if it is too large, or if no game is given and the cards do
    not tell it.
    """
    text, losses = text_of_bytes(data)
    lines = bounded_lines(text, "list")
    chosen = game or decided(guess_game((among or games()).values(), text), "list")
    # The signs of other programs stand near the beginning of their texts.
    sample = "\n".join(line for line in lines[:MAX_SEARCHED] if len(line) <= MAX_LINE)
    dialect = next((title for title, sign in _SIGNS if sign.search(sample)), "")
    try:
        return ReadFile(chosen, read_deck(chosen, text), losses, "text", dialect, text)
    except ListTooLarge as error:
        raise Unreadable("too_large", str(error)) from None


def write(game: Game, reading: Reading) -> Body:
    """Return the text of a list: what it says of the deck, then the cards, then the lines that were not
    read.
    """
    deck, head = reading.deck, []
    if deck.name:
        name_marks = ("// name: ", "// ", "#")
        head.append(_comment(game, deck.name, name_marks, lambda again: again.deck.name))
    values = {"format": reading.format, "house": reading.house, "tags": ", ".join(reading.tags)}
    head += [f"// {key}: {value}" for key, value in values.items() if value]
    # A list's first plain comment is read as its name, unless a line "name:" comes before it.
    if not deck.name and (reading.comments or reading.unread):
        head.append("// name:")
    for comment in reading.comments:
        marks = ("// ", "/// ", "#")
        # Below a name, so that the comment is not taken for it.
        head.append(_comment(game, comment, marks, lambda again: "".join(again.comments), "// name: deck\n"))
    for note in lines_of(reading.notes):
        first, *more = wrap(note, MAX_LINE - len("// notes: "), drop_whitespace=True) or [""]
        head += [f"// notes: {first}".rstrip(), *(f"// notes> {line}" for line in more)]
    tail, shortened = list[str](), list[Loss]()
    remark = "// not read: "
    most = MAX_LINE - len(remark)
    for unread in reading.unread:
        lines = unread.text.split("\n")
        for line in map(str.strip, lines):
            tail.append(remark + (line if len(line) <= most else f"{line[: most - 1]}…"))
        if any(len(line) > most for line in lines):
            message = f"Line {unread.line} is too long for a comment; its end is left out."
            shortened.append(Loss("line_shortened", message, f"line {unread.line}"))
    body = write_deck(game, replace(deck, name="")).strip("\n")
    text = "\n\n".join(filter(None, ("\n".join(head), body, "\n".join(tail)))) + "\n"
    return text, (*extra_losses(game, reading, ALL_BUT_UNREAD, "a comment"), *shortened)


def _comment(
    game: Game, words: str, marks: tuple[str, ...], read: Callable[[Reading], str], above: str = ""
) -> str:
    """Return the words behind the first of these marks with which they read back unchanged, else behind the
    first mark. The comment "Leaders" is written as ``/// Leaders``, for ``// Leaders`` would be read as a
    heading.

    ``above``: lines before it, without which a comment may mean something else. ``read``: takes the words out
    of the reading of ``above`` and the line.
    """
    lines = [f"{mark}{words}" for mark in marks]
    return next((line for line in lines if read(read_deck(game, above + line)) == words), lines[0])


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
    title = f"# GCCG {VERSION} {settings.get('title', game.name)} deck"
    chosen = print_losses(deck)
    # The set in a line tells the print only if no line without one got a set, and no set has two prints.
    holds = ("name",) if chosen or number_losses(deck) else ("name", "print")
    notes = note_lines(game, reading, parts, holds, (PRINTS_OPEN,) if chosen else ())
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
    losses = [*fold_losses(parts), *chosen, *alike_losses(game, deck)]
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


# The title of a file, "# GCCG v0.9.8.1 Spycraft deck", and a line of a card, "1 EVE (TRU)".
_HEAD = re.compile(r"# GCCG v[\w.]+ (?P<title>.+) deck")
_CARD = re.compile(r"(?P<count>[0-9]+)\s+(?P<name>.*?)(?:\s+\((?P<set>\w{1,6})\))?")


def parse_gccg(data: bytes) -> Parsed:
    """Read any GCCG deck: headings between rulers of #, names in capitals, the set behind a name that several
    sets have.
    """
    raw = bounded_lines(text_of_bytes(data, of_any=True)[0], "file")
    lines = [*map(str.strip, raw)]
    is_ruler = [bool(line) and not line.strip("#") for line in lines]
    rows: list[Row] = []
    notes: list[str] = []
    unread: list[Unread] = []
    part = title = name = ""
    for place, line in enumerate(lines):
        if head := _HEAD.fullmatch(line):
            title = head["title"]
        elif line and place and is_ruler[place - 1] and any(is_ruler[place + 1 : place + 2]):
            # A line between two rulers is a heading, or behind "# " the deck's name. "#" alone is a ruler.
            if not line.startswith("#"):
                part = line
            elif title and not name:
                words = line.lstrip("# ").strip()
                name = "" if words == NAMELESS else words
        elif line.startswith("#"):
            # A comment is a note, unless it is a ruler or the count of a part: ``#  (12)``.
            words = raw[place].strip("\r\n").removeprefix("#").removeprefix(" ").rstrip()
            if line == "#" or not (is_ruler[place] or re.fullmatch(r"\([0-9]+\)", words.strip())):
                notes.append(words)
        elif len(line) > MAX_LINE:
            message = f"This line is longer than {MAX_LINE} characters."
            unread.append(Unread(place + 1, line[:MAX_LINE], "line_too_long", message))
        elif card := _CARD.fullmatch(line):
            rows.append(Row(Place(place + 1), card["count"], card["name"], part, card["set"] or ""))
        elif line:
            rows.append(Row(Place(place + 1), "", line, part))
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
