"""Proposing a correction: what is typed, what is refused, and the patch that comes of it."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.web.corrections.form import with_source
from cardsdb.web.corrections.patch import as_patch, rows_of
from tests.support.game_folders import own_games
from tests.support.pages import page, page_of
from tests.support.programs import need

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LI = "/cards/spycraft/li/correct/"


def form_of(client: Client, address: str) -> dict[str, str]:
    """The form as a browser would send it back untouched."""
    form = client.get(address).context["form"]
    return {field.name: field.value() for field in form} | {
        "document": "",
        "place": "",
        "reason": "I have the card.",
    }


def propose(client: Client, address: str, **changes: str) -> Any:
    return client.post(
        address,
        form_of(client, address) | {name.replace("__", "-"): value for name, value in changes.items()},
    )


APPLY = (("git", "apply", "../correction.patch"), ("patch", "-p1", "-s", "-i", "../correction.patch"))


def applied_in_its_folder(
    game: Game, patch: bytes, folder: Path, command: tuple[str, ...] = APPLY[0]
) -> Path:
    """A copy of the folder of a game that stands outside the repository, with the patch applied inside it."""
    target = folder / game.folder.name
    shutil.copytree(game.folder, target)
    (folder / "correction.patch").write_bytes(patch)
    subprocess.run(command, cwd=target, check=True, capture_output=True)
    return target


def applied(game: Game, patch: bytes, folder: Path) -> Path:
    """A copy of the game's folder with the patch applied, as a person would."""
    if game.slug not in own_games():
        return applied_in_its_folder(game, patch, folder)
    target = folder / "cardsdb" / "games" / game.folder.name
    shutil.copytree(game.folder, target)
    (folder / "correction.patch").write_bytes(patch)
    subprocess.run(["git", "apply", "correction.patch"], cwd=folder, check=True, capture_output=True)
    return target


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# -- the patch ---------------------------------------------------------------------------


def test_a_patch_makes_exactly_the_change_and_the_folder_still_loads(client: Client, tmp_path: Path) -> None:
    game = games()["spycraft"]
    answer = propose(client, LI, combat__0="5", number__0="123", reason="Read off my copy.")
    target = applied(game, answer.content, tmp_path)
    wanted = table(game.folder / "cards.csv")
    row = next(row for row in wanted if row["code"] == "li")
    row |= {"combat": "5", "number": "123"}
    assert table(target / "cards.csv") == wanted
    again = replace(game, folder=target).card("li")
    assert again is not None
    assert (again.number("combat"), again.prints[0].number) == (5, "123")


def test_the_named_source_speaks_of_what_was_changed_and_the_old_one_no_longer_does(
    client: Client, tmp_path: Path
) -> None:
    game = games()["spycraft"]
    answer = propose(client, LI, bravado__0="3", document="rulebook", place="181")
    card = replace(game, folder=applied(game, answer.content, tmp_path)).card("li")
    assert card is not None
    assert [(claim.document, claim.lines) for claim in card.claims("bravado")] == [("rulebook", "181")]
    assert "rulebook" not in {claim.document for claim in card.claims("charisma")}


def test_a_card_of_several_prints_is_patched_in_every_row(client: Client, tmp_path: Path) -> None:
    game = games()["xfiles"]
    answer = propose(client, "/cards/xfiles/first-aid/correct/", rarity__0="Rare", rarity__1="Fixed")
    card = replace(game, folder=applied(game, answer.content, tmp_path)).card("first-aid")
    assert card is not None
    assert [one.rarity for one in card.prints[:2]] == ["Rare", "Fixed"]


@pytest.mark.parametrize("slug", list(games()))
def test_the_first_and_the_last_card_of_every_game_can_be_corrected(
    client: Client, slug: str, tmp_path: Path
) -> None:
    game, said = games()[slug], "Seen, with “quotes”, a comma\nand two lines"
    # A game of somebody's own need not have a column of notes.
    column = "note" if "note" in table(game.folder / "cards.csv")[0] else "text"
    for place in (0, -1):
        code = game.cards[place].code
        answer = propose(client, f"/cards/{slug}/{code}/correct/", **{f"{column}__0": said})
        assert answer.status_code == 200
        card = replace(game, folder=applied(game, answer.content, tmp_path / str(place))).card(code)
        assert card is not None and getattr(card, column) == said


def test_a_set_is_corrected_in_the_same_way(client: Client, tmp_path: Path) -> None:
    game = games()["spycraft"]
    answer = propose(client, "/sets/spycraft/EA/correct/", size__0="162", year__0="2004")
    found = replace(game, folder=applied(game, answer.content, tmp_path)).sets_by_code["EA"]
    assert (found.size, found.year) == (162, "2004")


