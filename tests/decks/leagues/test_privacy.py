"""A private format reveals nothing to others: not at its addresses, nor through a deck, a fork or a stored
verdict that names it. A shared one is shown until staff make it private. The code is in decks.leagues,
decks.models.league and decks.saving.save.
"""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import hashed
from decks.core.judging import Judged
from decks.leagues.league_formats import keep_league_private
from decks.models import BrowserAccess, Deck, LeagueFormat
from decks.saving.save import renew_verdicts
from tests.support.accounts import member
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of

pytestmark = pytest.mark.django_db
# It bans Kai, the one card of every deck in this file, by a rule with a code found nowhere else.
DECLARED = {
    "game": "spycraft",
    "name": "Secret table",
    "based_on": "agency",
    "rules": [{"rule": "banned", "cards": ["Kai"], "code": "SECRET"}],
}
# The verdict on a deck of one Kai: by this format, and by the format beneath, for which it has too few cards.
BY_THE_FORMAT, BY_AGENCY_DECK = "illegal", "incomplete"
# Ends of a format's address: pages for those who may see it, and pages for those who may change it.
SEEN, CHANGED = ("", "file.toml"), ("edit/", "delete/")


def share(league: LeagueFormat, visibility):
    league.visibility = visibility
    league.save()


def reveals_format(shown) -> bool:
    """True if the text contains the format's name or its rule."""
    return "Secret" in shown or "SECRET" in shown


def stored_verdict() -> str:
    """The verdict of the newest deck as lists show it, renewed first if it is out of date."""
    renew_verdicts(Deck.objects.order_by("-pk")[:1])
    return Deck.objects.latest("pk").verdict


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture(params=["account", "browser"])
def stranger(request):
    """Another visitor, once with an account and once without."""
    return member("stranger") if request.param == "account" else Client()


@pytest.fixture
def league(owner):
    """A private format of an account."""
    user = User.objects.get(username="owner")
    return LeagueFormat.objects.create(owner=user, game="spycraft", name="Secret table", declared=DECLARED)


@pytest.fixture
def deck(owner, league):
    """A private deck of the format's owner, judged by the format."""
    owner.post(f"/formats/{league.link}/deck/")
    deck = Deck.objects.get()
    owner.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    return deck


@pytest.fixture
def browser():
    """A browser without an account, with a private format and a private deck judged by it."""
    browser = Client()
    browser.post("/formats/", {"name": "Secret table", "base": "spycraft/agency"})
    LeagueFormat.objects.update(declared=DECLARED)
    house = f"league={LeagueFormat.objects.get().link}"
    make_deck(browser, "1 Kai", house=house, visibility="private")
    return browser


# -- at its own addresses ------------------------------------------------------------------


def test_the_owner_of_a_private_format_sees_and_changes_it(owner, league):
    for place in (*SEEN, *CHANGED):
        assert owner.get(f"/formats/{league.link}/{place}").status_code == 200, place
    assert "Secret table" in page(owner, "/formats/").text


@pytest.mark.parametrize(
    ("visibility", "seen", "deck_begun", "is_listed"),
    [("private", 404, 404, False), ("unlisted", 200, 302, False), ("public", 200, 302, True)],
)
def test_others_see_only_shared_formats_and_cannot_change_them(
    league, stranger, visibility, seen, deck_begun, is_listed
):
    share(league, visibility)
    address = f"/formats/{league.link}/"
    for place in SEEN:
        assert stranger.get(f"{address}{place}").status_code == seen, place
    for place in CHANGED:
        assert stranger.get(f"{address}{place}").status_code == 404, place
        assert stranger.post(f"{address}{place}", {"name": "Mine"}).status_code == 404, place
    assert stranger.post(f"{address}deck/").status_code == deck_begun
    assert ("Secret table" in page(stranger, "/formats/").text) is is_listed
    league.refresh_from_db()
    assert league.name == "Secret table"


def test_the_formats_of_an_account_are_deleted_with_it(league, deck):
    """A deck that names the format but belongs to another by then stays, and is judged again."""
    Deck.objects.filter(pk=deck.pk).update(owner=None, judged_by="x")
    User.objects.get(username="owner").delete()
    assert not LeagueFormat.objects.exists()
    assert Deck.objects.get().judged_by.startswith("outdated")


# -- by lists and decks that name it -------------------------------------------------------


def test_only_its_owner_can_have_a_list_judged_by_a_private_format(owner, stranger, league):
    sent = {"game": "spycraft", "text": "1 Kai", "house": f"league={league.link}"}
    for visitor, may_know in ((owner, True), (stranger, False)):
        for place in ("/check/", "/check/verdict/"):
            assert reveals_format(visitor.post(place, sent).text) is may_know, place
        answer = visitor.post("/api/v1/decks/validate/", sent, content_type="application/json")
        assert reveals_format(answer.text) is may_know


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_a_shared_deck_reveals_nothing_of_a_private_format(owner, deck, visibility):
    """Even the owner of both sees the shared deck as everyone does."""
    address = f"/decks/{deck.link}/"
    assert "SECRET" in page(owner, address).text
    Deck.objects.filter(pk=deck.pk).update(visibility=visibility)
    deck.refresh_from_db()
    assert deck.judged_by.startswith("outdated"), "the stored verdict followed the private format"
    for path in (address, f"{address}embed/", f"{address}files/", f"/api/v1{address}"):
        for visitor in (Client(), owner):
            assert not reveals_format(visitor.get(path).text), path
    assert "Agency Deck instead" in page(owner, address).text


