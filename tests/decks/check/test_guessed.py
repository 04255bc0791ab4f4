"""The check page and the API guess game and format, say so, and ask where a list leaves them open."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from tests.support.pages import page_of

# Lists are judged in memory and nothing is stored. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
AGENCY = next(starter.text for starter in games()["spycraft"].starters if starter.slug == "nine-tiger")
MIXED = "2 Kai\n2 Shiatsu\n1 Termite\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis\n"


def page(answer: Any) -> str:
    return answer.content.decode()


def options(shown: str, field: str) -> list[str]:
    return shown.split(f'id="{field}"')[1].split("</select>")[0].split('<option value="')[1:]


@pytest.mark.parametrize("address", ["/check/", "/check/verdict/"])
def test_a_list_alone_is_judged_and_says_as_what(client: Client, agency_text: str, address: str) -> None:
    shown = page(client.post(address, {"text": agency_text}))
    assert "It keeps every rule of Agency Deck." in shown
    assert "Guessed: the list says “Format: agency”." in shown
    assert options(shown, "id_game")[0].startswith('">Guessed: Spycraft')


def test_the_format_says_why_it_is_taken(client: Client) -> None:
    pack = next(
        starter.text for starter in games()["xfiles"].starters if starter.slug == "pack-second-edition-1"
    )
    text = "\n".join(line for line in pack.split("\n") if not line.startswith("//"))
    shown = page(client.post("/check/", {"text": text}))
    assert options(shown, "id_format")[0].startswith('">Guessed: Basic')
    assert "Basic: the list breaks none of its rules, unlike those of Advanced." in shown
    assert "Basic: the list" not in page(
        client.post("/check/", {"text": text, "game": "xfiles", "format": "basic"})
    )


def test_the_formats_of_one_game_are_offered(client: Client, agency_text: str) -> None:
    shown = page(client.post("/check/", {"text": agency_text}))
    assert [option.split('"')[0] for option in options(shown, "id_format")] == [
        "",
        *games()["spycraft"].formats_by_slug,
    ]
    assert 'id="id_format"' not in page(client.get("/check/")), "no game, no formats"
    chosen = page(client.get("/check/?game=spynet"))
    assert [option.split('"')[0] for option in options(chosen, "id_format")] == [
        "",
        *games()["spynet"].formats_by_slug,
    ]


@pytest.mark.parametrize("address", ["/check/", "/check/verdict/"])
def test_a_list_that_may_be_for_several_games_is_asked_about(client: Client, address: str) -> None:
    answer = client.post(address, {"text": MIXED})
    shown = page(answer)
    assert answer.status_code == 200 and "Which game is it for?" in shown and "verdict-title" not in shown
    first = shown.split('class="actions">', 2)[-1]
    assert first.index('value="spycraft"') < first.index('value="xfiles"') < first.index('value="spynet"'), (
        "likeliest first, all others after"
    )


def test_a_guess_is_changed_with_one_press(client: Client) -> None:
    shown = page(client.post("/check/", {"game": "", "text": MIXED, "read_as": "xfiles"}))
    assert 'value="xfiles" selected' in shown and "Guessed: The X-Files" not in shown
    shown = page(
        client.post("/check/", {"game": "", "text": "Players: 2\n1 Hitman\n", "read_as": "spynet/house"})
    )
    assert 'value="house" selected' in shown


def test_a_format_of_another_game_than_the_guessed_one_is_passed_over(
    client: Client, agency_text: str
) -> None:
    answer = client.post("/check/", {"game": "", "format": "draw-2", "text": agency_text})
    assert (answer.status_code, "It keeps every rule of Agency Deck." in page(answer)) == (200, True)


def test_a_list_that_looks_like_another_game_than_the_chosen_one_says_so(
    client: Client, agency_text: str
) -> None:
    shown = page_of(client.post("/check/", {"game": "xfiles", "text": agency_text}))
    assert "Its lines look like Spycraft." in shown.text
    assert shown.one("button", name="read_as", text="Read it as Spycraft")["value"] == "spycraft"
    assert "look like" not in page(
        client.post("/check/", {"game": "spycraft", "text": f"{agency_text}\n1 Nobody"})
    )


def test_a_short_first_line_is_taken_as_the_title_with_one_press(client: Client) -> None:
    text = "Mine\n2 Kai\n1 Termite\n"
    assert 'value="1:// title"' in page(client.post("/check/", {"text": text}))
    assert "// name: Mine\n2 Kai" in page(client.post("/check/", {"text": text, "correct": "1:// title"}))


def test_the_title_is_said_to_be_one(client: Client) -> None:
    assert "“Night Watch” was taken for the deck’s name." in page(
        client.post("/check/", {"text": "Night Watch\n2 Kai\n1 Termite\n"})
    )


def ask(client: Client, **body: str) -> Any:
    return client.post("/api/v1/decks/validate/", body, content_type="application/json")


def test_the_api_says_what_was_guessed(client: Client, agency_text: str) -> None:
    answer = ask(client, text=agency_text).json()
    assert (answer["game"], answer["format"]) == ("spycraft", "agency")
    assert answer["guessed"] == {"game": "the list says “Format: agency”", "format": "the list says so"}
    assert ask(client, text=agency_text, game="spycraft", format="agency").json()["guessed"] == {
        "game": "",
        "format": "",
    }


@pytest.mark.parametrize("text", [MIXED, "4 Lightning Bolt"])
def test_the_api_refuses_a_list_that_leaves_its_game_open(client: Client, text: str) -> None:
    answer = ask(client, text=text)
    (fault,) = answer.json()
    assert (answer.status_code, fault["code"], fault["where"]) == (400, "unknown_game", "game")
    assert "Spycraft (spycraft)" in fault["message"]
