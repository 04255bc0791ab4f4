"""What is printed beside the cards when a request asks for it, and what is said where there is no such
thing.
"""

from __future__ import annotations

from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.request.lists import Lists, PrintList, single_cards, starter_lists
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.print_lists import job_for

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ALL = "tokens,scores,reference,labels,register"
STARTERS = ["spycraft/nine-tiger", "spycraft/banshee-net"]
SITE = "https://cutout.example"


def job(lists: Lists | PrintList, root: str = SITE, **options: str) -> Job:
    return job_for(lists, {"backs": "none", **options}, Viewer(), root)


@pytest.mark.parametrize(
    ("starter", "nouns"),
    [
        ("spycraft/nine-tiger", ["cards of markers", "reference cards", "card of labels", "register page"]),
        (
            f"agentdecker/{games()['agentdecker'].starters[0].slug}",
            ["score card", "reference card", "card of labels", "register page"],
        ),
    ],
)
def test_all_that_a_game_has_is_printed_and_counted_in_the_summary(starter: str, nouns: list[str]) -> None:
    made = job(starter_lists([starter]), extras=ALL)
    assert len(made.end_pages) == 1 and any("Labels" in piece.name for piece in pieces_of(made))
    assert [noun for noun in nouns if noun not in made.summary()] == []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_what_a_game_does_not_have_is_said(game: Any) -> None:
    made = job(starter_lists([f"{game.slug}/{game.starters[0].slug}"]), extras="tokens,scores")
    assert (f"{game.name} needs no tokens that Cutout knows of." in made.remarks()) is not bool(
        game.print_extras.markers
    )
    extras = game.print_extras
    assert (f"{game.name} has no score sheet." in made.remarks()) is not bool(
        extras.scores or extras.card_tables
    )


def test_a_label_is_printed_with_the_game_of_its_deck() -> None:
    other = f"agentdecker/{games()['agentdecker'].starters[0].slug}"
    made = job(starter_lists([STARTERS[0], other]), extras="labels", trim="poker")
    assert sum("Labels" in piece.name for piece in pieces_of(made)) == 2


def test_single_cards_have_no_register_and_no_label() -> None:
    made = job(single_cards(["3.spycraft/kai"]), extras="labels,register")
    assert "Single cards are no deck: they have no register, no label and no box." in made.remarks()
    assert [piece.name for piece in pieces_of(made)] == ["Kai"]


@pytest.mark.parametrize(
    ("starters", "root", "said"),
    [
        (STARTERS[:1], "", "Without the site's address there is no QR code."),
        (
            STARTERS,
            SITE,
            "A QR code leads to one list: with several decks it stands on registers and labels alone.",
        ),
        (STARTERS[:1], SITE, ""),
    ],
)
def test_a_code_leads_to_one_list_by_the_sites_address(starters: list[str], root: str, said: str) -> None:
    remarks = job(starter_lists(starters), root, qr="list").remarks()
    assert [one for one in remarks if "QR code" in one] == ([said] if said else [])


def test_own_cards_have_their_owners_words_on_them() -> None:
    viewer = Viewer(browser="b" * 64)
    card = own_card(own_set(viewer))
    lists = single_cards([f"spycraft/{card.code}"], viewer)
    (piece,) = pieces_of(job_for(lists, {"backs": "none"}, viewer))
    assert CANARY in repr(piece.front)
