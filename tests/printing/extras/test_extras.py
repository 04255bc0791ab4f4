"""What is printed beside the cards: tokens, markers, score cards, reference cards, labels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Marker, PrintExtras, ScoreCard
from cardsdb.games.kit.contract.optional import print_extras_problems
from cardsdb.games.kit.print.face import FactSymbols, Levels
from cardsdb.games.kit.print.shapes import SYMBOLS
from cardsdb.games.xfiles.emblems import POOLS
from cardsdb.identity.viewer import Viewer
from printing.extras.charts import BAND, Stock
from printing.extras.pieces import (
    MAX_TERM_CARDS,
    MIN_SIDE,
    Label,
    label_pieces,
    marker_pieces,
    notebook_pages,
    reference_pieces,
    score_pieces,
)
from printing.faces import fonts
from printing.faces.colours import PAPER
from printing.faces.strokes import Drawing, Line, Path, Rect, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.layout.qr_code import code_of
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import BadOption, read_options
from printing.render.files import sides_of
from printing.request.lists import pasted_list, single_cards, stored_decks
from tests.support.drawings import ROOT, assert_within, runs, starter_list, texts, words_of
from tests.support.print_lists import job_for
from tests.support.public_decks import make_deck, starter

pytestmark = pytest.mark.one_database

SIZES = [TRIMS[slug].lengths for slug in ("poker", "standard", "tarot", "mini", "square")]


# -- tokens and markers --------------------------------------------------------------


@pytest.mark.django_db
def test_spynet_prints_four_tokens_of_each_branch_twelve_to_a_card() -> None:
    job = job_for(single_cards(["spynet/hitman"]), {"extras": "tokens"})
    assert [piece.name for piece in job.extra] == [
        "Markers: 4 Enforcement, 4 Infiltration, 4 Counterespionage",
        "Markers: 4 Tech",
    ]
    assert job.summary().startswith("1 card, 2 cards of markers, 1 sheet")
    assert job.heading == "Hitman"


@pytest.mark.parametrize(
    ("slug", "fact", "values"),
    [
        ("xfiles", "pool", ("RP", "CP")),
        ("spynet", "branches", ("enforcement", "infiltration", "counterespionage", "tech")),
    ],
)
def test_a_marker_of_a_value_has_the_drawing_and_the_colour_that_cards_have(
    slug: str, fact: str, values: tuple[str, ...]
) -> None:
    game = games()[slug]
    markers = {marker.colour: marker for marker in game.print_extras.markers}
    on_cards = {
        (value, path)
        for face in game.faces.values()
        for part in face.elements
        if isinstance(part, FactSymbols) and part.fact == fact
        for value, path in part.symbols
    }
    if slug == "xfiles":
        # A cost stands in the shape of its pool.
        on_cards = {(value, SYMBOLS[shape]) for value, shape in POOLS.items()}
    for value in values:
        assert value in game.colours and (value, markers[value].symbol) in on_cards
        (piece,) = marker_pieces(
            replace(game, print_extras=PrintExtras((markers[value],))), Stock((63_000, 88_000))
        )
        colours = {one.colour for one in piece.front.strokes if isinstance(one, Path)}
        assert colours == {game.colours[value]} or (markers[value].card and game.colours[value] in colours)


def test_a_token_of_spynet_lies_on_the_weave_of_its_branch_and_in_light_ink_on_its_outlines() -> None:
    game = games()["spynet"]
    (full,), (light,) = (
        marker_pieces(game, Stock((63_000, 88_000), style=style), 3) for style in ("full", "light")
    )
    assert full.count == light.count == 3
    hues = {game.colours[marker.colour] for marker in game.print_extras.markers}
    used = [{one.colour for one in piece.front.strokes if isinstance(one, Path)} for piece in (full, light)]
    assert hues < used[0] and used[1] == hues | {PAPER}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "game", [game for game in games().values() if game.print_extras.markers], ids=lambda game: game.slug
)
def test_every_marker_is_printed_as_often_as_declared_and_can_be_picked_up(
    game: Any, size: tuple[int, int]
) -> None:
    pieces = marker_pieces(game, Stock(size))
    markers: Counter[str] = Counter()
    for piece in pieces:
        assert_within(piece.front)
        for count, name in re.findall(r"([0-9]+) ([^:]+?)(?:, (?=[0-9])|$)", piece.name.partition(": ")[2]):
            markers[name] += int(count) * piece.count
        tiles = [one for one in piece.front.strokes if isinstance(one, Rect)]
        assert all(min(one.width, one.height) >= MIN_SIDE for one in tiles)
    assert markers == Counter({marker.name: marker.count for marker in game.print_extras.markers})


def test_spycraft_marks_the_four_things_its_rules_mark() -> None:
    assert [marker.name for marker in games()["spycraft"].print_extras.markers] == [
        "Activation",
        "Wounded",
        "Exposed",
        "Action used",
    ]
    assert [
        piece.count for piece in marker_pieces(games()["spycraft"], Stock(TRIMS["standard"].lengths))
    ] == [1, 1]


def test_extras_fill_the_slots_that_are_left(db: None) -> None:
    deck = pasted_list("spycraft", "5 Kai")
    assert job_for(deck, {}).sheets == 1
    assert job_for(deck, {"extras": "tokens,labels"}).sheets == 1
    assert job_for(deck, {"extras": "tokens,labels"}).cards == 8


def test_a_game_without_tokens_says_so(db: None) -> None:
    job = job_for(starter_list("steamspy", games()["steamspy"].starters[0].slug), {"extras": "tokens,scores"})
    assert "Steam Spy needs no tokens that Cutout knows of." in job.remarks()
    assert "Steam Spy has no score sheet." in job.remarks()


def test_extras_are_chosen_by_name() -> None:
    assert read_options({"extras": "Register, tokens"}).extras == ("tokens", "register")
    with pytest.raises(BadOption) as refused:
        read_options({"extras": "tokens,cake"})
    assert "tokens, scores, reference, sheets, labels, box, register" in str(refused.value)


BAD_EXTRAS = [
    (PrintExtras(markers=(Marker("Wounded", "M0 0", 0, "PL-7"),)), "must be there 1 to 60 times"),
    (PrintExtras(markers=(Marker("Wounded", "M0 0", 1, "XX-1"),)), "which is not cited"),
    (PrintExtras((Marker("Red", "M0 0 L1 1", 1, "PL-7", "no colour"),)), "the colour of 'Red'"),
    (PrintExtras(scores=(ScoreCard("Scores", (), 3, "Total", "PL-7"),)), "needs rows"),
]


@pytest.mark.parametrize(("extras", "problem"), BAD_EXTRAS)
def test_extras_that_are_declared_wrong_are_named(extras: PrintExtras, problem: str) -> None:
    assert any(
        problem in sentence
        for sentence in print_extras_problems(replace(games()["spycraft"], print_extras=extras))
    )


def test_pieces_are_told_apart() -> None:
    game = games()["spycraft"]
    pieces: tuple[Piece, ...] = (
        *marker_pieces(game, Stock(game.trim)),
        *reference_pieces(game, game.cards, Stock(game.trim)),
    )
    assert len({piece.key for piece in pieces}) == len(pieces)


# -- score and reference cards ------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_score_sheet_has_a_line_for_each_mission_and_the_total(size: tuple[int, int]) -> None:
    (piece,) = score_pieces(games()["agentdecker"], Stock(size))
    assert_within(piece.front)
    for words in ("Date", *(f"Mission {number}" for number in range(1, 6)), "Total", "CC BY-NC 4.0"):
        assert words in words_of(piece.front)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_reference_cards_hold_numbers_steps_and_terms_and_lose_no_word(
    game: Any, size: tuple[int, int]
) -> None:
    pieces = reference_pieces(game, game.cards[:40], Stock(size))
    for piece in pieces:
        assert_within(piece.front)
    words = "".join(words_of(*(piece.front for piece in pieces)).split())
    for one in game.set_up:
        assert "".join(one.label.split()) in words and "".join(one.value.split()) in words
    steps = game.set_up_guide.guide(game.set_up_guide.usual).steps if game.set_up_guide else ()
    for step in steps:
        assert "".join(step.says.split()) in words


def test_terms_are_those_the_deck_meets_and_no_more_cards_than_are_handy() -> None:
    game = games()["spycraft"]
    met = {term.term for card in game.cards for term in game.terms_for(card)}
    pieces = [
        piece
        for piece in reference_pieces(game, game.cards, Stock(game.trim))
        if piece.name.startswith("Terms")
    ]
    shown = [term for term in game.glossary if any(term.term in texts(piece.front) for piece in pieces)]
    assert 0 < len(pieces) <= MAX_TERM_CARDS and {term.term for term in shown} <= met and len(shown) >= 12
    assert all(
        "".join(term.meaning.split()) in "".join(words_of(*(piece.front for piece in pieces)).split())
        for term in shown
    )


def test_a_step_does_not_stand_on_a_card_alone() -> None:
    game = games()["spynet"]
    cards = [
        piece.front
        for piece in reference_pieces(game, game.cards, Stock(game.trim))
        if piece.name.startswith("Set-up")
    ]
    assert len(cards) == 2
    lowest = [
        max(one.y for one in card.strokes if isinstance(one, TextRun) and one.y < card.height * 9 // 10)
        for card in cards
    ]
    assert min(lowest) > cards[0].height // 2


# -- labels ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_labels_say_what_is_in_the_box_three_times(size: tuple[int, int]) -> None:
    label = Label(
        "A deck with a rather long name, for the club night of Friday",
        "Agency Deck",
        "59 cards, version 3",
        code_of(ROOT),
    )
    (piece,) = label_pieces(games()["spycraft"], label, Stock(size))
    assert_within(piece.front)
    assert (
        words_of(piece.front).count("Spycraft · Agency Deck") == 3
        and words_of(piece.front).count("59 cards, version 3") == 3
    )


@pytest.mark.parametrize("size", [(40_000, 60_000), (44_000, 68_000), (57_000, 87_000), (63_500, 88_900)])
def test_the_lines_of_a_label_keep_clear_of_each_other(size: tuple[int, int]) -> None:
    label = Label("A gypsy’s campaign", "Campaign", "54 cards")
    (piece,) = label_pieces(games()["agentdecker"], label, Stock(size))
    strip = [one for one in piece.front.strokes if isinstance(one, TextRun)][:4]
    cuts = [fonts.CUTS[one.font] for one in strip]
    feet = [run.y + cut.drop * run.size // 1000 for run, cut in zip(strip, cuts, strict=True)]
    heads = [run.y - cut.cap * run.size // 1000 for run, cut in zip(strip, cuts, strict=True)]
    assert min(head - foot for foot, head in zip(feet, heads[1:], strict=False)) >= 150


def test_the_strips_of_a_label_are_alike_with_two_cuts_between_them() -> None:
    label = Label("Nine Tiger", "Agency Deck", "59 cards", code_of(ROOT))
    (piece,) = label_pieces(games()["spycraft"], label, Stock((63_000, 88_200)))
    third, cuts = piece.front.height // 3, [one for one in piece.front.strokes if isinstance(one, Line)]
    runs = Counter(
        (one.text, one.x, one.y % third) for one in piece.front.strokes if isinstance(one, TextRun)
    )
    assert "59 cards" in {text for text, _, _ in runs} and set(runs.values()) == {3}
    assert [(one.x1, one.x2, one.y1) for one in cuts] == [
        (0, piece.front.width, third * number) for number in (1, 2)
    ]


def test_a_label_leads_back_to_the_deck(db: None) -> None:
    deck = make_deck(Client(), "Nine Tiger", starter("spycraft", "nine-tiger"))
    job = job_for(stored_decks([deck.link], Viewer()), {"only": "none", "extras": "labels"}, Viewer(), ROOT)
    (piece,) = job.extra
    assert sum(isinstance(one, Rect) and one.colour == "#000000" for one in piece.front.strokes) > 200


def test_each_deck_has_its_label(db: None) -> None:
    links = [make_deck(Client(), name, "2 Kai").link for name in ("One", "Two")]
    job = job_for(stored_decks(links, Viewer()), {"extras": "labels"})
    assert [piece.name for piece in job.extra] == ["Labels: One", "Labels: Two"]


# -- as the cards are printed ------------------------------------------------------------


ALL_EXTRAS = "tokens,scores,reference,labels"


def coloured(drawing: Drawing) -> list[Rect]:
    """The fills in a game's colours; a code's modules are black."""
    return [one for one in drawing.strokes if isinstance(one, Rect) and one.colour != "#000000"]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["agentdecker", "spycraft"])
def test_extras_bleed_as_the_cards_do(slug: str) -> None:
    job = job_for(
        starter_list(slug, games()[slug].starters[0].slug),
        {"extras": ALL_EXTRAS, "bleed": "3", "style": "full"},
        None,
        ROOT,
    )
    coloured_pieces = [(piece, fills) for piece in job.extra if (fills := coloured(piece.front))]
    assert {piece.name.split(":")[0] for piece, _ in coloured_pieces} == {"Markers", "Labels"}
    for piece, fills in coloured_pieces:
        front = piece.front
        assert min(one.x for one in fills) == -3_000 and min(one.y for one in fills) == -3_000, piece.name
        for one in fills:
            assert one.x in (-3_000, *range(1, front.width)) and one.y in (-3_000, *range(1, front.height)), (
                piece.name
            )
            assert (
                one.x + one.width not in (front.width, front.width + 1) and one.y + one.height != front.height
            ), piece.name


@pytest.mark.django_db
def test_extras_have_the_corners_of_the_cards() -> None:
    job = job_for(
        pasted_list("spycraft", "1 Kai"), {"extras": ALL_EXTRAS, "bleed": "3", "corner": "3"}, None, ROOT
    )
    placed = [one for side in sides_of(job) for one in side.placed]
    assert len(placed) == job.cards and {one.corner for one in placed} == {3_000}


@pytest.mark.django_db
def test_extras_are_in_large_print_when_the_cards_are() -> None:
    usual, large = (
        job_for(
            starter_list("agentdecker", games()["agentdecker"].starters[0].slug),
            {"extras": ALL_EXTRAS, "type": kind},
            None,
            ROOT,
        )
        for kind in ("normal", "large")
    )

    def type_of(job: Job, name: str) -> int:
        runs = [
            one
            for piece in job.extra
            if piece.name.startswith(name)
            for one in piece.front.strokes
            if isinstance(one, TextRun)
        ]
        return max(sum(run.size for run in runs if run.font == font) for font in ("sans", "sans-bold"))

    # A marker's name fills its tile as it is.
    for name in {piece.name.split(",")[0].split(":")[0] for piece in usual.extra} - {"Markers"}:
        assert type_of(large, name) > type_of(usual, name), name
    assert len(large.extra) >= len(usual.extra)
    for piece in large.extra:
        assert_within(piece.front)


@pytest.mark.django_db
def test_the_summary_counts_the_reference_cards_of_large_print() -> None:
    job = job_for(pasted_list("spycraft", "1 Kai"), {"extras": "reference", "type": "large"})
    assert f"{len(job.extra)} reference cards" in job.summary()


def test_a_label_of_a_deck_of_one_card_says_one_card(db: None) -> None:
    lists = pasted_list("spycraft", "1 Kai")
    job = job_for(lists, {"extras": "labels"})
    (piece,) = job.extra
    assert "1 card" in [run.text for run in piece.front.strokes if isinstance(run, TextRun)]


# -- charts, places, tables of cards ----------------------------------------------------

PLAYED = [
    ("spycraft", "The turn at a glance"),
    ("spycraft", "An action, step by step"),
    ("spycraft", "A mission in five steps"),
    ("spycraft", "The four standard actions"),
    ("spycraft", "What each faction's leaders can do"),
    ("xfiles", "The turn at a glance"),
    ("spynet", "The turn at a glance"),
    ("steamspy", "The control slider"),
    ("steamspy", "An encounter at a glance"),
    ("steamspy", "What follows an encounter"),
    ("steamspy", "Chart 1-2: the goals"),
    ("steamspy", "Chart 1-3: immediate encounters"),
    ("agentdecker", "The turn at a glance"),
    ("agentdecker", "Between two missions"),
]


@pytest.mark.parametrize(("slug", "title"), PLAYED)
def test_what_a_player_looks_up_during_the_game_is_printed(slug: str, title: str) -> None:
    game = games()[slug]
    (part,) = [part for part in (game.play_guide.parts if game.play_guide else ()) if part.title == title]
    pieces = [
        piece
        for piece in reference_pieces(game, (), Stock((63_000, 88_000)))
        if piece.name.startswith(f"{title}, ")
    ]
    printed = " ".join(words_of(piece.front) for piece in pieces)
    said = [
        *(step.title for step in part.steps),
        *part.places,
        *(row[0] for row in (part.table.rows if part.table else ())),
    ]
    assert said and [words for words in said if words not in printed] == []


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_charts_and_tables_stay_on_their_cards(size: tuple[int, int], large: bool) -> None:
    stock = Stock(size, 0, large)
    for piece in reference_pieces(games()["steamspy"], (), stock):
        assert_within(piece.front)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_notebook_is_one_page_that_lists_every_x_file_to_be_read_and_ticked(paper: str) -> None:
    game = games()["xfiles"]
    (page,) = notebook_pages(game, PAPERS[paper].lengths)
    assert_within(page)
    names = [card.name for card in game.cards if card.type == "x-file"]
    assert len(names) == 41 and [name for name in names if name not in texts(page)] == []
    in_rows = [one for one in page.strokes if isinstance(one, TextRun) and one.text in names]
    assert min(one.size for one in in_rows) >= fonts.micrometres(80)
    sides = [abs(one.y2 - one.y1) for one in page.strokes if isinstance(one, Line) and one.x1 == one.x2]
    assert len(sides) == 2 * len(names) and min(sides) >= 3_500


def test_a_notebook_for_each_has_paper_of_its_own_which_stands_as_the_sheets_lie() -> None:
    game = games()["xfiles"]
    across = notebook_pages(game, PAPERS["a4"].lengths[::-1], 2)
    assert [(page.width, page.height, page.turned) for page in across] == [(210_000, 297_000, True)] * 2


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("size", SIZES)
def test_no_word_of_an_extra_is_smaller_than_six_points(slug: str, size: tuple[int, int]) -> None:
    game, stock = games()[slug], Stock(size)
    label = Label("Nine Tiger", "Agency Deck", "59 cards, version 3", code_of(ROOT))
    pieces = (
        *marker_pieces(game, stock),
        *score_pieces(game, stock),
        *reference_pieces(game, game.cards[:40], stock),
        *label_pieces(game, label, stock),
    )
    small = {
        (piece.name, one.text)
        for piece in pieces
        for one in piece.front.strokes
        if isinstance(one, TextRun) and one.size < fonts.micrometres(60) * 98 // 100
    }
    assert small == set()


def test_titles_keep_to_their_bands_and_off_the_cut() -> None:
    for game in games().values():
        for size in SIZES:
            for piece in reference_pieces(game, (), Stock(size)):
                title = [
                    one for one in piece.front.strokes if isinstance(one, TextRun) and "serif" in one.font
                ]
                deep = BAND * piece.front.width // (88_000 if piece.front.turned else 63_000)
                assert min(one.y - one.size * 67 // 100 for one in title) >= 1_000, piece.name
                assert max(one.y for one in title) < deep, piece.name


def test_cards_of_one_title_say_which_of_them_each_is_and_no_card_says_a_code_of_a_rule() -> None:
    for game in games().values():
        for piece in reference_pieces(game, game.cards[:40], Stock((63_000, 88_000))):
            part = re.search(r"\d of \d$", piece.name)
            assert part is None or any(text.endswith(part[0]) for text in texts(piece.front)), piece.name
            assert not re.search(r"\([A-Z]{1,3}-?\d+\)", words_of(piece.front)), piece.name


def test_where_backs_are_printed_a_reference_card_has_the_next_on_its_back() -> None:
    game = games()["spycraft"]
    single = reference_pieces(game, game.cards[:40], Stock(game.trim))
    double = reference_pieces(game, game.cards[:40], Stock(game.trim), two_sided=True)
    assert len(double) == -(-len(single) // 2)
    shown = [side.name for piece in double for side in (piece.front, piece.back) if side]
    assert sorted(shown) == sorted(piece.name for piece in single)
    terms = [piece for piece in double if piece.name.startswith("Terms") and piece.back]
    assert terms and terms[0].back and terms[0].back.name.startswith("Terms")


@pytest.mark.django_db
def test_backs_of_reference_cards_are_read_aloud_as_their_fronts_are() -> None:
    listed = pasted_list("spycraft", "2 Kai")
    job = job_for(listed, {"extras": "reference", "only": "none", "backs": "long"})
    backs = [piece.back for piece in pieces_of(job) if piece.back]
    assert backs and all(back.told.startswith(f"{back.name}. ") and len(back.told) > 100 for back in backs)


def test_the_short_names_on_agents_of_the_x_files_are_explained_on_a_reference_card() -> None:
    game = games()["xfiles"]
    (levels,) = (part for part in game.faces["agent"].elements if isinstance(part, Levels))
    short = {name: game.facts_by_key[key].title for key, name in levels.facts}
    told = " ".join(words_of(piece.front) for piece in reference_pieces(game, (), Stock((63_000, 88_000))))
    for name, title in short.items():
        assert name == title or f"{name} {title}" in told, name


def test_the_text_of_a_reference_card_is_nine_points_or_more() -> None:
    for game in games().values():
        for piece in reference_pieces(game, game.cards[:30], Stock((63_000, 88_000))):
            told = [
                one for one in piece.front.strokes if isinstance(one, TextRun) and one.font == "sans-bold"
            ]
            if "Chart" not in piece.name and not piece.front.turned:
                assert all(one.size >= fonts.micrometres(90) for one in told), piece.name


@pytest.mark.parametrize("slug", ["agentdecker", "spynet"])
def test_the_source_of_a_reference_card_is_six_points_where_it_has_one_line(slug: str) -> None:
    game = games()[slug]
    for piece in reference_pieces(game, (), Stock(game.trim)):
        assert min(run.size for run in runs(piece.front)) >= 6 * 25_400 // 72
