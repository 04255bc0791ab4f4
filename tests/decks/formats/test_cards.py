"""A game's cards for other programs, and archives: the same bytes for the same catalogue, in the order their
readers want.
"""

from __future__ import annotations

import io
import zipfile
from datetime import date
from xml.etree import ElementTree

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS
from decks.formats.card_files import card_database, checksum, plugin_files, plugin_zip
from decks.formats.xml_decks import hash_of

ADDRESS, DAY = "https://cutout.example/lackey/", date(2026, 11, 21)
# The schema's sequence; of "set" there must be one at least.
CARD = (
    "name",
    "text",
    "prop",
    "set",
    "related",
    "reverse-related",
    "token",
    "tablerow",
    "cipt",
    "upsidedown",
    "landscapeOrientation",
)


@pytest.mark.parametrize("slug", games())
def test_the_card_file_keeps_to_cockatrices_schema(slug: str) -> None:
    game = games()[slug]
    root = ElementTree.fromstring(card_database(game, game.cards, ADDRESS, "7"))
    assert (root.tag, root.attrib) == ("cockatrice_carddatabase", {"version": "4"})
    assert [child.tag for child in root] == ["info", "sets", "cards"]
    assert {child.tag for child in root.findall("info/*")} <= {
        "author",
        "createdAt",
        "sourceUrl",
        "sourceVersion",
    }
    sets = [element.findtext("name") for element in root.iter("sets") for element in element]
    assert len(sets) == len(set(sets))
    for card in root.iterfind("cards/card"):
        tags = [child.tag for child in card]
        assert tags == sorted(tags, key=CARD.index)
        assert all(tags.count(tag) == 1 for tag in ("name", "prop", "tablerow"))
        assert {child.text for child in card.findall("set")} <= set(sets) and "set" in tags
        assert all(set(child.attrib) <= {"rarity", "num"} for child in card.findall("set"))
    names = [card.findtext("name") for card in root.iterfind("cards/card")]
    assert len(names) == len(set(names)) == sum(game.types_by_slug[card.type].in_decks for card in game.cards)


def test_every_card_of_a_cockatrice_deck_is_in_the_card_file() -> None:
    game = games()["spycraft"]
    names = {
        card.findtext("name")
        for card in ElementTree.fromstring(card_database(game, game.cards)).iterfind("cards/card")
    }
    deck = ElementTree.fromstring(
        FORMATS["cod"].write(game, read_deck(game, "1 Kai\n1 Tracer (ML)\n1 Tracer (ON)"))[0]
    )
    assert {card.get("name") for card in deck.iter("card")} == {"Kai", "Tracer (ML)", "Tracer (ON)"} <= names


def test_the_hash_does_not_depend_on_the_order_of_the_list() -> None:
    game = games()["xfiles"]
    first, second = (
        read_deck(game, text).deck
        for text in ("2 Abduction\n1 Blackmail\nSB: 1 Red Tape", "SB: 1 Red Tape\n1 Blackmail\n2 Abduction")
    )
    assert (
        hash_of(game, first)
        == hash_of(game, second)
        != hash_of(game, read_deck(game, "2 Abduction\n1 Blackmail\n1 Red Tape").deck)
    )


@pytest.mark.parametrize(
    ("data", "sum_"),
    [
        (b"", -1),
        (b"\r\n", -1),
        (b"a", 96),
        (b"a\r\nb\n", 194),
        (b"\x80", -129),
        (b"\xff\x01", -1),
        (b"~" * 1_000_000, 25_999_999),
    ],
)
def test_lackeys_checksum_adds_signed_bytes_without_line_ends(data: bytes, sum_: int) -> None:
    assert checksum(data) == sum_


@pytest.mark.parametrize("slug", games())
def test_the_plug_in_is_whole_and_names_its_own_files(slug: str) -> None:
    game = games()[slug]
    files = plugin_files(game, ADDRESS, DAY)
    assert {
        "plugininfo.txt",
        "formats.txt",
        "version.txt",
        "updatelist.txt",
        "credits.txt",
        f"sets/{slug}.txt",
    } <= set(files)
    first, *rows = files["updatelist.txt"].decode().splitlines()
    assert first == f"{slug}\t11-21-26"
    listed = {
        path.removeprefix(f"plugins/{slug}/"): (url, int(sum_))
        for path, url, sum_ in (row.split("\t") for row in rows)
    }
    assert listed == {
        path: (ADDRESS + path, checksum(data)) for path, data in files.items() if path != "updatelist.txt"
    }
    for path in ("plugininfo.txt", "formats.txt", "version.txt"):
        ElementTree.fromstring(files[path])


@pytest.mark.parametrize("slug", games())
def test_the_plug_ins_cards_are_those_that_its_decks_name(slug: str) -> None:
    game = games()[slug]
    files = plugin_files(game, ADDRESS, DAY)
    header, *rows = [row.split("\t") for row in files[f"sets/{slug}.txt"].decode().splitlines()]
    assert header[:4] == ["Name", "Set", "ImageFile", "Type"]
    assert {len(row) for row in rows} == {len(header)}
    known = {(row[2], row[0], row[1]) for row in rows}
    assert len(known) == len(rows)
    zones = {zone.text for zone in ElementTree.fromstring(files["plugininfo.txt"]).iterfind("deckzone/label")}
    for path in (path for path in files if path.endswith(".dek")):
        deck = ElementTree.fromstring(files[path])
        assert {zone.get("name") for zone in deck.iter("superzone")} <= zones
        named = {(str(card[0].get("id")), card[0].text, card[1].text) for card in deck.iter("card")}
        assert {card for card in named if not card[0].startswith("written-")} <= known


def test_the_same_catalogue_makes_the_same_archive() -> None:
    game = games()["spynet"]
    assert plugin_zip(game, ADDRESS, DAY) == plugin_zip(game, ADDRESS, DAY)
    with zipfile.ZipFile(io.BytesIO(plugin_zip(game, ADDRESS, DAY))) as packed:
        assert packed.testzip() is None
        assert all(name.startswith("spynet/") for name in packed.namelist())
