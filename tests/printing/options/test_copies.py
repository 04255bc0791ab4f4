"""How many copies of single cards: what may be written, which card is meant, what is printed then."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card, Entry
from printing.options.copies import (
    MAX_COUNTS,
    CardCount,
    Cards,
    NotCounted,
    counted,
    read_counts,
    written,
)
from printing.request.lists import pasted_list, stored_decks
from tests.support.print_decks import STRANGER, client_of, in_deck, owner, printed, tiger
from tests.support.print_lists import job_for

__all__ = ["client_of", "owner", "tiger"]

# -- what may be written ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Kai=3, Termite=0, Li=+1", [("Kai", 3), ("Termite", 0), ("Li", 1, True)]),
        (" mai-tai = 2 ,", [("mai-tai", 2)]),
        ("Li=\u22121", [("Li", -1, True)]),
        ('"Hide, and Seek"=2', [("Hide, and Seek", 2)]),
        ('"E=mc ""2"""=1', [('E=mc "2"', 1)]),
        ('RS-9 "The Koffin"=1', [('RS-9 "The Koffin"', 1)]),
        ("", []),
    ],
)
def test_counts_are_read_as_people_write_them(text, counts):
    assert list(read_counts(text)) == [CardCount(*one) for one in counts]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Kai=3, Termite, Li=+1", "Termite"),
        ("3 Kai", "3 Kai"),
        ("Kai=", "Kai="),
        ("Kai=many", "Kai=many"),
        ("Kai=100", "Kai=100"),
        ("Kai=3 Li=1", "Kai=3 Li=1"),
        ("=3", "=3"),
        ('"Kai=3', '"Kai=3'),
        ("Kai=3,,Li=1", ",Li=1"),
        ('Kai=2, " "=3', '" "=3'),
        (",".join(f"card-{number}=1" for number in range(MAX_COUNTS + 1)), f"card-{MAX_COUNTS}=1"),
    ],
)
def test_the_part_that_is_not_understood_is_named(text, part):
    with pytest.raises(NotCounted) as caught:
        read_counts(text)
    assert caught.value.part == part


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)


@given(
    st.lists(
        st.builds(CardCount, NAMES, st.integers(0, 99))
        | st.builds(CardCount, NAMES, st.integers(-99, 99), st.just(True)),
        max_size=8,
    )
)
def test_counts_come_back_from_what_is_written(counts):
    assert list(read_counts(written(counts))) == counts


