"""The cut of a question into pieces: their kinds and words."""

import pytest

from tests.cardsdb.search.plain.steps import pieces
from tests.cardsdb.tables import pairs


@pytest.mark.parametrize(("text", "cut"), pairs("search/plain/cuts.csv"))
def test_a_question_is_cut_into_the_longest_pieces_that_mean_something(text, cut):
    assert "; ".join(f"{piece.kind}: {' '.join(piece.words)}" for piece in pieces(text)) == cut


@pytest.mark.parametrize(
    ("word", "most"),
    [("expensive", True), ("cheap", False), ("least expensive", False), ("least cheap", True)],
)
def test_the_least_of_a_price_turns_its_order(word, most):
    (order, _) = pieces(f"{word} gear")
    assert order.most is most
