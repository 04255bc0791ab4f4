"""Charts and tables of cards that players look up or tick during the game."""

import pytest

from cardsdb.games import games
from printing.extras.blank import Stock
from printing.extras.pieces import notebook_pages, reference_pieces
from printing.faces import fonts
from printing.options.sizes import PAPERS
from tests.support.drawings import assert_within, rules, runs, texts, words_of

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    ("slug", "titles"),
    [
        (
            "spycraft",
            [
                "The turn at a glance",
                "An action, step by step",
                "A mission in five steps",
                "The four standard actions",
                "What each faction's leaders can do",
            ],
        ),
        ("xfiles", ["The turn at a glance"]),
        ("spynet", ["The turn at a glance"]),
        (
            "steamspy",
            [
                "The control slider",
                "An encounter at a glance",
                "What follows an encounter",
                "Chart 1-2: the goals",
                "Chart 1-3: immediate encounters",
            ],
        ),
        ("agentdecker", ["The turn at a glance", "Between two missions"]),
    ],
)
def test_charts_of_the_play_guide_are_printed_completely(slug, titles):
    game = games()[slug]
    parts = {part.title: part for part in (game.play_guide.parts if game.play_guide else ())}
    pieces = reference_pieces(game, (), Stock((63_000, 88_000)))
    for title in titles:
        fronts = (piece.front for piece in pieces if piece.name.startswith(f"{title}, "))
        printed, part = words_of(*fronts), parts[title]
        entries = [*(step.title for step in part.steps), *part.places]
        entries += [row[0] for row in part.table.rows] if part.table else []
        assert entries and [entry for entry in entries if entry not in printed] == [], title


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_notebook_lists_every_x_file_on_one_page(paper):
    game = games()["xfiles"]
    (page,) = notebook_pages(game, PAPERS[paper].lengths)
    assert_within(page)
    names = [card.name for card in game.cards if card.type == "x-file"]
    assert len(names) == 41 and [name for name in names if name not in texts(page)] == []
    assert min(run.size for run in runs(page) if run.text in names) >= fonts.micrometres(80)
    sides = [abs(rule.y2 - rule.y1) for rule in rules(page) if rule.x1 == rule.x2]
    assert len(sides) == 2 * len(names) and min(sides) >= 3_500


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_each_player_gets_a_notebook_turned_as_the_sheets_lie(paper):
    pages = notebook_pages(games()["xfiles"], PAPERS[paper].lengths[::-1], 2)
    assert [(page.width, page.height, page.turned) for page in pages] == [(*PAPERS[paper].lengths, True)] * 2
