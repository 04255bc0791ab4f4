"""Checklists: places, filling them one after another or from a pasted list, by keyboard too; printing."""

from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.box.card_form import TypedCard
from cardsdb.box.sets import blank_list, checklist_of, filled_by, known_list, next_open
from cardsdb.box.sets import fill as fill_place
from cardsdb.games import games
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from tests.support.axe import breaches_of_shapes
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import page, page_of

SPYNET, STEAMSPY = games()["spynet"], games()["steamspy"]
ADA = Viewer(browser="ada's")
LISTED = [game for game in games().values() if game.checklist]


# -- places -------------------------------------------------------------------------------


def test_a_checklist_has_the_places_that_the_documents_count():
    counted = {game.slug: len(game.places) for game in LISTED}
    assert counted == {"spynet": 29 + 29 + 8 + 8, "agentdecker": 18 + 5 + 18, "steamspy": 6 * 32 + 6 * 24}


def test_a_group_without_source_or_that_cannot_be_filled_breaks_the_contract():
    group = SPYNET.checklist[0]
    wrong = (
        replace(group, cites="SN-99"),
        replace(group, card_type="branch"),
        replace(group, stand_in="unnamed-mission"),
        replace(group, facts={"stars": "3"}),
        replace(group, count=0),
        replace(group, slug="No slug"),
    )
    for listed in (*((group_,) for group_ in wrong), (group, group)):
        found = [problem for problem in problems(replace(SPYNET, checklist=listed)) if "checklist" in problem]
        assert len(found) == 1, listed


@pytest.mark.parametrize("game", LISTED, ids=lambda game: game.slug)
def test_both_lists_can_be_printed(game):
    groups = checklist_of(game, {})
    for text in (known_list(game, groups), blank_list(game, groups)):
        assert not read_deck(game, text).unread
    assert read_deck(game, blank_list(game, groups)).deck.size == len(game.places)


@pytest.mark.parametrize(
    ("filled", "at", "found"), [([1], 0, 2), (range(1, 74), 73, 0), (range(74), 0, None)]
)
def test_the_next_place_is_the_next_open_one_and_starts_over_at_the_end(filled, at, found):
    codes = list(SPYNET.places)
    following = next_open(SPYNET, [codes[place] for place in filled], codes[at])
    assert following is (None if found is None else SPYNET.places[codes[found]])


# -- filling places -----------------------------------------------------------------------

PAGE = "/games/spynet/checklist/"


def fill(client: Client, place: str, name: str, then: str = "next", text: str = "") -> str:
    """Submit the form of a place; return the address that it leads to."""
    sent = {"name": name, "type": "agent", "do": then, "text": text}
    return str(client.post(f"{PAGE}{place}/", sent).headers.get("Location", ""))


@pytest.mark.django_db
def test_places_are_filled_one_after_another_and_become_cards_of_one_set(client):
    assert fill(client, "agent-01", "") == "" and not OwnCard.objects.exists()
    following = fill(client, "agent-01", "Brass Falcon", text=f"{CANARY}: hide it.")
    assert following == f"{PAGE}agent-02/"
    assert "1 of 74 filled in" in page(client, following).text
    fill(client, "agent-02", "Tin Gull", then="save")
    rows = list(OwnCard.objects.select_related("in_set").order_by("place"))
    assert [(row.name, row.place, row.in_set.name) for row in rows] == [
        ("Brass Falcon", "agent-01", "SpyNet: the lost cards"),
        ("Tin Gull", "agent-02", "SpyNet: the lost cards"),
    ]
    # A filled place leads to the form that changes its card.
    assert fill(client, "agent-01", "Other") == f"/own/cards/{rows[0].code}/change/"
    shown = page(client, PAGE)
    assert "2 of 74 filled in" in shown.text and "Brass Falcon" in shown.text
    assert "27 Unnamed agent" in shown.context["blanks"]
    # The page's lists print filled places with their text; other visitors do not see them.
    printed = client.post("/print/", {"game": "spynet", "text": shown.context["known"]})
    assert CANARY in page_of(printed).text
    assert "Brass Falcon" not in page(Client(), PAGE).text


