"""The backs of cards: one for each deck of a game, drawn by us, and alike even if the cut is off."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import ImageStat

from cardsdb.games import games
from cardsdb.games.kit.print.face import Back, back_for
from printing.faces import colours, fonts
from printing.faces.backs import PROXY, back_of_game
from printing.faces.strokes import Line, Path, Rect
from printing.render.png import card_image
from tests.support.drawings import CREDIT, runs, words_of

TRIMS = [
    (63_500, 88_900),
    (63_000, 88_000),
    (44_000, 68_000),
    (70_000, 70_000),
    (69_850, 120_650),
    (88_900, 63_500),
]
# (game, a type of card) for every back of every game. An empty type asks for the game's own back.
ALL = [(slug, back.types[0] if back.types else "") for slug, game in games().items() for back in game.backs]


# The bleed of the backs, in micrometres.
BLEED = 3_000
# All words stand in the field of paper, whose edge is further from the cut than this on the smallest card.
CLEAR = 5_000
# No type is smaller than five points on a card as wide as that of poker; it shrinks with a narrower card.
LEAST_TYPE = fonts.micrometres(50)
POKER_WIDTH = 63_500
# A line this near to an edge shows that the cut is off, if it runs along a third of the card.
NEAR = 2_000


@pytest.mark.parametrize("slug", list(games()))
def test_each_type_is_named_by_one_back_at_most(slug):
    game = games()[slug]
    named = [card_type for back in game.backs for card_type in back.types]
    assert len(named) == len(set(named)) and set(named) <= set(game.types_by_slug)


@pytest.mark.parametrize("slug", list(games()))
def test_all_cards_of_a_section_share_one_back(slug):
    """A back that differs from the others in its deck would be a marked card."""
    game = games()[slug]
    for section in game.sections:
        assert len({back_for(game.backs, card_type) for card_type in section.types}) <= 1, section.slug


@pytest.mark.parametrize(("slug", "card_type"), ALL)
@pytest.mark.parametrize("trim", TRIMS)
@pytest.mark.parametrize("plain", [False, True])
def test_a_back_is_upright_and_has_readable_words_with_game_and_credit(slug, card_type, trim, plain):
    game = games()[slug]
    drawing = back_of_game(game, trim, BLEED, plain, card_type)
    assert (drawing.width, drawing.height) == tuple(sorted(trim))
    words = words_of(drawing)
    assert game.name in words and (game.credit.text if game.credit else PROXY) in words
    for run in runs(drawing):
        assert run.x > CLEAR and run.x + run.width < drawing.width - CLEAR
        assert run.size >= LEAST_TYPE * min(drawing.width, POKER_WIDTH) // POKER_WIDTH
        assert colours.contrast(run.colour, colours.PAPER) >= 4.5


@pytest.mark.parametrize(("slug", "card_type"), ALL)
@pytest.mark.parametrize("trim", TRIMS)
def test_the_pattern_of_a_back_ends_with_the_bleed(slug, card_type, trim):
    drawing = back_of_game(games()[slug], trim, BLEED, card_type=card_type)
    ground = next(stroke for stroke in drawing.strokes if isinstance(stroke, Rect))
    assert ground[:4] == (-BLEED, -BLEED, drawing.width + 2 * BLEED, drawing.height + 2 * BLEED)
    paths = (stroke for stroke in drawing.strokes if isinstance(stroke, Path))
    steps = [numbers for path in paths for _, numbers in path.steps]
    xs, ys = ([number for numbers in steps for number in numbers[axis::2]] for axis in (0, 1))
    edges = (min(xs), min(ys), drawing.width - max(xs), drawing.height - max(ys))
    assert all(-BLEED <= edge < 0 for edge in edges)


@pytest.mark.parametrize(("slug", "card_type"), ALL)
def test_a_cut_that_is_a_millimetre_off_is_not_seen_at_the_edges(slug, card_type):
    """No border can become uneven, because no long line runs near an edge."""
    drawing = back_of_game(games()[slug], bleed=BLEED, card_type=card_type)
    width, height = drawing.width, drawing.height
    assert not any(isinstance(stroke, Line) for stroke in drawing.strokes)
    for path in (stroke for stroke in drawing.strokes if isinstance(stroke, Path)):
        for before, after in pairwise(path.steps):
            if after[0] == "L":
                (x1, y1), (x2, y2) = before[1][-2:], after[1]
                assert x1 != x2 or NEAR < x1 < width - NEAR or abs(y2 - y1) <= height // 3
                assert y1 != y2 or NEAR < y1 < height - NEAR or abs(x2 - x1) <= width // 3


@pytest.mark.parametrize(("slug", "card_type"), ALL)
def test_the_ink_saver_has_no_fill_and_a_quarter_of_the_ink(slug, card_type):
    plain, usual = (
        back_of_game(games()[slug], plain=is_plain, card_type=card_type) for is_plain in (True, False)
    )
    assert not any(isinstance(stroke, Rect) for stroke in plain.strokes)
    assert not any(isinstance(stroke, Path) and not stroke.pen for stroke in plain.strokes)
    saved, full = (
        255 - ImageStat.Stat(card_image(drawing, 72).convert("L")).mean[0] for drawing in (plain, usual)
    )
    assert saved <= full / 4


def test_a_game_without_a_back_gets_one_with_its_hue_name_and_credit(sixth_game):
    drawing = back_of_game(replace(sixth_game, credit=CREDIT))
    assert sixth_game.name in words_of(drawing) and f"{CREDIT.text}, CC BY-NC 4.0" in words_of(drawing)
    assert next(stroke.colour for stroke in drawing.strokes if isinstance(stroke, Rect)) == sixth_game.hue[0]


def test_a_back_is_drawn_once_and_shared_by_the_types_that_have_it():
    game = games()["spycraft"]
    assert back_of_game(game) is back_of_game(game, card_type="agent")
    assert back_of_game(game) is not back_of_game(game, card_type="mission")


def test_the_back_of_a_type_comes_before_the_games_own():
    backs = (Back(label="A"), Back(label="B", types=("x",)))
    assert (back_for(backs, "x").label, back_for(backs, "y").label, back_for((), "y")) == ("B", "A", Back())
