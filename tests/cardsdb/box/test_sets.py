"""Sets of one's own: what is taken into them, how much, and who sees it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.box import sets
from cardsdb.box.card_form import TypedCard, card_of, own_types, typed_of
from cardsdb.box.sets import change_set, claim_sets, delete_set
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.listtext.line import as_a_list_has_it
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet
from tests.support.own_sets import own_card, own_set

SPYCRAFT, SPYNET = games()["spycraft"], games()["spynet"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


def places(refused: Refused) -> list[str]:
    return [fault.where for fault in refused.faults]


# -- what is typed ------------------------------------------------------------------------


def test_a_typed_card_has_what_the_game_declares_for_its_type() -> None:
    typed = TypedCard(
        " Brass  Falcon ",
        "agent",
        {"power": "4", "branches": "tech; enforcement", "special": "yes", "stars": "3"},
        "Fly.\r\n",
    )
    card = card_of(SPYNET, typed, "own_1")
    assert (card.name, card.type, card.text) == ("Brass Falcon", "agent", "Fly.")
    assert dict(card.facts) == {"power": 4, "branches": ("tech", "enforcement"), "special": True}


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"name": " ... "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": "ﷺ" * 100}, "name"),
        ({"name": "Brass\u202eFalcon"}, "name"),
        ({"name": "Brass | Falcon"}, "name"),
        ({"type": "branch"}, "type"),
        ({"type": "nothing"}, "type"),
        ({"facts": {"power": "four"}}, "fact-power"),
        ({"facts": {"branches": "te|ch"}}, "fact-branches"),
        ({"facts": {"branches": "x" * 281}}, "fact-branches"),
        ({"facts": {"special": "perhaps"}}, "fact-special"),
        ({"text": "x" * 5_001}, "text"),
        ({"text": "\x00"}, "text"),
        ({"note": "x" * 301}, "note"),
        ({"note": "x" + " " * 300}, "note"),
        ({"number": "1" + " " * 20}, "number"),
    ],
)
def test_what_cannot_be_is_named_by_its_field(values: dict[str, Any], where: str) -> None:
    with pytest.raises(Refused) as refused:
        card_of(
            SPYNET, TypedCard(**{"name": "Brass Falcon", "type": "agent", "facts": {}, **values}), "own_1"
        )
    assert where in places(refused.value)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(Refused) as refused:
        card_of(SPYNET, TypedCard("", "agent", {"power": "four", "special": "perhaps"}), "own_1")
    assert set(places(refused.value)) == {"name", "fact-power", "fact-special"}


@given(
    st.text(min_size=1, max_size=40),
    st.text(max_size=40),
    st.sampled_from(["spycraft", "xfiles", "spynet", "steamspy", "agentdecker"]),
)
def test_what_is_taken_can_be_written_into_a_list_and_read_again(name: str, cell: str, slug: str) -> None:
    game = games()[slug]
    card_type = own_types(game)[0]
    words = next(fact.key for fact in game.facts_of(card_type) if fact.kind in ("word", "words"))
    try:
        card = card_of(game, TypedCard(name, card_type, {words: cell}), "own_1")
    except Refused:
        return
    listed = as_a_list_has_it(game, card)
    assert (listed.name, listed.type, dict(listed.facts)) == (card.name, card.type, dict(card.facts))


@pytest.mark.parametrize("slug", ["spycraft", "xfiles", "spynet", "steamspy", "agentdecker"])
def test_a_copy_of_a_catalogues_card_of_any_type_is_taken_as_it_stands_in_the_form(slug: str) -> None:
    game = games()[slug]
    for card_type in own_types(game):
        card = next((card for card in game.cards if card.type == card_type), None)
        if card:
            copied = card_of(game, typed_of(game, card), "own_1")
            assert {key: value for key, value in card.facts.items() if key in copied.facts} == dict(
                copied.facts
            )


# -- what is stored -----------------------------------------------------------------------


@pytest.mark.django_db
def test_a_refused_card_leaves_everything_as_it_was() -> None:
    balloons = own_set(ADA)
    row = own_card(balloons, craft="3")
    state = OwnBox.objects.get().state
    with pytest.raises(Refused):
        sets.save_card(balloons, SPYCRAFT, TypedCard("Other", "agent", {"craft": "many"}), row)
    assert OwnCard.objects.get().name == "Brass Falcon" and OwnBox.objects.get().state == state


@pytest.mark.django_db
def test_a_card_for_a_set_that_was_deleted_meanwhile_is_refused() -> None:
    balloons = own_set(ADA)
    delete_set(OwnSet.objects.get())
    with pytest.raises(Refused, match="set was deleted meanwhile") as refused:
        own_card(balloons)
    assert refused.value.status == 409


@pytest.mark.django_db
def test_every_change_gives_the_box_another_state() -> None:
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


@pytest.mark.django_db
def test_sets_and_cards_of_a_box_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "MAX_SETS", 1)
    monkeypatch.setattr(sets, "MAX_CARDS", 1)
    balloons = own_set(ADA)
    own_card(balloons)
    for more in (lambda: own_set(ADA), lambda: own_card(balloons)):
        with pytest.raises(Refused, match="You have room for 1"):
            more()
    own_card(own_set(BOB))


@pytest.mark.django_db
def test_the_cards_of_a_site_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "MAX_CARDS_OF_SITE", 1)
    own_card(own_set(ADA))
    with pytest.raises(Refused) as refused:
        own_card(own_set(BOB))
    assert refused.value.status == 507


@pytest.mark.django_db
def test_a_set_is_seen_as_its_visibility_says() -> None:
    by = {name: own_set(ADA, name=name, visibility=name) for name in ("private", "unlisted", "public")}
    assert set(OwnSet.objects.visible_to(ADA)) == set(by.values()) == set(OwnSet.objects.of(ADA))
    assert set(OwnSet.objects.visible_to(BOB)) == {by["unlisted"], by["public"]}
    assert list(OwnSet.objects.public()) == [by["public"]] and not OwnSet.objects.of(BOB)


@pytest.mark.django_db
def test_the_sets_of_a_browser_are_taken_into_the_account_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    member = Viewer(User.objects.create_user("ada").pk, browser="ada's")
    for name, cards in (("Balloons", 1), ("Kites", 2), ("Masks", 1)):
        kept = own_set(ADA, name=name)
        for _ in range(cards):
            own_card(kept)
    monkeypatch.setattr(sets, "MAX_CARDS", 2)
    assert claim_sets(member) == (2, 1)
    assert {one.name for one in OwnSet.objects.of(member)} == {"Balloons", "Masks"}
    assert [one.name for one in OwnSet.objects.of(ADA)] == ["Kites"]
    assert claim_sets(member) == (0, 1)
