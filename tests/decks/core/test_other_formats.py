"""The format a list is judged by: what it states decides; where another format says otherwise, the verdict
opens with that.
"""

from __future__ import annotations

from collections import Counter

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game, Starter
from decks.core.judging import Judged
from decks.importing.file_import import judge_sent
from tests.cardsdb.games.kit.listtext.test_guess import IDS, STARTERS, without_comments

MISSIONS = games()["spycraft"].cards


def judge(text: str, game: str = "", format: str = "", house: str = "") -> Judged:
    return judge_sent(text.encode(), game, format, house).judged


def missions(*counts: tuple[str, int]) -> str:
    """So many missions of each set, each once."""
    left, lines = Counter(dict(counts)), []
    for card in MISSIONS:
        if card.type == "mission" and left[card.prints[0].set] > 0:
            left[card.prints[0].set] -= 1
            lines.append(f"1 {card.name}\n")
    return "".join(lines)


@pytest.mark.parametrize(("game", "starter"), STARTERS, ids=IDS)
def test_no_ready_deck_is_called_less_than_it_is(game: Game, starter: Starter) -> None:
    """The table over all decks that are ours, with and without what they say of their format."""
    for text in (starter.text, without_comments(starter.text)):
        judged = judge(text, game.slug)
        formats = {other.format.slug: other.report.verdict for other in judged.in_other_formats()}
        fitting = {format.slug for format in judged.game.fitting_formats(judged.deck)}
        legal = [slug for slug, verdict in formats.items() if slug in fitting and verdict == "legal"]
        assert judged.verdict == "legal" or not legal or judged.opening.startswith("Legal as ")
        assert judged.format.slug == starter.format or text is not starter.text


def test_a_stated_format_decides_and_the_one_that_would_do_is_said_first() -> None:
    pack = next(
        starter.text for starter in games()["xfiles"].starters if starter.slug == "pack-premiere-mulder"
    )
    judged = judge(pack)
    assert (judged.format.slug, judged.verdict) == ("advanced", "incomplete")
    assert judged.opening.startswith("Legal as Basic. As Advanced it is incomplete: ")
    assert judged.as_json()["legal_elsewhere"] == "basic" and judged.as_json()["opening"] == judged.opening


def test_a_lax_format_is_never_taken_in_silence() -> None:
    judged = judge(missions(("ON", 23), ("EA", 1)))
    assert (judged.format.slug, judged.verdict) == ("mission-free", "legal")
    assert judged.opening.startswith(
        "Legal as Mission Deck: any 24. As Mission Deck: base set it is not legal: "
    )


def test_an_official_format_is_named_before_a_fan_format() -> None:
    judged = judge(missions(("ON", 24)), format="mission-newest", game="spycraft")
    assert judged.opening.startswith("Legal as Mission Deck: base set. ")


def test_a_list_that_is_legal_as_what_it_says_opens_with_nothing() -> None:
    assert judge(missions(("ON", 24))).opening == ""
    assert judge(f"// format: mission-free\n{missions(('ON', 24))}").opening == ""


def test_house_rules_that_alone_are_broken_are_said() -> None:
    judged = judge(missions(("ON", 24)), "spycraft", "mission-base", "MD-1.exactly=20")
    assert judged.opening.startswith("Legal as Mission Deck: base set without house rules. ")


def test_a_list_with_unread_lines_is_legal_nowhere() -> None:
    assert judge(missions(("ON", 24)) + "1 Nobody At All\n", format="mission-newest").opening == ""


def test_a_list_with_a_line_that_nobody_can_read_is_legal_in_no_format() -> None:
    whole, unread = (
        judge(missions(("ON", 24)) + more, format="mission-newest", game="spycraft")
        for more in ("", "2 Nobody At All\n")
    )
    assert whole.legal_elsewhere and unread.legal_elsewhere is None
