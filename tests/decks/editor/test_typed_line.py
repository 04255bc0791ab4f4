"""The text in the editor's box: whether it is a line or a query, which card is offered for it, and which
lines are suggested if it was not understood.
"""

import pytest

from cardsdb.games import games
from decks.editor.typed_line import LineNotRead, is_line, offer_in, read_typed

GAME = games()["spycraft"]


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        # A count before or behind the name, also of an unfinished or misspelt one.
        ("2 kai", ("Add 2", "kai")),
        ("kai 2", ("Add 2", "kai")),
        ("kai x3", ("Add 3", "kai")),
        ("3x  termi", ("Add 3", "termite")),
        ("-1 kai", ("Take out 1", "kai")),
        ("2 termitte", ("Add 2", "termite")),
        ("2 barrel", ("Add 2", "double-barrel")),
        # The whole name of one card, also if it ends with a number.
        ("kai", ("Add 1", "kai")),
        ("glock 17", ("Add 1", "glock-17")),
        # A number that is part of a name, a part of a name, the name of two cards, a query.
        ("glock 1", None),
        ("termi", None),
        ("tracer", None),
        ("combat>= 5", None),
        ("2 type:agent", None),
        ("2 qqqqqqqq", None),
        ("", None),
        # Marks and sets behind the name.
        ("2 Kai #blue", ("Add 2", "kai")),
        ("2 termi ^keep // late", ("Add 2", "termite")),
        ("2 Kai [ON]", ("Add 2", "kai")),
        ("2 project: omen st", ("Add 2", "project-omen-star")),
        # Counts out of bounds, a count behind an unknown name, and names that two cards share.
        ("0 kai", None),
        ("kai 0", None),
        ("100 kai", None),
        ("termi 2", None),
        ("agent 5", None),
        ("2 Tracer", None),
        ("2 trac", None),
        ("2 [ON] Kai", ("Add 2", "kai")),
        ("2 Kai | agent", None),
        ("2 Tracer (ON)", ("Add 2", "tracer")),
        ("2 " + "kai " * 100_000, None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_text_with_a_count_or_a_whole_name_offers_the_card_that_it_names(text, offer):
    actual = offer_in(GAME, text)
    assert (actual and (actual.words, actual.card.code)) == offer


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.slug)
def test_a_full_card_name_is_never_read_as_a_name_with_a_count(game):
    cards = [card for card in game.cards if game.type_named(card.type).in_decks]
    offers = [(card.name, offer) for card in cards if (offer := offer_in(game, card.name))]
    assert [name for name, offer in offers if (offer.copies, offer.card.name) != (1, name)] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Leaders: 1 Groundfire", True),
        ("-Leaders: 1 Groundfire", True),
        ("type: 2", False),
        ("X | agent | power: 3", True),
        ("kai", True),
        ("termi", False),
        ("2 Kai #blue", True),
        ('2 Kai #"late game"', True),
        ("0 Kai", True),
        ("100 Kai", True),
        ("2 Tunguska", True),
        ("2 Tracer (XX)", True),
        ("2 type:agent", False),
        ("combat: 5 kai", False),
        ("agent 5", False),
        ("glock 17", True),
        ("glock 1", False),
        ("2 " + "x:y " * 100_000, False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_text_is_a_line_if_it_has_a_count_a_whole_name_a_section_or_a_written_card(text, line):
    assert is_line(GAME, text) is line


@pytest.mark.parametrize(
    ("line", "name", "can_be_kept"),
    [
        ("2 Tunguska", "Tunguska", True),
        ("2x Tunguska #later", "Tunguska", True),
        ("Tunguska | Forest", "Tunguska | Forest", True),
        ("-1 Tunguska", "Tunguska", False),
    ],
)
def test_a_name_like_no_other_is_named_and_can_be_added_but_not_taken_out_as_an_unknown_card(
    line, name, can_be_kept
):
    with pytest.raises(LineNotRead) as raised:
        read_typed(GAME, line)
    assert (raised.value.name, raised.value.lines) == (name, ())
    assert bool(raised.value.unknown) is can_be_kept
    if can_be_kept:
        assert read_typed(GAME, raised.value.unknown).read.card.name == name.replace("|", "¦")


def test_suggested_lines_keep_the_section_written_before_the_misspelt_name():
    with pytest.raises(LineNotRead) as raised:
        read_typed(GAME, "Leaders: Groundfir")
    assert "Leaders: 1 Groundfire" in raised.value.lines


@pytest.mark.parametrize(
    ("game", "line"), [("spycraft", "2 Tracer"), ("spycraft", "2 trac"), ("xfiles", "2 Smoke & Mirrors")]
)
def test_a_name_shared_by_several_cards_suggests_a_line_for_each(game, line):
    with pytest.raises(LineNotRead) as raised:
        read_typed(games()[game], line)
    assert len(raised.value.lines) >= 2
    for suggested in raised.value.lines:
        assert read_typed(games()[game], suggested).read.copies == 2
