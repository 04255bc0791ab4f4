"""The game's drawings among the words of a card's lines: before words of a header, never in their place, and
never at their cost.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from printing.faces import colours
from printing.faces.compose import compose, type_of_text
from printing.faces.strokes import Path, TextRun
from tests.support.drawings import runs, squashed, text_of, words_of

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
TRIMS = {"poker": (63_500, 88_900), "mini": (44_450, 63_500)}


def sign_before(game, code: str, word: str, card: Card | None = None, **style: bool) -> tuple[TextRun, Path]:
    """The run that begins with the word, and the drawing right before it."""
    strokes = compose(card or game.card(code), game, **style).strokes
    at = next(
        index
        for index, one in enumerate(strokes)
        if isinstance(one, TextRun) and one.text.startswith(word) and one.font == "sans-bold"
    )
    run, sign = strokes[at], strokes[at - 1]
    assert isinstance(run, TextRun) and isinstance(sign, Path)
    return run, sign


@pytest.mark.parametrize(
    ("game", "code", "word"),
    [(SPYCRAFT, "beowulf", "Combat:"), (XFILES, "dodge", "LRC:")],
    ids=["skill", "round"],
)
def test_a_drawing_stands_before_the_word_and_on_its_height(game, code, word):
    run, sign = sign_before(game, code, word)
    across = [point for _, points in sign.steps for point in points[::2]]
    down = [point for _, points in sign.steps for point in points[1::2]]
    assert run.x - run.size * 6 // 5 <= min(across) and max(across) <= run.x
    assert run.y - run.size <= min(down) and max(down) <= run.y + run.size // 5
    assert sign.colour == run.colour


def test_in_the_ink_saver_it_is_drawn_in_the_ink_of_the_words():
    run, sign = sign_before(SPYCRAFT, "beowulf", "Combat:", plain=True)
    assert sign.colour == run.colour
    assert colours.contrast(sign.colour, colours.PAPER) >= 7


@pytest.mark.parametrize("game", [SPYCRAFT, XFILES], ids=["spycraft", "xfiles"])
@pytest.mark.parametrize("trim", TRIMS.values(), ids=TRIMS)
def test_no_text_is_smaller_for_its_drawings_and_none_loses_a_word(game, trim):
    bare = replace(game, line_symbols=())
    headed = [card for card in game.cards if ": " in card.told]
    for card in headed[::4]:
        assert type_of_text(card, game, trim) >= type_of_text(card, bare, trim), card.code
        assert squashed(text_of(game, card)) in squashed(words_of(compose(card, game, trim))), card.code


def test_the_header_at_the_head_of_an_action_is_not_said_again_in_its_text():
    card = SPYCRAFT.card("acrobatic-escape")
    for shown in (
        card,
        own(SPYCRAFT, card.code, "It waits."),
        own(SPYCRAFT, card.code, "React Combat 8: It waits."),
    ):
        words = [run.text for run in runs(compose(shown, SPYCRAFT))]
        assert [words.count(word) for word in ("React", "Combat", "8")] == [1, 1, 1], words


def own(game, code: str, text: str):
    card = game.card(code)
    return replace(
        card,
        text=text,
        sentences=(),
        sources={key: claims for key, claims in card.sources.items() if key != "text"},
    )


def test_headers_that_head_the_lines_of_an_own_text_are_not_said_twice():
    for text, said in (
        ("React Combat 8: It waits.", 1),
        ("react combat 8: It waits.", 2),
        ("It waits.\nReact Combat 8: It hides.", 1),
    ):
        words = words_of(compose(own(SPYCRAFT, "acrobatic-escape", text), SPYCRAFT))
        assert words.casefold().count("react") == said, text


@pytest.mark.parametrize(
    ("game", "code", "word"), [(SPYCRAFT, "acrobatic-escape", "Craft"), (XFILES, "dodge", "CRC")]
)
def test_symbols_that_an_own_text_has_in_brackets_are_ours(game, code, word):
    for bracketed in (f"[{word}]", f"{{{word.lower()}}}"):
        run, sign = sign_before(game, code, word, own(game, code, f"It waits, {bracketed}."))
        assert sign.colour == run.colour and "[" not in run.text and "{" not in run.text
    left = words_of(compose(own(game, code, "It waits [somewhere] (Craft) x[Craft]."), game))
    assert "[somewhere]" in left and "(Craft)" in left and "x[Craft]" in left
