"""Saved searches: kept by browser or account, limited, and never in cached pages."""

from string import ascii_letters
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnSearch
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.site.sharing import HEADER
from cardsdb.web.lists.saved_searches import MAX_NAME, MAX_QUERY, MAX_SEARCHES, claim_searches
from tests.support.card_lists import query_of
from tests.support.guests import guest
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PAGE = "/search/saved/"


def save(client: Client, name: str, query: str) -> Any:
    return client.post(PAGE, {"name": name, "q": query})


def kept(client: Client) -> dict[str, str]:
    """Return name -> query, as the search box gets them."""
    return {search["name"]: search["query"] for search in client.get(f"{PAGE}own/").json()["searches"]}


def put(searches: list[list[str]], **owner: Any) -> None:
    """Create searches of a browser or an account."""
    OwnSearch.objects.bulk_create(
        OwnSearch(name=name, key=name, query=query, **owner) for name, query in searches
    )


# -- saving and deleting -----------------------------------------------------------------


def test_a_search_is_kept_under_its_name_without_an_account(client):
    answer = save(client, "  My   krypt ", " krypt craft>=4 ")
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert kept(client) == {"My krypt": "krypt craft>=4"}
    assert page(client, PAGE).link("My krypt") == "/cards/?q=krypt+craft%3E%3D4"


def test_the_latest_comes_first_and_a_name_is_there_once(client):
    for name, query in (("one", "kai"), ("two", "krypt"), ("ONE", "type:gear")):
        save(client, name, query)
    assert list(kept(client).items()) == [("ONE", "type:gear"), ("two", "krypt")]


def test_the_page_is_filled_in_with_the_search_that_leads_to_it(client):
    for query in ("type:agent <b>", " or ".join(f"name:{letter * 40}" for letter in ascii_letters[:8])):
        assert page(client, PAGE, {"q": query}).one("input", id="saved-q").value == query
    # The query is kept whole even if it is too long to be saved.
    assert MAX_QUERY < len(query) < MAX_CHARACTERS and save(client, "long", query).status_code == 400
    assert page(client, PAGE, {"part": "1", "q": "krypt"}).one("input", id="saved-name").value == "krypt"


def test_a_list_offers_to_keep_the_search_in_the_words_that_were_typed(client):
    typed = "krypt agents craft 4+"
    offered = page(client, "/cards/", {"q": typed}).one("details", class_="saved-searches")
    assert query_of(offered.links[0]) == query_of(offered["data-part"]) == typed


def test_names_and_queries_are_escaped_and_outdated_queries_say_so(client):
    save(client, "<b>bold</b>", '"<i>x</i>"')
    put([["old", "fieldthatwent:3"]], browser=guest(client).browser)
    shown = page(client, PAGE)
    assert shown.has("a", text="<b>bold</b>") and not shown.has("b", text="bold") and not shown.has("i")
    assert shown.text.count("Not understood any more") == 1 and shown.has("code", text="fieldthatwent:3")


# -- refused searches --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "query", "where", "message"),
    [
        ("", "kai", "name", "Give the search a name."),
        ("\u202e", "kai", "name", "a name of letters"),
        ("n" * (MAX_NAME + 1), "kai", "name", f"at most {MAX_NAME} letters"),
        ("name", " ", "q", "Say what to search for"),
        ("name", "k" * (MAX_QUERY + 1), "q", f"at most {MAX_QUERY} characters"),
        ("name", "nonsense:kai", "q", "No field is called"),
    ],
)
def test_a_bad_name_or_query_is_refused_with_the_reason_and_stays_in_the_form(
    client, name, query, where, message
):
    answer = save(client, name, query)
    assert answer.status_code == 400
    assert any(fault.where == where and message in fault.message for fault in answer.context["faults"])
    assert f"#saved-{where}" in page_of(answer, status=400).links
    assert (answer.context["name"], answer.context["text"]) == (name, query)
    assert kept(client) == {}


# -- searches of an account --------------------------------------------------------------


