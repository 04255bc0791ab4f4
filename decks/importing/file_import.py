"""A file of any program as a deck that its author can still change: its list as our text, its notes and tags,
what was lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused, error_list
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.reading import Notice, Unread
from cardsdb.games.kit.listtext.rewriting import KEEP_UNKNOWN, with_correction
from cardsdb.games.kit.model.text import plural, some
from decks.core.judging import Judged, OwnLookup, judge_by_house, judge_text, nobodys
from decks.core.used_format import LeagueLookup, format_or_refuse, no_leagues
from decks.formats import FORMATS, Loss, ReadFile, read_any
from decks.formats.writing import cleaned

# Codes of faults that reading the list again finds again.
_FOUND_AGAIN = ("unknown_card", "ambiguous")
# Unread lines that the report names; all of them are listed where they can be corrected.
MAX_UNREAD_REPORTED = 20


@dataclass(frozen=True, slots=True)
class FileImport:
    """What was read of a file, judged. ``text``: its whole list, with the lines that were not understood.
    Nothing is stored.
    """

    read: ReadFile
    text: str
    losses: tuple[Loss, ...]
    judged: Judged
    house: str = ""
    filename: str = ""

    @property
    def name(self) -> str:
        """The deck's name; in formats without names that of the file, without its ending."""
        name = self.read.reading.deck.name or PurePath(self.filename.replace("\\", "/")).name.partition(".")[
            0
        ].replace("_", " ")
        return " ".join(name.split())

    @property
    def taken_for(self) -> str:
        return kind_of_file(self.read)

    @property
    def notes(self) -> str:
        """The author's notes and the file's comments, which a deck has no other place for."""
        return "\n".join(filter(None, (self.read.reading.notes, *self.read.reading.comments)))

    def as_json(self) -> dict[str, Any]:
        reading = self.read.reading
        return {
            "taken_for": {
                "format": self.read.format,
                "title": FORMATS[self.read.format].title,
                "dialect": self.read.dialect,
            },
            "game": self.read.game.slug,
            "name": self.name,
            "notes": self.notes,
            "tags": list(reading.tags),
            "house": self.house,
            "text": self.text,
            "losses": error_list(self.losses),
            "report": self.judged.as_json(),
        }


def kind_of_file(read: ReadFile) -> str:
    """``OCTGN``, ``Plain text, as Arena writes it``."""
    title = FORMATS[read.format].title
    return f"{title}, as {read.dialect} writes it" if read.dialect else title


def read_file(game: Game | None, data: bytes, filename: str = "", format: str = "") -> ReadFile:
    """Read a file of this format, by default of whichever it looks like. Raises Refused with what is wrong
    with it.
    """
    if format and format not in FORMATS:
        known = ", ".join(FORMATS)
        raise Refused(
            Fault("unknown_format", f"There is no file format “{format[:40]}”. Formats: {known}.", "from")
        )
    return read_any(game, data, filename, format, games())


def import_file(
    game: Game | None,
    data: bytes,
    filename: str = "",
    taken_for: str = "",
    format: str = "",
    leagues: LeagueLookup = no_leagues,
    own: OwnLookup = nobodys,
) -> FileImport:
    """Read and judge a file. ``taken_for``: its file format, by default the one it looks like. Raises
    Refused.
    """
    read = read_file(game, data, filename, taken_for)
    chosen = format_or_refuse(read.game, format)
    written = as_text(read)
    text, also = written.text, tuple(own(read.game))
    judged = judge_by_house(judge_text(read.game, text, chosen, also), read.reading.house, leagues)
    judged = written.placed(judged)
    return FileImport(read, text, (*read.losses, *reading_losses(read)), judged, judged.house, filename)


@dataclass(frozen=True, slots=True)
class OurText:
    """The list of a file as our text. ``unread``: the line of it -> what the file's reader said of that line,
    with its place in the file.

    ``rewritten``: its lines are not those of the file.
    """

    text: str
    unread: Mapping[int, Unread]
    rewritten: bool = True

    def placed(self, judged: Judged) -> Judged:
        """The verdict on this text, every line in the words and at the place of the file."""
        if not self.rewritten:
            return judged
        notices = tuple(replace(notice, where=f"line {notice.line} of the list") for notice in judged.notices)
        return replace(judged, unread=tuple(map(self._placed, judged.unread)), notices=notices)

    def _placed(self, line: Unread) -> Unread:
        told = self.unread.get(line.line)
        if told is None:
            return replace(line, where=f"line {line.line} of the list")
        if told.code in (*_FOUND_AGAIN, line.code) and told.code != "bad_count":
            return replace(line, where=told.where)
        return replace(line, code=told.code, message=told.message, where=told.where)