def test_a_deck_changed_and_shared_in_one_request_is_stored_with_the_verdict_for_everyone(owner, deck):
    body = {"game": "spycraft", "name": "New", "text": "1 Kai", "visibility": "public"}
    assert owner.put(f"/api/v1/decks/{deck.link}/", body, content_type="application/json").status_code == 200
    assert Deck.objects.values_list("visibility", "verdict").get() == ("public", "incomplete")


def test_a_fork_by_another_visitor_is_not_judged_by_the_private_format(stranger, deck):
    Deck.objects.filter(pk=deck.pk).update(visibility="public")
    stranger.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert fork.house == deck.house
    assert not reveals_format(page(stranger, f"/decks/{fork.link}/").text)


def test_a_stranger_cannot_use_a_private_format_by_its_link(stranger, league):
    deck = make_deck(stranger, "1 Kai")
    assert stranger.post(f"/decks/{deck.link}/house/", {"league": league.link}).status_code == 400
    Deck.objects.filter(pk=deck.pk).update(house=f"league={league.link}")
    for place in ("", "edit/", "house/", "history/", "repairs/"):
        assert not reveals_format(stranger.get(f"/decks/{deck.link}/{place}").text), place


# -- by stored verdicts --------------------------------------------------------------------


def test_a_fork_by_the_same_browser_keeps_the_verdict_by_its_private_format(browser):
    browser.post(f"/decks/{Deck.objects.get().link}/fork/")
    assert Deck.objects.count() == 2
    assert stored_verdict() == BY_THE_FORMAT


def test_the_verdict_follows_whether_the_formats_owner_has_access_to_the_deck(browser):
    assert stored_verdict() == BY_THE_FORMAT
    BrowserAccess.objects.filter(deck=Deck.objects.get()).delete()
    assert stored_verdict() == BY_AGENCY_DECK
    Deck.objects.update(edit_hash=hashed("key"))
    browser.get(f"/decks/{Deck.objects.get().link}/edit/?key=key")
    assert stored_verdict() == BY_THE_FORMAT


def test_a_deck_taken_along_brings_the_private_format_that_it_names(browser):
    named = LeagueFormat.objects.get()
    other = LeagueFormat.objects.create(
        browser=named.browser, game="spycraft", name="Other", declared=DECLARED
    )
    browser.force_login(User.objects.create_user("mila"))
    browser.post("/account/take/", {"deck": [Deck.objects.get().link]})
    assert list(LeagueFormat.objects.filter(owner__username="mila")) == [named]
    assert LeagueFormat.objects.get(pk=other.pk).browser
    assert stored_verdict() == BY_THE_FORMAT


@pytest.mark.parametrize("change", ["shared", "handed on", "format changed"])
def test_a_verdict_is_not_stored_if_deck_or_format_were_changed_while_judging(
    deck, league, change, monkeypatch
):
    judged = Deck.judged
    Deck.objects.filter(pk=deck.pk).update(judged_by="long ago")

    def judged_with_a_change_meanwhile(deck: Deck, game: Game) -> Judged:
        verdict = judged(deck, game)
        match change:
            case "shared":
                Deck.objects.filter(pk=deck.pk).update(visibility="public")
            case "handed on":
                Deck.objects.filter(pk=deck.pk).update(owner=None)
            case "format changed":
                league.declared = {**DECLARED, "rules": []}
                league.save()
        return verdict

    with monkeypatch.context() as patched:
        patched.setattr(Deck, "judged", judged_with_a_change_meanwhile)
        renew_verdicts([Deck.objects.get()])
    assert Deck.objects.get().judged_by.startswith("outdated")
    assert stored_verdict() == BY_AGENCY_DECK


# -- kept private by staff -------------------------------------------------------------------


def test_a_format_kept_private_by_staff_cannot_be_shared_until_they_allow_it(owner, league, admin_client):
    share(league, "public")
    moderation, form = f"/moderation/format-{league.pk}/", f"/formats/{league.link}/edit/"
    unlisted = {"name": "Secret table", "visibility": "unlisted"}
    admin_client.post(moderation, {"do": "hide", "because": "Names a person."})
    assert "Names a person." in page(owner, form).text
    refused = page_of(owner.post(form, unlisted), status=400)
    assert "Their reason: “Names a person”. Ask them first." in refused.text
    assert owner.post(form, {"name": "Table", "visibility": "private"}).status_code == 302
    admin_client.post(moderation, {"do": "show"})
    assert owner.post(form, unlisted).status_code == 302
    league.refresh_from_db()
    assert (league.visibility, league.private_because) == ("unlisted", "")


def test_decks_are_judged_again_after_staff_make_their_format_private(league):
    share(league, "public")
    house = f"league={league.link}"
    deck = Deck.objects.create(game="spycraft", format="agency", house=house, visibility="public")
    Deck.objects.filter(pk=deck.pk).update(judged_by="now")
    keep_league_private(league.pk, "Names a person.")
    assert Deck.objects.get(pk=deck.pk).judged_by.startswith("outdated")
