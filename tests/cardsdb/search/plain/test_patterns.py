"""The cut of a question into pieces: their kinds and words."""

import pytest

from tests.cardsdb.search.plain.steps import pieces


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("level 1 leaders", "size: level 1; phrase: leaders"),
        ("lvl1 leaders", "size: lvl 1; phrase: leaders"),
        ("agents with craft 4 or more", "phrase: agents; size: with craft 4 or more"),
        ("below level 5", "size: below level 5"),
        ("highest combat agents", "order: highest combat; phrase: agents"),
        ("sorted by craft highest first", "order: sorted by craft highest first"),
        ("cheapest gear", "order: cheapest; phrase: gear"),
        ("best agents", "praise: best; phrase: agents"),
        ("more craft than combat", "condition: more craft than combat"),
        ("craft higher than combat", "condition: craft higher than combat"),
        ("faction is not krypt", "condition: faction is not krypt"),
        ("get a card back", "phrase: get back"),
        ("agents with xyzzy", "phrase: agents; unknown: xyzzy"),
    ],
)
def test_a_question_is_cut_into_the_longest_pieces_that_mean_something(text, cut):
    assert "; ".join(f"{piece.kind}: {' '.join(piece.words)}" for piece in pieces(text)) == cut


@pytest.mark.parametrize(
    ("word", "most"),
    [("expensive", True), ("cheap", False), ("least expensive", False), ("least cheap", True)],
)
def test_the_least_of_a_price_turns_its_order(word, most):
    (order, _) = pieces(f"{word} gear")
    assert order.most is most
