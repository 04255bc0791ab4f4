"""Names that are meant by others, and names that are being typed."""

from __future__ import annotations

import random
from time import thread_time

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.games.kit import NameIndex, fold
from cardsdb.games.kit.model.names import begins_a_word, surely_meant

NAMES = NameIndex(card for game in games().values() for card in game.cards)
OWN = {fold(card.name) for card in NAMES.cards}
SPYCRAFT = games()["spycraft"]


def slips(name: str, rng: random.Random) -> str:
    """The name with one letter lost, added, changed or swapped with the next."""
    at, letter = rng.randrange(len(name)), rng.choice("etaoinsr")
    kinds = (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :])
    return rng.choice((*kinds, name[:at] + name[at : at + 2][::-1] + name[at + 2 :]))


def test_a_name_with_one_slip_is_found_in_99_of_100():
    rng = random.Random(3)
    tried = [(name, slips(name, rng)) for name in rng.sample([n for n in NAMES.names if len(n) > 3], 400)]
    missed = [(name, slip) for name, slip in tried if name not in NAMES.like(slip, 10)]
    assert len(missed) <= 4, missed


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("skuly", "scully"),
        ("berreta", "beretta"),
        ("Agnet", "agent"),
        ("agent muldr", "mulder"),
        ("anna scorra", "scora"),
    ],
)
def test_a_misspelt_word_of_a_name_finds_names_with_the_word(typed, word):
    names = NAMES.like(fold(typed), 6)
    assert any(word in name.replace(",", " ").split() for name in names), names
    assert len(names) == len(set(names)) <= 6


@pytest.mark.parametrize(
    ("typed", "name"),
    [("firstaid", "first aid"), ("glock17", "glock 17"), ("tra cer", "tracer"), ("first-aid", "first aid")],
)
def test_words_run_together_or_torn_in_two_are_found(typed, name):
    assert name in NAMES.like(typed, 3)


@pytest.mark.parametrize("text", ["", "qqqqqqq", "zzxxyy wwvv", "a" * 5_000, "1 " * 500, "the qqqqq"])
def test_what_is_like_no_name_finds_none(text):
    assert NAMES.like(fold(text), 5) == []


@pytest.mark.parametrize(
    ("part", "name", "begins"),
    [
        ("ki", "abby kinkaid", True),
        ("in", "abby kinkaid", False),
        ("d", '"doc" holliday', True),
        ("r", "x-ray", True),
        ("by k", "abby kinkaid", False),
        ("abby k", "abby kinkaid", True),
        ("a", "banana", False),
    ],
)
def test_a_part_begins_a_word_or_what_stands_behind_a_mark(part, name, begins):
    assert begins_a_word(part, name) is begins


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["the", "The ", "r", "x-9", "%", "nobody"])
def test_completing_gives_names_that_begin_so_then_those_with_a_word_that_does(prefix):
    part, every = fold(prefix), len(catalogue().entries)
    names = [fold(card.name) for card in catalogue().beginning(prefix, every)]
    whole = [name for name in names if name.startswith(part)]
    assert names[: len(whole)] == whole == sorted(whole)
    assert {name for name in OWN if begins_a_word(part, name)} == set(names)
    assert [fold(card.name) for card in catalogue().beginning(prefix, 3)] == names[:3]
    of_game = catalogue().beginning(prefix, every, [SPYCRAFT])
    assert {card.game for card in of_game} <= {"spycraft"}


@pytest.mark.django_db
def test_no_empty_and_no_endless_name_is_looked_up():
    for text in ("", "a" * 10_000):
        assert (
            catalogue().named(text) == catalogue().named_like(text, 5) == catalogue().beginning(text, 5) == []
        )


@pytest.mark.parametrize("text", ["first-aid", "First Aid!", "“First” aid", "FIRST: AID"])
def test_a_name_is_known_whatever_signs_stand_in_it(text):
    assert [card.name for card in games()["xfiles"].name_index.plainly(text)] == ["First Aid"]


def test_no_sign_is_a_name():
    assert SPYCRAFT.name_index.plainly("?!") == () == SPYCRAFT.name_index.plainly("")


def test_a_number_is_found_by_its_sets_code_and_by_its_name_without_zeros():
    for game in games().values():
        for card in game.cards:
            for one in card.prints if card.prints and card.prints[0].number else ():
                named = game.sets_by_code.get(one.set)
                texts = [f"{one.set} 00{one.number}", f"{named.name}-{one.number}" if named else ""]
                assert all(card in game.name_index.numbered(text) for text in texts if text)


@pytest.mark.parametrize(
    ("typed", "labels", "meant"),
    [
        ("Termitte", ["Termite", "Kai"], "Termite"),
        ("Glock 18", ["Glock 17"], ""),
        ("Kia", ["Kai"], ""),
        ("Tracers", ["Tracer", "Tracery"], ""),
        ("", ["Kai"], ""),
    ],
)
def test_a_name_is_surely_meant_where_a_few_letters_are_off_and_no_other_is_as_near(typed, labels, meant):
    assert surely_meant(typed, labels) == meant


@pytest.mark.parametrize("text", ["x " * 150, "kai " + "( " * 140, "kai " * 75])
def test_a_long_line_of_no_card_is_soon_looked_through(text):
    index = games()["xfiles"].name_index
    began = thread_time()
    assert not any(index.find(text).cards for _ in range(20))
    assert thread_time() - began < 2
    assert [card.name for card in index.find("First-Aid! (XF) 12").cards] == ["First Aid"]
    assert [card.name for card in index.find("First Aid. #late // “a note”").cards] == ["First Aid"]
