"""Files of other programs as decks: the cards of a file become a list in our text form, which its author can
correct.

``decks/formats`` reads the file (``ReadFile``); this module turns what was read into text, judges it, and
reports what was lost (``Loss``). The import page uses ``import_file``; the API and the commands use
``judge_sent``, which takes plain text or a file; the check and the collection use ``foreign_list``. Lines
that the file's reader could not read stay in the text, in their section, so that nothing disappears unseen.
Nothing is stored here. Tests: ``tests/decks/importing/test_file_import.py``; ``judge_sent`` in
``tests/decks/management/commands/test_check_deck.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, NamedTuple

from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused, error_list
from cardsdb.games.kit import Game, plural, some
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.reading import Notice, Reading, Unread
from cardsdb.games.kit.listtext.rewriting import KEEP_UNKNOWN, with_corrections
from cardsdb.games.kit.model.marks import has_control
from decks.core.judging import Judged, OwnLookup, game_of, game_or_refuse, judge_text, no_own_cards
from decks.core.pasted_text import with_comments
from decks.core.used_format import LeagueLookup, format_or_refuse, no_leagues
from decks.formats import FORMATS, Loss, ReadFile, Unreadable, format_of, read_any
from decks.formats.files import text_or_refuse
from decks.formats.writing import cleaned

# Codes of faults that are found again when the list is read as our text.
_FOUND_AGAIN = ("unknown_card", "ambiguous")
# Unread lines that the report names; all of them are listed where they can be corrected.
MAX_UNREAD_REPORTED = 20
# Losses that the sentence about a file names before it only counts the rest.
MAX_NAMED = 3


def in_list(line: Unread | Notice) -> str:
    """Return the place of a line in our text of the list: ``line 7 of the list``."""
    return f"line {line.line} of the list"


class OurText(NamedTuple):
    """The list of a file in our text form.

    ``unread``: number of a line in ``text``, from 1 -> that line as the file's reader left it, with its place
    in the file. ``rewritten``: False if the text is the file itself, so that line numbers agree.
    """

    text: str
    unread: Mapping[int, Unread]
    rewritten: bool = True

    def placed(self, judged: Judged) -> Judged:
        """Return the verdict on this text with unread lines named as they are in the file, at their place in
        the file.
        """
        if not self.rewritten:
            return judged
        notices = tuple(replace(notice, where=in_list(notice)) for notice in judged.reading.notices)
        reading = replace(judged.reading, unread=tuple(map(self._placed, judged.unread)), notices=notices)
        return replace(judged, reading=reading)

    def _placed(self, line: Unread) -> Unread:
        """Return an unread line with the place, and where needed the fault, that it has in the file."""
        in_file = self.unread.get(line.line)
        if in_file is None:
            return replace(line, where=in_list(line))
        # The text has the fault of the file, so its own message holds. Only a bad count is another one there.
        if in_file.code in (*_FOUND_AGAIN, line.code) and in_file.code != "bad_count":
            return replace(line, where=in_file.where)
        # The fault is in the file only; the text shows a stand-in such as ``0 Kai`` (``_keep_refused``).
        return replace(line, code=in_file.code, message=in_file.message, where=in_file.where)


def as_text(read: ReadFile, *, whole: bool = False) -> OurText:
    """Write what was read as our text, with every unread line in its section, so that it can be corrected
    there.

    ``whole``: include name, notes, comments and tags. The import form has fields of its own for these.
    """
    if read.text:
        return OurText(read.text, {}, rewritten=False)
    reading: Reading = cleaned(read.reading)
    game, written = read.game, replace(reading, unread=())
    if not whole:
        deck = replace(reading.deck, name="")
        written = replace(written, deck=deck, notes="", comments=(), tags=())
    lines: list[str] = []
    numbered: dict[int, Unread] = {}

    def add(unread: Iterable[Unread]) -> None:
        """Add the lines and note their numbers in the text, which begin at 1."""
        for line in unread:
            numbered[len(lines) + 1] = line
            lines.extend(line.text.split("\n"))

    # Unread lines without a section come first: above the first heading, lines are put into the section of
    # their card's type when they are read again.
    add(line for line in reading.unread if line.section not in game.sections_by_slug)
    lines += [""] if lines else []
    # Then the cards that were read, then the other unread lines, each under the heading of its section.
    text, _ = FORMATS["text"].write(game, written)
    lines += text.strip("\n").split("\n")
    for section in game.sections:
        if of_section := [line for line in reading.unread if line.section == section.slug]:
            lines += ["", f"{section.name}:"]
            add(of_section)
    _keep_refused(game, lines, numbered)
    return OurText("\n".join(lines).strip("\n") + "\n", numbered)


def _keep_refused(game: Game, lines: list[str], numbered: Mapping[int, Unread]) -> None:
    """Change lines that the file's reader refused but that would be read as text, so that they stay refused.

    Such a line becomes ``0 <name>``: a file with a broken count may name “2x Kai”, which as text would be two
    copies.
    """
    refused = {number for number, line in numbered.items() if line.code not in _FOUND_AGAIN}
    if not refused:
        return
    try:
        refused_again = {line.line for line in read_deck(game, "\n".join(lines)).unread}
    except ListTooLarge:
        return
    for number in refused - refused_again:
        # Behind the count; "|" would write a card in.
        name = lines[number - 1].partition(" ")[2].replace("|", "¦").strip()
        lines[number - 1] = f"0 {name or '(no name)'}"


def reading_losses(read: ReadFile, *, whole: bool = False) -> tuple[Loss, ...]:
    """Return the losses that the reading reports: comments that were moved, rows that were set aside.
    ``whole``: as in ``as_text``, where comments stay comments.
    """
    losses = []
    count = len(read.reading.comments)
    if count and not whole:
        message = f"{some(count, 'comment')} {plural(count, 'was', 'were')} put into the notes."
        losses.append(Loss("comments_moved", message))
    if not read.text:
        losses += [Loss("set_aside", notice.message, notice.place) for notice in read.reading.notices]
    return tuple(losses)


class FileList(NamedTuple):
    """The list of a file: what was read, its text in our form, and everything that was lost."""

    read: ReadFile
    written: OurText
    losses: tuple[Loss, ...]

    @classmethod
    def of(cls, read: ReadFile, *, whole: bool = False) -> "FileList":
        losses = (*read.losses, *reading_losses(read, whole=whole))
        return cls(read, as_text(read, whole=whole), losses)

    @property
    def game(self) -> Game:
        return self.read.game

    @property
    def text(self) -> str:
        return self.written.text

    @property
    def taken_for(self) -> str:
        """The file format in words: ``OCTGN``, ``Plain text, as Arena writes it``."""
        title, dialect = FORMATS[self.read.format].title, self.read.dialect
        return f"{title}, as {dialect} writes it" if dialect else title

    @property
    def words(self) -> str:
        """The sentence for the visitor: ``Read as a file of Cockatrice. 2 things were set aside: ...``"""
        words = [f"Read as a file of {self.taken_for}."]
        words += [
            loss.message + (f" ({loss.where})" if loss.where else "") for loss in self.losses[:MAX_NAMED]
        ]
        if more := self.losses[MAX_NAMED:]:
            words.append(f"And {some(len(more), 'thing')} more.")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        return {"taken_for": self.taken_for, "losses": error_list(self.losses)}


class FileImport(NamedTuple):
    """A file that was read and judged. Its text is the whole list, including the lines that were not
    understood.
    """

    of_file: FileList
    judged: Judged
    filename: str = ""

    @property
    def reading(self) -> Reading:
        return self.of_file.read.reading

    @property
    def name(self) -> str:
        """The name of the deck, else that of the file without its ending: ``my_deck.o8d`` -> "my deck"."""
        file = PurePath(self.filename.replace("\\", "/")).name.partition(".")[0].replace("_", " ")
        return " ".join((self.reading.deck.name or file).split())

    @property
    def notes(self) -> str:
        """The author's notes, followed by the comments of the file, which a deck has no other place for."""
        return with_comments(self.reading.notes, self.reading)

    def as_json(self) -> dict[str, Any]:
        read = self.of_file.read
        return {
            "taken_for": picked(read, "format", "dialect") | {"title": FORMATS[read.format].title},
            "game": read.game.slug,
            "name": self.name,
            "notes": self.notes,
            "tags": list(self.reading.tags),
            "house": self.judged.house,
            "text": self.of_file.text,
            "losses": error_list(self.of_file.losses),
            "report": self.judged.as_json(),
        }


