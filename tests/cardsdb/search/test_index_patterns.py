"""Regular expressions over many lines at once find the lines that each line by itself would have given."""

from __future__ import annotations

from array import array
from itertools import accumulate

import pytest
import re2
from cardsdb.search.index.patterns import certain_parts, lines_matching
from hypothesis import given, settings
from hypothesis import strategies as st

LINES = [["ab", "the van", "a1 b2", "x", "a", "bbb", "9 lives", "é (b)", "b_c"][n * n % 9] for n in range(400)]


def found(pattern: str, lines: list[str], among: list[int] | None = None) -> list[int]:
    data = b"".join(line.encode() + b"\n" for line in lines)
    starts = array("Q", accumulate((len(line.encode()) + 1 for line in lines), initial=0))
    return list(lines_matching(pattern, memoryview(data), starts, among))


def expected(pattern: str, lines: list[str]) -> list[int]:
    one = re2.compile(pattern)
    return [number for number, line in enumerate(lines) if one.search(line)]


PATTERNS = r"""a|b|^a$|^|$|^$||.|x*|[^a]|[^x]b|\s|\W|e\sv|\bvan\b|^.{3,}$|(?s)b.+|\Aa\z|b\z|[[:space:]]|[\x00-~]|\x0a|a\nb
|\d|\D{4}|(?i)VAN|\(b\)|b?_c|\pL|\Qa\E|[ab]+$|b\C""".replace("\n", "").split("|")
PATTERNS += ["a|b", "a(b|1)", "(a|^)b", "[\t-a]"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_finds_what_each_line_by_itself_gives(pattern: str) -> None:
    assert found(pattern, LINES) == expected(pattern, LINES)
    assert found(pattern, LINES, [0, 7, 11, 399]) == [number for number in expected(pattern, LINES) if number in (0, 7, 11, 399)]


PIECES = st.sampled_from(["a", "b", "the", " ", ".", "[ab]", "[^a]", "(b|van)", "(?:x|a)", "^", "$", r"\w", r"\s", r"\b", "|", "1"])
SIGNS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,1}", "{1,}"])


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(PIECES, SIGNS), min_size=1, max_size=6))
def test_any_pattern_finds_what_each_line_by_itself_gives(pieces: list[tuple[str, str]]) -> None:
    pattern = "".join(piece + (sign if piece not in "^$|\\b" else "") for piece, sign in pieces)
    wanted = expected(pattern, LINES)
    assert found(pattern, LINES) == wanted
    # What is certain must be in all that match.
    for part in certain_parts(pattern):
        assert all(part in LINES[number] for number in wanted), part


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("Vorka", {"vorka"}),
        ("^the .*van$", {"the", "van"}),
        ("colou?r", {"colo", "r"}),
        ("ab{0,3}c", {"a", "c"}),
        ("ab+c", {"ab", "c"}),
        ("a{x|b", set()),
        ("van|car", set()),
        ("x(van|car)y", {"x", "y"}),
        (r"a\.b\dc", {"a", "b", "c"}),
        ("[abc]d[]e]f", {"d", "f"}),
        ("(?i)van", set()),
        (r"\x41b", set()),
        ("é", set()),
    ],
)
def test_what_is_certain_in_a_pattern(pattern: str, parts: set[str]) -> None:
    assert certain_parts(pattern) == parts


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "a.*a.*a.*b", "(.*)*x", "[^b]*c"])
def test_a_pattern_that_takes_others_forever_is_answered(pattern: str) -> None:
    lines = ["a" * 2_000] * 500
    assert found(pattern, lines) == expected(pattern, lines)
