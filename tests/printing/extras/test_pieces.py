"""Extra pieces beside the cards: markers, score cards, reference cards, labels."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Marker, PrintExtras, ScoreCard
from cardsdb.games.kit.contract.optional import print_extras_problems
from cardsdb.games.kit.print.face import Levels
from printing.extras.blank import BAND, Stock
from printing.extras.charts import score_pieces
from printing.extras.pieces import (
    MAX_TERM_CARDS,
    MIN_SIDE,
    Label,
    label_pieces,
    marker_pieces,
    reference_pieces,
)
from printing.faces import fonts
from printing.faces.colours import PAPER
from printing.faces.strokes import Drawing, Path, Rect
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.qr_code import code_of
from printing.options.sizes import TRIMS
from printing.render.files import sides_of
from printing.request.lists import pasted_list
from tests.support.drawings import ROOT, assert_within, rules, runs, squashed, starter_list, texts, words_of
from tests.support.print_lists import job_for

pytestmark = pytest.mark.one_database

STOCK = Stock((63_000, 88_000))
LABEL = Label("Nine Tiger", "Agency Deck", "59 cards, version 3", code_of(ROOT))
SIZES = [TRIMS[slug].lengths for slug in ("poker", "standard", "tarot", "mini", "square")]


# -- tokens and markers --------------------------------------------------------------


def colours_of_paths(drawing: Drawing) -> set[str]:
    return {stroke.colour for stroke in drawing.strokes if isinstance(stroke, Path)}


def test_the_light_style_outlines_the_emblem_of_a_token():
    game = games()["spynet"]
    hues = {game.colours[marker.colour] for marker in game.print_extras.markers}
    (full,), (light,) = (marker_pieces(game, Stock((63_000, 88_000), style=s), 3) for s in ("full", "light"))
    assert full.count == light.count == 3
    assert hues < colours_of_paths(full.front)
    assert colours_of_paths(light.front) == hues | {PAPER}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "game", [game for game in games().values() if game.print_extras.markers], ids=lambda game: game.slug
)
def test_every_marker_is_printed_as_often_as_declared(game, size):
    pieces = marker_pieces(game, Stock(size))
    markers: Counter[str] = Counter()
    for piece in pieces:
        # ``Markers: 4 Enforcement, 4 Infiltration``
        for count, name in re.findall(r"([0-9]+) ([^:]+?)(?:, (?=[0-9])|$)", piece.name.partition(": ")[2]):
            markers[name] += int(count) * piece.count
        tiles = [stroke for stroke in piece.front.strokes if isinstance(stroke, Rect)]
        assert all(min(tile.width, tile.height) >= MIN_SIDE for tile in tiles)
    assert markers == Counter({marker.name: marker.count for marker in game.print_extras.markers})


@pytest.mark.parametrize(
    ("extras", "problem"),
    [
        (PrintExtras((Marker("Wounded", "M0 0", 0, "PL-7"),)), "must be there 1 to 60 times"),
        (PrintExtras((Marker("Wounded", "M0 0", 1, "XX-1"),)), "which is no rule of rulebook.toml"),
        (PrintExtras((Marker("Red", "M0 0 L1 1", 1, "PL-7", "no colour"),)), "the colour of 'Red'"),
        (PrintExtras(scores=(ScoreCard("Scores", (), 3, "Total", "PL-7"),)), "needs rows"),
    ],
)
def test_wrong_declarations_of_extras_are_reported(extras, problem):
    problems = print_extras_problems(replace(games()["spycraft"], print_extras=extras))
    assert any(problem in sentence for sentence in problems)


# -- score and reference cards ------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_score_card_has_a_line_for_each_mission_and_the_total(size):
    (piece,) = score_pieces(games()["agentdecker"], Stock(size))
    for words in ("Date", *(f"Mission {number}" for number in range(1, 6)), "Total", "CC BY-NC 4.0"):
        assert words in words_of(piece.front)


@pytest.mark.parametrize("size", SIZES)
def test_the_rows_of_a_score_card_are_equally_high_and_fill_it_from_head_to_foot(size):
    (piece,) = score_pieces(games()["agentdecker"], Stock(size))
    head, *ys = sorted(line.y1 for line in rules(piece.front) if line.y1 == line.y2)
    heights = [below - above for above, below in pairwise(ys)]
    # The date, five missions and the total.
    assert len(heights) == 7 and max(heights) - min(heights) <= 1
    note = min(run.y - run.size for run in runs(piece.front) if run.y > ys[-1])
    assert head < ys[0] < head + heights[0] and ys[-1] < note < ys[-1] + heights[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_reference_cards_contain_all_numbers_and_steps(game, size):
    pieces = (*marker_pieces(game, Stock(size)), *reference_pieces(game, game.cards[:40], Stock(size)))
    assert len({piece.key for piece in pieces}) == len(pieces)
    words = squashed(words_of(*(piece.front for piece in pieces)))
    for number in game.set_up:
        assert squashed(number.label) in words and squashed(number.value) in words
    steps = game.set_up_guide.guide(game.set_up_guide.usual).steps if game.set_up_guide else ()
    assert [step.says for step in steps if squashed(step.says) not in words] == []


def test_a_reference_card_explains_the_abbreviations_on_agents_of_the_x_files():
    game = games()["xfiles"]
    (levels,) = (part for part in game.faces["agent"].elements if isinstance(part, Levels))
    words = words_of(*(piece.front for piece in reference_pieces(game, (), STOCK)))
    for key, name in levels.facts:
        title = game.facts_by_key[key].title
        assert name == title or f"{name} {title}" in words, name


def test_terms_are_those_that_the_deck_uses_on_a_few_cards():
    game = games()["spycraft"]
    used = {term.term for card in game.cards for term in game.terms_for(card)}
    pieces = [piece for piece in reference_pieces(game, game.cards, STOCK) if piece.name.startswith("Terms")]
    shown = [term for term in game.glossary if any(term.term in texts(piece.front) for piece in pieces)]
    assert 0 < len(pieces) <= MAX_TERM_CARDS and {term.term for term in shown} <= used and len(shown) >= 12
    words = squashed(words_of(*(piece.front for piece in pieces)))
    assert all(squashed(term.meaning) in words for term in shown)


def test_steps_are_spread_evenly_over_their_cards():
    game = games()["spynet"]
    pieces = reference_pieces(game, game.cards, Stock(game.trim))
    first, second = (piece.front for piece in pieces if piece.name.startswith("Set-up"))
    for card in (first, second):
        lowest = max(run.y for run in runs(card) if run.y < card.height * 9 // 10)
        assert lowest > card.height // 2


# -- labels ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(40_000, 60_000), (44_000, 68_000), (57_000, 87_000), (63_500, 88_900)])
def test_the_lines_of_a_label_do_not_touch(size):
    label = Label("A gypsy’s campaign", "Campaign", "54 cards")
    (piece,) = label_pieces(games()["agentdecker"], label, Stock(size))
    strip = [(run, fonts.CUTS[run.font]) for run in runs(piece.front)[:4]]
    feet = [run.y + cut.drop * run.size // 1000 for run, cut in strip]
    heads = [run.y - cut.cap * run.size // 1000 for run, cut in strip]
    assert min(head - foot for foot, head in zip(feet, heads[1:], strict=False)) >= 150


def test_the_strips_of_a_label_are_alike_with_two_cuts_between_them():
    name = "A deck with a rather long name, for the club night of Friday"
    (piece,) = label_pieces(games()["spycraft"], LABEL._replace(name=name), Stock((63_000, 88_200)))
    assert_within(piece.front)
    third = piece.front.height // 3
    places = Counter((run.text, run.x, run.y % third) for run in runs(piece.front))
    assert set(places.values()) == {3}
    assert {"Spycraft · Agency Deck", "59 cards, version 3"} <= {text for text, _, _ in places}
    cuts = [(rule.x1, rule.x2, rule.y1) for rule in rules(piece.front)]
    assert cuts == [(0, piece.front.width, third * number) for number in (1, 2)]


# -- printed like the cards --------------------------------------------------------------


ALL_EXTRAS = "tokens,scores,reference,labels"


def coloured(drawing: Drawing) -> list[Rect]:
    """Return the fills in a game's colours, without the modules of a code, which are black."""
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Rect) and stroke.colour != "#000000"]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["agentdecker", "spycraft"])
def test_extras_have_the_bleed_and_the_corners_of_the_cards(slug):
    options = {"extras": ALL_EXTRAS, "bleed": "3", "corner": "3", "style": "full"}
    job = job_for(starter_list(slug, games()[slug].starters[0].slug), options, None, ROOT)
    assert {placed.corner for side in sides_of(job) for placed in side.placed} == {3_000}
    filled = [(piece, fills) for piece in job.extra if (fills := coloured(piece.front))]
    assert {piece.name.split(":")[0] for piece, _ in filled} == {"Markers", "Labels"}
    for piece, fills in filled:
        width, height = piece.front.width, piece.front.height
        assert min(fill.x for fill in fills) == min(fill.y for fill in fills) == -3_000, piece.name
        for x, y, wide, high, _ in fills:
            # Each begins in the bleed or on the card, and none begins or ends at the cut.
            assert x == -3_000 or 0 < x < width, piece.name
            assert y == -3_000 or 0 < y < height, piece.name
            assert x + wide not in (width, width + 1) and y + high != height, piece.name


