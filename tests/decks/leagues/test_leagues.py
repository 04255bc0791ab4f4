"""A league's format is made by a plain form or from a file, decks are judged by it, and the verdict cites the
league.
"""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.declared.formats import read_league
from decks.core import content
from decks.leagues import league_formats, views
from decks.models import Deck, LeagueFormat
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
FILE = """
game = "spycraft"
name = "Tuesday"
by = "The Tuesday table"
url = "https://example.org/tuesday"
based_on = "agency"
numbers = { "AG-3.at_least" = 3 }
leave_out = ["AG-6", "AG-7"]

[[rules]]
rule = "banned"
cards = ["Kai"]
says = "Kai stays at home."

[[rules]]
rule = "points"
limit = 1
cards = { "Termite" = 1 }
"""


def page(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.fixture
def row(client: Client) -> LeagueFormat:
    """A private format of this browser, out of a file."""
    answer = client.post(
        "/formats/", {"from": "file", "file": SimpleUploadedFile("tuesday.toml", FILE.encode())}
    )
    assert answer.status_code == 302, page(answer)
    return LeagueFormat.objects.get()


@pytest.fixture
def begun(client: Client) -> LeagueFormat:
    """A format that was begun by the form."""
    client.post("/formats/", {"name": "Night", "base": "spycraft/agency"})
    return LeagueFormat.objects.get(name="Night")


def settings(row: LeagueFormat, **changed: str) -> dict[str, str]:
    return {"name": row.name, "visibility": row.visibility} | changed


# -- making one ---------------------------------------------------------------------------


def test_a_new_format_is_the_one_that_it_builds_on(client: Client, begun: LeagueFormat) -> None:
    format = begun.as_format()
    assert format and (format.name, format.slug, format.rules) == (
        "Night",
        "agency",
        games()["spycraft"].formats_by_slug["agency"].rules,
    )
    assert (begun.visibility, begun.owner_id) == ("private", None)
    assert "Night" in page(client.get("/formats/")) and "Night" in page(client.get(f"/formats/{begun.link}/"))


def test_cards_are_found_by_search_and_put_on_the_lists(client: Client, begun: LeagueFormat) -> None:
    edit = f"/formats/{begun.link}/edit/"
    assert 'value="banned:kai"' in page(client.get(edit, {"q": "kai"}))
    client.post(edit, {"card": "banned:kai", "q": "kai"})
    client.post(edit, {"card": "points:termite", "cost:termite": "3"})
    client.post(edit, {"card": "points:termite", "cost:termite": "4"})
    begun.refresh_from_db()
    assert begun.declared["rules"] == [
        {"rule": "banned", "cards": ["Kai"]},
        {"rule": "points", "cards": {"Termite": 4}, "limit": 10},
    ]
    client.post(edit, {"drop": "banned:Kai"})
    client.post(edit, {"drop": "points:Termite"})
    begun.refresh_from_db()
    assert "rules" not in begun.declared


def test_a_pasted_list_is_banned_or_given_points(client: Client, begun: LeagueFormat) -> None:
    address = f"/formats/{begun.link}/edit/"
    assert client.post(address, {"text": "2x Kai\n- Bait\n", "onto": "banned"}).status_code == 302
    client.post(address, {"text": "Deck:\n3 Termite\nRecon\n", "onto": "points"})
    begun.refresh_from_db()
    banned, points = begun.declared["rules"]
    assert banned == {"rule": "banned", "cards": ["Kai", "Bait"]}
    assert points["cards"] == {"Termite": 3, "Recon": 1}


def test_lines_of_a_pasted_list_that_are_not_read_stay_to_be_put_right(
    client: Client, begun: LeagueFormat
) -> None:
    address = f"/formats/{begun.link}/edit/"
    found = page_of(client.post(address, {"text": "Kai\n2 Baitt\n", "onto": "points"}))
    assert found.one("textarea", name="text").text.strip() == "2 Baitt"
    fields = {"text": "2 Baitt\n", "onto": found.one("input", name="onto")["value"], "correct": "1:Bait"}
    assert client.post(address, fields).status_code == 302
    begun.refresh_from_db()
    assert begun.declared["rules"][0]["cards"] == {"Kai": 1, "Bait": 2}


def test_a_pasted_list_that_changes_nothing_stays_in_the_form(
    client: Client, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MAX_CARDS", 1)
    text = {"text": "Kai\n2 Baitt\nBait\n", "onto": "banned"}
    found = page_of(client.post(f"/formats/{begun.link}/edit/", text), status=400)
    assert found.one("textarea", name="text").text == "Kai 2 Baitt Bait"


def test_a_pasted_list_beyond_the_bounds_changes_nothing(client: Client, begun: LeagueFormat) -> None:
    address = f"/formats/{begun.link}/edit/"
    answer = client.post(address, {"text": "Kai\n" + "x\n" * 5_000, "onto": "banned"})
    assert (answer.status_code, "at most 5,000 are read" in page(answer)) == (400, True)
    begun.refresh_from_db()
    assert "rules" not in begun.declared


def test_a_name_that_several_cards_have_stands_by_its_code(client: Client, begun: LeagueFormat) -> None:
    names = [card.name for card in games()["spycraft"].cards]
    twice = next(card for card in games()["spycraft"].cards if names.count(card.name) > 1)
    client.post(f"/formats/{begun.link}/edit/", {"card": f"banned:{twice.code}"})
    begun.refresh_from_db()
    assert begun.declared["rules"][0]["cards"] == [twice.code]


def test_settings_become_rules_and_empty_ones_go(client: Client, begun: LeagueFormat) -> None:
    edit = f"/formats/{begun.link}/edit/"
    filled = {
        "copies": "1",
        "at_least": "40",
        "at_most": "60",
        "sets": "ON",
        "leave_out": "AG-6",
        "number:AG-4.limit": "2",
        "by": "Us",
    }
    assert client.post(edit, settings(begun, visibility="unlisted", **filled)).status_code == 302
    begun.refresh_from_db()
    assert begun.visibility == "unlisted"
    assert begun.declared["rules"] == [
        {"rule": "copies", "limit": 1},
        {"rule": "size", "at_least": 40, "at_most": 60},
        {"rule": "only_sets", "sets": ["ON"]},
    ]
    assert (begun.declared["numbers"], begun.declared["leave_out"], begun.declared["by"]) == (
        {"AG-4.limit": 2},
        ["AG-6"],
        "Us",
    )
    client.post(edit, settings(begun))
    begun.refresh_from_db()
    assert begun.declared == {"game": "spycraft", "name": "Night", "based_on": "agency"}


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"copies": "many"}, "A whole number from 1 to"),
        ({"name": " "}, "Give the format a name."),
        ({"url": "javascript:alert(1)"}, "must begin with https://"),
        ({"sets": "XX"}, "XX is not one of the available choices"),
        ({"card": "banned:nobody"}, "There is no such card."),
        ({"card": "points:kai", "cost:kai": "none"}, "Kai: its points must be a whole number from 1 to 99."),
        ({"at_least": "0"}, "A whole number from 1 to"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_stored(
    client: Client, begun: LeagueFormat, posted: dict[str, str], said: str
) -> None:
    answer = client.post(f"/formats/{begun.link}/edit/", settings(begun) | posted)
    assert answer.status_code == 400 and said in page(answer)
    begun.refresh_from_db()
    assert begun.declared == {"game": "spycraft", "name": "Night", "based_on": "agency"}


def test_rules_that_the_form_does_not_know_are_kept_and_can_be_taken_out(
    client: Client, row: LeagueFormat
) -> None:
    edit = f"/formats/{row.link}/edit/"
    assert "Kai stays at home." in page(client.get(edit))
    client.post(edit, settings(row, copies="2"))
    row.refresh_from_db()
    assert [rule["rule"] for rule in row.declared["rules"]] == ["banned", "points", "copies"]
    client.post(edit, {"drop": "rule:0"})
    row.refresh_from_db()
    assert [rule["rule"] for rule in row.declared["rules"]] == ["points", "copies"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Tuesday singleton", "TUESDAY-1"),
        ("Sixteen letters!", "SIXTEEN-LETTERS-1"),
        ("A" * 30, "A" * 16 + "-1"),
    ],
)
def test_the_codes_of_its_rules_begin_with_whole_words_of_its_name(name: str, code: str) -> None:
    values = {
        "game": "spycraft",
        "name": name,
        "based_on": "agency",
        "rules": [{"rule": "banned", "cards": ["Kai"]}],
    }
    assert read_league(games()["spycraft"], "", values).rules[-1].code == code


