"""Rules that are declared as data: each kind words itself unless its author has worded it.

That each kind also judges is shown by the examples of Lantern Street (``test_declared_games.py``);
``rules/test_construction.py`` tests the classes. Faults of their tables are in ``test_game_file.py`` and
``test_formats.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from cardsdb import games as folders
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.rules import KINDS
from tests.support.data_games import write_format

HEAD = 'game = "night-train"\nname = "Tuesday league"\n\n[[rules]]\n'


def sentence_of(rule: str, site_data: Path) -> str:
    """The sentence of the rule in this TOML table, as a format of Night Train cites it."""
    assert write_format(site_data, "tuesday.toml", HEAD + rule) == []
    game = folders.games()["night-train"]
    assert problems(game) == []
    return game.citations["TUESDAY-1"].says


# (a rule in TOML, words of its sentence); each kind at least once.
RULES = [
    ('rule = "size"\nat_least = 20\nat_most = 40', "A deck has at least 20 and at most 40 cards."),
    ('rule = "copies"\nlimit = 2', "A deck has at most 2 copies of each card."),
    (
        'rule = "copies"\nlimit = 1\nof = { types = ["trick"], where = { cost = 2 } }',
        "A deck has at most 1 copy of each card, counted among the tricks.",
    ),
    (
        'rule = "copies"\nlimit = 2\nown_limit = "nerve"\nof = { cards = ["Benno Latch"] }',
        "A deck has at most 2 copies of each card,",
    ),
    ('rule = "singleton"\nof = { sections = ["places"] }', "A deck has no card twice."),
    (
        'rule = "restricted"\ncards = ["Second Key", "lights-out"]',
        "of each of these: Second Key and lights-out.",
    ),
    ('rule = "banned"\ncards = ["mail-van"]', "Banned: mail-van."),
    (
        'rule = "points"\nlimit = 4\ncards = { "Ada Quill" = 1, mail-van = 2 }',
        "The cards of the points list cost at most 4 points together: Ada Quill 1 and mail-van 2.",
    ),
    ('rule = "only_types"\ntypes = ["agent", "trick"]', "Only agents and tricks may be among the cards."),
    ('rule = "only_sets"\nsets = ["ONE"]', "Every card is from one of these sets: ONE."),
    ('rule = "agreement"\nfact = "crew"\nof = { types = ["agent"] }', "All agents have the same crew."),
    (
        'rule = "one_of_each"\nfact = "reward"\nvalues = [2, 3, 4]\nof = { types = ["place"] }',
        "No two places have the same reward, and there is one of each: 2, 3 and 4.",
    ),
    ('rule = "total"\nfact = "cost"\nlimit = 30', "The cost of the cards comes to at most 30 together."),
    (
        'rule = "without"\nfact = "crew"\nvalue = "Porters"',
        "None of the cards has a crew that is Porters.",
    ),
]


@pytest.mark.parametrize(("rule", "says"), RULES)
def test_each_kind_of_rule_words_itself(night_train, site_data, rule, says):
    assert says in sentence_of(rule, site_data)


def test_a_rule_has_the_words_of_its_author(night_train, site_data):
    assert sentence_of('rule = "singleton"\nsays = "One of each."', site_data) == "One of each."


def test_every_kind_of_rule_is_among_those_above_and_in_the_guide_to_adding_a_game():
    guide = (Path(settings.BASE_DIR) / "docs/add-a-game.md").read_text(encoding="utf-8")
    assert {rule.split('"')[1] for rule, _ in RULES} == set(KINDS)
    assert [kind for kind in KINDS if f"`{kind}`" not in guide] == []
