"""Charts and tables of cards that players look up or tick during the game."""

import pytest

from cardsdb.games import games
from printing.extras.blank import Stock
from printing.extras.charts import notebook_pages
from printing.extras.pieces import reference_pieces
from printing.faces import fonts
from printing.options.sizes import PAPERS
from tests.support.drawings import assert_within, rules, runs, texts, words_of

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    "game", [game for game in games().values() if game.play_guide], ids=lambda game: game.slug
)
def test_charts_of_the_play_guide_are_printed_completely(game):
    pieces = reference_pieces(game, (), Stock((63_000, 88_000)))
    parts = [part for part in game.play_guide.parts if part.card]
    assert parts
    for part in parts:
        printed = words_of(*(piece.front for piece in pieces if piece.name.startswith(f"{part.title}, ")))
        entries = [*(step.title for step in part.steps), *part.places]
        entries += [row[0] for row in part.table.rows] if part.table else []
        assert entries and [entry for entry in entries if entry not in printed] == [], part.title


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
