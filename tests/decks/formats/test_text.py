"""Plain lists: our own text, that of other programs, and the files of GCCG."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import export, format_of, read_any
from tests.support.awkward_names import NAMES, codes
from tests.support.deck_files import cards, counted

# -- ours


def content(deck: Decklist) -> tuple[Any, ...]:
    """All that the deck says, without the order of its lines."""
    return counted(deck, marks=False), deck.name, dict(deck.details)


# The last one has no room behind ``// name: ``, since a line has 300 characters.
@pytest.mark.parametrize("name", ["Deck", "Agents:", "# 1", "[X]", "Players: 4", "2 X", "a" * 295])
def test_text_keeps_names_that_look_like_something_else(game, name):
    reading = Reading(Decklist((Entry(game.cards[0], 1, "deck"),), name=name))
    again = read_deck(game, export("text", game, reading).text)
    assert content(again.deck) == content(reading.deck)
    assert not again.unread


# The last one has room only behind ``#``.
@pytest.mark.parametrize("comment", ["Leaders", "[Nothing]", "Deck (12)", "b" * 299])
def test_text_keeps_comments_that_look_like_headings(game, comment):
    reading = Reading(Decklist((Entry(game.cards[0], 1, "deck"),), name="n"), comments=(comment,))
    again = read_deck(game, export("text", game, reading).text)
    assert again.comments == (comment,)
    assert not again.unread


def test_text_does_not_turn_an_unread_line_into_the_name(game):
    written = export("text", game, read_deck(game, "1 X\n1 Nobody\n" + "n" * 400))
    again = read_deck(game, written.text)
    assert (again.deck.name, again.unread) == ("", ())
    assert codes(written)["line_shortened"] == 1


def test_an_unread_card_written_over_several_lines_is_kept_line_by_line(game):
    written = export("text", game, read_deck(game, "// name: n\n1 Zoë | agent | level: 3\n  | height: 4"))
    assert written.text.endswith("// not read: 1 Zoë | agent | level: 3\n// not read: | height: 4\n")
    assert [(loss.code, loss.where) for loss in written.losses if loss.code != "no_cards"] == [
        ("line_kept", "line 2")
    ]


def test_an_unknown_set_in_a_list_is_reported(game):
    written = export("text", game, read_deck(game, "1 2Shy (NOPE)"))
    assert [(loss.code, loss.where) for loss in written.losses] == [("print_unknown", "line 1")]


FRAGMENTS = st.one_of(
    st.builds(
        "{} {}".format,
        st.integers(1, 9),
        st.sampled_from([*NAMES, "Boss", "Tracer (ONE)", "Tracer (TWO) 50", "Tracer"]),
    ),
    st.builds(
        "{} {} | agent | level: {}".format,
        st.integers(1, 3),
        st.sampled_from(["Zoë", "2 Fast", "Deck"]),
        st.integers(0, 9),
    ),
    st.builds("// {}".format, st.text(max_size=12)),
    st.builds("{}:".format, st.sampled_from(["Leaders", "Deck", "Sideboard", "Missions", "Players"])),
    st.sampled_from(["Players: 3", "// format: open", "//// Leaders", "# name: #1", "/// [Odd]", ""]),
    st.text(max_size=20),
)


@given(lines=st.lists(FRAGMENTS, max_size=12))
@settings(max_examples=100, deadline=None)
def test_any_pasted_list_survives_writing_as_text(game, lines):
    reading = read_deck(game, "\n".join(lines))
    again = read_deck(game, export("text", game, reading).text)
    assert content(again.deck) == content(reading.deck)
    assert again.format == reading.format
    assert not again.unread
    if reading.deck.name:
        assert again.comments[: len(reading.comments)] == reading.comments


# -- of other programs


LISTS = {
    "Forge": "[metadata]\nName=Night\n[Main]\n2 Kai|ON|1\n[Sideboard]\n1 Termite\n",
    "XMage": "NAME:Night\n2 [ON:12] Kai\nSB: 1 [ON:3] Termite\nLAYOUT MAIN:(1,1)(NONE,false,50)|([ON:12])\n",
    "Arena": "About\nName Night\n\nDeck\n2 Kai (ON) 12\n\nSideboard\n1 Termite (ON) 3\n",
    "Moxfield": "// Night\n2 Kai (ON) 12 *F*\n\nSIDEBOARD:\n1 Termite (ON) 3\n",
    "mwDeck": "// Night\n    2 [ON] Kai\nSB:  1 [] Termite\n",
    "Deckstats": "// Night\n2 [ON#12] Kai\n//Sideboard\n1 Termite\n",
    "mtg.wtf": "// Night\n2 Kai [ON:12] [foil]\n1 Termite\n",
    "Archidekt": "// Night\n2x Kai (on) 12 [Agents{noDeck}] ^Have,#37d67a^\n1x Termite (on) 3 [Agents]\n",
    "TappedOut": "// Night\n2x Kai *CMDR*\n1x Termite\n",
    "Apprentice": '// Night\nMD,2,"Kai",ON\nSB,1,Termite,ON\n',
    "Pokémon TCG Live": "// Night\n##Agents - 3\n* 2 Kai ON 12\n* 1 Termite ON 3\n",
    "": "// Night\n[2] Kai\nTermite x1\n",
}

WITH_SIDEBOARD = ("Forge", "XMage", "Arena", "Moxfield", "mwDeck", "Deckstats", "Apprentice")


@pytest.mark.parametrize("title", LISTS)
def test_lists_of_other_programs_are_read_and_recognised(title):
    for ends in ("\r", "\r\n", "\n"):
        read = read_any(None, LISTS[title].replace("\n", ends).encode(), "deck.txt")
        assert (read.format, read.game.slug) == ("text", "spycraft")
        has_sideboard = title in WITH_SIDEBOARD
        # A sideboard is beside the deck, so its one line becomes a comment.
        in_deck_too = [] if has_sideboard else [(1, "Termite")]
        assert cards(read.reading) == [(2, "Kai"), *in_deck_too]
        assert ["Termite" in comment for comment in read.reading.comments] == [True] * has_sideboard
        assert read.reading.deck.name == "Night"
        assert not read.reading.unread
    assert read.dialect == title


@pytest.mark.parametrize(
    "text",
    [
        "// Fen\n2 Dod Kalm\n1 Abduction\n\n1 Blackmail\n",
        "2 Abduction\n\n1 Blackmail\n\n1 Amaru Urn\n",
        "Agents:\n1 Agent Fox Mulder\n\n1 Blackmail\n",
    ],
)
def test_blank_lines_do_not_begin_a_sideboard(text):
    assert "sideboard" not in {e.section for e in read_any(games()["xfiles"], text.encode()).reading.deck}


@pytest.mark.parametrize("data", ["<Leaders>\n2 Kai\n", "<3 my deck\n2 Kai\n", "2 Kai </3\n"])
def test_a_list_may_have_an_angle_bracket(data):
    assert format_of(data.encode(), "deck.txt") == "text"


# -- GCCG


def test_gccg_has_the_layout_of_gccg(known):
    written = export(
        "gccg",
        known,
        read_deck(known, "// name: Ahnsen\n1 Boss\n2 Død Kalm\n1 Tracer (ONE)\nSideboard:\n1 X"),
    )
    assert (
        written.text == "#\n# GCCG v0.9.8.1 Awkward CCG deck\n#\n#      Ahnsen\n#\n"
        "\n# -- Cutout --\n# Prints: left open where no line here names one\n"
        "\n######\nAgents\n######\n\n#  (1)\n\n1 BOSS (1ST)\n"
        "\n####\nDeck\n####\n\n#  (4)\n\n2 DØD KALM\n1 TRACER (1ST)\n1 X\n"
    )
    assert written.data.decode("iso-8859-1") == written.text
    assert codes(written) == {"print_chosen": 1, "name_ambiguous": 1, "section_folded": 1}


def test_gccg_writes_empty_parts_and_keeps_details_in_comments(known):
    """Characters that Latin-1 lacks are replaced by "?"."""
    written = export("gccg", known, read_deck(known, "Players: 4\n1 X\n1 Łódź | agent"))
    assert "# Players: 4\n# Written in: 1 ?ód? | agent" in written.text
    assert "######\nAgents\n######\n\n####\nDeck" in written.text
    assert codes(written) == {"detail_kept": 1, "facts_kept": 1, "characters_replaced": 1}


GCCG = (
    "#\r\n# GCCG v0.9.8.1 The X-Files CCG deck\r\n#\r\n#     "
    " Fen\r\n#\r\n\r\n######\r\nAgents\r\n######\r\n\r\n#  (1)\r\n\r\n1 AGENT ALEX KRYCEK"
    " (TRU)\r\n\r\n####\r\nDeck\r\n####\r\n\r\n#  (3)\r\n\r\n2 DØD KALM\r\n1 NOBODY AT ALL"
    " (TRU)\r\n\r\n######\r\nXfiles\r\n######\r\n"
)


def test_gccg_is_read_with_capital_names_and_sets():
    read = read_any(None, GCCG.encode("iso-8859-1"), "x.deck")
    assert (read.format, read.game.slug, read.reading.deck.name) == ("gccg", "xfiles", "Fen")
    assert [(e.count, e.card.name, e.section) for e in read.reading.deck] == [
        (1, "Agent Alex Krycek", "agents"),
        (2, "Død Kalm", "bureau"),
    ]
    assert [(u.line, u.text, u.section) for u in read.reading.unread] == [
        (22, "1 NOBODY AT ALL (TRU)", "bureau")
    ]
