"""The refusals and notices of reading a list, each with its whole sentence, and the sections that cards are
put into.
"""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Severity
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.reading import Notice, Unread, example_line, placed_words
from tests.cardsdb.games.kit.listtext.lists import read


@pytest.mark.parametrize(
    ("told", "place"),
    [
        (Unread(3, "1 Kia", "unknown_card", "None."), "line 3"),
        (Notice(3, "None."), "line 3"),
        (Unread(3, "1 Kia", "unknown_card", "None.", where="row 9"), "row 9"),
        (Notice(3, "None.", "row 9"), "row 9"),
    ],
)
def test_the_place_of_a_line_is_its_number_or_that_in_the_file_of_another_program(told, place):
    assert told.place == place


def test_each_suggestion_is_offered_with_its_verdict_if_that_is_known():
    unread = Unread(1, "Tracer", "ambiguous", "Two.", ("Tracer (ON)", "Tracer (ML)"), outcomes=("legal",))
    assert unread.offered == (("Tracer (ON)", "legal"), ("Tracer (ML)", ""))


@pytest.mark.parametrize(
    ("code", "stays", "correctable"),
    [
        ("unknown_card", True, True),
        ("ambiguous", False, True),
        ("unknown_section", False, True),
        ("bad_count", False, False),
    ],
)
def test_the_reason_decides_if_a_line_can_be_corrected_or_stay_as_unknown(code, stays, correctable):
    unread = Unread(1, "x", code, "Wrong.")
    assert (unread.may_stay_unknown, unread.correctable) == (stays, correctable)


SECTIONS = ("Leaders:", "Deck:", "Missions:")
X = "X" * 290
AGENT_FACTS = (
    "Branches:",
    "Power:",
    "Special:",
    "Mercenary:",
    "Copies at least:",
    "Does:",
    "Target:",
    "When:",
    "Stand in:",
)

# (game, list whose last line is refused, code, message, suggestions)
REFUSED = [
    ("spycraft", "Binder:", "unknown_section", "Spycraft decks have no section “Binder”.", SECTIONS),
    (
        "spycraft",
        "1 Tracer",
        "ambiguous",
        "2 cards are called Tracer; say which.",
        ("Tracer (ON)", "Tracer (ML)"),
    ),
    ("spycraft", "60 Kai\n60 Kai", "bad_count", "That makes 120 copies of Kai; at most 99 are read.", ()),
    ("spycraft", "x" * 301, "line_too_long", "This line is longer than 300 characters.", ()),
    ("spycraft", "1 Kai | ^keep !", "bad_marks", "“^keep !” is no mark: write ^keep, #tag or // a note.", ()),
    (
        "spynet",
        "1 Nobody",
        "unknown_card",
        "SpyNet has no card called “Nobody”. To write it in: Nobody | agent | fact: value",
        (),
    ),
    ("spynet", "1 ?? | agent", "no_name", "A card that is written in needs a name before the first |.", ()),
    (
        "spynet",
        "1 X | agent | strength: 3",
        "unknown_fact",
        "“strength: 3” is not a fact of the type Agent; write “fact: value”.",
        AGENT_FACTS,
    ),
    ("spynet", "1 X | agent | power: much", "bad_fact", "Power must be a whole number, not “much”.", ()),
    ("spynet", "1 X | agent | power: 1 | power: 2", "bad_fact", "Power is stated twice.", ()),
    (
        "spynet",
        "1 Y | agent | power: 1\n1 Y | agent | power: 2",
        "written_twice",
        "“Y” is written in above with other facts; give it another name.",
        (),
    ),
    (
        "spynet",
        f"1 {X} | agent",
        "line_too_long",
        f"The name “{X[:40]}…” is too long; a line has room for 300 characters.",
        (),
    ),
    ("spynet", "Players: many", "bad_detail", "Players must be a whole number, not “many”.", ()),
]
# (line of Spycraft, message of its notice)
NOTICED = [
    ("SB: 1 Kai", "“Sideboard” is no part of a Spycraft deck: the card does not count into it."),
    ("Sideboard:", "“Sideboard” is no part of a Spycraft deck: the cards below do not count into it."),
    ("Format: Chess", "Spycraft has no format “Chess”; the likeliest was taken."),
]


@pytest.mark.parametrize(("game", "text", "code", "message", "suggestions"), REFUSED)
def test_a_refused_line_has_a_reason_and_suggestions(game, text, code, message, suggestions):
    (unread,) = read(text, game).unread
    assert (unread.code, unread.message, unread.suggestions) == (code, message, suggestions)
    assert (unread.line, unread.text) == (len(text.split("\n")), text.split("\n")[-1][:300])


