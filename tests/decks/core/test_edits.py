"""The editor's edits of a deck's content, without a database."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.edits import EditRefused, copies_of, entry_of

GAME = games()["xfiles"]
STARTER = next(starter for starter in GAME.starters if starter.slug == "deck-mulder")
START = DeckContent(read_deck(GAME, STARTER.text).deck, STARTER.format)
IN_DECKS = [card for card in GAME.cards if GAME.type_named(card.type).in_decks]
# Some cards of the deck, and some of the game.
CARDS = [entry.card for entry in START.deck][:6] + IN_DECKS[:6]
SECTIONS = ("agents", "bureau", "sideboard")

# Edits as (card, section, number, kind of edit).
edit_lists = st.lists(
    st.tuples(
        st.sampled_from(CARDS),
        st.sampled_from(SECTIONS),
        st.integers(-5, 5),
        st.sampled_from(("more", "count", "move")),
    ),
    max_size=25,
)


def after(content: DeckContent, actions: list[tuple[object, str, int, str]]) -> DeckContent:
    """The content after these edits; refused ones change nothing."""
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


@given(edit_lists)
def test_after_any_edits_each_card_has_one_line_of_1_to_99_copies(actions):
    deck = after(START, actions).deck
    lines = [(entry.section, entry.card.code) for entry in deck]
    assert len(lines) == len(set(lines))
    assert all(1 <= entry.count <= 99 for entry in deck)


@given(st.sampled_from(CARDS), st.sampled_from(SECTIONS), st.integers(1, 40))
def test_adding_copies_and_taking_them_out_again_restores_the_deck(card, section, number):
    added = edits.with_more(START, card, section, number)
    assert edits.with_more(added, card, section, -number) == START


@given(
    st.sampled_from([entry for entry in START.deck if entry.section == "bureau"]), st.sampled_from(SECTIONS)
)
def test_moving_a_line_keeps_the_number_of_copies(entry, to):
    moved = edits.moved(START, entry.section, entry.card.code, to)
    assert copies_of(moved, entry.card.code) == copies_of(START, entry.card.code)
    assert entry_of(moved, to, entry.card.code) is not None


@pytest.mark.parametrize(
    ("typed", "tags"), [("", ()), (" duel , flex,, duel ", ("duel", "flex")), ("one\ttag", ("one tag",))]
)
def test_tags_are_split_at_commas_without_duplicates(typed, tags):
    assert edits.tags_of(typed) == tags


def test_a_detail_of_the_kind_number_must_be_a_whole_number():
    spynet = games()["spynet"]
    format = spynet.formats_by_slug["draw-4"]
    content = edits.with_details(START, format.details, {"players": "4", "teams": "1+3", "piles": ""})
    assert content.deck.details == {**START.deck.details, "players": 4, "teams": "1+3"}
    with pytest.raises(EditRefused, match="Players must be a whole number, not “four”"):
        edits.with_details(START, format.details, {"players": "four"})


def test_a_card_goes_to_the_wanted_section_only_if_that_takes_its_type():
    format = GAME.formats_by_slug["contingency"]
    assert edits.home_of(GAME, "event", format) == "bureau"
    assert edits.home_of(GAME, "event", format, "sideboard") == "sideboard"
    assert edits.home_of(GAME, "x-file", format, "sideboard") == "xfile"
    assert edits.home_of(GAME, "event", GAME.formats_by_slug["advanced"], "sideboard") == "bureau", (
        "the format has none"
    )


def test_changing_the_format_drops_house_rules_that_it_lacks():
    spycraft = games()["spycraft"]
    content = replace(START, format="agency", house="AG-6.exactly=3")
    assert edits.in_format(content, spycraft.formats_by_slug["mission-base"]).house == ""
    assert edits.in_format(content, spycraft.formats_by_slug["agency"]).house == "AG-6.exactly=3"
