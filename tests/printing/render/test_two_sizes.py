"""Decks whose cards differ in size, in one print: every file has all of their sheets, names them all and
counts all their cards.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from zipfile import ZipFile

import pikepdf
import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.exports import export
from printing.exports.cut_path import cut_sheet
from printing.job.job import MAX_HEADING, Job
from printing.options.values import BadOption
from printing.render.files import sides_of
from tests.printing.exports.test_cut import layer_of, shapes, svg_box
from tests.support.exports import blank_cards
from tests.support.print_decks import STRANGER, client_of, owner
from tests.support.print_lists import job_for, parse_lists
from tests.support.public_decks import make_deck, starter

__all__ = ["blank_cards", "client_of", "owner"]

GAMES = ("agentdecker", "spycraft")


@pytest.fixture
def decks(client_of: Client) -> list[Deck]:
    return [
        make_deck(client_of, f"Of {slug}", starter(slug, games()[slug].starters[0].slug), game=slug)
        for slug in GAMES
    ]


@pytest.fixture
def job(decks: list[Deck]) -> Job:
    return print_of(decks)


def print_of(decks: list[Deck], **options: str) -> Job:
    return job_for(parse_lists({"deck": [deck.link for deck in decks]}, STRANGER), options)


def got(client: Client, file: str, decks: list[Deck], **options: str) -> bytes:
    answer = client.get(f"/print/{file}", {"deck": [deck.link for deck in decks], **options})
    assert answer.status_code == 200, answer.content.decode()
    return b"".join(answer) if answer.streaming else answer.content


# -- the way of the knife ------------------------------------------------------------------


@pytest.mark.parametrize("backs", ["none", "gutterfold"])
def test_every_sheet_of_every_size_is_cut_where_its_cards_are_printed(decks: list[Deck], backs: str) -> None:
    job = print_of(decks, backs=backs)
    fronts = [side for side in sides_of(job) if side.side == "front"]
    first = job.parts[0].own_sheets
    assert len(fronts) == job.sheets > first
    for side in fronts:
        slots = cut_sheet(job, side.number).slots
        assert list(slots) == [placed.area for placed in side.placed][: len(slots)]
        assert {sorted((slot.width, slot.height))[0] for slot in slots} == {
            job.parts[side.number > first].size[0]
        }
    with pytest.raises(BadOption, match=f"a sheet of this print, 1 to {job.sheets}"):
        cut_sheet(job, job.sheets + 1)


def test_the_cut_of_a_later_sheet_says_whose_it_is(client: Client, decks: list[Deck], job: Job) -> None:
    part = job.parts[1]
    svg = got(client, "cut.svg", decks, cut_sheet=str(job.sheets)).decode()
    assert f"sheet {job.sheets} of {job.sheets}," in svg and "cards of 63 x 88 mm" in svg
    assert {(box.width, box.height) for box in map(svg_box, layer_of(svg, "cut"))} <= {
        part.size,
        part.size[::-1],
    }
    dxf = got(client, "cut.dxf", decks, cut_sheet=str(job.sheets)).decode()
    assert len([layer for layer, _ in shapes(dxf) if layer == "CUT"]) == len(cut_sheet(job, job.sheets).slots)


def test_a_sheet_that_is_folded_says_that_it_is_cut_folded(client: Client, decks: list[Deck]) -> None:
    for file in ("cut.svg", "cut.dxf"):
        assert "fold the sheet before it is cut" in got(client, file, decks, backs="gutterfold").decode()
        assert "fold" not in got(client, file, decks).decode()
    assert "cut folded" in client.get("/print/", {"deck": decks[0].link}, follow=True).content.decode()


# -- names and counts ----------------------------------------------------------------------


def test_all_decks_are_in_the_name_of_the_file_and_in_its_title(
    client: Client, decks: list[Deck], job: Job
) -> None:
    assert (job.heading, job.filename) == (
        "Of agentdecker + Of spycraft",
        "cards-of-agentdecker-of-spycraft.pdf",
    )
    with pikepdf.open(io.BytesIO(got(client, "sheets.pdf", decks))) as document:
        assert document.docinfo["/Title"] == job.heading
        assert str(document.docinfo["/Subject"]).startswith(f"{job.kinds}, ") and "63 × 88 mm" in str(
            document.docinfo["/Subject"]
        )


def test_what_is_printed_is_told_apart_and_adds_up_over_all_decks(job: Job) -> None:
    assert (
        sum(int(number) for number in re.findall(r"\d+", job.kinds)) == job.cards
        and "unnamed cards" in job.kinds
    )


def test_each_sheet_is_headed_by_the_decks_that_are_on_it(job: Job) -> None:
    assert [part.notes().title for part in job.parts] == ["Of agentdecker", "Of spycraft"]


def test_of_many_decks_the_first_are_named_and_the_others_counted(client_of: Client) -> None:
    decks = [make_deck(client_of, f"A deck with rather a long name {number}", "1 Kai") for number in range(9)]
    job = print_of(decks)
    assert len(job.heading) <= MAX_HEADING and job.heading.endswith(" + 7 more")
    assert job.heading.startswith("A deck with rather a long name 0 + A deck")
    assert job.filename == "spycraft-a-deck-with-rather-a-long-name-0-8-more.pdf"


def test_pictures_are_counted_in_all_sizes(
    client: Client, decks: list[Deck], job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export.Cost, "is_big", lambda work, job: True)
    sizes = [
        f"{part.own_cards} cards of {size}"
        for part, size in zip(job.parts, ("63.5 × 88.9 mm", "63 × 88 mm"), strict=True)
    ]
    assert sum(part.own_cards for part in job.parts) == sum(
        entry.count for deck in decks for entry in deck.decklist()
    )
    assert " and ".join(sizes) in got(client, "cards.zip", decks).decode()


# -- on the table --------------------------------------------------------------------------


@pytest.mark.usefixtures("blank_cards")
def test_every_deck_is_on_the_table_on_sheets_of_its_own(
    client: Client, decks: list[Deck], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export.Cost, "is_big", lambda work, job: False)
    archive = ZipFile(io.BytesIO(got(client, "tabletop.zip", decks)))
    (name,) = [name for name in archive.namelist() if name.endswith(".json")]
    piles = json.loads(archive.read(name))["ObjectStates"]
    for deck in decks:
        cards = [
            card for pile in piles if titled(pile, deck) for card in pile.get("ContainedObjects", [pile])
        ]
        assert Counter(card["Nickname"] for card in cards) == Counter(
            entry.card.name for entry in deck.decklist() for _ in range(entry.count)
        )
    sheets = {number: sheet for pile in piles for number, sheet in pile["CustomDeck"].items()}
    named = [(sheet["FaceURL"], sheet["BackURL"]) for sheet in sheets.values()]
    assert len({face for face, _ in named}) == len(sheets)
    assert {file for pair in named for file in pair} <= set(archive.namelist())
    backs = {game: {back for face, back in named if face.startswith(game)} for game in GAMES}
    assert all(backs.values()) and backs[GAMES[0]].isdisjoint(backs[GAMES[1]])
    assert len({(pile["Transform"]["posX"], pile["Transform"]["posZ"]) for pile in piles}) == len(piles), (
        "none lies on another"
    )
    readme = archive.read("README.txt").decode()
    assert "2 decks" in readme and "are not in the saved object" not in readme
    assert all(games()[slug].name in readme for slug in GAMES)


def titled(pile: dict[str, str], deck: Deck) -> bool:
    return (pile.get("GMNotes") or pile["Nickname"]).startswith(f"{deck.name}: ")


def test_decks_of_one_game_share_a_back_and_not_their_piles(client: Client, client_of: Client) -> None:
    decks = [make_deck(client_of, name, "2 Kai\n1 Termite") for name in ("One", "Other")]
    archive = ZipFile(io.BytesIO(got(client, "tabletop.zip", decks)))
    (name,) = [name for name in archive.namelist() if name.endswith(".json")]
    piles = json.loads(archive.read(name))["ObjectStates"]
    assert (
        sum(titled(pile, decks[0]) for pile in piles)
        == sum(titled(pile, decks[1]) for pile in piles)
        == len(piles) // 2
    )
    assert [one for one in archive.namelist() if "back" in one] == ["back-agency.png"]
