"""The format a list is judged by: what it states decides; where another format says otherwise, the verdict
opens with that.
"""

from __future__ import annotations

from collections import Counter

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game, Starter
from cardsdb.games.kit.complete.search import proposals
from cardsdb.games.kit.repair.search import smallest_repairs
from decks.core.judging import Judged
from decks.core.judging import judge as judge_stored
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
    pack = next(one.text for one in games()["xfiles"].starters if one.slug == "pack-second-edition-1")
    judged = judge(pack.replace("format: basic", "format: advanced"))
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


# -- two decks in one list ---------------------------------------------------------------

AGENCY, MISSION_DECK = (
    without_comments(next(one.text for one in games()["spycraft"].starters if one.slug == slug))
    for slug in ("banshee-net", "mission-deck-base")
)


@pytest.mark.parametrize("heading", ["Missions:\n", "Deck:\n", ""])
def test_the_missions_of_a_mission_deck_beside_an_agency_deck_are_a_deck_of_their_own(heading: str) -> None:
    judged = judge(f"{AGENCY}\n{heading}{missions(('ON', 24))}", "spycraft", "agency")
    assert (judged.verdict, len(judged.deck.of_type("mission"))) == ("legal", 24)
    (notice,) = judged.notices
    assert notice.message.startswith("24 cards are a deck of their own, legal as Mission Deck: base set.")
    assert judged.as_json()["notices"][0]["where"] == "the list"


def test_the_same_list_read_as_the_other_format_is_the_other_deck() -> None:
    judged = judge(f"{AGENCY}\n{MISSION_DECK}", "spycraft", "mission-base")
    assert judged.verdict == "legal" and "legal as Agency Deck" in judged.notices[0].message


@pytest.mark.parametrize("missing", [0, 1])
def test_a_deck_that_is_stored_with_a_mission_deck_is_judged_without_it(missing: int) -> None:
    deck = judge(f"{AGENCY}\n{missions(('ON', 24 - missing))}", "spycraft", "agency").deck
    judged = judge_stored(games()["spycraft"], deck, games()["spycraft"].formats_by_slug["agency"])
    assert (judged.verdict, len(judged.notices)) == (("illegal", 0) if missing else ("legal", 1))


def test_neither_a_repair_nor_a_completion_takes_out_a_deck_apart() -> None:
    game = games()["spycraft"]
    format, lines = game.formats_by_slug["agency"], AGENCY.splitlines()
    deck = judge("\n".join([*lines[:-4], missions(("ON", 24))]), "spycraft", "agency").deck
    (repair, *_), (one, *_) = (
        smallest_repairs(game, deck, format),
        proposals(game, deck, format, "lot"),
    )
    assert (repair.verdict, min(change.by for change in repair.changes)) == ("legal", 1)
    assert (one.report.verdict, one.removed) == ("legal", ())


@pytest.mark.parametrize(
    "more",
    [missions(("ON", 23)), missions(("ON", 24), ("EA", 1)), missions(("ON", 23)) + missions(("ON", 1))],
    ids=["23 missions", "25 missions", "a mission twice"],
)
def test_missions_that_are_no_deck_stay_in_the_list_as_what_is_wrong_with_it(more: str) -> None:
    judged = judge(f"{AGENCY}\nMissions:\n{more}", "spycraft", "agency")
    assert judged.report.codes()[:1] == ("AG-1",) and not judged.notices
    assert sum(entry.count for entry in judged.deck.of_type("mission")) == len(more.splitlines())


def test_a_mission_deck_alone_is_no_deck_apart() -> None:
    judged = judge(MISSION_DECK, "spycraft", "agency")
    assert judged.deck.size == 24 and not judged.notices
    assert judged.opening.startswith("Legal as Mission Deck: base set. As Agency Deck it is not legal: ")


def test_a_card_of_which_only_the_name_is_known_stays_in_the_deck() -> None:
    judged = judge(f"{AGENCY}\n1 Who Is This | unknown\n{MISSION_DECK}", "spycraft", "agency")
    assert (judged.verdict, len(judged.notices)) == ("undecided", 1)
    assert [entry.card.name for entry in judged.deck.of_type("")] == ["Who Is This"]
