"""Cards whose types a format has no place for do not count there, where they are a deck of their own."""

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Decklist
from cardsdb.games.kit.listtext.deck import read_deck

SPYCRAFT = games()["spycraft"]
AGENCY, BASE = (SPYCRAFT.formats_by_slug[slug] for slug in ("agency", "mission-base"))
BANSHEE, MISSIONS = (
    read_deck(SPYCRAFT, next(one.text for one in SPYCRAFT.starters if one.slug == slug)).deck
    for slug in ("banshee-net", "mission-deck-base")
)
BOTH = Decklist((*BANSHEE, *MISSIONS))


def test_a_mission_deck_in_an_agency_deck_does_not_count_and_an_official_format_is_named():
    assert SPYCRAFT.deck_apart(BOTH, AGENCY) == (Decklist(BANSHEE.entries), BASE)
    assert SPYCRAFT.judge(BOTH, AGENCY).verdict == "legal"


def test_the_same_cards_read_as_the_other_format_are_the_other_deck():
    assert SPYCRAFT.deck_apart(BOTH, BASE) == (Decklist(MISSIONS.entries), AGENCY)


@pytest.mark.parametrize("alone", [BANSHEE, MISSIONS, Decklist()], ids=["agency", "missions", "nothing"])
def test_a_list_of_one_deck_alone_has_none_apart(alone):
    assert SPYCRAFT.deck_apart(alone, AGENCY) == (alone, None)


def test_missions_that_are_no_deck_count_as_what_is_wrong():
    few = Decklist((*BANSHEE, *MISSIONS.entries[1:]))
    assert SPYCRAFT.deck_apart(few, AGENCY) == (few, None)
    assert SPYCRAFT.judge(few, AGENCY).codes()[:1] == ("AG-1",)
