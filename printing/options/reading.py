"""Read the values of options that are written as numbers or lists: ``values.py`` calls one function for each
kind of option. Lengths, papers and card sizes are read in ``sizes.py``, counts of cards in ``copies.py``.

``text`` is in lower case and has no spaces around it. The tests are in
``tests/printing/options/test_values.py``, which reads through the options.
"""

import re

from printing.options.sizes import read_length

# Slots on one sheet.
MAX_SLOTS = 500
# The ways to write a flag.
FLAGS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)
# Degrees or per cent, with at most two decimals: ``0.25°``, ``-1,5 degrees``, ``100.4 %``.
_HUNDREDTHS = re.compile(r"([+-]?[0-9]{0,3}(?:[.,][0-9]{1,2}0*)?)\s*(?:°|degrees|%|per ?cent)?")


def parts_of(text: str) -> list[str]:
    """The parts of a list with spaces, commas or semicolons between them."""
    return [part for part in re.split(r"[\s,;]+", text) if part]


def signed_number(text: str) -> int | None:
    """Read a whole number of at most six digits. None for other text."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) else None


def hundredths(text: str) -> int | None:
    """Read degrees or per cent into hundredths: ``1,5 degrees`` -> 150. None for text of another form; raises
    ValueError for a unit without a number.
    """
    match = _HUNDREDTHS.fullmatch(text)
    return round(float(match[1].replace(",", ".")) * 100) if match else None


def margins(text: str, least: int, most: int) -> tuple[int, ...]:
    """Read one length for all edges, or four: ``3 3 12,5 3``. Return four, in micrometres. Raises ValueError
    unless each is from ``least`` to ``most``.
    """
    # 1. Each unit is joined to its number: "3 mm, 12,5 mm" -> "3mm, 12,5mm".
    joined = re.sub(" (mm|in)", r"\1", text)
    # 2. Spaces and semicolons separate lengths. A comma does so only with a space behind it, else it is
    # decimal: "3, 12,5 3;3" -> "3", "12,5", "3", "3", but "3,12,5,3" is one part and no length.
    parts = re.split(r"[;,]? +|;", joined)
    lengths = [length for part in parts if (length := read_length(part)) is not None]
    allowed = all(least <= length <= most for length in lengths)
    if not allowed or len(lengths) != len(parts) or len(lengths) not in (1, 4):
        raise ValueError(text)
    return tuple(lengths if len(lengths) == 4 else lengths * 4)


def grid(text: str) -> tuple[int, int]:
    """Read ``2x5`` into (columns, rows). Raises ValueError."""
    match = re.fullmatch(r"([0-9]{1,3}) ?[x×] ?([0-9]{1,3})", text, re.ASCII)
    if not match or not 0 < int(match[1]) * int(match[2]) <= MAX_SLOTS:
        raise ValueError(text)
    return int(match[1]), int(match[2])


def places(text: str) -> tuple[int, ...]:
    """Read ``2,5, 7-9`` into sorted slot numbers, ``(2, 5, 7, 8, 9)``. Raises ValueError."""
    # Runs of spaces become one space first. Otherwise the search for " - " would take quadratic time in them.
    parts = parts_of(re.sub(" ?[-–] ?", "-", " ".join(text.split())))
    if len(parts) > MAX_SLOTS:
        raise ValueError(text)
    slots: set[int] = set()
    for part in parts:
        match = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MAX_SLOTS:
            raise ValueError(part)
        slots.update(range(first, last + 1))
    return tuple(sorted(slots))
