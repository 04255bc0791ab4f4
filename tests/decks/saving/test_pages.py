"""The pages and addresses of a deck's history: who sees what, forks, comparing, the API, printing what came
in.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from decks.core.judging import judge_text
from decks.models import Deck, DeckLine, DeckRevision, new_deck
from decks.saving.history import fork, lineage
from decks.saving.save import save_edit
from tests.decks.saving.test_history import having, made, stored
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Client:
    return Client()


@pytest.fixture
def deck(owner: Client) -> Deck:
    """A public deck of the owner's browser: version 0 has 2 Kai, version 1 has 3, version 2 has 1 Termite as
    well.
    """
    made = owner.post(
        "/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"}
    )
    deck = Deck.objects.get(link=made["Location"].split("/")[2])
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, having(3))
    save_edit(deck.link, me, having(1, "termite"))
    return deck


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


# -- who sees what --------------------------------------------------------------------

PAGES = ("history/", "history/1/")
ACTS = ("undo/", "redo/", "history/0/restore/", "history/0/name/")


@pytest.mark.parametrize("address", PAGES)
def test_only_whoever_may_edit_sees_the_history(owner: Client, deck: Deck, address: str) -> None:
    assert "+1 Kai" in page(owner, f"/decks/{deck.link}/{address}")
    page(Client(), f"/decks/{deck.link}/{address}", 404)


@pytest.mark.parametrize("address", ACTS)
def test_only_whoever_may_edit_moves_through_it(deck: Deck, address: str) -> None:
    assert Client().post(f"/decks/{deck.link}/{address}", {"name": "Mine"}).status_code == 404
    assert (DeckRevision.objects.count(), DeckRevision.objects.exclude(name="").count()) == (3, 0)


@pytest.mark.parametrize("address", (*ACTS, "fork/"))
def test_nothing_of_it_happens_by_a_link(owner: Client, deck: Deck, address: str) -> None:
    assert owner.get(f"/decks/{deck.link}/{address}").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.cookies
    assert strict.post(f"/decks/{deck.link}/{address}").status_code == 403


@pytest.mark.parametrize("address", ("{0}/history/", "{0}/history/1/", "compare/?a={0}&b={0}"))
def test_no_cache_keeps_what_is_private(owner: Client, deck: Deck, address: str) -> None:
    assert "no-store" in owner.get("/decks/" + address.format(deck.link))["Cache-Control"]


@pytest.mark.parametrize(
    "rest",
    ["history/99/", "history/99999999999999999999/", "history/?page=0", "history/?page=2", "history/?page=x"],
)
def test_what_is_not_there_is_not_found(owner: Client, deck: Deck, rest: str) -> None:
    page(owner, f"/decks/{deck.link}/{rest}", 404)


# -- the list -------------------------------------------------------------------------


def test_the_list_says_what_changed_and_what_undoing_will_do(owner: Client, deck: Deck) -> None:
    shown = page(owner, f"/decks/{deck.link}/history/")
    places = [shown.index(words) for words in ("+1 Termite", "+1 Kai", "2 cards")]
    assert places == sorted(places)
    assert "+1 Termite</span></button>" in shown and "nothing to redo" in shown


def test_undo_and_redo_go_back_to_the_page_they_were_pressed_on(owner: Client, deck: Deck) -> None:
    answer = owner.post(f"/decks/{deck.link}/undo/", {"back": "deck"}, follow=True)
    assert answer.redirect_chain == [(f"/decks/{deck.link}/", 302)]
    assert "Undone: +1 Termite." in answer.content.decode()
    again = owner.post(f"/decks/{deck.link}/redo/", {"back": "https://elsewhere.example/"}, follow=True)
    assert again.redirect_chain == [(f"/decks/{deck.link}/history/", 302)]
    assert "Redone: +1 Termite." in again.content.decode()
    assert "nothing to redo" in owner.post(f"/decks/{deck.link}/redo/", follow=True).content.decode()


def test_going_back_to_a_version_makes_the_deck_that(owner: Client, deck: Deck) -> None:
    assert "Going back changes the deck by -1 Kai, -1 Termite" in page(
        owner, f"/decks/{deck.link}/history/0/"
    )
    answer = owner.post(f"/decks/{deck.link}/history/0/restore/", follow=True)
    assert "Back at version 0: -1 Kai, -1 Termite." in answer.content.decode()
    assert stored(deck) == {"kai": 2}


def test_a_version_is_named_and_found_by_its_name(owner: Client, deck: Deck) -> None:
    owner.post(f"/decks/{deck.link}/history/1/name/", {"name": "<b>Final</b>"})
    shown = page(owner, f"/decks/{deck.link}/history/")
    assert "&lt;b&gt;Final&lt;/b&gt;" in shown and "<b>Final" not in shown


@pytest.mark.parametrize("name", ["x" * 81, "\u202egnp"])
def test_a_name_that_cannot_be_is_shown_with_what_is_wrong(owner: Client, deck: Deck, name: str) -> None:
    answer = owner.post(f"/decks/{deck.link}/history/1/name/", {"name": name})
    assert answer.status_code == 400
    assert 'aria-invalid="true"' in answer.content.decode() and "was not named" in answer.content.decode()
    assert not DeckRevision.objects.exclude(name="").exists()


def test_a_deck_without_history_says_when_it_begins(owner: Client, deck: Deck) -> None:
    DeckRevision.objects.all().delete()
    assert "No history yet" in page(owner, f"/decks/{deck.link}/history/")


def test_a_long_history_has_pages_and_no_page_costs_more_for_it(owner: Client, deck: Deck) -> None:
    me = Viewer(key_hash=deck.edit_hash)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(owner, f"/decks/{deck.link}/history/")
        return len(asked)

    few = queries()
    for count in range(2, 52):
        save_edit(deck.link, me, having(count % 7 + 1, "bishop"))
    assert queries() == few <= 17
    assert "2 cards" in page(owner, f"/decks/{deck.link}/history/?page=3")


def test_a_page_of_a_long_history_offers_to_compare_its_own_versions_the_newest_and_those_with_names(
    owner: Client, deck: Deck
) -> None:
    me = Viewer(key_hash=deck.edit_hash)
    for count in range(2, 59):
        save_edit(deck.link, me, having(count % 7 + 1, "bishop"))
    DeckRevision.objects.filter(deck=deck, number=7).update(name="Club night")
    newest = DeckRevision.objects.filter(deck=deck).order_by("-number").values_list("number", flat=True)[0]

    def offered(address: str) -> list[int]:
        select = (
            page(owner, f"/decks/{deck.link}/history/{address}")
            .partition('id="pair-a"')[2]
            .partition("</select>")[0]
        )
        return [int(number) for number in re.findall(r'@(\d+)"', select)]

    assert offered("") == [*range(newest, newest - 25, -1), 7]
    assert offered("?page=2") == [newest, *range(newest - 25, newest - 50, -1), 7]


# -- comparing ------------------------------------------------------------------------


def test_two_versions_are_compared_as_a_table_and_in_words(owner: Client, deck: Deck) -> None:
    shown = page(owner, f"/decks/compare/?a={deck.link}@0&b={deck.link}@2")
    assert "+1 Kai, +1 Termite</textarea>" in shown
    assert shown.count('<td class="num more-copies">+1</td>') == 2
    back = page(owner, f"/decks/compare/?a={deck.link}&b=http://testserver/decks/{deck.link}/history/@0")
    assert back.count('<td class="num fewer-copies">&minus;1</td>') == 2
    assert "There is no difference" in page(owner, f"/decks/compare/?a={deck.link}&b={deck.link}@2")


def test_strangers_compare_decks_and_not_their_versions(deck: Deck) -> None:
    stranger = Client()
    page(stranger, f"/decks/compare/?a={deck.link}&b={deck.link}")
    for number in (0, 2):
        assert "no such deck or version" in page(
            stranger, f"/decks/compare/?a={deck.link}@{number}&b={deck.link}", 404
        )
    Deck.objects.update(visibility="private")
    assert "Dragons" not in page(stranger, f"/decks/compare/?a={deck.link}&b={deck.link}", 404)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("side", ["x" * 500, "<script>", "a@b@c", "@", "../..", "nothing@999999999"])
def test_what_is_no_deck_is_said_at_its_field(deck: Deck, side: str) -> None:
    shown = page(Client(), f"/decks/compare/?a={deck.link}&b={side}", 404)
    assert 'id="side-b-error"' in shown and "<script>x" not in shown


def test_decks_of_two_games_are_not_compared(deck: Deck) -> None:
    other = secret_deck()
    assert "Choose two decks of one game" in page(
        Client(), f"/decks/compare/?a={deck.link}&b={other.link}", 400
    )


def secret_deck() -> Deck:
    """A public X-Files deck, whose X-File is secret."""
    game = games()["xfiles"]
    starter = next(starter for starter in game.starters if starter.format == "advanced")
    deck, _ = new_deck()
    save_list(
        deck,
        judge_text(game, starter.text, game.formats_by_slug["advanced"]),
        name="Secret",
        visibility="public",
    )
    return deck


def test_comparing_gives_no_secret_away_until_its_author_does() -> None:
    deck, other = secret_deck(), secret_deck()
    secret = DeckLine.objects.get(deck=deck, section="xfile")
    assert secret.card
    Deck.objects.filter(pk=other.pk).update(revealed=True)
    DeckLine.objects.filter(deck=other, section="xfile").delete()
    address = f"/decks/compare/?a={deck.link}&b={other.link}"
    assert secret.card.name not in page(Client(), address)
    Deck.objects.filter(pk=deck.pk).update(revealed=True)
    assert secret.card.name in page(Client(), address)


# -- the API --------------------------------------------------------------------------


def api(method: str, deck: Deck, rest: str, key: str = "key", **more: Any) -> Any:
    Deck.objects.filter(pk=deck.pk).update(edit_hash=hashed("key"))
    headers = {"X-Deck-Key": key} | more.pop("headers", {})
    return Client().generic(method, f"/api/v1/decks/{deck.link}/{rest}", headers=headers, **more)


def test_the_api_lists_the_states_and_shows_each_whole(deck: Deck) -> None:
    states = api("GET", deck, "revisions/").json()["results"]
    assert [(state["number"], state["kind"], state["words"]) for state in states] == [
        (2, "edited", "+1 Termite"),
        (1, "edited", "+1 Kai"),
        (0, "made", "2 cards"),
    ]
    assert states[1]["changes"] == [
        {"card": "spycraft/kai", "name": "Kai", "section": "deck", "before": 2, "after": 3}
    ]
    assert api("GET", deck, "revisions/0/").json()["content"]["lines"] == [
        {"section": "deck", "count": 2, "code": "kai"}
    ]


def test_the_api_undoes_and_redoes(deck: Deck) -> None:
    undone = api("POST", deck, "undo/")
    assert (undone.json()["words"], undone["ETag"], undone.json()["revision"]) == (
        "-1 Termite",
        '"3-public"',
        3,
    )
    assert api("POST", deck, "redo/").json()["words"] == "+1 Termite"
    refused = api("POST", deck, "redo/")
    assert (refused.status_code, refused.json()[0]["code"]) == (409, "nothing_to_redo")


def test_the_api_forks_with_a_key_of_its_own(deck: Deck) -> None:
    made = api("POST", deck, "fork/", key="")
    assert (made.status_code, made.json()["visibility"]) == (201, "private")
    other = Deck.objects.get(link=made.json()["id"])
    assert (other.forked_from, other.edit_hash) == (deck, hashed(made.json()["edit_key"]))
    assert made["Location"] == f"/api/v1/decks/{other.link}/"


@pytest.mark.parametrize(
    ("method", "rest"), [("GET", "revisions/"), ("GET", "revisions/0/"), ("POST", "undo/"), ("POST", "redo/")]
)
def test_the_api_shows_the_history_to_no_stranger(deck: Deck, method: str, rest: str) -> None:
    assert api(method, deck, rest, key="wrong").status_code == 404


@pytest.mark.parametrize(
    ("tag", "status"),
    [
        ('"2-public"', 200),
        ('W/"2-public"', 200),
        ("*", 200),
        ('"1-public", "2-public"', 200),
        ('"2-private"', 412),
        ('"2"', 412),
    ],
)
def test_a_deck_is_replaced_only_at_the_revision_that_was_read(deck: Deck, tag: str, status: int) -> None:
    assert api("GET", deck, "")["ETag"] == '"2-public"'
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": "4 Kai"})
    answer = api("PUT", deck, "", data=body, content_type="application/json", headers={"If-Match": tag})
    assert answer.status_code == status
    if status == 412:
        assert (answer.json()[0]["code"], stored(deck)) == ("stale", {"kai": 3, "termite": 1})
    else:
        assert (answer["ETag"], stored(deck)) == ('"3-public"', {"kai": 4})


def test_a_list_without_marks_leaves_the_decks_marks_alone(deck: Deck) -> None:
    DeckLine.objects.filter(card__code="kai").update(note="why")
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": "4 Kai"})
    api("PUT", deck, "", data=body, content_type="application/json")
    assert DeckLine.objects.values_list("count", "note").get() == (4, "why")


# -- forks ----------------------------------------------------------------------------


def test_a_fork_knows_where_it_comes_from_and_goes_its_own_way() -> None:
    deck, me = made(visibility="public")
    save_edit(deck.link, me, having(3))
    other, _ = fork(deck.link, Viewer(browser="b"), new_deck, "b")
    save_edit(other.link, Viewer(browser="b"), having(9))
    assert (stored(deck), stored(other), other.visibility) == ({"kai": 3}, {"kai": 9}, "private")
    assert (
        other.forked_from,
        other.forked_revision,
        DeckRevision.objects.get(deck=other, number=0).kind,
    ) == (deck, 1, "forked")
    assert lineage(other, Viewer(browser="b"))["parent"] == deck
    assert (lineage(deck, me)["fork_count"], lineage(deck, me)["forks"]) == (1, [])


def test_a_fork_does_not_name_a_deck_that_its_reader_may_not_see() -> None:
    deck, _ = made(visibility="public")
    other, _ = fork(deck.link, Viewer(browser="b"), new_deck, "b")
    Deck.objects.filter(pk=deck.pk).update(visibility="private")
    assert lineage(other, Viewer(browser="b"))["parent"] is None
    with pytest.raises(Http404):
        fork(deck.link, Viewer(browser="b"), new_deck, "b")


@pytest.mark.parametrize(("revealed", "copied"), [(False, 0), (True, 1)])
def test_a_fork_has_anothers_secret_cards_only_where_they_are_revealed(revealed: bool, copied: int) -> None:
    deck = secret_deck()
    Deck.objects.update(revealed=revealed)
    other, _ = fork(deck.link, Viewer(browser="b"), new_deck, "b")
    assert DeckLine.objects.filter(deck=other, section="xfile").count() == copied
    assert len(DeckRevision.objects.get(deck=other).content["lines"]) == other.lines.count()


def test_the_fork_page_makes_a_deck_of_the_visitors_own(deck: Deck) -> None:
    stranger = Client()
    answer = stranger.post(f"/decks/{deck.link}/fork/", follow=True)
    assert "This deck is yours now" in answer.content.decode()
    other = Deck.objects.get(forked_from=deck)
    assert stranger.get(f"/decks/{other.link}/history/").status_code == 200
    assert Client().get(f"/decks/{other.link}/").status_code == 404


# -- printing what came in -------------------------------------------------------------


def links(client: Client, address: str) -> list[str]:
    return re.findall(
        r'href="(/print/\?deck=[^"]*&since=[^"]*)"', unescape(client.get(address).content.decode())
    )


def test_each_earlier_version_leads_to_the_print_of_what_came_in_since(owner: Client, deck: Deck) -> None:
    found = links(owner, f"/decks/{deck.link}/history/")
    assert found == [f"/print/?deck={deck.link}&since={number}" for number in (1, 0)]
    page = owner.get(found[0], follow=True).content.decode()
    assert "1 card changed since version 1, 1 sheet" in page


def test_a_version_page_has_the_same_link_and_the_newest_none(owner: Client, deck: Deck) -> None:
    assert links(owner, f"/decks/{deck.link}/history/0/") == [f"/print/?deck={deck.link}&since=0"]
    assert links(owner, f"/decks/{deck.link}/history/2/") == []


def test_a_version_since_which_nothing_came_in_has_no_link(owner: Client, deck: Deck) -> None:
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, having(0, "termite"))
    save_edit(deck.link, me, having(1))
    assert links(owner, f"/decks/{deck.link}/history/") == []


@pytest.mark.parametrize(
    ("pair", "printed"),
    [(("@0", ""), 1), (("@1", "@2"), 1), (("@0", "@1"), 0), (("", "@0"), 0)],
    ids=["now", "newest", "both older", "back"],
)
def test_a_comparison_with_the_deck_as_it_is_leads_to_the_print(
    owner: Client, deck: Deck, pair: tuple[str, str], printed: int
) -> None:
    a, b = (f"{deck.link}{end}" for end in pair)
    assert len(links(owner, f"/decks/compare/?a={a}&b={b}")) == printed


def test_of_two_decks_nothing_came_in(owner: Client, deck: Deck) -> None:
    other = owner.post("/decks/new/", {"game": "spycraft", "name": "Others", "text": "9 Li"})[
        "Location"
    ].split("/")[2]
    assert links(owner, f"/decks/compare/?a={deck.link}&b={other}") == []
