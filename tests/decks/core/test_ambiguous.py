"""Lists with ambiguous lines, such as the name of several cards, are judged by every reading."""

from dataclasses import replace

import pytest

from decks.core.ambiguous import MAX_READINGS
from decks.core.judging import Judged, judge_reading
from decks.importing.file_import import judge_sent
from tests.support.commands import run
from tests.support.made_decks import starter
from tests.support.pages import page_of

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


def test_many_readings_that_make_a_list_legal_are_counted():
    text = with_lines(f"2 {LABELS[0]}", f"1 {SMOKE}")
    judged = judge(text)
    assert judged.verdict == "undecided"
    assert judged.readings
    four_legal = f"Legal by 4 of the 5 cards that line {line_of(text)} may mean, not by the others."
    assert judged.readings.words == four_legal
    # Two copies of the first card are in the deck already.
    assert judged.unread[0].outcomes == ("not legal", "legal", "legal", "legal", "legal")


def test_the_only_reading_that_makes_a_list_legal_is_named():
    text = with_lines(*(f"2 {label}" for label in LABELS[:4]), f"1 {SMOKE}")
    readings = judge(text).readings
    assert readings
    assert readings.words == f"Legal if line {line_of(text)} is {LABELS[4]}, not otherwise."


def test_a_list_illegal_by_every_reading_shows_only_shared_violations():
    judged = judge(with_lines("3 Car Troubles", f"1 {SMOKE}"))
    assert judged.verdict == "illegal"
    assert judged.readings
    assert judged.readings.words.startswith("Not legal whichever card line ")
    assert all(SMOKE not in " ".join(view.violation.cards) for view in judged.violation_views())


def test_two_ambiguous_lines_are_judged_together():
    two = judge(with_lines(f"2 {SMOKE}", f"1 {SMOKE}"))
    assert two.readings
    assert two.readings.total == 25
    assert two.verdict == "undecided"
    # Not legal are the five readings by which both lines mean the same card: three copies of it.
    assert two.readings.words.startswith("Legal by 20 of 25 readings: for example if line ")


def test_too_many_readings_are_not_judged():
    many = judge(with_lines(*[f"1 {SMOKE}"] * 3_000))
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
    assert "Every other line keeps the rules." in shown.text
    assert "(not legal)" in shown.text
    press = shown.one("button", value=f"{number}:{LABELS[1]}")
    settled = page_of(client.post("/check/", asked | {press["name"]: press["value"]}))
    assert "It keeps every rule of Advanced." in settled.text