@pytest.mark.django_db
def test_the_card_made_first_keeps_its_place_and_new_ones_join_the_set_filled_last():
    """As after a browser's set has come into an account with a set of its own: ``agent-01`` has two cards."""
    own_card(own_set(ADA, "spynet", "Ours"), "Brass Falcon", place="agent-01")
    theirs = own_set(ADA, "spynet", "Theirs")
    own_card(theirs, "Tin Gull", place="agent-01")
    own_card(theirs, "Orlov", place="agent-02")
    filled = filled_by(ADA, SPYNET)
    assert {code: row.name for code, row in filled.items()} == {
        "agent-01": "Brass Falcon",
        "agent-02": "Orlov",
    }
    nadia = fill_place(ADA, SPYNET, TypedCard("Nadia", "agent", {}), "agent-03", filled)
    assert nadia.in_set == theirs


@pytest.mark.django_db
def test_the_form_of_a_place_is_filled_with_its_known_facts(client):
    form = page(client, "/games/steamspy/checklist/corporation-das-wort-01/")
    assert "Das Wort, card 1" in form.text
    assert [box["value"] for box in form.all("input", checked=True)][-1:] == ["Das Wort"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/games/spycraft/checklist/", f"{PAGE}agent-30/", f"{PAGE}nothing/"])
def test_an_unknown_place_is_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.django_db
@pytest.mark.one_database
def test_pasted_names_fill_the_next_places_of_their_group(client):
    assert client.post(PAGE, {"group": "agent", "text": "1 Nadia\n- Orlov\n\n"}).status_code == 302
    assert list(OwnCard.objects.order_by("place").values_list("name", "type", "place")) == [
        ("Nadia", "agent", "agent-01"),
        ("Orlov", "agent", "agent-02"),
    ]


@pytest.mark.django_db
@pytest.mark.one_database
def test_pasted_lines_that_name_no_new_card_stay_with_a_reason(client):
    group = SPYNET.checklist[0]
    known = next(
        card.name for card in SPYNET.cards if card.type == group.card_type and not card.name.startswith("Un")
    )
    text = f"Nadia\n{known}\nnadia\n" + "".join(f"Spy {number}\n" for number in range(group.count))
    found = page_of(client.post(PAGE, {"group": group.slug, "text": text}), status=400)
    assert found.one("textarea").text.split() == [*known.split(), "nadia", "Spy", str(group.count - 1)]
    assert "It is named already." in found.text and f"No place of “{group.label}” is left." in found.text
    assert OwnCard.objects.count() == group.count


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_list_that_is_too_long_fills_nothing_and_stays_whole(client):
    text = "First name" + "\n" * 20_000 + "Last name"
    found = page_of(client.post(PAGE, {"text": text}), status=400)
    assert "20,000 are the most" in found.text and found.one("textarea").text.endswith("Last name")
    assert not OwnCard.objects.exists()


# -- in a real browser ------------------------------------------------------------------


@pytest.mark.browser
def test_places_of_a_checklist_are_filled_one_after_another_without_a_mouse(page, site):
    page.goto(f"{site}/games/spynet/checklist/")
    assert breaches_of_shapes(page) == []
    page.get_by_role("link", name="Fill in Agent 1").press("Enter")
    for place, name in (("Agent 1", "Brass Falcon"), ("Agent 2", "Tin Gull")):
        page.get_by_role("heading", name=place, exact=True).wait_for()
        page.keyboard.type(name)
        page.locator(".own-face svg").get_by_text(name, exact=True).wait_for()
        page.get_by_label("Power").focus()
        page.keyboard.type("4")
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Agent 3", exact=True).wait_for()
    page.get_by_label("Type").select_option("mission")
    page.get_by_label("Stars").wait_for()
    assert breaches_of_shapes(page) == []
    page.goto(f"{site}/cards/?q=falcon")
    assert page.get_by_role("link", name="Brass Falcon", exact=True).count()
