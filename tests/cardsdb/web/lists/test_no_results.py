"""What the card list says to somebody whose question finds nothing, or of whose question a part was not understood."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def asked(client: Client, query: str, **params: str) -> Any:
    return client.get("/cards/", {"q": query, **params}, follow=True)


def query_of(href: str) -> str:
    return parse_qs(urlsplit(href).query)["q"][0]


def total(client: Client, query: str) -> int:
    return int(asked(client, query).context["browse"].total)


# -- nothing found ------------------------------------------------------------------------


def test_the_part_that_emptied_the_page_comes_first_and_a_click_leaves_it_out(client: Client) -> None:
    answer = asked(client, "krypt agents certainly craft>=4")
    first, *others = answer.context["emptied"].parts
    assert (first.typed, first.alone, first.rest.count) == ("certainly", 0, total(client, "krypt agents craft>=4"))
    assert first.rest.count > 0
    assert query_of(first.rest.href) == "krypt agents craft>=4"
    assert {part.typed: part.alone for part in others} == {part: total(client, part) for part in ("krypt", "agents", "craft>=4")}
    assert all(part.rest.count == 0 for part in others)
    assert f'<a href="{first.rest.href}">{first.rest.count} cards</a>' in unescape(answer.content.decode())


def test_where_no_single_part_is_enough_the_fewest_together_are_left_out(client: Client) -> None:
    found = asked(client, "krypt definitely agents certainly").context["emptied"]
    assert all(part.rest.count == 0 for part in found.parts)
    assert query_of(found.together.href) == "krypt agents"
    assert found.together.count == total(client, "krypt agents")


def test_several_are_searched_for_as_one(client: Client) -> None:
    for query, single in (("craft>=1 snipers", "craft>=1 sniper"), ("snipers", "sniper")):
        part = next(part for part in asked(client, query).context["emptied"].parts if part.typed == "snipers")
        assert query_of(part.instead.href) == single
        assert part.instead.count == total(client, "sniper") > 0


def test_a_word_that_no_card_mentions_and_a_field_has_is_led_there(client: Client) -> None:
    part = asked(client, "steamspy agents").context["emptied"].parts[0]
    assert (part.typed, part.instead.typed, part.instead.count) == ("steamspy", "game:steamspy", total(client, "game:steamspy"))
    assert query_of(part.instead.href) == "agents game:steamspy"


def test_of_one_part_without_a_likelier_word_there_is_no_table(client: Client) -> None:
    answer = asked(client, "craft>900")
    assert answer.context["emptied"] is None
    assert "No card matches" in answer.content.decode()


def test_a_page_with_cards_has_no_such_table(client: Client) -> None:
    assert asked(client, "krypt agents").context["emptied"] is None


def test_many_parts_are_looked_at_so_far(client: Client) -> None:
    assert len(asked(client, " ".join(f"nothing{n}" for n in range(40))).context["emptied"].parts) == 8


def test_markup_in_a_part_is_text(client: Client) -> None:
    assert "<script>x" not in asked(client, 'krypt "<script>x"').content.decode()


# -- a part that was not understood ----------------------------------------------------------


def test_what_is_shown_for_the_rest_of_a_question_says_so_and_offers_the_cure(client: Client) -> None:
    answer = asked(client, "g:spycraft t:agent agency:krypt craft>=4")
    page = unescape(answer.content.decode())
    browse = answer.context["browse"]
    assert browse.understood == "game:spycraft type:agent craft>=4"
    assert "The cards below are found without it" in page
    count = re.search(r'<p class="results-count".*?</p>', page, re.DOTALL)
    assert count and browse.understood in count[0]
    label, cure = browse.advice[0].corrections[0]
    assert (label, cure) == ("faction:krypt", "g:spycraft t:agent faction:krypt craft>=4")
    assert 0 < total(client, cure) < browse.total


def test_a_quoted_value_stands_whole_in_the_cure(client: Client) -> None:
    browse = asked(client, 'agency:"the krypt" kai').context["browse"]
    assert browse.advice[0].corrections[0] == ('faction:"the krypt"', 'faction:"the krypt" kai')


def test_a_question_that_was_understood_says_nothing_of_a_rest(client: Client) -> None:
    answer = asked(client, "krypt agents with craft 4 or more")
    assert answer.context["browse"].understood == ""
    assert "for the rest of it" not in answer.content.decode()


# -- the table's columns -----------------------------------------------------------------------


def columns(client: Client, query: str) -> list[str]:
    return [fact.key for fact in asked(client, query, view="table").context["browse"].columns]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("game:spycraft type:agent craft>=4", ["craft"]),
        ("game:spycraft type:agent combat>craft", ["combat", "craft"]),
        ("game:spycraft type:agent order:-bravado craft>=4", ["bravado", "craft"]),
        ("game:xfiles type:agent medical>=3", ["medical"]),
        ("game:spycraft type:agent is:unique expense<9", ["expense"]),
        ("craft>=4 faction:krypt", ["craft"]),
    ],
)
def test_what_was_asked_about_stands_directly_after_the_name(client: Client, query: str, first: list[str]) -> None:
    found = columns(client, query)
    assert found[: len(first)] == first
    assert len(found) == len(set(found)) <= 9


def test_what_is_the_same_in_every_row_stands_last(client: Client) -> None:
    found = columns(client, "game:spycraft type:agent craft>=4 faction:krypt")
    assert "faction" not in found[:4]
