"""Files of a game's cards for other programs: in the order that their readers expect, with the same bytes for
the same catalogue; texts can be imported again.
"""

import io
import zipfile
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pytest

from cardsdb.box.comparing import compare
from cardsdb.box.reading.container import open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.rows import guessed
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS
from decks.formats.card_files import CARD_FILES, card_database, checksum, plugin_files, plugin_zip

# -- imported again


# Texts with what files must escape or mark.
TEXTS = ("Zeppelin.\nSecond line.", '=1+1, "quoted"; [KEY]', "Tab\tand\u2019s \u2014 Łódź")

# Game -> its first cards that decks can have.
CHOSEN = {
    slug: [card for card in games()[slug].cards if games()[slug].type_named(card.type).in_decks][:30]
    for slug in games()
}


@pytest.mark.parametrize("slug", sorted(games()))
@pytest.mark.parametrize("name", sorted(CARD_FILES))
def test_written_texts_can_be_imported_again(name, slug):
    game, kind = games()[slug], CARD_FILES[name]
    cards = [
        replace(card, text=TEXTS[number % len(TEXTS)], sentences=())
        for number, card in enumerate(CHOSEN[slug])
    ]
    file = f"cards{kind.suffix}"
    package = package_of(open_file(io.BytesIO(kind.write(game, cards).encode()), file), file)
    found = compare(package, game, guessed(package, game), None)
    written = {card.code: " ".join(card.text.split()) for card in cards}
    read = {code: " ".join(new.text.split()) for code, new in found.texts.items()}
    # Cards that share a name: a file without codes does not say whose the text is.
    twins = {card.code for card in cards if sum(other.name == card.name for other in game.cards) > 1}
    for code in twins:
        read.pop(code, None)
        written.pop(code)
    assert read == written
    assert not [problem for problem in found.not_understood if "may be" not in problem.reason]


def test_a_formula_is_marked_in_a_table_of_cards():
    card = replace(CHOSEN["spycraft"][0], text="=1+1", sentences=())
    assert "'=1+1" in CARD_FILES["csv"].write(games()["spycraft"], [card])


def test_agent_deckers_cards_carry_their_credit():
    for kind in CARD_FILES.values():
        assert "Manuel Correia" in kind.write(games()["agentdecker"], CHOSEN["agentdecker"][:1])


# -- Cockatrice


ADDRESS, DAY = "https://cutout.example/lackey/", date(2026, 11, 21)

# The elements of a card in the schema's order; at least one "set" is required.
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
def test_the_card_file_keeps_to_cockatrices_schema(slug):
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
        assert {child.text for child in card.findall("set")} <= set(sets)
        assert "set" in tags
        assert all(set(child.attrib) <= {"rarity", "num"} for child in card.findall("set"))
    names = [card.findtext("name") for card in root.iterfind("cards/card")]
    assert len(names) == len(set(names)) == sum(game.types_by_slug[card.type].in_decks for card in game.cards)


def test_every_card_of_a_cockatrice_deck_is_in_the_card_file():
    game = games()["spycraft"]
    names = {
        card.findtext("name")
        for card in ElementTree.fromstring(card_database(game, game.cards)).iterfind("cards/card")
    }
    deck = ElementTree.fromstring(
        FORMATS["cod"].write(game, read_deck(game, "1 Kai\n1 Tracer (ML)\n1 Tracer (ON)"))[0]
    )
    assert {card.get("name") for card in deck.iter("card")} == {"Kai", "Tracer (ML)", "Tracer (ON)"} <= names


# -- LackeyCCG


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
def test_the_checksum_is_that_of_lackeyccg(data, sum_):
    assert checksum(data) == sum_


@pytest.mark.parametrize("slug", games())
def test_the_plug_in_lists_all_its_files_with_checksums(slug):
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
def test_the_plug_in_has_every_card_of_its_decks(slug):
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


def test_the_same_catalogue_makes_the_same_archive():
    game = games()["spynet"]
    assert plugin_zip(game, ADDRESS, DAY) == plugin_zip(game, ADDRESS, DAY)
    with zipfile.ZipFile(io.BytesIO(plugin_zip(game, ADDRESS, DAY))) as packed:
        assert packed.testzip() is None
        assert all(name.startswith("spynet/") for name in packed.namelist())
