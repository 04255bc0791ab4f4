"""The file of a league's format: written so that it reads as the same, and changed rule by rule."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit.declared.formats import write_league_file
from decks.leagues.league_formats import begun, listed, other_rules, simple_rule, with_card, with_rule

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
NEW = begun("spycraft", "agency", "Tuesday")


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_what_is_written_reads_as_the_same(values: dict[str, Any]) -> None:
    assert tomllib.loads(write_league_file(values)) == values


@given(st.lists(NAMES, max_size=5))
def test_a_card_stands_on_a_list_once_and_can_be_taken_off(names: list[str]) -> None:
    declared: Any = NEW
    for name in names:
        declared = with_card(with_card(declared, "banned", name), "points", name, 2)
    banned, points = listed(declared, "banned"), listed(declared, "points")
    assert len({name.casefold() for name in banned}) == len(banned) == len(points)
    for name in names:
        declared = with_card(with_card(declared, "banned", name, None), "points", name, None)
    assert declared == NEW


def test_a_changed_rule_stays_in_its_place_and_others_are_left_alone() -> None:
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


def test_a_card_taken_off_a_points_list_without_a_limit_gives_it_none() -> None:
    declared = with_rule(begun("spycraft", "agency", "Tuesday"), "points", cards={"Kai": 2, "Li": 1})
    assert simple_rule(with_card(declared, "points", "Kai", None), "points") == {
        "rule": "points",
        "cards": {"Li": 1},
    }
    assert simple_rule(with_card(declared, "points", "Kai", 3), "points")["limit"] == 10
