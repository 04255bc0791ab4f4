"""Numbers of copies entered one by one: the buttons beside them, what a script gets, and how far the
collection has come.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Owned

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KAI = {"count:spycraft/kai": "3", "seen:spycraft/kai": "0"}


def owned() -> dict[str, int]:
    return {row.card.code: row.count for row in Owned.objects.select_related("card")}


def save(client: Client, typed: dict[str, str], query: str = "") -> str:
    answer = client.post(f"/collection/numbers/{query}", typed)
    assert answer.status_code == 200
    return answer.content.decode()


def chips(page: str) -> dict[str, str]:
    """What a chip is called -> its progress."""
    found = re.findall(r'<span>([^<]*)</span> <span class="chip-count">([^<]*)</span>', page)
    return dict(found)


# -- the buttons, without a script -----------------------------------------------------


def test_plus_and_minus_change_a_number_by_one_and_lead_back_to_it(client: Client) -> None:
    answer = client.post("/collection/?all=1&game=spycraft", {**KAI, "more": "spycraft/kai"})
    assert owned() == {"kai": 4}
    assert answer["Location"] == "/collection/?all=1&game=spycraft#n-spycraft.kai"
    client.post("/collection/", {"count:spycraft/kai": "4", "seen:spycraft/kai": "4", "less": "spycraft/kai"})
    assert owned() == {"kai": 3}


def test_a_button_saves_what_was_typed_in_other_rows_too(client: Client) -> None:
    client.post(
        "/collection/",
        {**KAI, "count:spycraft/bait": "2", "seen:spycraft/bait": "0", "more": "spycraft/bait"},
    )
    assert owned() == {"kai": 3, "bait": 3}


@pytest.mark.parametrize(("button", "count", "kept"), [("less", "0", {}), ("more", "999", {"kai": 999})])
def test_a_button_stays_within_what_can_be_noted(
    client: Client, button: str, count: str, kept: dict[str, int]
) -> None:
    client.post(
        "/collection/", {"count:spycraft/kai": count, "seen:spycraft/kai": "0", button: "spycraft/kai"}
    )
    assert owned() == kept


def test_enter_in_a_number_presses_save_and_no_button_beside_a_number(client: Client) -> None:
    page = client.get("/collection/?all=1&game=spycraft").content.decode()
    form = page[page.index('class="owned-form"') :]
    first = re.search("<button[^>]*>", form)
    assert first and "name=" not in first[0]


# -- each number as it is changed --------------------------------------------------------


def test_a_saved_number_is_answered_with_what_the_page_must_know(client: Client) -> None:
    answer = save(client, KAI)
    assert owned() == {"kai": 3}
    assert 'id="s-spycraft.kai" name="seen:spycraft/kai" value="3" hx-swap-oob="true"' in answer
    assert "Spycraft 3: the copies you own." in answer
    assert 'id="n-spycraft.kai"' not in answer, "the number that is typed in stays"


@pytest.mark.both_databases
def test_a_button_that_a_script_has_counted_for_is_not_counted_again(client: Client) -> None:
    save(client, {**KAI, "more": "spycraft/kai"})
    assert owned() == {"kai": 3}


def test_copies_of_prints_are_told_beside_the_number(client: Client) -> None:
    client.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON:": "2", "seen:spycraft/kai:ON:": "0"})
    assert ">5 in all</span>" in save(client, KAI)


def test_a_number_changed_elsewhere_is_shown_and_the_others_are_saved(client: Client) -> None:
    save(client, KAI)
    answer = save(
        client,
        {
            "count:spycraft/kai": "7",
            "seen:spycraft/kai": "1",
            "count:spycraft/bait": "2",
            "seen:spycraft/bait": "0",
        },
    )
    assert owned() == {"kai": 3, "bait": 2}
    assert "changed to 3 elsewhere" in answer
    assert re.search(r'id="n-spycraft.kai"[^>]* value="3"[^>]* aria-label="Copies of Kai', answer)


@pytest.mark.parametrize(
    "typed", [{"count:spycraft/kai": "many"}, {"count:spycraft/nobody": "1"}, {"count:": "1"}, {}]
)
def test_what_cannot_be_saved_is_said_and_changes_nothing(client: Client, typed: dict[str, str]) -> None:
    answer = save(client, typed)
    assert owned() == {}
    assert ("hx-swap-oob" in answer) and (
        not typed or re.search(r'id="collection-status"[^>]*>[^<]+<', answer)
    )


def test_numbers_are_saved_by_post_alone(client: Client) -> None:
    assert client.get("/collection/numbers/").status_code == 405


# -- how far it has come --------------------------------------------------------------------


def test_each_game_says_how_many_of_its_cards_are_owned(client: Client) -> None:
    save(client, {**KAI, "count:xfiles/agent-fox-mulder": "2", "seen:xfiles/agent-fox-mulder": "0"})
    page = chips(client.get("/collection/").content.decode())
    assert page["Spycraft"] == f"1 of {len(games()['spycraft'].cards)}" and page[
        "The X-Files CCG"
    ].startswith("1 of ")


def test_sets_and_factions_say_so_too_and_filter(client: Client) -> None:
    save(client, KAI)
    answer = client.get("/collection/?all=1&game=spycraft").content.decode()
    kai = next(card for card in games()["spycraft"].cards if card.code == "kai")
    faction = str(kai.fact("faction"))
    of_faction = [card for card in games()["spycraft"].cards if card.fact("faction") == kai.fact("faction")]
    assert chips(answer)[faction] == f"1 of {len(of_faction)}"
    (chip,) = [
        chip
        for row in client.get("/collection/?all=1&game=spycraft").context["progress"]
        for chip in row["chips"]
        if chip.shown == faction
    ]
    shown = client.get(f"/collection/{chip.href}")
    assert shown.context["total"] == len(of_faction)
    assert [chip.shown for row in shown.context["progress"] for chip in row["chips"] if chip.picked] == [
        "Spycraft",
        faction,
    ]


def test_the_progress_follows_a_number_that_is_saved(client: Client) -> None:
    before = chips(client.get("/collection/?all=1&game=spycraft").content.decode())
    after = chips(save(client, KAI, "?game=spycraft&all=1"))
    assert {name for name in before if before[name] != after[name]} >= {"Spycraft", "All games"}
    assert set(before) == set(after)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("slug", sorted(games()))
def test_every_game_has_chips_by_set_or_faction_or_type(client: Client, slug: str) -> None:
    page: Any = client.get(f"/collection/?all=1&game={slug}")
    assert len(page.context["progress"]) > 1
    for row in page.context["progress"][1:]:
        for chip in row["chips"]:
            assert client.get(f"/collection/{chip.href}").context["total"] == chip.total, chip.href
