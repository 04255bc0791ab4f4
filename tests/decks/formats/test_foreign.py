"""Decks as files of other tools: OCTGN, GCCG, LackeyCCG, Cockatrice, Tabletop Simulator, MPC Autofill."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import export
from decks.formats.tabletop import grid, sheets_of
from decks.formats.xml_decks import NOWHERE, deck_hash
from tests.support.awkward_names import EXPORTS, IDS, NAMES, awkward_game, codes, everything, tree


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return awkward_game(tmp_path_factory.mktemp("awkward"))


@pytest.fixture(scope="module")
def known(game: Game) -> Game:
    """The same game, known to other tools."""
    return replace(game, exports=EXPORTS)


# -- OCTGN ----------------------------------------------------------------------


def test_o8d_gives_ids_sections_and_what_is_shared(known: Game) -> None:
    written = export("o8d", known, everything(known))
    root = tree(written)
    assert root.attrib == {"game": "11111111-2222-4333-8444-555555555555"}
    assert [(s.get("name"), s.get("shared")) for s in root.iter("section")] == [
        ("Bosses", "False"), ("Deck", "True"), ("Sideboard", "False"),
    ]  # fmt: skip
    cards = {card.text: card for card in root.iter("card")}
    assert cards["H&K MP5N"].attrib == {"qty": "2", "id": IDS["H&K MP5N"]}
    assert cards["Tracer x2"].get("id") == NOWHERE
    assert sum(int(card.attrib["qty"]) for card in root.iter("card")) == everything(known).deck.size
    missing = [loss.where for loss in written.losses if loss.code == "id_unknown"]
    assert missing == ["Boss", "Tracer x2", "Zoë"]


def test_o8d_keeps_notes_in_one_cdata_section(known: Game) -> None:
    text = export("o8d", known, everything(known)).text
    assert text.count("<![CDATA[") == text.count("]]>") == 1
    notes = tree(export("o8d", known, everything(known))).findtext("notes") or ""
    assert notes.splitlines() == [
        "-- Cutout --",
        'Name: Traps & "quotes" ]] >',
        "Format: open",
        "Players: 4",
        "Comment: two of each",
        "Written in: 1 Zoë | agent | Skills: lying, driving | Level: 3",
        "Not read: 7 Nobody Knows This One",
    ]


def test_o8d_of_a_game_without_a_plug_in_names_the_cards_and_says_so(sixth_game: Game) -> None:
    written = export("o8d", sixth_game, read_deck(sixth_game, "2 Zorka\n1 Sealed Box"))
    assert {card.get("id") for card in tree(written).iter("card")} == {NOWHERE}
    assert [loss.code for loss in written.losses] == ["plugin_unknown"]


def test_o8d_warns_of_names_that_two_cards_bear(game: Game) -> None:
    written = export("o8d", game, read_deck(game, "1 Tracer (TWO)"))
    assert [loss.where for loss in written.losses if loss.code == "name_ambiguous"] == ["Tracer"]


# -- GCCG -----------------------------------------------------------------------


def test_gccg_is_laid_out_as_gccg_does(known: Game) -> None:
    written = export(
        "gccg",
        known,
        read_deck(known, "// name: Ahnsen\n1 Boss\n2 Død Kalm\n1 Tracer (ONE)\nSideboard:\n1 X"),
    )
    assert (
        written.text == "#\n# GCCG v0.9.8.1 Awkward CCG deck\n#\n#      Ahnsen\n#\n"
        "\n# -- Cutout --\n# Prints: left open where no line here names one\n"
        "\n######\nAgents\n######\n\n#  (1)\n\n1 BOSS (1ST)\n"
        "\n####\nDeck\n####\n\n#  (4)\n\n2 DØD KALM\n1 TRACER (1ST)\n1 X\n"
    )
    assert written.data.decode("iso-8859-1") == written.text
    assert codes(written) == {"print_chosen": 1, "name_ambiguous": 1, "section_folded": 1}


def test_gccg_writes_the_parts_a_module_expects_even_when_empty(known: Game) -> None:
    text = export("gccg", known, read_deck(known, "1 X")).text
    assert "######\nAgents\n######\n\n####\nDeck" in text


def test_gccg_comments_keep_the_rest_and_replace_what_latin_1_lacks(known: Game) -> None:
    written = export("gccg", known, read_deck(known, "Players: 4\n1 X\n1 Łódź | agent"))
    assert "# Players: 4\n# Written in: 1 ?ód? | agent" in written.text
    assert codes(written) == {"detail_kept": 1, "facts_kept": 1, "characters_replaced": 1}


# -- LackeyCCG ------------------------------------------------------------------


def test_dek_has_one_element_a_copy_and_is_laid_out_as_lackey_does(known: Game) -> None:
    written = export("dek", known, read_deck(known, "1 Boss\n2 H&K MP5N"))
    assert written.text == (
        '<deck version="0.8">\n\t<meta>\n\t\t<game>awkwardplugin</game>\n\t</meta>\n\t<superzone'
        ' name="Leaders">\n\t\t<card><name'
        ' id="boss">Boss</name><set>ONE</set></card>\n\t</superzone>\n\t<superzone name="Deck">\n'
        + '\t\t<card><name id="c11">H&amp;K MP5N</name><set>ONE</set></card>\n' * 2
        + "\t</superzone>\n</deck>\n"
    )
    assert codes(written) == {"plugin_needed": 1, "print_chosen": 1}


def test_dek_drops_what_it_has_no_place_for_and_says_so(game: Game) -> None:
    written = export("dek", game, everything(game))
    assert len(list(tree(written).iter("card"))) == everything(game).deck.size
    assert {
        "name_dropped",
        "format_dropped",
        "detail_dropped",
        "comment_dropped",
        "facts_dropped",
        "line_dropped",
    } <= set(codes(written))


# -- Cockatrice -----------------------------------------------------------------


def test_cod_keeps_to_the_published_schema(game: Game) -> None:
    """deck.xsd: deckname, comments, then zones of cards with number and name, in this order and nothing
    else.
    """
    reading = everything(game)
    root = tree(export("cod", game, reading))
    assert (root.tag, root.attrib) == ("cockatrice_deck", {"version": "1"})
    assert [child.tag for child in root] == ["deckname", "comments", "zone", "zone"]
    assert root.findtext("deckname") == reading.deck.name
    assert [zone.attrib for zone in root.iter("zone")] == [{"name": "main"}, {"name": "side"}]
    for card in root.iter("card"):
        assert set(card.attrib) == {"number", "name"}
        assert len(card) == 0 and not card.text
    in_zone = {
        zone.get("name"): sum(int(card.attrib["number"]) for card in zone) for zone in root.iter("zone")
    }
    assert in_zone == {"main": 2 * len(NAMES) + 2, "side": 3}


def test_cod_says_what_was_folded_and_what_was_moved(game: Game, known: Game) -> None:
    folded = export("cod", game, read_deck(game, "Leaders:\n4 Boss\nDeck:\n5 X"))
    assert [loss.message for loss in folded.losses if loss.code == "section_folded"] == [
        "4 cards of Leaders folded into main."
    ]
    moved = export("cod", known, read_deck(known, "Leaders:\n4 Boss\nDeck:\n5 X"))
    assert [loss.message for loss in moved.losses if loss.code == "section_renamed"] == [
        "4 cards of Leaders stand in the zone tokens."
    ]
    assert "section_folded" not in codes(moved)


def test_cod_comments_keep_what_cockatrice_has_no_place_for(game: Game) -> None:
    comments = tree(export("cod", game, everything(game))).findtext("comments") or ""
    assert comments.splitlines()[:4] == ["-- Cutout --", "Format: open", "Players: 4", "Comment: two of each"]


def test_deck_hashes_are_those_of_cockatrice() -> None:
    assert deck_hash(()) == "r8sq7riu"
    assert deck_hash([(1, "Mountain"), (2, "Island")], [(3, "Forest")]) == "5cac19qm"
    assert deck_hash([(2, "island"), (1, "MOUNTAIN")], [(3, "Forest")]) == "5cac19qm"


# -- Tabletop Simulator ---------------------------------------------------------


def test_tts_decks_and_sheets_agree(game: Game) -> None:
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
    assert objects[0]["Description"].split("\n") == [
        "Leader",
        'Traps & "quotes" ]]>: Leaders',
        "-- Cutout --",
        "Format: open",
        "Players: 4",
        "Comment: two of each",
        "Written in: 1 Zoë | agent | Skills: lying, driving | Level: 3",
        "Not read: 7 Nobody Knows This One",
    ]


def test_tts_says_which_pictures_are_needed(game: Game) -> None:
    losses = export("tts", game, read_deck(game, "2 X")).losses
    assert [loss.code for loss in losses] == ["pictures_needed"]
    assert "awkward-deck-sheet-1.png" in losses[0].message


def test_tts_shows_the_facts_of_a_card_that_is_written_in(game: Game) -> None:
    written = export("tts", game, read_deck(game, "2 Zoë | agent | level: 3"))
    assert (
        json.loads(written.text)["ObjectStates"][0]["ContainedObjects"][0]["Description"] == "Agent\nLevel: 3"
    )
    assert codes(written) == {"pictures_needed": 1, "facts_kept": 1}


def test_tts_starts_a_second_sheet_after_seventy_cards(game: Game) -> None:
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
        (43, (8, 6)),
        (50, (8, 7)),
        (52, (8, 7)),
        (60, (9, 7)),
        (65, (10, 7)),
        (70, (10, 7)),
    ],
)
def test_sheets_have_the_size_other_tools_give_them(count: int, size: tuple[int, int]) -> None:
    assert grid(count) == size


@pytest.mark.parametrize("count", [0, 71, 100])
def test_no_sheet_holds_more_than_seventy_cards(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 70"):
        grid(count)


@pytest.mark.parametrize("name", ["dek", "tts"])
def test_a_short_list_of_very_many_copies_makes_no_huge_file(game: Game, name: str) -> None:
    reading = read_deck(game, "\n".join(f"99 {card}" for card in NAMES))
    written = export(name, game, reading)
    assert [loss.message for loss in written.losses if loss.code == "too_many_cards"] == [
        "1,881 cards: this format writes every copy, so the file has the first 1,000."
    ]
    assert len(written.text) < 2_000_000


# -- print orders ---------------------------------------------------------------


def test_mpc_fills_every_slot_once(game: Game) -> None:
    reading = everything(game)
    written = export("mpc", game, reading)
    root = tree(written)
    assert [child.tag for child in root] == ["details", "fronts", "cardback"]
    slots = [int(slot) for text in root.iter("slots") for slot in (text.text or "").split(",")]
    assert sorted(slots) == list(range(reading.deck.size))
    assert root.findtext("details/quantity") == str(reading.deck.size)
    twoshy = next(card for card in root.iter("card") if card.findtext("query") == "2Shy")
    assert (twoshy.findtext("id"), twoshy.findtext("sourceType")) == ("cards/c3.png", "Local File")
    assert len((twoshy.findtext("slots") or "").split(",")) == 5
    assert codes(written)["section_folded"] == 2


def test_mpc_gives_cards_of_one_name_but_other_facts_pictures_of_their_own(game: Game) -> None:
    reading = read_deck(game, "Deck:\n1 Zoë | agent | level: 1\nSideboard:\n1 Zoë | agent | level: 2")
    names = [name.text for name in tree(export("mpc", game, reading)).iter("name")]
    assert len(names) == 2
    assert names[1] == (names[0] or "").replace(".png", "-2.png")


def test_mpc_says_when_an_order_is_too_large(game: Game) -> None:
    names = "\n".join(f"90 {name}" for name in NAMES[:7])
    assert codes(export("mpc", game, read_deck(game, names)))["order_too_large"] == 1
