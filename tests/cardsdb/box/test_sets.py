"""Own sets: changes are all or nothing, sets and cards are limited, and an account takes
over its browser's sets. Many cards at once: ``test_set_rows.py``; moderation and checklists:
``test_own_sets.py`` and ``test_checklist.py`` in ``tests/cardsdb/web``.
"""

from http import HTTPStatus

import pytest
from django.contrib.auth.models import User

from cardsdb.box import sets
from cardsdb.box.card_form import TypedCard
from cardsdb.box.sets import change_set, claim_sets, delete_set
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet
from tests.support.own_sets import own_card, own_set

pytestmark = pytest.mark.django_db
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


def state() -> str:
    """Return the state of the only box; it differs after each change."""
    return OwnBox.objects.get().state


# -- all or nothing ------------------------------------------------------------------------


def test_a_refused_card_leaves_everything_as_it_was():
    balloons = own_set(ADA)
    falcon = own_card(balloons, name="Brass Falcon", craft="3")
    before = state()
    with pytest.raises(Refused):
        sets.save_card(balloons, SPYCRAFT, TypedCard("Other", "agent", {"craft": "many"}), falcon)
    assert OwnCard.objects.get().name == "Brass Falcon" and state() == before


def test_every_change_gives_the_box_another_state():
    balloons = own_set(ADA)
    falcon = own_card(balloons)
    states = [state()]
    own_card(balloons, name="Kite")
    states.append(state())
    change_set(balloons, {"name": "Kites"})
    states.append(state())
    sets.delete_card(falcon)
    states.append(state())
    delete_set(balloons)
    states.append(state())
    assert len(set(states)) == 5


def test_a_set_that_was_deleted_meanwhile_takes_no_card():
    balloons = own_set(ADA)
    delete_set(balloons)
    with pytest.raises(Refused, match="set was deleted meanwhile") as refused:
        own_card(balloons)
    assert refused.value.status == HTTPStatus.CONFLICT


# -- limits --------------------------------------------------------------------------------


def test_the_cards_of_a_box_are_bounded(monkeypatch):
    monkeypatch.setattr(sets, "MAX_CARDS", 1)
    balloons = own_set(ADA)
    own_card(balloons)
    with pytest.raises(Refused, match="You have room for 1 cards"):
        own_card(balloons)
    own_card(own_set(BOB))


def test_the_sets_of_a_box_are_bounded(monkeypatch):
    monkeypatch.setattr(sets, "MAX_SETS", 1)
    own_set(ADA)
    with pytest.raises(Refused, match="You have room for 1 sets"):
        own_set(ADA)
    own_set(BOB)


# -- owners --------------------------------------------------------------------------------


def test_the_sets_of_a_browser_are_taken_into_the_account_as_far_as_there_is_room(monkeypatch):
    """The full set does not fit beside the account's other cards and stays; the sets after it are moved."""
    account = Viewer(User.objects.create_user("ada").pk, browser=ADA.browser)
    for name, cards in (("Balloons", 1), ("Kites", 2), ("Masks", 1)):
        in_set = own_set(ADA, name=name)
        for number in range(cards):
            own_card(in_set, name=f"Falcon {number}")
    monkeypatch.setattr(sets, "MAX_CARDS", 2)
    assert claim_sets(account) == (2, 1)
    assert {row.name for row in OwnSet.objects.of(account)} == {"Balloons", "Masks"}
    assert [row.name for row in OwnSet.objects.of(ADA)] == ["Kites"]
    assert claim_sets(account) == (0, 1)
