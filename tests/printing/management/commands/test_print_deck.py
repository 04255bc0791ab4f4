"""``print_deck`` writes what it is asked for to a file and says what that is; what cannot be is refused
before anything is written.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardsdb.management.commands.new_game import write_new_game
from tests import ROOT
from tests.support.commands import Said, listed, run

__all__ = ["listed"]


def printed(path: str, out: Path, *options: str) -> Said:
    return run("print_deck", path, "--game", "spycraft", "-o", str(out), *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--paper", "letter", "--trim", "standard"), ("54 cards", "63 × 88 mm")),
        (("--only", "t:leader"), ("4 cards found by “t:leader”",)),
        (("--site", "https://cutout.example/", "--extras", "labels"), ("1 card of labels",)),
        (("--texts", "{folder}/texts.csv", "--pictures", "{folder}"), ("54 cards",)),
    ],
)
def test_a_deck_is_printed_to_a_file_and_it_is_said_what_was_printed(
    listed: Any, tmp_path: Path, agency_text: str, options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    listed("name,text\nNathan Sparks,Hides well.\n", "texts.csv")
    out = tmp_path / "deck.pdf"
    status, said, _ = printed(listed(agency_text), out, *(word.format(folder=tmp_path) for word in options))
    assert status == 0 and [word for word in words if word not in said] == []
    assert out.read_bytes().startswith(b"%PDF")


def test_backs_as_a_file_of_their_own_are_not_hidden_in_a_pdf(listed: Any, tmp_path: Path) -> None:
    wrong, right = tmp_path / "sep.pdf", tmp_path / "sep.zip"
    refused = printed(listed("1 Kai"), wrong, "--backs", "separate")
    assert refused.status and "name it sep.zip" in refused.err and not wrong.exists()
    status, said, _ = printed(listed("1 Kai"), right, "--backs", "separate")
    assert status == 0 and "a zip of 2 files" in said and "-backs.pdf" in said


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("cut-svg", "c.svg", "Cut path, SVG"),
        ("tabletop", "t.zip", "1 card on 1 sheet of pictures, and the saved object"),
    ],
)
def test_another_file_says_what_was_written(
    listed: Any, tmp_path: Path, kind: str, name: str, words: str
) -> None:
    status, said, _ = printed(listed("1 Kai"), tmp_path / name, "--as", kind)
    assert status == 0 and words in said


def test_the_site_of_a_qr_code_is_an_address_without_a_path(listed: Any, tmp_path: Path) -> None:
    status, said, _ = printed(
        listed("1 Kai"), tmp_path / "deck.pdf", "--qr", "list", "--site", "https://cutout.example/"
    )
    assert status == 0 and "no QR code" not in said


@pytest.mark.parametrize(
    "address",
    [
        "cutout.example",
        "http://[",
        "https://[::1",
        "file:///tmp",
        "https://a b",
        "https://a/b",
        "https://a?b",
    ],
)
def test_what_is_no_address_of_a_site_is_refused(listed: Any, tmp_path: Path, address: str) -> None:
    out = tmp_path / "deck.pdf"
    refused = printed(listed("1 Kai"), out, "--site", address)
    assert refused.status == 2 and not out.exists()
    assert f"“{address}” is no address of a site" in refused.err


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1 Kai", ("--paper", "a0")),
        ("1 Kai", ("--trim", "huge")),
        ("1 Kai", ("--gap", "-1")),
        ("1 Kai", ("--marks", "perhaps")),
        ("1 Kai\n1 Nobody", ()),
        ("\n", ()),
    ],
)
def test_what_cannot_be_printed_exits_with_2_and_writes_nothing(
    listed: Any, tmp_path: Path, text: str, options: tuple[str, ...]
) -> None:
    out = tmp_path / "deck.pdf"
    assert printed(listed(text), out, *options).status == 2 and not out.exists()


def test_a_game_that_is_data_of_the_site_is_known(
    listed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is begun as anybody begins it: where games are looked for is settled at the start."""
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    monkeypatch.setenv("CUTOUT_VAR", str(tmp_path))
    words = ("print_deck", listed("1 Ada Quill\n"), "--game", "night-train", "-o", str(tmp_path / "deck.pdf"))
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "1 card," in done.stdout
