"""The pages of a league's format: it is made by a form or from a file, decks are judged by it, and the
verdict cites the league.
"""

import tomllib
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from cardsdb.games import games
from cardsdb.games.kit import Game
from decks.core import content
from decks.leagues import views
from decks.leagues.league_formats import MAX_CARDS
from decks.models import Deck, LeagueFormat
from tests.support.leagues import FILE, declared, settings_of
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


# The declaration of the format ``begun``, which changes nothing.
BARE = {"game": "spycraft", "name": "Night", "based_on": "agency"}


def edit(client, row: LeagueFormat, status=302, **sent):
    """The answer to a form of the format's page."""
    answer = client.post(f"/formats/{row.link}/edit/", sent)
    assert answer.status_code == status, answer.status_code
    return answer


def rules(row: LeagueFormat):
    return declared(row).get("rules", [])


# -- making a format


def test_a_new_format_has_the_rules_of_the_one_it_builds_on(client, begun):
    format, beneath = begun.as_format(), games()["spycraft"].formats_by_slug["agency"]
    assert format and (format.name, format.slug, format.rules) == ("Night", "agency", beneath.rules)
    assert (begun.visibility, begun.owner_id) == ("private", None)
    assert all("Night" in page(client, f"/formats/{path}").text for path in ("", f"{begun.link}/"))


def test_cards_are_found_by_search_and_put_on_the_lists(client, begun):
    found = page(client, f"/formats/{begun.link}/edit/", {"q": "kai"})
    assert found.has("button", name="card", value="banned:kai")
    edit(client, begun, card="banned:kai", q="kai")
    for cost in ("3", "4"):
        edit(client, begun, card="points:termite", **{"cost:termite": cost})
    assert rules(begun) == [
        {"rule": "banned", "cards": ["Kai"]},
        {"rule": "points", "cards": {"Termite": 4}, "limit": 10},
    ]
    for drop in ("banned:Kai", "points:Termite"):
        edit(client, begun, drop=drop)
    assert "rules" not in declared(begun)
    names = [card.name for card in games()["spycraft"].cards]
    twice = next(card for card in games()["spycraft"].cards if names.count(card.name) > 1)
    edit(client, begun, card=f"banned:{twice.code}")
    assert rules(begun)[0]["cards"] == [twice.code], "a card that shares its name is listed by its code"


def test_pasted_cards_are_banned_or_given_points(client, begun):
    edit(client, begun, text="2x Kai\n- Bait\n", onto="banned")
    edit(client, begun, text="Deck:\n3 Termite\nRecon\n", onto="points")
    banned, points = rules(begun)
    assert banned == {"rule": "banned", "cards": ["Kai", "Bait"]}
    assert points["cards"] == {"Termite": 3, "Recon": 1}


def test_pasted_lines_that_are_not_read_stay_to_be_corrected(client, begun):
    found = page_of(edit(client, begun, 200, text="Kai\n2 Baitt\n", onto="points"))
    assert found.field("text").value == "2 Baitt\n"
    form = found.one("form", id="list-form").sent
    edit(client, begun, text="2 Baitt\n", onto=form["onto"], correct="1:Bait")
    assert rules(begun)[0]["cards"] == {"Kai": 1, "Bait": 2}


def test_a_pasted_list_beyond_the_bounds_changes_nothing_and_stays_in_the_form(client, begun):
    names = [card.code for card in games()["spycraft"].cards if card.code not in ("kai", "bait")]
    full = BARE | {"rules": [{"rule": "banned", "cards": names[: MAX_CARDS - 1]}]}
    LeagueFormat.objects.update(declared=full)
    refused = page_of(edit(client, begun, 400, text="Kai\n2 Baitt\nBait\n", onto="banned"), status=400)
    assert refused.field("text").value == "Kai\n2 Baitt\nBait\n"
    long = edit(client, begun, 400, text="Kai\n" + "x\n" * 5_000, onto="banned")
    assert "at most 5,000 are read" in page_of(long, status=400).text
    assert declared(begun) == full


