"""Decks as files of OCTGN, LackeyCCG and Cockatrice: written as these programs write them, and read as they
mean them.
"""

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export, read_any
from decks.formats.xml_decks import NOWHERE, deck_hash, hash_of
from tests.support.awkward_names import IDS, NAMES, codes, everything, tree
from tests.support.deck_files import cards, told

SPYCRAFT = games()["spycraft"]


# -- OCTGN


def test_o8d_has_ids_sections_and_shared_sections(known):
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


def test_o8d_keeps_notes_in_one_cdata_section(known):
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


def test_o8d_reports_unknown_ids_and_ambiguous_names(game, sixth_game):
    """A game without a plug-in has no ids; two cards may have one name."""
    written = export("o8d", sixth_game, read_deck(sixth_game, "2 Zorka\n1 Sealed Box"))
    assert {card.get("id") for card in tree(written).iter("card")} == {NOWHERE}
    assert [loss.code for loss in written.losses] == ["plugin_unknown"]
    twins = export("o8d", game, read_deck(game, "1 Tracer (TWO)"))
    assert [loss.where for loss in twins.losses if loss.code == "name_ambiguous"] == ["Tracer"]


def test_octgn_cards_are_found_by_id_before_their_name():
    kai = next(card for card in games()["spycraft"].cards if card.name == "Kai")
    text = (
        "\ufeff<?xml version='1.0' encoding='utf-8' standalone='yes'?><deck"
        " game='d1d8cc2c-e817-4b4d-9449-3315bbd3c643' sleeveid='9'><section name='Deck'><card qty='2'"
        f" id='{kai.fact('octgn_id')}'>Kay </card><card qty='1'"
        f" id='{'0' * 8}-0000-4000-8000-000000000000'>Termite</card><card qty='1' id='x'>Risky Business"
        " Nobody</card></section><section name='Dungeon' shared='True'><card qty='1'"
        " id=''>Garotte</card></section><notes>Mine</notes></deck>"
    )
    read = read_any(None, text.encode(), "deck.o8d")
    assert (read.format, read.game.slug, read.reading.notes) == ("o8d", "spycraft", "Mine")
    assert cards(read.reading) == [(2, "Kai"), (1, "Termite"), (1, "Garotte")]
    assert [notice.message for notice in read.reading.notices] == [
        "The file calls it “Kay”; by its id it is Kai."
    ]
    assert [(u.text, u.code, u.section) for u in read.reading.unread] == [
        ("1 Risky Business Nobody", "unknown_card", "deck")
    ]
    assert {loss.code for loss in read.losses} == {"sleeves_dropped", "section_unknown"}


# -- LackeyCCG


def test_dek_has_one_element_for_each_copy_in_lackeys_layout(known):
    written = export("dek", known, read_deck(known, "1 Boss\n2 H&K MP5N"))
    assert written.text == (
        '<deck version="0.8">\n\t<meta>\n\t\t<game>awkwardplugin</game>\n\t</meta>\n\t<superzone'
        ' name="Leaders">\n\t\t<card><name'
        ' id="boss">Boss</name><set>ONE</set></card>\n\t</superzone>\n\t<superzone name="Deck">\n'
        + '\t\t<card><name id="c11">H&amp;K MP5N</name><set>ONE</set></card>\n' * 2
        + "\t</superzone>\n</deck>\n"
    )
    assert codes(written) == {"plugin_needed": 1, "print_chosen": 1}


def test_dek_reports_what_it_drops(game):
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


def test_dek_is_read_although_its_xml_is_not_closed():
    text = (
        '<deck version="0.8"><meta><game>spycraft</game></meta><superzone name="Deck"><card><name'
        ' id="kai">Kai</name><set>ON</set></card><card><name'
        ' id="kai">Kai</name><set>ON</set></card><card><name id="">H&K'
        ' MP5N</name><set></set></card><superzone name="Leaders"><card><name id="clean-sweep">Clean'
        " Sweep</name></card>"
    )
    read = read_any(None, text.encode(), "")
    assert [(e.count, e.card.name, e.section) for e in read.reading.deck] == [
        (2, "Kai", "deck"), (1, "H&K MP5N", "deck"), (1, "Clean Sweep", "leaders"),
    ]  # fmt: skip


