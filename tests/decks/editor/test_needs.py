"""The editor shows what a deck still needs by role, and cards that fit a role of the deck as it is."""

from __future__ import annotations

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from tests.decks.check.test_completion import TEAM, add, begun, ticked
from tests.decks.editor.test_editor import HTMX
from tests.support.collected import note
from tests.support.pages import Page, Part, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def needs(found: Page) -> dict[str, Part]:
    """Role -> its row."""
    return {row.one("a").text: row for row in found.all("li", class_="need")}


def test_each_role_has_its_number_and_leads_to_cards_that_fit_it(client: Client) -> None:
    shown = needs(page(client, f"{begun(client, TEAM)}edit/"))
    assert (shown["Team"].one(class_="num").text, shown["Sites"].one(class_="num").text) == (
        "20 of 20 RP",
        "0 of 15",
    )
    assert shown["Sites"].one("a")["href"] == "?role=site#find"


@pytest.mark.parametrize(("count", "filled", "open"), [(0, 0, 5), (2, 2, 3), (5, 5, 0)])
def test_a_slot_is_filled_for_each_card_and_dashed_for_each_that_is_wanted(
    client: Client, count: int, filled: int, open: int
) -> None:
    combat = [card.name for card in games()["xfiles"].cards if card.type == "combat"][:count]
    deck = begun(client, TEAM + "Bureau deck:\n" + "".join(f"1 {name}\n" for name in combat))
    row = needs(page(client, f"{deck}edit/"))["Combat cards"]
    slots = row.one(class_="slots").all("i")
    assert [len(row.all("i", class_="slot")), len(slots)] == [filled, filled + open]


def test_the_cards_that_fit_a_role_are_in_reach_and_say_why(client: Client) -> None:
    found = page(client, f"{begun(client, TEAM)}edit/", {"role": "site"})
    rows = found.all(class_="result-row")
    assert rows and all(" your team has " in row.one(class_="fit-why").text for row in rows)
    assert found.one(class_="find-count").text == "Sites: what fits the best first"


def test_a_card_that_fits_is_added_to_the_section_of_its_role(client: Client) -> None:
    address = f"{begun(client, TEAM)}edit/?role=reserve"
    button = page(client, address).all("button", class_="stepper-more")[0]
    assert button["value"].startswith("+1 bureau ")
    answer = client.post(address, {"edit": button["value"]})
    assert "role=reserve" in answer["Location"], "the same cards are shown again"
    assert needs(page(client, answer["Location"]))["Agents in reserve"].one(class_="num").text == "1 of 1"


def test_only_agents_that_the_team_can_still_pay_fit_it(client: Client) -> None:
    found = page(
        client, f"{begun(client, 'Starting Agents:' + TEAM.partition(':')[2][:40])}edit/", {"role": "team"}
    )
    costs = {card.code: card.number("cost") or 0 for card in games()["xfiles"].cards}
    assert found.has(class_="result-row")
    assert all(costs[row["data-code"]] <= 13 for row in found.all(class_="result-row"))


def test_a_card_that_fits_and_is_owned_says_so(client: Client) -> None:
    address = f"{begun(client, TEAM)}edit/?role=site"
    first = page(client, address).all(class_="result-row")[0]["data-code"]
    note(client, "1", card=f"xfiles/{first}")
    (row,) = [row for row in page(client, address).all(class_="result-row") if row.has(class_="row-owned")]
    assert row["data-code"] == first


def test_a_few_cards_that_fit_the_first_role_that_lacks_some_stand_before_all_others(client: Client) -> None:
    found = page(client, f"{begun(client, TEAM)}edit/")
    fits = found.one(class_="fits")
    faces = [face["src"] for face in fits.all("img")]
    assert (fits["data-role"], len(faces)) == ("x-file", 2)
    assert faces[0] == f"/cards/xfiles/{fits.all(class_='result-row')[0]['data-code']}/face.svg?size=small"
    assert found.link("All that fit") == "?role=x-file"


