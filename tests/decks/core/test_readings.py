"""A line that names several cards is judged by every reading: the same either way, or by which reading it is
legal.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from cardsdb.games import games
from decks.core import used_format as readings
from decks.core.judging import Judged, judge_reading
from decks.core.used_format import MAX_READINGS
from decks.importing.file_import import judge_sent

XFILES = games()["xfiles"]
DECK = next(starter.text for starter in XFILES.starters if starter.slug == "deck-mulder")
SMOKE = "Smoke & Mirrors"
LABELS = [f"{SMOKE} (PRO) 6-SC{number}" for number in range(1, 6)]


def judge(text: str, game: str = "") -> Judged:
    return judge_sent(text.encode(), game).judged


def with_lines(*lines: str) -> str:
    return f"{DECK.rstrip()}\n\nBureau deck:\n" + "\n".join(lines) + "\n"


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if line == words)


def test_a_list_that_is_legal_by_every_reading_is_legal_and_says_so() -> None:
    text = with_lines(f"1 {SMOKE}")
    judged = judge(text)
    (unread,) = judged.unread
    assert (
        judged.verdict == "legal"
        and judged.as_json()["readings"] == f"Legal whichever card line {unread.line} means."
    )
    assert unread.offered == tuple((label, "legal") for label in LABELS)
    assert not judged.is_repairable


def test_its_numbers_count_the_line() -> None:
    judged, without = judge(with_lines(f"1 {SMOKE}")), judge(DECK)
    (more,) = {m.found for m in judged.meters() if m.least == 60}
    assert {m.found for m in without.meters() if m.least == 60} == {more - 1}


def test_the_reading_by_which_a_list_is_legal_is_named() -> None:
    text = with_lines(f"2 {LABELS[0]}", f"1 {SMOKE}")
    judged = judge(text)
    number = line_of(text, f"1 {SMOKE}")
    assert judged.verdict == "undecided" and judged.readings
    assert (
        judged.readings.words == f"Legal by 4 of the 5 cards that line {number} may mean, not by the others."
    )
    assert judged.unread[0].outcomes == ("not legal", "legal", "legal", "legal", "legal")


def test_one_or_two_cards_by_which_it_is_legal_are_named() -> None:
    text = with_lines(*(f"2 {label}" for label in LABELS[:4]), f"1 {SMOKE}")
    judged = judge(text)
    assert (
        judged.readings
        and judged.readings.words
        == f"Legal if line {line_of(text, f'1 {SMOKE}')} is {LABELS[4]}, not otherwise."
    )


def test_a_list_that_is_wrong_by_every_reading_is_not_legal_for_what_is_wrong_by_all() -> None:
    judged = judge(with_lines("3 Car Troubles", f"1 {SMOKE}"))
    assert (
        judged.verdict == "illegal"
        and judged.readings
        and judged.readings.words.startswith("Not legal whichever card line ")
    )
    assert all(SMOKE not in " ".join(view.violation.cards) for view in judged.violation_views())


def test_two_such_lines_are_judged_together_and_more_are_told_apart_first() -> None:
    two = judge(with_lines(f"2 {SMOKE}", f"1 {SMOKE}"))
    assert two.readings and two.readings.total == 25 and two.verdict == "undecided"
    assert two.readings.words.startswith("Legal by 20 of 25 readings: for example if line ")
    many = judge(with_lines(*[f"1 {SMOKE}"] * 3_000))
    assert many.verdict == "undecided" and many.readings and not many.readings.cases
    assert f"more than {MAX_READINGS} ways" in many.readings.words


def test_what_is_not_judged_has_no_verdicts_of_an_earlier_judging(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = judge(with_lines(f"1 {SMOKE}"))
    assert judged.reading and judged.unread[0].outcomes
    monkeypatch.setattr(readings, "MAX_READINGS", 4)
    again = judge_reading(judged.game, judged.reading, judged.format)
    assert again.unread[0].outcomes == ()


def test_another_unread_line_leaves_the_list_undecided() -> None:
    judged = judge(with_lines(f"1 {SMOKE}", "1 Nobody At All"))
    assert (judged.verdict, len(judged.unread)) == ("undecided", 2)


def test_a_heading_decides_between_cards_of_two_types() -> None:
    assert not judge("Agents:\n1 Tracer\n", "spycraft").unread
    both = judge("1 Tracer\n", "spycraft")
    assert both.readings and both.readings.words.startswith("Incomplete whichever card line 1 means")


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_the_page_says_it_and_one_press_settles_the_line(client: Client) -> None:
    text = with_lines(f"2 {LABELS[0]}", f"1 {SMOKE}")
    number = line_of(text, f"1 {SMOKE}")
    shown = client.post("/check/", {"text": text, "game": "xfiles"}).content.decode()
    assert (
        f"Legal by 4 of the 5 cards that line {number} may mean" in shown
        and "Every other line keeps the rules." in shown
    )
    assert (
        f'value="{number}:Smoke &amp; Mirrors (PRO) 6-SC2"' in shown
        and '<span class="hint">(not legal)</span>' in shown
    )
    settled = client.post(
        "/check/", {"text": text, "game": "xfiles", "correct": f"{number}:{LABELS[1]}"}
    ).content.decode()
    assert "It keeps every rule of Advanced." in settled


def test_the_command_line_says_it(tmp_path: Path) -> None:
    def told(*options: str) -> tuple[str, Any]:
        out = io.StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("check_deck", str(path), *options, stdout=out)
        return out.getvalue(), ended.value.code

    path = tmp_path / "list.txt"
    path.write_text(with_lines(f"1 {SMOKE}"))
    words, code = told()
    assert code == 0 and words.startswith("Legal whichever card line ") and f"{LABELS[0]} (legal)" in words
    assert json.loads(told("--json")[0])["unread"][0]["outcomes"] == ["legal"] * 5
