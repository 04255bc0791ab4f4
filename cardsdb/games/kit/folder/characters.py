"""Characters that nobody can see: they come along when cells are copied, and no page, picture or feed can carry all of them."""

from __future__ import annotations

import re

# Controls but the line's end, halves of characters, what no letter is, and marks that turn the direction of writing.
UNPRINTABLE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]"
)


def unprintable(text: str) -> str:
    """A sentence about the first character that nobody can see, empty if there is none."""
    found = UNPRINTABLE.search(text)
    return f"holds an invisible character (U+{ord(found[0]):04X}); type it again" if found else ""