def as_text(read: ReadFile, *, whole: bool = False) -> OurText:
    """The list as our text, with every unread line in its place, so that it can be corrected there.

    ``whole``: with the name, the notes and all else that the list says, for which a form has fields of its
    own.
    """
    if read.text:
        return OurText(read.text, {}, rewritten=False)
    reading, game = cleaned(read.reading), read.game
    written = replace(reading, unread=())
    if not whole:
        written = replace(
            written, deck=replace(reading.deck, name=""), notes="", comments=(), tags=(), house=""
        )
    by_section: dict[str, list[Unread]] = {}
    for unread in reading.unread:
        by_section.setdefault(unread.section if unread.section in game.sections_by_slug else "", []).append(
            unread
        )
    # Lines above the first heading belong where their cards' types do.
    lines: list[str] = []
    numbered: dict[int, Unread] = {}
    _add(lines, numbered, "", by_section.get("", []))
    lines += FORMATS["text"].write(game, written)[0].strip("\n").split("\n")
    for section in game.sections:
        _add(lines, numbered, section.name, by_section.get(section.slug, []))
    _keep_refused(game, lines, numbered)
    return OurText("\n".join(lines).strip("\n") + "\n", numbered)


def _add(lines: list[str], numbered: dict[int, Unread], heading: str, unread: Sequence[Unread]) -> None:
    """Add a block of lines that were not read."""
    if not unread:
        return
    lines += ["", f"{heading}:"] if heading else []
    for line in unread:
        numbered[len(lines) + 1] = line
        lines += line.text.split("\n")
    lines += [] if heading else [""]


def _keep_refused(game: Game, lines: list[str], numbered: Mapping[int, Unread]) -> None:
    """Write 0 copies where a line that the file's reader refused would be read in a list, as “2x Kai” of a
    broken count would.
    """
    refused = {number: line for number, line in numbered.items() if line.code not in _FOUND_AGAIN}
    if not refused:
        return
    try:
        again = {line.line for line in read_deck(game, "\n".join(lines)).unread}
    except ListTooLarge:
        return
    for number in refused.keys() - again:
        name = lines[number - 1].partition(" ")[2].replace("|", "¦").strip()
        lines[number - 1] = f"0 {name or '(no name)'}"


def reading_losses(read: ReadFile, *, whole: bool = False) -> tuple[Loss, ...]:
    """What was set aside row by row. ``whole``: as in ``as_text``."""
    count = 0 if whole else len(read.reading.comments)
    comments = (
        (
            Loss(
                "comments_moved",
                f"{some(count, 'comment')} {plural(count, 'was', 'were')} put into the notes.",
            ),
        )
        if count
        else ()
    )
    if read.text:
        return comments
    return (*comments, *(Loss("set_aside", notice.message, notice.place) for notice in read.reading.notices))


def loss_report(losses: Sequence[Loss], judged: Judged | None) -> list[Loss]:
    """The report: what was lost from the file, what was set aside in its list, and which lines were not
    read.
    """
    if judged is None:
        return list(losses)
    aside = [Loss("set_aside", notice.message, _place(notice)) for notice in judged.notices]
    unread = [
        Loss("not_read", f"“{line.text[:80]}” was not read: {line.message}", _place(line))
        for line in judged.unread
    ]
    more = len(unread) - MAX_UNREAD_REPORTED
    rest = (
        [Loss("not_read", f"… and {some(more, 'line')} more that {plural(more, 'was', 'were')} not read.")]
        if more > 0
        else []
    )
    return [*losses, *aside, *unread[:MAX_UNREAD_REPORTED], *rest]


def _place(line: Unread | Notice) -> str:
    return line.where or f"line {line.line} of the list"


def with_unknown_kept(game: Game, text: str, unread: tuple[Unread, ...]) -> str:
    """The list in which every line of an unknown card is marked as one, so that it is kept."""
    for line in unread:
        if line.may_stay_unknown:
            text = with_correction(game, text, line.line, KEEP_UNKNOWN)
    return text
