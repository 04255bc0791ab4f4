"""Decks out of files: what a format writes it reads again, and what other programs write is read as they mean
it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Game, Marks, fold
from cardsdb.games.kit.listtext.line import unknown_card
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import FORMATS, ReadFile, export, format_of, read_any
from tests.support.awkward_names import EXPORTS, NAMES, awkward_game, everything

# What each format holds besides the cards; the others have no place for the rest and say so when they are
# written.
HOLD_ALL = ("text", "csv", "json", "o8d", "cod", "gccg", "tts")
HOLD_SECTIONS = ("text", "csv", "json", "o8d", "dek", "tts")
IDS = {"Kai": "33bee5c7-3ee2-4a62-9baf-0d1e744cc3a1"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return awkward_game(tmp_path_factory.mktemp("awkward"))


def counted(deck: Decklist, sections: bool = True, marks: bool = True) -> Counter[Any]:
    counts: Counter[Any] = Counter()
    for entry in deck:
        facts = tuple(sorted(entry.card.facts.items())) if entry.card.written else ()
        own_marks = entry.marks if marks else None
        counts[entry.section if sections else "", entry.card.code, entry.card.type, facts, own_marks] += (
            entry.count
        )
    return counts


def again(game: Game, name: str, reading: Reading) -> ReadFile:
    written = export(name, game, reading)
    return FORMATS[name].read(game, written.data, written.filename, games())


def with_all_marks(reading: Reading) -> Reading:
    first, *others = reading.deck.entries
    marked = replace(others[0], marks=Marks("see #4 // then | agent", ("blue", "late game"), True))
    deck = replace(reading.deck, entries=(first, marked, *others[1:]))
    return replace(
        reading,
        deck=deck,
        notes="One line\n\n  and: another\n# and more",
        tags=("control", "two words"),
        house="AG-4.limit=4",
    )


# -- round trips ------------------------------------------------------------------


@pytest.mark.parametrize("name", HOLD_ALL)
@pytest.mark.parametrize("known", [True, False])
def test_what_a_format_holds_comes_back_whole(game: Game, name: str, known: bool) -> None:
    configured = replace(game, exports=EXPORTS if known else {})
    reading = with_all_marks(everything(configured))
    read = again(configured, name, reading).reading
    # GCCG of this game folds its sideboard into the deck, and so two lines of one card into one.
    folds = name == "gccg" and known
    assert counted(read.deck, sections=not folds, marks=not folds) == counted(
        reading.deck, sections=not folds, marks=not folds
    )
    assert (read.deck.name, read.notes, read.tags, read.house) == (
        reading.deck.name,
        reading.notes,
        reading.tags,
        reading.house,
    )
    assert (read.format, dict(read.deck.details)) == ("open", {"players": 4})


@pytest.mark.parametrize("name", ["csv", "json", "o8d", "cod", "gccg", "tts"])
def test_a_line_that_was_not_read_stays_word_for_word(game: Game, name: str) -> None:
    assert [unread.text for unread in again(game, name, everything(game)).reading.unread] == [
        "7 Nobody Knows This One"
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_awkward_names_come_back_from_every_format(game: Game, name: str) -> None:
    entries = tuple(Entry(card, 2, "deck") for card in game.cards if card.name in NAMES)
    read = again(game, name, Reading(Decklist(entries)))
    assert counted(read.reading.deck, sections=name in HOLD_SECTIONS) == counted(
        Decklist(entries), sections=name in HOLD_SECTIONS
    )
    assert not read.reading.unread


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"mpc"}))
@pytest.mark.parametrize("slug", games())
def test_every_starter_comes_back_from_every_format_with_its_sections(name: str, slug: str) -> None:
    game = games()[slug]
    for starter in game.starters[:3]:
        reading = FORMATS["text"].read(game, starter.text.encode(), "", games()).reading
        read = again(game, name, reading).reading
        sections = name in HOLD_SECTIONS
        if name == "dek":  # It has no place for what the list itself says of a card.
            reading = replace(
                reading,
                deck=replace(reading.deck, entries=tuple(e for e in reading.deck if not e.card.written)),
            )
        assert {(s, c): n for (s, c, *_), n in counted(read.deck, sections).items()} == {
            (s, c): n for (s, c, *_), n in counted(reading.deck, sections).items()
        }
        assert name == "dek" or not read.unread


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("slug", games())
def test_every_card_of_every_game_comes_back_from_every_format(name: str, slug: str) -> None:
    game = games()[slug]
    cards = [card for card in game.cards if game.type_named(card.type).in_decks]
    for begin in range(0, len(cards), 250):
        some = cards[begin : begin + 250]
        entries = (Entry(card, 1 + at % 3, game.section_for(card.type)) for at, card in enumerate(some))
        deck, sections = Decklist(tuple(entries)), name in HOLD_SECTIONS
        # Two formats know a card by its name alone, and say so of names that several cards bear.
        losses = export(name, game, Reading(deck)).losses
        untold = {loss.where for loss in losses if loss.code == "name_ambiguous"}
        assert not untold or name in ("o8d", "gccg")
        read = again(game, name, Reading(deck)).reading
        told = Decklist(tuple(entry for entry in deck if entry.card.name not in untold))
        back = Decklist(tuple(entry for entry in read.deck if entry.card.name not in untold))
        assert counted(back, sections, marks=False) == counted(told, sections, marks=False)
        assert all(any(fold(name) in fold(line.text) for name in untold) for line in read.unread)


ENTRIES = st.lists(
    st.tuples(
        st.integers(0, len(NAMES) - 1),
        st.integers(1, 9),
        st.builds(
            Marks,
            st.text("ab#/|^ \"'é=", max_size=20).map(lambda note: " ".join(note.split())),
            st.lists(st.text("ab!é-", min_size=1, max_size=6), max_size=3, unique=True).map(tuple),
            st.booleans(),
        ),
    ),
    max_size=8,
    unique_by=lambda entry: entry[0],
)


@given(
    drawn=ENTRIES,
    notes=st.lists(st.text("ab:/# -=@", max_size=12).map(str.strip), max_size=3),
    name=st.text("ab c#:", max_size=9),
)
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name_of_format", ["text", "csv", "json", "o8d", "cod"])
def test_marks_and_notes_come_back_whatever_they_are(
    game: Game, name_of_format: str, drawn: list[tuple[int, int, Marks]], notes: list[str], name: str
) -> None:
    entries = tuple(Entry(game.cards[place], count, "deck", marks) for place, count, marks in drawn)
    reading = Reading(
        Decklist(entries, name=" ".join(name.split()) or "n"), notes="\n".join(notes).strip("\n")
    )
    read = again(game, name_of_format, reading).reading
    assert counted(read.deck) == counted(reading.deck)
    assert (read.notes, read.deck.name) == (reading.notes, reading.deck.name)


@pytest.mark.parametrize("name", FORMATS)
def test_a_card_nobody_knows_is_written_by_its_name_and_found_by_it_once_it_is_known(
    game: Game, name: str
) -> None:
    reading = Reading(
        Decklist(
            (Entry(unknown_card(game, "Kestrel #9"), 2, "deck"), Entry(game.cards[0], 1, "deck")), name="n"
        )
    )
    read = again(game, name, reading).reading
    still_unknown = [entry for entry in read.deck if entry.card.unknown]
    assert [e.card.name for e in still_unknown] + [u.text for u in read.unread] in (
        ["Kestrel #9"],
        ["2 Kestrel #9"],
    )
    renamed = replace(reading, deck=Decklist((Entry(unknown_card(game, "2Shy"), 2, "deck"),)))
    assert [entry.card.code for entry in again(game, name, renamed).reading.deck] == ["c3"]


# -- what other programs write --------------------------------------------------


def test_octgn_goes_by_the_id_and_shows_both_names() -> None:
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
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai"), (1, "Termite"), (1, "Garotte")]
    assert [notice.message for notice in read.reading.notices] == [
        "The file calls it “Kay”; by its id it is Kai."
    ]
    assert [(u.text, u.code, u.section) for u in read.reading.unread] == [
        ("1 Risky Business Nobody", "unknown_card", "deck")
    ]
    assert {loss.code for loss in read.losses} == {"sleeves_dropped", "section_unknown"}


GCCG = (
    "#\r\n# GCCG v0.9.8.1 The X-Files CCG deck\r\n#\r\n#     "
    " Fen\r\n#\r\n\r\n######\r\nAgents\r\n######\r\n\r\n#  (1)\r\n\r\n1 AGENT ALEX KRYCEK"
    " (TRU)\r\n\r\n####\r\nDeck\r\n####\r\n\r\n#  (3)\r\n\r\n2 DØD KALM\r\n1 NOBODY AT ALL"
    " (TRU)\r\n\r\n######\r\nXfiles\r\n######\r\n"
)


def test_gccg_is_read_in_latin_letters_with_its_sets_and_names_in_capitals() -> None:
    read = read_any(None, GCCG.encode("iso-8859-1"), "x.deck")
    assert (read.format, read.game.slug, read.reading.deck.name) == ("gccg", "xfiles", "Fen")
    assert [(e.count, e.card.name, e.section) for e in read.reading.deck] == [
        (1, "Agent Alex Krycek", "agents"),
        (2, "Død Kalm", "bureau"),
    ]
    assert [(u.line, u.text, u.section) for u in read.reading.unread] == [
        (22, "1 NOBODY AT ALL (TRU)", "bureau")
    ]


def test_lackey_is_read_although_its_xml_is_damaged() -> None:
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


def test_cockatrice_of_newer_programs_is_read_with_what_it_adds() -> None:
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


def test_tabletop_simulator_counts_by_the_ids_and_names_by_the_cards_in_the_deck() -> None:
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
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai"), (1, "Termite")]
    assert [loss.message for loss in read.losses] == [
        "1 card without a name left out: the file has only their pictures."
    ]


def test_a_print_order_is_read_by_its_slots() -> None:
    text = (
        "<order><details><quantity>5</quantity><bracket>18</bracket></details><fronts><card><id>1OAw4</id><slots>3,0</slots>"
        "<name>Kai (Bold).png</name><query>kai</query></card>"
        "<card><id>cards/termite.png</id><slots>1</slots><name>termite.png</name></card></fronts>"
        "<cardback>16g</cardback></order>"
    )
    read = read_any(games()["spycraft"], text.encode(), "")
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai"), (1, "Termite")]
    assert [loss.code for loss in read.losses] == ["slots_unfilled"]


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
def test_json_of_other_programs_is_read(content: dict[str, Any], dialect: str) -> None:
    read = read_any(games()["spycraft"], json.dumps(content).encode(), "deck.json")
    assert (read.dialect, read.reading.deck.name) == (dialect, "N")
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_is_known_by_what_stands_in_it(game: Game, name: str) -> None:
    written = export(name, game, everything(game))
    assert format_of(written.data, "deck.whatever") == name
    assert format_of(written.data.replace(b"\n", b"\r\n"), "") == name
