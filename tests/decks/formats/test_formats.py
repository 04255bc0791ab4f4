"""Decks as files: what every format keeps to, and our own: text, tables, JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.box.reading.formats import guarded, unguarded
from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import FORMATS, export
from decks.formats.tables import COLUMNS
from tests.support.awkward_names import NAMES, awkward_game, codes, everything, tree

XML = ("o8d", "dek", "cod", "mpc")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return awkward_game(tmp_path_factory.mktemp("awkward"))


def content(deck: Decklist) -> tuple[Any, ...]:
    counted: Counter[Any] = Counter()
    for entry in deck:
        facts = tuple(sorted(entry.card.facts.items())) if entry.card.written else ()
        counted[entry.section, entry.card.code, entry.card.type, facts] += entry.count
    return counted, deck.name, dict(deck.details)


# -- every format ---------------------------------------------------------------


def test_the_awkward_list_is_read_whole_but_for_its_unknown_card(game: Game) -> None:
    reading = everything(game)
    assert [unread.text for unread in reading.unread] == ["7 Nobody Knows This One"]
    assert reading.deck.size == 2 * len(NAMES) + 1 + 1 + 3


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_awkward_names_and_reports_the_unread_line(game: Game, name: str) -> None:
    written = export(name, game, everything(game))
    lines = [loss for loss in written.losses if loss.where == "line 30"]
    assert [loss.code for loss in lines] in (["line_kept"], ["line_dropped"])
    assert "Nobody Knows This One" in lines[0].message
    kept = "Nobody Knows This One" in written.text.replace("\\", "")
    assert kept == (lines[0].code == "line_kept")
    assert re.fullmatch(r"awkward-traps-quotes\.[a-z0-9.]+", written.filename)
    assert written.data.decode(written.encoding) == written.text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_the_empty_list_and_says_so(game: Game, name: str) -> None:
    written = export(name, game, read_deck(game, ""))
    assert codes(written)["no_cards"] == 1
    assert written.filename == f"awkward-deck{FORMATS[name].suffix}"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_every_starter_of_every_game(name: str) -> None:
    for game in games().values():
        for starter in game.starters:
            written = export(name, game, read_deck(game, starter.text))
            assert written.text
            assert "line_dropped" not in codes(written)
            if name in XML:
                tree(written)


@pytest.mark.parametrize("name", XML)
def test_characters_that_xml_forbids_are_replaced_and_reported(game: Game, name: str) -> None:
    reading = read_deck(
        game, "// name: a\ufffeb\n1 X\n1 bad\x00\u202eline\n1 \ufffeNoone | agent | skills: \uffff, b"
    )
    written = export(name, game, reading)
    assert codes(written)["characters_replaced"] == 1
    assert tree(written) is not None
    assert not re.search("[\x00\u202e\ufffe\uffff]", written.text)


def test_a_lone_surrogate_does_not_stop_the_file_from_being_encoded(game: Game) -> None:
    for name in FORMATS:
        assert export(name, game, read_deck(game, "1 \ud800")).data


def test_what_a_set_hint_named_in_vain_is_reported(game: Game) -> None:
    written = export("text", game, read_deck(game, "1 2Shy (NOPE)"))
    assert [(loss.code, loss.where) for loss in written.losses] == [("print_unknown", "line 1")]


def test_an_unread_card_written_over_several_lines_is_kept_line_by_line(game: Game) -> None:
    written = export("text", game, read_deck(game, "// name: n\n1 Zoë | agent | level: 3\n  | height: 4"))
    assert written.text.endswith("// not read: 1 Zoë | agent | level: 3\n// not read: | height: 4\n")
    assert [(loss.code, loss.where) for loss in written.losses if loss.code != "no_cards"] == [
        ("line_kept", "line 2")
    ]


def test_unknown_formats_are_refused_by_name(game: Game) -> None:
    with pytest.raises(KeyError):
        export("pdf", game, read_deck(game, ""))


def test_a_game_speaks_only_of_formats_sections_and_facts_that_there_are() -> None:
    for game in games().values():
        for name, exported in game.exports.items():
            assert name in FORMATS
            assert set(exported.get("sections", {})) <= set(game.sections_by_slug)
            assert set(exported.get("shared", ())) <= set(game.sections_by_slug)
            assert set(exported.get("sets", {})) <= set(game.sets_by_code)
            assert exported.get("id_fact", next(iter(game.facts_by_key))) in game.facts_by_key


# -- text -----------------------------------------------------------------------


def test_text_reads_back_as_the_same_deck(game: Game) -> None:
    reading = everything(game)
    again = read_deck(game, export("text", game, reading).text)
    assert content(again.deck) == content(reading.deck)
    assert again.format == "open"
    assert again.comments == ("two of each", "not read: 7 Nobody Knows This One")
    assert not again.unread


@pytest.mark.parametrize(
    "name", ["Deck", "Agents:", "# 1", "[X]", "Players: 4", "note: mine", "2 X", "a" * 295]
)
def test_text_keeps_names_that_look_like_something_else(game: Game, name: str) -> None:
    reading = Reading(Decklist((Entry(game.cards[0], 1, "deck"),), name=name))
    again = read_deck(game, export("text", game, reading).text)
    assert content(again.deck) == content(reading.deck)
    assert not again.unread


@pytest.mark.parametrize("comment", ["Leaders", "[Nothing]", "Deck (12)", "b" * 299])
def test_text_keeps_comments_that_look_like_headings(game: Game, comment: str) -> None:
    reading = Reading(Decklist((Entry(game.cards[0], 1, "deck"),), name="n"), comments=(comment,))
    again = read_deck(game, export("text", game, reading).text)
    assert again.comments == (comment,)
    assert not again.unread


def test_text_does_not_turn_an_unread_line_into_the_name(game: Game) -> None:
    written = export("text", game, read_deck(game, "1 X\n1 Nobody\n" + "n" * 400))
    again = read_deck(game, written.text)
    assert (again.deck.name, again.unread) == ("", ())
    assert codes(written)["line_shortened"] == 1


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
@settings(max_examples=150, deadline=None)
def test_whatever_was_pasted_reads_back_from_text_as_the_same_deck(game: Game, lines: list[str]) -> None:
    reading = read_deck(game, "\n".join(lines))
    again = read_deck(game, export("text", game, reading).text)
    assert content(again.deck) == content(reading.deck)
    assert again.format == reading.format
    assert not again.unread
    if reading.deck.name:
        assert again.comments[: len(reading.comments)] == reading.comments


# -- tables ---------------------------------------------------------------------


def test_csv_parses_back_with_crlf_and_the_stated_columns(game: Game) -> None:
    reading = everything(game)
    text = export("csv", game, reading).text
    assert text.count("\r\n") == text.count("\n") == len(reading.deck.entries) + 1 + 6
    every = list(csv.DictReader(io.StringIO(text, newline="")))
    rows = [row for row in every if row["section"] != "//"]
    assert tuple(rows[0]) == COLUMNS
    besides = {row["name"]: row["note"] for row in every if row["section"] == "//"}
    assert besides == {
        "game": "awkward", "name": 'Traps & "quotes" ]]>', "format": "open", "detail players": "4",
        "comment": "two of each",
        "not read sideboard": "7 Nobody Knows This One",
    }  # fmt: skip
    assert [row["name"].removeprefix("'") for row in rows] == [entry.card.name for entry in reading.deck]
    assert sum(int(row["count"]) for row in rows) == reading.deck.size
    assert next(row for row in rows if row["name"] == "2Shy") == {
        "section": "deck", "count": "2", "name": "2Shy", "set": "ONE", "number": "3",
        "type": "agent", "code": "c3",
        "facts": "", "note": "", "tags": "", "keep": "",
    }  # fmt: skip


def test_csv_names_no_set_where_the_list_did_not_choose_among_several(game: Game) -> None:
    row = next(csv.DictReader(io.StringIO(export("csv", game, read_deck(game, "1 Boss")).text)))
    assert (row["set"], row["number"]) == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_cells_never_start_like_a_formula_and_the_mark_can_be_taken_off(start: str) -> None:
    for text in (f"{start}1+1", f"'{start}1+1"):
        assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text
    assert guarded("'Til Death") == "'Til Death"


def test_csv_reports_the_names_it_marked(game: Game) -> None:
    written = export("csv", game, read_deck(game, '1 =HYPERLINK("x") | agent\n1 -=Zero=-\n1 X'))
    assert codes(written)["formula_marked"] == 1
    assert "'=HYPERLINK" in written.text and "'-=Zero=-" in written.text


def test_json_holds_everything_the_list_says(game: Game) -> None:
    reading = everything(game)
    written = export("json", game, reading)
    content = json.loads(written.text)
    assert {key: content[key] for key in ("cutout", "game", "format", "name", "details", "comments")} == {
        "cutout": 1,
        "game": "awkward",
        "format": "open",
        "name": 'Traps & "quotes" ]]>',
        "details": {"players": 4},
        "comments": ["two of each"],
    }
    assert sum(card["count"] for card in content["cards"]) == reading.deck.size
    assert content["cards"][0] == {
        "section": "leaders",
        "count": 1,
        "key": "awkward/boss",
        "name": "Boss",
        "type": "leader",
    }
    zoe = next(card for card in content["cards"] if card.get("written"))
    assert (zoe["name"], zoe["facts"]) == ("Zoë", {"skills": ["lying", "driving"], "level": 3})
    assert content["unread"][0]["text"] == "7 Nobody Knows This One"
    assert codes(written) == {"line_kept": 1}
