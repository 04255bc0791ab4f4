"""Names found although they are misspelt, unfinished, or followed by other words."""

import random

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.games.kit import NameIndex, fold
from cardsdb.games.kit.model.names import begins_a_word

NAMES = NameIndex(card for game in games().values() for card in game.cards)
ALL_NAMES = {fold(card.name) for card in NAMES.cards}
SPYCRAFT = games()["spycraft"]


def misspelt(name: str, rng: random.Random) -> str:
    """Return the name with one letter lost, added, changed or swapped with the next."""
    at, letter = rng.randrange(len(name)), rng.choice("etaoinsr")
    lost = name[:at] + name[at + 1 :]
    added = name[:at] + letter + name[at:]
    changed = name[:at] + letter + name[at + 1 :]
    swapped = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
    return rng.choice((lost, added, changed, swapped))


def test_a_name_with_one_slip_is_found_in_99_of_100():
    rng = random.Random(3)
    sample = rng.sample([name for name in NAMES.names if len(name) > 3], 400)
    tried = [(name, misspelt(name, rng)) for name in sample]
    missed = [(name, typed) for name, typed in tried if name not in NAMES.like(typed, 10)]
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
def test_a_text_like_no_name_finds_none(text):
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
def test_a_part_may_begin_a_word_or_stand_after_a_sign_within_one(part, name, begins):
    assert begins_a_word(part, name) is begins


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["the", "The ", "r", "x-9", "%", "nobody"])
def test_completions_are_names_that_begin_so_then_names_with_a_word_that_does(prefix):
    part, every = fold(prefix), len(catalogue().entries)
    names = [fold(card.name) for card in catalogue().named_beginning(prefix, every)]
    whole = [name for name in names if name.startswith(part)]
    assert names[: len(whole)] == whole == sorted(whole)
    assert {name for name in ALL_NAMES if begins_a_word(part, name)} == set(names)
    assert [fold(card.name) for card in catalogue().named_beginning(prefix, 3)] == names[:3]
    of_game = catalogue().named_beginning(prefix, every, [SPYCRAFT])
    assert {card.game for card in of_game} <= {"spycraft"}


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "a" * 10_000], ids=["empty", "endless"])
def test_an_empty_or_endless_name_finds_nothing(text):
    assert catalogue().named(text) == []
    assert catalogue().named_like(text, 5) == []
    assert catalogue().named_beginning(text, 5) == []


@pytest.mark.parametrize("text", ["first-aid", "First Aid!", "“First” aid", "FIRST: AID"])
@pytest.mark.parametrize("behind", ["", " (XF) 12", " #late // “a note”"])
def test_a_name_is_found_whatever_its_punctuation_also_before_a_print_or_marks(text, behind):
    index = games()["xfiles"].name_index
    assert [card.name for card in index.plainly(text)] == ["First Aid"]
    assert [card.name for card in index.find(text + behind).cards] == ["First Aid"]
    assert index.plainly("?!") == ()


def test_a_number_is_found_with_its_sets_code_or_name_whatever_its_leading_zeros():
    for game in games().values():
        for card in game.cards:
            for print_ in card.prints if card.prints and card.prints[0].number else ():
                card_set = game.sets_by_code.get(print_.set)
                assert card in game.name_index.numbered(f"{print_.set} 00{print_.number}")
                if card_set:
                    assert card in game.name_index.numbered(f"{card_set.name}-{print_.number}")
