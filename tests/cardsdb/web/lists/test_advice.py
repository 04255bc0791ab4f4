"""What the card list says to somebody whose question finds nothing, or of whose question a part was not
understood.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from cardsdb.search.ask import _nearest
from tests.support.pages import Page, page_of

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def answer_to(client: Client, query: str, **params: str) -> Any:
    return client.get("/cards/", {"q": query, **params}, follow=True)


def card_list(client: Client, query: str, **params: str) -> Page:
    return page_of(answer_to(client, query, **params))


def query_of(href: str) -> str:
    return parse_qs(urlsplit(href).query)["q"][0]


def total(client: Client, query: str) -> int:
    return int(answer_to(client, query, as_typed="1").context["page"].total)


# -- nothing found ------------------------------------------------------------------------


def test_the_part_that_emptied_the_page_comes_first_and_a_click_leaves_it_out(client: Client) -> None:
    page = card_list(client, "krypt agents certainly craft>=4", as_typed="1")
    first, *others = page.context["page"].no_results.parts
    assert (first.typed, first.alone, first.rest.count) == (
        "certainly",
        0,
        total(client, "krypt agents craft>=4"),
    )
    assert first.rest.count > 0
    assert query_of(first.rest.href) == "krypt agents craft>=4"
    assert {part.typed: part.alone for part in others} == {
        part: total(client, part) for part in ("krypt", "agents", "craft>=4")
    }
    assert all(part.rest.count == 0 for part in others)
    assert page.one("table", class_="no-results").link(f"{first.rest.count} cards") == first.rest.href


def test_where_no_single_part_is_enough_the_fewest_together_are_left_out(client: Client) -> None:
    no_results = (
        answer_to(client, "krypt definitely agents certainly", as_typed="1").context["page"].no_results
    )
    assert all(part.rest.count == 0 for part in no_results.parts)
    assert query_of(no_results.together.href) == "krypt agents"
    assert no_results.together.count == total(client, "krypt agents")


def test_several_are_searched_for_as_one(client: Client) -> None:
    for query, single in (("craft>=1 snipers", "craft>=1 sniper"), ("snipers", "sniper")):
        part = next(
            part
            for part in answer_to(client, query, as_typed="1").context["page"].no_results.parts
            if part.typed == "snipers"
        )
        assert query_of(part.instead.href) == single
        assert part.instead.count == total(client, "sniper") > 0


def test_a_word_that_no_card_mentions_and_a_field_has_is_led_there(client: Client) -> None:
    part = answer_to(client, "steamspy agents", as_typed="1").context["page"].no_results.parts[0]
    assert (part.typed, part.instead.typed, part.instead.count) == (
        "steamspy",
        "game:steamspy",
        total(client, "game:steamspy"),
    )
    assert query_of(part.instead.href) == "agents game:steamspy"


def test_of_one_part_without_a_likelier_word_there_is_no_table(client: Client) -> None:
    page = card_list(client, "craft>900")
    assert page.one(class_="empty").one("h2").text == "No card matches"
    assert not page.has("table")


def test_a_page_with_cards_has_no_such_table(client: Client) -> None:
    assert not card_list(client, "krypt agents").has(class_="no-results")


def test_many_parts_are_looked_at_so_far(client: Client) -> None:
    rows = (
        card_list(client, " ".join(f"nothing{n}" for n in range(40)))
        .one("table", class_="no-results")
        .all("th", scope="row")
    )
    assert len(rows) == 8


def test_markup_in_a_part_is_text(client: Client) -> None:
    page = card_list(client, 'krypt "<script>x"', as_typed="1")
    assert page.has("code", text='"<script>x"') and all(script.get("src") for script in page.all("script"))


# -- one slip -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("agent fox muldar", '!"Agent Fox Mulder"'),
        ("game:spycraft type:agnet", "game:spycraft type:agent"),
        ("faction:kript craft>=4", "faction:krypt craft>=4"),
        ('faction="The Kript"', 'faction="The Krypt"'),
        ('!"Glokc 17"', '!"Glock 17"'),
        ("alrik forsithe", '!"Alrik Forsythe"'),
    ],
)
def test_one_slip_is_mended_and_said_with_a_way_back(client: Client, typed: str, meant: str) -> None:
    answer = client.get("/cards/", {"q": typed})
    shown, page = answer.context["page"], page_of(answer)
    assert 0 < shown.total == answer_to(client, meant, as_typed="1").context["page"].total
    notice = page.one(class_="rewrite")
    assert notice.text.startswith("Read as: ")
    assert page.one(id="site-q").value == typed.removeprefix("game:spycraft ")
    (back,) = (link for link in notice.links if "as_typed" in link)
    back = client.get(f"/cards/{back}")
    assert (back.context["page"].typed, back.context["page"].total) == (typed, 0)
    assert page_of(back).has(class_="empty") and not page_of(back).has(class_="rewrite")


def test_a_question_says_as_what_it_is_read_what_is_not_understood_and_what_else_it_may_mean(
    client: Client,
) -> None:
    notice = page_of(client.get("/cards/", {"q": "krypt agents with craft 4 zzzzqqq"})).one(class_="rewrite")
    assert "type is Agent" in notice.text and "Not understood: “zzzzqqq”" in notice.text
    other = page_of(client.get("/cards/", {"q": "kill an agent"})).one(class_="rewrite")
    assert "Or: " in other.text


def test_a_game_is_found_by_the_name_in_its_address_too(client: Client) -> None:
    assert client.get("/cards/", {"q": "heal xfiles"}).context["page"].total > 0


@pytest.mark.parametrize(
    "typed",
    [
        "zzzzqqq",  # like nothing
        "mulxxr",  # two letters away
        "muldar scully forsithe",  # two slips
        "krypt type:gear bloodvine craft>900",  # every part has cards, or is a number
        "spynet:1 muldar",  # something else is wrong with it
        "-muldar kai craft>900",
        "2003x",
        "kia",  # too short
    ],
)
def test_what_is_not_surely_one_slip_is_not_rewritten(client: Client, typed: str) -> None:
    assert client.get("/cards/", {"q": typed}).context["page"].answer.meant == ""


def test_of_two_words_as_near_neither_is_chosen() -> None:
    assert _nearest("tarin", ["train", "tarts", "taken"]) == "train"
    assert _nearest("tarin", ["train", "tarn", "taran"]) == ""
    # One that is part of the others finds what they find.
    assert _nearest("sniperz", ["sniper", "snipers"]) == "sniper"
    assert _nearest("mission4", ["mission3"]) == ""


def test_a_mended_name_opens_no_card_by_itself(client: Client) -> None:
    assert client.get("/cards/", {"q": '!"Glokc 17"', "open": "1"}).status_code == 200


# -- a part that was not understood ----------------------------------------------------------


def test_what_is_shown_for_the_rest_of_a_question_says_so_and_offers_the_cure(client: Client) -> None:
    page = card_list(client, "g:spycraft t:agent agency:krypt craft>=4")
    browse = page.context["page"]
    assert browse.understood == "game:spycraft type:agent craft>=4"
    assert "The cards below are found without it" in page.one(class_="query-problem").text
    assert page.one("p", class_="results-count").text.endswith(
        f"cards for the rest of it, {browse.understood}"
    )
    label, cure = browse.advice[0].corrections[0]
    assert (label, cure) == ("faction:krypt", "g:spycraft t:agent faction:krypt craft>=4")
    assert 0 < total(client, cure) < browse.total


def test_a_quoted_value_stands_whole_in_the_cure(client: Client) -> None:
    browse = answer_to(client, 'agency:"the krypt" kai').context["page"]
    assert browse.advice[0].corrections[0] == ('faction:"the krypt"', 'faction:"the krypt" kai')


def test_a_question_that_was_understood_says_nothing_of_a_rest(client: Client) -> None:
    count = card_list(client, "krypt agents with craft 4 or more").one("p", class_="results-count")
    assert re.fullmatch(r"\d+ cards", count.text)


# -- the table's columns -----------------------------------------------------------------------


def columns(client: Client, query: str) -> list[str]:
    return [fact.key for fact in answer_to(client, query, view="table").context["page"].columns]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("game:xfiles type:agent medical>=3", ["medical", "cost"]),
        ("game:xfiles type:agent order:-sciences medical>=3", ["sciences", "medical", "cost"]),
        ("game:spycraft type:agent craft>=4", ["expense", "charisma"]),
        ("game:spycraft type:agent combat>craft", ["expense", "charisma"]),
        ("game:spycraft type:agent is:unique expense<9", ["expense", "charisma"]),
        ("craft>=4 faction:krypt", ["expense", "charisma"]),
    ],
)
def test_what_was_asked_about_stands_after_the_name_unless_it_has_its_place(
    client: Client, query: str, first: list[str]
) -> None:
    keys = columns(client, query)
    assert keys[: len(first)] == first
    assert len(keys) == len(set(keys)) <= 9


def test_what_is_the_same_in_every_row_stands_last(client: Client) -> None:
    assert "faction" not in columns(client, "game:spycraft type:agent craft>=4 faction:krypt")[:4]
