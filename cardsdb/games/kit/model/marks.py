"""Read and write the words of a list besides its cards: marks behind a card, and comments about the deck.

Marks: ``2 Kai ^keep #blue #"late game" // for the last turns``.
Comments: ``// name: Night Watch``, ``// notes: a line of the author's notes``.

``listtext`` calls this for each line of a list, ``decks/core/edits.py`` for what is typed in the editor.
Marks that ``wrong_with`` accepts must come back unchanged when they are written to a list and read again.
``Marks`` and ``Entry`` are defined in ``decklist.py``. ``listtext/deck.py`` collects ``DeckComments``.
Tests in ``tests/cardsdb/games/kit``: ``model/test_marks.py`` (refusals, comments, random marks written and
read again) and ``listtext/test_line.py`` (an example of each kind of mark, and of a remark).
"""

import re
from dataclasses import dataclass, field, replace

from cardsdb.games.kit.model.decklist import NO_MARKS, Entry, Marks
from cardsdb.games.kit.model.text import fold

# Most characters of a note.
MAX_NOTE = 300
# Most characters of a tag.
MAX_TAG = 40
# Most tags of one card.
MAX_TAGS = 20
# Most characters of the prints of one line, written as text.
MAX_PRINTS = 80
# Behind a ``#`` the number of a print, not a tag: ``12``, ``12/60``, ``12,``.
_NUMBER = "[0-9]+(?:/[0-9]+)?[,;]?"
# The place where marks begin, if the group ``begin`` is not None.
_BEGIN = re.compile(
    # Text in brackets is passed over: the marks of "Kai (http://a) // boss" begin behind the bracket.
    r"[(\[][^()\[\]|]*[)\]]"
    # Or a space, a bar or both, so that no name is cut in two ("Kai#a" has no marks) ...
    r"|(?P<begin>(?:(?:^|\s)\|?|\|)\s*)"
    # ... before one of these three.
    rf"(?=\^keep(?:\s|$)|#(?!{_NUMBER}(?:\s|$))|//)"
)
# After a bar, marks begin even if the name or a fact before it has such characters.
_BEHIND_BAR = re.compile(r"\|\s*(?=\^keep(?:\s|$)|#|//)")
# One mark, with any spaces and bars before it.
_MARK = re.compile(
    r"[\s|]*(?:(?P<keep>\^keep)(?=\s|$)"
    r'|#"(?P<quoted>[^"]*)"'
    r'|#(?P<tag>[^\s"#|]\S*)'
    # A note, like a remark, reaches to the end of the text.
    r"|//\s*(?P<note>.*)"
    # A remark of another program, "# foil": nothing is read from it. Of "# 2" and "# x2", which may mean
    # copies, only "#" is matched. So " 2" is left, which is no mark, and ``read_marks`` returns None.
    r"|#(?P<remark>(?:\s(?!x?[0-9]+x?$).*)?))",
    re.DOTALL,
)
# C0 controls except tab, delete, characters that turn the direction of text, and lone surrogates.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
CONTROL = "A note or a tag has a control character; type it again."
# A tag that needs no quotation marks: one word, and not like the number of a print.
_PLAIN_TAG = re.compile(rf'(?!{_NUMBER}$)[^\s"#|][^\s|]*')


def begin_of_marks(text: str) -> int:
    """Return the index in the text at which marks first may begin; its length if it has none. The space
    before them belongs to the marks: in "kai (on) ^keep" it is 8.
    """
    if "#" not in text and "//" not in text and "^" not in text:
        return len(text)
    return next((match.start() for match in _BEGIN.finditer(text) if match["begin"] is not None), len(text))


def behind_bar(text: str) -> tuple[str, str]:
    """Return (text before the marks that follow a bar, those marks); the marks are empty without a bar.
    "Kai | ^keep" -> ("Kai", "^keep")
    """
    match = _BEHIND_BAR.search(text)
    return (text[: match.start()].rstrip(), text[match.end() :]) if match else (text, "")


def read_marks(text: str) -> Marks | None:
    """Return the marks that the text consists of; None if it holds anything else. A note reaches
    to the end of the text.

    ``^keep #blue #"late game" // boss`` -> Marks("boss", ("blue", "late game"), keep=True)
    """
    text = text.strip()
    if not text:
        return NO_MARKS
    note, tags, keep = "", [], False
    place = 0
    while place < len(text):
        mark = _MARK.match(text, place)
        # An empty match would be tried again for ever.
        if mark is None or mark.end() == place:
            return None
        place = mark.end()
        keep = keep or bool(mark["keep"])
        note = mark["note"] or note
        if tag := mark["quoted"] or mark["tag"]:
            tags.append(tag.strip())
    return Marks(note.strip(), tuple(dict.fromkeys(filter(None, tags))), keep)


def marks_behind(text: str, folded: str, end: int) -> tuple[int, str]:
    """Return (index in the folded text at which marks begin behind ``end``, the marks as typed); (length of
    the folded text, "") if there are none that can be read.
    """
    begin = end + begin_of_marks(folded[end:])
    marks = unfolded(text, folded, begin) if begin < len(folded) else ""
    if marks and read_marks(marks) is not None:
        return begin, marks
    return len(folded), ""


