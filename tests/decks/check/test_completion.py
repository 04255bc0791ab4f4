"""A deck, or a pasted list, that is far from whole is completed: every card stands there with its reason
before it is added, and all that is added is one change.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.complete.needs import MAX_ENTRIES
from decks.models import Deck
from tests.decks.collection.test_collection import note
from tests.support.editing import first_form
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
    """The name of each card of the page -> the change that its box sends."""
    boxes = {card.one("a", class_="name").text: card.one("input") for card in found.all(class_="way-card")}
    assert all(box.get("checked") is not None for box in boxes.values())
    return {name: box["value"] for name, box in boxes.items()}


def form_of(found: Page) -> dict[str, Any]:
    """The hidden fields of the page's form."""
    return {
        field["name"]: field["value"] for field in found.one("form", class_="way").all("input", type="hidden")
    }


def names(deck: str) -> dict[str, int]:
    stored = Deck.objects.with_cards().get(link=deck.split("/")[2])
    return {entry.card.name: entry.count for entry in stored.decklist()}


def add(client: Client, deck: str, changes: list[str]) -> Any:
    return client.post(f"{deck}repair/", {"completes": "1", "change": changes})


@pytest.mark.parametrize(("game", "format"), [("xfiles", "advanced"), ("spycraft", "agency")])
def test_what_is_added_makes_an_empty_deck_legal_and_no_check_speaks(
    client: Client, game: str, format: str
) -> None:
    editor = client.post("/decks/new/", {"game": game, "start": "empty", "format": format})["Location"]
    deck = editor.removesuffix("edit/")
    add(client, deck, list(ticked(page(client, f"{deck}complete/")).values()))
    judged = Deck.objects.get().judged(games()[game])
    assert (judged.verdict, judged.violation_views(), judged.needs.advice) == ("legal", [], "")


def test_every_card_stands_by_its_role_with_its_reason(client: Client) -> None:
    found = page(client, f"{begun(client)}complete/")
    roles = [heading.text.rpartition(" ")[0] for heading in found.one("form", class_="way").all("h2")]
    assert roles[:2] == ["X-File", "Sites"] and "Team" not in roles, "the team costs 20 RP already"
    assert all(row.one("span", class_="fit-why").text for row in found.one("form", class_="way").all("li"))


def test_a_card_that_is_left_out_is_not_added(client: Client) -> None:
    deck = begun(client)
    offered = ticked(page(client, f"{deck}complete/"))
    left_out = next(name for name, change in offered.items() if " bureau " in change)
    add(client, deck, [change for name, change in offered.items() if name != left_out])
    assert left_out not in names(deck) and offered.keys() - names(deck).keys() == {left_out}


def test_others_come_for_those_that_were_left_out_once_and_again(client: Client) -> None:
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


def test_one_undo_takes_all_of_it_back(client: Client) -> None:
    deck = begun(client)
    before = names(deck)
    add(client, deck, list(ticked(page(client, f"{deck}complete/")).values()))
    assert Deck.objects.get().revisions.order_by("-number")[0].kind == "completed"
    client.post(f"{deck}undo/")
    assert names(deck) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [("-1 agents agent-fox-mulder", "1 card fewer."), ("+1 bureau ambush", "1 card more.")],
)
def test_what_was_ticked_is_told_in_cards(client: Client, change: str, said: str) -> None:
    fields = {"completes": "1", "change": change}
    answer = client.post(f"{begun(client)}repair/", fields, follow=True)
    assert page_of(answer).has(class_="notice-success", text=f"Saved: {said} The deck is now incomplete.")


def test_copies_that_the_visitor_has_are_marked(client: Client) -> None:
    deck = begun(client)
    offered = ticked(page(client, f"{deck}complete/"))
    name, change = next(pair for pair in offered.items() if pair[1].startswith("+2 bureau "))
    assert not page(client, f"{deck}complete/").has(class_="row-owned")
    note(client, "1", card=f"xfiles/{change.split()[2]}")
    (card,) = [
        one for one in page(client, f"{deck}complete/").all(class_="way-card") if one.has(class_="row-owned")
    ]
    assert (card.one("a").text, card.one(class_="row-owned").text) == (name, "1 owned")


