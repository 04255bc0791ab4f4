"""Cards drawn whole, for every game: names and texts are all there, words stand apart, clear of the cut,
large enough to read, and alike within a type; what single games promise of their faces; and the digest of
what draws. The tests beside this one are of a part of a face each (``test_numbers.py``, ``test_notes.py``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

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


class Way(NamedTuple):
    """A way to print: the size, large print or not, and of how many cards one is tried."""

    trim: tuple[int, int]
    large: bool
    one_of: int


# All cards in the size that most people print, a part of them in the others.
PRINTS = {
    "poker": Way((63_500, 88_900), large=False, one_of=1),
    "large": Way((63_500, 88_900), large=True, one_of=1),
    "standard": Way((63_000, 88_000), large=False, one_of=9),
    "mini": Way((44_450, 63_500), large=False, one_of=3),
    "mini-large": Way((44_450, 63_500), large=True, one_of=9),
    "bridge": Way((57_150, 88_900), large=False, one_of=9),
    "tarot": Way((69_850, 120_650), large=False, one_of=9),
    "square": Way((70_000, 70_000), large=False, one_of=9),
}


@cache
def drawn(slug: str, name: str) -> tuple[tuple[Card, Drawing], ...]:
    """Cards of the game, drawn for the print of this name; once for all tests."""
    way = PRINTS[name]
    return drawn_so(games()[slug].cards[:: way.one_of], slug, way)


@cache
def drawn_bare(slug: str, name: str) -> tuple[tuple[Card, Drawing], ...]:
    """Cards of the game of which next to nothing is known, one of each type."""
    return drawn_so(bare_cards(games()[slug]), slug, PRINTS[name])


def drawn_so(cards: Iterable[Card], slug: str, way: Way) -> tuple[tuple[Card, Drawing], ...]:
    return tuple((card, compose(card, games()[slug], way.trim, large=way.large)) for card in cards)


def safe_zone(trim: tuple[int, int]) -> int:
    """What print services may cut off: an eighth of an inch of a card of 2.5 x 3.5 in, in proportion less of
    a smaller one. A hundredth of a millimetre less, for what is rounded.
    """
    permille = min(1_000, trim[0] * 1_000 // 63_500, trim[1] * 1_000 // 88_900)
    return 3_175 * permille // 1_000 - 10


def read_in_play(slug: str, card: Card, drawing: Drawing) -> list[TextRun]:
    """All words but those of the foot and the names under large numbers."""
    game = games()[slug]
    elements = game.face_named(card.type).elements
    numbers = [(one.fact, one.label) for one in elements if isinstance(one, Number)]
    numbers += [(key, label) for one in elements if isinstance(one, NumberRow) for key, _, label in one.facts]
    names = {label or wording.title_of(key, game) for key, label in numbers}
    # The foot begins 6.9 mm above the end of the face, or with the credit where that stands higher.
    face_height = 63_000 if drawing.width > drawing.height else 88_000
    credits = [one.box.y for one in elements if isinstance(one, Text) and one.of == "credit"]
    foot = min([face_height - 6_900, *credits]) * drawing.height // face_height
    return [run for run in runs(drawing) if run.y < foot and run.text not in names]


def points(size: int) -> float:
    return size / fonts.POINT


def assert_on_the_card(drawing: Drawing) -> None:
    for left, top, right, bottom in map(extent, runs(drawing)):
        assert min(left, top) >= 0 and right <= drawing.width and bottom <= drawing.height


# -- all there, apart, clear of the cut ----------------------------------------------------

# A face that uses one fact in every place there is.
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


@pytest.mark.parametrize("name", list(PRINTS))
@pytest.mark.parametrize("slug", list(games()))
def test_on_every_card_words_keep_apart_clear_of_the_cut_and_of_drawings(slug, name):
    game, safe = games()[slug], safe_zone(PRINTS[name].trim)
    for card, drawing in (*drawn(slug, name), *drawn_bare(slug, name)):
        written = sorted(((extent(run), run.text) for run in runs(drawing)), key=lambda one: one[0][1])
        told = squashed(words_of(drawing))
        assert squashed(fonts.plain(card.name)) in told, card.key
        if has_notes(game, card.type):
            assert squashed(fonts.plain(text_of(game, card))) in told, card.key
        for index, (box, text) in enumerate(written):
            assert min(box[:2]) >= safe, (card.key, text)
            assert box[2] <= drawing.width - safe and box[3] <= drawing.height - safe, (card.key, text)
            # ``written`` is from above down: whatever begins below this box meets it no more.
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
    """Numbers of two and three digits too; and none reaches further to the right than the card's text."""
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
    for card, drawing in drawn(slug, name):
        assert [run.text for run in runs(drawing) if points(run.size) < anywhere - 0.05] == [], card.key
        if any(points(run.size) < in_play - 0.05 for run in read_in_play(slug, card, drawing)):
            small.append(card.key)
    share = 18 if name == "large" else 50
    assert len(small) * share <= len(drawn(slug, name)), small


