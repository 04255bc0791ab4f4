"""The bulk files of an edition: complete, the same each time, safe for spreadsheets, equal to the API."""

import csv
import gzip
import hashlib
import io
import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import TestCase, override_settings

from cardsdb.catalogue import edition_files as bulk_module
from cardsdb.catalogue.edition_files import Bulk, current_bulk, opened, safe_cell, write_bulk
from cardsdb.catalogue.loader import load_all
from cardsdb.games import games
from cardsdb.models import Card, Edition
from cardsdb.storage.object_store import Patience
from tests.support.object_store import address_of, use_stores
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    """Return an empty data folder, which every test here uses, so that none sees the files of another."""
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def edition(module_db):
    """Return the number of a new edition, the newest for all tests here."""
    return int(Edition.objects.create(changes=[]).number)


@pytest.fixture(scope="module")
def written_once(edition, tmp_path_factory):
    """A data folder with the files of this edition, written once for all tests."""
    folder = tmp_path_factory.mktemp("bulk")
    with override_settings(VAR_DIR=folder):
        write_bulk(edition)
    return folder


@pytest.fixture
def written(written_once, var, edition):
    """The files of this edition, copied for one test."""
    shutil.copytree(written_once, var, dirs_exist_ok=True)
    return write_bulk(edition)


@pytest.fixture
def few_cards(edition):
    """A catalogue of two cards, for tests that need files but not their whole content."""
    Card.objects.exclude(game="spycraft", code__in=("kai", "li")).update(retired=True)


def folder() -> Path:
    return Path(bulk_module.store().location)


def content(bulk: Bulk, name: str) -> bytes:
    (file,) = [file for file in bulk.files if file.name == name]
    with closing(opened(bulk, file)) as stream:
        return stream.read()


def lines(bulk: Bulk) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(content(bulk, "cards.jsonl.gz")).splitlines()]


def table(bulk: Bulk) -> list[dict[str, str]]:
    text = gzip.decompress(content(bulk, "prints.csv.gz")).decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.both_databases
def test_every_listed_card_is_a_line_in_the_order_of_lists_as_the_api_answers_it(written, client):
    cards = {card["key"]: card for card in lines(written)}
    listed = Card.objects.current().by_name().values_list("game", "code")
    assert list(cards) == [f"{game}/{code}" for game, code in listed]
    assert json.dumps(cards["spycraft/li"]) == json.dumps(client.get("/api/v1/cards/spycraft/li/").json())


@pytest.mark.both_databases
def test_every_print_is_a_row_with_the_stated_facts_and_a_card_without_prints_has_one(written):
    facts_of = {card["key"]: card["facts"] for card in lines(written)}
    rows = table(written)
    expected = sum(max(card.prints.count(), 1) for card in Card.objects.current().prefetch_related("prints"))
    assert len(rows) == expected and {row["key"] for row in rows} == set(facts_of)
    for row in rows:
        filled = {name.removeprefix("facts.") for name, value in row.items() if value and "facts." in name}
        assert filled <= set(facts_of[row["key"]])


def test_every_row_of_a_game_with_a_credit_has_it(written):
    credits = [card["credit"]["text"] for card in lines(written) if card["game"] == "agentdecker"]
    credits += [row["credit"] for row in table(written) if row["game"] == "agentdecker"]
    assert credits and all("Manuel Correia" in credit for credit in credits)
    assert "by-nc/4.0" in content(written, "LICENCES.txt").decode()


def test_a_cell_like_a_formula_gets_a_quote_and_a_number_or_word_does_not():
    formulas, others = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\r=1"], ["-1", "+2", "-0.5", "3-D", ""]
    assert [safe_cell(text) for text in formulas] == [f"'{text}" for text in formulas]
    assert [safe_cell(text) for text in others] == others


def test_names_and_prints_like_formulas_are_safe_in_the_table(few_cards, edition):
    # Their rows are changed without a load, so they must not keep their digest.
    Card.objects.filter(game="spycraft", code="li").update(name="=HYPERLINK(1)", digest="")
    Card.objects.filter(game="spycraft", code="kai").update(digest="")
    prints = Card.objects.get(game="spycraft", code="kai").prints
    parts = ("set_code", "number", "rarity", "code", "note")
    for at, part in enumerate(parts):
        prints.create(**{"set_code": f"X{at}", "number": "1", part: "=HYPERLINK(1)"})
    rows = table(write_bulk(edition))
    assert {row["name"] for row in rows if row["key"] == "spycraft/li"} == {"'=HYPERLINK(1)"}
    cells = [value for row in rows if row["key"] == "spycraft/kai" for value in row.values()]
    assert [value for value in cells if "HYPERLINK" in value] == ["'=HYPERLINK(1)"] * len(parts)