def test_a_reason_that_looks_like_a_patch_does_not_become_one(client: Client, tmp_path: Path) -> None:
    game = games()["spycraft"]
    reason = (
        "--- a/cardsdb/games/spycraft/cards.csv\n+++ b/cardsdb/games/spycraft/cards.csv\n@@ -1 +1"
        " @@\n-code\n+x"
    )
    target = applied(game, propose(client, LI, combat__0="5", reason=reason).content, tmp_path)
    assert next(row for row in table(target / "cards.csv") if row["code"] == "li")["combat"] == "5"


def test_a_file_without_a_last_line_end_is_patched_too(tmp_path: Path) -> None:
    game = games()["spynet"]
    folder = tmp_path / "before" / "spynet"
    shutil.copytree(game.folder, folder)
    text = (folder / "cards.csv").read_text(encoding="utf-8").rstrip("\n")
    (folder / "cards.csv").write_text(text, encoding="utf-8")
    code = game.cards[-1].code
    found = rows_of(folder / "cards.csv", code)
    patch = as_patch(found, [{**row.cells, "note": "new"} for row in found.rows])
    target = applied_in_its_folder(replace(game, folder=folder), patch, tmp_path / "after")
    assert table(target / "cards.csv")[-1]["note"] == "new"


@pytest.mark.parametrize("command", APPLY, ids=("git apply", "patch"))
def test_a_file_of_another_systems_editor_is_patched_in_its_own_manner(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    need(command[0])
    folder = tmp_path / "before" / "elsewhere"
    folder.mkdir(parents=True)
    (folder / "cards.csv").write_bytes("\ufeffcode,note\r\na,one\r\nb,two\r\n".encode())
    found = rows_of(folder / "cards.csv", "a")
    patch = as_patch(found, [{**row.cells, "note": "new"} for row in found.rows])
    game = replace(games()["spynet"], folder=folder)
    target = applied_in_its_folder(
        game, patch, tmp_path / "after", (*command, "--binary") if command[0] == "patch" else command
    )
    assert (target / "cards.csv").read_bytes() == "\ufeffcode,note\r\na,new\r\nb,two\r\n".encode()


def test_a_line_inside_a_quoted_cell_is_not_taken_for_a_row(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text('code,note\na,"first\nb,not a row"\nb,the row\n', encoding="utf-8")
    (row,) = rows_of(path, "b").rows
    assert (row.start, row.end, row.cells["note"]) == (3, 4, "the row")


def test_the_row_alone_is_a_csv_with_its_heading(client: Client) -> None:
    answer = propose(client, LI, combat__0="5", **{"as": "row"})
    (row,) = csv.DictReader(io.StringIO(answer.content.decode()))
    assert (row["code"], row["combat"]) == ("li", "5")
    assert "attachment" in answer.headers["Content-Disposition"]


# -- sources -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "document", "place", "wanted"),
    [
        ("a#1", "b", "2", "a#1@-craft;b#2@craft"),
        ("a#1@-level", "b", "", "a#1@-level,craft;b@craft"),
        ("a#1@craft,level;c", "b", "", "a#1@level;c@-craft;b@craft"),
        ("a#1@craft;c", "b", "", "c@-craft;b@craft"),
        ("a#1", "a", "1", "a#1"),
        ("a#1;c", "a", "1", "a#1;c@-craft"),
        ("a#1@level", "a", "1", "a#1@level,craft"),
    ],
)
def test_the_source_cell_follows_the_change(cell: str, document: str, place: str, wanted: str) -> None:
    assert with_source(cell, ["craft"], document, place) == wanted


# -- what is refused ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value", "sentence"),
    [
        ("craft-0", "four", "must be a whole number, not “four”"),
        ("name-0", "", "every card needs a name"),
        ("type-0", "king", "choose one of"),
        ("set-0", "ZZ", "choose one of"),
        ("source-0", "nobody#1", "is not among the documents"),
        ("source-0", "octgn@-combat", "no source of the row speaks of combat"),
        ("note-0", "=HYPERLINK(1)", "for a formula"),
        ("traits-0", "+cmd", "for a formula"),
        ("name-0", "x" * 300, "longer than 200 letters"),
        ("note-0", "a\x07b", "invisible character (U+0007)"),
        ("note-0", "a\u202eb", "invisible character (U+202E)"),
    ],
)
def test_a_bad_value_is_named_at_its_cell_and_nothing_typed_is_lost(
    client: Client, cell: str, value: str, sentence: str
) -> None:
    posted = form_of(client, LI) | {"combat-0": "6", cell: value}
    answer = client.post(LI, posted)
    assert answer.status_code == 400
    form = answer.context["form"]
    assert sentence in form.errors[cell][0]
    assert form["combat-0"].value() == "6"
    assert list(form.errors) == [cell]


