"""The command line: the same objects as the API, and exit statuses that scripts can use."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client


def run(*args: str) -> tuple[int, str]:
    """(exit status, standard output) of a management command."""
    out = io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=io.StringIO())
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def listed(tmp_path: Path) -> Any:
    def write(text: str | bytes, name: str = "deck.txt") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


def test_a_legal_deck_exits_with_0(listed: Any, agency_text: str) -> None:
    status, said = run("check_deck", listed(agency_text), "--game", "spycraft")
    assert status == 0
    assert said.startswith("LEGAL")


def test_a_deck_that_is_not_legal_exits_with_1_and_names_the_line_of_the_rulebook(
    listed: Any, agency_text: str
) -> None:
    status, said = run("check_deck", listed(agency_text + "\n4 Termite"), "--game", "spycraft")
    assert status == 1
    assert "AG-4" in said and "line 430" in said and "Take out 1 Termite" in said


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1 Kai", "chess"),
        ("\n", "nothing"),
        (b"1 Kai\n\xff\xfe\xfa", "spycraft"),
        ("x" * 300_000, "spycraft"),
    ],
)
def test_what_cannot_be_read_exits_with_2(listed: Any, text: Any, game: str) -> None:
    assert run("check_deck", listed(text), "--game", game)[0] == 2


def test_a_list_of_which_nothing_is_read_exits_with_2(listed: Any) -> None:
    assert run("check_deck", listed("1 Nobody\n2 Nothing"), "--game", "spycraft")[0] == 2


def test_a_missing_file_exits_with_2() -> None:
    assert run("check_deck", "/nowhere/deck.txt", "--game", "spycraft")[0] == 2


def test_standard_input_is_a_file_called_dash(monkeypatch: pytest.MonkeyPatch, agency_text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(agency_text.encode())))
    assert run("check_deck", "-", "--game", "spycraft")[0] == 0


def test_utf_16_from_a_windows_editor_is_read(listed: Any, agency_text: str) -> None:
    assert run("check_deck", listed(agency_text.encode("utf-16")), "--game", "spycraft")[0] == 0


def test_a_deck_with_hundreds_of_faults_is_offered_a_few_repairs(listed: Any) -> None:
    """Each repair costs one more judgement: trying all 880 once took more than a minute."""
    from cardsdb.games import games
    from cardsdb.games.kit import Entry
    from cardsdb.games.kit.listtext.deck import line_for

    game = games()["spycraft"]
    text = "\n".join(line_for(game, Entry(card, 4, "deck")) for card in game.cards)
    _, said = run("check_deck", listed(text), "--game", "spycraft", "--json")
    violations = json.loads(said)["violations"]
    assert len(violations) > 800
    assert 0 < sum(bool(violation["repairs"]) for violation in violations) <= 12


@pytest.mark.django_db
def test_the_command_and_the_api_give_the_same_object(listed: Any, client: Client, agency_text: str) -> None:
    text = agency_text + "\n4 Termite\n1 Nobody"
    _, said = run("check_deck", listed(text), "--game", "spycraft", "--json")
    body = json.dumps({"game": "spycraft", "text": text})
    assert (
        json.loads(said)
        == client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    )


def test_json_errors_are_an_error_list(listed: Any) -> None:
    status, said = run("check_deck", listed("1 Kai"), "--game", "chess", "--json")
    assert status == 2
    assert set(json.loads(said)[0]) == {"code", "message", "where"}


@pytest.mark.django_db
def test_search_prints_what_the_api_answers(client: Client) -> None:
    _, said = run("search", "type:leader craft>=5", "--game", "spycraft", "--json")
    found = json.loads(said)
    answered = client.get(
        "/api/v1/cards/", {"q": "type:leader craft>=5", "game": "spycraft", "page_size": 100}
    ).json()
    assert (found["count"], found["results"]) == (answered["count"], answered["results"])


@pytest.mark.django_db
def test_explain_says_how_a_query_is_understood() -> None:
    _, said = run("search", "craft>=", "--explain")
    assert {"normal", "words", "tree", "problems"} <= set(json.loads(said))


@pytest.mark.django_db
def test_a_query_that_is_not_understood_exits_with_2() -> None:
    assert run("search", "expanse:3")[0] == 2


def test_a_deck_is_printed_to_a_file(listed: Any, tmp_path: Path, agency_text: str) -> None:
    out = tmp_path / "deck.pdf"
    status, said = run(
        "print_deck",
        listed(agency_text),
        "--game",
        "spycraft",
        "-o",
        str(out),
        "--paper",
        "letter",
        "--trim",
        "standard",
    )
    assert status == 0
    assert "54 cards" in said and "63 × 88 mm" in said
    assert out.read_bytes().startswith(b"%PDF")


def test_of_a_deck_the_cards_are_printed_that_a_query_finds(
    listed: Any, tmp_path: Path, agency_text: str
) -> None:
    out = tmp_path / "leaders.pdf"
    asked = ("--game", "spycraft", "-o", str(out), "--only", "t:leader")
    status, said = run("print_deck", listed(agency_text), *asked)
    assert status == 0 and "4 cards found by “t:leader”" in said


def test_backs_as_a_file_of_their_own_are_not_hidden_in_a_pdf(listed: Any, tmp_path: Path) -> None:
    wrong, right = tmp_path / "sep.pdf", tmp_path / "sep.zip"
    asked = ("print_deck", listed("1 Kai"), "--game", "spycraft", "--backs", "separate", "-o")
    said_of_it = io.StringIO()
    with pytest.raises(SystemExit):
        call_command(*asked, str(wrong), stderr=said_of_it)
    assert "name it sep.zip" in said_of_it.getvalue() and not wrong.exists()
    status, said = run(*asked, str(right))
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
    status, said = run(
        "print_deck", listed("1 Kai"), "--game", "spycraft", "--as", kind, "-o", str(tmp_path / name)
    )
    assert status == 0 and words in said


def test_the_site_of_a_qr_code_is_an_address_without_a_path(listed: Any, tmp_path: Path) -> None:
    asked = (
        "print_deck",
        listed("1 Kai"),
        "--game",
        "spycraft",
        "--qr",
        "list",
        "-o",
        str(tmp_path / "deck.pdf"),
        "--site",
    )
    status, said = run(*asked, "https://cutout.example/")
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
    said, out = io.StringIO(), tmp_path / "deck.pdf"
    with pytest.raises(SystemExit) as stop:
        call_command(
            "print_deck",
            listed("1 Kai"),
            "--game",
            "spycraft",
            "-o",
            str(out),
            "--site",
            address,
            stderr=said,
        )
    assert stop.value.code == 2 and not out.exists()
    assert f"“{address}” is no address of a site" in said.getvalue()


@pytest.mark.parametrize(
    "options", [["--paper", "a0"], ["--trim", "huge"], ["--gap", "-1"], ["--marks", "perhaps"]]
)
def test_an_option_that_cannot_be_exits_with_2_and_writes_nothing(
    listed: Any, tmp_path: Path, options: list[str]
) -> None:
    out = tmp_path / "deck.pdf"
    assert run("print_deck", listed("1 Kai"), "--game", "spycraft", "-o", str(out), *options)[0] == 2
    assert not out.exists()


def test_a_list_with_an_unread_line_is_not_printed(listed: Any, tmp_path: Path) -> None:
    out = tmp_path / "deck.pdf"
    assert run("print_deck", listed("1 Kai\n1 Nobody"), "--game", "spycraft", "-o", str(out))[0] == 2
    assert run("print_deck", listed("\n"), "--game", "spycraft", "-o", str(out))[0] == 2
    assert not out.exists()


@pytest.mark.django_db
def test_loading_again_changes_nothing() -> None:
    from cardsdb.catalogue.loader import load
    from cardsdb.games import games

    loaded = load(games()["spycraft"])
    assert (loaded.count("added"), loaded.count("changed"), loaded.count("retired")) == (0, 0, 0)


@pytest.mark.django_db
def test_a_card_that_changed_has_the_prints_of_its_folder_and_no_older_ones() -> None:
    from cardsdb.catalogue.loader import load
    from cardsdb.games import games
    from cardsdb.models import Card

    kai = Card.objects.get(game="spycraft", code="kai")
    kai.prints.create(set_code="OLD", number="1")
    Card.objects.filter(pk=kai.pk).update(digest="")
    load(games()["spycraft"])
    known = games()["spycraft"].card("kai")
    assert known is not None
    assert [(row.set_code, row.number) for row in kai.prints.all()] == [
        (print_.set, print_.number) for print_ in known.prints
    ]


@pytest.mark.django_db
def test_a_card_that_left_its_folder_is_retired_and_can_come_back() -> None:
    from cardsdb.catalogue.loader import load
    from cardsdb.games import games
    from cardsdb.models import Card

    stray = Card.objects.create(
        game="spycraft", code="stray", name="Stray", name_folded="stray", sort_name="stray", type="agent"
    )
    assert load(games()["spycraft"]).count("retired") == 1
    stray.refresh_from_db()
    assert stray.retired
    Card.objects.filter(code="kai").update(retired=True)
    assert load(games()["spycraft"]).count("changed") == 1