def unfolded(text: str, folded: str, begin: int) -> str:
    """Return the words of the text, as typed, that stand after index ``begin`` of its folded form; empty if
    the words before it do not fold to the same.
    """
    words = text.split()
    before = len(folded[:begin].split())
    if fold(" ".join(words[:before])) != folded[:begin].rstrip():
        return ""
    return " ".join(words[before:])


def wrong_with(marks: Marks) -> str:
    """Return a sentence about the first mark that is too long or that no list can hold; empty if there is
    none.
    """
    if len(marks.note) > MAX_NOTE:
        return f"A card's note has at most {MAX_NOTE} characters; this one has {len(marks.note)}."
    if len(marks.tags) > MAX_TAGS:
        return f"A card has at most {MAX_TAGS} tags; these are {len(marks.tags)}."
    if long := next((tag for tag in marks.tags if len(tag) > MAX_TAG), ""):
        return f"A tag has at most {MAX_TAG} characters; “{long[:MAX_TAG]}…” has {len(long)}."
    if len(str(marks.prints)) > MAX_PRINTS:
        return (
            f"These are more prints than one line has room for: {len(marks.prints.named)}. Leave some open."
        )
    if any(map(has_control, (marks.note, *marks.tags))):
        return CONTROL
    if quoted := next((tag for tag in marks.tags if '"' in tag), ""):
        return f"A tag has no quotation mark; write {_unquoted(quoted)} instead."
    return ""


def has_control(text: str) -> bool:
    """True if the text has a character that lists may not have (see ``_CONTROL``)."""
    return not text.isprintable() and bool(_CONTROL.search(text))


def joined(first: Entry, second: Entry) -> Entry:
    """Return two entries of one card as one entry, with the copies, prints and marks of both."""
    count, ours, more = first.count + second.count, first.marks, second.marks
    # The usual case, quickly.
    if ours is more is NO_MARKS:
        return replace(first, count=count)
    notes = dict.fromkeys(note for note in (ours.note, more.note) if note)
    tags = tuple(dict.fromkeys((*ours.tags, *more.tags)))
    prints = ours.prints.joined(first.count, more.prints, second.count)
    return replace(first, count=count, marks=Marks("; ".join(notes), tags, ours.keep or more.keep, prints))


def marks_as_words(marks: Marks) -> list[str]:
    """Return the marks as they are written in a list, one text each, the note last. Prints are not among
    them.
    """
    words = ["^keep"] if marks.keep else []
    for tag in marks.tags:
        words.append(f"#{tag}" if _PLAIN_TAG.fullmatch(tag) else f'#"{_unquoted(_one_line(tag))}"')
    if marks.note.strip():
        words.append(f"// {_one_line(marks.note)}")
    return words


def _unquoted(tag: str) -> str:
    """Return the tag with apostrophes in place of quotation marks, which end a tag in a list."""
    return tag.replace('"', "'")


def _one_line(text: str) -> str:
    """Return the text with single spaces in place of line ends and tabs."""
    return " ".join(text.split())


# -- comments ---------------------------------------------------------------------

# ``// name: Night Watch`` or ``# tags: a, b``; ``// notes> more`` continues the line of notes before it.
_COMMENT = re.compile(
    r"(?://|#)\s*(?P<key>name|game|format|house|tags|notes|source|note)\s*(?P<mark>[:>]) ?(?P<value>.*)",
    re.IGNORECASE,
)
# A comment with any other word before a colon, such as ``// author: ann``. It becomes a line of the notes.
_OTHER = re.compile(r"//\s*(?P<words>[^\W\d_][\w-]{1,20}: \S.*)")


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags of a text such as ``a, b``, each once."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))


@dataclass
class DeckComments:
    """The comments about a deck, collected line by line: the only class here that changes. ``values``: key
    (name, game, format, house, tags) -> text. ``notes``: lines of notes.
    """

    values: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def get(self, key: str) -> str:
        return self.values.get(key, "")

    @property
    def tags(self) -> tuple[str, ...]:
        return tags_of(self.get("tags"))

    def read(self, line: str) -> bool:
        """Store a comment with a known key; False, and nothing stored, for any other line."""
        comment = _COMMENT.fullmatch(line) if line.startswith(("//", "#")) else None
        if comment is None:
            return False
        key, value = comment["key"].lower(), comment["value"].rstrip()
        continues = comment["mark"] == ">"
        if continues and key != "notes":
            return False
        if continues and self.notes:
            self.notes[-1] += f" {value}"
        elif key in ("notes", "note"):
            self.notes.append(value)
        elif key == "source":
            self.notes.append(f"source: {value}")
        else:
            self.values[key] = " ".join(value.split())
        return True

    def read_other(self, line: str) -> bool:
        """Store a comment with an unknown key as a line of the notes; False for any other line."""
        if comment := _OTHER.fullmatch(line):
            self.notes.append(comment["words"])
        return comment is not None
