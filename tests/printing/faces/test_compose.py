"""Every face of every game: whole, apart, clear of the cut, large enough to read, and alike within a type."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path

import pytest

from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card, Print
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import Band, Lines, Notes, Number, NumberRow, Text
from printing.faces import colours, fonts, wording
from printing.faces.canvas import SWING, Canvas
from printing.faces.compose import code_of_drawing, compose, digest_of_drawing, has_notes
from printing.faces.numbers import draw_number
from printing.faces.strokes import Drawing, TextRun
from printing.options import values
from printing.render import png
from tests.support.drawings import (
    bare_cards,
    boxes_of_symbols,
    extent,
    meet,
    rules,
    runs,
    squashed,
    text_of,
    words_of,
)

HARD_NAMES = (
    'RS-9, "The Koffin"',
    "Død Kalm",
    "2nd Lt. Chavez",
    "Not THIS Federal Building, You Don't",
    "Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America",
    "Agent " + "Extraordinarily " * 10 + "Named",
    "Donaudampfschiffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft",
)


# Trim, large print, and every how many-th card: all of them in the sizes that people print.
PRINTS = {
    "poker": ((63_500, 88_900), False, 1),
    "large": ((63_500, 88_900), True, 1),
    "standard": ((63_000, 88_000), False, 9),
    "mini": ((44_450, 63_500), False, 3),
    "mini-large": ((44_450, 63_500), True, 9),
    "bridge": ((57_150, 88_900), False, 9),
    "tarot": ((69_850, 120_650), False, 9),
    "square": ((70_000, 70_000), False, 9),
}
# What print services may cut off: an eighth of an inch of a card of 2.5 x 3.5 in.
SAFE_ZONE = 3_175


Drawn = tuple[Card, Drawing, list[tuple[tuple[int, int, int, int], str]]]


@cache
def drawn(slug: str, name: str, *, bare: bool = True) -> tuple[Drawn, ...]:
    """Cards of the game as they are printed, with the boxes of their words from above down; drawn once for
    all tests. With a ``bare`` one of each type last.
    """
    if not bare:
        return drawn(slug, name)[: -len(bare_cards(games()[slug]))]
    game, (trim, large, step) = games()[slug], PRINTS[name]
    found = []
    for card in [*game.cards[::step], *bare_cards(game)]:
        drawing = compose(card, game, trim, large=large)
        written = sorted(((extent(run), run.text) for run in runs(drawing)), key=lambda one: one[0][1])
        found.append((card, drawing, written))
    return tuple(found)


def known(slug: str, name: str) -> list[tuple[Card, Drawing]]:
    """The same without the bare ones."""
    return [(card, drawing) for card, drawing, _ in drawn(slug, name, bare=False)]


def played(slug: str, card: Card, drawing: Drawing) -> list[TextRun]:
    """What is read in play: all but the foot and the names under large numbers."""
    game = games()[slug]
    elements = game.face_named(card.type).elements
    numbers = [(one.fact, one.label) for one in elements if isinstance(one, Number)]
    numbers += [(key, label) for one in elements if isinstance(one, NumberRow) for key, _, label in one.facts]
    named = {label or wording.title_of(key, game) for key, label in numbers}
    high = 63_000 if drawing.width > drawing.height else 88_000
    credits = [one.box.y for one in elements if isinstance(one, Text) and one.of == "credit"]
    foot = min([high - 6_900, *credits]) * drawing.height // high
    return [run for run in runs(drawing) if run.y < foot and run.text not in named]


def points(size: int) -> float:
    return size / fonts.POINT


FULL = dossier(
    corner="weight", column=("weight",), foot="weight", lines=("city",), blanks=("city",), marks="city"
)


@pytest.mark.parametrize("name", HARD_NAMES)
@pytest.mark.parametrize("face", [dossier(), FULL, dossier(corner="weight", landscape=True)])
@pytest.mark.parametrize("trim", [(63_500, 88_900), (63_000, 88_000), (44_000, 68_000)])
def test_no_name_is_clipped_or_lost_on_any_face(sixth_game, name, face, trim):
    given = {"facts": {"weight": 12}, "text": "Counts double. " * 12, "prints": (Print("ONE", "2"),)}
    card = Card("deaddrop", "p", name, "parcel", **given)
    drawing = compose(card, replace(sixth_game, faces={"parcel": face}), trim)
    assert squashed(name) in squashed(words_of(drawing))
    assert_on_the_card(drawing)


def assert_on_the_card(drawing):
    for left, top, right, bottom in map(extent, runs(drawing)):
        assert min(left, top) >= 0 and right <= drawing.width and bottom <= drawing.height


@pytest.mark.parametrize("name", list(PRINTS))
@pytest.mark.parametrize("slug", list(games()))
def test_on_every_card_words_keep_apart_clear_of_the_cut_and_of_drawings(slug, name):
    game, (trim, _, _) = games()[slug], PRINTS[name]
    safe = SAFE_ZONE * min(1_000, trim[0] * 1_000 // 63_500, trim[1] * 1_000 // 88_900) // 1_000 - 10
    for card, drawing, written in drawn(slug, name):
        told = squashed(words_of(drawing))
        assert squashed(fonts.plain(card.name)) in told, card.key
        if has_notes(game, card.type):
            assert squashed(fonts.plain(text_of(game, card))) in told, card.key
        for index, (box, text) in enumerate(written):
            assert min(box[:2]) >= safe, (card.key, text)
            assert box[2] <= drawing.width - safe and box[3] <= drawing.height - safe, (card.key, text)
            # From above down: what begins below its foot does not meet it.
            for other, beside in islice(written, index + 1, None):
                if other[1] >= box[3]:
                    break
                assert not meet(box, other), (card.key, text, beside)
        for symbol in boxes_of_symbols(drawing):
            assert min(symbol[:2]) >= 0, card.key
            assert symbol[2] <= drawing.width and symbol[3] <= drawing.height, card.key
            assert not [text for box, text in written if meet(symbol, box)], card.key


@pytest.mark.parametrize("large", [False, True], ids=["usual", "large"])
@pytest.mark.parametrize("slug", list(games()))
def test_every_number_keeps_to_its_box_and_to_the_words_beside_it(slug, large):
    """A number of two or three digits too, and none reaches further to the right than the text does."""
    game = games()[slug]
    for card_type in {card.type for card in game.cards}:
        face, bare = game.face_named(card_type), Card(slug, "x", "X", card_type)
        boxes = [element.box for element in face.elements if isinstance(element, Lines | Notes)]
        ends = max((box.x + box.width for box in boxes), default=0)
        width, height = (88_000, 63_000) if face.landscape else (63_000, 88_000)
        numbers = [element for element in face.elements if isinstance(element, Number)]
        for element, value in product(numbers, (7, 10, 16, 100)):
            if not isinstance(element.fact, str):
                continue
            card = replace(bare, facts={element.fact: value})
            canvas = Canvas(card, game, face.landscape, (width, height), 0, large=large)
            draw_number(canvas, element)
            box, runs = element.box, [one for one in canvas.strokes if isinstance(one, TextRun)]
            assert str(value) in {one.text for one in runs}, (card_type, element.fact)
            right = min(box.x + box.width, max(ends, width - 3_200))
            for one in runs:
                rise = fonts.CUTS[one.font].cap * one.size // 1000
                assert box.x <= one.x and one.x + one.width <= right, (card_type, one)
                assert box.y <= one.y - rise and one.y <= box.y + box.height, (card_type, one)


# -- how large the type is ---------------------------------------------------------------


# The smallest type in points: of all words, then of what is read in play.
SMALLEST = {
    "poker": (6.0, 6.5),
    "standard": (6.0, 6.5),
    "large": (6.0, 8.0),
    "mini": (5.0, 5.8),
    "bridge": (5.8, 6.3),
    "tarot": (6.5, 7.0),
}


@pytest.mark.parametrize("name", list(SMALLEST))
@pytest.mark.parametrize("slug", list(games()))
def test_no_word_is_smaller_than_can_be_read(slug, name):
    """Of what is read in play one card in fifty may say too much for that, in large print one in eighteen;
    nothing on it is smaller than may stand anywhere.
    """
    anywhere, in_play = SMALLEST[name]
    small = []
    for card, drawing in known(slug, name):
        assert [run.text for run in runs(drawing) if points(run.size) < anywhere - 0.05] == [], card.key
        if any(points(run.size) < in_play - 0.05 for run in played(slug, card, drawing)):
            small.append(card.key)
    share = 18 if name == "large" else 50
    assert len(small) * share <= len(known(slug, name)), small


@pytest.mark.parametrize("slug", list(games()))
def test_large_print_is_clearly_larger(slug):
    """By a tenth or more, but for one card in eleven that says too much for that; on none is it smaller."""
    close = []
    for (card, usual), (_, large) in zip(known(slug, "poker"), known(slug, "large"), strict=True):
        smaller, larger = (min(run.size for run in played(slug, card, drawing)) for drawing in (usual, large))
        assert larger >= smaller * 99 // 100, card.key
        close += [card.key] if larger * 100 < smaller * 109 else []
    assert len(close) * 11 <= len(known(slug, "poker")), close


@pytest.mark.parametrize(("name", "share"), [("poker", 90), ("large", 40)])
@pytest.mark.parametrize("slug", list(games()))
def test_cards_of_a_type_are_set_in_one_size(slug, name, share):
    """Nine in ten of them, or all but one: what is said on the others takes more room than there is. A text
    is as large as it fits; in large print a long one leaves the facts of many cards as they usually are.
    """
    sizes: dict[str, Counter[int]] = {}
    for card, drawing in known(slug, name):
        told, named = squashed(fonts.plain(card.told)), wording.type_name(card, games()[slug])
        facts = (run for run in played(slug, card, drawing) if run.font in ("sans", "sans-bold"))
        body = [
            run.size
            for run in facts
            if not run.text.lstrip("+").isdigit() and (run.text == named or squashed(run.text) not in told)
        ]
        sizes.setdefault(card.type, Counter())[min(body, default=0)] += 1
    for card_type, counts in sizes.items():
        number = counts.total()
        assert max(counts.values()) >= min(number * share // 100, number - 1), (card_type, counts)


@pytest.mark.parametrize("slug", list(games()))
def test_a_number_is_the_largest_thing_on_its_card(slug):
    """Where a card has one that is compared or paid, more than its bravado: an action that is never tested
    has none.
    """
    for card, drawing in known(slug, "poker"):
        elements = games()[slug].face_named(card.type).elements
        keys = [one.fact for one in elements if isinstance(one, Number)]
        keys += [fact[0] for one in elements if isinstance(one, NumberRow) for fact in one.facts]
        numbers = [
            key for key in keys if isinstance(key, str) and card.number(key) is not None and key != "bravado"
        ]
        tested = any(header[-1:].isdigit() for header in card.words("action_headers"))
        if numbers and (card.type != "action" or tested):
            largest = max(runs(drawing), key=lambda run: run.size).text
            assert re.fullmatch(r"[+−]?[0-9]+|2?X(\+1)?", largest), (card.key, largest)


# What a player asks of cards in hand. Spycraft's printed cards have their expense on the right; their fan
# shows name and skills.
IN_HAND = [("xfiles", "cost"), ("spynet", "value"), ("agentdecker", "cost"), ("steamspy", "price")]


@pytest.mark.parametrize(("slug", "fact"), IN_HAND)
def test_a_fan_of_cards_shows_what_each_costs(slug, fact):
    """The corner top left is what is seen of a card that others lie on."""
    costly = [(card, drawing) for card, drawing in known(slug, "poker") if card.number(fact) is not None]
    assert costly
    for card, drawing in costly:
        corner = [run.text for run in runs(drawing) if extent(run)[2] <= 14_500 and run.y <= 14_500]
        assert str(card.number(fact)) in corner, card.key


@pytest.mark.parametrize("slug", ("spycraft", "xfiles"))
@pytest.mark.parametrize("word", ("Long, " * 46 + "Law", "W" * 280))
def test_the_longest_facts_that_a_player_may_type_stay_on_the_card_and_leave_its_text_there(slug, word):
    game = games()[slug]
    for kind in game.types:
        typed = (one for one in game.facts_of(kind.slug) if one.kind in ("number", "word", "words"))
        facts = {one.key: 999_999 if one.kind == "number" else one.read(word) for one in typed}
        drawing = compose(Card(slug, f"{OWN_CODE}x", "Falcon", kind.slug, facts, "Draw a card."), game)
        assert "Draw" in words_of(drawing) or not has_notes(game, kind.slug), kind.slug
        assert_on_the_card(drawing)
        assert all(run.size > 0 for run in runs(drawing)), kind.slug


SPYCRAFT = games()["spycraft"]


def test_a_spycraft_action_shows_its_traits_and_a_faction_that_is_not_stated_is_a_blank_to_write_in():
    for card, drawing in known("spycraft", "poker"):
        if card.type == "action" and card.words("traits"):
            assert ", ".join(card.words("traits")) in words_of(drawing), card.code
    people = [card for card in SPYCRAFT.cards if card.type in ("agent", "leader")]
    (card,) = (card for card in people if not card.words("faction"))
    assert "Faction ____ agent" in words_of(compose(card, SPYCRAFT))


def test_a_formula_for_victory_points_stands_in_the_place_of_their_number():
    drawing = compose(SPYCRAFT.card("auction-night"), SPYCRAFT)
    name = next(run for run in runs(drawing) if run.text == "Points")
    bid = next(run for run in runs(drawing) if run.text == "bid" and run.x > name.x - 3_000)
    assert bid.y < name.y and abs(bid.x + bid.width // 2 - name.x - name.width // 2) < 300
    assert "Victory points formula" not in words_of(drawing) and not rules(drawing)


def test_an_x_file_of_ones_own_shows_its_text_and_still_what_it_is():
    game, answers = games()["xfiles"], {"affiliation": "Alien", "motive": "Control", "method": "Threats"}
    card = Card("xfiles", f"{OWN_CODE}x", "Falcon", "x-file", answers, "When it is guessed, draw 2 cards.")
    told = words_of(compose(card, game))
    assert all(words in told for words in ("When it is guessed", *answers.values()))
    silent = compose(replace(card, text=""), game)
    assert len(silent.strokes) > len(compose(card, game, small=True).strokes) - 5
    assert not [one for one in rules(silent) if one.colour == colours.FAINT]


@pytest.mark.parametrize("slug", list(games()))
def test_names_are_nine_points_or_more_and_keep_clear_of_the_line_of_their_band(slug):
    for card, drawing in known(slug, "poker"):
        named = [run for run in runs(drawing) if "serif" in run.font]
        assert not [run.text for run in named if points(run.size) < 8.9], card.key
        face = games()[slug].face_named(card.type)
        for band in (one for one in face.elements if isinstance(one, Band) and one.at == "top"):
            swing = SWING if wording.said(band.line, card) != "straight" else 0
            edge = (band.deep - swing) * drawing.height // 88_000
            feet = [extent(run)[3] for run in named if run.font == "serif-bold" and not run.turned]
            assert max(feet, default=0) <= edge - 700, card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_small_face_has_no_rules_to_write_on_and_light_ink_has_the_same_words(slug):
    game = games()[slug]
    for card in [*game.cards[::9], *bare_cards(game)]:
        small = rules(compose(card, game, small=True))
        assert not [one for one in small if one.colour == colours.FAINT], card.key
        full, light = (words_of(compose(card, game, light=is_light)) for is_light in (False, True))
        assert full == light, card.key


def test_the_traits_of_a_character_are_the_largest_and_its_ranks_stand_by_level_with_rules_for_more():
    drawing = compose(games()["steamspy"].card("ivy-brass"), games()["steamspy"])
    largest = sorted(runs(drawing), key=lambda run: -run.size)[:3]
    assert sorted(run.text for run in largest) == ["1", "1", "4"]
    assert {"Heisting", "Sneaking"} <= {run.text for run in runs(drawing)}
    assert [one for one in rules(drawing) if one.colour == colours.FAINT]


# -- the digest by which a browser asks whether a face changed --------------------------------


@pytest.mark.parametrize("name", ["face.py", "game.toml", "sets.csv"])
def test_the_digest_changes_with_what_a_game_declares(tmp_path, name):
    told, game = set(), games()["agentdecker"]
    for place, text in (("one", "1"), ("two", "2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / name).write_text(text)
        told |= {digest_of_drawing(replace(game, folder=tmp_path / place)) for _ in range(2)}
    assert len(told) == 2


def test_the_digest_is_of_all_code_that_draws_and_of_the_words_that_options_have_in_the_header():
    used = code_of_drawing()
    assert Path(png.in_srgb.__code__.co_filename) in used
    assert Path(values.__file__).with_name("options.toml") in used
