"""``manage.py print_deck``: every option of a print on the command line; texts and pictures out of files,
without any database.
"""

from __future__ import annotations

import io
from argparse import ArgumentParser
from pathlib import Path

import pytest
from django.core.management import call_command, load_command_class

from cardsdb.box.intake import add_wish
from cardsdb.faults import Refused
from cardsdb.games import games
from printing.management.commands.print_deck import brought
from printing.options.values import OPTIONS
from printing.request.print_request import Brought
from tests.support.answers import words
from tests.support.packages import zipped
from tests.support.pictures import coded, painted

GAME = games()["spycraft"]
ACTION = next(card for card in GAME.cards if card.type == "action")
GIF = coded(painted(size=(90, 120)), "GIF")


def printed(folder: Path, deck: str, *more: str) -> tuple[str, bytes]:
    """What the command says, and the file that it writes."""
    (folder / "deck.txt").write_text(deck, encoding="utf-8")
    said, out = io.StringIO(), folder / "out.pdf"
    arguments = (str(folder / "deck.txt"), "--game", "spycraft", "-o", str(out), *more)
    try:
        call_command("print_deck", *arguments, stdout=said, stderr=said)
    except SystemExit as ended:
        said.write(f"status {ended.code}")
    return said.getvalue(), out.read_bytes() if out.exists() else b""


def test_every_option_is_on_the_command_line() -> None:
    parser = load_command_class("printing", "print_deck").create_parser("manage.py", "print_deck")
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert {f"--{option.name.replace('_', '-')}" for option in OPTIONS} <= flags


def test_a_print_takes_texts_and_pictures_out_of_files(tmp_path: Path) -> None:
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / f"{ACTION.code}.png").write_bytes(coded(painted(size=(90, 126)), "PNG"))
    table = tmp_path / "mine.csv"
    table.write_text("name,text\nKai,Words of mine.\nNobody Knows,Lost.\n", encoding="utf-8")
    brought = ("--texts", str(table), "--pictures", str(tmp_path / "scans"))
    said, data = printed(tmp_path, f"1 Kai\n1 {ACTION.name}\n", *brought)
    assert "Nobody Knows" in said and "Words of mine." in words(data) and ACTION.name not in words(data)
    _, data = printed(tmp_path, f"1 Kai\n1 {ACTION.name}\n", *brought, "--pictures-as", "art")
    assert ACTION.name in words(data)
    said, _ = printed(tmp_path, "1 Kai\n", "--texts", str(tmp_path / "deck.bin"))
    assert "status" in said


def test_pictures_are_counted_and_the_exit_status_tells_whether_all_were_taken(tmp_path: Path) -> None:
    scans = tmp_path / "pack"
    scans.mkdir()
    (scans / "kai.gif").write_bytes(GIF)
    (scans / "termite.jxl").write_bytes(b"\xff\x0a" + bytes(30))
    said, data = printed(tmp_path, "1 Kai\n1 Termite\n", "--pictures", str(scans))
    assert said.endswith("status 3") and len(data) > 1_000
    assert "2 pictures: 1 taken (1 by id), 0 left, 1 refused" in said
    assert "termite.jxl: The picture is a JPEG XL" in said
    (scans / "termite.jxl").unlink()
    assert "status" not in printed(tmp_path, "1 Kai\n1 Termite\n", "--pictures", str(scans))[0]


def test_texts_come_with_what_was_not_understood_and_pictures_are_placed_by_their_names(
    tmp_path: Path,
) -> None:
    assert brought(GAME, "", "", tmp_path) == Brought("spycraft")
    (tmp_path / "mine.csv").write_text("name,text\nKai,Invented words.\nNobody,x,y,z\n")
    pictures = {"Kai.jpg": coded(painted()), "Termite.png": b"no picture"}
    (tmp_path / "mine.zip").write_bytes(zipped(pictures))
    found = brought(GAME, str(tmp_path / "mine.csv"), str(tmp_path / "mine.zip"), tmp_path)
    assert dict(found.texts) == {"kai": "Invented words."} and found.remarks
    assert list(found.pictures) == [("kai", "front")]


@pytest.mark.parametrize(
    ("name", "data", "code"), [("gone.csv", None, "unreadable"), ("empty.csv", b"", "empty")]
)
def test_a_file_that_cannot_be_read_is_refused_by_its_name(
    tmp_path: Path, name: str, data: bytes | None, code: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    for given in ((str(path), ""), ("", str(path))):
        with pytest.raises(Refused) as refused:
            brought(GAME, *given, tmp_path)
        assert [(fault.code, fault.where) for fault in refused.value.faults] == [(code, str(path))]


def test_a_command_says_what_pictures_are_and_what_becomes_of_their_bleed() -> None:
    parser = ArgumentParser()
    add_wish(parser)
    assert vars(parser.parse_args([])) == {"pictures_as": "", "pictures_bleed": "cut"}
    given = ["--pictures-as", "art", "--pictures-bleed", "keep"]
    assert vars(parser.parse_args(given)) == {"pictures_as": "art", "pictures_bleed": "keep"}
