"""The columns of the table of a list, and the marks of values."""

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import RowFact
from cardsdb.site.static_files import colour_class
from cardsdb.web.lists.columns import columns_of, mark, type_mark
from tests.support.card_lists import listed

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


def columns(client, query):
    return [fact.key for fact in listed(client, q=query, view="table").columns]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("game:xfiles type:agent order:-sciences medical>=3", ["sciences", "medical", "cost"]),
        ("craft>=4 faction:krypt", ["expense", "charisma"]),
    ],
)
def test_facts_of_the_query_are_the_first_columns_unless_they_have_a_declared_place(client, query, first):
    keys = columns(client, query)
    assert keys[: len(first)] == first
    assert len(keys) == len(set(keys)) <= 9


def test_an_empty_column_is_left_out_unless_the_query_asks_about_it(client):
    of_two_types = "game:steamspy (type:skill or type:action)"
    assert not {"level", "organisation"}.intersection(columns(client, of_two_types))
    assert "level" in columns(client, f"{of_two_types} order:level")
    assert "level" in columns(client, "game:steamspy")


@pytest.mark.parametrize("slug", sorted(games()))
def test_no_table_of_one_type_is_wider_than_can_be_read(slug):
    assert all(len(columns_of(games()[slug], kind.slug)) <= 9 for kind in games()[slug].types)


def test_without_declared_row_facts_numbers_come_first_and_picked_facts_last():
    bare = replace(SPYCRAFT, row_facts=())
    kinds = [fact.kind for fact in columns_of(bare, "agent")]
    assert kinds[:6] == ["number"] * 6 and "number" not in kinds[6:]
    assert [fact.key for fact in columns_of(bare, "agent", picked=("expense",))][-1] == "expense"


def test_a_value_without_a_drawing_has_a_letter_and_one_without_a_colour_no_class():
    assert mark(SPYCRAFT, RowFact("faction", place="mark"), "The Krypt").letters == "K"
    assert colour_class(SPYCRAFT, "Nobody") == ""
    assert type_mark(SPYCRAFT, "agent") and not type_mark(SPYCRAFT, "nobody")