def test_nobody_has_more_than_there_is_room_for(
    client: Client, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_formats, "MAX_LEAGUES", 1)
    assert "Delete one first" in page(client.post("/formats/", {"name": "Two", "base": "spycraft/agency"}))
    assert LeagueFormat.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")  # On SQLite one writes at a time.
def test_of_two_formats_that_one_browser_begins_at_once_the_second_waits(
    client: Client, begun: LeagueFormat
) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.post("/formats/", {"name": "Two", "base": "spycraft/agency"})
    asked = [one["sql"] for one in queries]
    waits = next(
        number for number, sql in enumerate(asked) if "cardsdb_ownbox" in sql and sql.endswith("FOR UPDATE")
    )
    counts = next(
        number for number, sql in enumerate(asked) if sql.startswith("SELECT COUNT") and "leagueformat" in sql
    )
    assert waits < counts


@pytest.mark.both_databases
def test_the_site_has_no_more_than_there_is_room_for(
    client: Client, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_formats, "MAX_LEAGUES_OF_SITE", 1)
    assert "This site has no room left for formats." in page(
        client.post("/formats/", {"name": "Two", "base": "spycraft/agency"})
    )
    assert LeagueFormat.objects.count() == 1


def meanwhile(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    """Let this happen after the page of a format has been asked for, and before what was pressed there is
    stored.
    """

    def game_or_404(slug: str) -> Game:
        change()
        return games()[slug]

    monkeypatch.setattr(views, "game_or_404", game_or_404)


@pytest.mark.both_databases
def test_two_presses_at_once_are_both_kept(
    client: Client, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = {**begun.declared, "rules": [{"rule": "banned", "cards": ["Kai"]}]}
    meanwhile(monkeypatch, lambda: LeagueFormat.objects.update(declared=declared, visibility="public"))
    client.post(f"/formats/{begun.link}/edit/", {"card": "banned:termite"})
    begun.refresh_from_db()
    assert begun.declared["rules"] == [{"rule": "banned", "cards": ["Kai", "Termite"]}]
    assert begun.visibility == "public"


@pytest.mark.both_databases
def test_a_press_does_not_bring_a_deleted_format_back(
    client: Client, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, LeagueFormat.objects.all().delete)
    assert client.post(f"/formats/{begun.link}/edit/", {"card": "banned:kai"}).status_code == 404
    assert not LeagueFormat.objects.exists()


def test_a_format_is_deleted_after_asking(client: Client, row: LeagueFormat) -> None:
    assert "Delete “Tuesday”?" in page(client.get(f"/formats/{row.link}/delete/"))
    client.post(f"/formats/{row.link}/delete/")
    assert not LeagueFormat.objects.exists()


def test_an_account_takes_over_what_its_browser_made_before(client: Client, row: LeagueFormat) -> None:
    client.force_login(User.objects.create_user("mila"))
    assert "1 format is now your account’s." in page(
        client.post("/account/take/", {"kind": "formats"}, follow=True)
    )
    row.refresh_from_db()
    assert (row.owner.username if row.owner else "", row.browser) == ("mila", None)
    names = zipfile.ZipFile(io.BytesIO(b"".join(client.get("/account/export.zip")))).namelist()  # type: ignore[arg-type]
    assert f"formats/tuesday-{row.link}.toml" in names


@pytest.mark.both_databases
def test_formats_for_which_the_account_has_no_room_stay_with_the_browser_and_that_is_said(
    client: Client, row: LeagueFormat, begun: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(User.objects.create_user("mila"))
    monkeypatch.setattr(league_formats, "MAX_LEAGUES", 1)
    shown = page(client.post("/account/take/", {"kind": "formats"}, follow=True))
    assert "1 format is now your account’s." in shown and "1 format stays with this browser" in shown
    assert sorted(one.owner_id is None for one in LeagueFormat.objects.all()) == [False, True]
    again = page(client.post("/account/take/", {"kind": "formats"}, follow=True))
    assert "now your account’s" not in again and "1 format stays with this browser" in again


# -- its file -----------------------------------------------------------------------------


def test_its_file_says_what_was_read(client: Client, row: LeagueFormat) -> None:
    answer = client.get(f"/formats/{row.link}/file.toml")
    assert tomllib.loads(page(answer)) == tomllib.loads(FILE)
    assert answer["Content-Disposition"] == 'attachment; filename="tuesday.toml"'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "spycraft"', 'game = "chess"', "t.toml, game: must be one of"),
        ('based_on = "agency"', "", "t.toml, based_on: is missing"),
        ('"Kai"', '"Nobody"', "t.toml: format tuesday: rule TUESDAY-1 names &#39;Nobody&#39;"),
        ("limit = 1", 'limit = "one"', "t.toml, rules.2.limit: must be a whole number"),
        ("limit = 1", "limit = ", "(at line 17, column 9)"),
        ('name = "Tuesday"', "name = 5", "t.toml, name: must be text"),
        ('name = "Tuesday"', 'name = "<script>"\nhelp = ["x"]', "t.toml, help: must be text"),
        ("limit = 1", f"limit = {'1' * 5_000}", "t.toml: "),
        (
            'cards = ["Kai"]',
            'of = { where = { clue = "a\\u0000b" } }',
            "t.toml, rules.1.of.where.clue: must be text on one line",
        ),
        (
            'cards = ["Kai"]',
            "of = { without = { clue = 999999999999999999999 } }",
            "t.toml, rules.1.of.without.clue: must be text on one line",
        ),
    ],
)
def test_a_file_with_a_fault_is_not_taken(client: Client, old: str, new: str, said: str) -> None:
    file = SimpleUploadedFile("t.toml", FILE.replace(old, new, 1).encode())
    answer = client.post("/formats/", {"from": "file", "file": file})
    assert answer.status_code == 400 and said in page(answer)
    assert not LeagueFormat.objects.exists()


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"x = 1\n" * 50_000, b"a = " + b"[" * 30_000])
def test_a_file_that_is_no_format_is_not_taken(client: Client, data: bytes) -> None:
    assert (
        client.post("/formats/", {"from": "file", "file": SimpleUploadedFile("t.toml", data)}).status_code
        == 400
    )
    assert client.post("/formats/", {"from": "file"}).status_code == 400


