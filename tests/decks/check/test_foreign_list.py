"""A whole file of another program is judged where a list is expected: on the command line, in a folder,
pasted on the page.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS, export
from decks.importing.file_import import judge_sent

GAME = games()["spycraft"]
STARTER = next(starter for starter in GAME.starters if starter.slug == "nine-tiger")
FOREIGN = [name for name in FORMATS if name not in ("text", "mpc")]
COD = (
    '<cockatrice_deck version="1"><deckname>Traps</deckname><zone name="main"><card number="2" name="Kai"/>'
    '<card number="1" name="Termiite"/></zone></cockatrice_deck>'
)


def told(path: Path, *options: str) -> tuple[str, str, Any]:
    out, err = io.StringIO(), io.StringIO()
    code = 0
    try:
        call_command("check_deck", str(path), *options, stdout=out, stderr=err)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return out.getvalue(), err.getvalue(), code


@pytest.mark.parametrize("name", FOREIGN)
def test_the_command_judges_the_file_of_any_program(tmp_path: Path, name: str) -> None:
    written = export(name, GAME, read_deck(GAME, STARTER.text))
    path = tmp_path / written.filename
    path.write_bytes(written.data)
    words, _, code = told(path)
    assert (
        code == 0
        and words.startswith(f"Read as a file of {FORMATS[name].title}")
        and "LEGAL  Spycraft, Agency Deck: 5" in words
    )
    answer = json.loads(told(path, "--json")[0])
    assert answer["verdict"] == "legal" and answer["of_file"]["taken_for"].startswith(FORMATS[name].title)


def test_a_file_without_its_ending_and_with_a_name_that_nobody_knows_keeps_the_line(tmp_path: Path) -> None:
    path = tmp_path / "deck"
    path.write_text(COD)
    words, _, code = told(path)
    assert code == 1 and "was not read: 1 Termiite" in words and "Did you mean: Termite?" in words


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("<cockatrice_deck><zone", "breaks off"),
        ('{"a": 1}', "no deck that is known"),
        ("\x89PNG", "a picture"),
    ],
)
def test_a_damaged_file_and_what_is_no_deck_are_refused_in_words(
    tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "deck"
    path.write_bytes(content.encode("latin-1"))
    _, err, code = told(path)
    assert code == 2 and says in err


@pytest.mark.parametrize("text", ["<b>Agents</b>\n2 Kai", "<li>2 Kai</li>", "<ul>\n<li>2 Kai</li>\n</ul>"])
def test_a_list_that_was_copied_with_the_elements_of_its_page_is_no_file(text: str) -> None:
    assert judge_sent(text.encode(), "spycraft").judged.deck.size == 2


@pytest.mark.parametrize("title", ["MZ", "RIFF Raff", "Rar!", "%PDF"])
def test_a_list_may_begin_as_pictures_and_programs_do(tmp_path: Path, title: str) -> None:
    path = tmp_path / "deck"
    path.write_text(f"{title}\n2 Kai\n1 Termite\n")
    assert told(path)[0].startswith("INCOMPLETE  Spycraft")


def test_a_folder_may_mix_them(tmp_path: Path) -> None:
    (tmp_path / "a.cod").write_text(COD)
    (tmp_path / "b.txt").write_text("2 Kai\n")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("check_deck", str(tmp_path), "--batch", stdout=out)
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first["of_file"]["taken_for"] == "Cockatrice" and first["unread"][0]["text"] == "1 Termiite"
    assert "of_file" not in second and second["game"] == "spycraft"


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_a_pasted_file_stands_in_the_field_as_our_list_and_is_corrected_there(client: Client) -> None:
    shown = client.post("/check/", {"text": COD}).content.decode()
    field = shown.split('id="id_text"')[1].split("</textarea>")[0]
    assert (
        "Read as a file of Cockatrice." in shown
        and "// name: Traps" in field
        and "1 Termiite" in field
        and "<zone" not in field
    )
    number = next(n for n, line in enumerate(field.split(">\n", 1)[1].split("\n"), 1) if line == "1 Termiite")
    assert f'value="{number}:Termite"' in shown
    corrected = client.post(
        "/check/", {"text": COD, "game": "spycraft", "correct": f"{number}:Termite"}
    ).content.decode()
    assert "1 Termite" in corrected and "Lines that were not read" not in corrected
    live = client.post("/check/verdict/", {"text": COD}).content.decode()
    assert "Read as a file of Cockatrice." in live


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_a_damaged_one_is_said_and_stays_in_the_field(client: Client) -> None:
    answer = client.post("/check/", {"text": "<cockatrice_deck><zone"})
    shown = answer.content.decode()
    assert answer.status_code == 400
    assert "its XML breaks off at" in shown and "&lt;cockatrice_deck&gt;&lt;zone" in shown


@pytest.mark.django_db
@pytest.mark.engine("sqlite")
def test_while_one_types_a_damaged_one_is_said_in_place_of_the_verdict(client: Client) -> None:
    answer = client.post("/check/verdict/", {"text": "<cockatrice_deck><zone"})
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert 'id="verdict">The file is damaged: its XML breaks off at line 1' in shown
    assert 'id="id_text"' not in shown
