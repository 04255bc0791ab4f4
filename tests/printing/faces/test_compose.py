"""Whole faces of every game: names and texts are complete, words stand apart and clear of the cut, are large
enough to read, and are alike within a type. Then: faces of single games, and the digest of the code that
draws.

Parts of a face are tested beside this file (``test_numbers.py``, ``test_notes.py``, ...).
"""

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
from cardsdb.games.kit.print.face import (
    HEIGHT,
    WIDTH,
    Band,
    Lines,
    Notes,
    Number,
    NumberRow,
    Text,
)
from printing.faces import colours, fonts, wording
from printing.faces.canvas import SWING, Canvas
from printing.faces.compose import code_of_drawing, compose, digest_of_drawing, has_notes
from printing.faces.numbers import draw_number
from printing.faces.strokes import Drawing, Line, TextRun
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
from tests.support.sheets import NAMES


class Way(NamedTuple):
    """A way to print: card size, large print or not, and the step in which cards are taken (every 9th)."""

    trim: tuple[int, int]
    large: bool
    one_of: int


# All cards are tried in the size that most people print, some of them in the others.
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
    """Return cards of the game, drawn for the print of this name. Cached for all tests."""
    way = PRINTS[name]
    return drawn_all(games()[slug].cards[:: way.one_of], slug, way)


@cache
def drawn_bare(slug: str, name: str) -> tuple[tuple[Card, Drawing], ...]:
    """Return a card of each type of which next to nothing is known, drawn for the print of this name."""
    return drawn_all(bare_cards(games()[slug]), slug, PRINTS[name])


def drawn_all(cards: Iterable[Card], slug: str, way: Way) -> tuple[tuple[Card, Drawing], ...]:
    return tuple((card, compose(card, games()[slug], way.trim, large=way.large)) for card in cards)


