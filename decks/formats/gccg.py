"""A GCCG deck, laid out as GCCG saves one.

A game says in ``exports["gccg"]``: ``title``, GCCG's name of the game; ``sections``, section -> name
there; ``sets``, set code -> GCCG's abbreviation where the two differ. GCCG writes names in capitals
and, behind a name that several sets have, the set.
"""

from __future__ import annotations

import re

from cardsdb.games.kit import Card, Entry, Game
from cardsdb.games.kit.listtext.deck import MAX_LINES, lines_of
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.reading import Reading, Unread
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.text import fold
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Place, Row, Unreadable, settings_of
from decks.formats.extras import PRINTS_OPEN, extra_losses, note_lines
from decks.formats.files import text_of_bytes
from decks.formats.placing import game_called, reader
from decks.formats.writing import (
    Part,
    alike_losses,
    first_print,
    fold_losses,
    in_parts,
    named_by,
    number_losses,
    parts_of,
    print_losses,
)

ENCODING = "iso-8859-1"
# What stands for the name of a deck that has none.
NAMELESS = "deck"


def write(game: Game, reading: Reading) -> Body:
    settings = settings_of(game, "gccg")
    parts = parts_of(game, reading.deck, named_by(game, "gccg"), empty=settings.get("sections", {}).values())
    head = [
        "#",
        f"# GCCG v0.9.8.1 {settings.get('title', game.name)} deck",
        "#",
        f"#      {reading.deck.name or NAMELESS}",
        "#",
    ]
    chosen = print_losses(reading.deck)
    holds = ("name",) if chosen or number_losses(reading.deck) else ("name", "print")
    notes = [
        f"# {line}"
        for line in note_lines(game, in_parts(reading, parts), holds, (PRINTS_OPEN,) if chosen else ())
    ]
    blocks = ["\n".join(head), "\n".join(notes), *(_part(game, part) for part in parts)]
    text = "\n\n".join(block for block in blocks if block) + "\n"
    written = text.encode(ENCODING, "replace").decode(ENCODING)
    losses = (*fold_losses(parts), *chosen, *alike_losses(game, reading.deck))
    if not settings:
        losses = (
            Loss(
                "plugin_unknown",
                f"No GCCG module for {game.name} is known; section and set names are our own.",
            ),
            *losses,
        )
    if written != text:
        losses = (
            *losses,
            Loss(
                "characters_replaced", "Characters that GCCG files (ISO-8859-1) do not have are written as ?."
            ),
        )
    return written, (*losses, *extra_losses(game, reading, holds, "comments"))


def _part(game: Game, part: Part) -> str:
    rule = "#" * len(part.name)
    heading = f"{rule}\n{part.name}\n{rule}"
    if not part.entries:
        return heading
    lines = "\n".join(_line(game, entry) for entry in part.entries)
    return f"{heading}\n\n#  ({count_of(part.entries)})\n\n{lines}"


def _line(game: Game, entry: Entry) -> str:
    name = f"{entry.count} {entry.card.name if entry.card.unknown else entry.card.name.upper()}"
    return f"{name} ({_set(game, entry)})" if _in_several_sets(game, entry.card) else name


def _set(game: Game, entry: Entry) -> str:
    code = (entry.card.print_called(entry.marks.prints.label) or first_print(entry.card)).set
    return str(settings_of(game, "gccg").get("sets", {}).get(code, code))


def _in_several_sets(game: Game, card: Card) -> bool:
    if not card.prints:
        return False
    alike = [other for other in game.name_index.called(card.name) if fold(other.name) == fold(card.name)]
    return len({p.set for other in (card, *alike) for p in other.prints}) > 1


_HEAD = re.compile(r"# GCCG v[\w.]+ (?P<title>.+) deck")
_CARD = re.compile(r"(?P<count>[0-9]+)\s+(?P<name>.*?)(?:\s+\((?P<set>\w{1,6})\))?")


def parse(data: bytes) -> Parsed:
    """Any GCCG deck: parts between rulers of #, names in capitals, the set behind a name that several sets
    have.
    """
    raw = lines_of(text_of_bytes(data, of_any=True)[0])
    lines = [line.strip() for line in raw]
    if len(lines) > MAX_LINES:
        raise Unreadable("too_large", f"The file has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    rows: list[Row] = []
    notes: list[str] = []
    unread: list[Unread] = []
    part = title = name = ""
    for place, line in enumerate(lines):
        if head := _HEAD.fullmatch(line):
            title = head["title"]
        elif (
            place
            and set(lines[place - 1]) == {"#"}
            and lines[place + 1 : place + 2]
            and set(lines[place + 1]) == {"#"}
            and line
        ):
            if not line.startswith("#"):
                part = line
            elif title and not name:
                name = words if (words := line.lstrip("# ").strip()) != NAMELESS else ""
        elif line.startswith("#"):
            words = raw[place].strip("\r\n").removeprefix("#").removeprefix(" ").rstrip()
            if line == "#" or (set(line) != {"#"} and not re.fullmatch(r"\([0-9]+\)", words.strip())):
                notes.append(words)
        elif line and len(line) > MAX_LINE:
            unread.append(
                Unread(
                    place + 1,
                    line[:MAX_LINE],
                    "line_too_long",
                    f"This line is longer than {MAX_LINE} characters.",
                    (),
                    "",
                )
            )
        elif line:
            card = _CARD.fullmatch(line)
            count, words, set_code = (
                (card["count"], card["name"], card["set"] or "") if card else ("", line, "")
            )
            rows.append(Row(Place(place + 1), count, words, part, set_code))
    return Parsed(
        tuple(rows),
        game_called("gccg", title),
        name,
        notes_field="\n".join(notes).strip("\n"),
        unread=tuple(unread),
    )


FORMAT = FileFormat(
    "gccg", "GCCG", ".deck", f"text/plain; charset={ENCODING}", write, reader("gccg", parse), ENCODING
)
