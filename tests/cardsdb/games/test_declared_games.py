"""The two games of data in ``tests/data_games``: Lantern Street, an invented game that uses everything that a
``game.toml`` may declare, and the French pack of 52 cards.
"""

import tomllib
from typing import get_args

import pytest

from cardsdb.catalogue.loader import load
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.looks import CORNERS, EDGES, LAYOUTS, RULINGS
from cardsdb.games.kit.declared.rules import KINDS
from cardsdb.games.kit.folder.files import DECLARED, TABLES
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import FactKind
from printing.faces.compose import compose
from tests.support.data_games import DATA_GAMES
from tests.support.drawings import words_of

SLUGS = ("french-pack", "lantern-street")
LANTERN = DATA_GAMES / "lantern-street"


@pytest.fixture(scope="module")
def declared():
    """The values of Lantern Street's ``game.toml``."""
    return tomllib.loads((LANTERN / "game.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_of_data_keeps_the_contract(data_games, slug):
    assert data_games[slug].is_data
    assert problems(data_games[slug]) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_starters_of_a_game_of_data_are_legal(data_games, slug):
    game = data_games[slug]
    for starter in game.starters:
        format = game.formats_by_slug[starter.format]
        assert game.judge(read_deck(game, starter.text, format).deck, format).verdict == "legal", starter.name


def test_lantern_street_uses_every_kind_of_rule_and_its_examples_break_each_rule(data_games, declared):
    rules = [
        (rule["rule"], rule.get("code", f"{slug.upper()}-{number}"))
        for slug, format in declared["formats"].items()
        for number, rule in enumerate(format["rules"], 1)
    ]
    assert {kind for kind, _ in rules} == set(KINDS)
    broken = {code for example in data_games["lantern-street"].examples() for code in example.codes}
    assert broken == {code for _, code in rules}


def test_lantern_street_uses_every_layout_edge_ruling_and_corner(declared):
    faces = [card_type["face"] for card_type in declared["types"].values() if "face" in card_type]
    fields = [field for face in faces for field in face.get("emblem", ())]
    assert {face["layout"] for face in faces} == set(LAYOUTS)
    assert len({face["edge"] for face in faces} & set(EDGES)) == len(faces)
    assert {field["ruling"] for field in fields} == set(RULINGS)
    assert {field.get("corner", "top left") for field in fields} == set(CORNERS)


def test_lantern_street_uses_every_kind_of_fact_and_every_file(declared):
    assert {fact["kind"] for fact in declared["facts"].values()} == set(get_args(FactKind))
    files = {path.name for path in LANTERN.iterdir() if path.is_file()}
    assert files == {*TABLES, *DECLARED}


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("slug", SLUGS)
def test_the_pages_of_a_game_of_data_and_of_a_card_of_each_type_are_shown(data_games, client, slug):
    load(data_games[slug])
    codes = {card.type: card.code for card in data_games[slug].cards}.values()
    addresses = [f"/games/{slug}/", f"/games/{slug}/rules/"]
    addresses += [f"/cards/{slug}/{code}/{face}" for code in codes for face in ("", "face.svg")]
    answers = {address: client.get(address).status_code for address in addresses}
    assert answers == dict.fromkeys(addresses, 200)


def test_a_face_has_numbers_without_a_plus_and_effects_as_sentences_without_their_tags(data_games):
    game = data_games["lantern-street"]
    card = game.card("tin-moon")
    assert card is not None
    printed = words_of(compose(card, game, game.trim))
    assert "Light a lantern." in printed
    assert "+2" not in printed
    assert "Target" not in printed
