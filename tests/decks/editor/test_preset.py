"""What the finder is filtered by at first, as a chip that can be taken away: what the deck may hold."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardsdb.games import games
from tests.decks.editor.test_editor import make_deck, shown
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
GAME = games()["spycraft"]


def chip(found: Page) -> tuple[str, bool, str]:
    """The words of the chip, whether it filters, and where it leads."""
    link = found.one("a", class_="find-preset", id="preset")
    words = link.text
    for unseen in (*link.all(class_="mark"), *link.all(class_="visually-hidden")):
        if unseen.parent.get("id") == "preset":
            words = words.replace(unseen.text, "", 1)
    return words.strip(), link.get("aria-current") == "true", link["href"]


@pytest.fixture
def tigers(client: Client) -> str:
    return make_deck(client, "1 Li Cong\n1 Kai\n1 Garotte")


def factions(page: str) -> set[str]:
    return {str(card.fact("faction")) for code in shown(page) if (card := GAME.card(code))}


def test_the_cards_found_are_those_of_the_decks_faction_and_those_that_go_with_every_one(
    client: Client, tigers: str
) -> None:
    first = client.get(tigers, {"q": "type:agent order:name"})
    words, filters, href = chip(page_of(first))
    assert (words, filters) == ("Nine Tiger, Freelancer", True)
    found = factions(first.content.decode())
    assert "Nine Tiger" in found and found <= {"Nine Tiger", "Freelancer", "None"}
    assert shown(client.get(tigers, {"q": "type:gear"}).content.decode()), (
        "what has no faction goes with every deck"
    )
    everything = client.get(tigers + href)
    words, filters, back = chip(page_of(everything))
    assert (words, filters) == ("Only Nine Tiger, Freelancer", False)
    assert len(factions(everything.content.decode())) > 3
    kept = page_of(everything).one("input", type="hidden", form="box", name="fit")
    assert (kept.value, kept.get("disabled")) == ("off", None), "the next search keeps it away"
    assert chip(page(client, tigers + back))[1]


def test_what_is_asked_for_by_name_or_faction_or_stands_in_the_deck_is_found_all_the_same(
    client: Client, tigers: str
) -> None:
    assert factions(client.get(tigers, {"q": 'type:agent faction:"Banshee Net"'}).content.decode()) == {
        "Banshee Net"
    }
    assert shown(client.get(tigers, {"q": "!kai"}).content.decode()) == ["kai"]
    client.post(tigers, {"edit": "add", "line": "1 Termite"})
    assert "termite" in shown(client.get(tigers, {"q": "in:deck"}).content.decode())


def test_where_nothing_fits_the_rest_is_shown_and_said_to_be_so(client: Client, tigers: str) -> None:
    page = client.get(tigers, {"q": "termite"}).content.decode()
    assert shown(page) == ["termite"] and "that this deck may not hold; there is no other" in page
    assert "may not hold;" not in client.get(tigers, {"q": "kai"}).content.decode()
    assert shown(client.get(tigers, {"q": "2 termite"}).content.decode())[0] == "termite", (
        "and what is named with a count is offered"
    )


def test_a_deck_that_shares_nothing_yet_is_filtered_by_its_format(client: Client) -> None:
    editor = make_deck(client, "1 Kai")
    words, filters, _ = chip(page(client, editor))
    assert (words, filters) == ("Agency Deck", True)
    kinds = [{card.type for code in shown(client.get(editor + place).content.decode())
              if (card := GAME.card(code))}
             for place in ("?q=order:-victory_points", "?q=order:-victory_points&fit=off")]  # fmt: skip
    assert "mission" not in kinds[0] and "mission" in kinds[1]
    mixed = make_deck(client, "1 Li Cong\n1 Arsenal")
    assert chip(page(client, mixed))[0] == "Agency Deck", "whose faction is open"


def test_leaving_the_filter_out_stays_where_one_goes(client: Client, tigers: str) -> None:
    assert "fit=off" in client.post(f"{tigers}?q=agent&fit=off", {"edit": "+1 deck kai"})["Location"]
    assert "fit=off" in client.post(tigers, {"edit": "enter", "q": "agent", "fit": "off"})["Location"]
    page = client.get(tigers, {"q": "agent", "fit": "off"}).content.decode()
    assert re.search(r'rel="next" href="[^"]*fit=off', page)
