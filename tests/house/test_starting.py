"""Commands take what is brought in files, and end quietly when nobody reads on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardsdb.management.commands.new_game import write_new_game

ROOT = Path(__file__).parent.parent.parent


def output_of(*arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.fixture
def deck(tmp_path: Path, agency_text: str) -> str:
    path = tmp_path / "deck.txt"
    path.write_text(agency_text)
    return str(path)


def test_converting_a_deck_takes_texts_from_a_file(deck: str, tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("name,text\nNathan Sparks,Hides well.\n")
    output_of(
        "convert_deck",
        deck,
        "--to",
        "csv",
        "-o",
        str(tmp_path / "deck.csv"),
        "--texts",
        str(tmp_path / "texts.csv"),
    )
    assert "Hides well." in (tmp_path / "deck.csv").read_text()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--site", "https://cutout.example", "--qr", "list"), "54 cards"),
        (("--site", "https://cutout.example", "--extras", "labels"), "1 card of labels"),
        (("--texts", "{folder}/texts.csv"), "54 cards"),
        (("--pictures", "{folder}"), "54 cards"),
    ],
)
def test_printing_a_deck_takes_what_is_brought_and_leads_to_the_site(
    deck: str, tmp_path: Path, asked: tuple[str, ...], says: str
) -> None:
    (tmp_path / "texts.csv").write_text("name,text\nNathan Sparks,Hides well.\n")
    asked = tuple(word.format(folder=tmp_path) for word in asked)
    said = output_of("print_deck", deck, "--game", "spycraft", "-o", str(tmp_path / "deck.pdf"), *asked)
    assert says in said


def test_a_game_that_is_data_of_the_site_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    (tmp_path / "deck.txt").write_text("1 Ada Quill\n")
    monkeypatch.setenv("CUTOUT_VAR", str(tmp_path))
    assert "1 card," in output_of(
        "print_deck", str(tmp_path / "deck.txt"), "--game", "night-train", "-o", str(tmp_path / "deck.pdf")
    )


def test_a_command_whose_output_nobody_reads_ends_quietly(deck: str) -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "check_deck", deck],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    ) as command:
        assert command.stdout and command.stderr
        command.stdout.close()
        said = command.stderr.read()
    assert (command.returncode, said) == (141, b"")