# -- judging by it ------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_pasted_list_is_judged_by_it_and_the_verdict_cites_the_league(
    client: Client, row: LeagueFormat
) -> None:
    sent = {"text": "1 Kai\n2 Termite", "house": f"league={row.link}"}
    shown = page(client.post("/check/", sent))
    assert f'Judged by <a href="/formats/{row.link}/">Tuesday</a> of The Tuesday table.' in shown
    assert 'href="https://example.org/tuesday" rel="nofollow ugc noopener"' in shown
    assert f'href="/formats/{row.link}/#TUESDAY-1"' in shown and "Format of Tuesday" in shown
    assert 'href="/games/spycraft/rules/#AG-8"' in shown or "AG-6" not in shown


def test_a_deck_is_begun_and_judged_by_it(client: Client, row: LeagueFormat) -> None:
    answer = client.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    assert answer["Location"].startswith(f"/decks/{deck.link}/edit/")
    assert (deck.format, deck.house) == ("agency", f"league={row.link}")
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+2 deck kai"})
    deck.refresh_from_db()
    assert deck.verdict == "illegal"
    for place in ("", "edit/", "house/", "history/", "repairs/"):
        assert client.get(f"/decks/{deck.link}/{place}").status_code == 200, place
    assert "Tuesday" in page(client.get(f"/decks/{deck.link}/")) and "TUESDAY-1" in page(
        client.get(f"/decks/{deck.link}/edit/")
    )


