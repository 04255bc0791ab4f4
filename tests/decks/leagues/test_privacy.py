"""Who sees and changes a league's format, at every address: its owner, whoever has its link, everybody."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import hashed
from decks.core.judging import Judged
from decks.leagues.league_formats import keep_league_private
from decks.models import BrowserAccess, Deck, LeagueFormat
from decks.saving.save import renew_verdicts
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of

pytestmark = pytest.mark.django_db
DECLARED = {
    "game": "spycraft",
    "name": "Secret table",
    "based_on": "agency",
    "rules": [{"rule": "banned", "cards": ["Kai"], "code": "SECRET"}],
}
SEEN, CHANGED = ("", "file.toml"), ("edit/", "delete/")


def logged_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name))
    return client


@pytest.fixture
def owner():
    return logged_in("owner")


@pytest.fixture
def row(owner):
    user = User.objects.get(username="owner")
    return LeagueFormat.objects.create(owner=user, game="spycraft", name="Secret table", declared=DECLARED)


def shared(row: LeagueFormat, visibility: str) -> LeagueFormat:
    row.visibility = visibility
    row.save()
    return row


def test_its_owner_sees_and_changes_it(owner, row):
    assert {owner.get(f"/formats/{row.link}/{place}").status_code for place in (*SEEN, *CHANGED)} == {200}
    assert "Secret table" in page(owner, "/formats/").text


@pytest.mark.parametrize(
    ("visibility", "status", "listed"),
    [("private", 404, False), ("unlisted", 200, False), ("public", 200, True)],
)
@pytest.mark.parametrize("who", ["stranger", ""])
def test_others_see_what_is_shared_and_change_nothing(row, visibility, status, listed, who):
    shared(row, visibility)
    other, address, mine = logged_in(who) if who else Client(), f"/formats/{row.link}/", {"name": "Mine"}
    assert [other.get(f"{address}{place}").status_code for place in SEEN] == [status] * 2
    assert [other.get(f"{address}{place}").status_code for place in CHANGED] == [404] * 2
    assert [other.post(f"{address}{place}", mine).status_code for place in CHANGED] == [404] * 2
    assert other.post(f"{address}deck/").status_code == (404 if status == 404 else 302)
    assert ("Secret table" in page(other, "/formats/").text) is listed
    row.refresh_from_db()
    assert row.name == "Secret table"


def test_a_browser_s_format_is_that_browser_s_alone():
    mine, other = Client(), Client()
    mine.post("/formats/", {"name": "Ours", "base": "spycraft/agency"})
    row = LeagueFormat.objects.get()
    assert (row.owner_id, bool(row.browser)) == (None, True)
    assert mine.get(f"/formats/{row.link}/edit/").status_code == 200
    assert other.get(f"/formats/{row.link}/").status_code == 404


def test_a_list_is_judged_by_a_private_format_for_its_owner_alone(owner, row):
    sent = {"game": "spycraft", "text": "1 Kai", "house": f"league={row.link}"}

    def judged(client: Client) -> list[bool]:
        answers = [client.post(place, sent) for place in ("/check/", "/check/verdict/")]
        answers += [client.post("/api/v1/decks/validate/", sent, content_type="application/json")]
        return ["SECRET" in answer.text or "Secret table" in answer.text for answer in answers]

    assert judged(owner) == [True] * 3
    assert judged(logged_in("stranger")) == judged(Client()) == [False] * 3


@pytest.fixture
def deck(owner, row):
    """A private deck of the format's owner that is judged by it."""
    owner.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    owner.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    return deck


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_a_shared_deck_tells_nothing_of_a_private_format(owner, deck, visibility):
    address = f"/decks/{deck.link}/"
    assert "SECRET" in page(owner, address).text
    Deck.objects.filter(pk=deck.pk).update(visibility=visibility)
    deck.refresh_from_db()
    assert deck.judged_by.startswith("outdated"), "the stored verdict was by the private format"
    for path in (address, f"{address}embed/", f"{address}files/", f"/api/v1{address}"):
        for visitor in (Client(), owner):
            shown = visitor.get(path).text
            assert "SECRET" not in shown and "Secret" not in shown, path
    assert "Agency Deck instead" in page(owner, address).text


def test_a_deck_that_is_changed_and_shared_at_once_is_stored_with_the_verdict_that_all_may_see(owner, deck):
    body = {"game": "spycraft", "name": "New", "text": "1 Kai", "visibility": "public"}
    assert owner.put(f"/api/v1/decks/{deck.link}/", body, content_type="application/json").status_code == 200
    assert Deck.objects.values_list("visibility", "verdict").get() == ("public", "incomplete")


def test_a_fork_by_somebody_else_is_not_judged_by_a_private_format(row, deck):
    Deck.objects.filter(pk=deck.pk).update(visibility="public")
    other = logged_in("stranger")
    other.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert fork.house == deck.house
    assert "SECRET" not in other.get(f"/decks/{fork.link}/").text