def read_file(game: Game | None, data: bytes, filename: str = "", format: str = "") -> ReadFile:
    """Read a file in this format, by default in the one that it looks like. Raise Refused if that fails.

    ``game``: None if the file says which game it is for.
    """
    if format and format not in FORMATS:
        sentence = f"There is no file format “{format[:40]}”. Formats: {', '.join(FORMATS)}."
        raise Refused(Fault("unknown_format", sentence, "from"))
    return read_any(game, data, filename, format, games())


def import_file(
    game: Game | None,
    data: bytes,
    filename: str = "",
    taken_for: str = "",
    format: str = "",
    leagues: LeagueLookup = no_leagues,
    own: OwnLookup = no_own_cards,
) -> FileImport:
    """Read and judge a file. ``taken_for``: the file format, ``format``: the deck's format; by default both
    are found in the file. Raise Refused if the file cannot be read.
    """
    read = read_file(game, data, filename, taken_for)
    file = FileList.of(read)
    chosen = format_or_refuse(read.game, format)
    judged = judge_text(read.game, file.text, chosen, own(read.game), leagues=leagues)
    return FileImport(file, file.written.placed(judged), filename)


def foreign_list(data: bytes, filename: str = "", game: str = "") -> FileList | None:
    """Return the list in a file of another program, with its name and notes; None if the data is plain text,
    which is read line by line.

    ``game``: a slug, or empty if the file says it. Raise Refused for a file that is damaged, too large or not
    a deck.
    """
    try:
        format = format_of(data, filename)
    except Unreadable as error:
        if error.code == "not_a_deck" and _is_text(data):
            # Text may begin like another kind of file: a list named “MZ” looks like a Windows program.
            return None
        where = "text" if error.where == "file" else error.where
        raise Refused(Fault(error.code, error.message, where)) from None
    if format == "text" or not data.strip():
        return None
    chosen = game_or_refuse(game, games()) if game else None
    return FileList.of(read_file(chosen, data, filename, format), whole=True)


