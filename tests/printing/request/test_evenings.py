"""An evening of a game as a print: everything that so many players need, in one request."""

from __future__ import annotations

import io
from collections import Counter

import pypdfium2
import pytest
from django.test import Client

from cardsdb.faults import Refused
from cardsdb.games import games
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.request.lists import evening_lists
from tests.support.print_lists import job_for

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ALL = "tokens,scores,reference,sheets"


def evening(name: str, extras: str = ALL) -> Job:
    return job_for(evening_lists([name]), {"extras": extras})


def printed(name: str) -> Counter[str]:
    """The number of prints of each piece, by the first words of its name."""
    return Counter({piece.name.split(",")[0]: piece.count for piece in pieces_of(evening(name))})


def test_all_that_three_need_for_spynet_is_one_sheet_of_nine_cards() -> None:
    job = evening("spynet/3")
    assert (job.sheets, job.cards) == (1, 9)
    assert job.title == "SpyNet for 3 players"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_of_spynet_gets_tokens_and_a_turn_card_and_the_table_one_of_the_rest(
    players: int,
) -> None:
    counts = printed(f"spynet/{players}")
    own = ["Markers: 1 Enforcement", "The turn at a glance"]
    assert [counts.pop(name) for name in own] == [players, players]
    assert counts == {"Counting": 1, "Set-up": 1, "The end of the game": 1}


def test_everybody_has_a_character_sheet_of_steam_spy_on_a_page() -> None:
    job = evening("steamspy/3")
    assert [page.name for page in job.end_pages] == ["Character sheet"] * 3
    assert "3 pages of worksheets" in job.summary()


def test_a_notebook_of_the_x_files_is_there_for_each() -> None:
    job = evening("xfiles/3")
    assert [page.name for page in job.end_pages] == ["Notebook, The X-Files CCG"] * 3
    assert "3 pages of card tables" in job.summary()


def test_worksheets_alone_can_be_printed() -> None:
    assert evening("steamspy/2", "sheets").pages == 2


@pytest.mark.parametrize("slug", games())
def test_every_game_has_its_evening_printed_for_its_usual_players(client: Client, slug: str) -> None:
    guide = games()[slug].set_up_guide
    assert guide
    starters = "".join(f"&starter={slug}/{one}" for one in guide.evening.starters(guide.tonight))
    answer = client.get(f"/print/sheets.pdf?evening={slug}/{guide.tonight}&extras={ALL}{starters}")
    assert answer["Content-Type"] == "application/pdf"
    assert len(pypdfium2.PdfDocument(io.BytesIO(answer.content))) >= 1


@pytest.mark.parametrize(
    "name", ["spynet/5", "spynet", "spynet/three", "chess/2", "spynet/-1", "/", "spynet/3/4"]
)
def test_what_is_no_evening_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(Refused, match="is no evening") as refused:
        evening_lists([name])
    assert refused.value.faults[0].where == "evening"


def test_an_evening_of_which_nothing_is_ticked_says_what_to_do(client: Client) -> None:
    answer = client.get("/print/sheets.pdf?evening=spynet/3&paper=a4")
    assert answer.status_code == 400
    assert "tick what the evening needs" in answer.content.decode()


def test_the_print_page_offers_worksheets_for_an_evening_alone(client: Client) -> None:
    words = "Worksheets of an evening"
    assert words in client.get("/print/?evening=steamspy/2&paper=a4&extras=sheets").content.decode()
    assert words not in client.get("/print/?starter=xfiles/deck-mulder&paper=a4").content.decode()
