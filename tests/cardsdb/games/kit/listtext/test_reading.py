"""What a list is told about a line: the whole sentence, which names the line's own words and what to do; and
the sections that a line may stand in.
"""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Severity
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.listtext.line import as_unknown, covered_card
from cardsdb.games.kit.listtext.reading import (
    SIDEBOARD,
    Notice,
    Reading,
    Unread,
    example_line,
    placed_words,
    split_heading,
)


def read(text: str) -> Reading:
    return read_deck(games()["spycraft"], text)


@pytest.mark.parametrize("of", [Unread(3, "1 Kia", "unknown_card", "None."), Notice(3, "None.")])
def test_a_line_is_known_by_its_number(of):
    assert of.place == "line 3"


@pytest.mark.parametrize(
    "of", [Unread(3, "1 Kia", "unknown_card", "None.", where="row 9"), Notice(3, "None.", "row 9")]
)
def test_a_line_of_another_programs_file_is_known_by_its_place_there(of):
    assert of.place == "row 9"


def test_each_suggestion_is_offered_with_the_verdict_by_it_where_that_is_known():
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
def test_what_can_be_put_right_or_stay_hangs_on_what_is_wrong(code, stays, correctable):
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

REFUSED = [
    ("spycraft", "Binder:", "unknown_section", "Spycraft decks have no section “Binder”.", SECTIONS),
    ("spycraft", "1 Kai\x00", "bad_character", "This line has a control character; remove it.", ()),
    ("spycraft", "100 Kai", "bad_count", "Kai: a count is 1 to 99.", ()),
    ("spycraft", "1 Kia", "unknown_card", "Spycraft has no card called “Kia”.", ()),
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
NOTICED = [
    ("1 Kai (XYZ)", "No print “xyz” of Kai is known; the card was taken without it."),
    ("1 Kai (ON) 99", "No print “99” of Kai is known; the card was taken without it."),
    ("SB: 1 Kai", "“Sideboard” is no part of a Spycraft deck: the card does not count into it."),
    ("Sideboard:", "“Sideboard” is no part of a Spycraft deck: the cards below do not count into it."),
    ("Format: Chess", "Spycraft has no format “Chess”; the likeliest was taken."),
]


@pytest.mark.parametrize(("game", "text", "code", "message", "suggestions"), REFUSED)
def test_a_refused_line_is_told_why_and_what_would_be_read(game, text, code, message, suggestions):
    (unread,) = read_deck(games()[game], text).unread
    assert (unread.code, unread.message, unread.suggestions) == (code, message, suggestions)
    assert (unread.line, unread.text) == (len(text.split("\n")), text.split("\n")[-1][:300])


@pytest.mark.parametrize(("line", "message"), NOTICED)
def test_what_was_assumed_is_said_at_its_line(line, message):
    assert [(notice.line, notice.message) for notice in read(f"\n{line}").notices] == [(2, message)]


def test_what_a_list_says_of_itself_is_read_each_into_its_place():
    text = (
        "// house: copies=4\nGame: Spycraft\nDeck name: Night  Watch\nFormat: Agency Deck\n// tags: a, b\n2"
        " Kai ^keep #blue // mine\n"
    )
    reading = read(text)
    (entry,) = reading.deck
    assert (reading.house, reading.game, reading.deck.name, reading.format) == (
        "copies=4",
        "Spycraft",
        "Night Watch",
        "agency",
    )
    assert (reading.tags, reading.notes, reading.comments, reading.notices, reading.unread) == (
        ("a", "b"),
        "",
        (),
        (),
        (),
    )
    assert (entry.marks.keep, entry.marks.tags, entry.marks.note) == (True, ("blue",), "mine")
    assert reading.places == {("deck", "kai"): ((6, 2),)}


def test_a_line_that_is_as_long_as_lines_may_be_is_read():
    line = "1 Kai // " + "n" * 291
    assert [unread.code for unread in read(line).unread] != ["line_too_long"]
    assert read("2 Kai".ljust(300)).deck.entries[0].count == 2


def test_a_deck_without_a_head_is_written_without_an_empty_one():
    game = games()["spycraft"]
    assert write_deck(game, read_deck(game, "2 Kai").deck) == "Deck:\n2 Kai\n"


def test_a_name_with_a_bar_is_written_as_unknown_with_one_that_splits_nothing():
    assert as_unknown("2x A|B #blue") == "2 A¦B | unknown | #blue"


def test_a_covered_card_says_its_type_alone():
    card = covered_card(games()["xfiles"], "x-file")
    assert (card.game, card.code, card.name, card.type, card.written) == (
        "xfiles",
        "secret-x-file",
        "A secret X-File",
        "x-file",
        True,
    )


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (["1 Kai"], "1 Kai was put into the Deck: the list does not say where it belongs."),
        (["2 Kai"], "2 Kai were put into the Deck: the list does not say where they belong."),
        (
            ["1 Kai", "1 Termite"],
            "1 Kai and 1 Termite were put into the Deck: the list does not say where they belong.",
        ),
    ],
)
def test_cards_that_were_placed_are_named_with_their_place(cards, said):
    assert placed_words(games()["spycraft"], "deck", cards, "list") == said


