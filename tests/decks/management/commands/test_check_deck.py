"""``check_deck`` judges a list as the API does, and its exit status is one that scripts can use."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Entry
from cardsdb.games.kit.listtext.deck import line_for
from tests import ROOT
from tests.support.commands import listed, run

__all__ = ["listed"]


def test_a_legal_deck_exits_with_0(listed: Any, agency_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, _ = run("check_deck", listed(agency_text), "--game", "spycraft")
    assert status == 0 and said.startswith("LEGAL")
    # As an editor of Windows writes it, and from standard input.
    assert run("check_deck", listed(agency_text.encode("utf-16")), "--game", "spycraft").status == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(agency_text.encode())))
    assert run("check_deck", "-", "--game", "spycraft").status == 0


def test_a_deck_that_is_not_legal_exits_with_1_and_names_the_line_of_the_rulebook(
    listed: Any, agency_text: str
) -> None:
    status, said, _ = run("check_deck", listed(agency_text + "\n4 Termite"), "--game", "spycraft")
    assert status == 1
    assert "AG-4" in said and "line 430" in said and "Take out 1 Termite" in said


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1 Kai", "chess"),
        ("\n", "nothing"),
        (b"1 Kai\n\xff\xfe\xfa", "spycraft"),
        ("x" * 300_000, "spycraft"),
        ("1 Nobody\n2 Nothing", "spycraft"),
        (None, "spycraft"),
    ],
)
def test_what_cannot_be_read_exits_with_2(listed: Any, text: Any, game: str) -> None:
    path = "/nowhere/deck.txt" if text is None else listed(text)
    assert run("check_deck", path, "--game", game).status == 2


def test_json_errors_are_an_error_list(listed: Any) -> None:
    status, said, _ = run("check_deck", listed("1 Kai"), "--game", "chess", "--json")
    assert status == 2 and set(json.loads(said)[0]) == {"code", "message", "where"}


def test_a_deck_with_hundreds_of_faults_is_offered_a_few_repairs(listed: Any) -> None:
    """Each repair costs one more judgement: trying all 880 once took more than a minute."""
    game = games()["spycraft"]
    text = "\n".join(line_for(game, Entry(card, 4, "deck")) for card in game.cards)
    violations = json.loads(run("check_deck", listed(text), "--game", "spycraft", "--json").out)["violations"]
    assert len(violations) > 800
    assert 0 < sum(bool(violation["repairs"]) for violation in violations) <= 12


@pytest.mark.django_db
def test_the_command_and_the_api_give_the_same_object(listed: Any, client: Client, agency_text: str) -> None:
    asked = {"game": "spycraft", "text": agency_text + "\n4 Termite\n1 Nobody"}
    said = run("check_deck", listed(asked["text"]), "--game", "spycraft", "--json").out
    answer = client.post("/api/v1/decks/validate/", asked, content_type="application/json")
    assert json.loads(said) == answer.json()


def test_a_command_whose_output_nobody_reads_ends_quietly(listed: Any, agency_text: str) -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "check_deck", listed(agency_text)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    ) as command:
        assert command.stdout and command.stderr
        command.stdout.close()
        said = command.stderr.read()
    assert (command.returncode, said) == (141, b"")