def test_settings_become_rules_and_emptied_settings_remove_them(client, begun):
    filled = {"copies": "1", "at_least": "40", "at_most": "60", "sets": "ON", "leave_out": "AG-6", "by": "Us"}
    shared = settings_of(begun, visibility="unlisted", **filled, **{"number:AG-4.limit": "2"})
    edit(client, begun, **shared)
    assert declared(begun) == BARE | {
        "rules": [
            {"rule": "copies", "limit": 1},
            {"rule": "size", "at_least": 40, "at_most": 60},
            {"rule": "only_sets", "sets": ["ON"]},
        ],
        "numbers": {"AG-4.limit": 2},
        "leave_out": ["AG-6"],
        "by": "Us",
    }
    assert begun.visibility == "unlisted"
    edit(client, begun, **settings_of(begun))
    assert declared(begun) == BARE


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"copies": "0"}, "A whole number from 1 to"),
        ({"name": " "}, "Give the format a name."),
        ({"url": "javascript:alert(1)"}, "must begin with https://"),
        ({"card": "banned:nobody"}, "There is no such card."),
        ({"card": "points:kai", "cost:kai": "none"}, "Kai: its points must be a whole number from 1 to 99."),
    ],
)
def test_an_invalid_setting_is_reported_and_nothing_is_stored(client, begun, posted, message):
    refused = edit(client, begun, 400, **settings_of(begun) | posted)
    assert message in page_of(refused, status=400).text and declared(begun) == BARE


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("posted", "told"),
    [
        (
            {"number:AG-6.exactly": "3"},
            ["NIGHT-AG-6 asks for 3 leaders and AG-7 for 4 levels among the leaders"],
        ),
        ({"number:AG-6.exactly": "3", "leave_out": "AG-7"}, []),
        (
            {"at_most": "40"},
            ["NIGHT-1 asks for at most 40 cards and AG-3 for at least 50 cards with the leaders"],
        ),
    ],
)
def test_the_owner_is_told_of_two_rules_that_no_deck_can_keep_together(client, begun, posted, told):
    edit(client, begun, **settings_of(begun, **posted))
    shown = page(client, f"/formats/{begun.link}/edit/")
    notices = [notice.text for notice in shown.all("div", class_="notice-warning")]
    assert [notice.partition(": ")[2].partition(". ")[0] for notice in notices] == told
    assert all(notice.startswith("No deck can be legal") for notice in notices)


def test_the_owner_is_told_of_such_rules_of_a_file_too(client):
    file = SimpleUploadedFile(
        "t.toml",
        FILE.replace('leave_out = ["AG-6", "AG-7"]', "")
        .replace('"AG-3.at_least" = 3', '"AG-6.exactly" = 3')
        .encode(),
    )
    answer = client.post("/formats/", {"from": "file", "file": file}, follow=True)
    assert "TUESDAY-AG-6 asks for 3 leaders" in page_of(answer).one("div", class_="notice-warning").text


def test_rules_that_the_form_cannot_edit_are_kept_and_can_be_removed(client, row):
    assert "Kai stays at home." in page(client, f"/formats/{row.link}/edit/").text
    edit(client, row, **settings_of(row, copies="2"))
    assert [rule["rule"] for rule in rules(row)] == ["banned", "points", "copies"]
    edit(client, row, drop="rule:0")
    assert [rule["rule"] for rule in rules(row)] == ["points", "copies"]


def meanwhile(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]):
    """Make this change after the page of a format has been requested, and before a press on it is stored."""

    def game_or_404(slug) -> Game:
        change()
        return games()[slug]

    monkeypatch.setattr(views, "game_or_404", game_or_404)


@pytest.mark.both_databases
def test_two_simultaneous_presses_are_both_stored(client, begun, monkeypatch):
    other = BARE | {"rules": [{"rule": "banned", "cards": ["Kai"]}]}
    meanwhile(monkeypatch, lambda: LeagueFormat.objects.update(declared=other, visibility="public"))
    edit(client, begun, card="banned:termite")
    assert rules(begun) == [{"rule": "banned", "cards": ["Kai", "Termite"]}]
    assert begun.visibility == "public"


@pytest.mark.both_databases
def test_a_press_does_not_restore_a_deleted_format(client, begun, monkeypatch):
    meanwhile(monkeypatch, LeagueFormat.objects.all().delete)
    edit(client, begun, 404, card="banned:kai")
    assert not LeagueFormat.objects.exists()


def test_a_format_is_deleted_after_a_question(client, row):
    address = f"/formats/{row.link}/delete/"
    assert "Delete “Tuesday”?" in page(client, address).text
    client.post(address)
    assert not LeagueFormat.objects.exists()


# -- the file of a format


