"""Two games of data in the repository: an invented one that uses all that may be declared, and the pack of 52
cards, which is free.
"""

import tomllib
from typing import get_args

import pytest

from cardsdb.catalogue.loader import load
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.looks import CORNERS, EDGES, LAYOUTS, RULINGS
from cardsdb.games.kit.declared.rules import KINDS
from cardsdb.games.kit.folder.bounds import DECLARED, TABLES
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import FactKind
from printing.faces.compose import compose
from tests.support.data_games import DATA_GAMES, data_games
from tests.support.drawings import words_of
from tests.support.pages import page

__all__ = ["data_games"]

SLUGS = ("french-pack", "lantern-street")
LANTERN = DATA_GAMES / "lantern-street"
CSV_OR_TOML = {*TABLES, *DECLARED}


@pytest.fixture(scope="module")
def declared():
    return tomllib.loads((LANTERN / "game.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("slug", SLUGS)
def test_it_keeps_the_contract_and_its_ready_decks_are_legal(data_games, slug):
    game = data_games[slug]
    assert game.is_data and problems(game) == []
    for starter in game.starters:
        format = game.formats_by_slug[starter.format]
        assert game.judge(read_deck(game, starter.text, format).deck, format).verdict == "legal", starter.name


def test_the_invented_one_uses_every_kind_of_rule_and_breaks_each(data_games, declared):
    rules = [rule for format in declared["formats"].values() for rule in format["rules"]]
    assert {rule["rule"] for rule in rules} == set(KINDS)
    broken = {code for example in data_games["lantern-street"].examples() for code in example.codes}
    own = {
        rule.get("code", f"{slug.upper()}-{at}")
        for slug, format in declared["formats"].items()
        for at, rule in enumerate(format["rules"], 1)
    }
    assert own == broken


def test_the_invented_one_uses_every_layout_fact_and_file(declared):
    faces = [card_type["face"] for card_type in declared["types"].values() if "face" in card_type]
    emblems = [field for face in faces for field in face.get("emblem", ())]
    assert {face["layout"] for face in faces} == set(LAYOUTS)
    assert len({face["edge"] for face in faces} & set(EDGES)) == len(faces)
    assert {field["ruling"] for field in emblems} == set(RULINGS)
    assert {field.get("corner", "top left") for field in emblems} == set(CORNERS)
    assert {fact["kind"] for fact in declared["facts"].values()} == set(get_args(FactKind))
    assert {path.name for path in LANTERN.iterdir() if path.is_file()} == CSV_OR_TOML


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("slug", SLUGS)
def test_its_pages_answer(data_games, client, slug):
    load(data_games[slug])
    codes = {card.type: card.code for card in data_games[slug].cards}.values()
    addresses = [f"/games/{slug}/", f"/games/{slug}/rules/"]
    addresses += [f"/cards/{slug}/{code}/{face}" for code in codes for face in ("", "face.svg")]
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(
        addresses, 200
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("glossary", "A puppet of neither troupe"),
        ("set-up", "Lay 7 lanterns"),
        ("play", "Raise the curtain"),
        ("effects", "hush"),
    ],
)
def test_the_guides_of_a_game_of_data_are_shown(data_games, client, address, words):
    load(data_games["lantern-street"])
    assert words in page(client, f"/games/lantern-street/{address}/").text


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ("", "", ()),
        ("2 Nine of Clubs", "2 Eight of Clubs", ("PINOCHLE-3",)),
        ("2 Nine of Clubs", "1 Nine of Clubs", ("PINOCHLE-1",)),
        ("2 Nine of Clubs", "3 Ten of Hearts", ("PINOCHLE-1", "PINOCHLE-2")),
    ],
)
def test_a_pinochle_pack_takes_each_card_from_nine_up_twice_and_no_other(data_games, old, new, broken):
    game = data_games["french-pack"]
    text = next(starter.text for starter in game.starters if starter.format == "pinochle")
    format = game.formats_by_slug["pinochle"]
    assert game.judge(read_deck(game, text.replace(old, new), format).deck, format).codes() == broken


def test_numbers_side_by_side_are_no_bonuses_and_tags_of_effects_are_not_said_twice(data_games):
    game = data_games["lantern-street"]
    card = game.card("tin-moon")
    assert card is not None
    said = words_of(compose(card, game, game.trim))
    assert "Light a lantern." in said and "+2" not in said and "Target" not in said
