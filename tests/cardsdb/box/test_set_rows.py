"""Rows of a file that become cards of an own set: whole or not at all, and no duplicates the second time."""

from typing import Any

import pytest

from cardsdb.box import set_rows, sets
from cardsdb.box.comparing import Report, compare
from cardsdb.box.reading import matching
from cardsdb.box.reading.rows import Stated, guessed
from cardsdb.box.set_rows import SetRows, into_set, name_for_set
from cardsdb.box.sets import cards_as_table
from cardsdb.box.taking_in import add
from cardsdb.box.texts import box_of
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet, OwnText
from tests.support.own_sets import own_card, own_set
from tests.support.packages import package

pytestmark = pytest.mark.django_db
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")
TABLE = (
    b"name,number,type,faction,combat,traits,unique,text\n"
    b"Iron Heron,7,Agent,Freelancer,+3,Harbour; Guard,true,Fly.\n"
    b"Glass Heron,8,agents,Freelancer,-,,no,\n"
)


def compared(data: bytes, name: str = "Harbour", **others: Any) -> tuple[Report, SetRows]:
    """Compare a table for the set of this name; return the report and its rows for the set. ``others``:
    fields of ``IntoSet``.
    """
    sent, box = package(data), OwnBox.objects.of(ADA).first()
    into = into_set(box, SPYCRAFT, name, **{"is_sure": True, **others})
    found = compare(sent, SPYCRAFT, guessed(sent, SPYCRAFT), box, into=into)
    assert found.own is not None
    return found, found.own


def bring(data: bytes, name: str = "Harbour", **others: Any) -> tuple[int, int, int]:
    """Write a table into the box; return the numbers of cards made, changed and unchanged."""
    found, own = compared(data, name, **others)
    add(found, box_of(ADA))
    return len(own.made), len(own.changed), own.unchanged


def made(own: SetRows) -> list[str]:
    return [card["name"] for card in own.made]


def reasons(found: Report) -> list[tuple[int, str, str]]:
    """Return (row, column, reason) of each problem."""
    return [(problem.row, problem.column, problem.reason) for problem in found.not_understood]


# -- making and changing cards ------------------------------------------------------------


def test_a_row_becomes_a_card_with_the_facts_that_its_columns_mean_and_none_the_second_time():
    assert bring(TABLE) == (2, 0, 0)
    heron = OwnCard.objects.get(name="Iron Heron")
    assert (heron.in_set.name, heron.number, heron.type, heron.text) == ("Harbour", "7", "agent", "Fly.")
    facts = {"faction": "Freelancer", "combat": 3, "traits": ["Harbour", "Guard"], "unique": True}
    assert heron.facts == facts
    assert OwnCard.objects.get(name="Glass Heron").facts == {"faction": "Freelancer", "unique": False}
    state = OwnBox.objects.get().state
    assert bring(TABLE, "hARBOUR") == (0, 0, 2)
    assert OwnBox.objects.get().state == state and OwnSet.objects.count() == 1


def test_a_row_with_new_values_changes_its_card_and_leaves_other_columns():
    bring(TABLE)
    before = OwnCard.objects.get(name="Iron Heron")
    assert bring(b"name,type,combat\nIron Heron,agent,5\n") == (0, 1, 0)
    heron = OwnCard.objects.get(name="Iron Heron")
    assert (heron.code, heron.text, heron.facts) == (before.code, "Fly.", before.facts | {"combat": 5})
    # Without a type in the row, the one card with its name is meant.
    assert bring(b"name,text\nGlass Heron,Shine.\n") == (0, 1, 0)
    assert OwnCard.objects.get(name="Glass Heron").text == "Shine."


def test_the_table_of_a_set_finds_its_cards_by_their_codes_whatever_they_are_called():
    card = own_card(own_set(ADA, name="Harbour"), name="Kai")
    table = "".join(cards_as_table(card.in_set, SPYCRAFT)).encode()
    assert bring(table) == (0, 0, 1)
    assert bring(table.replace(b"Kai", b"Kai the Second")) == (0, 1, 0)
    assert OwnCard.objects.get().name == "Kai the Second" and not OwnText.objects.exists()


def test_rows_without_a_type_get_the_one_that_the_owner_chose():
    table = b"name,text\nIron Heron,Fly.\n"
    assert "it needs a type, and its row says none" in reasons(compared(table)[0])[0][2]
    # Catalogue cards get an own text and are not made again.
    assert bring(table + b"Kai,Words.\n", card_type="action") == (1, 0, 0)
    assert OwnCard.objects.get().type == "action" and OwnText.objects.get().card_code == "kai"


# -- faulty rows --------------------------------------------------------------------------


