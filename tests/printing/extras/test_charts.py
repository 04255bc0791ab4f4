"""Charts, tracks and tables of cards, as players look them up or tick them during the game."""

import pytest

from cardsdb.games import games
from printing.extras.charts import Stock
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
def test_what_a_player_looks_up_during_the_game_is_printed(slug, titles):
    game = games()[slug]
    parts = {part.title: part for part in (game.play_guide.parts if game.play_guide else ())}
    pieces = reference_pieces(game, (), Stock((63_000, 88_000)))
    for title in titles:
        fronts = (piece.front for piece in pieces if piece.name.startswith(f"{title}, "))
        printed, part = words_of(*fronts), parts[title]
        said = [*(step.title for step in part.steps), *part.places]
        said += [row[0] for row in part.table.rows] if part.table else []
        assert said and [words for words in said if words not in printed] == [], title


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_notebook_is_one_page_that_lists_every_x_file_to_be_read_and_ticked(paper):
    game = games()["xfiles"]
    (page,) = notebook_pages(game, PAPERS[paper].lengths)
    assert_within(page)
    names = [card.name for card in game.cards if card.type == "x-file"]
    assert len(names) == 41 and [name for name in names if name not in texts(page)] == []
    assert min(one.size for one in runs(page) if one.text in names) >= fonts.micrometres(80)
    sides = [abs(one.y2 - one.y1) for one in rules(page) if one.x1 == one.x2]
    assert len(sides) == 2 * len(names) and min(sides) >= 3_500
    # One for each has paper of its own, which stands as the sheets lie.
    across = notebook_pages(game, PAPERS[paper].lengths[::-1], 2)
    assert [(one.width, one.height, one.turned) for one in across] == [(*PAPERS[paper].lengths, True)] * 2
