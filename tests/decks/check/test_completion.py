"""Completing a deck or a pasted list: every proposed card is shown with its reason before it is added, and
all cards added at once are one change.
"""

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.complete.needs import MAX_ENTRIES
from decks.models import Deck
from tests.support.collected import note
from tests.support.made_decks import starter
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TEAM = "Starting Agents:\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Alex Krycek\n"


def begun(
    client: Client, text: str = TEAM, game: str = "xfiles", format: str = "advanced", **values: str
) -> str:
    """The address of a new deck with these lines."""
    fields = {"game": game, "format": format, "name": "Begun", "text": text, **values}
    return str(client.post("/decks/new/", fields)["Location"])


def ticked(found: Page) -> dict[str, str]:
    """Name of each proposed card -> the change that its box sends. All boxes are ticked at first."""
    boxes = {card.one("a", class_="name").text: card.one("input") for card in found.all(class_="way-card")}
    assert all(box.get("checked") is not None for box in boxes.values())
    return {name: box["value"] for name, box in boxes.items()}


def form_of(found: Page) -> dict[str, Any]:
    """The hidden fields of the page's form."""
    return {
        field["name"]: field["value"] for field in found.one("form", class_="way").all("input", type="hidden")
    }


def names(deck: str) -> dict[str, int]:
    """Name -> copies of the cards in the deck at this address."""
    stored = Deck.objects.with_cards().get(link=deck.split("/")[2])
    return {entry.card.name: entry.count for entry in stored.decklist()}


def add(client: Client, deck: str, changes: list[str]) -> Any:
    """Send these changes as the page of proposals does."""
    return client.post(f"{deck}repair/", {"completes": "1", "change": changes})


def test_an_unticked_card_is_not_added_and_one_undo_removes_all(client):
    deck = begun(client)
    before, offered = names(deck), ticked(page(client, f"{deck}complete/"))
    left_out = next(name for name, change in offered.items() if " bureau " in change)
    add(client, deck, [change for name, change in offered.items() if name != left_out])
    assert left_out not in names(deck)
    assert offered.keys() - names(deck).keys() == {left_out}
    assert Deck.objects.get().revisions.order_by("-number")[0].kind == "completed"
    client.post(f"{deck}undo/")
    assert names(deck) == before


def test_excluded_cards_are_replaced_by_others_each_time(client):
    address = f"{begun(client)}complete/"
    found, left_out = page(client, address), set[str]()
    for _ in range(2):
        offered = ticked(found)
        first = next(name for name, change in offered.items() if " bureau " in change)
        left_out.add(first)
        kept = [change for name, change in offered.items() if name != first]
        found = page_of(client.post(address, {**form_of(found), "change": kept, "way": "sample"}))
        assert not left_out & ticked(found).keys()
    assert found.has("strong", text="Legal with them")


def test_owned_copies_are_marked_and_one_button_adds_only_these(client):
    deck = begun(client)
    found = page(client, f"{deck}complete/")
    name, change = next(pair for pair in ticked(found).items() if pair[1].startswith("+2 bureau "))
    assert not found.has(class_="row-owned")
    note(client, "1", card=f"xfiles/{change.split()[2]}")
    found = page(client, f"{deck}complete/")
    (card,) = [box for box in found.all(class_="way-card") if box.has(class_="row-owned")]
    assert (card.one("a").text, card.one(class_="row-owned").text) == (name, "1 owned")
    assert found.one("button", form="owned").text == "Only those I own (1)"
    form, before = found.one("form", id="owned"), names(deck)
    client.post(form["action"], form.sent)
    assert names(deck) == {**before, name: 1}


def test_a_card_to_take_out_names_its_rule_and_stays_if_unticked(client):
    deck = begun(client, f"{TEAM}Bureau deck:\n3 Ambush\n")
    found = page(client, f"{deck}complete/")
    changes = ticked(found)
    assert changes["Ambush"] == "-1 bureau ambush"
    assert "by D4" in found.one("form", class_="way").text
    kept = [change for name, change in changes.items() if name != "Ambush"]
    again = page_of(client.post(f"{deck}complete/", {**form_of(found), "change": kept, "way": "sample"}))
    assert again.one("input", value="-1 bureau ambush").get("checked") is None
    add(client, deck, list(changes.values()))
    assert Deck.objects.get().verdict == "legal"


def test_a_button_shows_another_proposal_and_an_unknown_one_shows_the_first(client):
    address = f"{begun(client)}complete/"
    strange = {"way": "<b>", "offered": "kai " * 900, "never": "no-such-card <b>", "change": ["+1", "x y z"]}
    for fields, way in (({"way": "sample"}, "sample"), (strange, "like-a-starter")):
        shown = page_of(client.post(address, fields)).one("button", aria_pressed="true")
        assert shown["value"] == way


