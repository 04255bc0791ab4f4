"""The pages of a deck's history (``decks/saving/views.py``): steps, names, comparison, forks, and printing
the cards added since a version; and the history in the API (``decks/api``).
"""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.identity.viewer import Viewer, hashed
from decks.models import Deck, DeckLine, DeckRevision
from decks.saving.save import save_edit
from tests.support.editing import open_editor
from tests.support.made_decks import starter
from tests.support.pages import Page, page, page_of
from tests.support.saved_decks import having, secret_deck, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def deck(owner):
    """A public deck of the owner's browser. Version 0 has 2 Kai, version 1 has 3 Kai, version 2 has 1 Termite
    more.
    """
    open_editor(owner, "2 Kai", visibility="public")
    deck = Deck.objects.get()
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, having(3))
    save_edit(deck.link, me, having(1, "termite"))
    return deck


def after(client: Client, address: str, **sent: str) -> Page:
    """The page after pressing a button."""
    return page_of(client.post(address, sent, follow=True))


# -- caching and unknown addresses; who may see what is in tests/support/permission_table.py


@pytest.mark.parametrize("address", ("{0}/history/", "{0}/history/1/", "compare/?a={0}&b={0}"))
def test_no_cache_keeps_what_is_private(owner, deck, address):
    assert "no-store" in owner.get("/decks/" + address.format(deck.link))["Cache-Control"]


@pytest.mark.parametrize("rest", ["99/", "99999999999999999999/", "?page=2"])
def test_unknown_versions_and_pages_are_not_found(owner, deck, rest):
    page(owner, f"/decks/{deck.link}/history/{rest}", status=404)


# -- the history's page -----------------------------------------------------------------


def test_the_history_names_changes_and_what_undo_will_revert(owner, deck):
    shown = page(owner, f"/decks/{deck.link}/history/")
    (sitting,) = shown.all(class_="sitting")
    assert [row.all("a")[0].text for row in sitting.all(class_="version")] == [
        "Version 2: +1 Termite",
        "Version 1: +1 Kai",
    ]
    assert shown.all(class_="version")[-1].all("a")[0].text == "Version 0: 2 cards"
    assert shown.has("button", text="Undo: +1 Termite")
    assert "nothing to redo" in shown.text


def test_undo_and_redo_return_to_the_page_of_their_button(owner, deck):
    answer = owner.post(f"/decks/{deck.link}/undo/", {"back": "deck"}, follow=True)
    assert answer.redirect_chain == [(f"/decks/{deck.link}/", 302)]
    assert "Undone: +1 Termite." in page_of(answer).text
    again = owner.post(f"/decks/{deck.link}/redo/", {"back": "https://elsewhere.example/"}, follow=True)
    assert again.redirect_chain == [(f"/decks/{deck.link}/history/", 302)]
    assert "Redone: +1 Termite." in page_of(again).text
    assert "There is nothing to redo." in after(owner, f"/decks/{deck.link}/redo/").text


def test_restoring_a_version_is_announced_and_done(owner, deck):
    version = f"/decks/{deck.link}/history/0/"
    assert "Going back changes the deck by -1 Kai, -1 Termite" in page(owner, version).text
    assert "Back at version 0: -1 Kai, -1 Termite." in after(owner, f"{version}restore/").text
    assert stored(deck) == {"kai": 2}


@pytest.mark.parametrize("name", ["x" * 81, "\u202egnp"])
def test_a_version_gets_a_valid_name_and_an_invalid_one_is_refused(owner, deck, name):
    answer = owner.post(f"/decks/{deck.link}/history/1/name/", {"name": name})
    shown = page_of(answer, status=400)
    assert shown.one("input", aria_invalid="true")["id"] == "name-1"
    assert "was not named" in shown.one(role="alert").text
    assert not DeckRevision.objects.exclude(name="").exists()
    named = after(owner, f"/decks/{deck.link}/history/1/name/", name="<b>Final</b>")
    assert named.one(id="version-1").one(class_="name").text == "<b>Final</b>"


def test_a_deck_without_history_says_so(owner, deck):
    DeckRevision.objects.all().delete()
    assert page(owner, f"/decks/{deck.link}/history/").has("h2", text="No history yet")


