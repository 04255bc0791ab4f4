"""What a list says of itself in comments: ``// name: Night Watch``, ``// notes: a line of the author's notes``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COMMENT = re.compile(r"(?://|#)\s*(?P<key>name|format|house|tags|notes|source|note)\s*(?P<mark>[:>]) ?(?P<value>.*)", re.IGNORECASE)
# Any other word with a colon says something of the deck too, that has its place in the notes alone.
_OTHER = re.compile(r"//\s*(?P<said>[^\W\d_][\w-]{1,20}: \S.*)")


@dataclass
class Said:
    """The name, the format and so on by their keys; the notes line by line."""

    values: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def get(self, key: str) -> str:
        return self.values.get(key, "")

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tag for tag in map(str.strip, self.get("tags").split(",")) if tag))

    def read(self, line: str) -> bool:
        """Whether the line says something of the deck; then it is kept. ``// notes> more`` goes on with the line of notes above."""
        said = _COMMENT.fullmatch(line)
        if said is None:
            return False
        key, value = said["key"].lower(), said["value"].rstrip()
        if said["mark"] == ">" and key != "notes":
            return False
        if said["mark"] == ">" and self.notes:
            self.notes[-1] += f" {value}"
        elif key in ("notes", "note"):
            self.notes.append(value)
        elif key == "source":
            self.notes.append(f"source: {value}")
        else:
            self.values[key] = " ".join(value.split())
        return True

    def read_other(self, line: str) -> bool:
        """Whether the line is a comment with a key that nobody knows; then it is kept as a line of the notes."""
        if said := _OTHER.fullmatch(line):
            self.notes.append(said["said"])
        return said is not None