def test_only_the_author_sees_the_x_file_that_was_drawn(client):
    deck = begun(client, visibility="public")
    offered = ticked(page(client, f"{deck}complete/"))
    add(client, deck, list(offered.values()))
    code = next(change.split()[2] for change in offered.values() if " xfile " in change)
    secret = f"/cards/xfiles/{code}/"
    assert secret in page(client, deck).links
    assert secret not in page(Client(), deck).links
    assert Client().get(f"{deck}complete/").status_code == 404


def test_a_proposed_deck_is_stored_only_when_its_cards_are_added(client):
    form = page(client, "/decks/new/?game=xfiles").one("form", class_="new-empty")
    button = form.one("button", text="Propose a legal deck")
    found = page_of(client.post(button["formaction"], form.sent | {button["name"]: button["value"]}))
    assert not Deck.objects.exists()
    asked = {**form_of(found), "text": " ", "change": list(ticked(found).values())}
    made = client.post(found.one("button", text="Add these cards")["formaction"], asked)
    assert made["Location"] == f"/decks/{Deck.objects.get().link}/"
    assert Deck.objects.get().verdict == "legal"


def test_all_proposals_have_the_x_file_of_one_lot_which_the_address_cannot_choose(client):
    def drawn(found: Page) -> str:
        return next(change for change in ticked(found).values() if " xfile " in change)

    address = f"{begun(client)}complete/?lot=known"
    found = page(client, address)
    assert form_of(found)["lot"] != "known"
    fields = {**form_of(found), "change": list(ticked(found).values()), "way": "more-events"}
    assert drawn(page_of(client.post(address, fields))) == drawn(found)


# -- links to the page ------------------------------------------------------------------


def test_a_deck_that_lacks_much_links_to_completion_and_one_that_lacks_little_to_repair(client):
    deck = begun(client)
    assert page(client, deck).link("See what completes it") == f"{deck}complete/"
    add(client, deck, list(ticked(page(client, f"{deck}complete/")).values()))
    whole, last = names(deck), Deck.objects.with_cards().get().decklist().entries[-1].card
    client.post(f"{deck}edit/", {"edit": f"-1 bureau {last.code}"})
    assert names(deck) != whole
    shown = page(client, deck)
    assert shown.has("a", text="Find the smallest repair")
    assert not shown.has("a", text="See what completes it")


def test_a_legal_deck_tells_what_plays_badly_and_of_a_second_deck(client):
    text = "\n\nMissions:\n".join(starter("spycraft", slug) for slug in ("banshee-net", "mission-deck-base"))
    asked = {"game": "spycraft", "format": "agency", "text": text}
    kept, pasted = begun(client, **asked), page_of(client.post("/check/", asked))
    for shown in (page(client, kept), page(client, f"{kept}edit/"), pasted):
        assert shown.one(class_="advice").text.startswith("The level 1 leader can pay for 2 agents")
        assert "24 cards are a deck of their own" in shown.main.text


# -- a pasted list ----------------------------------------------------------------------


def test_a_pasted_list_is_completed_in_its_own_lines_and_saved(client):
    asked = {"game": "xfiles", "format": "advanced", "text": f"{TEAM}\n# my team\n"}
    assert page_of(client.post("/check/", asked)).has("button", text="See what completes it")
    found = page_of(client.post("/check/complete/", asked))
    fields = {**form_of(found), **asked, "change": list(ticked(found).values())}
    made = page_of(client.post("/check/repair/", fields))
    assert made.context["judged"].verdict == "legal"
    assert "# my team" in str(made.field("text").value)
    client.post("/check/save/", {**asked, "text": made.field("text").value})
    assert Deck.objects.get().verdict == "legal"


@pytest.mark.parametrize("change", ["+9 bureau ambush", "-1 agents agent-fox-mulder, +9 bureau ambush"])
def test_changes_that_break_a_rule_complete_neither_list_nor_deck(client, change):
    asked, completes = {"game": "xfiles", "format": "advanced"}, {"completes": "1", "change": change}
    for address in ("/check/repair/", "/check/save/"):
        made = page_of(client.post(address, asked | {"text": TEAM} | completes), status=409)
        assert "would break a rule" in made.text, address
        assert "9 Ambush" not in str(made.field("text").value)
    assert not Deck.objects.exists()
    deck = begun(client)
    before = names(deck)
    answer = page_of(client.post(f"{deck}repair/", completes, follow=True))
    assert "would break a rule" in answer.one(class_="notice-error").text
    assert names(deck) == before


def test_a_list_that_is_too_long_to_be_completed_says_so(client):
    text = "".join(f"1 {card.name}\n" for card in games()["xfiles"].cards[: MAX_ENTRIES + 1])
    asked = {"game": "xfiles", "format": "advanced", "text": text}
    found = page_of(client.post("/check/complete/", asked))
    assert f"A list of more than {MAX_ENTRIES} lines is not completed." in found.main.text
