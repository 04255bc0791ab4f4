"""Sheets and the saved object for Tabletop Simulator: every id is a cell, and no sheet is larger than the
game takes.
"""

import io
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardsdb.games.kit import Decklist
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export
from decks.formats.tabletop import PER_SHEET, grid, sheets_of
from printing.exports.export import read_export_options
from printing.exports.tabletop_sheets import (
    READABLE,
    Sheet,
    cell_of,
    object_of_decks,
    sheet_image,
    sheeted_decks,
    tabletop_archive,
    work_of,
)
from printing.faces.strokes import Drawing, Rect
from printing.job.job import Job
from tests.support.exports import cards_in, opened, picture, piles_in, starter
from tests.support.pictures import coded, painted, store_picture


def few(slug: str, number: int = 4) -> tuple[Job, Decklist]:
    """Return the first cards of a ready list, as a job and as a list."""
    job, deck = starter(slug)
    return replace(job, entries=job.entries[:number]), replace(deck, entries=deck.entries[:number])


# ``blank_cards`` (tests/support/exports.py) draws empty pictures of the right size, which is faster.
@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", ["agentdecker", "spycraft"])
def test_ids_of_the_saved_object_are_the_cells_of_the_sheets(slug):
    job, deck = starter(slug)
    sheeted = sheeted_decks([(job, deck)])
    archive = opened(tabletop_archive(job, sheeted))
    name = next(name for name in archive.namelist() if name.endswith(".json"))
    assert f"{name.removesuffix('.json')}.png" in archive.namelist()
    cards = cards_in(piles_in(archive.read(name)))
    names = Counter(card.name for card, count in job.entries for _ in range(count))
    assert Counter(card["Nickname"] for card in cards) == names
    sheets = {sheet.number: sheet for sheet in sheeted[0].sheets}
    grids = {}
    for card in cards:
        # The game reads an id as the number of a sheet times 100, plus the number of a cell.
        number, cell = divmod(card["CardID"], 100)
        sheet, saved = sheets[number], card["CustomDeck"][str(number)]
        assert sheet.cards[cell].name == card["Nickname"]
        assert (saved["NumWidth"], saved["NumHeight"]) == (sheet.columns, sheet.rows)
        assert saved["BackIsHidden"] is True
        assert card["SidewaysCard"] == job.game.face_named(sheet.cards[cell].type).landscape
        assert saved["BackURL"] in archive.namelist()
        grids[saved["FaceURL"]] = (sheet.columns, sheet.rows)
    for address, (columns, rows) in grids.items():
        image = picture(archive, address)
        assert image.mode == "RGB" and max(image.size) <= 4096
        assert image.width % columns == image.height % rows == 0


@pytest.mark.parametrize("slug", ["agentdecker", "spycraft"])
def test_the_export_of_a_deck_has_the_same_object(slug):
    job, deck = starter(slug)
    sheeted = sheeted_decks([(job, deck)])
    reading = read_deck(job.game, job.game.starters[0].text)
    own = export("tts", job.game, replace(reading, deck=replace(reading.deck, name=job.title))).text
    inside = piles_in(object_of_decks(sheeted, "https://sheets.invalid/", "png"))
    for key in ("DeckIDs", "CardID", "CustomDeck"):
        assert [pile.get(key) for pile in inside] == [pile.get(key) for pile in piles_in(own)]