@pytest.mark.parametrize(("line", "message"), NOTICED)
def test_what_was_assumed_of_a_line_is_told_with_its_number(line, message):
    assert [(notice.line, notice.message) for notice in read(f"\n{line}").notices] == [(2, message)]


LIST = """\
// house: copies=4
Game: Spycraft
Deck name: Night  Watch
Format: Agency Deck
// tags: a, b
2 Kai ^keep #blue // mine
"""


def test_what_a_list_says_of_its_deck_is_read_and_a_card_is_found_again_at_its_line():
    reading = read(LIST)
    assert (reading.house, reading.game, reading.format) == ("copies=4", "Spycraft", "agency")
    assert (reading.deck.name, reading.tags) == ("Night Watch", ("a", "b"))
    assert (reading.notes, reading.comments, reading.notices, reading.unread) == ("", (), (), ())
    assert reading.places == {("deck", "kai"): ((6, 2),)}


def test_a_line_of_the_most_characters_is_read():
    assert read("2 Kai".ljust(MAX_LINE)).deck.entries[0].count == 2


def test_a_deck_without_name_and_format_is_written_from_its_first_section():
    game = games()["spycraft"]
    assert write_deck(game, read_deck(game, "2 Kai").deck) == "Deck:\n2 Kai\n"


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (["1 Kai"], "1 Kai was put into the Deck: the list does not say where it belongs."),
        (
            ["1 Kai", "1 Termite"],
            "1 Kai and 1 Termite were put into the Deck: the list does not say where they belong.",
        ),
    ],
)
def test_cards_that_were_put_into_a_section_are_named_with_it(cards, sentence):
    assert placed_words(games()["spycraft"], "deck", cards, "list") == sentence


def test_a_card_under_a_heading_of_the_whole_deck_goes_to_the_main_section_if_its_own_has_a_heading():
    game, lines = games()["xfiles"], "Main deck:\n2 Section Chief Scott Blevins\n"
    alone = read_deck(game, lines)
    assert ([entry.section for entry in alone.deck], alone.notices) == (["agents"], ())
    reading = read_deck(game, f"{lines}// Agents\n1 Section Chief Scott Blevins\n")
    assert [(entry.section, entry.count) for entry in reading.deck] == [("bureau", 2), ("agents", 1)]
    ((line, message),) = [(notice.line, notice.message) for notice in reading.notices]
    assert line == 2 and message.endswith("the Bureau deck: the list does not say where they belong.")


FORMATS = [(slug, format.slug) for slug, game in games().items() for format in game.formats]


@pytest.mark.parametrize(("slug", "format"), FORMATS)
def test_the_example_line_of_a_format_is_read_into_one_of_its_sections_and_breaks_no_rule(slug, format):
    game = games()[slug]
    chosen = game.formats_by_slug[format]
    reading = read_deck(game, example_line(game, chosen), chosen)
    assert not reading.unread
    assert bool(reading.deck.entries) == bool(chosen.sections)
    for entry in reading.deck:
        assert entry.section in chosen.sections
        assert game.types_by_slug[entry.card.type].in_decks
    broken = [v for v in game.judge(reading.deck, chosen).violations if v.severity is Severity.ILLEGAL]
    assert not any(violation.excess for violation in broken)


@pytest.mark.parametrize(
    "tag", ["[Maybeboard{noDeck}{noPrice}]", "(ON) [Sideboard]", "[maybeboard] ^Have,#37d67a^"]
)
def test_a_card_with_a_tag_for_cards_beside_the_deck_does_not_count(tag):
    reading = read(f"2 Kai\n3x Termite {tag}")
    assert [(entry.count, entry.card.name) for entry in reading.deck] == [(2, "Kai")]
    (notice,) = reading.notices
    assert "is no part of a Spycraft deck" in notice.message
    assert len(reading.comments) == 1


@pytest.mark.parametrize("heading", ["[b]Leaders (1)[/b]", "[size=4][u]Leaders:[/u][/size]"])
def test_a_heading_with_the_markup_of_a_forum_is_read_and_lines_of_markup_are_ignored(heading):
    reading = read(f"{heading}\n[list]\n[*]1 Li Cong\n[/list]")
    assert not reading.unread
    assert [entry.section for entry in reading.deck] == ["leaders"]
