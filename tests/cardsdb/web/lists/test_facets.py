"""Facets: each value counts what its link finds, and can be picked and dropped."""

from html import unescape

import pytest

from cardsdb.games import games
from tests.support.card_lists import listed

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


def facet(shown, key):
    """Return the facet of this field on a ``CardListPage``."""
    return next(facet for facet in shown.facets if facet.key == key)


def choice(shown, key, value):
    return next(choice for choice in facet(shown, key).choices if choice.shown == value)


def follow(client, href):
    """Return the ``CardListPage`` at the address of a choice."""
    return client.get(f"/cards/{href}").context["page"]


# -- counts and links -----------------------------------------------------------------


def test_a_facet_counts_what_its_link_finds(client):
    shown = listed(client, q="game:spycraft craft>=4")
    choices = [choice for facet in shown.facets for choice in facet.choices if not choice.picked]
    assert len(choices) > 10
    for value in choices[:8]:
        assert follow(client, value.href).total == value.count, value


@pytest.mark.parametrize(
    "query",
    ["kai or agent foo:1", "-(craft>=4 agent)", "cost>=4"],
)
def test_the_facet_of_games_counts_what_its_links_find_for_any_query(client, query):
    choices = facet(listed(client, q=query), "game").choices
    assert choices
    for value in choices:
        assert follow(client, value.href).total == value.count, value


def test_a_picked_value_can_be_dropped_and_others_added(client):
    shown = listed(client, q="game:spycraft type:agent")
    [picked] = facet(shown, "type").picked
    assert picked.shown == "Agents"
    assert "type" not in unescape(picked.href)
    gear = choice(shown, "type", "Gear")
    both = follow(client, gear.href)
    assert both.total == shown.total + gear.count > shown.total
    assert {value.shown: value.count for value in facet(both, "type").picked} == {
        "Agents": shown.total,
        "Gear": gear.count,
    }
    assert follow(client, choice(both, "type", "Agents").href).text == "game:spycraft type=gear"


def test_values_beside_picked_ones_count_the_cards_that_each_would_add(client):
    shown = listed(client, q='game:spycraft type:agent (faction:bloodvine or faction="The Krypt")')
    assert {value.shown for value in facet(shown, "faction").picked} == {"Bloodvine", "The Krypt"}
    others = [value for value in facet(shown, "faction").choices if not value.picked]
    assert len(others) > 2
    for other in others[:3]:
        more = follow(client, other.href)
        assert (more.total, len(facet(more, "faction").picked)) == (shown.total + other.count, 3)


@pytest.mark.parametrize(
    "query",
    ["faction=Bloodvine", "faction=Bloodvine or faction=Freelancer", "faction=Bloodvine order:-craft"],
)
def test_a_second_value_stands_in_the_query_as_it_would_be_typed(client, query):
    words, _, order = query.partition(" order:")
    added = follow(client, choice(listed(client, q=query), "faction", "Nine Tiger").href)
    alternatives = f'{words} or faction="Nine Tiger"'
    assert added.query.text == added.text == (f"({alternatives}) order:{order}" if order else alternatives)
    assert follow(client, choice(added, "faction", "Nine Tiger").href).text == query


def test_a_list_whose_cards_are_of_one_game_has_its_facets_without_naming_it(client):
    # Only Spycraft's cards have a craft.
    assert {"game", "faction"} <= {facet.key for facet in listed(client, q="craft>=4").facets}


def test_a_rare_value_beside_others_says_how_many_cards_have_it(client):
    # More episodes than a facet lists: one of those that it leaves out is rare.
    names = [value.shown for value in facet(listed(client, q="game:xfiles"), "episode").choices]
    episodes = {card.facts["episode"] for card in games()["xfiles"].cards if "episode" in card.facts}
    rare = min(episodes.difference(names))
    shown = listed(client, q=f'game:xfiles (episode="{names[0]}" or episode="{rare}")')
    counts = {value.shown: value.count for value in facet(shown, "episode").picked}
    assert counts.keys() == {names[0], rare} and sum(counts.values()) == shown.total


def test_the_other_way_of_two_picked_traits_wants_both_and_leads_back(client):
    soldiers = listed(client, q="game:spycraft traits=Soldier")
    assert not facet(soldiers, "traits").other_way
    either = follow(client, choice(soldiers, "traits", "Pointman").href)
    assert not facet(either, "traits").wants_all
    both = follow(client, facet(either, "traits").other_way)
    assert facet(both, "traits").wants_all
    assert 0 < both.total < either.total
    assert all({"Soldier", "Pointman"} <= set(card.facts["traits"]) for card in both.cards)
    assert follow(client, facet(both, "traits").other_way).total == either.total


def test_values_beside_traits_that_are_all_wanted_count_the_cards_that_have_them_as_well(client):
    both = listed(client, q="game:spycraft traits=Soldier traits=Pointman")
    others = [choice for choice in facet(both, "traits").choices if not choice.picked]
    assert others
    assert all(follow(client, choice.href).total == choice.count for choice in others[:3])


def test_the_link_of_a_facet_keeps_a_part_that_was_not_understood(client):
    leaders = choice(listed(client, q="typ:agent krypt"), "type", "Leaders")
    after = follow(client, leaders.href)
    assert "typ:agent" in after.query.text
    assert after.advice


# -- layout ---------------------------------------------------------------------------


def test_facets_stand_in_the_order_in_which_people_narrow_a_list(client):
    keys = [facet.key for facet in listed(client, q="game:spycraft").facets]
    assert keys[:7] == ["game", "type", "faction", "mission_types", "does", "set", "traits"]
    later = [keys.index(key) for key in ("target", "expense", "rules_text", "certainty")]
    assert later == sorted(later)
    assert [facet.key for facet in listed(client).facets] == ["game", "type", "does", "rarity", "certainty"]


@pytest.mark.parametrize(
    ("query", "opened"),
    [
        ("", ["game", "type", "does"]),
        ("game:spycraft", ["type", "faction", "does"]),
        ("game:spycraft type:mission", ["mission_types", "does", "set"]),
        ("game:spycraft traits:soldier", ["type", "faction", "does", "traits"]),
        ("game:spycraft or game:xfiles", ["game", "type", "does"]),
    ],
)
def test_the_most_useful_facets_are_open(client, query, opened):
    assert [facet.key for facet in listed(client, q=query).facets if facet.is_open] == opened


def test_every_value_of_what_cards_do_can_be_picked(client):
    does = facet(listed(client, q="game:spycraft"), "does")
    known = {value for card in SPYCRAFT.cards for value in card.facts.get("does", ())}
    assert len(does.choices) == len(known) > 40
    assert len(does.first) == 8
