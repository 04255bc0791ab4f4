"""The facts in a card's row: its numbers in columns and the mark of its faction."""

import pytest

from cardsdb.games import games
from decks.editor.rows import columns_of, row_facts
from tests.support.editing import open_editor
from tests.support.pages import page

GAME = games()["spycraft"]
NUMBERS = ["Expense", "Charisma", "Combat", "Transport", "Craft", "Bravado"]


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.slug)
def test_a_fact_has_the_same_column_in_all_types_of_a_game(game):
    all_columns = [columns for card_type in game.types if (columns := columns_of(game, card_type.slug))]
    assert len({len(columns) for columns in all_columns}) <= 1
    places: dict[str, set[int]] = {}
    for columns in all_columns:
        for place, column in enumerate(columns):
            if column.fact:
                places.setdefault(column.fact.key, set()).add(place)
    assert {key: found for key, found in places.items() if len(found) > 1} == {}


def test_the_cost_has_the_first_column_and_the_rank_the_last():
    agent, leader = (columns_of(GAME, slug) for slug in ("agent", "leader"))
    assert [column.heading for column in agent] == ["Cost", "Cha", "Com", "Tra", "Cra", "Brav"]
    assert agent[:5] == leader[:5] and leader[5].heading == "Lvl"


def test_every_section_is_ordered_by_a_number_of_its_game():
    for game in games().values():
        numbers = {fact.key for fact in game.facts if fact.kind == "number"}
        assert {section.order for section in game.sections if section.order} <= numbers


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_a_row_shows_the_mark_of_the_faction_and_its_numbers_under_their_headings(client):
    editor = open_editor(client)
    found = page(client, editor, {"q": "type:agent", "fit": "off"})
    heads = found.one(class_="find-head").all(title=True)
    assert [head["title"] for head in heads] == NUMBERS
    found = page(client, editor, {"q": "!kai"})
    for row in (found.one(id="card-kai"), found.one(data_key="deck kai", data_count=True)):
        assert row.all(class_="value-spycraft-nine-tiger")
        numbers = row.one(class_="row-numbers").text.replace(" ", "")
        assert numbers == "Expense7Charisma2Combat7Transport3Craft2Bravado3"


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_a_number_under_the_heading_of_another_fact_shows_its_own_symbol(client):
    mission = next(card for card in GAME.cards if card.type == "mission" and card.fact("victory_points"))
    query = {"q": f'!kai or !li or !"{mission.name}"', "fit": "off"}
    found = page(client, open_editor(client), query)
    assert found.one(id=f"card-{mission.code}").one(class_="row-numbers").has("svg")
    assert not found.one(id="card-kai").one(class_="row-numbers").has("svg")


def test_a_type_with_few_numbers_has_them_in_the_last_columns():
    columns = columns_of(GAME, "mission")
    assert [column.heading for column in columns] == ["", "", "", "Cov", "VP", "Obj"]


@pytest.mark.parametrize(
    ("card", "asked", "words"),
    [
        ("kai", (), ""),
        ("kai", ("traits",), "Soldier"),
        # Its number is in a column already.
        ("kai", ("charisma",), ""),
        ("3-d-modeling", (), "Intel Craft 6"),
    ],
)
def test_a_row_tells_in_words_what_has_no_column_if_it_has_room_or_was_asked_for(card, asked, words):
    assert row_facts(GAME, GAME.card(card), asked)["words"] == words