def test_nobody_s_deck_takes_a_private_format_by_its_link(row):
    other = logged_in("stranger")
    deck = make_deck(other, "1 Kai")
    assert other.post(f"/decks/{deck.link}/house/", {"league": row.link}).status_code == 400
    Deck.objects.filter(pk=deck.pk).update(house=f"league={row.link}")
    for place in ("", "edit/", "house/", "history/", "repairs/"):
        shown = other.get(f"/decks/{deck.link}/{place}").text
        assert "SECRET" not in shown and "Secret table" not in shown, place


def test_an_account_s_formats_go_with_it(row, deck):
    Deck.objects.filter(pk=deck.pk).update(owner=None, judged_by="x")
    User.objects.get(username="owner").delete()
    assert not LeagueFormat.objects.exists()
    assert Deck.objects.get().judged_by.startswith("outdated")


# -- stored verdicts ----------------------------------------------------------------------


@pytest.fixture
def browser():
    """A browser without an account, whose private format bans the one card of its private deck."""
    browser = Client()
    browser.post("/formats/", {"name": "Secret table", "base": "spycraft/agency"})
    LeagueFormat.objects.update(declared=DECLARED)
    house = f"league={LeagueFormat.objects.get().link}"
    make_deck(browser, "1 Kai", house=house, visibility="private")
    return browser


def stored_verdict() -> str:
    """What lists say of the newest deck, once they have judged it where that is needed."""
    renew_verdicts(Deck.objects.order_by("-pk")[:1])
    return Deck.objects.latest("pk").verdict


def test_a_fork_is_listed_with_the_verdict_by_the_format_of_its_browser(browser):
    browser.post(f"/decks/{Deck.objects.get().link}/fork/")
    assert Deck.objects.count() == 2
    assert stored_verdict() == "illegal"


def test_who_gains_and_loses_access_to_a_deck_changes_the_verdict_by_a_private_format(browser):
    assert stored_verdict() == "illegal"
    BrowserAccess.objects.filter(deck=Deck.objects.get()).delete()
    assert stored_verdict() == "incomplete"
    Deck.objects.update(edit_hash=hashed("key"))
    browser.get(f"/decks/{Deck.objects.get().link}/edit/?key=key")
    assert stored_verdict() == "illegal"


def test_an_account_that_takes_a_deck_takes_the_private_format_that_it_names(browser):
    other = LeagueFormat.objects.create(
        browser=LeagueFormat.objects.get().browser, game="spycraft", name="Other", declared=DECLARED
    )
    browser.force_login(User.objects.create_user("mila"))
    browser.post("/account/take/", {"deck": [Deck.objects.get().link]})
    assert [row.name for row in LeagueFormat.objects.filter(owner__username="mila")] == ["Secret table"]
    assert LeagueFormat.objects.get(pk=other.pk).browser
    assert stored_verdict() == "illegal"


@pytest.mark.parametrize("change", ["shared", "handed on", "format changed"])
def test_a_verdict_by_a_private_format_is_not_stored_after_what_was_changed_meanwhile(
    deck, row, change, monkeypatch
):
    judged = Deck.judged
    row.save()
    Deck.objects.filter(pk=deck.pk).update(judged_by="long ago")

    def changed_meanwhile(deck: Deck, game: Game) -> Judged:
        by_then = judged(deck, game)
        if change == "format changed":
            row.declared = {**DECLARED, "rules": []}
            row.save()
        else:
            changed = {"visibility": "public"} if change == "shared" else {"owner": None}
            Deck.objects.filter(pk=deck.pk).update(**changed)
        return by_then

    with monkeypatch.context() as patched:
        patched.setattr(Deck, "judged", changed_meanwhile)
        renew_verdicts([Deck.objects.get()])
    assert Deck.objects.get().judged_by.startswith("outdated")
    assert stored_verdict() == "incomplete"


# -- kept private by staff -------------------------------------------------------------------


def test_staff_keep_a_public_format_private_until_they_lift_it(owner, row, admin_client):
    shared(row, "public")
    decide = f"/moderation/format-{row.pk}/"
    admin_client.post(decide, {"do": "hide", "because": "Names a person."})
    address, said = f"/formats/{row.link}/edit/", {"name": "Secret table", "visibility": "unlisted"}
    assert "Names a person." in page(owner, address).text
    refused = page_of(owner.post(address, said), status=400)
    assert "Their reason: “Names a person”. Ask them first." in refused.text
    assert owner.post(address, {**said, "name": "Table", "visibility": "private"}).status_code == 302
    admin_client.post(decide, {"do": "show"})
    assert owner.post(address, said).status_code == 302
    row.refresh_from_db()
    assert (row.visibility, row.private_because) == ("unlisted", "")


def test_decks_are_judged_anew_where_staff_make_their_format_private(row):
    deck = Deck.objects.create(
        game="spycraft", format="agency", house=f"league={row.link}", visibility="public", judged_by="now"
    )
    shared(row, "public")
    Deck.objects.filter(pk=deck.pk).update(judged_by="now")
    keep_league_private(row.pk, "Names a person.")
    assert Deck.objects.get(pk=deck.pk).judged_by != "now"
