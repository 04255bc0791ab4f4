"""The option ``counts``: reading and writing it, finding its cards, and the copies that are printed."""

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
from tests.support.print_decks import STRANGER, in_deck, printed
from tests.support.print_lists import job_for

# -- reading and writing ------------------------------------------------------------


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
    assert list(read_counts(text)) == [CardCount(*count) for count in counts]


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
def test_an_error_names_the_first_part_that_cannot_be_read(text, part):
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
def test_written_counts_are_read_back_unchanged(counts):
    assert list(read_counts(written(counts))) == counts


@given(st.text(st.sampled_from('Kai=3,"+- \n0é'), max_size=40))
def test_any_text_is_read_or_refused_with_the_part_at_fault(text):
    try:
        read_counts(text)
    except NotCounted as error:
        assert error.part or not text.strip()


# -- finding the cards ------------------------------------------------------------------

SPYCRAFT = games()["spycraft"]
TRACERS = [card for card in SPYCRAFT.cards if card.name == "Tracer"]


def test_a_name_of_two_cards_is_refused_with_the_codes_to_write_instead():
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


def test_a_name_that_is_also_the_alias_of_another_card_means_both():
    theft, heisting = (games()["steamspy"].card(code) for code in ("theft", "heisting"))
    cards = Cards([[Entry(card, 1, "deck") for card in (theft, heisting)]])
    with pytest.raises(Refused, match="“Heisting” is 2 cards of this print: write "):
        cards.resolved([CardCount("Heisting", 2)])
    assert list(cards.resolved([CardCount("Theft", 2)])) == [theft.key]
    assert list(Cards([[Entry(theft, 1, "deck")]]).resolved([CardCount("heisting", 2)])) == [theft.key]


def test_the_shortest_words_for_a_card_mean_that_card_alone():
    for game in games().values():
        cards = Cards([[Entry(card, 1, "deck") for card in game.cards]])
        assert all(cards.called(cards.shortest(card.key)) == (card.key,) for card in game.cards)


def test_unknown_names_are_refused_with_suggestions_and_repeated_cards_too():
    cards = Cards([[Entry(card, 1, "deck") for card in SPYCRAFT.cards]])
    with pytest.raises(Refused) as refused:
        cards.resolved(read_counts("Shiatzu=2, Kai=1, Nobody at all=3, kai=+1"))
    assert [(fault.where, fault.message) for fault in refused.value.faults] == [
        ("counts", "No card of this print is called “Shiatzu”. Did you mean “Shiatsu”?"),
        ("counts", "No card of this print is called “Nobody at all”."),
        ("counts", "“Kai” is counted twice: say it once."),
    ]


def test_a_card_with_several_similar_names_is_suggested_once():
    costellos = [card for card in SPYCRAFT.cards if "Costello" in card.name]
    cards = Cards([[Entry(card, 1, "deck") for card in costellos]])
    close = cards.like("Johnny Costellox")
    assert close[:2] == ("Johnny Costello", "Jenny Costello") and len(close) == len(set(close)) <= 3


# -- the printed copies ----------------------------------------------------------------------


def test_counts_set_remove_and_add_copies_and_the_summary_says_so(tiger):
    lists = stored_decks([tiger.link], STRANGER)
    before = in_deck(lists)
    job = job_for(lists, {"counts": "Kai=5, Shiatsu=0, Li=+1"})
    want = before | {"Kai": 5, "Li": before["Li"] + 1}
    del want["Shiatsu"]
    assert before["Shiatsu"] and printed(job) == Counter(want)
    assert job.summary().startswith(
        f"{sum(want.values())} cards with 5 × Kai and 1 more Li, without Shiatsu, "
    )


@pytest.mark.parametrize(
    ("options", "copies"),
    [
        ({"only": "none", "counts": "kai=3"}, 3),
        ({"only": "leaders", "counts": "kai=3"}, 7),
        ({"only": "t:leader", "counts": "kai=3"}, 7),
        ({"only": "leaders", "counts": "Kai=+1"}, 5),
        ({"one_each": "yes", "only": "t:leader", "counts": "Kai=+1"}, 5),
        ({"only": "none", "counts": "Kai=3", "copies": "2"}, 6),
    ],
)
def test_a_count_overrides_other_choices_and_a_relative_one_adds_to_them(tiger, options, copies):
    """Four leaders are chosen otherwise."""
    assert printed(job_for(stored_decks([tiger.link], STRANGER), options)).total() == copies


def test_a_relative_count_takes_no_more_copies_than_were_chosen(tiger):
    lists = stored_decks([tiger.link], STRANGER)
    assert "Kai" in in_deck(lists) and "Kai" not in printed(job_for(lists, {"counts": "Kai=-9"}))


@pytest.mark.django_db
def test_a_summary_quotes_all_names_if_one_has_a_comma():
    lists = pasted_list("xfiles", "2 Browning, MT\n1 Marion, VA\n1 Agent Dana Scully\n1 Agent Fox Mulder")
    counts = '"Browning, MT"=3, Agent Dana Scully=0, "Marion, VA"=0, Agent Fox Mulder=+1'
    with_ = "with 3 × “Browning, MT” and 1 more “Agent Fox Mulder”"
    without = "without “Agent Dana Scully” and “Marion, VA”"
    job = job_for(lists, {"counts": counts})
    assert job.summary().startswith(f"5 cards {with_}, {without}, ") and without in job.notes().about


def test_a_count_that_changes_nothing_is_not_in_the_summary(tiger):
    lists = stored_decks([tiger.link], STRANGER)
    same = {"counts": f"Kai={in_deck(lists)['Kai']}"}
    assert job_for(lists, same).summary() == job_for(lists, {}).summary()


def test_a_written_in_card_can_be_counted():
    lists = pasted_list("spynet", "2 Nightjar | agent | power: 3")
    assert printed(job_for(lists, {"counts": "Nightjar=5"})) == Counter({"Nightjar": 5})


def test_counts_that_leave_no_card_are_refused_with_that_reason():
    lists = pasted_list("spynet", "2 Nightjar | agent | power: 3")
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
def test_counted_cards_have_the_stated_copies_and_all_others_keep_theirs(lists, data):
    chosen = [[entry.count * data.draw(st.booleans()) for entry in entries] for entries in lists]
    codes = sorted({entry.card.code for entries in lists for entry in entries})
    numbers = data.draw(st.dictionaries(st.sampled_from(codes), st.integers(0, 12))) if codes else {}
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
