"""Sheets and the saved object for Tabletop Simulator: every id is a cell, no sheet is larger than the game
takes.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export
from decks.formats.tabletop import grid, sheets_of
from printing.exports import tabletop_sheets
from printing.exports.export import read_export_options
from printing.faces.strokes import Drawing, Rect
from printing.job.pieces import pieces_of
from tests.support.exports import blank_cards, opened, picture, starter

__all__ = ["blank_cards"]


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", sorted(games()))
def test_ids_of_the_saved_object_are_the_cells_of_the_sheets(slug: str) -> None:
    job, deck = starter(slug)
    sheeted = tabletop_sheets.sheeted_decks([(job, deck)])
    archive = opened(tabletop_sheets.tabletop_archive(job, sheeted))
    name = next(name for name in archive.namelist() if name.endswith(".json"))
    objects = json.loads(archive.read(name))["ObjectStates"]
    cards = [card for thing in objects for card in thing.get("ContainedObjects", [thing])]
    assert Counter(card["Nickname"] for card in cards) == Counter(
        card.name for card, count in job.entries for _ in range(count)
    )
    sheets = {sheet.number: sheet for sheet in sheeted[0].sheets}
    images = {
        address: picture(archive, address)
        for card in cards
        for address in {one["FaceURL"] for one in card["CustomDeck"].values()}
    }
    for card in cards:
        number, cell = divmod(card["CardID"], 100)
        sheet, told_sheet = sheets[number], card["CustomDeck"][str(number)]
        assert sheet.cards[cell].name == card["Nickname"]
        assert (told_sheet["NumWidth"], told_sheet["NumHeight"], told_sheet["BackIsHidden"]) == (
            sheet.columns,
            sheet.rows,
            True,
        )
        assert card["SidewaysCard"] == job.game.face_named(sheet.cards[cell].type).landscape
        image = images[told_sheet["FaceURL"]]
        assert image.mode == "RGB" and max(image.size) <= 4096
        assert image.width % sheet.columns == image.height % sheet.rows == 0
        assert told_sheet["BackURL"] in archive.namelist()
    assert f"{name.removesuffix('.json')}.png" in archive.namelist()


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_saved_object_is_the_one_of_the_decks_own_files(slug: str) -> None:
    job, deck = starter(slug)
    inside = json.loads(
        tabletop_sheets.object_of_decks(
            tabletop_sheets.sheeted_decks([(job, deck)]), "https://sheets.invalid/", "png"
        )
    )
    reading = read_deck(job.game, job.game.starters[0].text)
    outside = json.loads(
        export("tts", job.game, replace(reading, deck=replace(reading.deck, name=job.title))).text
    )
    assert [thing.get("DeckIDs", thing.get("CardID")) for thing in inside["ObjectStates"]] == [
        thing.get("DeckIDs", thing.get("CardID")) for thing in outside["ObjectStates"]
    ]
    assert [thing["CustomDeck"] for thing in inside["ObjectStates"]] == [
        thing["CustomDeck"] for thing in outside["ObjectStates"]
    ]


def test_each_cell_shows_its_card() -> None:
    job, deck = starter("spycraft")
    sheeted = tabletop_sheets.sheeted_decks([(job, deck)])
    (sheet,) = sheeted[0].sheets
    width, height = tabletop_sheets.cell_of(sheet, job.size)
    hues = [f"#{number:02x}0000" for number in range(0, 5 * len(sheet.cards), 5)]
    image = tabletop_sheets.sheet_image(
        sheet, [Drawing("X", *job.size, (Rect(0, 0, *job.size, hue),)) for hue in hues], job.size
    )
    for cell in range(len(sheet.cards)):
        row, column = divmod(cell, sheet.columns)
        assert image.getpixel((column * width + width // 2, row * height + height // 2)) == (5 * cell, 0, 0)


def test_the_smaller_grid_has_larger_cards() -> None:
    job, deck = starter("spycraft")
    large, readable = (
        tabletop_sheets.sheeted_decks([(job, deck)])[0],
        tabletop_sheets.sheeted_decks([(job, deck)], tabletop_sheets.READABLE)[0],
    )
    assert {(sheet.columns, sheet.rows) for sheet in readable.sheets[:-1]} == {(5, 3)}
    assert (
        tabletop_sheets.cell_of(readable.sheets[0], job.size)[0]
        > tabletop_sheets.cell_of(large.sheets[0], job.size)[0]
    )


@given(
    st.integers(1, 70),
    st.sampled_from(
        [(63_500, 88_900), (88_900, 63_500), (70_000, 70_000), (41_000, 63_000), (200_000, 30_000)]
    ),
    st.booleans(),
)
def test_no_sheet_is_larger_than_the_game_takes(count: int, size: tuple[int, int], sideways: bool) -> None:
    sheet = tabletop_sheets.Sheet(1, *grid(count), (), sideways)
    width, height = tabletop_sheets.cell_of(sheet, size)
    assert 0 < width * sheet.columns <= 4096 and 0 < height * sheet.rows <= 4096
    long, short = max(size), min(size)
    shape = (long / short) if sideways else (short / long)
    assert width / height == pytest.approx(shape, rel=0.05)


def test_cards_that_lie_across_have_a_sheet_and_a_back_of_their_own(sixth_game: Game) -> None:
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    game = replace(sixth_game, faces=faces)
    deck = read_deck(game, "\n".join(f"1 {card.name}" for card in game.cards[:12])).deck
    sheets = sheets_of(game, deck)
    across = [sheet for sheet in sheets if sheet.sideways]
    assert {card.type for sheet in across for card in sheet.cards} == {"courier"}
    assert {sheet.back for sheet in across}.isdisjoint(sheet.back for sheet in sheets if not sheet.sideways)
    width, height = tabletop_sheets.cell_of(across[0], game.trim)
    assert width > height


@pytest.mark.usefixtures("blank_cards")
def test_cards_with_backs_of_their_own_have_a_sheet_of_backs(monkeypatch: pytest.MonkeyPatch) -> None:
    job, deck = starter("spycraft")
    sheeted = tabletop_sheets.sheeted_decks([(job, deck)])
    (sheet,) = sheeted[0].sheets
    other = Drawing("Another back", *job.size, (Rect(0, 0, *job.size, "#123456"),))
    pieces = list(pieces_of(job))
    pieces[0] = pieces[0]._replace(back=other)
    monkeypatch.setattr(tabletop_sheets, "pieces_of", lambda job: tuple(pieces))
    own = tabletop_sheets.sheeted_decks([(job, deck)])
    assert [one.unique_backs for one in own[0].sheets] == [True]
    archive = opened(tabletop_sheets.tabletop_archive(job, own, "jpeg"))
    backs = picture(archive, own[0].sheets[0].back.replace(".png", ".jpg"))
    assert (backs.size, backs.format) == (
        picture(archive, own[0].sheets[0].back.replace("-backs.png", ".jpg")).size,
        "JPEG",
    )
    assert (
        json.loads(tabletop_sheets.object_of_decks(own, "", "jpeg"))["ObjectStates"][0]["CustomDeck"]["1"][
            "UniqueBack"
        ]
        is True
    )
    assert not sheet.unique_backs


def test_pictures_are_named_by_the_address_that_was_given() -> None:
    job, deck = starter("spycraft")
    sheeted = tabletop_sheets.sheeted_decks([(job, deck)])
    for address in ("https://a.org/x/", "https://a.org/x"):
        sheets = json.loads(
            tabletop_sheets.object_of_decks(
                sheeted, read_export_options({"base_url": address}).base_url, "png"
            )
        )
        assert sheets["ObjectStates"][0]["CustomDeck"]["1"]["FaceURL"].startswith("https://a.org/x/spycraft-")