class SentList(NamedTuple):
    """The verdict on a list. ``of_file``: the file of another program that held the list, None for plain
    text.
    """

    judged: Judged
    of_file: FileList | None = None

    def as_json(self) -> dict[str, Any]:
        return self.judged.as_json() | ({"of_file": self.of_file.as_json()} if self.of_file else {})


def judge_sent(
    data: bytes,
    game: str = "",
    format: str = "",
    house: str = "",
    leagues: LeagueLookup = no_leagues,
    own: OwnLookup = no_own_cards,
    filename: str = "",
) -> SentList:
    """Judge a plain list, or a list in a file of another program. Game and format are slugs, or empty to be
    guessed. ``own``: finds further cards that the list may name.

    Raise OpenGame if the game stays open, and Refused for unknown slugs and as ``foreign_list`` and
    ``judge_text`` do.
    """
    file = foreign_list(data, filename, game)
    text = file.text if file else text_or_refuse(data)
    # ``why``: the reason for a guessed game.
    chosen, why = (file.game, "") if file else game_of(text, game, games())
    judged = judge_text(chosen, text, format_or_refuse(chosen, format), own(chosen), house, leagues)
    judged = replace(judged, game_guessed=why)
    return SentList(file.written.placed(judged) if file else judged, file)


def _is_text(data: bytes) -> bool:
    """True if the bytes are UTF-8 text without control characters other than line ends."""
    try:
        return not has_control(data.decode("utf-8-sig").replace("\r", "").replace("\n", " "))
    except UnicodeDecodeError:
        return False


def loss_report(losses: Sequence[Loss], judged: Judged | None) -> list[Loss]:
    """Return the report for the visitor: what was lost from the file, what was set aside in the list, and the
    unread lines. Only the first ``MAX_UNREAD_REPORTED`` unread lines are named.
    """
    if judged is None:
        return list(losses)
    aside = [Loss("set_aside", notice.message, notice.where or in_list(notice)) for notice in judged.notices]
    unread = [
        Loss("not_read", f"“{line.text[:80]}” was not read: {line.message}", line.where or in_list(line))
        for line in judged.unread
    ]
    if (more := len(unread) - MAX_UNREAD_REPORTED) > 0:
        message = f"… and {some(more, 'line')} more that {plural(more, 'was', 'were')} not read."
        unread[MAX_UNREAD_REPORTED:] = [Loss("not_read", message)]
    return [*losses, *aside, *unread]


def with_unknown_kept(game: Game, text: str, unread: tuple[Unread, ...]) -> str:
    """Return the list with its unknown cards marked as unknown, so that they are kept in the deck."""
    return with_corrections(game, text, {line.line: KEEP_UNKNOWN for line in unread if line.may_stay_unknown})