@pytest.mark.parametrize("slug", list(games()))
def test_large_print_is_clearly_larger(slug):
    """By a tenth or more, but for one card in eleven that says too much for that; on none is it smaller."""
    close = []
    for (card, usual), (_, large) in zip(drawn(slug, "poker"), drawn(slug, "large"), strict=True):
        before, after = (
            min(run.size for run in read_in_play(slug, card, drawing)) for drawing in (usual, large)
        )
        # Less one per cent, for what is rounded.
        assert after >= before * 99 // 100, card.key
        close += [card.key] if after * 100 < before * 109 else []
    assert len(close) * 11 <= len(drawn(slug, "poker")), close


@pytest.mark.parametrize(("name", "per_cent"), [("poker", 90), ("large", 40)])
@pytest.mark.parametrize("slug", list(games()))
def test_cards_of_a_type_have_their_facts_in_one_size(slug, name, per_cent):
    """So many of them, or all but one: what is said on the others takes more room than there is. A text is as
    large as it fits; in large print a long one leaves the facts of many cards as they usually are.
    """
    sizes: dict[str, Counter[int]] = {}
    for card, drawing in drawn(slug, name):
        told, named = squashed(fonts.plain(card.told)), wording.type_name(card, games()[slug])
        facts = (run for run in read_in_play(slug, card, drawing) if run.font in ("sans", "sans-bold"))
        body = [
            run.size
            for run in facts
            if not run.text.lstrip("+").isdigit() and (run.text == named or squashed(run.text) not in told)
        ]
        sizes.setdefault(card.type, Counter())[min(body, default=0)] += 1
    for card_type, counts in sizes.items():
        number = counts.total()
        assert max(counts.values()) >= min(number * per_cent // 100, number - 1), (card_type, counts)


@pytest.mark.parametrize("slug", list(games()))
def test_a_number_is_the_largest_thing_on_its_card(slug):
    """Where a card has one that is compared or paid, more than its bravado: an action that is never tested
    has none.
    """
    for card, drawing in drawn(slug, "poker"):
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
    costly = [(card, drawing) for card, drawing in drawn(slug, "poker") if card.number(fact) is not None]
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


# -- what single games promise --------------------------------------------------------------

SPYCRAFT = games()["spycraft"]


def test_a_spycraft_action_shows_its_traits():
    actions = [
        (card, drawing)
        for card, drawing in drawn("spycraft", "poker")
        if card.type == "action" and card.words("traits")
    ]
    assert actions
    for card, drawing in actions:
        assert ", ".join(card.words("traits")) in words_of(drawing), card.code


def test_a_faction_that_is_not_stated_is_a_blank_to_write_in():
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
    # Without a text the emblem stands there, as it does in a small size, and no rules to write on.
    silent = compose(replace(card, text=""), game)
    assert len(silent.strokes) > len(compose(card, game, small=True).strokes) - 5
    assert not [one for one in rules(silent) if one.colour == colours.FAINT]


@pytest.mark.parametrize("slug", list(games()))
def test_names_are_nine_points_or_more_and_keep_clear_of_the_line_of_their_band(slug):
    for card, drawing in drawn(slug, "poker"):
        named = [run for run in runs(drawing) if "serif" in run.font]
        assert not [run.text for run in named if points(run.size) < 8.9], card.key
        face = games()[slug].face_named(card.type)
        for band in (one for one in face.elements if isinstance(one, Band) and one.at == "top"):
            swing = SWING if wording.said(band.line, card) != "straight" else 0
            edge = (band.deep - swing) * drawing.height // 88_000
            feet = [extent(run)[3] for run in named if run.font == "serif-bold" and not run.turned]
            assert max(feet, default=0) <= edge - 700, card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_small_face_has_no_rules_to_write_on(slug):
    game = games()[slug]
    for card in [*game.cards[::9], *bare_cards(game)]:
        small = rules(compose(card, game, small=True))
        assert not [one for one in small if one.colour == colours.FAINT], card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_face_in_light_ink_has_the_same_words(slug):
    game = games()[slug]
    for card in [*game.cards[::9], *bare_cards(game)]:
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
    digests = {}
    for folder in (tmp_path / "1", tmp_path / "2"):
        folder.mkdir()
        (folder / name).write_text(folder.name)
        game = replace(games()["agentdecker"], folder=folder)
        digests[folder] = digest_of_drawing(game)
        assert digest_of_drawing(game) == digests[folder]
    assert len(set(digests.values())) == 2


def test_the_digest_is_of_all_code_that_draws_and_of_the_words_that_options_have_in_the_header():
    used = code_of_drawing()
    assert Path(png.in_srgb.__code__.co_filename) in used
    assert Path(values.__file__).with_name("options.toml") in used