def test_a_row_with_a_fault_makes_no_card_and_the_fault_names_its_column():
    found, own = compared(
        b"name,type,Fighting,level\nIron Heron,agent,,\nTin Heron,leader,,first\nWax Heron,Ship,,\n,agent,,\n"
    )
    assert (made(own), own.faulty) == (["Iron Heron"], 2)
    assert [(row, column) for row, column, _ in reasons(found)] == [(3, "level"), (4, "type"), (5, "")]
    bad_fact, bad_type, nameless = (reason for *_, reason in reasons(found))
    assert bad_fact == "“Tin Heron”: Level must be a whole number, not “first”."
    assert "“Ship” is none. Types: leader, agent, action, gear, mission." in bad_type
    assert nameless == "The row names no card: no id, no number, no name."


def test_a_fact_that_the_type_does_not_have_is_reported_and_left_out():
    found, own = compared(b"name,type,level,combat\nFog Signal,action,0,7\n")
    ((row, column, reason),) = reasons(found)
    assert (row, column) == (2, "combat") and "of the type action has no combat; “7” was left out" in reason
    assert own.made[0]["facts"] == {}


def test_two_rows_of_one_card_make_one_card_and_a_different_second_is_reported():
    same = b"Iron Heron,agent,3\n"
    found, own = compared(b"name,type,combat\n" + same + same + b"Iron Heron,agent,4\nIron Heron,gear,\n")
    assert [(card["name"], card["type"]) for card in own.made] == [
        ("Iron Heron", "agent"),
        ("Iron Heron", "gear"),
    ]
    ((row, _, reason),) = reasons(found)
    assert row == 4 and "is in row 2 already with other values" in reason


# -- similar names ------------------------------------------------------------------------


def test_a_name_like_that_of_a_catalogue_card_makes_no_card_until_the_owner_agrees():
    table = b"name,type\nParty Crafters,action\n"
    found, own = compared(table)
    assert made(own) == [] and [entry.stated.name for entry in found.open] == ["Party Crafters"]
    assert "may be Party Crashers" in reasons(found)[0][2]
    assert bring(table, with_similar=True) == (1, 0, 0)
    assert bring(table) == (0, 0, 1)


def test_a_name_of_several_cards_stays_a_choice_and_a_skipped_one_stays_skipped():
    found, own = compared(b"name\nTracer\n", card_type="agent", with_similar=True)
    assert made(own) == [] and len(found.open) == 1
    box_of(ADA).ownchoices.create(game="spycraft", entry=Stated(name="Iron Heron").key, card_code="")
    assert made(compared(b"name,type\nIron Heron,agent\n")[1]) == []


def test_names_whose_similar_names_were_not_searched_make_no_card(monkeypatch):
    monkeypatch.setattr(matching, "MAX_SUGGESTED", 1)
    table = b"name,type\nIron Heron,agent\nParty Crafters,agent\nTracer,agent\n"
    assert made(compared(table)[1]) == ["Iron Heron"]
    assert made(compared(table, with_similar=True)[1]) == ["Iron Heron", "Party Crafters"]


# -- limits -------------------------------------------------------------------------------


@pytest.mark.parametrize(("bound", "most"), [("MAX_CARDS", 1), ("MAX_CARDS_OF_SITE", 1), ("MAX_SETS", 0)])
def test_cards_without_room_are_refused_and_nothing_is_kept(monkeypatch, bound, most):
    monkeypatch.setattr(sets, bound, most)
    with pytest.raises(Refused, match=r"You have room for|This site has no room"):
        bring(TABLE + b"Kai,,agent,,,,,Words.\n")
    kept = [model for model in (OwnCard, OwnSet, OwnText) if model.objects.exists()]
    assert kept == []


def test_rows_beyond_the_most_are_counted_and_not_read(monkeypatch):
    for module in (sets, set_rows):
        monkeypatch.setattr(module, "MAX_CARDS", 2)
    found, own = compared(b"name,type\nTin Heron,agent\nWax Heron,agent\nFog Heron,agent\n")
    assert (len(own.made), own.more, own.total) == (2, 1, 3)
    with pytest.raises(Refused, match="this would be 3 more"):
        add(found, box_of(ADA))


def test_rows_never_go_into_the_set_of_another():
    theirs = own_set(BOB, name="Harbour")
    assert bring(TABLE) == (2, 0, 0)
    assert not theirs.cards.exists() and OwnSet.objects.of(ADA).get().cards.count() == 2


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        (b"name,set\nA,North\nB,North\n", "North"),
        (b"name,set\nA,North\nB,South\n", "harbour nights"),
        (b"name,text\nA,\n", "harbour nights"),
        (b"name,set\nA,...\n", "harbour nights"),
    ],
)
def test_a_new_set_is_named_after_the_set_of_all_rows_else_after_the_file(rows, name):
    sent = package(rows, "harbour_nights.csv")
    assert name_for_set(sent, guessed(sent, SPYCRAFT)) == name
