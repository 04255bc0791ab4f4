"""Tables and plain lists of other sites and programs."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game
from decks.formats import Unreadable, format_of, read_any


def spycraft() -> Game:
    return games()["spycraft"]


TABLES = {
    "Archidekt": (
        "Quantity,Name,Finish,Edition Name,Edition Code,Scryfall ID,Collector"
        " Number\n2,Kai,Normal,Nightfall,ON,x,\n"
    ),
    "Deckbox": "Count,Tradelist Count,Name,Edition,Edition Code,Card Number\n2,,Kai,Nightfall,ON,\n",
    "Moxfield": "Count,Tradelist Count,Name,Edition,Condition,Foil,Collector Number\n2,,Kai,ON,Mint,,\n",
    "DragonShield": (
        '"sep=,"\nFolder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card'
        " Number,Printing\nBox,2,0,Kai,ON,Nightfall,,Normal\n"
    ),
    "TCGplayer": (
        "Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing\n2,Kai,Kai,Nightfall,,ON,Normal\n"
    ),
    "MTGO": "Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium\nKai,2,1,C,ON,,No\n",
    "TappedOut": "Board,Qty,Name,Printing,Foil\nmain,2,Kai,ON,\n",
    "a table": "name;copies\nKai;2\n",
}


@pytest.mark.parametrize("title", TABLES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_tables_of_other_sites_are_told_by_their_headers(title: str, encoding: str) -> None:
    data = TABLES[title].encode(encoding)
    assert format_of(data) == "csv"
    read = read_any(spycraft(), data)
    assert read.dialect == title
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai")]
    assert not read.reading.notices


def test_rows_with_no_whole_count_are_named_by_their_lines() -> None:
    table = (
        'count,name\r\n0,Kai\r\n\r\n-1,Kai\r\n2,"Kai"\r\n1e1,Termite\r\n'
        '²,Termite\r\n"1",Garotte\r\n100,Chen\r\n'
    )
    read = read_any(spycraft(), table.encode())
    assert [(e.count, e.card.name) for e in read.reading.deck] == [(2, "Kai"), (1, "Garotte")]
    assert [(loss.message, loss.where) for loss in read.losses] == [
        ("Left out: a row of 0 copies.", "line 2, column 1 (count)")
    ]
    assert [(u.line, u.code) for u in read.reading.unread] == [
        (4, "bad_count"),
        (6, "bad_count"),
        (7, "bad_count"),
        (9, "bad_count"),
    ]


def test_quotes_and_line_ends_within_cells_do_not_shift_the_lines() -> None:
    table = 'count,name,remark\r\n1,"RS-9, ""The Koffin""","two\r\nlines"\r\n1,Nobody At All,\r\n'
    read = read_any(spycraft(), table.encode())
    assert [e.card.name for e in read.reading.deck] == ['RS-9, "The Koffin"']
    assert [u.line for u in read.reading.unread] == [4]
    assert [(loss.code, loss.where) for loss in read.losses] == [("column_dropped", "line 1, column 3")]


def test_a_table_that_is_none_is_one_error_with_its_line() -> None:
    with pytest.raises(Unreadable) as refused:
        read_any(spycraft(), b"a,b\n1,2\n", "deck.csv")
    assert refused.value.where == "line 1"


@pytest.mark.parametrize(
    "bad", ['1,"open', "1," + "x" * 140_000, '1,"Nobody "At" All"', '1,"Nobody, "At" All",more', '"1"x,Kai']
)
def test_one_bad_row_is_named_by_its_line_and_the_others_are_read(bad: str) -> None:
    table = f'count,name,note\n2,Kai,"two\nlines"\n{bad}\n3,"Termite","two\nlines"\n'
    reading = read_any(spycraft(), table.encode()).reading
    assert [(e.count, e.card.name) for e in reading.deck] == [(2, "Kai"), (3, "Termite")]
    assert [line.line for line in reading.unread] == [4]


def test_quotes_and_commas_within_a_quoted_name_belong_to_the_name() -> None:
    table = 'count,name,type\n1,"RS-9, "The Koffin"",gear\n2,""Alice"",agent\n'
    reading = read_any(spycraft(), table.encode()).reading
    assert [(e.count, e.card.name) for e in reading.deck] == [(1, 'RS-9, "The Koffin"'), (2, '"Alice"')]


# -- codes of prints ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        '{"name": "Dark", "cards": {"XF96-0002v1": 1, "xf97-0001v2": 2, "XF96-9999v1": 1}}',
        '#,Set,Title,Type,Quantity\nXF96-0002v1,Premiere,"First "Aid"",Combat,1\n0001,the truth is out there,'
        '"Aura Of Invulnerability",Combat,2\n3,Premiere,"No "Such, Card"",Event,1\n',
    ],
    ids=["json", "csv"],
)
def test_a_deck_is_read_by_the_codes_or_numbers_of_its_prints(data: str) -> None:
    read = read_any(None, data.encode())
    assert (read.game.slug, len(read.reading.unread)) == ("xfiles", 1)
    assert [(e.count, e.card.code, e.marks.prints.label) for e in read.reading.deck] == [
        (1, "first-aid", "PRE 2"),
        (2, "aura-of-invulnerability", "TRU 1"),
    ]
    assert not read.reading.notices


PRINTS = ("PRE,2", "Premiere Edition,2", "pre,002", "Premiere,2/354", ",XF96-0002v1", "PRE,xf96-0002V1")


