"""Regular expressions over many lines at once find the lines that each line by itself would have given."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import pytest
import re2
from cardsdb.search.engine.postings import Cache, Lines, Postings
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

LINES = [
    ["ab", "the van", "a1 b2", "x", "a", "bbb", "9 lives", "é (b)", "b_c"][n * n % 9] for n in range(400)
]


def matching_lines(pattern: str, lines: list[str], among: list[int] | None = None) -> list[int]:
    return list(Lines(lines).matching(pattern, among))


def expected(pattern: str, lines: list[str]) -> list[int]:
    one = re2.compile(pattern)
    return [number for number, line in enumerate(lines) if one.search(line)]


PATTERNS = r"""a|b|^a$|^|$|^$||.|x*|[^a]|[^x]b|\s|\W|e\sv|\bvan\b|^.{3,}$|(?s)b.+|\Aa\z|b\z|[[:space:]]|[\x00-~]|\x0a|a\nb
|\d|\D{4}|(?i)VAN|\(b\)|b?_c|\pL|\Qa\E|[ab]+$|b\C""".replace("\n", "").split("|")
PATTERNS += ["a|b", "a(b|1)", "(a|^)b", "[\t-a]"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_finds_what_each_line_by_itself_gives(pattern: str) -> None:
    assert matching_lines(pattern, LINES) == expected(pattern, LINES)
    assert matching_lines(pattern, LINES, [0, 7, 11, 399]) == [
        number for number in expected(pattern, LINES) if number in (0, 7, 11, 399)
    ]


PIECES = st.sampled_from(
    ["a", "b", "the", " ", ".", "[ab]", "[^a]", "(b|van)", "(?:x|a)", "^", "$", r"\w", r"\s", r"\b", "|", "1"]
)
SIGNS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,1}", "{1,}"])


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(PIECES, SIGNS), min_size=1, max_size=6))
def test_any_pattern_finds_what_each_line_by_itself_gives(pieces: list[tuple[str, str]]) -> None:
    pattern = "".join(piece + (sign if piece not in "^$|\\b" else "") for piece, sign in pieces)
    assert matching_lines(pattern, LINES) == expected(pattern, LINES)


WORDS = {"van": [0, 2], "vans": [1], "ivan": [2, 3], "é": [4], "common": list(range(200)), "": [9]}


def postings_of_words() -> Postings:
    return Postings.of({word: array("I", cards) for word, cards in WORDS.items()}, Cache(200))


@pytest.mark.parametrize("part", ["van", "v", "an", "é", "m", "x", "vans", "s"])
def test_a_part_finds_the_cards_of_all_values_that_have_it(part: str) -> None:
    postings = postings_of_words()

    def cards_with(holds: Callable[[str, str], bool]) -> set[int]:
        return {card for word, cards in WORDS.items() if holds(word, part) for card in cards}

    assert set(postings.cards_containing(part)) == cards_with(str.__contains__)
    assert set(postings.cards_of_any(postings.beginning_with(part))) == cards_with(str.startswith)
    assert set(postings.cards_containing(f"{part}\n")) == cards_with(str.endswith)


def test_a_value_is_known_by_its_number() -> None:
    postings = postings_of_words()
    assert postings.values == sorted(WORDS)
    for number, value in enumerate(postings.values):
        assert postings.number(value) == number
        assert (list(postings.cards(number)), postings.count(number)) == (WORDS[value], len(WORDS[value]))
    assert postings.number("va") is None
    assert set(postings.all_cards()) == {card for cards in WORDS.values() for card in cards}


def test_lines_keep_any_text() -> None:
    texts = ["", "é", "\ud800", "a\nb", "x" * 300]
    lines = Lines(texts)
    assert list(lines) == texts
    assert list(lines.containing("b")) == [3]
    assert set(lines.containing_among("x", range(4))) == set()


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "a.*a.*a.*b", "(.*)*x", "[^b]*c"])
def test_a_pattern_that_takes_others_forever_is_answered(pattern: str) -> None:
    lines = ["a" * 2_000] * 500
    assert matching_lines(pattern, lines) == expected(pattern, lines)


def test_bitmaps_are_kept_within_a_bound() -> None:
    cache, made = Cache(8_000, 10_000), list[int]()
    for number in (1, 2, 1, 3, 4, *range(5, 100)):
        assert cache.get(number, lambda number=number: made.append(number) or BitMap([number])) == BitMap(
            [number]
        )
        assert len(cache._made) * 1_000 <= 10_000
    assert made == list(range(1, 100)), "what is asked for again is there"
