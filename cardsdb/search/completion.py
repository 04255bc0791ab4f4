"""Completions at the caret of a search box: names that begin with what is typed there, values that continue
the word, then fields.

Who types a sentence wants no card that has one of its words in its name: the search itself is offered, with
what it is understood as.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from cardsdb.catalogue.current import catalogue, games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold, plural
from cardsdb.search.card_query import parse_query
from cardsdb.search.query.english import words_that
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import Field, folded
from cardsdb.search.query.tree import OPERATOR, quoted, written
from cardsdb.search.query.words import in_words
from cardsdb.search.results import results_of
from cardsdb.search.rewrite import rewrite_of

T = TypeVar("T")
# Words in their order, each with the place of what has it.
Words = list[tuple[str, int]]

# Completions in all, and values and fields among them where cards are offered too.
MAX_COMPLETIONS, MAX_VALUES, MAX_FIELDS = 10, 2, 3
# A shorter word begins too many values.
MIN_WORD = 2
# A shorter word is like too many names; of the names like a longer one so many are offered.
MIN_SLIP = 4
MAX_ALIKE = 5
# So many plain words are a sentence; a name must fit more than half of them.
MIN_SENTENCE = 3
SMALL_WORDS = words_that("small", "link", "article", "opener")
# A longer text is a query by someone who needs no help.
MAX_TYPED = 300
_FIELD = re.compile(rf"-?([A-Za-z][A-Za-z0-9_-]*)(:|{OPERATOR})(\"?)([^\"]*)\Z")
_QUOTE = re.compile(r'(?<!\\)"')
_PLAIN = re.compile(r"[^\s()\":=<>!/-][^()\":=<>!]*\Z")


@dataclass(frozen=True, slots=True)
class Completion:
    """``text`` takes the place of what is typed from ``start`` to the caret. ``kind`` is field, value, card
    or search; ``label`` says more.

    A ``search`` is all that is typed, as it is.
    """

    text: str
    label: str
    kind: str
    start: int


# A folded beginning and how many at most -> (name, label).
Names = Callable[[str, int], Iterable[tuple[str, str]]]
# A query -> how many cards it finds, and as what it is understood.
Searches = Callable[[str], str]


def completions(
    typed: str,
    caret: int,
    fields: Fields,
    names: Names,
    alike: Names | None = None,
    searches: Searches | None = None,
) -> list[Completion]:
    """At most ten. Values after an operator; else cards whose names begin so, values with a word that does,
    and search words.

    In the middle of a word nothing but a value can be completed. ``alike`` finds cards whose names are like a
    misspelt one: they are offered where nothing begins as typed. For a sentence there is what ``searches``
    says of it, and no search word.
    """
    before, behind = typed[: (place := max(0, min(caret, len(typed))))], typed[place : place + 1]
    if len(before) > MAX_TYPED:
        return []
    start = _start_of_part(before)
    part = before[start:]
    if match := _FIELD.match(part):
        field = fields.get(match[1])
        return (
            []
            if field is None
            else list(_values(field, fields, match[4], start + match.start(3), names))[:MAX_COMPLETIONS]
        )
    word = part.lstrip("-(")
    start += len(part) - len(word)
    if behind.strip(" )"):
        return []
    sentence = _sentence(before) if not typed[place:].strip() else []
    cards = [card for card in _cards(before, start, word, names) if _fits(card, before, sentence)]
    # Made one by one, as many as are offered.
    values = _continuing(word, fields, start) if len(word) >= MIN_WORD else iter(())
    of_fields = _fields(word, fields, start) if word else iter(())
    whole = []
    if sentence and searches:
        whole, is_plain = (
            [Completion(typed, searches(typed), "search", 0)],
            SMALL_WORDS.isdisjoint(map(fold, sentence)),
        )
        if not cards and is_plain and alike:
            cards = [
                card for card in _likely_cards(before, start, word, alike) if _fits(card, before, sentence)
            ]
        if cards or not is_plain:
            values, of_fields = (one for one in values if _begins_so(one, word)), iter(())
    few, fewer = (MAX_VALUES, MAX_FIELDS) if cards or whole else (MAX_COMPLETIONS, MAX_COMPLETIONS)
    others = [*whole, *islice(values, few), *islice(of_fields, fewer)]
    beginning = [*cards[: max(MAX_COMPLETIONS - len(others), 0)], *others][:MAX_COMPLETIONS]
    return beginning or (list(_likely_cards(before, start, word, alike)) if alike else [])


def _sentence(before: str) -> list[str]:
    """The plain words at the end, if they are a sentence."""
    run = _PLAIN.search(before)
    # What stands behind an operator is a value, and words in quotes are no sentence.
    beside = before[run.start() - 1 : run.start()] if run else '"'
    words = run[0].split()[beside not in ("", " ", "(") :] if run and beside != '"' else []
    return words if len(words) >= MIN_SENTENCE else []


def _fits(card: Completion, before: str, sentence: list[str]) -> bool:
    """Return whether the name of a card is likely meant by most of a sentence; of what is none it is in any
    case.
    """
    return not sentence or 2 * len(before[card.start :].split()) > len(sentence)


def _begins_so(value: Completion, word: str) -> bool:
    return folded(value.text.partition(":")[2].strip('"')).startswith(folded(word))


def _start_of_part(before: str) -> int:
    """Return where the part that the caret stands in begins: after the last space or bracket that is not
    inside quotes.
    """
    quotes = [match.start() for match in _QUOTE.finditer(before)]
    limit = quotes[-1] if len(quotes) % 2 else len(before)
    return max(before.rfind(" ", 0, limit), before.rfind("(", 0, limit)) + 1


def _fields(word: str, fields: Fields, start: int) -> Iterator[Completion]:
    spellings, known = fields.derived(_spellings)
    for field in _beginning(word.casefold().replace("-", "_"), spellings, known):
        yield Completion(f"{field.word}{'>=' if field.kind == 'number' else ':'}", field.help, "field", start)


def _continuing(word: str, fields: Fields, start: int) -> Iterator[Completion]:
    """Values with a word that begins so, each with its field."""
    typed, seen = folded(word), set()
    words, known = fields.derived(_words_of_values)
    for shown, field in _beginning(typed, words, known) if typed else ():
        if shown not in seen:
            seen.add(shown)
            yield Completion(f"{field.word}:{written(shown)}", field.title, "value", start)


def _beginning(typed: str, words: Words, known: Sequence[T]) -> Iterator[T]:
    """Return what of ``known`` has a word that begins so, in its own order. A look into the words' order,
    however many there are.
    """
    first = bisect_left(words, (typed, 0))
    behind = bisect_left(words, True, lo=first, key=lambda entry: not entry[0].startswith(typed))
    return (known[place] for place in sorted({place for _, place in words[first:behind]}))


def _spellings(fields: Fields) -> tuple[Words, tuple[Field, ...]]:
    known = tuple(fields)
    return sorted(
        (spelling, place) for place, field in enumerate(known) for spelling in field.spellings
    ), known


def _words_of_values(fields: Fields) -> tuple[Words, tuple[tuple[str, Field], ...]]:
    """Every value from each of its words on, and as shown with its field: types, then those of the fields
    with the fewest values.
    """
    by_field = [
        (field, fields.values(field))
        for field in fields
        if field.kind in ("word", "words") or field.word == "set"
    ]
    by_field = [(field, values) for field, values in by_field if not field.is_aside]
    by_field.sort(key=lambda pair: (pair[0].word != "type", len(pair[1])))
    known = [(value, shown, field) for field, values in by_field for value, shown in values.items()]
    words = [
        (f" {value}"[at.end() :], place)
        for place, (value, _, _) in enumerate(known)
        for at in re.finditer(" ", f" {value}")
    ]
    return sorted(words), tuple((shown, field) for _, shown, field in known)


def _values(field: Field, fields: Fields, part: str, start: int, names: Names) -> Iterator[Completion]:
    typed = folded(part)
    if field.kind == "name":
        yield from (
            Completion(quoted(name), more, "value", start) for name, more in names(typed, MAX_COMPLETIONS)
        )
        return
    known = (
        [(word, word) for word in fields.askable(field.kind)]
        if field.kind in ("is", "has")
        else list(fields.values(field).items())
    )
    # Numbers in their order, words by the alphabet; those that begin as typed come first.
    by_number = field.kind == "number"
    matching = [
        (
            not value.startswith(typed),
            int(value) if by_number and value.lstrip("-").isdigit() else 0,
            value,
            shown,
        )
        for value, shown in known
        if typed in value
    ]
    seen = set()
    for _, _, _, shown in sorted(matching):
        if shown not in seen:
            seen.add(shown)
            yield Completion(written(shown), field.title, "value", start)


def _cards(before: str, start: int, word: str, names: Names) -> Iterator[Completion]:
    """Cards whose names begin as typed. Words before this one may belong to the name: the longest run that
    begins a name counts.
    """
    if before[start - 1 : start] == "!" or word.startswith("!"):
        text = word.removeprefix("!").lstrip('"')
        yield from (
            Completion(f"!{quoted(name)}", more, "card", start)
            for name, more in names(fold(text), MAX_COMPLETIONS)
        )
        return
    run = _PLAIN.search(before)
    starts = [start]
    if run:
        starts = sorted({run.start(), *(run.start() + match.end() for match in re.finditer(r"\s+", run[0]))})
    for first in starts:
        text = fold(before[first:])
        matches = list(names(text, MAX_COMPLETIONS)) if text else []
        if matches:
            yield from (Completion(f"!{quoted(name)}", more, "card", first) for name, more in matches)
            return


def _likely_cards(before: str, start: int, word: str, alike: Names) -> Iterator[Completion]:
    """Cards with names like what is typed: like all the words before the caret, else like the last."""
    run = _PLAIN.search(before)
    # What stands behind an operator is no part of a name; an exclamation mark is typed again with the name.
    begin = (
        run.start() if run and before[run.start() - 1 : run.start()] in ("", " ", "(", "-", "!") else start
    )
    for first in sorted({begin - (before[begin - 1 : begin] == "!"), start}):
        text = fold(before[first:].lstrip('!"'))
        matches = list(alike(text, MAX_ALIKE))[:MAX_ALIKE] if len(text) >= MIN_SLIP else []
        if matches:
            yield from (Completion(f"!{quoted(name)}", more, "card", first) for name, more in matches)
            return


# -- names of the catalogue ----------------------------------------------------------


def games_asked_for(typed: str, caret: int) -> tuple[Game, ...]:
    """The games that the query asks for, left aside the part in which the caret stands: completions are for
    their cards. Empty for all.
    """
    start = _start_of_part(typed[:caret])
    if len(typed) > MAX_TYPED or not (typed[:start] + typed[caret:]).strip():
        return ()
    # Some word stands for that part, so that an "or" beside it still has two sides.
    return _games_in(f"{typed[:start]}x{typed[caret:]}")


def _games_in(text: str) -> tuple[Game, ...]:
    """The games that a query asks for."""
    asked_for = parse_query(text).controls.chosen.get("game", {})
    return tuple(game for game in games().values() if {game.slug, fold(game.name)} & asked_for.keys())


def names_beginning(games: Collection[Game] = ()) -> Names:
    """For completing a name: names that begin so, each with its game. ``games``: those whose cards count, all
    without any.
    """
    return lambda text, limit: _with_games(catalogue().beginning(text, limit, games))


def likely_names(games: Collection[Game] = ()) -> Names:
    """For completing a misspelt name: names like it, each with its game. ``games``: those whose cards count,
    all without any.
    """
    return lambda text, limit: _with_games(catalogue().named_like(text, limit, games))


def _with_games(cards: Iterable[Card]) -> list[tuple[str, str]]:
    known = games()
    return list(dict.fromkeys((card.name, known[card.game].name) for card in cards if card.game in known))


def searches_within(games: Collection[Game] = ()) -> Searches:
    """For offering a search: what it finds and how it is understood. ``games``: the one whose cards count;
    all without one.
    """

    def described(text: str) -> str:
        query = parse_query(text)
        results = results_of(narrowed := query.within(next(iter(games)) if len(games) == 1 else None))
        if rewrite := rewrite_of(narrowed, results.total):
            query, results = rewrite.query, rewrite.results
        found = f"{results.total:,} {plural(results.total, 'card')}" if results.total else "No card"
        return f"{found}: {in_words(query.query, query.fields)}"

    return described
