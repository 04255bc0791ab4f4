"""Sets of one's own: how much is taken into them, whole or not at all, and who sees it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from cardsdb.box import sets
from cardsdb.box.card_form import TypedCard
from cardsdb.box.sets import MAX_CARDS, MAX_SETS, change_set, claim_sets, delete_set
from cardsdb.box.texts import box_of
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet
from cardsdb.models.box import new_code
from tests.support.own_sets import own_card, own_set

pytestmark = pytest.mark.django_db
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


def fill(kept: OwnSet, cards: int) -> None:
    """So many cards in the set that say nothing."""
    OwnCard.objects.bulk_create(
        OwnCard(in_set=kept, code=new_code(), name="x", type="agent") for _ in range(cards)
    )


def test_a_refused_card_leaves_everything_as_it_was():
    balloons = own_set(ADA)
    row = own_card(balloons, craft="3")
    state = OwnBox.objects.get().state
    with pytest.raises(Refused):
        sets.save_card(balloons, SPYCRAFT, TypedCard("Other", "agent", {"craft": "many"}), row)
    assert OwnCard.objects.get().name == "Brass Falcon" and OwnBox.objects.get().state == state


def test_every_change_gives_the_box_another_state_and_a_set_that_was_deleted_meanwhile_takes_no_card():
    balloons = own_set(ADA)
    states = [OwnBox.objects.get().state]
    row = own_card(balloons)
    for change in (
        lambda: change_set(balloons, {"name": "Kites"}),
        lambda: sets.delete_card(row),
        lambda: delete_set(balloons),
    ):
        states.append(OwnBox.objects.get().state)
        change()
    assert len({*states, OwnBox.objects.get().state}) == len(states) + 1
    with pytest.raises(Refused, match="set was deleted meanwhile") as refused:
        own_card(balloons)
    assert refused.value.status == 409


def test_sets_and_cards_of_a_box_are_bounded():
    balloons = own_set(ADA)
    fill(balloons, MAX_CARDS - 1)
    own_card(balloons)
    with pytest.raises(Refused, match="You have room for 2,000"):
        own_card(balloons)
    OwnSet.objects.bulk_create(OwnSet(box=balloons.box, game="spycraft") for _ in range(MAX_SETS - 1))
    with pytest.raises(Refused, match="You have room for 60"):
        own_set(ADA)
    own_card(own_set(BOB))


def test_the_cards_of_a_site_are_bounded(monkeypatch):
    monkeypatch.setattr(sets, "MAX_CARDS_OF_SITE", 2)
    own_card(own_set(ADA))
    sets.check_room(box_of(BOB))
    own_card(own_set(BOB))
    with pytest.raises(Refused) as refused:
        own_card(own_set(BOB))
    assert refused.value.status == 507


def test_a_set_is_seen_as_its_visibility_says():
    by = {name: own_set(ADA, name=name, visibility=name) for name in ("private", "unlisted", "public")}
    assert set(OwnSet.objects.visible_to(ADA)) == set(by.values()) == set(OwnSet.objects.of(ADA))
    assert set(OwnSet.objects.visible_to(BOB)) == {by["unlisted"], by["public"]}
    assert list(OwnSet.objects.public()) == [by["public"]] and not OwnSet.objects.of(BOB)


def test_the_sets_of_a_browser_are_taken_into_the_account_as_far_as_there_is_room():
    member = Viewer(User.objects.create_user("ada").pk, browser="ada's")
    for name, cards in (("Balloons", 1), ("Kites", MAX_CARDS), ("Masks", 1)):
        fill(own_set(ADA, name=name), cards)
    assert claim_sets(member) == (2, 1)
    assert {one.name for one in OwnSet.objects.of(member)} == {"Balloons", "Masks"}
    assert [one.name for one in OwnSet.objects.of(ADA)] == ["Kites"]
    assert claim_sets(member) == (0, 1)
