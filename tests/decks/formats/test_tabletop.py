"""Decks as saved objects of Tabletop Simulator, and the sheets of pictures that they refer to."""

import json
from dataclasses import replace

import pytest

from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import export, read_any
from decks.formats.tabletop import grid, parse, sheets_of
from tests.support.awkward_names import NAMES, codes, everything
from tests.support.deck_files import cards


def test_tts_decks_and_sheets_agree(game):
    reading = everything(game)
    save = json.loads(export("tts", game, reading).text)
    (sheet,) = sheets_of(game, reading.deck)
    objects = save["ObjectStates"]
    assert [thing["Name"] for thing in objects] == ["Card", "DeckCustom", "DeckCustom"]
    assert [thing["Nickname"] for thing in objects[1:]] == [
        'Traps & "quotes" ]]>: Deck',
        'Traps & "quotes" ]]>: Sideboard',
    ]
    for deck in objects[1:]:
        assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
        for card in deck["ContainedObjects"]:
            assert card["CardID"] // 100 == sheet.number
            assert sheet.cards[card["CardID"] % 100].name == card["Nickname"]
            assert card["CustomDeck"] == deck["CustomDeck"]
    picture = objects[1]["CustomDeck"]["1"]
    assert (picture["NumWidth"], picture["NumHeight"], picture["BackIsHidden"]) == (
        sheet.columns,
        sheet.rows,
        True,
    )
    assert picture["FaceURL"] == "https://sheets.invalid/awkward-traps-quotes-sheet-1.png"
    assert objects[0]["Description"].split("\n")[:3] == [
        "Leader",
        'Traps & "quotes" ]]>: Leaders',
        "-- Cutout --",
    ]


def test_the_title_of_a_single_card_is_cut_off_its_description_when_it_is_read(game):
    kept = "-- Cutout --\nkept"
    deck = replace(read_deck(game, f"1 {NAMES[0]}").deck, name="Mine")
    (card,) = json.loads(export("tts", game, Reading(deck)).text)["ObjectStates"]
    assert card["GMNotes"] == "Mine: Deck"
    description = f"{card['Description']}\n{kept}"
    parsed = parse(json.dumps({"ObjectStates": [card | {"Description": description}]}).encode())
    assert (parsed.name, parsed.rows[0].part, parsed.notes_field) == ("Mine", "Deck", kept)


def test_tts_names_the_pictures_needed_and_shows_facts_of_written_in_cards(game):
    written = export("tts", game, read_deck(game, "2 Zoë | agent | level: 3"))
    (deck,) = json.loads(written.text)["ObjectStates"]
    assert deck["ContainedObjects"][0]["Description"] == "Agent\nLevel: 3"
    assert codes(written) == {"pictures_needed": 1, "facts_kept": 1}
    assert any("awkward-deck-sheet-1.png" in loss.message for loss in written.losses)


def test_tts_starts_a_second_sheet_after_seventy_cards(game):
    cards = [replace(game.cards[0], code=f"n{number}", name=f"N{number}") for number in range(72)]
    deck = Decklist(tuple(Entry(card, 2, "deck") for card in cards))
    assert [(sheet.columns, sheet.rows, len(sheet.cards)) for sheet in sheets_of(game, deck)] == [
        (10, 7, 70),
        (2, 1, 2),
    ]
    (saved,) = json.loads(export("tts", game, Reading(deck)).text)["ObjectStates"]
    assert saved["DeckIDs"][-4:] == [200, 200, 201, 201]
    assert sorted(saved["CustomDeck"]) == ["1", "2"]


@pytest.mark.parametrize(
    ("count", "size"),
    [
        (1, (1, 1)),
        (15, (5, 3)),
        (16, (4, 4)),
        (52, (8, 7)),
        (60, (9, 7)),
        (65, (10, 7)),
        (70, (10, 7)),
    ],
)
def test_sheets_have_the_size_other_tools_give_them(count, size):
    assert grid(count) == size


@pytest.mark.parametrize("name", ["dek", "tts"])
def test_formats_that_write_every_copy_stop_at_1000(game, name):
    reading = read_deck(game, "\n".join(f"99 {card}" for card in NAMES))
    written = export(name, game, reading)
    assert [loss.message for loss in written.losses if loss.code == "too_many_cards"] == [
        "1,881 cards: this format writes every copy, so the file has the first 1,000."
    ]
    assert len(written.text) < 2_000_000


def test_tts_counts_copies_by_ids_and_takes_names_from_the_cards():
    card = {"Name": "Card", "CardID": 100, "Nickname": "Kai"}
    deck = {
        "Name": "Deck",
        "Nickname": "Mine: Deck",
        "DeckIDs": [100, 100, 101],
        "ContainedObjects": [card, {"CardID": 101, "Nickname": ""}],
    }
    save = {
        "ObjectStates": [
            {"Name": "Bag", "ContainedObjects": [deck]},
            {"Name": "Card", "CardID": 900, "Nickname": "Termite"},
        ]
    }
    read = read_any(None, json.dumps(save).encode(), "x.json")
    assert (read.format, read.reading.deck.name) == ("tts", "Mine")
    assert cards(read.reading) == [(2, "Kai"), (1, "Termite")]
    assert [loss.message for loss in read.losses] == [
        "1 card without a name left out: the file has only their pictures."
    ]