@pytest.mark.django_db
def test_extras_are_in_large_print_if_the_cards_are():
    listed = starter_list("agentdecker", games()["agentdecker"].starters[0].slug)
    usual, large = (
        job_for(listed, {"extras": ALL_EXTRAS, "type": kind}, None, ROOT) for kind in ("normal", "large")
    )

    def type_of(job: Job, name: str) -> int:
        """Return the sum of the sizes of type on these pieces, in the font that has the larger sum."""
        words = [run for piece in job.extra if piece.name.startswith(name) for run in runs(piece.front)]
        return max(sum(run.size for run in words if run.font == font) for font in ("sans", "sans-bold"))

    # A marker's name fills its tile in usual print already.
    for name in {piece.name.split(",")[0].split(":")[0] for piece in usual.extra} - {"Markers"}:
        assert type_of(large, name) > type_of(usual, name), name


# -- readable and easy to find ----------------------------------------------------------


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("large", [False, True], ids=["usual", "large"])
def test_every_word_of_an_extra_is_on_its_piece_and_has_six_points(slug, size, large):
    game, stock = games()[slug], Stock(size, large=large)
    pieces = (
        *marker_pieces(game, stock),
        *score_pieces(game, stock),
        *reference_pieces(game, game.cards[:40], stock),
        *label_pieces(game, LABEL, stock),
    )
    for piece in pieces:
        assert_within(piece.front)
    least = fonts.micrometres(60) * 98 // 100
    assert {run.text for piece in pieces for run in runs(piece.front) if run.size < least} == set()


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_a_reference_card_shows_its_part_and_no_code_of_a_rule(game):
    for piece in reference_pieces(game, game.cards[:40], STOCK):
        if part := re.search(r"\d of \d$", piece.name):
            assert any(text.endswith(part[0]) for text in texts(piece.front)), piece.name
        assert not re.search(r"\([A-Z]{1,3}-?\d+\)", words_of(piece.front)), piece.name
        if "Chart" not in piece.name and not piece.front.turned:
            bold = [run.size for run in runs(piece.front) if run.font == "sans-bold"]
            assert all(size >= fonts.micrometres(90) for size in bold), piece.name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_the_title_of_a_reference_card_stays_in_its_head(game, size):
    for piece in reference_pieces(game, (), Stock(size)):
        title = [run for run in runs(piece.front) if "serif" in run.font]
        deep = BAND * piece.front.width // (88_000 if piece.front.turned else 63_000)
        assert min(run.y - run.size * 67 // 100 for run in title) >= 1_000, piece.name
        assert max(run.y for run in title) < deep, piece.name


def test_two_sided_reference_cards_have_the_next_card_on_their_back():
    game = games()["spycraft"]
    single, double = (
        reference_pieces(game, game.cards[:40], STOCK, two_sided=both) for both in (False, True)
    )
    assert len(double) == -(-len(single) // 2)
    shown = [side.name for piece in double for side in (piece.front, piece.back) if side]
    assert sorted(shown) == sorted(piece.name for piece in single)
    terms = [piece.back.name for piece in double if piece.name.startswith("Terms") and piece.back]
    assert terms and terms[0].startswith("Terms")


@pytest.mark.django_db
def test_both_sides_of_a_reference_card_are_read_aloud():
    options = {"extras": "reference", "only": "none", "backs": "long"}
    job = job_for(pasted_list("spycraft", "2 Kai"), options)
    sides = [side for piece in pieces_of(job) for side in (piece.front, piece.back) if side]
    assert len(sides) > 2
    assert all(side.told.startswith(f"{side.name}. ") and len(side.told) > 100 for side in sides)
