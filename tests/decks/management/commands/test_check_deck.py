"""``check_deck`` judges a list, a file of any program, or many of them, without a database."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export
from decks.importing.file_import import judge_sent
from decks.management.commands.check_deck import MAX_LINE, verdicts
from tests import ROOT
from tests.support.card_lists import four_of_one
from tests.support.commands import Said, listed, run

__all__ = ["listed"]

GAME = games()["spycraft"]
STARTER = next(starter for starter in GAME.starters if starter.slug == "nine-tiger")
COD = (
    '<cockatrice_deck version="1"><deckname>Traps</deckname><zone name="main"><card number="2" name="Kai"/>'
    '<card number="1" name="Termiite"/></zone></cockatrice_deck>'
)


def checked(path: Path, content: str | bytes = b"", *options, **named) -> Said:
    """The result of the command for a file with this content."""
    if content:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run("check_deck", str(path), *options, **named)


def test_check_deck_judges_files_of_other_programs(tmp_path):
    path = tmp_path / "deck.o8d"
    code, words, _ = checked(path, export("o8d", GAME, read_deck(GAME, STARTER.text)).data)
    assert code == 0 and words.startswith("Read as a file of OCTGN")
    assert "LEGAL  Spycraft, Agency Deck: 5" in words
    answer = json.loads(checked(path, b"", "--json").out)
    assert answer["verdict"] == "legal" and answer["of_file"]["taken_for"] == "OCTGN"
    code, words, _ = checked(path, COD)
    assert code == 1 and "was not read: 1 Termiite" in words and "Did you mean: Termite?" in words


@pytest.mark.parametrize("text", ["<b>Agents</b>\n2 Kai", "<ul>\n<li>2 Kai</li>\n</ul>"])
def test_a_list_copied_with_html_tags_is_read_as_text(text):
    assert judge_sent(text.encode(), "spycraft").judged.deck.size == 2


@pytest.mark.parametrize("title", ["MZ", "RIFF Raff", "%PDF"])
def test_a_title_may_look_like_the_beginning_of_a_binary_file(tmp_path, title):
    _, words, _ = checked(tmp_path / "deck", f"{title}\n2 Kai\n1 Termite\n")
    assert words.startswith("INCOMPLETE  Spycraft")


def test_check_deck_judges_by_house_rules_and_offers_repairs(tmp_path, agency_text):
    asked = {"game": "spycraft", "format": "agency"}
    path = tmp_path / "deck.txt"
    code, words, _ = checked(path, agency_text, "--json", house="AG-3.at_least=90", **asked)
    report = json.loads(words)
    assert code == 1 and report["house"] == "AG-3.at_least=90"
    assert report["violations"][0]["house"] == "By house rule 90; the rulebook says 50."
    code, words, _ = checked(path, four_of_one(agency_text), "--repair", **asked)
    assert code == 1 and "Repair 1, then legal: Take out 1 " in words


# -- many at once ---------------------------------------------------------------------


def batch(path: Path, *lines, **defaults) -> list[dict[str, Any]]:
    """The answers for a file with these lines."""
    if lines:
        path.write_text("\n".join(lines))
    return list(verdicts(str(path), defaults))


OF_KAI = '{"game": "spycraft", "text": "4 Kai", "file": "kai.txt", "line": 7}'


def test_every_line_of_a_batch_gets_its_answer(tmp_path):
    legal = json.dumps({"format": "agency", "text": STARTER.text})
    first, second = batch(tmp_path / "decks.jsonl", legal, "", OF_KAI, game="spycraft")
    assert (first["line"], first["verdict"]) == (1, "legal")
    assert (second["line"], second["verdict"]) == (3, "illegal")
    assert not second.keys() & {"of_file", "file"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("garbage", "bad_json"),
        ("[]", "bad_json"),
        ('{"game": "spycraft"}', "bad_json"),
        ('{"game": 1, "text": "2 Kai"}', "bad_json"),
        ('{"game": "spycraft", "format": "nope", "text": "2 Kai"}', "unknown_format"),
        ("[" * 100_000, "bad_json"),
        ('{"game": "spycraft", "text": "2 Kai\\u0000"}', "bad_json"),
        ("x" * (2 * MAX_LINE + 5), "too_large"),
    ],
    ids=lambda words: words[:40],
)
def test_a_bad_line_does_not_stop_the_batch(tmp_path, line, code):
    first, second = batch(tmp_path / "decks.jsonl", line, OF_KAI)
    assert (first["errors"][0]["code"], second["line"], second["verdict"]) == (code, 2, "illegal")


def test_a_folder_of_lists_and_files_is_judged_file_by_file(tmp_path, agency_text):
    for name, text in (("a.txt", agency_text), ("b.txt", "4 Kai"), ("c.cod", COD)):
        (tmp_path / name).write_text(text)
    code, words, _ = checked(tmp_path, b"", "--batch", format="agency")
    found = list(map(json.loads, words.splitlines()))
    assert code == 0 and [(answer["file"], answer["verdict"]) for answer in found] == [
        ("a.txt", "legal"),
        ("b.txt", "illegal"),
        ("c.cod", "incomplete"),
    ]
    assert found[2]["of_file"]["taken_for"] == "Cockatrice" and found[2]["unread"][0]["text"] == "1 Termiite"
    assert "of_file" not in found[0]


def test_a_legal_deck_exits_with_0(listed, agency_text, monkeypatch):
    status, output, _ = run("check_deck", listed(agency_text), "--game", "spycraft")
    assert status == 0 and output.startswith("LEGAL")
    # In the encoding of Windows editors, and from standard input.
    assert run("check_deck", listed(agency_text.encode("utf-16")), "--game", "spycraft").status == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(agency_text.encode())))
    assert run("check_deck", "-", "--game", "spycraft").status == 0


def test_an_illegal_deck_exits_with_1_and_cites_the_rulebook(listed, agency_text):
    status, output, _ = run("check_deck", listed(agency_text + "\n4 Termite"), "--game", "spycraft")
    assert status == 1
    assert "AG-4" in output and "line 430" in output and "Take out 1 Termite" in output


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1 Kai", "chess"),
        ("\n", "nothing"),
        (b"1 Kai\n\xff\xfe\xfa", "spycraft"),
        (b"\x89PNG", "spycraft"),
        ("x" * 300_000, "spycraft"),
        ("1 Nobody\n2 Nothing", "spycraft"),
        (None, "spycraft"),
    ],
)
def test_an_unreadable_list_exits_with_2(listed, text, game):
    path = "/nowhere/deck.txt" if text is None else listed(text)
    assert run("check_deck", path, "--game", game).status == 2


def test_json_errors_are_an_error_list(listed):
    status, output, _ = run("check_deck", listed("1 Kai"), "--game", "chess", "--json")
    assert status == 2 and set(json.loads(output)[0]) == {"code", "message", "where"}


@pytest.mark.django_db
def test_check_deck_and_the_api_give_the_same_json(listed, client, agency_text):
    asked = {"game": "spycraft", "text": agency_text + "\n4 Termite\n1 Nobody"}
    output = run("check_deck", listed(asked["text"]), "--game", "spycraft", "--json").out
    answer = client.post("/api/v1/decks/validate/", asked, content_type="application/json")
    assert json.loads(output) == answer.json()


def test_a_command_whose_output_nobody_reads_ends_quietly(listed, agency_text):
    with subprocess.Popen(
        [sys.executable, "manage.py", "check_deck", listed(agency_text)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    ) as command:
        assert command.stdout and command.stderr
        command.stdout.close()
        output = command.stderr.read()
    assert (command.returncode, output) == (141, b"")
