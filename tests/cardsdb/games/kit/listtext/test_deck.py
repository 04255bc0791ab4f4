"""Reading and writing deck lists, and the title of a list: no misspelt card is taken for a title.

The forms of lines with a count stand in ``test_forms.py``.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.listtext.deck import (
    MAX_BYTES,
    MAX_ENTRIES,
    ListTooLarge,
    lines_of,
    read_deck,
    write_deck,
)
from cardsdb.games.kit.listtext.line import line_for
from tests.cardsdb.games.kit.listtext.lists import cards, codes, copies_in, read
from tests.cardsdb.games.kit.listtext.test_forms import COUNTED, written


@pytest.mark.parametrize(
    "line",
    [
        "3 Kai (on) 12 *F*",
        "3 Kai [ON#12]",
        "3 Kai|ON|1",
        "3 [ON] Kai",
        "3 [ON:12] Kai",
        "* 3 Kai ON 12",
        'MD,3,"Kai",ON',
        "3 Kai # !Tag",
    ],
)
def test_prints_and_tags_as_other_programs_write_them_are_understood(line):
    assert cards(read(line)) == [(3, "Kai")]


@pytest.mark.parametrize(
    ("text", "card_type"),
    [("1 Tracer (ML)", "agent"), ("1 Tracer (ON)", "action"), ("Agents:\n1 Tracer", "agent")],
)
def test_a_set_or_a_heading_decides_between_cards_of_one_name(text, card_type):
    assert [entry.card.type for entry in read(text).deck] == [card_type]


@pytest.mark.parametrize("line", ["1 Kia", "1 Kai and Termite", "1 Kaii", "Kai 17"])
def test_a_misspelt_or_unknown_name_is_never_guessed(line):
    reading = read(line)
    assert not reading.deck.entries
    assert codes(reading) == [(1, "unknown_card")]


@pytest.mark.parametrize("line", ["0 Kai", "0 Kai (ON)", "100 Kai", "00 Kai", "99999999999999999999 Kai"])
def test_a_count_is_1_to_99(line):
    assert codes(read(line)) == [(1, "bad_count")]


@pytest.mark.parametrize("count", ["²", "1e1", "0x1", "-1", "½", "٣"])
def test_only_plain_digits_are_a_count(count):
    assert codes(read(f"{count} Kai")) == [(1, "unknown_card")]


def test_without_a_section_and_after_an_unknown_one_cards_go_where_their_type_belongs():
    reading = read("Clean Sweep\nLeaders:\n1 Li Cong\nBinder:\n2 Kai")
    assert [entry.section for entry in reading.deck] == ["leaders", "leaders", "deck"]
    assert codes(reading) == [(4, "unknown_section")]


def test_a_heading_may_stand_before_a_card_on_its_line():
    reading = read("X-File: Duane Barry\nSites:\n1 Browning, MT", "xfiles")
    assert [entry.section for entry in reading.deck] == ["xfile", "bureau"]
    assert not reading.unread


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("SB: 2 Kai", ("Sideboard: 2 Kai",)),
        ("SB,2,Kai", ("Sideboard: SB,2,Kai",)),
        ("SIDEBOARD:\n2 Kai\n\n1 Nobody", ("SIDEBOARD: 2 Kai", "SIDEBOARD: 1 Nobody")),
        ("// Maybeboard (2)\n2 Kai", ("Maybeboard (2): 2 Kai",)),
        ("[Tokens]\n1 Leader: Kai", ("Tokens: 1 Leader: Kai",)),
    ],
)
def test_cards_beside_the_deck_are_comments_and_do_not_count_until_the_deck_goes_on(text, comments):
    reading = read(f"{text}\nDeck:\n1 Termite")
    assert (cards(reading), reading.comments, reading.unread) == ([(1, "Termite")], comments, ())
    assert [notice.line for notice in reading.notices] == [1]


@pytest.mark.parametrize(
    "text", ["Sideboard:\n2 Blackmail", "SB: 2 Blackmail", "SB:\n2 Blackmail", "sb\n2 Blackmail"]
)
def test_a_game_with_a_sideboard_has_it_in_the_deck_and_the_maybeboard_beside(text):
    reading = read(f"{text}\nMaybeboard:\n1 Abduction", "xfiles")
    assert [(entry.section, entry.card.name) for entry in reading.deck] == [("sideboard", "Blackmail")]
    assert reading.comments == ("Maybeboard: 1 Abduction",)


@pytest.mark.parametrize(
    "line",
    [
        "About",
        "Name My Deck",
        "LAYOUT MAIN:(1,1)(NONE,false,50)|([ON:1])",
        "[metadata]",
        "-----",
        "=======",
        "   ",
        "\t\t",
    ],
)
def test_empty_lines_and_those_that_other_programs_add_are_ignored(line):
    reading = read(f"{line}\n1 Kai")
    assert (cards(reading), reading.unread) == ([(1, "Kai")], ())


def test_the_copies_of_a_card_that_is_written_in_twice_with_the_same_facts_are_added():
    assert cards(read("1 Y | agent | power: 1\n2 Y | agent | power: 1", "spynet")) == [(3, "Y")]


def test_beyond_the_most_entries_new_cards_are_left_out_but_copies_of_others_are_added():
    lines = [f"1 X{number} | agent" for number in range(MAX_ENTRIES + 1)]
    reading = read("\n".join([*lines, lines[0]]), "spynet")
    assert (len(reading.deck.entries), reading.deck.entries[0].count) == (MAX_ENTRIES, 2)
    assert codes(reading) == [(MAX_ENTRIES + 1, "too_many_cards")]


def test_a_comment_without_words_is_ignored():
    reading = read("// Night Watch\n//\n#\n1 Kai")
    assert (reading.deck.name, reading.comments, codes(reading)) == ("Night Watch", (), [])


def test_lines_are_counted_as_an_editor_counts_them():
    assert lines_of("1 Kai\n") == ["1 Kai"]
    text = "1 Kai\r\n\x0c\u20281 Kia\r1 Kie\n\u00851 Kio"
    assert len(lines_of(text)) == 4
    assert [unread.line for unread in read(text).unread] == [2, 3, 4]


@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), "é" * (MAX_BYTES // 2 + 1), "\n" * 5_001])
def test_a_list_beyond_the_bounds_is_refused_before_it_is_read(text):
    with pytest.raises(ListTooLarge):
        read(text)


@pytest.mark.parametrize("bad", ["\x00", "\x1b", "\u202e", "\ud800"])
def test_control_characters_and_those_that_turn_the_direction_of_text_are_refused(bad):
    assert codes(read(f"1 Kai{bad}")) == [(1, "bad_character")]


def test_a_card_that_the_catalogue_lacks_can_be_written_in():
    line = "Nightingale | agent | power: 3 | branches: tech, infiltration"
    (entry,) = read(line, "spynet").deck
    assert (entry.card.type, dict(entry.card.facts)) == (
        "agent",
        {"power": 3, "branches": ("tech", "infiltration")},
    )


# Lines on which a careless pattern would take exponential time.
BAITS = (
    "1" + " " * 290 + "x x",
    "1 Kai (ON) " + "#a" * 140 + " !",
    "Kai (" * 55,
    "1 Kai " + "-" * 250 + "!",
    "a | " * 70,
    "[" * 290,
    "x1 " * 90,
)


@pytest.mark.parametrize("bait", BAITS, ids=lambda bait: bait[:12])
def test_reading_hard_lines_ends_in_a_short_time(bait):
    assert read("\n".join([bait] * 200)).unread


@given(st.text())
def test_no_text_raises_an_error(text):
    reading = read(text)
    lines = [line for line in lines_of(text) if line.strip()]
    assert len(reading.unread) <= len(lines)


@given(data=st.data())
@pytest.mark.parametrize("slug", sorted(games()))
def test_what_is_written_is_read_again(slug, data):
    game = games()[slug]
    format = data.draw(st.sampled_from(game.formats))
    playable = [card for card in game.cards if game.types_by_slug[card.type].in_decks]
    chosen = data.draw(st.lists(st.sampled_from(playable), max_size=12, unique_by=lambda card: card.code))
    deck = Decklist(
        tuple(
            Entry(card, data.draw(st.integers(1, 99)), game.section_for(card.type, format)) for card in chosen
        ),
        name="A deck",
    )
    again = read_deck(game, write_deck(game, deck, format))
    assert (again.unread, again.format, again.deck.name) == ((), format.slug, "A deck")
    assert copies_in(again.deck) == copies_in(deck)


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_written_line_of_every_card_is_read_as_that_card(slug):
    game = games()[slug]
    for card in game.cards:
        entry = Entry(card, 2, game.section_for(card.type))
        heading = game.sections_by_slug[entry.section].name
        assert copies_in(read_deck(game, f"{heading}:\n{line_for(game, entry)}").deck) == copies_in([entry])


# -- the title of a list --------------------------------------------------------------

CARDS = "\n2 Kai\n1 Termite\n"


@pytest.mark.parametrize(
    "line",
    [
        "Night Watch",
        "Deck: Night Watch",
        "Deck name: Night Watch",
        "// Night Watch",
        "Name: Night Watch",
        "**Night Watch**",
        "### Night Watch ###",
        "[b]Night Watch[/b]",
    ],
)
@pytest.mark.parametrize(
    "below", [CARDS, "\nLeaders:\n1 Li Cong\n\nAgents:\n2 Kai\n"], ids=["cards", "headings"]
)
def test_a_title_becomes_the_name_of_the_deck(line, below):
    reading = read(line + below)
    assert (reading.deck.name, reading.unread) == ("Night Watch", ())


def test_a_line_next_above_a_heading_is_a_title_also_if_the_cards_have_no_counts():
    reading = read("Night Watch (1997!)\n\nLEADERS\nLi Cong\n\nAgents\nKai\n")
    assert (reading.deck.name, reading.unread) == ("Night Watch (1997!)", ())
    (unread,) = read("Shiatzu\n\nAgents\nKai\n").unread
    assert (unread.line, unread.may_be_title) == (1, True)


def test_a_part_of_a_name_above_a_heading_is_not_surely_a_title():
    reading = read("Walter Skinner\nAgents\nDana Scully\n", "xfiles")
    assert reading.deck.name == ""
    first = reading.unread[0]
    assert (first.line, first.may_be_title) == (1, True)


def test_a_notice_tells_that_a_line_without_mark_was_taken_for_the_title():
    (told,) = read(f"\nNine Tiger, my try{CARDS}").notices
    assert (told.line, told.message) == (2, "“Nine Tiger, my try” was taken for the deck’s name.")
    assert read(f"// Night Watch{CARDS}").notices == ()


def test_a_line_with_a_count_is_no_title():
    lines = (written(form, "Night Watch Tower", 2, 1) for form in COUNTED)
    assert [line for line in lines if read(line + CARDS).deck.name] == []


@pytest.mark.parametrize("line", ["Kai twice", "four Termite", "Kai, four of it", "Mine"])
def test_a_first_line_that_is_short_or_begins_or_ends_with_a_card_is_no_title_but_may_be_one(line):
    (unread,) = read(line + CARDS).unread
    assert (unread.text, unread.may_be_title) == (line, True)


@pytest.mark.parametrize(
    "line",
    [
        "Shiatzu",
        "Mothr of Clouds",
        "2 Night Watch",
        "2) Night Watch",
        "Night Watch x2",
        "Count,Name",
        "Night | Watch",
        "Leadrs:",
        "Recon..4",
        "<td>4</td><td>Termite</td>",
        "Get 4 Kai, fast",
    ],
)
def test_a_line_that_resembles_a_card_a_heading_or_data_is_no_title(line):
    reading = read(line + CARDS)
    assert reading.deck.name == ""
    assert [unread.line for unread in reading.unread] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "Night Watch\nTermite\nKai\n",
        "Night Watch\n",
        f"2 Kai\nNight Watch{CARDS}",
        f"Leaders:\nNight Watch{CARDS}",
    ],
)
def test_only_a_first_line_above_lines_with_counts_is_a_title(text):
    reading = read(text)
    assert reading.deck.name == ""
    assert [unread.text for unread in reading.unread] == ["Night Watch"]


def test_a_name_that_the_list_states_goes_before_a_title():
    reading = read(f"// name: Dragons\nNight Watch{CARDS}")
    assert (reading.deck.name, [unread.line for unread in reading.unread]) == ("Dragons", [2])


def test_a_title_is_unread_if_the_deck_has_its_name_elsewhere():
    (unread,) = read(f"Night Watch{CARDS}", titled=False).unread
    assert (unread.text, unread.may_be_title) == ("Night Watch", True)
