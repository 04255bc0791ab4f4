"""What the editor does to a deck's content, without a database."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Marks
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.edits import EditRefused, copies_of, entry_of

GAME = games()["xfiles"]
STARTER = next(starter for starter in GAME.starters if starter.slug == "deck-mulder")
START = DeckContent(read_deck(GAME, STARTER.text).deck, STARTER.format)
CARDS = [entry.card for entry in START.deck][:6] + [
    card for card in GAME.cards if GAME.type_named(card.type).in_decks
][:6]
SECTIONS = ("agents", "bureau", "sideboard")

changes = st.lists(
    st.tuples(
        st.sampled_from(CARDS),
        st.sampled_from(SECTIONS),
        st.integers(-5, 5),
        st.sampled_from(("more", "count", "move")),
    ),
    max_size=25,
)


def after(content: DeckContent, actions: list[tuple[object, str, int, str]]) -> DeckContent:
    for card, section, number, how in actions:
        try:
            if how == "more":
                content = edits.with_more(content, card, section, number)
            elif how == "count":
                content = edits.with_count(content, card, section, abs(number))
            else:
                content = edits.moved(content, section, card.code, SECTIONS[number % len(SECTIONS)])
        except EditRefused:
            continue
    return content


@given(changes)
def test_whatever_is_asked_every_line_has_1_to_99_copies_and_stands_once(actions):
    lines = [(entry.section, entry.card.code) for entry in after(START, actions).deck]
    assert len(lines) == len(set(lines))
    assert all(1 <= entry.count <= 99 for entry in after(START, actions).deck)


@given(st.sampled_from(CARDS), st.sampled_from(SECTIONS), st.integers(1, 40))
def test_more_and_as_many_fewer_is_the_deck_as_it_was(card, section, number):
    there = edits.with_more(START, card, section, number)
    assert edits.with_more(there, card, section, -number) == START


@given(
    st.sampled_from([entry for entry in START.deck if entry.section == "bureau"]), st.sampled_from(SECTIONS)
)
def test_moving_neither_makes_nor_loses_a_copy(entry, to):
    moved = edits.moved(START, entry.section, entry.card.code, to)
    assert copies_of(moved, entry.card.code) == copies_of(START, entry.card.code)
    assert entry_of(moved, to, entry.card.code) is not None


def test_more_than_a_line_holds_is_refused_and_says_how_many_it_would_be():
    with pytest.raises(EditRefused, match="105 copies"):
        edits.with_more(edits.with_count(START, CARDS[-1], "bureau", 98), CARDS[-1], "bureau", 7)


def test_marks_travel_with_the_line():
    line = next(entry for entry in START.deck if entry.section == "bureau")
    marks = Marks("in for the duel", ("flex",), True)
    moved = edits.moved(
        edits.marked(START, "bureau", line.card.code, marks), "bureau", line.card.code, "sideboard"
    )
    entry = entry_of(moved, "sideboard", line.card.code)
    assert entry is not None and entry.marks == marks


@pytest.mark.parametrize(
    ("typed", "tags"), [("", ()), (" duel , flex,, duel ", ("duel", "flex")), ("one\ttag", ("one tag",))]
)
def test_tags_stand_between_commas_each_once(typed, tags):
    assert edits.tags_of(typed) == tags


@pytest.mark.parametrize(
    ("typed", "code"), [("x" * 41, "tag_too_long"), (",".join(map(str, range(21))), "too_many_tags")]
)
def test_too_many_or_too_long_tags_are_refused(typed, code):
    with pytest.raises(EditRefused) as refused:
        edits.tags_of(typed)
    assert refused.value.code == code


def test_a_detail_is_a_number_where_the_format_says_so():
    spynet = games()["spynet"]
    format = spynet.formats_by_slug["draw-4"]
    content = edits.with_details(START, format.details, {"players": "4", "teams": "1+3", "piles": ""})
    assert content.deck.details == {**START.deck.details, "players": 4, "teams": "1+3"}
    with pytest.raises(EditRefused, match="Players must be a whole number, not “four”"):
        edits.with_details(START, format.details, {"players": "four"})


def test_a_card_goes_where_it_is_wanted_if_its_type_may_stand_there():
    format = GAME.formats_by_slug["contingency"]
    assert edits.home_of(GAME, "event", format) == "bureau"
    assert edits.home_of(GAME, "event", format, "sideboard") == "sideboard"
    assert edits.home_of(GAME, "x-file", format, "sideboard") == "xfile"
    assert edits.home_of(GAME, "event", GAME.formats_by_slug["advanced"], "sideboard") == "bureau", (
        "the format has none"
    )


def test_house_rules_that_the_other_format_lacks_do_not_go_with_the_deck():
    spycraft = games()["spycraft"]
    ours = replace(START, format="agency", house="AG-6.exactly=3")
    assert edits.in_format(ours, spycraft.formats_by_slug["mission-base"]).house == ""
    assert edits.in_format(ours, spycraft.formats_by_slug["agency"]).house == "AG-6.exactly=3"
