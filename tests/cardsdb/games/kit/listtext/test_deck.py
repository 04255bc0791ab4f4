"""Reading and writing deck lists, and the title of a list: no misspelt card is taken for a title.

The forms of lines with a count stand in ``test_forms.py``.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.deck import (
    MAX_BYTES,
    MAX_ENTRIES,
    ListTooLarge,
    lines_of,
    read_deck,
    write_deck,
)
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.listtext.reading import Reading
from tests.cardsdb.games.kit.listtext.test_forms import COUNTED, written


def read(text: str) -> Reading:
    return read_deck(games()["spycraft"], text)


def xfiles() -> Game:
    return games()["xfiles"]


def cards(reading: Reading) -> list[tuple[int, str]]:
    return [(entry.count, entry.card.name) for entry in reading.deck]


def codes(reading: Reading) -> list[tuple[int, str]]:
    return [(unread.line, unread.code) for unread in reading.unread]


def test_a_line_of_spaces_is_ignored():
    reading = read("3 Kai\n   \n\t\n2 Li Cong")
    assert (cards(reading), reading.unread) == ([(3, "Kai"), (2, "Li Cong")], ())


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


@pytest.mark.parametrize("name", ["2nd Lt. Chavez", "3-D Modeling", "Glock 17"])
@pytest.mark.parametrize("shape", ["{}", "2 {}", "2x {}", "{} x2"])
def test_digits_and_marks_of_a_name_stay_in_the_name(name, shape):
    reading = read(shape.format(name))
    assert cards(reading) == [(2 if "2" in shape else 1, name)]


def test_names_are_compared_without_case_accents_and_typographic_quotes():
    assert cards(read_deck(xfiles(), "1 dod kalm")) == [(1, "Død Kalm")]
    assert cards(read("1 RS-9, “The Koffin”")) == [(1, 'RS-9, "The Koffin"')]


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


@pytest.mark.parametrize("count", ["0", "100", "00", "99999999999999999999"])
def test_a_count_is_1_to_99(count):
    assert codes(read(f"{count} Kai")) == [(1, "bad_count")]


@pytest.mark.parametrize("count", ["²", "1e1", "0x1", "-1", "½", "٣"])
def test_only_plain_digits_are_a_count(count):
    assert codes(read(f"{count} Kai")) == [(1, "unknown_card")]


def test_a_card_without_a_section_goes_where_its_type_belongs():
    reading = read("Clean Sweep\nKai")
    assert [entry.section for entry in reading.deck] == ["leaders", "deck"]


def test_after_an_unknown_section_cards_go_where_their_type_belongs():
    reading = read("Leaders:\n1 Clean Sweep\nBinder:\n2 Kai")
    assert [(entry.card.name, entry.section) for entry in reading.deck] == [
        ("Clean Sweep", "leaders"),
        ("Kai", "deck"),
    ]
    assert codes(reading) == [(3, "unknown_section")]


def test_a_heading_may_stand_before_a_card_on_its_line():
    reading = read_deck(xfiles(), "X-File: Duane Barry\nSites:\n1 Browning, MT")
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
def test_cards_beside_the_deck_are_comments_and_do_not_count(text, comments):
    reading = read(text)
    assert (reading.deck.size, reading.comments, reading.unread) == (0, comments, ())
    assert [notice.line for notice in reading.notices] == [1]


def test_the_deck_goes_on_below_its_next_heading():
    reading = read("CONSIDERING:\n2 Kai\n\nDeck:\n1 Termite")
    assert [(entry.count, entry.card.name) for entry in reading.deck] == [(1, "Termite")]


def test_a_game_with_a_sideboard_has_it_in_the_deck_and_the_maybeboard_beside():
    reading = read_deck(xfiles(), "Sideboard:\n1 Blackmail\nMaybeboard:\n1 Abduction")
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
    ],
)
def test_lines_that_other_programs_add_are_ignored(line):
    assert read(f"{line}\n1 Kai").unread == ()


def test_a_line_break_at_the_end_begins_no_line():
    assert lines_of("1 Kai\n") == ["1 Kai"]
    assert not read("\n" * 5_000).unread


def test_the_copies_of_a_card_that_is_written_in_twice_with_the_same_facts_are_added():
    game = games()["spynet"]
    assert cards(read_deck(game, "1 Y | agent | power: 1\n2 Y | agent | power: 1")) == [(3, "Y")]


def test_beyond_the_most_entries_new_cards_are_left_out_but_copies_of_others_are_added():
    lines = [f"1 X{number} | agent" for number in range(MAX_ENTRIES + 1)]
    reading = read_deck(games()["spynet"], "\n".join([*lines, lines[0]]))
    assert (len(reading.deck.entries), reading.deck.entries[0].count) == (MAX_ENTRIES, 2)
    assert codes(reading) == [(MAX_ENTRIES + 1, "too_many_cards")]


def test_a_comment_without_words_is_ignored():
    reading = read("// Night Watch\n//\n#\n1 Kai")
    assert (reading.deck.name, reading.comments, codes(reading)) == ("Night Watch", (), [])


def test_lines_are_counted_as_an_editor_counts_them():
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
    (entry,) = read_deck(games()["spynet"], line).deck
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
    entries = tuple(
        Entry(card, data.draw(st.integers(1, 99)), game.section_for(card.type, format)) for card in chosen
    )
    deck = Decklist(entries, name="A deck")
    again = read_deck(game, write_deck(game, deck, format))
    assert not again.unread
    assert again.format == format.slug
    assert again.deck.name == "A deck"
    wanted = sorted((entry.section, entry.card.code, entry.count) for entry in entries)
    assert sorted((entry.section, entry.card.code, entry.count) for entry in again.deck) == wanted


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_written_line_of_every_card_is_read_as_that_card(slug):
    game = games()[slug]
    for card in game.cards:
        entry = Entry(card, 2, game.section_for(card.type))
        read = read_deck(game, f"{game.sections_by_slug[entry.section].name}:\n{line_for(game, entry)}")
        assert [(entry.card.code, entry.count) for entry in read.deck] == [(card.code, 2)], card.name


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


def test_a_notice_tells_that_a_line_without_mark_was_taken_for_the_title():
    (told,) = read(f"\nNine Tiger, my try{CARDS}").notices
    assert (told.line, told.message) == (2, "“Nine Tiger, my try” was taken for the deck’s name.")
    assert read(f"// Night Watch{CARDS}").notices == ()


def test_a_line_with_a_count_is_no_title():
    lines = (written(form, "Night Watch Tower", 2, 1) for form in COUNTED)
    assert [line for line in lines if read(line + CARDS).deck.name] == []


@pytest.mark.parametrize("line", ["Kai twice", "four Termite", "Kai, four of it"])
def test_a_first_line_that_begins_or_ends_with_the_name_of_a_card_is_no_title_but_may_be_one(line):
    (unread,) = read(line + CARDS).unread
    assert (unread.text, unread.may_be_title) == (line, True)


@pytest.mark.parametrize(
    "line",
    [
        "Recon..4",
        "<td>4</td><td>Termite</td>",
        "Get 4 Kai, fast",
    ],
)
def test_a_first_line_with_the_name_of_a_card_and_a_number_or_brackets_is_no_title(line):
    (unread,) = read(line + CARDS).unread
    assert unread.text == line


@pytest.mark.parametrize(
    "line",
    [
        "Shiatzu",
        "Mothr of Clouds",
        "2 Night Watch",
        "Night Watch x2",
        "Count,Name",
        "Night | Watch",
        "Leadrs:",
    ],
)
def test_a_line_that_resembles_a_card_a_heading_or_data_is_no_title(line):
    reading = read(line + CARDS)
    assert reading.deck.name == ""
    assert [unread.line for unread in reading.unread] == [1]


def test_a_very_short_first_line_is_no_title_but_may_be_one():
    (unread,) = read(f"Mine{CARDS}").unread
    assert unread.may_be_title


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
    (unread,) = read_deck(games()["spycraft"], f"Night Watch{CARDS}", titled=False).unread
    assert (unread.text, unread.may_be_title) == ("Night Watch", True)
