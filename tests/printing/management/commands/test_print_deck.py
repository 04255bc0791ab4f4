"""``manage.py print_deck``: its options, own texts and pictures from files, the file it writes and its words
about it, and refusals. No test needs a database.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import load_command_class

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.management.commands.new_game import write_new_game
from printing.management.commands.print_deck import brought
from printing.options.values import OPTIONS
from tests import ROOT
from tests.support.answers import words
from tests.support.commands import Said, listed, run
from tests.support.pictures import coded, painted

__all__ = ["listed"]

GAME = games()["spycraft"]
ACTION = next(card for card in GAME.cards if card.type == "action")
GIF = coded(painted(size=(90, 120)), "GIF")


def printed(path: str, out: Path, *options: str) -> Said:
    return run("print_deck", path, "--game", "spycraft", "-o", str(out), *options)


def file_of(listed: Callable[[str], str], folder: Path, deck: str, *options: str) -> tuple[Said, bytes]:
    """(output of the command for a list, bytes of the file that it writes)."""
    out = folder / "out.pdf"
    return printed(listed(deck), out, *options), out.read_bytes() if out.exists() else b""


def test_every_option_of_a_print_is_on_the_command_line():
    parser = load_command_class("printing", "print_deck").create_parser("manage.py", "print_deck")
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert {f"--{option.name.replace('_', '-')}" for option in OPTIONS} <= flags


def test_a_print_uses_texts_and_pictures_from_files(listed, tmp_path):
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / f"{ACTION.code}.png").write_bytes(coded(painted(size=(90, 126)), "PNG"))
    table = listed("name,text\nKai,Words of mine.\nNobody Knows,Lost.\n", "mine.csv")
    deck, given = f"1 Kai\n1 {ACTION.name}\n", ("--texts", table, "--pictures", str(tmp_path / "scans"))
    output, data = file_of(listed, tmp_path, deck, *given)
    assert "Nobody Knows" in output.out + output.err
    # A picture of the whole card replaces its name; as art it does not.
    assert "Words of mine." in words(data) and ACTION.name not in words(data)
    _, data = file_of(listed, tmp_path, deck, *given, "--pictures-as", "art")
    assert ACTION.name in words(data)


def test_pictures_are_counted_and_the_exit_status_tells_if_some_were_refused(listed, tmp_path):
    scans = tmp_path / "pack"
    scans.mkdir()
    (scans / "kai.gif").write_bytes(GIF)
    (scans / "termite.jxl").write_bytes(b"\xff\x0a" + bytes(30))
    output, data = file_of(listed, tmp_path, "1 Kai\n1 Termite\n", "--pictures", str(scans))
    assert output.status == 3 and len(data) > 1_000
    assert "2 pictures: 1 taken (1 by id), 0 left, 1 refused" in output.out + output.err
    assert "termite.jxl: The picture is a JPEG XL" in output.out + output.err
    (scans / "termite.jxl").unlink()
    assert file_of(listed, tmp_path, "1 Kai\n1 Termite\n", "--pictures", str(scans))[0].status == 0


@pytest.mark.parametrize(
    ("name", "data", "code"), [("gone.csv", None, "unreadable"), ("empty.csv", b"", "empty")]
)
def test_a_file_that_cannot_be_read_is_refused_with_its_path(tmp_path, name, data, code):
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    for given in ((str(path), ""), ("", str(path))):
        with pytest.raises(Refused) as refused:
            brought(GAME, *given, tmp_path)
        assert [(fault.code, fault.where) for fault in refused.value.faults] == [(code, str(path))]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--paper", "letter", "--trim", "standard"), ("54 cards", "63 × 88 mm")),
        (("--only", "t:leader"), ("4 cards found by “t:leader”",)),
    ],
)
def test_a_deck_is_printed_to_a_file_and_the_output_describes_it(
    listed, tmp_path, agency_text, options, words
):
    out = tmp_path / "deck.pdf"
    status, output, _ = printed(listed(agency_text), out, *options)
    assert status == 0 and [word for word in words if word not in output] == []
    assert out.read_bytes().startswith(b"%PDF")


def test_separate_backs_need_the_name_of_a_zip(listed, tmp_path):
    wrong, right = tmp_path / "sep.pdf", tmp_path / "sep.zip"
    refused = printed(listed("1 Kai"), wrong, "--backs", "separate")
    assert refused.status and "name it sep.zip" in refused.err and not wrong.exists()
    status, output, _ = printed(listed("1 Kai"), right, "--backs", "separate")
    assert status == 0 and "a zip of 2 files" in output and "-backs.pdf" in output


def test_a_gap_may_be_any_part_of_a_millimetre(listed, tmp_path):
    output, data = file_of(listed, tmp_path, "2 Kai", "--gap", "2.5")
    assert output.status == 0 and "gap 2.5 mm" in words(data)


def test_a_qr_code_is_printed_for_an_address_of_a_site(listed, tmp_path):
    status, output, _ = printed(
        listed("1 Kai"), tmp_path / "deck.pdf", "--qr", "list", "--site", "https://cutout.example/"
    )
    assert status == 0 and "no QR code" not in output


@pytest.mark.parametrize(
    "address",
    [
        "cutout.example",
        "http://[",
        "file:///tmp",
        "https://a/b",
    ],
)
def test_a_text_that_is_no_address_of_a_site_is_refused(listed, tmp_path, address):
    out = tmp_path / "deck.pdf"
    refused = printed(listed("1 Kai"), out, "--site", address)
    assert refused.status == 2 and not out.exists()
    assert f"“{address}” is no address of a site" in refused.err


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1 Kai", ("--paper", "a0")),
        ("1 Kai\n1 Nobody", ()),
        ("\n", ()),
    ],
)
def test_an_impossible_print_exits_with_2_and_writes_nothing(listed, tmp_path, text, options):
    out = tmp_path / "deck.pdf"
    assert printed(listed(text), out, *options).status == 2 and not out.exists()


def test_a_game_in_the_data_folder_of_the_site_can_be_printed(listed, tmp_path, monkeypatch):
    """Runs in a process of its own, because the folders of games are set when Django starts."""
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    monkeypatch.setenv("CUTOUT_VAR", str(tmp_path))
    words = ("print_deck", listed("1 Ada Quill\n"), "--game", "night-train", "-o", str(tmp_path / "deck.pdf"))
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "1 card," in done.stdout