@given(st.text(st.sampled_from('Kai=3,"+- \n0é'), max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        read_counts(text)
    except NotCounted as error:
        assert error.part or not text.strip()


# -- which card is meant ----------------------------------------------------------------

SPYCRAFT = games()["spycraft"]
TRACERS = [card for card in SPYCRAFT.cards if card.name == "Tracer"]


def test_a_name_that_two_cards_have_is_refused_with_what_to_write():
    cards = Cards([[Entry(card, 1, "deck") for card in TRACERS]])
    with pytest.raises(Refused) as refused:
        cards.resolved([CardCount("Tracer", 2)])
    (fault,) = refused.value.faults
    assert (fault.code, fault.where) == ("several_cards", "counts")
    ways = [cards.shortest(card.key) for card in TRACERS]
    assert fault.message == f"“Tracer” is 2 cards of this print: write {' or '.join(ways)}."
    assert {key for way in ways for key in cards.resolved([CardCount(way, 2)])} == {
        card.key for card in TRACERS
    }


def test_a_name_that_is_another_cards_alias_is_no_name_of_one_card():
    theft, heisting = (games()["steamspy"].card(code) for code in ("theft", "heisting"))
    cards = Cards([[Entry(card, 1, "deck") for card in (theft, heisting)]])
    with pytest.raises(Refused, match="“Heisting” is 2 cards of this print: write "):
        cards.resolved([CardCount("Heisting", 2)])
    assert list(cards.resolved([CardCount("Theft", 2)])) == [theft.key]
    assert list(Cards([[Entry(theft, 1, "deck")]]).resolved([CardCount("heisting", 2)])) == [theft.key]


def test_every_card_is_called_by_the_least_that_calls_it_alone():
    for game in games().values():
        cards = Cards([[Entry(card, 1, "deck") for card in game.cards]])
        assert all(cards.called(cards.shortest(card.key)) == (card.key,) for card in game.cards)


def test_a_misspelt_name_is_refused_with_what_is_spelt_much_like_it_and_no_card_is_counted_twice():
    cards = Cards([[Entry(card, 1, "deck") for card in SPYCRAFT.cards]])
    with pytest.raises(Refused) as refused:
        cards.resolved(read_counts("Shiatzu=2, Kai=1, Nobody at all=3, kai=+1"))
    assert [(fault.where, fault.message) for fault in refused.value.faults] == [
        ("counts", "No card of this print is called “Shiatzu”. Did you mean “Shiatsu”?"),
        ("counts", "No card of this print is called “Nobody at all”."),
        ("counts", "“Kai” is counted twice: say it once."),
    ]


def test_a_card_is_suggested_once_however_many_of_its_names_are_alike():
    costellos = [card for card in SPYCRAFT.cards if "Costello" in card.name]
    cards = Cards([[Entry(card, 1, "deck") for card in costellos]])
    close = cards.like("Johnny Costellox")
    assert close[:2] == ("Johnny Costello", "Jenny Costello") and len(close) == len(set(close)) <= 3


# -- what is printed ------------------------------------------------------------------------


def test_some_more_some_less_and_none(tiger):
    lists = stored_decks([tiger.link], STRANGER)
    there = in_deck(lists)
    job = job_for(lists, {"counts": "Kai=5, Shiatsu=0, Li=+1"})
    want = there | {"Kai": 5, "Li": there["Li"] + 1}
    del want["Shiatsu"]
    assert there["Shiatsu"] and printed(job) == Counter(want)
    assert job.summary().startswith(
        f"{sum(want.values())} cards with 5 × Kai and 1 more Li, without Shiatsu, "
    )


@pytest.mark.parametrize("only", ["none", "leaders", "t:leader"])
def test_what_is_said_of_a_card_holds_however_the_others_are_chosen(tiger, only):
    copies = printed(job_for(stored_decks([tiger.link], STRANGER), {"only": only, "counts": "kai=3"}))
    assert (copies["Kai"], copies.total()) == (3, 3 if only == "none" else 7)


@pytest.mark.parametrize(
    ("options", "copies"),
    [
        ({"only": "leaders", "counts": "Kai=+1"}, 1),
        ({"one_each": "yes", "counts": "Kai=+1"}, 2),
        ({"counts": "Kai=-9", "copies": "2"}, 0),
        ({"counts": "Kai=3", "copies": "2"}, 6),
    ],
)
def test_one_more_is_one_more_than_is_chosen(tiger, options, copies):
    assert printed(job_for(stored_decks([tiger.link], STRANGER), options))["Kai"] == copies


@pytest.mark.django_db
def test_names_that_hold_a_comma_stand_in_quotation_marks():
    lists = pasted_list("xfiles", "2 Browning, MT\n1 Marion, VA\n1 Agent Dana Scully\n1 Agent Fox Mulder")
    none = job_for(lists, {"counts": '"Browning, MT"=0, "Marion, VA"=0'})
    without = "without “Browning, MT” and “Marion, VA”"
    assert none.summary().startswith(f"2 cards {without}, 1 sheet, ") and without in none.notes().about
    counts = '"Browning, MT"=3, Agent Dana Scully=0, "Marion, VA"=0, Agent Fox Mulder=+1'
    assert (
        job_for(lists, {"counts": counts})
        .summary()
        .startswith(
            "5 cards with 3 × “Browning, MT” and 1 more “Agent Fox Mulder”, without “Agent Dana Scully” and"
            " “Marion, VA”, "
        )
    )


def test_what_changes_nothing_is_not_said(tiger):
    lists = stored_decks([tiger.link], STRANGER)
    same = {"counts": f"Kai={in_deck(lists)['Kai']}"}
    assert job_for(lists, same).summary() == job_for(lists, {}).summary()


def test_a_card_that_is_written_in_is_counted_as_well_and_nothing_left_is_refused_with_that_reason():
    lists = pasted_list("spynet", "2 Nightjar | agent | power: 3")
    assert printed(job_for(lists, {"counts": "Nightjar=5"})) == Counter({"Nightjar": 5})
    with pytest.raises(Refused, match="no copies are left"):
        job_for(lists, {"counts": "Nightjar=0"})


CARDS = SPYCRAFT.cards[:6]
LISTS = st.lists(
    st.lists(
        st.builds(Entry, st.sampled_from(CARDS), st.integers(1, 9), st.sampled_from(["leaders", "deck"])),
        max_size=8,
    ),
    min_size=1,
    max_size=3,
)


@settings(deadline=None)
@given(LISTS, st.data())
def test_so_many_are_printed_as_was_said_and_of_all_others_what_was_chosen(lists, data):
    chosen = [[entry.count * data.draw(st.booleans()) for entry in entries] for entries in lists]
    there = sorted({entry.card.code for entries in lists for entry in entries})
    numbers = data.draw(st.dictionaries(st.sampled_from(there), st.integers(0, 12))) if there else {}
    results, _ = counted(lists, chosen, [CardCount(code, number) for code, number in numbers.items()])

    def copies(counts: list[list[int]], card: Card) -> int:
        return sum(
            count
            for entries, own in zip(lists, counts, strict=True)
            for entry, count in zip(entries, own, strict=True)
            if entry.card is card
        )

    for card in CARDS:
        assert copies(results, card) == numbers.get(card.code, copies(chosen, card))
    assert all(count >= 0 for own in results for count in own)
