"""The declaration of a league's format: written and read again, changed rule by rule; and how many formats
may be stored.
"""

import tomllib
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.declared.formats import read_league, write_league_file
from decks.leagues import league_formats
from decks.leagues.league_formats import (
    MAX_LEAGUES,
    listed,
    other_rules,
    simple_rule,
    with_card,
    with_rule,
)
from decks.models import LeagueFormat
from tests.support.leagues import FILE, begin
from tests.support.pages import page_of
from tests.support.queries import queries_of

KEYS = st.text(max_size=8)

PLAIN = (
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=20)
    | st.integers(-(2**40), 2**40)
    | st.booleans()
)

VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)

NAMES = st.sampled_from(["Kai", "kai", "Li", "Termite", "Mother of Clouds"])

NEW = league_formats.begun("spycraft", "agency", "Tuesday")


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_a_written_file_reads_as_the_same_values(values):
    assert tomllib.loads(write_league_file(values)) == values


@given(st.lists(NAMES, max_size=5))
def test_a_card_is_on_a_list_once_and_can_be_taken_off(names):
    declared: Any = NEW
    for name in names:
        declared = with_card(with_card(declared, "banned", name), "points", name, 2)
    banned, points = listed(declared, "banned"), listed(declared, "points")
    assert len({name.casefold() for name in banned}) == len(banned) == len(points)
    for name in names:
        declared = with_card(with_card(declared, "banned", name, None), "points", name, None)
    assert declared == NEW


def test_a_changed_rule_keeps_its_place_and_other_rules_stay_as_they_are():
    # The form cannot edit this rule, because it has words of its own.
    own = {"rule": "banned", "cards": ["Kai"], "says": "No Kai."}
    declared = {
        **NEW,
        "rules": [{"rule": "copies", "limit": 2}, own, {"rule": "total", "fact": "craft", "limit": 9}],
    }
    changed = with_card(with_rule(declared, "copies", limit=1), "banned", "Li")
    assert changed["rules"] == [
        {"rule": "copies", "limit": 1},
        own,
        declared["rules"][2],
        {"rule": "banned", "cards": ["Li"]},
    ]
    assert [place for place, _ in other_rules(changed)] == [1, 2]
    assert with_rule(changed, "copies", limit=None)["rules"][0] is own
    assert simple_rule(NEW, "points") == {}


def test_taking_a_card_off_a_points_list_without_a_limit_adds_no_limit():
    declared = with_rule(NEW, "points", cards={"Kai": 2, "Li": 1})
    assert simple_rule(with_card(declared, "points", "Kai", None), "points") == {
        "rule": "points",
        "cards": {"Li": 1},
    }
    assert simple_rule(with_card(declared, "points", "Kai", 3), "points")["limit"] == 10


# -- reading


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Tuesday singleton", "TUESDAY-1"),
        ("Sixteen letters!", "SIXTEEN-LETTERS-1"),
        ("A" * 30, "A" * 16 + "-1"),
    ],
)
def test_the_codes_of_a_formats_rules_begin_with_whole_words_of_its_name(name, code):
    values = {
        "game": "spycraft",
        "name": name,
        "based_on": "agency",
        "rules": [{"rule": "banned", "cards": ["Kai"]}],
    }
    assert read_league(games()["spycraft"], "", values).rules[-1].code == code


def test_a_leagues_format_keeps_the_slug_of_the_format_beneath():
    format = read_league(games()["spycraft"], "link", tomllib.loads(FILE))
    assert (format.slug, format.official, [rule.code for rule in format.rules][-2:]) == (
        "agency",
        False,
        ["TUESDAY-1", "TUESDAY-2"],
    )
    assert format.league and format.league.citations["TUESDAY-1"].says == "Kai stays at home."


# -- room


def many(count, **whose):
    LeagueFormat.objects.bulk_create(
        LeagueFormat(game="spycraft", name="One", link=f"{n:022}", **whose) for n in range(count)
    )


@pytest.mark.both_databases
@pytest.mark.django_db
def test_an_account_takes_as_many_formats_along_as_it_has_room_for(client, row):
    begin(client, "Night")
    user = User.objects.create_user("mila")
    many(MAX_LEAGUES - 1, owner=user)
    client.force_login(user)

    def take() -> str:
        return page_of(client.post("/account/take/", {"kind": "formats"}, follow=True)).text

    shown, again = take(), take()
    assert "1 format is now your account’s." in shown and "1 format stays with this browser" in shown
    assert LeagueFormat.objects.filter(owner=None).count() == 1
    assert "now your account’s" not in again and "1 format stays with this browser" in again
    refused = client.post("/formats/", {"name": "Two", "base": "spycraft/agency"})
    assert "Delete one first" in page_of(refused, status=400).text
    assert LeagueFormat.objects.count() == MAX_LEAGUES + 1


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_number_of_formats_of_the_site_is_limited(client, begun, monkeypatch):
    monkeypatch.setattr(league_formats, "MAX_LEAGUES_OF_SITE", 1)
    assert "This site has no room left for formats." in page_of(begin(client, "Two"), status=400).text
    assert LeagueFormat.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.django_db
# SQLite allows one writer at a time anyway.
@pytest.mark.engine("postgresql")
def test_two_formats_begun_at_once_by_one_browser_wait_for_each_other(client, begun):
    sent = queries_of(lambda: begin(client, "Two"))
    locks = [n for n, sql in enumerate(sent) if "cardsdb_ownbox" in sql and sql.endswith("FOR UPDATE")]
    counts = [n for n, sql in enumerate(sent) if sql.startswith("SELECT COUNT") and "leagueformat" in sql]
    assert locks[0] < counts[0]
