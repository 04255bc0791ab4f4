"""The edits that the editor's forms ask for, applied to a deck's content: counts, moves, whole lines and
typed lines, with their marks and prints.
"""

from collections.abc import Mapping

import pytest

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Game
from decks.core.content import DeckContent
from decks.core.judging import judge_text
from decks.editor.changes import parse_edit
from decks.editor.typed_line import LineNotRead, offer_in

GAMES = list(games().values())
SPYCRAFT, XFILES, SPYNET = (games()[slug] for slug in ("spycraft", "xfiles", "spynet"))
TWO = "2 Kai\n1 Termite"
AURA = "aura-of-invulnerability"
BUREAU = "Bureau deck:\n2 First Aid (TRU) 2 #blue\n1 Agent Fox Mulder\n"


def changed(text, *posted: Mapping[str, str], game: Game = SPYCRAFT, format="") -> DeckContent:
    """The content of a deck with this list after these forms were posted, one after the other."""
    content = judge_text(game, text, game.formats_by_slug.get(format, game.formats[0])).content()
    for form in posted:
        content = parse_edit(form, game).edit(content)
    return content


def cards(content: DeckContent) -> dict[str, int]:
    """Line key ("deck kai") -> copies."""
    return {f"{entry.section} {entry.card.code}": entry.count for entry in content.deck}


@pytest.mark.parametrize(
    ("edit", "kai"), [("+1", 3), ("-1", 1), ("=4", 4), ("=0", None), ("-9", None), ("+97", 99)]
)
def test_a_button_changes_one_number(edit, kai):
    after = cards(changed(TWO, {"edit": f"{edit} deck kai"}))
    assert (after.get("deck kai"), after["deck termite"]) == (kai, 1)


def test_copies_are_moved_to_another_section():
    one, rest = ({"edit": f"move {number} bureau {AURA} to sideboard"} for number in ("1", "all"))
    aura = "3 Aura Of Invulnerability"
    assert cards(changed(aura, one, game=XFILES)) == {f"bureau {AURA}": 2, f"sideboard {AURA}": 1}
    assert cards(changed(aura, one, rest, game=XFILES)) == {f"sideboard {AURA}": 3}


@pytest.mark.parametrize(
    ("lines_before", "sideboard"),
    [
        ("", "TRU 2"),
        ("Bureau deck:\n1 First Aid (PRE) 2\nSideboard:\n1 First Aid (TRU) 2", "TRU 2 ×1, PRE 2 ×1"),
    ],
)
def test_moved_copies_keep_their_prints(lines_before, sideboard):
    before = [{"edit": "lines", "lines": lines_before}] if lines_before else []
    move = {"edit": "move 1 bureau first-aid to sideboard"}
    entries = changed(BUREAU, *before, move, game=XFILES).deck
    prints = {entry.section: str(entry.marks.prints) for entry in entries if entry.card.name == "First Aid"}
    assert prints == {"bureau": "TRU 2", "sideboard": sideboard}


def test_a_line_is_changed_as_a_whole():
    sent = {"section": "bureau", "code": AURA, "count": "3", "to": "sideboard"}
    marks = {"note": "for  duels", "tags": "flex, side", "keep": "1"}
    posted = {"edit": "line", **sent, **marks}
    (line,) = changed("1 Aura Of Invulnerability", posted, game=XFILES, format="contingency").deck
    assert (line.section, line.count) == ("sideboard", 3)
    assert (line.marks.note, line.marks.tags, line.marks.keep) == ("for duels", ("flex", "side"), True)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("2 kai", {"deck kai": 4}),
        ("-1 Kai", {"deck kai": 1}),
        ("−1 kai", {"deck kai": 1}),
        ("- 2x Kai", {"deck kai": None}),
        ("-Kai", {"deck kai": 1}),
        ("-9 Kai", {"deck kai": None}),
        ("-Deck: 1 Kai", {"deck kai": 1}),
        ("3 termitte", {"deck termite": 4}),
        ("-1 Termit", {"deck termite": None}),
        ("1 Doubel-Barrel", {"leaders double-barrel": 1}),
        ("Leaders: 1 Double-Barel", {"leaders double-barrel": 1}),
    ],
)
def test_a_typed_line_adds_copies_or_takes_them_out(line, after):
    wanted = {"deck kai": 2, "deck termite": 1} | after
    posted = {"edit": "add", "line": line}
    assert cards(changed(TWO, posted)) == {key: count for key, count in wanted.items() if count}


@pytest.mark.parametrize(
    ("marks", "stored"),
    [
        ("#blue", ("", ("blue",), False)),
        ("^keep", ("", (), True)),
        ("// for late game 5", ("for late game 5", (), False)),
    ],
)
def test_a_card_added_by_the_box_has_the_marks_typed_with_it(marks, stored):
    entry = changed(TWO, {"edit": "add", "q": f"2 bon {marks}"}).deck.entries[-1]
    assert (entry.card.code, entry.count) == ("bone", 2)
    assert (entry.marks.note, entry.marks.tags, entry.marks.keep) == stored


def test_a_card_that_the_catalogue_lacks_is_written_in_and_cannot_be_redefined():
    mercenary, add = "1 Mercenary | agent | power: 2", "2 Nightingale | agent | power: 3 | branches: tech"
    content = changed(mercenary, {"edit": "add", "line": add}, game=SPYNET)
    assert {entry.card.name: entry.count for entry in content.deck} == {"Mercenary": 1, "Nightingale": 2}
    with pytest.raises(Refused, match="give this one another name"):
        parse_edit({"edit": "add", "line": "1 Nightingale | agent | power: 5"}, SPYNET).edit(content)