def test_every_card_that_is_added_shows_its_face(client: Client) -> None:
    cards = page(client, f"{begun(client)}complete/").all(class_="way-card")
    codes = [card.one("input")["value"].split()[-1] for card in cards]
    assert [card.one("img")["src"] for card in cards] == [
        f"/cards/xfiles/{code}/face.svg?size=small" for code in codes
    ]


def test_only_those_that_the_visitor_owns_are_added_by_one_press(client: Client) -> None:
    deck = begun(client)
    offered = ticked(page(client, f"{deck}complete/"))
    name, change = next(pair for pair in offered.items() if pair[1].startswith("+2 bureau "))
    note(client, "1", card=f"xfiles/{change.split()[2]}")
    found = page(client, f"{deck}complete/")
    assert found.one("button", form="owned").text == "Only those I own (1)"
    form = found.one("form", id="owned")
    fields = {field["name"]: field["value"] for field in form.all("input")}
    client.post(form["action"], fields)
    assert names(deck) == {
        "Agent Fox Mulder": 1,
        "Agent Dana Scully": 1,
        "Agent Alex Krycek": 1,
        name: 1,
    }


def test_what_comes_out_says_by_which_rule(client: Client) -> None:
    deck = begun(client, f"{TEAM}Bureau deck:\n3 Ambush\n")
    found = page(client, f"{deck}complete/")
    assert ticked(found)["Ambush"] == "-1 bureau ambush"
    assert "by D4" in found.one("form", class_="way").text
    add(client, deck, list(ticked(found).values()))
    assert Deck.objects.get().verdict == "legal"


def test_what_is_to_stay_though_a_rule_forbids_it_is_not_ticked_again(client: Client) -> None:
    deck = begun(client, f"{TEAM}Bureau deck:\n3 Ambush\n")
    address = f"{deck}complete/"
    found = page(client, address)
    kept = [change for name, change in ticked(found).items() if name != "Ambush"]
    again = page_of(client.post(address, {**form_of(found), "change": kept, "way": "sample"}))
    assert again.one("input", value="-1 bureau ambush").get("checked") is None


def test_another_way_is_shown_by_its_button(client: Client) -> None:
    address = f"{begun(client)}complete/"
    ways = [button["value"] for button in page(client, address).all("button", aria_pressed=True)]
    assert ways == ["like-a-starter", "more-events", "sample"]
    found = page_of(client.post(address, {"way": "sample"}))
    assert found.one("button", aria_pressed="true").text.startswith("By the manual")


def test_the_numbers_have_their_source(client: Client) -> None:
    facts = page(client, f"{begun(client)}complete/").one("dl")
    sites = next(row for row in facts.all("div") if row.has("dt", text="Sites"))
    assert sites.one("dd").text == "0 of 15 D13, played 8 to 19" and sites.one("dd").one("a")[
        "href"
    ].endswith("#D13")


def test_nothing_is_added_where_no_card_is_ticked(client: Client) -> None:
    deck = begun(client)
    before = names(deck)
    assert page_of(client.post(f"{deck}repair/", {"completes": "1"}, follow=True)).has(class_="notice-error")
    assert names(deck) == before


@pytest.mark.parametrize("way", ["", "nobody", "<b>"])
def test_a_way_that_there_is_not_shows_the_first(client: Client, way: str) -> None:
    fields = {"way": way, "never": "no-such-card <b>", "offered": "kai " * 900, "change": ["+1", "x y z"]}
    found = page_of(client.post(f"{begun(client)}complete/", fields))
    assert found.all("button", name="way")[0]["aria-pressed"] == "true"