def test_existing_files_are_not_written_again(written, django_assert_num_queries):
    (path,) = folder().glob(f"{written.edition}.*.cards.jsonl.gz")
    before = path.stat().st_mtime_ns
    with django_assert_num_queries(1):  # For the edition's date.
        write_bulk(written.edition)
    assert path.stat().st_mtime_ns == before


def test_an_edition_written_again_has_the_same_files_with_the_checksums_of_the_manifest(written, edition):
    (folder() / f"{edition}.manifest.json").write_text("{}")
    assert write_bulk(edition) == written
    for file in written.files:
        data = content(written, file.name)
        assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())


@pytest.mark.both_databases
def test_files_of_two_editions_are_kept_and_those_of_older_versions_removed(few_cards, edition):
    # Earlier versions of Cutout stored the files of an edition in a folder.
    for number in range(edition, edition + 3):
        (folder() / str(number)).mkdir(parents=True)
        (folder() / str(number) / "manifest.json").write_text("{}")
        Edition.objects.get_or_create(number=number)
        write_bulk(number)
    files = [path for path in folder().rglob("*") if path.is_file()]
    assert {path.name.partition(".")[0] for path in files} == {str(edition + 1), str(edition + 2)}


@pytest.mark.both_databases
def test_files_of_the_same_edition_of_another_database_are_replaced(written, few_cards):
    Card.objects.filter(code="kai").update(retired=True)
    Edition.objects.filter(number=written.edition).delete()
    Edition.objects.create(number=written.edition, changes=[])
    assert "spycraft/kai" not in {card["key"] for card in lines(write_bulk(written.edition))}


def test_a_write_that_fails_leaves_the_earlier_files(written, few_cards, monkeypatch):
    def full(*args):
        raise OSError("No space left on device")

    monkeypatch.setattr(bulk_module, "_described", full)
    with pytest.raises(OSError):
        write_bulk(written.edition + 1)
    assert {path.name.partition(".")[0] for path in folder().iterdir()} == {str(written.edition)}
    assert current_bulk() == written


def test_two_writers_of_one_edition_leave_files_that_match_either_manifest(few_cards, edition, monkeypatch):
    plain, manifest = bulk_module.credits_text, folder() / f"{edition}.manifest.json"
    monkeypatch.setattr(bulk_module, "credits_text", lambda: f"{plain()} As another machine writes it.")
    other = write_bulk(edition)
    theirs = manifest.read_bytes()
    manifest.unlink()
    monkeypatch.setattr(bulk_module, "credits_text", plain)
    ours = write_bulk(edition)
    manifest.write_bytes(theirs)
    for bulk in (ours, other):
        for file in bulk.files:
            assert hashlib.sha256(content(bulk, file.name)).hexdigest() == file.sha256
    assert current_bulk() == other


def test_while_the_store_does_not_answer_cards_are_loaded_and_the_files_page_is_unavailable(
    client, empty_catalogue, settings
):
    use_stores(settings, address_of("bucket", "127.0.0.1:9"), Patience(tries=1))
    lines: list[str] = []
    with TestCase.captureOnCommitCallbacks(execute=True):
        load_all(games().values(), lines.append)
    assert Edition.objects.count() == 1 and "run load_cards again" in lines[-1]
    assert client.get("/bulk/").status_code == client.get("/api/v1/bulk/").status_code == 503


def test_without_files_page_and_api_say_so(client, few_cards):
    assert "load_cards" in page(client, "/bulk/").text
    answer = client.get("/api/v1/bulk/")
    assert answer.json() == {"edition": None, "date": None, "files": []}
    assert not answer.has_header("ETag")


def test_page_and_api_list_the_files(client, few_cards):
    bulk = write_bulk(Edition.objects.current().number)
    shown, answer = page(client, "/bulk/"), client.get("/api/v1/bulk/")
    assert answer["ETag"] and answer.json()["edition"] == bulk.edition
    for file, listed in zip(bulk.files, answer.json()["files"], strict=True):
        assert f"/bulk/{file.name}" in shown.links and file.sha256 in shown.text
        size = len(client.get(listed["url"]).getvalue())
        assert (listed["name"], listed["size"], listed["sha256"]) == (file.name, size, file.sha256)


def test_a_file_is_sent_unchanged_as_a_download_and_not_twice_to_one_browser(written, client):
    answer = client.get("/bulk/cards.jsonl.gz", headers={"Accept-Encoding": "gzip"})
    assert answer.getvalue() == content(written, "cards.jsonl.gz")
    assert int(answer["Content-Length"]) == written.files[0].size
    assert answer["Content-Disposition"] == 'attachment; filename="cutout-cards.jsonl.gz"'
    assert not answer.has_header("Content-Encoding")
    again = client.get("/bulk/cards.jsonl.gz", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name", ["manifest.json", "..%2f..%2fsecret_key", "%2e%2e", "cards.jsonl", "\x00", "a" * 3_000]
)
def test_only_the_files_named_in_the_list_are_served(written, client, name):
    assert client.get(f"/bulk/{name}").status_code == 404
