"""Sizes in the sentences of a page, which no line breaks."""

from __future__ import annotations

import re

# The spaces of “63.5 × 88.9 mm” and of “300 ppi”.
_WITHIN = re.compile(r"(?<=\d) (?=×|mm\b|ppi\b)|(?<=×) (?=\d)")


def unbroken(sentence: str) -> str:
    """The sentence with spaces inside its sizes that no line breaks at."""
    return _WITHIN.sub("\N{NO-BREAK SPACE}", sentence)