def test_pages_of_a_long_history_cost_no_more_queries_and_offer_named_versions(owner, deck):
    def asked(rest: str = "") -> tuple[int, Page]:
        """(number of queries, page)."""
        with CaptureQueriesContext(connection) as queries:
            shown = page(owner, f"/decks/{deck.link}/history/{rest}")
        return len(queries), shown

    def offered(shown: Page) -> list[int]:
        options = shown.one(id="pair-a").all("option")
        return [int(option["value"].rpartition("@")[2]) for option in options]

    few, _ = asked()
    row = DeckRevision.objects.get(deck=deck, number=2)
    DeckRevision.objects.bulk_create(
        DeckRevision(deck=deck, number=number, kind="edited", content=row.content, undo_to=number - 1)
        for number in range(3, 60)
    )
    Deck.objects.update(revision=59)
    DeckRevision.objects.filter(deck=deck, number=7).update(name="Club night")
    many, first = asked()
    assert many == few <= 17
    # The 25 versions of the page, the newest one and those with a name.
    assert offered(first) == [*range(59, 34, -1), 7]
    _, second = asked("?page=2")
    assert offered(second) == [59, *range(34, 9, -1), 7]
    assert "Version 0: 2 cards" in asked("?page=3")[1].text


# -- comparing ------------------------------------------------------------------------


def compared(client: Client, a: str, b: str, status: int = 200) -> Page:
    return page(client, "/decks/compare/", {"a": a, "b": b}, status=status)


def test_two_versions_are_compared_as_a_table_and_in_words(owner, deck):
    shown = compared(owner, f"{deck.link}@0", f"{deck.link}@2")
    assert shown.one(id="words").value == "+1 Kai, +1 Termite"
    assert [cell.text for cell in shown.row("Kai")[1:]] == ["2", "3", "+1"]
    assert [cell.text for cell in shown.row("Termite")[1:]] == ["0", "1", "+1"]
    back = compared(owner, deck.link, f"http://testserver/decks/{deck.link}/history/@0")
    assert [cell.text for cell in back.row("Kai")[1:]] == ["3", "2", "−1"]
    assert "There is no difference" in compared(owner, deck.link, f"{deck.link}@2").text


def test_strangers_can_compare_decks_but_not_their_versions(deck):
    stranger = Client()
    compared(stranger, deck.link, deck.link)
    for number in (0, 2):
        refused = compared(stranger, f"{deck.link}@{number}", deck.link, 404)
        assert "no such deck or version" in refused.one(id="side-a-error").text
    Deck.objects.update(visibility="private")
    assert "Dragons" not in compared(stranger, deck.link, deck.link, 404).text


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("side", ["x" * 500, "a@b@c", "nothing@999999999"])
def test_an_unknown_deck_is_refused_at_its_field(deck, side):
    shown = compared(Client(), deck.link, side, 404)
    assert shown.has(id="side-b-error")
    assert shown.field("b").value == side[:400]


def test_decks_of_two_games_are_not_compared(deck):
    assert "Choose two decks of one game" in compared(Client(), deck.link, secret_deck().link, 400).text


def test_comparing_shows_secret_cards_only_if_revealed():
    deck, other = secret_deck(), secret_deck(revealed=True)
    secret = DeckLine.objects.get(deck=deck, section="xfile")
    assert secret.card
    DeckLine.objects.filter(deck=other, section="xfile").delete()
    assert secret.card.name not in compared(Client(), deck.link, other.link).text
    Deck.objects.filter(pk=deck.pk).update(revealed=True)
    assert secret.card.name in compared(Client(), deck.link, other.link).text


def test_the_visitors_decks_are_offered_for_comparison(owner, deck):
    open_editor(owner, starter("spycraft", "mission-deck-base"), format="mission-base", name="Missions")
    open_editor(Client(), name="Another's")
    offered = page(owner, "/decks/compare/").one(id="own-decks").all("option")
    assert {option.text for option in offered} == {"Missions (Spycraft)", "Dragons (Spycraft)"}


# -- the API --------------------------------------------------------------------------


def api(method: str, deck: Deck, rest: str, key: str = "key", **more: Any) -> Any:
    """Send a request about the deck with this edit key. Its ETag is ``"revision-visibility"``."""
    Deck.objects.filter(pk=deck.pk).update(edit_hash=hashed("key"))
    headers = {"X-Deck-Key": key} | more.pop("headers", {})
    return Client().generic(method, f"/api/v1/decks/{deck.link}/{rest}", headers=headers, **more)


def replaced(deck: Deck, **headers: str) -> Any:
    """Replace the deck by 4 Kai."""
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": "4 Kai"})
    return api("PUT", deck, "", data=body, content_type="application/json", headers=headers)


