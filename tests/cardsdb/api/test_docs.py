"""The documentation page: its samples are what the site answers, and its lists of valid values are complete.

After a change of answers, run this file with CUTOUT_WRITE_SAMPLES=1 to write ``samples.json`` anew.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from cardsdb.api.docs import FILE, STANDING_FOR, STORED_SITE, Operation, Taken, filled, operations
from cardsdb.api.views import schema
from cardsdb.tasks.worker import work_off
from decks.models import LeagueFormat
from tests import ROOT
from tests.support.pages import page
from tests.support.print_jobs import BIG, no_files_of_others  # noqa: F401

pytestmark = pytest.mark.django_db

# If this is set in the environment, the stored answers are written anew.
WRITE = "CUTOUT_WRITE_SAMPLES"
SITE = "http://testserver"
# Operations on stored things, in an order in which each finds what the ones before it stored.
STORED = (
    "decks_create decks_read decks_list decks_numbers decks_hands decks_odds deck_fork decks_change"
    " deck_undo deck_redo decks_replace deck_revisions deck_revision formats_list formats_read sheets_create"
    " print_jobs_read print_jobs_file print_jobs_cancel decks_delete"
).split()
LEAGUE = {
    "game": "spycraft",
    "name": "Tuesday league",
    "by": "Nine Tiger Club",
    "based_on": "agency",
    "rules": [{"rule": "banned", "cards": ["Kai", "Termite"]}],
}


def stored_league() -> LeagueFormat:
    """Store a public format of a league."""
    row = LeagueFormat(game="spycraft", browser="somebody", visibility="public").declare(LEAGUE)
    row.save()
    return row


def stored_job(client: Client) -> dict[str, str]:
    """Ask for a print that becomes a job. Return the names in braces that it stands for."""
    body = json.dumps(BIG | {"copies": "20"})
    job = client.post("/api/v1/sheets/", body, content_type="application/json").json()
    return {"job": job["address"].rstrip("/").rpartition("/")[2], "job_key": job["key"]}


_DATE = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)")


def samples() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def sent(client: Client, name: str, known: dict[str, str]) -> Any:
    """Send a sample's request, with ``known`` for its names in braces, and return the answer."""
    sample, known = samples()[name], known | {"site": SITE}
    headers = {header: filled(text, known) for header, text in sample.get("headers", {}).items()}
    body = (
        {"content_type": "application/json", "data": json.dumps(sample["body"])} if "body" in sample else {}
    )
    return client.generic(sample["method"], filled(sample["address"], known), headers=headers, **body)


# What is kept of an answer in a sample: items of a list, names of an object, characters of a text.
MAX_ITEMS, MAX_NAMES, MAX_CHARACTERS = 2, 12, 110


def cut(value: Any, level: int = 0) -> Any:
    """Return an answer shortened for a sample, with a note of how much was left out."""
    match value:
        case list() if len(value) > MAX_ITEMS:
            items = [cut(item, level + 1) for item in value[:MAX_ITEMS]]
            return [*items, f"… {len(value) - MAX_ITEMS} more"]
        case list():
            return [cut(item, level + 1) for item in value]
        case dict():
            # The outermost object may have twice as many names.
            limit = MAX_NAMES if level else 2 * MAX_NAMES
            kept = {name: cut(inner, level + 1) for name, inner in list(value.items())[:limit]}
            return kept | ({"…": f"{len(value) - limit} more"} if len(value) > limit else {})
        case str() if len(value) > MAX_CHARACTERS:
            return f"{value[:MAX_CHARACTERS]}…"
    return value


def walk(client: Client, send: Callable[..., Any] = sent) -> Iterator[tuple[str, Any, dict[str, str]]]:
    """Send the request of every sample, storing a deck, a league's format and a print job on the way. Yield
    (id of the operation, its answer, name in braces -> its value).
    """
    known: dict[str, str] = {}
    for name in [*(name for name in samples() if name not in STORED), *STORED]:
        if name == "formats_list":
            known |= {"format": stored_league().link}
        if name == "print_jobs_read":
            known |= stored_job(client)
        if name == "print_jobs_file":
            work_off()
        answer = send(client, name, known)
        if name == "decks_create":
            known |= {"link": answer.json()["id"], "key": answer.json()["edit_key"]}
        if name == "deck_fork":
            known |= {"fork": answer.json()["id"], "fork_key": answer.json()["edit_key"]}
        yield name, answer, dict(known)


def shape(value: Any) -> Any:
    """Return the names and types of an answer without its values."""
    match value:
        case dict():
            return {name: shape(inner) for name, inner in value.items()}
        case list():
            return [shape(item) for item in value[:1]]
    return type(value).__name__