LINE = {"edit": "line", "section": "deck", "code": "kai", "count": "1"}


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"edit": "+1 deck nobody"}, "has no card “nobody”"),
        ({"edit": "move 1 deck kai to vault"}, "no such section"),
        ({"edit": "move all deck nobody to leaders"}, "no such line any more"),
        ({"edit": "+98 deck kai"}, "That makes 100 copies of Kai"),
        ({"edit": "=100 deck kai"}, "Kai: a count is 0 to 99"),
        ({"edit": "conquer"}, "does not know"),
        ({"edit": "add", "line": ""}, "Write a card’s name"),
        ({"edit": "add", "line": "x" * 400}, "at most 300 characters"),
        ({"edit": "add", "line": "-1 Bone"}, "The deck has no Bone to take out"),
        ({"edit": "add", "line": "Leaders: 0 Groundfir"}, "a count is 1 to 99"),
        ({"edit": "add", "q": f'2 Termitte #"{"x" * 60}"'}, "A tag has at most 40"),
        ({"edit": "format", "format": "blitz"}, "no such format"),
        (LINE | {"count": "many"}, "a whole number from 0 to 99, not “many”"),
        (LINE | {"code": "glock-17"}, "no such line any more"),
        (LINE | {"note": "x" * 301}, "at most 300 characters"),
        (LINE | {"print": "ABC 9"}, "Kai has no print “ABC 9”"),
        (LINE | {"copies-of EA 1": "many"}, "The copies of a print must be a whole number"),
        ({"edit": "lines", "lines": "Leaders:\n"}, "name no card"),
        ({"edit": "lines", "lines": "1 Termitte"}, r"Did you mean Termite\?"),
    ],
)
def test_an_impossible_edit_is_refused_with_its_reason(posted, message):
    with pytest.raises(Refused, match=message):
        changed(TWO, posted)


def test_several_lines_are_added_as_one_change():
    lines = "Leaders:\n1 Groundfire\n\nDeck:\n2 Kai # for duels\n3x Bone"
    after = cards(changed(TWO, {"edit": "lines", "lines": lines}))
    assert after == {"deck kai": 4, "deck termite": 1, "leaders groundfire": 1, "deck bone": 3}


# -- prints -----------------------------------------------------------------------------


def first_aid(*posted: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """(prints, tags) of the line of First Aid in the deck BUREAU, after these forms were posted."""
    entries = changed(BUREAU, *posted, game=XFILES).deck
    marks = next(entry.marks for entry in entries if entry.card.code == "first-aid")
    return str(marks.prints), marks.tags


def line(count, **more) -> dict[str, str]:
    sent = {"edit": "line", "section": "bureau", "code": "first-aid", "count": str(count), "tags": "blue"}
    return sent | more


def add(text) -> dict[str, str]:
    return {"edit": "add", "line": text}


FEWER = {"edit": "-1 bureau first-aid"}


@pytest.mark.parametrize(
    ("posted", "prints"),
    [
        ([], "TRU 2"),
        ([line(2, print="PRE 2")], "PRE 2"),
        ([line(2, print="PRE 2"), line(2)], "PRE 2"),
        ([line(2, print="")], ""),
        ([add("1 First Aid")], "TRU 2"),
        ([add("1 First Aid (PRE) 2")], "TRU 2 ×2, PRE 2 ×1"),
        ([add("1 First Aid (PRE) 2"), add("-2 First Aid (TRU) 2")], "PRE 2"),
        ([add("1 First Aid (PRE) 2"), add("1 First Aid")], "TRU 2 ×2, PRE 2 ×1"),
        ([add("1 First Aid (PRE) 2"), FEWER], "TRU 2"),
        ([line(3) | {"copies-of TRU 2": "2", "copies-of PRE 2": "0"}], "TRU 2"),
        ([line(3) | {"copies-of TRU 2": "1", "copies-of PRE 2": "1"}], "TRU 2 ×1, PRE 2 ×1"),
    ],
)
def test_a_line_has_the_prints_that_were_asked_for_last(posted, prints):
    assert first_aid(*posted) == (prints, ("blue",))


def test_a_line_cannot_have_more_prints_than_copies():
    with pytest.raises(Refused, match="First Aid: 3 copies have a print, and the line has 2"):
        first_aid(line(2) | {"copies-of TRU 2": "3", "copies-of PRE 2": "0"})


# -- every name of every game -------------------------------------------------------------


def empty(game: Game) -> DeckContent:
    return DeckContent(Decklist(name="Any"), game.formats[0].slug)


def after_line(content: DeckContent, game: Game, line) -> dict[str, int]:
    after = parse_edit(add(line), game).edit(content)
    return {entry.card.code: entry.count for entry in after.deck}


def deck_cards(game: Game) -> list[Card]:
    return [card for card in game.cards if game.type_named(card.type).in_decks]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_card_is_added_and_taken_out_by_its_name(game):
    content, index, refused = empty(game), game.name_index, []
    for card in deck_cards(game):
        label = index.label(card)
        two = parse_edit(add(f"2 {label}"), game).edit(content)
        for before, line, wanted in (
            (content, label, 1),
            (content, f"3x {label}", 3),
            (two, f"-1 {label}", 1),
            (two, f"- {label}", 1),
        ):
            try:
                if after_line(before, game, line) != {card.code: wanted}:
                    refused.append(line)
            except LineNotRead:
                refused.append(line)
    assert refused == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_line_offered_for_the_beginning_of_a_name_adds_the_offered_card(game):
    content = empty(game)
    for card in deck_cards(game):
        offer = offer_in(game, f"1 {card.name[:12]}")
        assert offer is None or after_line(content, game, offer.line) == {offer.card.code: 1}
