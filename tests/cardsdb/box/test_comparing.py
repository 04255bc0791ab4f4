"""Comparing a package with the catalogue and a box; problems are reported with their place."""

from collections.abc import Mapping
from typing import Any

import pytest

from cardsdb.box import comparing
from cardsdb.box.comparing import Report, compare, likely_game
from cardsdb.box.reading.rows import changed, guessed
from cardsdb.box.taking_in import add
from cardsdb.box.texts import as_table, box_of, contents, texts_of
from cardsdb.games import games
from cardsdb.games.kit import FolderError
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText
from tests.support.packages import octgn_set, package

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
ADA = Viewer(browser="ada's")
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:20]
SKILLED = [card for card in SPYCRAFT.cards if isinstance(card.facts.get("craft"), int)][:2]


def compared(data: bytes, name: str = "mine.csv", choices: Mapping[str, str] | None = None) -> Report:
    sent = package(data, name)
    columns = changed(guessed(sent, SPYCRAFT), choices or {}, SPYCRAFT)
    return compare(sent, SPYCRAFT, columns, OwnBox.objects.of(ADA).first())


def counts(found: Report) -> tuple[int, int, int]:
    """Return the numbers of cards with an added, a changed and an unchanged text."""
    return len(found.added), len(found.changed), len(found.unchanged)


def bring(data: bytes, name: str = "mine.csv") -> tuple[int, int, int]:
    """Compare a file and write its texts into the box; return the ``counts``."""
    found = compared(data, name)
    add(found, box_of(ADA))
    return counts(found)


def problems(found: Report) -> list[tuple[int, str, str]]:
    """Return (row, column, reason) of each problem."""
    return [(problem.row, problem.column, problem.reason) for problem in found.not_understood]


# -- texts -----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_second_run_changes_nothing_and_a_changed_text_is_one_change():
    words = [(card, f"Invented {number}.") for number, card in enumerate(CARDS)]
    assert counts(compared(octgn_set(words), "set.xml")) == (20, 0, 0) and not OwnBox.objects.exists()
    assert bring(octgn_set(words), "set.xml") == (20, 0, 0)
    state = OwnBox.objects.get().state
    assert bring(octgn_set(words), "set.xml") == (0, 0, 20)
    assert OwnBox.objects.get().state == state
    words[0] = (CARDS[0], "Other words.")
    assert bring(octgn_set(words), "set.xml") == (0, 1, 19)
    assert texts_of(ADA, SPYCRAFT)[CARDS[0].code] == "Other words."
    assert OwnText.objects.filter(source="set.xml").count() == 20


def test_the_report_counts_how_cards_were_found_and_says_what_was_not_understood():
    # Only the first 300 characters of a set's name are read.
    found = compared(b"name,set,text\nKai,,a\nTracer,%s,b\nNobody Knows,,c\n,,d\n" % (b"a" * 15_000))
    assert found.open[0].stated.set == "a" * 300
    report = found.as_json()
    assert (report["added"], report["cards_with_text"], report["found_by"]["name"]) == (1, 1, 1)
    (row, _, several), (next_row, _, none), (last, _, _) = problems(found)
    assert (row, next_row, last) == (3, 4, 5)
    assert "may be Tracer" in several and "no card of this game" in none


def test_of_two_prints_with_text_the_later_counts():
    card = next(card for card in XFILES.cards if len([print_ for print_ in card.prints if print_.code]) > 1)
    early, late = (print_.code for print_ in card.prints[:2])
    for order in ((early, late), (late, early)):
        sent = package("\n".join(["id,text", *(f"{code},of {code}" for code in order)]).encode())
        found = compare(sent, XFILES, guessed(sent, XFILES), None)
        assert (found.texts[card.code].text, found.several) == (f"of {late}", 1)


def test_an_exported_table_can_be_uploaded_again_unchanged():
    codes = [card.code for card in SKILLED]
    bring('id,text,craft\n{},\'+2 Craft,99\n{},"a, b\nc",\n'.format(*codes).encode())
    assert texts_of(ADA, SPYCRAFT)[codes[0]] == "+2 Craft"
    table = "".join(as_table(box_of(ADA), "spycraft")).encode()
    assert bring(table) == (0, 0, 2)
    assert [(content.game, content.texts, content.facts) for content in contents([box_of(ADA)])] == [
        ("spycraft", 2, 1)
    ]


# -- facts -----------------------------------------------------------------------------


def test_differing_facts_are_kept_and_columns_absent_from_a_file_stay_as_they_were():
    card = SKILLED[0]
    craft = card.facts["craft"]
    bring(f"id,text,craft,combat\n{card.code},Words.,99,N/A\n".encode())
    assert OwnText.objects.get().facts == {"craft": "99"}
    for unchanged in (f"id,text\n{card.code},Words.\n", f"id,text,craft\n{card.code},,99\n"):
        assert bring(unchanged.encode()) == (0, 0, 1)
    found = compared(f"id,text,craft\n{card.code},Words.,{craft}\n".encode())
    assert found.texts[card.code].facts == {} and counts(found) == (0, 1, 0)


def test_words_in_place_of_a_number_are_a_problem_only_if_the_catalogue_has_no_number():
    with_craft = f"id,craft\n{SKILLED[0].code},many?\n".encode()
    assert problems(compared(with_craft)) == []
    ((row, column, reason),) = problems(compared(b"id,objective_value\nacrobatic-escape,many?\n"))
    assert (row, column) == (2, "objective_value") and reason.endswith("is no number: “many?”.")


# -- games -----------------------------------------------------------------------------


@pytest.mark.parametrize("called", ["xfiles", "THE X-FILES CCG"])
def test_a_row_whose_column_names_another_game_is_passed_over_and_says_so(called):
    """Other games may have a card of the same name."""
    found = compared(f"game,name,text\nspycraft,Kai,a\n{called},Tokyo,b\nchess,Termite,c\n,Bait,d\n".encode())
    assert set(found.texts) == {"kai", "termite", "bait"}
    ((row, column, reason),) = problems(found)
    assert (row, column) == (3, "game")
    assert "of The X-Files CCG" in reason and "choose that game" in reason


def test_the_game_of_a_file_is_that_which_most_rows_name_or_whose_cards_they_are():
    name = min({card.name for card in SPYCRAFT.cards} & {card.name for card in XFILES.cards})
    for sent, slug in (
        (package(f"game,name,text\nspycraft,{name},a\n".encode()), "spycraft"),
        (package(f"game,name,text\nxfiles,{name},a\n".encode()), "xfiles"),
        (package(octgn_set([(card, "Words.") for card in CARDS]), "set.xml"), "spycraft"),
    ):
        found = likely_game(sent)
        assert found and found.slug == slug
    assert likely_game(package(b"name,text\nNobody Knows,a\n")) is None


def test_the_game_of_a_file_is_found_past_a_game_with_faults(monkeypatch):
    class FaultyMatcher(comparing.Matcher):
        def __init__(self, game: Any) -> None:
            if game.slug == "agentdecker":
                raise FolderError("cards.csv: line 2 is no row")
            super().__init__(game)

    monkeypatch.setattr(comparing, "Matcher", FaultyMatcher)
    found = likely_game(package(octgn_set([(card, "Words.") for card in CARDS]), "set.xml"))
    assert found and found.slug == "spycraft"