def test_docs_api_md_has_the_statuses_of_the_page_and_examples_that_work(client):
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = {term.text for term in page(client, "/api/v1/docs/").all("dt", class_="code")}
    statuses = {word for word in shown if re.fullmatch(r"\d{3}", word)}
    assert set(re.findall(r"^\| (\d{3}) \|", text, re.MULTILINE)) == statuses - {"304"}
    examples = re.findall(r"^    (/api/v1/\S+)$", text, re.MULTILINE)
    assert examples and {client.get(example).status_code for example in examples} == {200}


@pytest.mark.usefixtures("no_files_of_others")
def test_sample_answers_have_the_shape_of_what_the_site_answers(client):
    stored = samples()
    wrong = []
    for name, answer, known in walk(client):
        assert answer.status_code == stored[name].get("status", 200), (name, answer.content[:200])
        if "application/json" not in answer.headers.get("Content-Type", ""):
            assert name in ("sheets_create", "print_jobs_file", "decks_delete")
            # Reading a file to its end closes it. close() would also close the database.
            content = answer.getvalue()
            assert bool(content) == (name != "decks_delete")
            continue
        now = cut(answer.json())
        if os.environ.get(WRITE):
            text = _DATE.sub("2026-01-31T12:00:00+00:00", json.dumps(now))
            for word, value in known.items():
                text = text.replace(value, STANDING_FOR[word])
            stored[name]["answer"] = json.loads(text.replace(SITE, STORED_SITE))
        elif shape(now) != shape(stored[name].get("answer")):
            wrong.append(name)
    if os.environ.get(WRITE):
        FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert not wrong, f"The answers of {wrong} have changed. Run this test once with {WRITE}=1."


def test_every_operation_has_a_curl_command_and_an_answer_with_the_address_of_this_site():
    described = operations(SITE)
    every = {one["operationId"] for methods in schema()["paths"].values() for one in methods.values()}
    assert {operation.name for operation in described} == set(samples()) == every
    for operation in described:
        assert operation.curl.startswith("curl ") and SITE in operation.curl
        assert "{" not in operation.curl.partition(" -d ")[0]
    answers = [operation.answer for operation in described]
    assert f'"{SITE}/bulk/cards.jsonl.gz"' in "".join(answers) and STORED_SITE not in "".join(answers)
    assert [one.name for one in described if not one.answer and not one.about] == ["decks_delete"]
    assert max(len(answer.splitlines()) for answer in answers) <= 71


def choices() -> Iterator[tuple[Operation, Taken]]:
    """Yield every parameter and field whose valid values are listed, with its operation."""
    for operation in operations(SITE):
        for taken in operation.takes:
            if taken.values and taken.place != "in path":
                yield operation, taken


def right_values(operation: Operation, taken: Taken, game: str) -> list[str]:
    """Return the values that an error must list; of formats, those of the sample's game."""
    if (operation.name, taken.name) == ("decks_replace", "game"):
        return [game]
    if taken.name == "format":
        (of_game,) = (value for value in taken.values if value.startswith(f"{game}: "))
        return of_game.removeprefix(f"{game}: ").split(", ")
    return list(taken.values)


def test_the_error_for_a_wrong_value_lists_the_valid_ones(client):
    """For every parameter and field with listed values, put into its operation's sample."""
    deck = sent(client, "decks_create", {}).json()
    known = {"link": deck["id"], "key": deck["edit_key"], "site": SITE}
    seen, wrong = set(), "no-such-value"
    for operation, taken in choices():
        sample, where = samples()[operation.name], f"{operation.name} {taken.name}"
        address, body = filled(sample["address"], known), sample.get("body") or {}
        headers = {name: filled(text, known) for name, text in sample.get("headers", {}).items()}
        more: dict[str, Any] = {"headers": headers}
        if taken.place == "in query":
            path, _, query = address.partition("?")
            kept = [part for part in query.split("&") if part and not part.startswith(f"{taken.name}=")]
            address = f"{path}?{'&'.join([*kept, f'{taken.name}={wrong}'])}"
        else:
            more |= {"data": json.dumps(body | {taken.name: wrong}), "content_type": "application/json"}
        answer = client.generic(sample["method"], address, **more)
        assert answer.status_code == 400, (where, answer.content[:200])
        message = next(fault["message"] for fault in answer.json() if fault["where"] == taken.name)
        values = right_values(operation, taken, body.get("game", ""))
        assert values and all(value in message for value in values), (where, message)
        seen.add(taken.name)
    wanted = "game format fields include order to encoding taken_for visibility output a_is"
    assert set(wanted.split()) <= seen