def test_the_x_file_that_was_drawn_is_seen_by_its_author_alone(client: Client) -> None:
    deck = begun(client, visibility="public")
    offered = ticked(page(client, f"{deck}complete/"))
    add(client, deck, list(offered.values()))
    code = next(change.split()[2] for change in offered.values() if " xfile " in change)
    secret = f"/cards/xfiles/{code}/"
    assert secret in client.get(deck).content.decode()
    assert secret not in Client().get(deck).content.decode()
    assert Client().get(f"{deck}complete/").status_code == 404


def test_a_game_without_roles_has_no_cards_to_offer(client: Client) -> None:
    deck = begun(client, "1 Hitman", "spynet", "house")
    assert not page(client, f"{deck}complete/").has("form", class_="way")


@pytest.mark.parametrize(("game", "offers"), [("xfiles", True), ("spycraft", True), ("spynet", False)])
def test_a_whole_deck_is_proposed_first_to_those_who_begin_one(
    client: Client, game: str, offers: bool
) -> None:
    filled = [
        button.text
        for button in first_form(page(client, f"/decks/new/?game={game}")).all("button", class_="button")
    ]
    assert filled == ["Propose a legal deck" if offers else "Start empty and open the editor"]


@pytest.mark.parametrize("game", ["xfiles", "spycraft"])
def test_a_deck_that_is_proposed_is_kept_when_its_cards_are_added_and_not_before(
    client: Client, game: str
) -> None:
    form = first_form(page(client, f"/decks/new/?game={game}"))
    button = form.one("button", text="Propose a legal deck")
    found = page_of(client.post(button["formaction"], form.sent | {button["name"]: button["value"]}))
    assert not Deck.objects.exists()
    asked = {**form_of(found), "text": " ", "change": list(ticked(found).values())}
    add_button = found.one("button", text="Add these cards")
    made = client.post(add_button["formaction"], asked)
    assert made["Location"] == f"/decks/{Deck.objects.get().link}/" and Deck.objects.get().verdict == "legal"


def test_of_a_proposal_cards_that_break_a_rule_are_not_kept(client: Client) -> None:
    asked = {
        "game": "xfiles",
        "format": "advanced",
        "text": " ",
        "completes": "1",
        "change": "+9 bureau ambush",
    }
    assert "would break a rule" in client.post("/check/save/", asked).content.decode()
    assert not Deck.objects.exists()


def drawn(found: Page) -> str:
    return next(change for change in ticked(found).values() if " xfile " in change)


def test_the_x_file_of_a_proposal_stays_the_same_on_all_its_pages(client: Client) -> None:
    address = f"{begun(client)}complete/"
    found = page(client, address)
    for way in ("more-events", "sample", "like-a-starter"):
        fields = {**form_of(found), "change": list(ticked(found).values()), "way": way}
        assert drawn(page_of(client.post(address, fields))) == drawn(found)


def test_no_address_says_which_x_file_is_drawn(client: Client) -> None:
    address = f"{begun(client)}complete/?lot=known"
    assert len({drawn(page(client, address)) for _ in range(12)}) > 3


def test_leaders_stand_by_their_level_and_say_it(client: Client) -> None:
    found = page(client, f"{begun(client, '1 Kai', 'spycraft', 'agency')}complete/")
    whys = [why.text.partition(":")[0] for why in found.all("section")[0].all("span", class_="fit-why")]
    assert whys == ["Level 1", "Level 2", "Level 3", "Level 4"]


def test_the_size_is_told_by_the_parts_of_the_deck(client: Client) -> None:
    found = page(client, f"{begun(client)}complete/")
    assert "64 in all: Starting Agents 3 + Bureau deck 60 + X-File 1" in found.one("form", class_="way").text


# -- the way there ----------------------------------------------------------------------


def test_a_deck_far_from_whole_leads_to_what_completes_it_and_one_that_lacks_little_to_a_repair(
    client: Client,
) -> None:
    deck = begun(client)
    assert page(client, deck).link("See what completes it") == f"{deck}complete/"
    add(client, deck, list(ticked(page(client, f"{deck}complete/")).values()))
    whole = names(deck)
    client.post(
        f"{deck}edit/",
        {"edit": "-1 bureau " + Deck.objects.with_cards().get().decklist().entries[-1].card.code},
    )
    assert names(deck) != whole
    shown = page(client, deck)
    assert shown.has("a", text="Find the smallest repair") and not shown.has(
        "a", text="See what completes it"
    )


