"""The format that a list is judged by: the stated one decides, and the verdict opens with another format that
says otherwise; a legal deck beside the deck does not count.
"""

from collections import Counter

import pytest

from cardsdb.games import games
from cardsdb.games.kit.complete.search import proposals
from cardsdb.games.kit.repair.search import smallest_repairs
from decks.core.judging import Judged
from decks.importing.file_import import judge_sent
from tests.support.made_decks import starter

MISSIONS = games()["spycraft"].cards
STARTERS = [(game, starter) for game in games().values() for starter in game.starters]


def without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("//"))


def judge(text: str, game: str = "", format: str = "", house: str = "") -> Judged:
    return judge_sent(text.encode(), game, format, house).judged


def missions(*counts: tuple[str, int]) -> str:
    """A list with this number of missions of each set, each once: ``missions(("ON", 23), ("EA", 1))``. A
    mission deck has 24; those of the set ON make a deck of the base set.
    """
    left, lines = Counter(dict(counts)), []
    for card in MISSIONS:
        if card.type == "mission" and left[card.prints[0].set] > 0:
            left[card.prints[0].set] -= 1
            lines.append(f"1 {card.name}\n")
    return "".join(lines)


@pytest.mark.parametrize(("game", "starter"), STARTERS, ids=lambda value: value.slug)
def test_every_starter_is_legal_or_told_in_which_format_it_is(game, starter):
    """With and without the comments in which a starter states its format."""
    assert judge(starter.text, game.slug).format.slug == starter.format
    for text in (starter.text, without_comments(starter.text)):
        judged = judge(text, game.slug)
        fitting = {format.slug for format in judged.game.fitting_formats(judged.deck)}
        legal_as = {
            other.format.slug for other in judged.in_other_formats() if other.report.verdict == "legal"
        }
        if judged.verdict != "legal" and legal_as & fitting:
            assert judged.opening.startswith("Legal as ")


def test_the_stated_format_decides_and_a_format_that_fits_is_named_first():
    judged = judge(starter("xfiles", "pack-second-edition-1").replace("format: basic", "format: advanced"))
    assert (judged.format.slug, judged.verdict) == ("advanced", "incomplete")
    assert judged.opening.startswith("Legal as Basic. As Advanced it is incomplete: ")
    assert judged.as_json()["legal_elsewhere"] == "basic"
    assert judged.as_json()["opening"] == judged.opening


def test_a_guessed_lax_format_is_shown_with_the_stricter_one():
    judged = judge(missions(("ON", 23), ("EA", 1)))
    assert (judged.format.slug, judged.verdict) == ("mission-free", "legal")
    assert judged.opening.startswith(
        "Legal as Mission Deck: any 24. As Mission Deck: base set it is not legal: "
    )


def test_an_official_format_is_named_before_a_fan_format():
    judged = judge(missions(("ON", 24)), format="mission-newest", game="spycraft")
    assert judged.opening.startswith("Legal as Mission Deck: base set. ")


def test_a_list_that_is_legal_in_its_format_has_no_opening_sentence():
    assert judge(missions(("ON", 24))).opening == ""
    assert judge(f"// format: mission-free\n{missions(('ON', 24))}").opening == ""


def test_a_deck_that_breaks_only_house_rules_is_called_legal_without_them():
    judged = judge(missions(("ON", 24)), "spycraft", "mission-base", "MD-1.exactly=20")
    assert judged.opening.startswith("Legal as Mission Deck: base set without house rules. ")


def test_a_list_with_an_unread_line_is_legal_in_no_format():
    text = missions(("ON", 24))
    whole = judge(text, format="mission-newest", game="spycraft")
    with_unread = judge(f"{text}2 Nobody At All\n", format="mission-newest", game="spycraft")
    assert whole.legal_elsewhere
    assert with_unread.legal_elsewhere is None


# -- two decks in one list

AGENCY, MISSION_DECK = (
    without_comments(starter("spycraft", slug)) for slug in ("banshee-net", "mission-deck-base")
)


def test_a_legal_mission_deck_beside_an_agency_deck_does_not_count():
    judged = judge(f"{AGENCY}\n{missions(('ON', 24))}", "spycraft", "agency")
    assert (judged.verdict, len(judged.deck.of_type("mission"))) == ("legal", 24)
    (notice,) = judged.notices
    assert notice.message.startswith("24 cards are a deck of their own, legal as Mission Deck: base set.")
    assert judged.as_json()["notices"][0]["where"] == "the list"


def test_repairs_and_completions_leave_a_second_deck_alone():
    game = games()["spycraft"]
    format, lines = game.formats_by_slug["agency"], AGENCY.splitlines()
    # Without its last four lines the agency deck is too small, so that a repair adds cards.
    deck = judge("\n".join([*lines[:-4], missions(("ON", 24))]), "spycraft", "agency").deck
    repair, *_ = smallest_repairs(game, deck, format)
    proposal, *_ = proposals(game, deck, format, "lot")
    assert (repair.verdict, min(change.by for change in repair.changes)) == ("legal", 1)
    assert (proposal.report.verdict, proposal.removed) == ("legal", ())


def test_the_opening_sentence_names_the_gravest_violation():
    judged = judge(MISSION_DECK, "spycraft", "agency")
    (first, *others) = judged.violation_views()
    assert others
    opening = "Legal as Mission Deck: base set. As Agency Deck it is not legal: "
    assert judged.opening == opening + first.message


def test_an_unknown_card_is_not_set_aside_with_the_second_deck():
    judged = judge(f"{AGENCY}\n1 Who Is This | unknown\n{MISSION_DECK}", "spycraft", "agency")
    assert (judged.verdict, len(judged.notices)) == ("undecided", 1)
    assert [entry.card.name for entry in judged.deck.of_type("")] == ["Who Is This"]