@pytest.mark.parametrize("asked", [{"q": "type:site"}, {"page": "2"}, {"fit": "off"}])
def test_nothing_is_suggested_where_something_else_is_asked_for(
    client: Client, asked: dict[str, str]
) -> None:
    assert not page(client, f"{begun(client, TEAM)}edit/", asked).has(class_="fits")


def test_a_card_that_is_suggested_stands_there_once(client: Client) -> None:
    rows = [row["id"] for row in page(client, f"{begun(client, TEAM)}edit/").all(class_="result-row")]
    assert len(set(rows)) == len(rows)


def test_words_in_the_box_find_cards_as_ever_and_a_role_that_there_is_not_is_none(client: Client) -> None:
    address = f"{begun(client, TEAM)}edit/"
    assert page(client, address, {"role": "site", "q": "type:combat"}).has(id="preset")
    assert page(client, address, {"role": "<b>"}).has(id="preset")


def test_a_change_shows_at_once_what_is_needed_then(client: Client) -> None:
    deck = begun(client, TEAM)
    changed = page_of(client.post(f"{deck}edit/", {"edit": "+2 bureau ambush"}, headers=HTMX))
    assert needs(changed)["Combat cards"].one(class_="num").text == "2 of 5"


def test_what_a_role_shows_is_not_counted_twice(client: Client) -> None:
    found = page(client, f"{begun(client, TEAM)}edit/")
    assert [gauge.one(class_="gauge-label").text for gauge in found.all(class_="gauge")] == [
        "Cards in the Bureau deck"
    ]
    assert not found.has(class_="missing-row"), "so many more cards is what the roles say"


def test_of_a_role_that_has_no_card_yet_nothing_is_said_and_of_one_that_has_the_lack_that_decides(
    client: Client,
) -> None:
    deck = begun(client, TEAM)
    assert not page(client, f"{deck}edit/").has(class_="advice")
    offered = ticked(page(client, f"{deck}complete/"))
    add(client, deck, [next(change for name, change in offered.items() if change.startswith("+2 bureau "))])
    assert (
        page(client, f"{deck}edit/")
        .one(class_="advice")
        .text.startswith("No Site in your team's reach asks about")
    )


def test_a_deck_far_from_whole_is_led_to_what_completes_it(client: Client) -> None:
    deck = begun(client, TEAM)
    found = page(client, f"{deck}edit/")
    assert found.link("See what completes it") == f"{deck}complete/?back=deck_edit"
    assert not found.has("a", text="Find the smallest repair")


def test_what_was_added_leads_back_to_the_editor(client: Client) -> None:
    deck = begun(client, TEAM)
    found = page(client, f"{deck}complete/", {"back": "deck_edit"})
    fields = {
        "completes": "1",
        "back": found.one("input", name="back")["value"],
        "change": list(ticked(found).values()),
    }
    answer = client.post(f"{deck}repair/", fields)
    assert answer["Location"] == f"{deck}edit/#verdict" and Deck.objects.get().verdict == "legal"


def test_a_format_without_roles_is_shown_as_its_rules_count_it(client: Client) -> None:
    found = page(client, f"{begun(client, '1 Hitman', 'spynet', 'draw-4')}edit/")
    assert not found.has(class_="needs") and found.has(class_="gauge")


def test_missions_that_are_added_one_by_one_are_a_mission_deck_once_all_are_there(client: Client) -> None:
    game = games()["spycraft"]
    agency, missions = (
        next(one.text for one in game.starters if one.slug == slug)
        for slug in ("banshee-net", "mission-deck-base")
    )
    deck = begun(client, agency, "spycraft", "agency")
    names = [line.partition(" ")[2] for line in missions.splitlines() if line[:2] == "1 "]
    codes = [card.code for card in game.cards if card.type == "mission" and card.name in names]
    for place, code in enumerate(codes, 1):
        client.post(f"{deck}edit/", {"edit": f"+1 missions {code}"})
        assert Deck.objects.get().verdict == ("legal" if place == 24 else "illegal")
    for address in (deck, f"{deck}edit/"):
        assert "24 cards are a deck of their own" in page(client, address).main.text
