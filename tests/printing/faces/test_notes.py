"""The text of a card: complete whatever its length, with the game's symbols before words of a header."""

from dataclasses import replace
from itertools import pairwise

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import Box, Face, Notes
from printing.faces import colours
from printing.faces.compose import compose, type_of_text
from printing.faces.strokes import Path, TextRun
from tests.support.drawings import extent, parcel, rules, runs, squashed, text_of, words_of

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
TRIMS = {"poker": (63_500, 88_900), "mini": (44_450, 63_500)}


def sign_before(game, code: str, word: str, card: Card | None = None, **style: bool) -> tuple[TextRun, Path]:
    """Return the run that begins with the word, and the symbol right before it."""
    strokes = compose(card or game.card(code), game, **style).strokes
    for sign, run in pairwise(strokes):
        if isinstance(run, TextRun) and run.text.startswith(word) and run.font == "sans-bold":
            assert isinstance(sign, Path)
            return run, sign
    raise AssertionError(f"no bold {word}")


@pytest.mark.parametrize(
    ("game", "code", "word", "style"),
    [
        (SPYCRAFT, "beowulf", "Combat:", {}),
        (XFILES, "dodge", "LRC:", {}),
        (SPYCRAFT, "beowulf", "Combat:", {"plain": True}),
    ],
    ids=["skill", "round", "ink saver"],
)
def test_a_symbol_stands_before_its_word_in_its_colour(game, code, word, style):
    run, sign = sign_before(game, code, word, **style)
    across = [point for _, points in sign.steps for point in points[::2]]
    down = [point for _, points in sign.steps for point in points[1::2]]
    assert run.x - run.size * 6 // 5 <= min(across) and max(across) <= run.x
    assert run.y - run.size <= min(down) and max(down) <= run.y + run.size // 5
    assert sign.colour == run.colour
    assert not style or colours.contrast(sign.colour, colours.PAPER) >= 7


@pytest.mark.parametrize("game", [SPYCRAFT, XFILES], ids=["spycraft", "xfiles"])
@pytest.mark.parametrize("trim", TRIMS.values(), ids=TRIMS)
def test_symbols_make_no_text_smaller_and_cost_no_word(game, trim):
    bare = replace(game, line_symbols=())
    headed = [card for card in game.cards if ": " in card.told]
    for card in headed[::12]:
        assert type_of_text(card, game, trim) >= type_of_text(card, bare, trim), card.code
        assert squashed(text_of(game, card)) in squashed(words_of(compose(card, game, trim))), card.code


def own(game, code: str, text: str):
    """Return the card with a text that a person brought."""
    card = game.card(code)
    sources = {key: claims for key, claims in card.sources.items() if key != "text"}
    return replace(card, text=text, sentences=(), sources=sources)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (None, 1),
        ("It waits.", 1),
        ("React Combat 8: It waits.", 1),
        ("react combat 8: It waits.", 2),
        ("It waits.\nReact Combat 8: It hides.", 1),
    ],
)
def test_the_header_at_the_top_of_an_action_is_not_repeated(text, times):
    card = SPYCRAFT.card("acrobatic-escape")
    words = words_of(compose(own(SPYCRAFT, card.code, text) if text else card, SPYCRAFT))
    assert words.casefold().split().count("react") == times


@pytest.mark.parametrize(
    ("game", "code", "word"), [(SPYCRAFT, "acrobatic-escape", "Craft"), (XFILES, "dodge", "CRC")]
)
def test_names_of_symbols_in_brackets_in_an_own_text_become_symbols(game, code, word):
    for bracketed in (f"[{word}]", f"{{{word.lower()}}}"):
        run, sign = sign_before(game, code, word, own(game, code, f"It waits, {bracketed}."))
        assert sign.colour == run.colour and "[" not in run.text and "{" not in run.text
    left = words_of(compose(own(game, code, "It waits [somewhere] (Craft) x[Craft]."), game))
    assert "[somewhere]" in left and "(Craft)" in left and "x[Craft]" in left


# -- the text itself ------------------------------------------------------------------------


def test_rules_to_write_on_follow_the_text_on_request(sixth_game):
    face = Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),))
    game = replace(sixth_game, faces={"parcel": face})
    card = Card("deaddrop", "p", "Parcel", "parcel", text="Counts double.")
    assert not rules(compose(card, game))
    empty, filled = parcel(sixth_game, face), compose(card, game, ruled=True)
    assert len(rules(empty)) > len(rules(filled)) > 5
    assert words_of(filled) == "Counts double."
    assert all(rule.y1 > runs(filled)[0].y for rule in rules(filled))
    assert max(rule.y1 for rule in rules(filled)) == 80_000 * 88_900 // 88_000


def test_a_long_text_is_set_smaller_and_complete(sixth_game):
    text = "It says a great deal about what happens, and to whom, and when. " * 70
    drawing = parcel(sixth_game, Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),)), text=text)
    assert squashed(words_of(drawing)) == squashed(text)
    assert max(extent(run)[3] for run in runs(drawing)) <= 88_900 and not rules(drawing)
