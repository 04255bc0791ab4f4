"""Game folders with mistakes: each mistake is reported with its place, and nothing is stored."""

from dataclasses import replace

import pytest

from cardsdb.catalogue.loader import load
from cardsdb.games.kit import FolderError
from cardsdb.games.kit.folder.cards import MAX_LENGTHS, MAX_PROBLEMS
from cardsdb.models import Card, Edition, Print
from tests.support.game_folders import edited, with_cards

__all__ = ["edited"]


@pytest.mark.django_db
def test_a_mistake_is_reported_with_file_line_and_column_and_nothing_is_stored(edited):
    game = edited(("courier", "corrier"))
    before = Edition.objects.current().number
    with pytest.raises(FolderError) as raised:
        load(game)
    assert raised.value.problems[0].startswith(
        "deaddrop/cards.csv line 2, column type: type 'corrier' is not declared; use one of courier"
    )
    assert Edition.objects.current().number == before and not Card.objects.filter(game="deaddrop").exists()


@pytest.mark.django_db
def test_all_mistakes_of_a_folder_are_reported_at_once_up_to_a_limit(tmp_path, sixth_game):
    folder = with_cards(sixth_game, tmp_path, 200, kind="nothing")
    with pytest.raises(FolderError) as raised:
        load(replace(sixth_game, folder=folder))
    assert len(raised.value.problems) == MAX_PROBLEMS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "c1,One,courier,,,,,,nosuch,,,,,",
            "line 2, column source: source 'nosuch' is not among the documents",
        ),
        (
            "c1,One,parcel,,,,,,sheet,,,,heavy,",
            "line 2, column weight: Weight must be a whole number, not “heavy”; leave the cell empty",
        ),
        (
            "c1,One,courier,,,,,,sheet,,,,3,",
            "line 2, column weight: weight does not apply to a card of type courier; empty the cell",
        ),
        ("c 1,One,courier,,,,,,sheet,,,,,", "line 2, column code: 'c 1' cannot stand in an address"),
        ("c1, ,courier,,,,,,sheet,,,,,", "line 2, column name: every card needs a name"),
        ("c1,One,courier,,,,,,sheet,,,,", "line 2: not as many cells as the header (13, not 14)"),
        (
            f"c1,{'ﷺ' * 100},courier,,,,,,sheet,,,,,",
            "line 2, column name: longer than 200 characters when written without accents",
        ),
        ("c1,One\0,courier,,,,,,sheet,,,,,", "line 2, column name: holds an invisible character (U+0000)"),
        (
            "c1,One,courier,,,,,,sheet,,,,,\nc2,Two,courier,,,,,,sheet,,,,,\nc1,One,courier,,,,,,sheet,,,,,",
            "line 4, column code: 'c1' stands",
        ),
    ],
)
def test_each_mistake_has_its_message(sixth_game, tmp_path, line, message):
    folder = with_cards(sixth_game, tmp_path, 0)
    with (folder / "cards.csv").open("a") as file:
        file.write(line + "\n")
    problems: list[str] = []
    list(replace(sixth_game, folder=folder).card_files.cards(problems))
    assert [problem.startswith(f"deaddrop/cards.csv {message}") for problem in problems] == [True], problems


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("code,name,type", "line 1: column set is missing"),
        ("code,code,name,type,set,number,rarity,source", "line 1: column code is there twice"),
        (
            "code,name,type,set,number,rarity,source,wieght",
            "line 1: column wieght is neither a standard column nor a declared fact",
        ),
    ],
)
def test_a_wrong_header_is_a_single_mistake(sixth_game, tmp_path, header, message):
    folder = with_cards(sixth_game, tmp_path, 0)
    (folder / "cards.csv").write_text(f"{header}\nx,x\n")
    with pytest.raises(FolderError, match=message):
        list(replace(sixth_game, folder=folder).card_files.cards([]))


def test_a_file_that_is_not_utf_8_is_refused_with_advice(sixth_game, tmp_path):
    folder = with_cards(sixth_game, tmp_path, 3)
    with (folder / "cards.csv").open("ab") as file:
        file.write("c9,Sölve,courier".encode("latin-1"))
    with pytest.raises(FolderError, match="not UTF-8 text; save the file as UTF-8"):
        list(replace(sixth_game, folder=folder).card_files.cards([]))


def test_a_claim_about_a_missing_card_is_reported(sixth_game, tmp_path):
    folder = with_cards(sixth_game, tmp_path, 1)
    (folder / "claims.csv").write_text(
        "code,fact,value,document,section,lines,certainty,note\nnobody,city,Riga,sheet,,1,stated,\n"
    )
    problems: list[str] = []
    list(replace(sixth_game, folder=folder).card_files.cards(problems))
    assert problems == [
        "deaddrop/claims.csv line 2: no card has the code 'nobody'; correct it, or add the card to cards.csv"
    ]


@pytest.mark.parametrize(
    ("column", "table", "field"),
    [
        ("code", Card, "code"),
        ("name", Card, "name"),
        ("name", Card, "name_folded"),
        ("set", Print, "set_code"),
        ("number", Print, "number"),
        ("rarity", Print, "rarity"),
        ("print_code", Print, "code"),
        ("print_note", Print, "note"),
    ],
)
def test_a_cell_may_have_as_many_characters_as_its_database_column(column, table, field):
    assert MAX_LENGTHS[column] == table._meta.get_field(field).max_length


def test_cards_are_read_one_at_a_time(sixth_game, tmp_path):
    # The first card is there although the third line is wrong.
    folder = with_cards(sixth_game, tmp_path, 1)
    with (folder / "cards.csv").open("a") as file:
        file.write("c8,Eight,courier,,,,,,sheet,,,,,\nc9,Nine,nothing,,,,,,sheet,,,,,\n")
    assert next(iter(replace(sixth_game, folder=folder).card_files.cards())).code == "c0"
