"""A list is mended in its box: names put right together, repairs applied line by line."""

from __future__ import annotations

from html import unescape
from re import findall
from typing import Any

import pytest
from django.test import Client

from tests.support.pages import page_of

# Lists are judged in memory and nothing is stored. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
MISSPELT = "Mine, all of it\n2 Shiatzu\n1 Main Batle Tank\n1 Kia\n1 Termite\n"


def page(answer: Any) -> str:
    return answer.content.decode()


def box(shown: str) -> str:
    return (
        unescape(shown.split("<textarea")[1].split("</textarea>")[0].split(">", 1)[1])
        .lstrip("\n")
        .replace("\r\n", "\n")
    )


def test_likely_names_are_listed_before_the_button_that_takes_them_all(client: Client) -> None:
    shown = page(client.post("/check/", {"text": MISSPELT}))
    listed, _, button = shown.split('class="check-likely"')[1].partition("<button")
    assert findall('<ins class="name">([^<]+)', listed) == ["Shiatsu", "Main Battle Tank"]
    assert 'name="accept" value="2,3">Accept both' in button


def test_one_press_takes_all_of_them_and_no_other(client: Client) -> None:
    shown = page(client.post("/check/", {"text": MISSPELT, "accept": "2,3"}))
    assert box(shown) == MISSPELT.replace("Shiatzu", "Shiatsu").replace("Batle", "Battle")
    assert "2 names put right: Shiatsu and Main Battle Tank." in shown


@pytest.mark.parametrize("accept", ["4", "5", "99", "", "x", ",".join(["2"] * 9_000), "²"])
def test_a_line_without_a_likely_name_stays(client: Client, accept: str) -> None:
    answer = client.post("/check/", {"text": MISSPELT, "accept": accept})
    assert answer.status_code == 200
    assert box(page(answer)).split("\n")[2:] == MISSPELT.split("\n")[2:]


@pytest.mark.parametrize("line", ["1 Kia", "1 Glock 18", "1 Nobody Knows"])
def test_what_may_be_several_cards_is_not_surely_meant(client: Client, line: str) -> None:
    assert "check-likely" not in page(
        client.post("/check/", {"game": "spycraft", "text": f"{line}\n1 Termite\n"})
    )


def test_a_repair_is_made_in_the_lines_of_the_list_also_beside_unread_ones(
    client: Client, agency_text: str
) -> None:
    text = f"Night Watch, my own\n{agency_text}\nDeck:\n5 Termite // too many\n1 Nobody Knows This\n"
    change = page_of(client.post("/check/", {"text": text})).all("button", name="change")[0]["value"]
    mended = page(client.post("/check/repair/", {"text": text, "change": change}))
    assert "The repair is made." in mended
    assert "3 Termite // too many" in box(mended)
    assert [line for line in box(mended).split("\n") if "Termite" not in line] == [
        line for line in text.split("\n") if "Termite" not in line
    ]


def test_the_smallest_repair_stands_beside_the_verdict(client: Client, agency_text: str) -> None:
    shown = page(client.post("/check/verdict/", {"text": f"{agency_text}\n5 Termite\n"}))
    repair = shown.split('class="check-repair"')[1].split("</p>")[0]
    assert "Take out" in repair and "Termite" in repair and "then legal" in repair


def test_names_in_the_verdict_lead_to_their_cards(client: Client) -> None:
    shown = page(client.post("/check/", {"text": "4 Kai"}))
    assert '4 copies of <a class="name" href="/cards/spycraft/kai/">Kai</a>; 3 at most.' in shown
    assert "/cards/spycraft/kai/face.svg" in shown


def test_words_of_a_list_are_shown_as_words(client: Client) -> None:
    shown = page(
        client.post(
            "/check/", {"game": "spycraft", "text": "<script>alert(1)</script>\n2 Kai\n1 <b>Shiatzu\n"}
        )
    )
    assert "<script>alert" not in shown and "<b>Shiatzu" not in shown
