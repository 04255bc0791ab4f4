"""``Game.deck_apart``: cards that a format has no place for do not count if they are a legal deck of their
own, as when a list holds an agency deck and a mission deck.
"""

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Decklist
from cardsdb.games.kit.listtext.deck import read_deck

SPYCRAFT = games()["spycraft"]
AGENCY, BASE = (SPYCRAFT.formats_by_slug[slug] for slug in ("agency", "mission-base"))
STARTERS = {starter.slug: starter.text for starter in SPYCRAFT.starters}
BANSHEE, MISSIONS = (
    read_deck(SPYCRAFT, STARTERS[slug]).deck for slug in ("banshee-net", "mission-deck-base")
)
BOTH = Decklist((*BANSHEE, *MISSIONS))


def test_a_mission_deck_beside_an_agency_deck_does_not_count_and_its_official_format_is_named():
    assert SPYCRAFT.deck_apart(BOTH, AGENCY) == (Decklist(BANSHEE.entries), BASE)
    assert SPYCRAFT.judge(BOTH, AGENCY).verdict == "legal"


def test_the_same_cards_judged_by_the_other_format_are_the_other_deck():
    assert SPYCRAFT.deck_apart(BOTH, BASE) == (Decklist(MISSIONS.entries), AGENCY)


@pytest.mark.parametrize("alone", [BANSHEE, MISSIONS, Decklist()], ids=["agency", "missions", "nothing"])
def test_a_list_of_a_single_deck_has_none_apart(alone):
    assert SPYCRAFT.deck_apart(alone, AGENCY) == (alone, None)


def test_missions_that_are_no_legal_deck_stay_in_the_deck_and_break_its_rules():
    few = Decklist((*BANSHEE, *MISSIONS.entries[1:]))
    assert SPYCRAFT.deck_apart(few, AGENCY) == (few, None)
    assert SPYCRAFT.judge(few, AGENCY).codes()[:1] == ("AG-1",)