def test_dek_that_was_cut_off_says_where():
    data = '<deck version="0.8"><superzone name="Deck"><card><name>Kai</name></card>\n<card><name>Termite'
    assert [(sentence, place) for sentence, place in told(SPYCRAFT, data)] == [
        ("Left out: 1 card not closed by </card>.", "line 2, column 1"),
        ("The file ends without </deck>: its last cards may be missing.", "line 2, column 20"),
    ]


# -- Cockatrice


def test_cod_keeps_to_the_published_schema(game):
    """deck.xsd: deckname, comments, then zones with cards; a card has only the attributes number and name."""
    reading = everything(game)
    root = tree(export("cod", game, reading))
    assert (root.tag, root.attrib) == ("cockatrice_deck", {"version": "1"})
    assert [child.tag for child in root] == ["deckname", "comments", "zone", "zone"]
    assert root.findtext("deckname") == reading.deck.name
    assert [zone.attrib for zone in root.iter("zone")] == [{"name": "main"}, {"name": "side"}]
    for card in root.iter("card"):
        assert set(card.attrib) == {"number", "name"}
        assert len(card) == 0
        assert not card.text
    in_zone = {
        zone.get("name"): sum(int(card.attrib["number"]) for card in zone) for zone in root.iter("zone")
    }
    assert in_zone == {"main": 2 * len(NAMES) + 2, "side": 3}


def test_cod_reports_folded_and_moved_sections(game, known):
    folded = export("cod", game, read_deck(game, "Leaders:\n4 Boss\nDeck:\n5 X"))
    assert [loss.message for loss in folded.losses if loss.code == "section_folded"] == [
        "4 cards of Leaders put among those of main."
    ]
    moved = export("cod", known, read_deck(known, "Leaders:\n4 Boss\nDeck:\n5 X"))
    assert [loss.message for loss in moved.losses if loss.code == "section_renamed"] == [
        "4 cards of Leaders stand in the zone tokens."
    ]
    assert "section_folded" not in codes(moved)


def test_the_deck_hash_equals_cockatrices():
    assert deck_hash(()) == "r8sq7riu"
    assert deck_hash([(1, "Mountain"), (2, "Island")], [(3, "Forest")]) == "5cac19qm"
    assert deck_hash([(2, "island"), (1, "MOUNTAIN")], [(3, "Forest")]) == "5cac19qm"
    game = games()["xfiles"]
    first, again, without_sideboard = (
        hash_of(game, read_deck(game, text).deck)
        for text in ("2 Abduction\nSB: 1 Red Tape", "SB: 1 Red Tape\n2 Abduction", "2 Abduction\n1 Red Tape")
    )
    assert first == again != without_sideboard


def test_cod_of_newer_programs_is_read():
    text = (
        '<?xml version="1.0"?><cockatrice_deck'
        ' version="1.0"><lastLoadedTimestamp/><deckname>Night</deckname><format/><bannerCard'
        ' providerId="1">Kai</bannerCard><comments>line one\nline'
        " two</comments><tags><tag>fast</tag></tags><zone name='main'><card number='2' price='0' name='Kai'"
        " setShortName='ON' collectorNumber='999'/></zone><zone name='side'><card number='1'"
        " name='Termite'/></zone></cockatrice_deck>"
    )
    read = read_any(None, text.encode(), "")
    reading = read.reading
    assert (reading.deck.name, reading.notes, reading.tags) == ("Night", "line one\nline two", ("fast",))
    assert [(e.count, e.card.name, e.section) for e in reading.deck] == [(2, "Kai", "deck")]
    assert reading.comments == ("side: 1 Termite",)
    assert [(loss.message, loss.where) for loss in read.losses[2:]] == [
        ("“side” is no part of a Spycraft deck; kept as comments: 1 line.", "side")
    ]
    assert [loss.message for loss in read.losses[:2]] == [
        "Left out: the element bannerCard.",
        "Left out: the attribute price of card.",
    ]
    assert "999" in reading.notices[0].message
