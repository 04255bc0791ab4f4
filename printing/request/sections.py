"""Which cards, as the form asks it: boxes for the sections of the lists, and a field for what is asked of them besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardsdb.games.kit.model.text import fold
from printing.options.table import Choice
from printing.request.selection import ALL, Listed, section_called, sections_and_rest


@dataclass(frozen=True, slots=True)
class Sections:
    """``boxes``: the sections that hold cards, with how many. ``ticked``: slugs of those that are wanted. ``typed``: a query, or a word."""

    boxes: tuple[Choice, ...] = ()
    ticked: tuple[str, ...] = ()
    typed: str = ""


def asked_in(only: str, lists: Sequence[Listed]) -> Sections:
    """What the option ``only`` says of these lists. A single section is no choice, so there are no boxes then."""
    named, rest = sections_and_rest(only, [one.game for one in lists])
    boxes = _boxes(lists)
    slugs = {section_called(one.game, words) for one in lists for words in named} - {""}
    # Also a section without cards, which is wanted though there is nothing in it.
    order = dict.fromkeys((*(box.value for box in boxes), *(section.slug for one in lists for section in one.game.sections)))
    return Sections(boxes, tuple(slug for slug in order if slug in slugs), "" if fold(rest) == ALL else rest)


def written(ticked: Iterable[str], typed: str, lists: Sequence[Listed]) -> str:
    """The option ``only`` in the one way there is to write it, from boxes and field."""
    also = asked_in(typed, lists)
    both = asked_in(",".join(filter(None, (*ticked, *also.ticked))), lists)
    every = both.boxes and {box.value for box in both.boxes} <= set(both.ticked)
    return "; ".join(filter(None, ("" if every else ",".join(both.ticked), also.typed)))


def _boxes(lists: Iterable[Listed]) -> tuple[Choice, ...]:
    counts: Counter[str] = Counter()
    names: dict[str, dict[str, None]] = {}
    for one in lists:
        for entry in one.in_order:
            section = one.game.sections_by_slug.get(entry.section)
            if section is not None:
                counts[section.slug] += entry.count
                names.setdefault(section.slug, {})[section.name] = None
    boxes = tuple(Choice(slug, f"{' / '.join(found)} ({counts[slug]})") for slug, found in names.items())
    return boxes if len(boxes) > 1 else ()
