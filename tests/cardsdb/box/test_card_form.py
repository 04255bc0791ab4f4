"""The form for an own card: accepted cards survive being written into a list, and each fault is named by its
field.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.box.card_form import (
    MAX_NAME,
    MAX_NOTE,
    MAX_NUMBER,
    TypedCard,
    card_of,
    own_types,
    typed_of,
)
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.listtext.line import as_a_list_has_it
from cardsdb.games.kit.model.cards import MAX_TEXT

SPYNET = games()["spynet"]


def places(typed: TypedCard) -> list[str]:
    """Return the fields of the faults for which a typed card is refused."""
    with pytest.raises(Refused) as refused:
        card_of(SPYNET, typed, "own_1")
    return [fault.where for fault in refused.value.faults]


def test_a_typed_card_has_what_the_game_declares_for_its_type():
    facts = {"power": "4", "branches": "tech; enforcement", "special": "yes", "stars": "3"}
    card = card_of(SPYNET, TypedCard(" Brass  Falcon ", "agent", facts, "Fly.\r\n"), "own_1")
    assert (card.name, card.type, card.text) == ("Brass Falcon", "agent", "Fly.")
    assert dict(card.facts) == {"power": 4, "branches": ("tech", "enforcement"), "special": True}


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"name": " ... "}, "name"),
        ({"name": "x" * (MAX_NAME + 1)}, "name"),
        ({"name": "Brass\u202eFalcon"}, "name"),
        ({"name": "Brass | Falcon"}, "name"),
        ({"type": "branch"}, "type"),
        ({"facts": {"power": "four"}}, "fact-power"),
        ({"facts": {"branches": "te|ch"}}, "fact-branches"),
        ({"text": "x" * (MAX_TEXT + 1)}, "text"),
        ({"note": "x" + " " * MAX_NOTE}, "note"),
        ({"number": "1" + " " * MAX_NUMBER}, "number"),
    ],
)
def test_a_fault_is_named_by_its_field(values, where):
    assert where in places(TypedCard(**{"name": "Brass Falcon", "type": "agent", "facts": {}, **values}))


def test_every_fault_is_named_at_once():
    typed = TypedCard("", "agent", {"power": "four", "special": "perhaps"})
    assert set(places(typed)) == {"name", "fact-power", "fact-special"}


@given(
    st.text(min_size=1, max_size=40), st.text(max_size=40), st.sampled_from(["spycraft", "spynet", "xfiles"])
)
def test_an_accepted_card_can_be_written_into_a_list_and_read_again(name, cell, slug):
    game = games()[slug]
    card_type = own_types(game)[0]
    words = next(fact.key for fact in game.facts_of(card_type) if fact.kind in ("word", "words"))
    try:
        card = card_of(game, TypedCard(name, card_type, {words: cell}), "own_1")
    except Refused:
        return
    listed = as_a_list_has_it(game, card)
    assert (listed.name, listed.type, dict(listed.facts)) == (card.name, card.type, dict(card.facts))


@pytest.mark.parametrize("slug", games())
def test_a_copy_of_a_catalogue_card_of_any_type_is_accepted_unchanged(slug):
    game = games()[slug]
    for card_type in own_types(game):
        if card := next((card for card in game.cards if card.type == card_type), None):
            copied = card_of(game, typed_of(game, card), "own_1").facts
            assert {key: value for key, value in card.facts.items() if key in copied} == dict(copied)