def test_a_legal_deck_that_cannot_be_won_is_told_so_by_its_verdict(client: Client) -> None:
    deck = begun(client)
    offered = ticked(page(client, f"{deck}complete/"))
    sites = {card.code for card in games()["xfiles"].cards if card.type == "site"}
    add(client, deck, [change for change in offered.values() if change.split()[2] not in sites])
    combat = [card.code for card in games()["xfiles"].cards if card.type == "combat"][:20]
    add(client, deck, [f"+1 bureau {code}" for code in combat])
    stored = Deck.objects.with_cards().get()
    shown = page(client, deck)
    if stored.judged(games()["xfiles"]).verdict == "legal":
        assert shown.one(class_="advice").text.startswith("No Site in your team's reach asks about")
    assert shown.has("a", text="See what completes it")


# -- a pasted list ----------------------------------------------------------------------


def test_a_pasted_list_is_completed_in_its_own_lines_and_then_kept(client: Client) -> None:
    asked = {"game": "xfiles", "format": "advanced", "text": f"{TEAM}\n# my team\n"}
    assert page_of(client.post("/check/", asked)).has("button", text="See what completes it")
    found = page_of(client.post("/check/complete/", asked))
    fields = {**form_of(found), **asked, "change": list(ticked(found).values())}
    made = page_of(client.post("/check/repair/", fields))
    assert made.context["judged"].verdict == "legal" and "# my team" in str(made.field("text").value)
    client.post("/check/save/", {**asked, "text": made.field("text").value})
    assert Deck.objects.get().verdict == "legal"


@pytest.mark.parametrize("change", ["+9 bureau ambush", "-1 agents agent-fox-mulder, +9 bureau ambush"])
def test_what_would_break_a_rule_completes_neither_a_pasted_list_nor_a_deck(
    client: Client, change: str
) -> None:
    asked = {"game": "xfiles", "format": "advanced", "text": TEAM}
    made = client.post("/check/repair/", {**asked, "completes": "1", "change": change})
    assert (made.status_code, "would break a rule" in made.content.decode()) == (409, True)
    assert "9 Ambush" not in made.content.decode()
    deck = begun(client)
    before = names(deck)
    answer = client.post(f"{deck}repair/", {"completes": "1", "change": change}, follow=True)
    assert "would break a rule" in page_of(answer).one(class_="notice-error").text and names(deck) == before


def test_a_list_that_is_too_long_is_not_completed_and_the_page_says_so(client: Client) -> None:
    lines = "".join(f"1 {card.name}\n" for card in games()["xfiles"].cards[: MAX_ENTRIES + 1])
    asked = {"game": "xfiles", "format": "advanced", "text": lines}
    found = page_of(client.post("/check/complete/", asked))
    assert f"A list of more than {MAX_ENTRIES} lines is not completed." in found.main.text
    assert not found.has("form", class_="way")


def test_lines_that_were_not_read_are_put_right_first(client: Client) -> None:
    found = page_of(client.post("/check/complete/", {"game": "xfiles", "text": f"{TEAM}1 Zzyzx Qwrt\n"}))
    assert not found.has("form", class_="way") and "could not be read" in found.main.text


def test_what_the_author_wrote_in_or_keeps_stays_in_the_deck(client: Client) -> None:
    deck = begun(client, f"{TEAM}Bureau deck:\n3 Ambush\n1 Own Thing | Site | cost: 2\n")
    line = {"edit": "line", "section": "bureau", "code": "ambush", "count": "3", "keep": "1"}
    client.post(f"{deck}edit/", line)
    add(client, deck, list(ticked(page(client, f"{deck}complete/")).values()))
    assert (names(deck)["Ambush"], names(deck)["Own Thing"]) == (2, 1)
