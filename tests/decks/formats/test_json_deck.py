"""Decks as JSON: ours holds everything, and that of other programs is read."""

import json

import pytest

from cardsdb.games import games
from decks.formats import export, read_any
from tests.support.awkward_names import codes, everything
from tests.support.deck_files import cards


def test_json_holds_everything_the_list_says(game):
    reading = everything(game)
    written = export("json", game, reading)
    content = json.loads(written.text)
    assert {key: content[key] for key in ("cutout", "game", "format", "name", "details", "comments")} == {
        "cutout": 1,
        "game": "awkward",
        "format": "open",
        "name": 'Traps & "quotes" ]]>',
        "details": {"players": 4},
        "comments": ["two of each"],
    }
    assert content["cards"][0] == {
        "section": "leaders",
        "count": 1,
        "key": "awkward/boss",
        "name": "Boss",
        "type": "leader",
    }
    zoe = next(card for card in content["cards"] if card.get("written"))
    assert (zoe["name"], zoe["facts"]) == ("Zoë", {"skills": ["lying", "driving"], "level": 3})
    assert content["unread"][0]["text"] == "7 Nobody Knows This One"
    assert codes(written) == {"line_kept": 1}


@pytest.mark.parametrize(
    ("content", "dialect"),
    [
        (
            {
                "meta": {},
                "data": {
                    "name": "N",
                    "mainBoard": [{"name": "Kai", "count": 2, "setCode": "ON"}],
                    "sideBoard": [],
                },
            },
            "MTGJSON",
        ),
        (
            {
                "id": "1",
                "name": "N",
                "crypt": {"cards": []},
                "library": {"cards": [{"type": "Agents", "cards": [{"name": "Kai", "count": 2}]}]},
            },
            "krcg",
        ),
        (
            {
                "name": "N",
                "entries": {"mainboard": [{"count": 2, "raw_text": "2 Kai", "card_digest": {"name": "Kai"}}]},
            },
            "Scryfall",
        ),
    ],
)
def test_json_of_other_programs_is_read(content, dialect):
    read = read_any(games()["spycraft"], json.dumps(content).encode(), "deck.json")
    assert (read.dialect, read.reading.deck.name) == (dialect, "N")
    assert cards(read.reading) == [(2, "Kai")]