def test_under_a_heading_of_the_whole_deck_a_card_goes_to_the_section_of_most_cards_beside_its_own():
    game, blevins = games()["xfiles"], "Section Chief Scott Blevins"
    reading = read_deck(game, f"Main deck:\n2 {blevins}\n// Agents\n1 {blevins}\n")
    assert [(entry.section, entry.count) for entry in reading.deck] == [("bureau", 2), ("agents", 1)]
    placed = f"2 {blevins} were put into the Bureau deck: the list does not say where they belong."
    assert [(notice.line, notice.message) for notice in reading.notices] == [(2, placed)]
    alone = read_deck(game, f"Main deck:\n2 {blevins}\n")
    assert [(entry.section, notices) for entry, notices in zip(alone.deck, [alone.notices], strict=True)] == [
        ("agents", ())
    ]


FORMATS = [(slug, format.slug) for slug, game in games().items() for format in game.formats]


@pytest.mark.parametrize(("slug", "format"), FORMATS)
def test_the_example_of_a_format_is_read_into_one_of_its_sections_and_breaks_nothing_itself(slug, format):
    game = games()[slug]
    chosen = game.formats_by_slug[format]
    line = example_line(game, chosen)
    reading = read_deck(game, line, chosen)
    assert not reading.unread
    assert bool(reading.deck.entries) == bool(chosen.sections)
    for entry in reading.deck:
        assert entry.section in chosen.sections
        assert game.types_by_slug[entry.card.type].in_decks
        assert not [
            v
            for v in game.judge(reading.deck, chosen).violations
            if v.severity is Severity.ILLEGAL and v.excess
        ]


def test_a_sideboard_of_counts_alone_is_one_line_each():
    assert split_heading(games()["spycraft"], "SB,2,Kai") == (SIDEBOARD, "SB,2,Kai")


@pytest.mark.parametrize(
    "tag", ["[Maybeboard{noDeck}{noPrice}]", "(ON) [Sideboard]", "[maybeboard] ^Have,#37d67a^"]
)
def test_a_card_that_is_tagged_as_beside_the_deck_does_not_count_into_it(tag):
    reading = read(f"2 Kai\n3x Termite {tag}")
    assert [(entry.count, entry.card.name) for entry in reading.deck] == [(2, "Kai")]
    (notice,) = reading.notices
    assert "is no part of a Spycraft deck" in notice.message and len(reading.comments) == 1


@pytest.mark.parametrize("heading", ["[b]Leaders (1)[/b]", "[size=4][u]Leaders:[/u][/size]"])
def test_a_heading_of_a_forum_is_a_heading_and_its_markup_is_no_line(heading):
    reading = read(f"{heading}\n[list]\n[*]1 Li Cong\n[/list]")
    assert not reading.unread and [entry.section for entry in reading.deck] == ["leaders"]