def test_the_api_lists_states_and_shows_one_with_its_content(deck):
    states = api("GET", deck, "revisions/").json()["results"]
    assert [(state["number"], state["kind"], state["words"]) for state in states] == [
        (2, "edited", "+1 Termite"),
        (1, "edited", "+1 Kai"),
        (0, "made", "2 cards"),
    ]
    assert states[1]["changes"] == [
        {"card": "spycraft/kai", "name": "Kai", "section": "deck", "before": 2, "after": 3}
    ]
    whole = api("GET", deck, "revisions/0/").json()["content"]["lines"]
    assert whole == [{"section": "deck", "count": 2, "code": "kai"}]


def test_the_api_undoes_and_redoes_at_the_revision_of_if_match(deck):
    stale = api("POST", deck, "undo/", headers={"If-Match": '"1-public"'})
    assert (stale.status_code, stored(deck)) == (412, {"kai": 3, "termite": 1})
    undone = api("POST", deck, "undo/", headers={"If-Match": '"2-public"'})
    answered = undone.json()["words"], undone["ETag"], undone.json()["revision"]
    assert answered == ("-1 Termite", '"3-public"', 3)
    assert api("POST", deck, "redo/").json()["words"] == "+1 Termite"
    refused = api("POST", deck, "redo/")
    assert (refused.status_code, refused.json()[0]["code"]) == (409, "nothing_to_redo")


def test_the_api_forks_with_a_key_of_its_own(deck):
    made = api("POST", deck, "fork/", key="")
    assert (made.status_code, made.json()["visibility"]) == (201, "private")
    other = Deck.objects.get(link=made.json()["id"])
    assert (other.forked_from, other.edit_hash) == (deck, hashed(made.json()["edit_key"]))
    assert made["Location"] == f"/api/v1/decks/{other.link}/"


@pytest.mark.parametrize(
    ("tag", "status"),
    [
        ('W/"2-public"', 200),
        ("*", 200),
        ('"1-public", "2-public"', 200),
        ('"2"', 412),
    ],
)
def test_if_match_allows_replacing_only_the_deck_that_was_read(deck, tag, status):
    assert api("GET", deck, "")["ETag"] == '"2-public"'
    answer = replaced(deck, **{"If-Match": tag})
    assert answer.status_code == status
    if status == 412:
        assert (answer.json()[0]["code"], stored(deck)) == ("stale", {"kai": 3, "termite": 1})
    else:
        assert (answer["ETag"], stored(deck)) == ('"3-public"', {"kai": 4})


def test_a_list_without_marks_keeps_the_decks_marks(deck):
    DeckLine.objects.filter(card__code="kai").update(note="why")
    replaced(deck)
    assert DeckLine.objects.values_list("count", "note").get() == (4, "why")


# -- forks ----------------------------------------------------------------------------


def test_forking_makes_a_private_deck_for_the_visitor(deck):
    stranger = Client()
    shown = after(stranger, f"/decks/{deck.link}/fork/")
    assert "This copy is yours" in shown.text
    assert "Copied from Dragons" in shown.text
    other = Deck.objects.get(forked_from=deck)
    page(stranger, f"/decks/{other.link}/history/")
    page(Client(), f"/decks/{other.link}/", status=404)


@pytest.mark.parametrize("revealed", [False, True])
def test_a_fork_says_which_secret_cards_were_left_out(revealed):
    text = after(Client(), f"/decks/{secret_deck(revealed=revealed).link}/fork/").text
    assert ("the author keeps these cards secret, so your copy is without them" in text) is not revealed


# -- printing the cards added since a version -------------------------------------------


def prints(shown: Page) -> list[str]:
    """The page's links for printing the cards added since a version."""
    return [link for link in shown.links if link.startswith("/print/?deck=") and "&since=" in link]


def test_earlier_versions_link_to_printing_the_cards_added_since(owner, deck):
    history = f"/decks/{deck.link}/history/"
    found = prints(page(owner, history))
    assert found == [f"/print/?deck={deck.link}&since={number}" for number in (1, 0)]
    printed = page_of(owner.get(found[0], follow=True)).text
    assert "1 card changed since version 1, 1 sheet" in printed
    assert prints(page(owner, f"{history}0/")) == [f"/print/?deck={deck.link}&since=0"]
    assert prints(page(owner, f"{history}2/")) == [], "that is the newest"


@pytest.mark.parametrize(
    ("pair", "printed"),
    [(("@0", ""), 1), (("@1", "@2"), 1), (("@0", "@1"), 0)],
    ids=["now", "newest", "both older"],
)
def test_only_a_comparison_with_the_deck_of_now_links_to_printing(owner, deck, pair, printed):
    a, b = (f"{deck.link}{end}" for end in pair)
    assert len(prints(compared(owner, a, b))) == printed
