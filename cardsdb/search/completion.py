"""What may be meant at the caret of a search box: fields, values and names that complete what stands there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cardsdb.games import games
from cardsdb.games.kit.model.text import fold
from cardsdb.models import EditionState
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.query.fields import Field, Fields
from cardsdb.search.query.normal_form import OPERATOR, quoted, written
from cardsdb.search.query.values import folded
from cardsdb.search.snapshots import cards_beginning, cards_named_like

MAX_COMPLETIONS = 10
# A shorter word is like too many names; so many are offered.
MIN_SLIP = 4
MAX_ALIKE = 5
# A longer text is a query by someone who needs no help.
MAX_TYPED = 300
_FIELD = re.compile(rf"-?([A-Za-z][A-Za-z0-9_-]*)(:|{OPERATOR})(\"?)([^\"]*)\Z")
_QUOTE = re.compile(r'(?<!\\)"')
_PLAIN = re.compile(r"[^\s()\":=<>!/-][^()\":=<>!]*\Z")


@dataclass(frozen=True, slots=True)
class Completion:
    """``text`` takes the place of what is typed from ``start`` to the caret. ``kind`` is field, value or card; ``label`` says more."""

    text: str
    label: str
    kind: str
    start: int


# A folded beginning and how many at most -> (name, what else to say).
Names = Callable[[str, int], Iterable[tuple[str, str]]]


def completions(typed: str, caret: int, fields: Fields, names: Names, alike: Names | None = None) -> list[Completion]:
    """At most ten. Values after an operator; else search words, then cards whose names begin so.

    ``alike`` gives cards whose names are like a misspelt one: they are offered where nothing begins so.
    """
    before = typed[: max(0, min(caret, len(typed)))]
    if len(before) > MAX_TYPED:
        return []
    start = _start_of_part(before)
    part = before[start:]
    if match := _FIELD.match(part):
        field = fields.get(match[1])
        return [] if field is None else list(_values(field, fields, match[4], start + match.start(3), names))[:MAX_COMPLETIONS]
    word = part.lstrip("-(")
    start += len(part) - len(word)
    found = list(_fields(word, fields, start)) if word else []
    found = [*found[:4], *_cards(before, start, word, names)][:MAX_COMPLETIONS]
    return found or (list(_likely_cards(before, start, word, alike)) if alike else [])


def _start_of_part(before: str) -> int:
    """Where the part that the caret stands in begins: after the last space or bracket that is not inside quotes."""
    quotes = [match.start() for match in _QUOTE.finditer(before)]
    limit = quotes[-1] if len(quotes) % 2 else len(before)
    return max(before.rfind(" ", 0, limit), before.rfind("(", 0, limit)) + 1


def _fields(word: str, fields: Fields, start: int) -> Iterator[Completion]:
    wanted = word.casefold().replace("-", "_")
    for field in fields:
        if any(spelling.startswith(wanted) for spelling in field.spellings):
            yield Completion(f"{field.word}{'>=' if field.kind == 'number' else ':'}", field.help, "field", start)


def _values(field: Field, fields: Fields, part: str, start: int, names: Names) -> Iterator[Completion]:
    wanted = folded(part)
    if field.kind == "name":
        yield from (Completion(quoted(name), more, "value", start) for name, more in names(wanted, MAX_COMPLETIONS))
        return
    known = [(word, word) for word in fields.askable(field.kind)] if field.kind in ("is", "has") else list(fields.values(field).items())
    # Numbers in their order, words as they are spelled; those that begin so stand first.
    by_number = field.kind == "number"
    matching = [
        (not value.startswith(wanted), int(value) if by_number and value.lstrip("-").isdigit() else 0, value, shown)
        for value, shown in known
        if wanted in value
    ]
    seen = set()
    for _, _, _, shown in sorted(matching):
        if shown not in seen:
            seen.add(shown)
            yield Completion(written(shown), field.title, "value", start)


def _cards(before: str, start: int, word: str, names: Names) -> Iterator[Completion]:
    """Cards by name. The words before this one may belong to the name too: the longest run that some name begins with."""
    if before[start - 1 : start] == "!" or word.startswith("!"):
        text = word.removeprefix("!").lstrip('"')
        yield from (Completion(f"!{quoted(name)}", more, "card", start) for name, more in names(fold(text), MAX_COMPLETIONS))
        return
    run = _PLAIN.search(before)
    starts = [start]
    if run:
        starts = sorted({run.start(), *(run.start() + match.end() for match in re.finditer(r"\s+", run[0]))})
    for first in starts:
        text = fold(before[first:])
        found = list(names(text, MAX_COMPLETIONS)) if text else []
        if found:
            yield from (Completion(f"!{quoted(name)}", more, "card", first) for name, more in found)
            return


def _likely_cards(before: str, start: int, word: str, alike: Names) -> Iterator[Completion]:
    """Cards with names like what is typed: like all the words before the caret, else like the last."""
    run = _PLAIN.search(before)
    # What stands behind an operator is no part of a name; an exclamation mark is typed again with the name.
    begin = run.start() if run and before[run.start() - 1 : run.start()] in ("", " ", "(", "-", "!") else start
    for first in sorted({begin - (before[begin - 1 : begin] == "!"), start}):
        text = fold(before[first:].lstrip('!"'))
        found = list(alike(text, MAX_ALIKE))[:MAX_ALIKE] if len(text) >= MIN_SLIP else []
        if found:
            yield from (Completion(f"!{quoted(name)}", more, "card", first) for name, more in found)
            return


# -- names of the catalogue ----------------------------------------------------------


def names_beginning(state: EditionState) -> Names:
    """For completing a name: names that begin so, each with its game."""
    return lambda text, limit: _with_games(cards_beginning(text, limit, state))


def likely_names(state: EditionState) -> Names:
    """For completing a misspelt name: names like it, each with its game."""
    return lambda text, limit: _with_games(cards_named_like(text, limit, state))


def _with_games(cards: Iterable[ListedCard]) -> list[tuple[str, str]]:
    known = games()
    return list(dict.fromkeys((card.name, known[card.game].name) for card in cards if card.game in known))