def safe_zone(trim: tuple[int, int]) -> int:
    """Return the distance from the cut within which print services may cut words off, in micrometres.

    It is 1/8 in for a card of 2.5 x 3.5 in, less in proportion for a smaller card, and 0.01 mm less for
    rounding.
    """
    permille = min(1_000, trim[0] * 1_000 // 63_500, trim[1] * 1_000 // 88_900)
    return 3_175 * permille // 1_000 - 10


def read_in_play(slug: str, card: Card, drawing: Drawing) -> list[TextRun]:
    """Return all words except those of the foot and the names under large numbers."""
    game = games()[slug]
    elements = game.face_named(card.type).elements
    numbers = [(element.fact, element.label) for element in elements if isinstance(element, Number)]
    numbers += [
        (key, label)
        for element in elements
        if isinstance(element, NumberRow)
        for key, _, label in element.facts
    ]
    names = {label or wording.title_of(key, game) for key, label in numbers}
    # The foot begins 6.9 mm above the end of the face, or with the credit if that stands higher.
    face_height = 63_000 if drawing.width > drawing.height else 88_000
    credits = [element.box.y for element in elements if isinstance(element, Text) and element.of == "credit"]
    foot = min([face_height - 6_900, *credits]) * drawing.height // face_height
    return [run for run in runs(drawing) if run.y < foot and run.text not in names]


def points(size: int) -> float:
    return size / fonts.POINT


def assert_on_the_card(drawing: Drawing) -> None:
    for left, top, right, bottom in map(extent, runs(drawing)):
        assert min(left, top) >= 0 and right <= drawing.width and bottom <= drawing.height


# -- complete, apart, clear of the cut -----------------------------------------------------

# A face that has a fact in every place that exists.
FULL = dossier(
    corner="weight", column=("weight",), foot="weight", lines=("city",), blanks=("city",), marks="city"
)


@pytest.mark.parametrize("name", NAMES)
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
def test_words_overlap_neither_each_other_nor_the_cut_nor_drawings(slug, name):
    game, safe = games()[slug], safe_zone(PRINTS[name].trim)
    for card, drawing in (*drawn(slug, name), *drawn_bare(slug, name)):
        # (left, top, right, bottom), text; from the top down.
        written = sorted(((extent(run), run.text) for run in runs(drawing)), key=lambda pair: pair[0][1])
        words = squashed(words_of(drawing))
        assert squashed(fonts.plain(card.name)) in words, card.key
        if has_notes(game, card.type):
            assert squashed(fonts.plain(text_of(game, card))) in words, card.key
        for index, (box, text) in enumerate(written):
            assert min(box[:2]) >= safe, (card.key, text)
            assert box[2] <= drawing.width - safe and box[3] <= drawing.height - safe, (card.key, text)
            # Everything that begins below this box, and all that follows it, cannot overlap.
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
def test_every_number_stays_in_its_box(slug, large):
    """This holds for numbers of one to three digits, and none reaches further right than the card's text."""
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
            box, words = element.box, [stroke for stroke in canvas.strokes if isinstance(stroke, TextRun)]
            assert str(value) in {run.text for run in words}, (card_type, element.fact)
            right = min(box.x + box.width, max(ends, width - 3_200))
            for run in words:
                rise = fonts.cap(run.font, run.size)
                assert box.x <= run.x and run.x + run.width <= right, (card_type, run)
                assert box.y <= run.y - rise and run.y <= box.y + box.height, (card_type, run)


# -- the size of type --------------------------------------------------------------------


# The smallest type in points: of any word, and of the words that are read in play.
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
    """One card in fifty (in large print one in eighteen) may have smaller words in play because it has too
    many, but none smaller than the limit for any word.
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
    """It is larger by a tenth or more, except on one card in eleven; it is smaller on none."""
    close = []
    for (card, usual), (_, large) in zip(drawn(slug, "poker"), drawn(slug, "large"), strict=True):
        before, after = (
            min(run.size for run in read_in_play(slug, card, drawing)) for drawing in (usual, large)
        )
        # One per cent less is allowed for rounding.
        assert after >= before * 99 // 100, card.key
        # A tenth larger, less one per cent for rounding.
        if after * 100 < before * 109:
            close.append(card.key)
    assert len(close) * 11 <= len(drawn(slug, "poker")), close


@pytest.mark.parametrize(("name", "per_cent"), [("poker", 90), ("large", 40)])
@pytest.mark.parametrize("slug", list(games()))
def test_cards_of_a_type_have_their_facts_in_one_size(slug, name, per_cent):
    """This holds for so many per cent of them, or for all but one; the others have too much to say.

    Texts are not counted: each is as large as it fits. In large print a long text leaves the facts of many
    cards in usual size.
    """
    sizes: dict[str, Counter[int]] = {}
    for card, drawing in drawn(slug, name):
        text, type_name = squashed(fonts.plain(card.told)), wording.type_name(card, games()[slug])
        facts = []
        for run in read_in_play(slug, card, drawing):
            is_number = run.text.lstrip("+").isdigit()
            is_of_text = run.text != type_name and squashed(run.text) in text
            if run.font in ("sans", "sans-bold") and not is_number and not is_of_text:
                facts.append(run.size)
        sizes.setdefault(card.type, Counter())[min(facts, default=0)] += 1
    for card_type, counts in sizes.items():
        number = counts.total()
        assert max(counts.values()) >= min(number * per_cent // 100, number - 1), (card_type, counts)


@pytest.mark.parametrize("slug", list(games()))
def test_a_number_has_the_largest_type_on_its_card(slug):
    """This holds for cards with a number that is compared or paid, other than bravado.

    Actions that are never tested have none.
    """
    for card, drawing in drawn(slug, "poker"):
        elements = games()[slug].face_named(card.type).elements
        keys = [element.fact for element in elements if isinstance(element, Number)]
        keys += [fact[0] for element in elements if isinstance(element, NumberRow) for fact in element.facts]
        numbers = [
            key for key in keys if isinstance(key, str) and card.number(key) is not None and key != "bravado"
        ]
        tested = any(header[-1:].isdigit() for header in card.words("action_headers"))
        if numbers and (card.type != "action" or tested):
            largest = max(runs(drawing), key=lambda run: run.size).text
            assert re.fullmatch(r"[+−]?[0-9]+|2?X(\+1)?", largest), (card.key, largest)


# The number that a player looks for on cards in hand. Spycraft is left out: its printed cards have their
# expense on the right, and a fan of them shows name and skills.
IN_HAND = [("xfiles", "cost"), ("spynet", "value"), ("agentdecker", "cost"), ("steamspy", "price")]


@pytest.mark.parametrize(("slug", "fact"), IN_HAND)
def test_the_top_left_corner_shows_what_a_card_costs(slug, fact):
    """In a fan of cards this corner is all that is seen of most of them."""
    costly = [(card, drawing) for card, drawing in drawn(slug, "poker") if card.number(fact) is not None]
    assert costly
    for card, drawing in costly:
        corner = [run.text for run in runs(drawing) if extent(run)[2] <= 14_500 and run.y <= 14_500]
        assert str(card.number(fact)) in corner, card.key


@pytest.mark.parametrize("slug", ("spycraft", "xfiles"))
@pytest.mark.parametrize("word", ("Long, " * 46 + "Law", "W" * 280))
def test_the_longest_facts_of_own_cards_stay_on_the_card(slug, word):
    game = games()[slug]
    for kind in game.types:
        typed = (fact for fact in game.facts_of(kind.slug) if fact.kind in ("number", "word", "words"))
        facts = {fact.key: 999_999 if fact.kind == "number" else fact.read(word) for fact in typed}
        drawing = compose(Card(slug, f"{OWN_CODE}x", "Falcon", kind.slug, facts, "Draw a card."), game)
        assert "Draw" in words_of(drawing) or not has_notes(game, kind.slug), kind.slug
        assert_on_the_card(drawing)
        assert all(run.size > 0 for run in runs(drawing)), kind.slug


@pytest.mark.parametrize("slug", list(games()))
def test_names_have_nine_points_and_keep_clear_of_their_band(slug):
    for card, drawing in drawn(slug, "poker"):
        names = [run for run in runs(drawing) if "serif" in run.font]
        assert not [run.text for run in names if points(run.size) < 8.9], card.key
        face = games()[slug].face_named(card.type)
        bands = [element for element in face.elements if isinstance(element, Band)]
        for band in (band for band in bands if band.at == "top"):
            swing = SWING if wording.said(band.line, card) != "straight" else 0
            edge = (band.deep - swing) * drawing.height // (WIDTH if drawing.turned else HEIGHT)
            feet = [extent(run)[3] for run in names if run.font == "serif-bold" and not run.turned]
            assert max(feet, default=0) <= edge - 700, card.key


def writing_rules(drawing: Drawing) -> list[Line]:
    return [rule for rule in rules(drawing) if rule.colour == colours.FAINT]


@pytest.mark.parametrize("slug", list(games()))
def test_a_small_face_has_no_rules_to_write_on(slug):
    game = games()[slug]
    for card in [*game.cards[::9], *bare_cards(game)]:
        assert not writing_rules(compose(card, game, small=True)), card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_face_in_the_light_style_has_the_same_words(slug):
    game = games()[slug]
    for card in [*game.cards[::9], *bare_cards(game)]:
        full, light = (words_of(compose(card, game, light=is_light)) for is_light in (False, True))
        assert full == light, card.key


# -- the faces of single games -----------------------------------------------------------------

SPYCRAFT = games()["spycraft"]


def test_a_spycraft_action_shows_its_traits():
    actions = [card for card in SPYCRAFT.cards if card.type == "action" and card.words("traits")]
    assert actions
    for card in actions:
        assert ", ".join(card.words("traits")) in words_of(compose(card, SPYCRAFT)), card.code


def test_a_formula_for_victory_points_replaces_their_number():
    drawing = compose(SPYCRAFT.card("auction-night"), SPYCRAFT)
    name = next(run for run in runs(drawing) if run.text == "Points")
    bid = next(run for run in runs(drawing) if run.text == "bid" and run.x > name.x - 3_000)
    assert bid.y < name.y and abs(bid.x + bid.width // 2 - name.x - name.width // 2) < 300
    assert "Victory points formula" not in words_of(drawing) and not rules(drawing)


ANSWERS = {"affiliation": "Alien", "motive": "Control", "method": "Threats"}
X_FILE = Card("xfiles", f"{OWN_CODE}x", "Falcon", "x-file", ANSWERS, "When it is guessed, draw 2 cards.")


def test_an_x_file_that_a_player_made_shows_its_text_and_its_answers():
    words = words_of(compose(X_FILE, games()["xfiles"]))
    assert all(part in words for part in ("When it is guessed", *ANSWERS.values()))


def test_a_character_has_large_traits_its_ranks_and_rules_for_more():
    drawing = compose(games()["steamspy"].card("ivy-brass"), games()["steamspy"])
    largest = sorted(runs(drawing), key=lambda run: -run.size)[:3]
    assert sorted(run.text for run in largest) == ["1", "1", "4"]
    assert {"Heisting", "Sneaking"} <= {run.text for run in runs(drawing)}
    assert writing_rules(drawing)


# -- the digest of everything that faces depend on --------------------------------------------


@pytest.mark.parametrize("name", ["face.py", "game.toml", "sets.csv"])
def test_the_digest_changes_with_the_files_of_a_game(tmp_path, name):
    digests = {}
    for folder in (tmp_path / "1", tmp_path / "2"):
        folder.mkdir()
        (folder / name).write_text(folder.name)
        game = replace(games()["agentdecker"], folder=folder)
        digests[folder] = digest_of_drawing(game)
        assert digest_of_drawing(game) == digests[folder]
    assert len(set(digests.values())) == 2


def test_the_digest_covers_the_code_of_pictures_and_the_table_of_options():
    paths = code_of_drawing()
    assert Path(png.in_srgb.__code__.co_filename) in paths
    assert Path(values.__file__).with_name("options.toml") in paths
