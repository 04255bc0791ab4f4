"""Words of a list beside its cards: the marks behind a card, and what comments say of the deck.

Marks: ``2 Kai ^keep #blue #"late game" // for the last turns``.
Comments: ``// name: Night Watch``, ``// notes: a line of the author's notes``.
"""

import re
from dataclasses import dataclass, field, replace

from cardsdb.games.kit.model.decklist import NO_MARKS, Entry, Marks

MAX_NOTE, MAX_TAG, MAX_TAGS = 300, 40, 20
# Characters in which the prints of a line are written down.
MAX_PRINTS = 80
# Marks may begin behind a space or a bar, so that no name is cut in two; not between brackets, and not with a
# number, which is a print's.
_BEGIN = re.compile(
    r"[(\[][^()\[\]|]*[)\]]"
    r"|(?P<begin>(?:(?:^|\s)\|?|\|)\s*)(?=\^keep(?:\s|$)|#(?![0-9]+(?:/[0-9]+)?[,;]?(?:\s|$))|//)"
)
# Behind a bar they certainly begin, even if a name or a fact holds such characters.
_BEHIND_BAR = re.compile(r"\|\s*(?=\^keep(?:\s|$)|#|//)")
_MARK = re.compile(
    r"""[\s|]*(?: (?P<keep>\^keep)(?=\s|$)
                | \#"(?P<quoted>[^"]*)"
                | \#(?P<tag>[^\s"\#|]\S*)
                | //\s*(?P<note>.*)
                | \#(?P<remark>(?:\s(?!x?[0-9]+x?$).*)?)  # other tools' comments
             )""",
    re.VERBOSE | re.DOTALL,
)
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
CONTROL = "A note or a tag has a control character; type it again."
_PLAIN_TAG = re.compile(r'(?![0-9]+(?:/[0-9]+)?[,;]?$)[^\s"#|][^\s|]*')


def begin_of_marks(text: str) -> int:
    """The place in the text where marks may first begin; its length if there is none."""
    if "#" not in text and "//" not in text and "^" not in text:
        return len(text)
    return next((match.start() for match in _BEGIN.finditer(text) if match["begin"] is not None), len(text))


def behind_bar(text: str) -> tuple[str, str]:
    """(the text before marks that follow a bar, those marks)."""
    match = _BEHIND_BAR.search(text)
    return (text[: match.start()].rstrip(), text[match.end() :]) if match else (text, "")


def read_marks(text: str) -> Marks | None:
    """The marks that the text consists of; None if it is anything else."""
    note, tags, keep, place = "", [], False, 0
    if not (text := text.strip()):
        return NO_MARKS
    while place < len(text):
        mark = _MARK.match(text, place)
        if mark is None or mark.end() == place:
            return None
        place = mark.end()
        keep = keep or bool(mark["keep"])
        note = mark["note"] or note
        if tag := mark["quoted"] or mark["tag"]:
            tags.append(tag.strip())
    return Marks(note.strip(), tuple(dict.fromkeys(filter(None, tags))), keep)


def wrong_with(marks: Marks) -> str:
    """A sentence about the first mark that no deck has room for or no list can hold; empty if all may
    stay.
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
        return f"A tag has no quotation mark; write {quoted.replace(chr(34), chr(39))} instead."
    return ""


def has_control(text: str) -> bool:
    """True if the text holds what no list may hold: C0 controls except tab, or characters that turn or hide
    text.
    """
    return not text.isprintable() and bool(_CONTROL.search(text))


def joined(first: Entry, second: Entry) -> Entry:
    """Two lines that name one card put together: their copies, each with its print, and their marks."""
    count, one, other = first.count + second.count, first.marks, second.marks
    if one is other is NO_MARKS:
        return replace(first, count=count)
    notes = dict.fromkeys(note for note in (one.note, other.note) if note)
    tags = tuple(dict.fromkeys((*one.tags, *other.tags)))
    prints = one.prints.joined(first.count, other.prints, second.count)
    return replace(first, count=count, marks=Marks("; ".join(notes), tags, one.keep or other.keep, prints))


def marks_as_words(marks: Marks) -> list[str]:
    """The marks one by one, the note last."""
    words = ["^keep"] if marks.keep else []
    words += [
        f"#{tag}" if _PLAIN_TAG.fullmatch(tag) else f'#"{_one_line(tag).replace(chr(34), chr(39))}"'
        for tag in marks.tags
    ]
    return [*words, f"// {_one_line(marks.note)}"] if marks.note.strip() else words


def _one_line(text: str) -> str:
    return " ".join(text.split())


# -- comments ---------------------------------------------------------------------

_COMMENT = re.compile(
    r"(?://|#)\s*(?P<key>name|game|format|house|tags|notes|source|note)\s*(?P<mark>[:>]) ?(?P<value>.*)",
    re.IGNORECASE,
)
# A comment with any other word before a colon says something of the deck too, but only the notes have a place
# for it.
_OTHER = re.compile(r"//\s*(?P<words>[^\W\d_][\w-]{1,20}: \S.*)")


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a text such as ``a, b``."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))


@dataclass
class DeckComments:
    """The name, the format and so on by their keys; the notes line by line."""

    values: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def get(self, key: str) -> str:
        return self.values.get(key, "")

    @property
    def tags(self) -> tuple[str, ...]:
        return tags_of(self.get("tags"))

    def read(self, line: str) -> bool:
        """Store what the line says of the deck; False if it says nothing. ``// notes> more`` continues the
        line of notes above.
        """
        comment = _COMMENT.fullmatch(line) if line.startswith(("//", "#")) else None
        if comment is None:
            return False
        key, value = comment["key"].lower(), comment["value"].rstrip()
        if comment["mark"] == ">" and key != "notes":
            return False
        if comment["mark"] == ">" and self.notes:
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