def test_the_file_of_a_format_says_what_was_read_in(client, row):
    answer = client.get(f"/formats/{row.link}/file.toml")
    assert tomllib.loads(answer.text) == tomllib.loads(FILE)
    assert answer["Content-Disposition"] == 'attachment; filename="tuesday.toml"'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "spycraft"', 'game = "chess"', "t.toml, game: must be one of"),
        ('"Kai"', '"Nobody"', "t.toml: format tuesday: rule TUESDAY-1 names 'Nobody'"),
        ("limit = 1", f"limit = {'1' * 5_000}", "t.toml: "),
        (
            'cards = ["Kai"]',
            'of = { where = { clue = "a\\u0000b" } }',
            "t.toml, rules.1.of.where.clue: must be text on one line",
        ),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_reason(client, old, new, message):
    file = SimpleUploadedFile("t.toml", FILE.replace(old, new, 1).encode())
    answer = client.post("/formats/", {"from": "file", "file": file})
    assert message in page_of(answer, status=400).text
    assert not LeagueFormat.objects.exists()


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"x = 1\n" * 50_000, b"a = " + b"[" * 30_000, b""])
def test_a_file_that_is_not_a_format_is_refused(client, data):
    file = {"file": SimpleUploadedFile("t.toml", data)} if data else {}
    assert client.post("/formats/", {"from": "file", **file}).status_code == 400


# -- judging by a format


@pytest.mark.both_databases
def test_a_pasted_list_is_judged_by_the_format_and_the_verdict_cites_the_league(client, row):
    sent = {"text": "1 Kai\n2 Termite", "house": f"league={row.link}"}
    shown = page_of(client.post("/check/", sent))
    assert "Judged by Tuesday of The Tuesday table." in shown.text and "Format of Tuesday" in shown.text
    away = shown.all("a", href="https://example.org/tuesday")
    assert "nofollow ugc noopener" in [link["rel"] for link in away]
    assert f"/formats/{row.link}/#TUESDAY-1" in shown.links and "AG-6" not in shown.text


def test_a_deck_begun_with_the_format_is_judged_by_it_until_it_changes_to_another(client, row):
    answer = client.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    address = f"/decks/{deck.link}/"
    assert answer["Location"].startswith(f"{address}edit/")
    assert (deck.format, deck.house) == ("agency", f"league={row.link}")
    client.post(f"{address}edit/", {"edit": "+2 deck kai"})
    deck.refresh_from_db()
    assert deck.verdict == "illegal"
    for part in ("house/", "history/", "repairs/"):
        assert client.get(f"{address}{part}").status_code == 200, part
    assert "Tuesday" in page(client, address).text and "TUESDAY-1" in page(client, f"{address}edit/").text
    client.post(f"{address}edit/", {"edit": "format", "format": "mission-base"})
    deck.refresh_from_db()
    assert (deck.format, deck.house) == ("mission-base", "")


@pytest.mark.both_databases
def test_a_deck_is_given_the_format_by_its_address_and_can_drop_it(client, row, monkeypatch):
    deck = make_deck(client, "1 Kai")
    house = f"/decks/{deck.link}/house/"

    def stored() -> str:
        deck.refresh_from_db()
        return deck.house

    with monkeypatch.context() as bounds:
        bounds.setitem(content.MAX_LENGTHS, "house rules", 5)
        refused = page_of(client.post(house, {"league": row.link}), status=400)
    assert "The house rules may have 5 characters" in refused.text and stored() == ""
    client.post(house, {"league": f"http://testserver/formats/{row.link}/"})
    assert stored() == f"league={row.link}" and deck.verdict == "illegal"
    client.post(house, {"AG-4.limit": "2"})
    assert stored() == f"league={row.link};AG-4.limit=2", "house rules are added to the league's format"
    lost = page_of(client.post(house, {"league": "x" * 22}), status=400)
    assert "no format of Spycraft at this address" in lost.text
    client.post(house, {"league": ""})
    assert stored() == "AG-4.limit=2"


def test_the_api_names_the_league_and_cites_its_rule(client, row):
    asked = {"game": "spycraft", "text": "1 Kai", "house": f"league={row.link}"}
    LeagueFormat.objects.update(visibility="unlisted")
    judged = client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()
    assert judged["league"]["document"] == "Format of Tuesday"
    (banned,) = [found for found in judged["violations"] if found["code"] == "TUESDAY-1"]
    assert banned["citation"]["says"] == "Kai stays at home."


def test_a_deck_is_judged_again_after_its_format_is_changed_or_deleted_and_tells_of_it(client, row):
    client.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    edit(client, row, **settings_of(row, copies="1"))
    assert Deck.objects.get().judged_by.startswith("outdated")
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    row.delete()
    shown = page(client, f"/decks/{deck.link}/").text
    assert "The deck is judged by Agency Deck instead." in shown and "TUESDAY" not in shown
    assert Deck.objects.get().judged_by.startswith("outdated"), "the stored verdict no longer holds"


@pytest.mark.both_databases
def test_a_format_that_a_changed_game_no_longer_allows_cannot_be_used(client, row):
    row.declared["leave_out"] = ["AG-99"]
    row.save()
    assert row.as_format() is None
    assert "can no longer be read" in page(client, f"/formats/{row.link}/").text
    assert client.post(f"/formats/{row.link}/deck/").status_code == 404
