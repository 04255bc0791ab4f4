"""The lists that a request names: decks, single cards, starters, evenings and pasted lists, and their
faults.
"""

from collections.abc import Callable
from functools import partial

import pytest
from django.http import Http404

from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY, Viewer
from cardsdb.models import Card as StoredCard
from cardsdb.models import Edition
from printing.request.lists import (
    MAX_DECKS,
    MAX_SINGLE,
    MAX_UNREAD,
    evening_lists,
    pasted_list,
    single_cards,
    starter_lists,
    stored_decks,
)
from tests.support.made_decks import named_deck
from tests.support.own_sets import own_card, own_set
from tests.support.print_lists import entries_of, parse_lists
from tests.support.queries import queries_of

pytestmark = pytest.mark.one_database
SPYCRAFT = games()["spycraft"]


def codes(read: Callable[..., object], *given: object) -> list[str]:
    """The codes of the faults for which ``read`` refuses these arguments."""
    with pytest.raises(Refused) as refused:
        read(*given)
    return [fault.code for fault in refused.value.faults]


def test_starters_are_named_by_game_and_slug():
    starters = SPYCRAFT.starters[:2]
    lists = parse_lists({"starter": [f"spycraft/{starter.slug}" for starter in starters]}, NOBODY)
    assert [(listed.title, listed.format and listed.format.slug) for listed in lists] == [
        (starter.name, starter.format) for starter in starters
    ]
    assert lists[0].page.endswith(f"starter={starters[0].slug}")


def test_an_evening_is_a_list_of_players_without_cards():
    (evening,) = parse_lists({"evening": "spynet/3"}, NOBODY)
    assert (evening.title, evening.players, evening.deck.size) == ("SpyNet for 3 players", 3, 0)


def test_each_unknown_starter_is_a_fault():
    first = f"spycraft/{SPYCRAFT.starters[0].slug}"
    wanted = [first, "spycraft/none", "chess/none", "none"]
    assert codes(starter_lists, wanted) == ["unknown_starter"] * 3


@pytest.mark.parametrize("read", [starter_lists, lambda wanted: stored_decks(wanted, NOBODY)])
def test_more_decks_than_one_print_takes_are_refused(read):
    assert codes(read, [f"deck-{number}" for number in range(MAX_DECKS + 1)]) == ["too_many_decks"]


def test_copies_of_a_single_card_that_is_named_twice_add_up():
    lists = parse_lists({"card": ["spycraft/kai", "2.spycraft/kai"]}, NOBODY)
    assert sum(entry.count for entry in entries_of(lists)) == 3


def test_more_single_cards_than_one_request_takes_are_refused():
    many = [f"spycraft/{card.code}" for card in SPYCRAFT.cards[: MAX_SINGLE + 1]]
    assert codes(single_cards, many) == ["too_many_cards"]


@pytest.mark.parametrize("card", ["spycraft/nobody", "nogame/kai", "kai", "spycraft/KAI\0"])
def test_an_unknown_single_card_is_refused(card):
    assert codes(single_cards, [card]) == ["unknown_card"]


@pytest.mark.parametrize(
    "name", ["spynet/5", "spynet", "spynet/three", "chess/2", "spynet/-1", "/", "spynet/3/4"]
)
def test_a_name_that_is_no_evening_is_refused_at_its_field(name):
    with pytest.raises(Refused, match="is no evening") as refused:
        evening_lists([name])
    assert refused.value.faults[0].where == "evening"


def test_a_link_with_a_nul_character_is_not_found():
    with pytest.raises(Http404):
        stored_decks(["a\0b"], NOBODY)


@pytest.mark.django_db
def test_a_hidden_deck_among_others_makes_the_whole_print_not_found(client):
    shown = named_deck(client, "Shown", "2 Kai")
    hidden = named_deck(client, "Hidden", "2 Kai", visibility="private")
    with pytest.raises(Http404):
        parse_lists({"deck": f"{shown.link},{hidden.link}"}, NOBODY)


@pytest.mark.django_db
def test_many_decks_take_as_many_queries_as_one(client):
    links = [named_deck(client, f"Deck {number}", "2 Kai\n1 Termite").link for number in range(4)]
    counts = []
    for wanted in (links[:1], links):
        with working_with(catalogue()):
            counts.append(len(queries_of(partial(stored_decks, wanted, NOBODY))))
    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_own_cards_can_be_named_only_by_viewers_who_may_see_them():
    mine, other = (Viewer(browser=letter * 64) for letter in "bc")
    card = own_card(own_set(mine))
    wanted = [f"spycraft/{card.code}"]
    assert [entry.card.name for entry in entries_of(single_cards(wanted, mine))] == [card.name]
    assert codes(single_cards, wanted, other) == ["unknown_card"]


def test_a_list_of_another_game_than_stated_is_read_only_partly():
    text = "2 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis"
    assert pasted_list("spycraft", text, partly=True).game.slug == "xfiles"
    with pytest.raises(Refused):
        pasted_list("spycraft", text)


def test_a_refusal_names_the_first_unread_lines_and_counts_the_others():
    text = "1 Kai\n" + "\n".join(f"1 Nobody {number}" for number in range(MAX_UNREAD + 2))
    with pytest.raises(Refused) as refused:
        pasted_list("spycraft", text)
    *named, rest = refused.value.faults
    assert [fault.where for fault in (named[0], named[-1], rest)] == ["line 2", "line 101", "text"]
    assert rest.message == "2 more lines were not read; the last is line 103."


@pytest.mark.django_db
def test_a_card_that_left_the_folder_of_its_game_can_be_printed():
    stored = StoredCard(game="spycraft", code="gone", name="Old Acquaintance", type="agent", retired=True)
    stored.name_folded = stored.sort_name = "old acquaintance"
    stored.save()
    # The catalogue is read anew with each edition.
    Edition.objects.create()
    (entry,) = entries_of(single_cards(["spycraft/gone"]))
    assert entry.card.name == "Old Acquaintance"