def test_every_bad_cell_is_named_at_once(client: Client) -> None:
    answer = propose(client, LI, craft__0="x", combat__0="y", name__0="")
    assert {name for name, _ in answer.context["form"].faults} == {"craft-0", "combat-0", "name-0"}


def test_a_fact_that_does_not_belong_to_the_new_type_is_named(client: Client) -> None:
    answer = propose(client, LI, type__0="gear")
    assert any(
        "does not apply to a card of type gear" in sentence for _, sentence in answer.context["form"].faults
    )


def test_nothing_changed_makes_no_patch(client: Client) -> None:
    assert "Nothing was changed" in page_of(propose(client, LI), status=400).one(class_="error-summary").text


def test_a_change_without_source_or_reason_is_refused(client: Client) -> None:
    refused = page_of(propose(client, LI, combat__0="5", reason=""), status=400)
    assert "say how you know" in refused.one(class_="error-summary").text
    assert refused.field("combat-0").value == "5"


def test_what_is_typed_is_never_markup(client: Client) -> None:
    typed = "<script>alert(1)</script>"
    refused = page_of(propose(client, LI, craft__0=typed), status=400)
    assert refused.field("craft-0").value == typed
    assert all(script.get("src") for script in refused.all("script"))


def test_the_form_needs_its_token(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(LI, {"combat-0": "5", "reason": "x"}).status_code == 403


def test_nothing_is_stored(client: Client, django_assert_max_num_queries: Any) -> None:
    posted = form_of(client, LI) | {"combat-0": "5"}
    with django_assert_max_num_queries(2) as queries:
        client.post(LI, posted)
    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)


@pytest.mark.parametrize(
    "address", ["/cards/spycraft/nobody/correct/", "/cards/chess/li/correct/", "/sets/spycraft/ZZ/correct/"]
)
def test_what_is_in_no_folder_cannot_be_corrected(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("bad", ["\x00", "\ufffe", "9" * 5_000, "é" * 9_000, "{{7*7}}", "\r\n", "a;b@c#d"])
@pytest.mark.parametrize("field", ["craft-0", "type-0", "source-0", "document", "place", "reason", "as"])
def test_no_form_is_a_server_error(client: Client, field: str, bad: str) -> None:
    assert client.post(LI, form_of(client, LI) | {field: bad}).status_code in (200, 400)


def test_a_sixth_game_needs_nothing_more(client: Client, sixth_game: Game, tmp_path: Path) -> None:
    card = sixth_game.cards[0]
    answer = propose(client, f"/cards/deaddrop/{card.code}/correct/", note__0="Seen.")
    found = replace(sixth_game, folder=applied_in_its_folder(sixth_game, answer.content, tmp_path)).card(
        card.code
    )
    assert found is not None and found.note == "Seen."


@pytest.mark.parametrize("command", APPLY, ids=("git apply", "patch"))
@pytest.mark.parametrize("in_a_repository", [False, True])
def test_the_patch_of_a_game_that_stands_elsewhere_applies_inside_its_folder(
    client: Client, sixth_game: Game, tmp_path: Path, command: tuple[str, ...], in_a_repository: bool
) -> None:
    need(command[0])
    if in_a_repository:
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    answer = propose(client, f"/cards/deaddrop/{sixth_game.cards[0].code}/correct/", note__0="Seen.")
    target = applied_in_its_folder(sixth_game, answer.content, tmp_path, command)
    assert table(target / "cards.csv")[0]["note"] == "Seen."


def test_the_patch_and_the_page_of_a_game_that_stands_elsewhere_say_where_to_apply_it(
    client: Client, sixth_game: Game
) -> None:
    address = f"/cards/deaddrop/{sixth_game.cards[0].code}/correct/"
    where = "in the game's own folder “deaddrop”, beside cards.csv"
    form = page(client, address)
    assert where in form.main.text and "cardsdb/games/deaddrop" not in form.text
    patch = propose(client, address, note__0="Seen.").content.decode()
    assert f"# Apply {where}: git apply deaddrop-" in patch and "or patch -p1 < deaddrop-" in patch
    assert "--- a/cards.csv\n+++ b/cards.csv\n" in patch


def test_the_patch_of_a_game_of_the_repository_names_its_place_there(client: Client) -> None:
    patch = propose(client, LI, combat__0="5").content.decode()
    assert "# Apply with: git apply spycraft-li.patch\n" in patch
    assert "--- a/cardsdb/games/spycraft/cards.csv\n+++ b/cardsdb/games/spycraft/cards.csv\n" in patch
    assert "own folder" not in page(client, LI).text