@pytest.mark.parametrize("asked", PRINTS)
def test_a_table_asks_for_a_print_as_people_write_it(asked: str) -> None:
    table = f"count,name,set,number\n1,First Aid,{asked}\n"
    reading = read_any(games()["xfiles"], table.encode()).reading
    assert [entry.marks.prints.label for entry in reading.deck] == ["PRE 2"]
    assert not reading.notices


LISTS = {
    "Forge": "[metadata]\nName=Night\n[Main]\n2 Kai|ON|1\n[Sideboard]\n1 Termite\n",
    "XMage": "NAME:Night\n2 [ON:12] Kai\nSB: 1 [ON:3] Termite\nLAYOUT MAIN:(1,1)(NONE,false,50)|([ON:12])\n",
    "Arena": "About\nName Night\n\nDeck\n2 Kai (ON) 12\n\nSideboard\n1 Termite (ON) 3\n",
    "Moxfield": "// Night\n2 Kai (ON) 12 *F*\n\nSIDEBOARD:\n1 Termite (ON) 3\n",
    "mwDeck": "// Night\n    2 [ON] Kai\nSB:  1 [] Termite\n",
    "Deckstats": "// Night\n2 [ON#12] Kai\n//Sideboard\n1 Termite\n",
    "mtg.wtf": "// Night\n2 Kai [ON:12] [foil]\n1 Termite\n",
    "Archidekt": "// Night\n2x Kai (on) 12 [Agents{noDeck}] ^Have,#37d67a^\n1x Termite (on) 3 [Agents]\n",
    "TappedOut": "// Night\n2x Kai *CMDR*\n1x Termite\n",
    "Apprentice": '// Night\nMD,2,"Kai",ON\nSB,1,Termite,ON\n',
    "Pokémon TCG Live": "// Night\n##Agents - 3\n* 2 Kai ON 12\n* 1 Termite ON 3\n",
    "": "// Night\n[2] Kai\nTermite x1\n",
}


WITH_SIDEBOARD = ("Forge", "XMage", "Arena", "Moxfield", "mwDeck", "Deckstats", "Apprentice")


@pytest.mark.parametrize("title", LISTS)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_the_lists_of_other_programs_are_read(title: str, ends: str) -> None:
    read = read_any(None, LISTS[title].replace("\n", ends).encode(), "deck.txt")
    assert (read.format, read.game.slug) == ("text", "spycraft")
    has_sideboard = title in WITH_SIDEBOARD
    whole = [(2, "Kai"), (1, "Termite")]
    assert [(e.count, e.card.name) for e in read.reading.deck] == (whole[:1] if has_sideboard else whole)
    assert ["Termite" in comment for comment in read.reading.comments] == [True] * has_sideboard
    assert read.reading.deck.name == "Night"
    assert not read.reading.unread
    if ends == "\n":
        assert read.dialect == title


@pytest.mark.parametrize(
    "text",
    [
        "// Fen\n2 Dod Kalm\n1 Abduction\n\n1 Blackmail\n",
        "2 Abduction\n\n1 Blackmail\n\n1 Amaru Urn\n",
        "Agents:\n1 Agent Fox Mulder\n\n1 Blackmail\n",
    ],
)
def test_blank_lines_divide_nothing(text: str) -> None:
    assert "sideboard" not in {e.section for e in read_any(games()["xfiles"], text.encode()).reading.deck}


@pytest.mark.parametrize(
    ("text", "slug"), [("1 Hitman\n1 Angel\n", "spynet"), ("1 Kai", "spycraft"), ("1 Abduction", "xfiles")]
)
def test_the_game_is_the_one_whose_cards_they_are(text: str, slug: str) -> None:
    assert read_any(None, text.encode()).game.slug == slug


def test_a_game_that_cannot_be_told_is_asked_for() -> None:
    with pytest.raises(Unreadable) as refused:
        read_any(None, b"1 Ambush\n1 Disarm\n")
    assert (refused.value.code, refused.value.where) == ("unknown_game", "game")


def test_a_list_of_cards_that_no_game_here_has_is_not_asked_for_its_game_alone() -> None:
    with pytest.raises(Unreadable) as refused:
        read_any(None, b"1 Nobody At All\n")
    assert (refused.value.code, refused.value.where) == ("foreign_game", "file")


@pytest.mark.parametrize(
    "table",
    [
        "count,name,maybeboard\n2,Kai,false\n1,Termite,true\n",
        "count,name,sideboard\n2,Kai,\n1,Termite,x\n",
        "count,name,board\n2,Kai,main\n1,Termite,Maybeboard{noDeck}{noPrice}\n",
        "count,name,section\n2,Kai,\n1,Termite,Wishlist\n",
        "count,name,categories\n2,Kai,Spies\n1,Termite,Spies; Considering\n",
        'count,name,Category\n2,Kai,\n1,Termite,"Spies,Maybeboard"\n',
        "count,name,part\n2,Kai,deck\n1,Termite,sideboard\n",
        "count,name,section,location\n2,Kai,deck,Box 1\n1,Termite,deck,wish list\n",
        "section,count,name,set,number,type,code\ndeck,2,Kai,,,,\nwishlist,1,Termite,,,,\n",
    ],
)
def test_a_row_beside_the_deck_does_not_count(table: str) -> None:
    read = read_any(spycraft(), table.encode())
    assert [(entry.count, entry.card.name) for entry in read.reading.deck] == [(2, "Kai")]
    assert "beside_the_deck" in [loss.code for loss in read.losses]