@pytest.fixture
def anna():
    return User.objects.create_user("anna")


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.both_databases
def test_searches_of_an_account_are_in_every_browser_of_its_owner_and_no_other(anna):
    here, there = logged_in(anna), logged_in(anna)
    # A letter such as the ligature ffi becomes three when casefolded, and the name may still have full
    # length.
    save(here, "\ufb03" * MAX_NAME, "k" * MAX_QUERY)
    save(here, "My krypt", "krypt craft>=4")
    save(there, "MY KRYPT", "krypt craft>=5")
    for other in (Client(), logged_in(User.objects.create_user("bert"))):
        assert kept(other) == {}
        other.post(PAGE, {"delete": "MY KRYPT"})
    here.post(PAGE, {"delete": "\ufb03" * MAX_NAME})
    assert kept(here) == kept(there) == {"MY KRYPT": "krypt craft>=5"}


@pytest.mark.both_databases
def test_the_searches_of_an_account_are_limited(anna):
    put([[f"search {number}", "kai"] for number in range(MAX_SEARCHES)], owner=anna)
    client = logged_in(anna)
    assert "which is the most" in page_of(save(client, "one more", "kai"), status=400).text
    assert save(client, "search 3", "krypt").status_code == 302
    assert len(kept(client)) == MAX_SEARCHES


@pytest.mark.both_databases
def test_searches_of_the_browser_move_to_the_account_if_their_names_are_free(anna):
    save(logged_in(anna), "other", "krypt")
    client = Client()
    for name, query in (("OTHER", "type:gear"), ("new", "li")):
        save(client, name, query)
    client.force_login(anna)
    assert kept(client) == {"other": "krypt"}
    answer = page_of(client.post("/account/take/", {"kind": "searches"}, follow=True))
    assert "1 search stays with this browser: your account has others of these names" in answer.text
    assert kept(logged_in(anna)) == {"new": "li", "other": "krypt"}
    client.post("/accounts/logout/")
    assert kept(client) == {"OTHER": "type:gear"}


@pytest.mark.both_databases
@pytest.mark.django_db
def test_a_search_stays_with_the_browser_if_its_name_is_taken_in_this_moment(anna):
    put([["one", "kai"], ["two", "krypt"]], browser="here")

    def takes_one_first(execute, sql, *rest):
        if sql.startswith("UPDATE") and not OwnSearch.objects.filter(owner=anna).exists():
            put([["one", "type:gear"]], owner=anna)
        return execute(sql, *rest)

    with connection.execute_wrapper(takes_one_first):
        assert claim_searches(Viewer(anna.pk, browser="here")) == (1, 1)
    assert dict(OwnSearch.objects.filter(owner=anna).values_list("name", "query")) == {
        "one": "type:gear",
        "two": "krypt",
    }


@pytest.mark.parametrize(("room", "left"), [(1, ["second"]), (-1, ["first", "second"])])
def test_searches_that_do_not_fit_into_the_account_stay_with_the_browser(anna, room, left):
    put([[f"search {number}", "kai"] for number in range(MAX_SEARCHES - room)], owner=anna)
    client = Client()
    save(client, "second", "li")
    save(client, "first", "krypt")
    client.force_login(anna)
    client.post("/account/take/", {"kind": "searches"})
    client.post("/accounts/logout/")
    assert sorted(kept(client)) == left


def test_searches_of_a_session_of_earlier_versions_become_those_of_the_browser(client):
    save(client, "new", "li")
    session = client.session
    session["searches"] = [["second", "krypt"], ["first", "kai"], ["NEW", "kai"]]
    session.save()
    assert kept(client) == kept(client) == {"second": "krypt", "first": "kai", "new": "li"}


# -- never cached -------------------------------------------------------------------------


def test_pages_with_own_searches_are_never_cached(anna):
    client = logged_in(anna)
    save(client, "a name of mine", "kai")
    for address in (PAGE, f"{PAGE}?part=1", f"{PAGE}own/"):
        answer = client.get(address)
        assert "a name of mine" in answer.text
        assert HEADER not in answer.headers and "no-store" in answer["Cache-Control"]
    found = page(client, "/cards/?q=krypt")
    assert "a name of mine" not in found.text and f"{PAGE}?q=krypt" in found.links
