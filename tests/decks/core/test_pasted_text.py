"""Pasted lists: names suggested for misspelt lines, comments of a list put into the notes, and lists with
ambiguous lines, such as the name of several cards, which are judged by every reading.
"""

from dataclasses import replace

import pytest

from cardsdb.games import games
from decks.core.judging import Judged, judge_reading
from decks.core.pasted_text import MAX_READINGS, MAX_SUGGESTED, read_text, with_comments
from decks.importing.file_import import judge_sent
from tests.support.commands import run
from tests.support.made_decks import starter
from tests.support.pages import page_of

SKINNER = "Assistant Director Walter Skinner"


@pytest.mark.parametrize(
    ("game", "line", "suggested", "likely"),
    [
        ("xfiles", "2 Blevins", ("Section Chief Scott Blevins",), "Section Chief Scott Blevins"),
        # A name like it as a whole, Sharon Skinner, is not meant by a part of a longer one.
        ("xfiles", "Walter Skinner", (SKINNER,), SKINNER),
        ("xfiles", "2 Ellens Air Base", ("Ellens Air Base, ID",), "Ellens Air Base, ID"),
        ("spycraft", "2 Tracr", ("Tracer (ON)", "Tracer (ML)"), ""),
    ],
)
def test_a_sole_suggestion_is_likely_and_cards_of_one_name_are_all_suggested(game, line, suggested, likely):
    (unread,) = read_text(games()[game], line).unread
    assert (unread.suggestions[: len(suggested)], unread.likely) == (suggested, likely)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("2 termit (ON) 12", "Termite"),
        ("3x dr. skipjback #blue", "Dr. Skipjack"),
    ],
)
def test_a_misspelt_name_is_found_whatever_follows_it(line, name):
    reading = read_text(games()["spycraft"], f"1 Kai\n{line}")
    assert reading.unread[0].suggestions[0].casefold() == name.casefold()


def test_only_the_first_misspelt_lines_get_suggestions():
    reading = read_text(games()["spycraft"], "\n".join(["1 Termit"] * (MAX_SUGGESTED + 1)))
    assert [bool(line.suggestions) for line in reading.unread] == [True] * MAX_SUGGESTED + [False]


def test_a_comment_that_the_notes_have_already_is_not_added_again():
    reading = read_text(games()["spycraft"], "// name: A\n// First\n// Second\n1 Kai\n")
    assert with_comments("First", reading) == "First\nSecond"


# -- lines that several cards fit --------------------------------------------------------

# The name of five cards of one set, and their labels, by which a line names one of them.
SMOKE = "Smoke & Mirrors"
LABELS = [f"{SMOKE} (PRO) 6-SC{number}" for number in range(1, 6)]
# A legal deck without any of them. It may hold two copies of a card.
DECK = starter("xfiles", "deck-mulder")


def judge(text: str, game: str = "") -> Judged:
    return judge_sent(text.encode(), game).judged


def with_lines(*lines: str) -> str:
    """The starter with these lines added to its Bureau deck."""
    return f"{DECK.rstrip()}\n\nBureau deck:\n" + "\n".join(lines) + "\n"


def line_of(text: str, words: str = f"1 {SMOKE}") -> int:
    """The number of the line that reads like this."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if line == words)


def test_a_list_legal_by_every_reading_is_legal():
    judged = judge(with_lines(f"1 {SMOKE}"))
    (unread,) = judged.unread
    assert judged.verdict == "legal"
    assert not judged.is_repairable
    assert judged.as_json()["readings"] == f"Legal whichever card line {unread.line} means."
    assert unread.offered == tuple((label, "legal") for label in LABELS)
    assert judged.as_json()["unread"][0]["outcomes"] == ["legal"] * len(LABELS)


def test_the_command_tells_the_outcomes_of_an_ambiguous_line(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(with_lines(f"1 {SMOKE}"))
    status, out, _ = run("check_deck", str(path))
    assert status == 0
    assert out.startswith("Legal whichever card line ")
    assert f"{LABELS[0]} (legal)" in out


def test_an_ambiguous_line_counts_in_the_meters():
    judged, without = judge(with_lines(f"1 {SMOKE}")), judge(DECK)
    (more,) = {m.found for m in judged.meters() if m.least == 60}
    assert {m.found for m in without.meters() if m.least == 60} == {more - 1}


@pytest.mark.parametrize(
    ("lines", "verdict", "words"),
    [
        (
            [f"2 {LABELS[0]}", f"1 {SMOKE}"],
            "undecided",
            "Legal by 4 of the 5 cards that line {} may mean, not by the others.",
        ),
        (
            [*(f"2 {label}" for label in LABELS[:4]), f"1 {SMOKE}"],
            "undecided",
            f"Legal if line {{}} is {LABELS[4]}, not otherwise.",
        ),
        # Not legal are the five readings by which both lines mean the same card: three copies of it.
        ([f"2 {SMOKE}", f"1 {SMOKE}"], "undecided", "Legal by 20 of 25 readings: for example if line "),
        (["3 Car Troubles", f"1 {SMOKE}"], "illegal", "Not legal whichever card line {} means"),
    ],
    ids=["most are legal", "one is legal", "two lines", "none is legal"],
)
def test_the_readings_of_a_line_are_judged_and_told(lines, verdict, words):
    text = with_lines(*lines)
    judged = judge(text)
    assert judged.readings
    assert judged.readings.words.startswith(words.format(line_of(text)))
    assert judged.verdict == verdict
    # What only some readings break is no violation of the list.
    assert all(SMOKE not in " ".join(view.violation.cards) for view in judged.violation_views())


def test_too_many_readings_are_not_judged():
    many = judge(with_lines(*[f"1 {SMOKE}"] * 100))
    assert many.verdict == "undecided"
    assert many.readings
    assert not many.readings.cases
    assert not many.readings.is_settled
    assert f"more than {MAX_READINGS} ways" in many.readings.words


def test_outcomes_of_an_earlier_judgement_are_cleared():
    judged = judge(with_lines(f"1 {SMOKE}"))
    assert judged.unread[0].outcomes
    # Twelve lines of five cards each have more readings than are judged.
    too_many = replace(judged.reading, unread=judged.unread * 12)
    assert judge_reading(judged.game, too_many, judged.format).unread[0].outcomes == ()


def test_an_unknown_card_beside_an_ambiguous_line_leaves_the_list_undecided():
    judged = judge(with_lines(f"1 {SMOKE}", "1 Nobody At All"))
    assert (judged.verdict, len(judged.unread)) == ("undecided", 2)


def test_a_heading_decides_between_cards_of_two_types():
    assert not judge("Agents:\n1 Tracer\n", "spycraft").unread
    ambiguous = judge("1 Tracer\n", "spycraft").readings
    assert ambiguous
    assert ambiguous.words.startswith("Incomplete whichever card line 1 means")


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_the_page_shows_the_outcomes_and_a_button_chooses_the_card(client):
    text = with_lines(f"2 {LABELS[0]}", f"1 {SMOKE}")
    asked, number = {"text": text, "game": "xfiles"}, line_of(text)
    shown = page_of(client.post("/check/", asked))
    assert f"Legal by 4 of the 5 cards that line {number} may mean" in shown.text
    assert "(not legal)" in shown.text
    press = shown.one("button", value=f"{number}:{LABELS[1]}")
    settled = page_of(client.post("/check/", asked | {press["name"]: press["value"]}))
    assert "It keeps every rule of Advanced." in settled.text