def test_a_deck_that_is_there_is_given_the_format_by_its_address_and_loses_it(
    client: Client, row: LeagueFormat
) -> None:
    client.post("/decks/new/", {"game": "spycraft", "name": "D", "text": "1 Kai"})
    deck = Deck.objects.get()
    house = f"/decks/{deck.link}/house/"
    client.post(house, {"league": f"http://testserver/formats/{row.link}/"})
    deck.refresh_from_db()
    assert deck.house == f"league={row.link}" and deck.verdict == "illegal"
    client.post(house, {"AG-4.limit": "2"})
    deck.refresh_from_db()
    assert deck.house == f"league={row.link};AG-4.limit=2", "numbers are of the league's format"
    assert "no format of Spycraft at this address" in page(client.post(house, {"league": "x" * 22}))
    client.post(house, {"league": ""})
    deck.refresh_from_db()
    assert deck.house == "AG-4.limit=2"


@pytest.mark.both_databases
def test_a_deck_for_which_there_is_no_room_with_the_league_is_refused_with_the_reason(
    client: Client, row: LeagueFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/decks/new/", {"game": "spycraft", "name": "D", "text": "1 Kai"})
    monkeypatch.setitem(content.MAX_LENGTHS, "house rules", 5)
    answer = client.post(f"/decks/{Deck.objects.get().link}/house/", {"league": row.link})
    assert answer.status_code == 400 and "The house rules may have 5 characters" in page(answer)
    assert Deck.objects.get().house == ""


def test_another_format_of_the_game_leaves_the_league(client: Client, row: LeagueFormat) -> None:
    client.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    client.post(f"/decks/{deck.link}/edit/", {"edit": "format", "format": "mission-base"})
    deck.refresh_from_db()
    assert (deck.format, deck.house) == ("mission-base", "")


def test_a_deck_whose_league_is_deleted_says_so_and_is_judged_by_the_format_beneath(
    client: Client, row: LeagueFormat
) -> None:
    client.post(f"/formats/{row.link}/deck/")
    deck = Deck.objects.get()
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    row.delete()
    shown = page(client.get(f"/decks/{deck.link}/"))
    assert "It is judged by Agency Deck instead." in shown and "TUESDAY" not in shown
    deck.refresh_from_db()
    assert deck.judged_by.startswith("outdated"), "what was stored by the league holds no longer"


def test_a_change_of_the_format_judges_its_decks_again(client: Client, row: LeagueFormat) -> None:
    client.post(f"/formats/{row.link}/deck/")
    client.post(f"/formats/{row.link}/edit/", settings(row, copies="1"))
    assert Deck.objects.get().judged_by.startswith("outdated")


def test_the_api_judges_by_it(client: Client, row: LeagueFormat) -> None:
    body = json.dumps({"game": "spycraft", "text": "1 Kai", "house": f"league={row.link}"})
    lost = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    assert lost["league"] == {"link": row.link, "name": "", "document": "", "by": "", "url": "", "lost": True}
    row.visibility = "unlisted"
    row.save()
    judged = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    assert (judged["league"]["name"], judged["league"]["document"]) == (
        "Tuesday",
        "Format of Tuesday",
    ) and not judged["league"]["lost"]
    banned = next(violation for violation in judged["violations"] if violation["code"] == "TUESDAY-1")
    assert (
        banned["citation"]["says"] == "Kai stays at home."
        and banned["message"] == "Kai: banned in this format."
    )
    assert judged["house"] == f"league={row.link}"


def test_a_deck_of_the_api_keeps_its_league(client: Client, row: LeagueFormat) -> None:
    row.visibility = "public"
    row.save()
    body = {
        "game": "spycraft",
        "format": "agency",
        "name": "D",
        "text": "1 Kai",
        "house": f"league={row.link}",
    }
    made = client.post("/api/v1/decks/", json.dumps(body), content_type="application/json").json()
    assert made["house"] == f"league={row.link}" and made["report"]["league"]["by"] == "The Tuesday table"


def test_a_link_that_cannot_be_one_is_refused(client: Client) -> None:
    body = json.dumps({"game": "spycraft", "text": "1 Kai", "house": "league=../x"})
    answer = client.post("/api/v1/decks/validate/", body, content_type="application/json")
    assert answer.status_code == 400 and "is no league" in page(answer)


@pytest.mark.both_databases
def test_rules_of_the_game_that_changed_leave_the_format_unread(client: Client, row: LeagueFormat) -> None:
    row.declared["leave_out"] = ["AG-99"]
    row.save()
    assert row.as_format() is None
    assert "can be read no longer" in page(client.get(f"/formats/{row.link}/"))
    assert client.post(f"/formats/{row.link}/deck/").status_code == 404


def test_a_league_s_format_keeps_the_slug_of_the_one_beneath() -> None:
    format = read_league(games()["spycraft"], "link", tomllib.loads(FILE))
    assert (format.slug, format.official, [rule.code for rule in format.rules][-2:]) == (
        "agency",
        False,
        ["TUESDAY-1", "TUESDAY-2"],
    )
    assert format.league and format.league.citations["TUESDAY-1"].says == "Kai stays at home."