def test_each_cell_of_a_sheet_shows_its_card():
    job, deck = starter("spycraft")
    sheeted = sheeted_decks([(job, deck)])
    (sheet,) = sheeted[0].sheets
    width, height = cell_of(sheet, job.size)
    # Each card is a different red.
    hues = [f"#{number:02x}0000" for number in range(0, 5 * len(sheet.cards), 5)]
    image = sheet_image(
        sheet, [Drawing("X", *job.size, (Rect(0, 0, *job.size, hue),)) for hue in hues], job.size
    )
    for cell in range(len(sheet.cards)):
        row, column = divmod(cell, sheet.columns)
        assert image.getpixel((column * width + width // 2, row * height + height // 2)) == (5 * cell, 0, 0)


def test_the_smaller_grid_has_larger_cards():
    both = starter("spycraft")
    large, readable = (sheeted_decks([both], most)[0].sheets for most in (PER_SHEET, READABLE))
    assert {(sheet.columns, sheet.rows) for sheet in readable[:-1]} == {(5, 3)}
    assert cell_of(readable[0], both[0].size)[0] > cell_of(large[0], both[0].size)[0]


@given(
    st.integers(1, 70),
    st.sampled_from(
        [(63_500, 88_900), (88_900, 63_500), (70_000, 70_000), (41_000, 63_000), (200_000, 30_000)]
    ),
    st.booleans(),
)
def test_no_sheet_is_larger_than_the_game_takes(count, size, sideways):
    sheet = Sheet(1, *grid(count), (), sideways)
    width, height = cell_of(sheet, size)
    assert 0 < width * sheet.columns <= 4096 and 0 < height * sheet.rows <= 4096
    long, short = max(size), min(size)
    shape = (long / short) if sideways else (short / long)
    assert width / height == pytest.approx(shape, rel=0.05)


def test_landscape_cards_have_a_sheet_and_a_back_of_their_own(sixth_game):
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    game = replace(sixth_game, faces=faces)
    deck = read_deck(game, "\n".join(f"1 {card.name}" for card in game.cards[:12])).deck
    sheets = sheets_of(game, deck)
    across = [sheet for sheet in sheets if sheet.sideways]
    assert {card.type for sheet in across for card in sheet.cards} == {"courier"}
    assert {sheet.back for sheet in across}.isdisjoint(sheet.back for sheet in sheets if not sheet.sideways)
    width, height = cell_of(across[0], game.trim)
    assert width > height


@pytest.mark.usefixtures("blank_cards")
def test_cards_with_backs_of_their_own_have_a_sheet_of_backs():
    job, deck = few("spycraft")
    back = store_picture(coded(painted()))
    with_back = replace(job, pictures={(job.entries[0][0].code, "back"): back})
    plain, own = sheeted_decks([(job, deck)]), sheeted_decks([(with_back, deck)])
    assert [[sheet.unique_backs for sheet in decks[0].sheets] for decks in (plain, own)] == [[False], [True]]
    archive, (sheet,) = opened(tabletop_archive(job, own, "jpeg")), own[0].sheets
    backs, front = (picture(archive, sheet.back.replace(end, ".jpg")) for end in (".png", "-backs.png"))
    assert (backs.size, backs.format) == (front.size, "JPEG")
    (pile, *_) = piles_in(object_of_decks(own, "", "jpeg"))
    assert pile["CustomDeck"]["1"]["UniqueBack"] is True


def test_addresses_of_pictures_begin_with_the_given_address():
    sheeted = sheeted_decks([starter("spycraft")])
    for address in ("https://a.org/x/", "https://a.org/x"):
        base_url = read_export_options({"base_url": address}).base_url
        (pile, *_) = piles_in(object_of_decks(sheeted, base_url, "png"))
        assert pile["CustomDeck"]["1"]["FaceURL"].startswith("https://a.org/x/spycraft-")


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("unique", [False, True])
def test_the_cost_of_a_saved_object_is_that_of_its_sheets(unique):
    job, deck = few("spycraft", 8)
    (sheeted,) = sheeted_decks([(job, deck)])
    saved = (sheeted._replace(sheets=tuple(replace(each, unique_backs=unique) for each in sheeted.sheets)),)
    work, on_drawn = work_of(saved), list[int]()
    shown = 0
    # README, object and thumbnail come before the sheets and backs.
    for member in [*tabletop_archive(job, saved, on_drawn=lambda: on_drawn.append(1))][3:]:
        assert isinstance(member.data, bytes)
        with Image.open(io.BytesIO(member.data)) as image:
            shown += image.width * image.height
    assert work.steps == len(on_drawn)
    # They differ by empty cells and by one back.
    assert shown * 0.8 < work.pixels < shown * 1.3


# -- several decks ----------------------------------------------------------------------------


def of_deck(pile: Any, title: str) -> bool:
    """Return whether the pile belongs to the deck with this title."""
    return bool((pile.get("GMNotes") or pile["Nickname"]).startswith(f"{title}: "))


@pytest.mark.usefixtures("blank_cards")
def test_every_deck_has_its_own_piles_and_sheets():
    lists = [few("agentdecker"), few("spycraft")]
    job = replace(lists[0][0], following=(lists[1][0],))
    archive = opened(tabletop_archive(job, sheeted_decks(lists)))
    (name,) = [name for name in archive.namelist() if name.endswith(".json")]
    piles = piles_in(archive.read(name))
    for own, deck in lists:
        cards = cards_in(pile for pile in piles if of_deck(pile, own.title))
        names = Counter(entry.card.name for entry in deck for _ in range(entry.count))
        assert Counter(card["Nickname"] for card in cards) == names
    sheets = {number: sheet for pile in piles for number, sheet in pile["CustomDeck"].items()}
    named = [(sheet["FaceURL"], sheet["BackURL"]) for sheet in sheets.values()]
    assert len({face for face, _ in named}) == len(sheets)
    assert {file for pair in named for file in pair} <= set(archive.namelist())
    first, second = ({back for face, back in named if face.startswith(own.game.slug)} for own, _ in lists)
    assert first and second and first.isdisjoint(second)
    places = {(pile["Transform"]["posX"], pile["Transform"]["posZ"]) for pile in piles}
    assert len(places) == len(piles), "none lies on another"
    readme = archive.read("README.txt").decode()
    assert "2 decks" in readme and "are not in the saved object" not in readme
    assert all(own.game.name in readme for own, _ in lists)


@pytest.mark.usefixtures("blank_cards")
def test_decks_of_one_game_share_a_back_but_not_their_piles():
    job, deck = few("spycraft")
    sheeted = sheeted_decks([(job, replace(deck, name=name)) for name in ("One", "Other")])
    archive = opened(tabletop_archive(job, sheeted))
    piles = piles_in(object_of_decks(sheeted, "", "png"))
    assert [sum(of_deck(pile, name) for pile in piles) for name in ("One", "Other")] == [len(piles) // 2] * 2
    assert [name for name in archive.namelist() if "back" in name] == ["back-agency.png"]
