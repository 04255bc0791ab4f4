"""Proposing a correction: the form, refused input, and the resulting rows."""

import csv
import io
import shutil
from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.web.corrections import rows_of, with_source
from tests.cardsdb.tables import table
from tests.support.pages import page, page_of

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LI = "/cards/spycraft/li/correct/"
SPYCRAFT = games()["spycraft"]


def form_of(client, address):
    """Return the untouched form as a browser would send it, with a reason."""
    form = client.get(address).context["form"]
    sent = {field.name: field.value() for field in form}
    return sent | {"document": "", "place": "", "reason": "I have the card."}


def propose(client, address, **changes):
    """Send the form with these fields changed: ``craft__0="5"`` for the field ``craft-0``."""
    named = {name.replace("__", "-"): value for name, value in changes.items()}
    return client.post(address, form_of(client, address) | named)


def applied(game, answer, folder, name="cards.csv"):
    """Return the game with the proposed rows put into a copy of its folder, as a person would do it."""
    copied = page_of(answer).one("textarea", id="c-rows").value
    given = list(csv.DictReader(io.StringIO(copied, newline="")))
    shutil.copytree(game.folder, folder, dirs_exist_ok=True)
    rows = table(game.folder.resolve() / name)
    places = [place for place, row in enumerate(rows) if row["code"] == given[0]["code"]]
    for place, row in zip(places, given, strict=True):
        rows[place] = row
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return replace(game, folder=folder)


# -- the changed rows --------------------------------------------------------------------


def test_a_corrected_row_has_exactly_the_change_and_the_folder_still_loads(client, tmp_path):
    answer = propose(client, LI, combat__0="5", number__0="123", reason="Read off my copy.")
    again = applied(SPYCRAFT, answer, tmp_path).card("li")
    assert (again.number("combat"), again.prints[0].number) == (5, "123")
    before, after = (table(folder / "cards.csv") for folder in (SPYCRAFT.folder, tmp_path))
    (changed,) = ((old, new) for old, new in zip(before, after, strict=True) if old != new)
    assert changed[1] == changed[0] | {"combat": "5", "number": "123"}


def test_the_named_source_becomes_the_only_source_of_the_changed_fact(client, tmp_path):
    answer = propose(client, LI, bravado__0="3", document="rulebook", place="181")
    card = applied(SPYCRAFT, answer, tmp_path).card("li")
    assert [(claim.document, claim.lines) for claim in card.claims("bravado")] == [("rulebook", "181")]
    assert "rulebook" not in {claim.document for claim in card.claims("charisma")}


def test_a_card_of_several_prints_is_changed_in_every_row(client, tmp_path):
    answer = propose(client, "/cards/xfiles/first-aid/correct/", rarity__0="Rare", rarity__1="Fixed")
    card = applied(games()["xfiles"], answer, tmp_path).card("first-aid")
    assert [print_.rarity for print_ in card.prints[:2]] == ["Rare", "Fixed"]


def test_a_card_of_every_game_can_be_corrected_also_of_a_game_elsewhere(client, sixth_game, tmp_path):
    typed = "Seen, with “quotes”, a comma\nand two lines"
    for game in games().values():
        # A game of another author need not have a column of notes.
        column = "note" if "note" in table(game.folder.resolve() / "cards.csv")[0] else "text"
        code = game.cards[-1].code
        answer = propose(client, f"/cards/{game.slug}/{code}/correct/", **{f"{column}__0": typed})
        assert getattr(applied(game, answer, tmp_path / game.slug).card(code), column) == typed
    form = page(client, f"/cards/deaddrop/{sixth_game.cards[0].code}/correct/")
    assert "cards.csv in the game's own folder “deaddrop”" in form.main.text
    assert "cardsdb/games/deaddrop" not in form.text


def test_a_set_is_corrected_in_the_same_way(client, tmp_path):
    answer = propose(client, "/sets/spycraft/EA/correct/", size__0="162", year__0="2004")
    found = applied(SPYCRAFT, answer, tmp_path, "sets.csv").sets_by_code["EA"]
    assert (found.size, found.year) == (162, "2004")


def test_the_page_says_what_was_changed_who_says_so_and_where_it_belongs(client):
    answer = page_of(propose(client, LI, combat__0="5", document="rulebook", place="181", reason="Seen."))
    note = answer.one("textarea", id="c-note").text
    assert all(part in note for part in ("Li (Spycraft)", "Combat: 4 -> 5", "181", "Reason: Seen."))
    lines = (SPYCRAFT.folder / "cards.csv").read_text(encoding="utf-8").splitlines()
    (number,) = (number for number, line in enumerate(lines, start=1) if line.startswith("li,"))
    assert f"line {number} of cardsdb/games/spycraft/cards.csv" in answer.main.text


