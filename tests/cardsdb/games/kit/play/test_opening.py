"""Draws from a seed: the same for ever, and none favoured."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit import shuffled
from cardsdb.games.kit.play.opening import drawn


def test_a_draw_is_the_same_for_ever() -> None:
    # Pinned: whoever changes these numbers breaks every seed that people have written down.
    assert [drawn(seed, "situation", 8) for seed in ("2026-11-21", "monday", "é")] == [1, 5, 0]
    assert shuffled("monday", "seats", 4) == (3, 0, 1, 2)


def test_purposes_are_drawn_apart() -> None:
    assert len({drawn("monday", purpose, 10**9) for purpose in ("situation", "seats", "first player")}) == 3


@given(st.text(max_size=40), st.integers(1, 12))
def test_every_draw_is_one_of_the_things_and_every_shuffle_has_them_all(seed: str, of: int) -> None:
    assert 0 <= drawn(seed, "x", of) < of
    assert sorted(shuffled(seed, "x", of)) == list(range(of))


def test_no_thing_is_favoured() -> None:
    counts = Counter(drawn(f"seed {number}", "situation", 8) for number in range(8_000))
    assert min(counts.values()) > 850
    assert max(counts.values()) < 1_150
