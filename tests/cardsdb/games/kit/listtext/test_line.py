"""Lines of a list: retired, written-in, unknown and covered cards, marks, prints, and spellings of names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Game, Marks, Print
from cardsdb.games.kit.listtext import line as line_module
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.listtext.line import (
    MAX_LINE,
    LineRefused,
    as_a_list_has_it,
    covered_card,
    line_for,
    with_count,
)
from tests.cardsdb.games.kit.listtext.lists import cards, codes, read


def spycraft() -> Game:
    return games()["spycraft"]


def spynet() -> Game:
    return games()["spynet"]


GONE = Card("spycraft", "gone", "Old Acquaintance", "agent", prints=(Print("ON", "7"),))


def test_a_retired_card_is_read_only_if_it_is_offered():
    assert codes(read("2 old acquaintance")) == [(1, "unknown_card")]
    (entry,) = read("2 old acquaintance", also=[GONE]).deck
    assert (entry.card, entry.count) == (GONE, 2)


def test_a_card_of_the_game_goes_before_a_retired_one_of_the_same_name():
    (entry,) = read("2 Kai", also=[replace(GONE, name="Kai")]).deck
    assert entry.card.code == "kai"


@pytest.mark.parametrize(("facts", "is_own"), [("craft: 4", True), ("craft: 5", False)])
def test_a_line_that_describes_an_own_card_is_that_card_if_all_facts_are_the_same(facts, is_own):
    own = Card("spycraft", "own_zorka", "Zorka", "agent", facts={"craft": 4})
    (entry,) = read(f"2 Zorka | agent | {facts}", also=[own]).deck
    assert (entry.card is own, entry.card.written) == (is_own, not is_own)


def test_a_line_with_several_cards_of_its_name_keeps_its_copies():
    with pytest.raises(line_module.AmbiguousLine) as refused:
        line_module.read_card_line(spycraft(), "3 Tracer", ())
    assert (refused.value.copies, len(refused.value.cards)) == (3, 2)


# Lines that may be read but become too long when they are written.
LONG = (
    # "a;b;a;b" is written as "a, b, a, b".
    ("1 X | agent\n| branches: " + ";".join("ab" * 60), "bad_fact"),
    # "| branches: " has 12 characters, and "  | Branches: ", which is written, has 14.
    ("1 X | agent\n| branches: " + "b" * (MAX_LINE - 12), "bad_fact"),
)


@pytest.mark.parametrize(("text", "code"), LONG)
def test_a_written_in_card_that_could_not_be_read_back_is_refused_at_its_line(text, code):
    assert max(map(len, text.split("\n"))) <= MAX_LINE, "the reader takes the lines themselves"
    assert codes(read(f"// name: Ours\n{text}", "spynet")) == [(2, code)]


def test_the_longest_fact_that_is_taken_is_read_back():
    # The fact is written on a line of its own, behind "  | Branches: ".
    text = "99 X | agent\n| branches: " + "b" * (MAX_LINE - len("  | Branches: "))
    reading = read(text, "spynet")
    assert not reading.unread
    assert not read_deck(spynet(), write_deck(spynet(), reading.deck)).unread


# -- marks ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("2 Kai", Marks()),
        ("2 Kai ^keep", Marks(keep=True)),
        ('2 Kai #blue #"late game" #blue', Marks(tags=("blue", "late game"))),
        ("2 Kai (ON) ^keep #blue // see #4 // and more", Marks("see #4 // and more", ("blue",), True)),
        ("2 Kai | #blue // or | agent", Marks("or | agent", ("blue",))),
        ("2 Kai\n  | #blue\n  | // long", Marks("long", ("blue",))),
        ("2 Kai # a remark of another program", Marks()),
        ("2x Kai [Agents{noDeck}] ^Have,#37d67a^ #blue", Marks(tags=("blue",))),
    ],
)
def test_marks_stand_behind_the_card(line, marks):
    reading = read(line)
    assert [(e.card.name, e.count, e.marks) for e in reading.deck] == [("Kai", 2, marks)]
    assert not reading.unread


def test_a_name_is_never_cut_where_marks_could_begin():
    (entry,) = read("2 Lake Okobogee, Campsite #53, Sioux City, IA #b54 // far", "xfiles").deck
    assert (entry.card.name, entry.marks) == (
        "Lake Okobogee, Campsite #53, Sioux City, IA",
        Marks("far", ("b54",)),
    )


def test_the_marks_of_a_card_named_twice_are_joined():
    (entry,) = read("1 Kai #a // one\n1 Kai ^keep #b #a // two").deck
    assert (entry.count, entry.marks) == (2, Marks("one; two", ("a", "b"), True))


# A tag has at most 40 characters, a card at most 20 tags.
@pytest.mark.parametrize("tail", ["#" + "t" * 41, " ".join(f"#t{n}" for n in range(21))])
def test_more_marks_than_a_deck_has_room_for_are_refused(tail):
    assert codes(read(f"2 Kai {tail}")) == [(1, "bad_marks")]


def test_a_note_of_full_length_is_written_and_read_again():
    deck = Decklist((Entry(spycraft().cards[0], 1, "deck", Marks("n" * 300, ("t" * 40,), True)),))
    again = read(write_deck(spycraft(), deck))
    assert [e.marks for e in again.deck] == [e.marks for e in deck]
    assert not again.unread


def test_a_tag_of_digits_is_written_in_quotation_marks_so_that_it_stays_a_tag():
    game = games()["xfiles"]
    line = '2 Aura Of Invulnerability #"2024" #a'
    (entry,) = read_deck(game, line).deck
    assert line_for(game, entry) == line


# -- cards that are not in the catalogue ------------------------------------------------


def test_an_unknown_card_is_kept_if_the_line_says_so():
    (entry,) = read("Leaders:\n2 Nobody At All | unknown | #maybe").deck
    assert (entry.card.unknown, entry.card.name, entry.section, entry.marks.tags) == (
        True,
        "Nobody At All",
        "leaders",
        ("maybe",),
    )
    assert line_for(spycraft(), entry) == "2 Nobody At All | unknown | #maybe"


def test_a_card_marked_as_unknown_that_is_known_by_now_is_that_card():
    (entry,) = read("2 kai | unknown").deck
    assert entry.card.code == "kai"


SPELLINGS = [
    ("xfiles", "2x2Shy", 2, "2Shy"),
    ("xfiles", "2x2Shy (X1) 385 #blue", 2, "2Shy"),
    ("xfiles", "1 dod kalm", 1, "Død Kalm"),
    ("spycraft", "1 RS-9, “The Koffin”", 1, 'RS-9, "The Koffin"'),
    ("spycraft", "3xKai", 3, "Kai"),
    ("spycraft", "1 Alice (DB) ^keep", 1, '"Alice"'),
    ("spycraft", "2 Night of 1000 Ninjas", 2, "Night of 1,000 Ninjas"),
    ("spycraft", "2 H&amp;K MP5N", 2, "H&K MP5N"),
]


@pytest.mark.parametrize(
    ("game", "line", "count", "name"), SPELLINGS, ids=[spelling[1] for spelling in SPELLINGS]
)
def test_a_name_is_known_in_the_spellings_of_people_and_programs(game, line, count, name):
    reading = read(line, game)
    assert (cards(reading), reading.notices) == ([(count, name)], ())


@pytest.mark.parametrize(
    "line", ["1 Night of 100 Ninjas", "1 Nightof 1000 Ninjas", "1 &lt;Kai&gt;", "2x2x2Shy"]
)
def test_a_wrong_spelling_is_no_card(line):
    assert codes(read(line)) == [(1, "unknown_card")]


def test_a_covered_card_shows_its_type_only_and_is_written_and_read_back_so():
    game = games()["xfiles"]
    entry = Entry(covered_card(game, "x-file"), 1, "xfile")
    assert (entry.card.name, entry.card.type, entry.card.covered) == ("A secret X-File", "x-file", True)
    assert line_for(game, entry) == "1 X-File | secret"
    (again,) = read_deck(game, "1 X-File | secret").deck
    assert (again.count, again.section, again.card.code) == (1, "xfile", "secret-x-file")
    assert not read_deck(game, "1 Agent | secret").deck.entries  # agents are in no secret section


def test_the_named_print_is_written_behind_the_name():
    game, line = games()["xfiles"], "2 Aura Of Invulnerability (TRU) 1"
    (entry,) = read_deck(game, line).deck
    assert entry.marks.prints.label == "TRU 1"
    assert line_for(game, entry) == line


def test_words_that_hold_a_comma_are_written_between_semicolons_and_read_back():
    (entry,) = read("1 X | agent | branches: Tech, old; Field;", "spynet").deck
    assert entry.card.facts["branches"] == ("Tech, old", "Field")
    assert line_for(spynet(), entry) == "1 X | agent | Branches: Tech, old; Field;"


def test_a_fact_with_a_bar_cannot_stand_in_a_list():
    card = Card("spynet", "x", "X", "agent", {"branches": ("a|b",)}, written=True)
    with pytest.raises(LineRefused, match="A bar"):
        as_a_list_has_it(spynet(), card)


def test_a_card_with_more_characters_of_facts_than_a_list_takes_is_refused(monkeypatch):
    line = "1 X | agent | power: 1"
    monkeypatch.setattr(line_module, "MAX_WRITTEN", len("99 X | agent | Power: 1"))
    assert codes(read(line, "spynet")) == []
    assert codes(read(f"{line}2", "spynet")) == [(1, "bad_fact")]


def test_another_count_keeps_the_rest_of_a_line_also_if_no_part_of_it_names_the_card():
    kai = spycraft().card("kai")
    assert with_count(spycraft(), "3x Kai (ON) #blue", 2, kai) == "2 Kai (ON) #blue"
    assert with_count(spycraft(), "3x Nowhere", 2, kai) == "2 Nowhere"