def test_a_byte_order_mark_is_no_part_of_a_columns_name(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_bytes("\ufeffcode,note\r\na,one\r\nb,two".encode())
    assert rows_of(path, "b").rows == ({"code": "b", "note": "two"},)


def test_a_line_break_in_a_cell_begins_no_row(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text('code,note\na,"first\nb,not a row"\nb,the row\n', encoding="utf-8")
    found = rows_of(path, "b")
    assert (found.lines, found.rows) == (((4, 4),), ({"code": "b", "note": "the row"},))


@pytest.mark.parametrize(
    ("cell", "document", "place", "wanted"),
    [
        # There was no source.
        ("", "b", "2", "b#2@craft"),
        # A source of everything states everything but craft.
        ("a#1", "b", "2", "a#1@-craft;b#2@craft"),
        ("a#1@-level", "b", "", "a#1@-level,craft;b@craft"),
        # A source of listed facts loses craft, and goes if it stated nothing else.
        ("a#1@craft,level;c", "b", "", "a#1@level;c@-craft;b@craft"),
        ("a#1@craft;c", "b", "", "c@-craft;b@craft"),
        # The new source is named already.
        ("a#1", "a", "1", "a#1"),
        ("a#1@-craft", "a", "1", "a#1"),
        ("a#1;c", "a", "1", "a#1;c@-craft"),
        ("a#1@level", "a", "1", "a#1@level,craft"),
    ],
)
def test_the_source_cell_follows_the_change(cell, document, place, wanted):
    assert with_source(cell, ["craft"], document, place) == wanted


# -- refused input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value", "sentence"),
    [
        ("craft-0", "<script>alert(1)</script>", "must be a whole number, not “<script>"),
        ("name-0", "", "every card needs a name"),
        ("type-0", "king", "choose one of"),
        ("source-0", "nobody#1", "is not among the documents"),
        ("source-0", "octgn@-combat", "no source of the row speaks of combat"),
        ("traits-0", "+cmd", "for a formula"),
        ("name-0", "x" * 300, "longer than 200 letters"),
        ("note-0", "a\x07b", "invisible character (U+0007)"),
    ],
)
def test_a_bad_value_is_reported_at_its_cell_and_input_is_kept_and_escaped(client, cell, value, sentence):
    answer = client.post(LI, form_of(client, LI) | {"combat-0": "6", cell: value})
    form, shown = answer.context["form"], page_of(answer, status=400)
    assert sentence in form.errors[cell][0]
    assert list(form.errors) == [cell]
    assert shown.field("combat-0").value == "6" and all(script.get("src") for script in shown.all("script"))


def test_all_bad_cells_are_reported_at_once(client):
    answer = propose(client, LI, craft__0="x", combat__0="y", name__0="")
    assert {name for name, _ in answer.context["form"].faults} == {"craft-0", "combat-0", "name-0"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"type__0": "gear"}, "does not apply to a card of type gear"),
        ({}, "Nothing was changed"),
        ({"combat__0": "5", "reason": ""}, "say how you know"),
    ],
)
def test_a_row_that_cannot_be_made_says_why(client, changes, sentence):
    refused = page_of(propose(client, LI, **changes), status=400)
    assert sentence in refused.one(class_="error-summary").text


def test_the_form_needs_its_token(client):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(LI, {"combat-0": "5", "reason": "x"}).status_code == 403


def test_nothing_is_stored(client, django_assert_max_num_queries):
    posted = form_of(client, LI) | {"combat-0": "5"}
    with django_assert_max_num_queries(2) as queries:
        client.post(LI, posted)
    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)


@pytest.mark.parametrize(
    "address", ["/cards/spycraft/nobody/correct/", "/cards/chess/li/correct/", "/sets/spycraft/ZZ/correct/"]
)
def test_an_unknown_card_or_set_cannot_be_corrected(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("field", ["craft-0", "type-0", "source-0", "document", "place", "reason", "as"])
def test_no_input_of_the_form_is_a_server_error(client, field):
    form = form_of(client, LI)
    for bad in ("\x00", "\ufffe", "9" * 5_000, "é" * 9_000, "{{7*7}}", "\r\n", "a;b@c#d"):
        assert client.post(LI, form | {field: bad}).status_code in (200, 400), bad
