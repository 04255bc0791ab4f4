"""Draws from a seed are the same for ever and favour nothing; and the piles of a deck."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import shuffled
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.opening import default_opening, drawn


def test_a_draw_is_the_same_for_ever():
    # Pinned: a change of these numbers would break every seed that people have written down.
    assert [drawn(seed, "situation", 8) for seed in ("2026-11-21", "monday", "é")] == [1, 5, 0]
    assert shuffled("monday", "seats", 4) == (3, 0, 1, 2)


def test_draws_for_different_purposes_are_independent():
    assert len({drawn("monday", purpose, 10**9) for purpose in ("situation", "seats", "first player")}) == 3


@given(st.text(max_size=40), st.integers(1, 12))
def test_every_draw_is_one_of_the_things_and_every_shuffle_has_them_all(seed, things):
    assert 0 <= drawn(seed, "x", things) < things
    assert sorted(shuffled(seed, "x", things)) == list(range(things))


def test_no_thing_is_favoured():
    # Each of the eight is drawn about 1,000 times; 150 more or less would be five standard deviations.
    counts = Counter(drawn(f"seed {number}", "situation", 8) for number in range(8_000))
    assert min(counts.values()) > 850
    assert max(counts.values()) < 1_150


def test_in_a_game_without_an_opening_every_section_that_is_not_secret_is_a_pile(sixth_game):
    deck = read_deck(sixth_game, "2 Zorka\n1 Sealed Box").deck
    piles = sixth_game.piles_for("street", deck)
    assert [(pile.slug, pile.name, pile.first(deck)) for pile in piles] == [("deck", "Deck", 0)]
    assert "xfile" not in [pile.slug for pile in default_opening(games()["xfiles"].sections).piles]
