"""A database of before, opened by this code: brought up to date, then everything in it asked for by those it
belongs to.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tests.same_bytes.commands import run
from tests.same_bytes.decks import FORMATS
from tests.same_bytes.people import PASSWORD
from tests.same_bytes.recorder import Recorder, Visitor

OWN_PAGES = (
    "/account/ /account/favourites/ /collection/ /collection/?q=kai /collection/cutout-collection.csv"
    " /collection/decks/ /pictures/ /print/texts/ /print/calibration/ /print/jobs/ /print/ /decks/?q=is:mine"
    " /decks/?q=is:favourite /account/export.zip"
).split()
DECK_PAGES = (
    "files/|numbers/|edit/|edit/?q=in:deck|settings/|house/|repairs/|share/|missing/|comments/".split("|")
)


def record(recorder: Recorder) -> None:
    """Verdicts as they are stored, before and after; then pages, files and API of every deck."""
    _table(recorder, "verdicts before", "SELECT link, verdict, game, format FROM decks_deck ORDER BY link")
    for command in (("migrate", "--verbosity", "0"), ("prepare",), ("judge_decks",), ("sanity_check",)):
        run(recorder, *command)
    _table(recorder, "verdicts after", "SELECT link, verdict, game, format FROM decks_deck ORDER BY link")
    for table in (
        "decks_deckrevision",
        "decks_deckline",
        "decks_owned",
        "decks_comment",
        "decks_like",
        "decks_favourite",
    ):
        _table(recorder, f"rows of {table}", f"SELECT COUNT(*) FROM {table}")
    people = _people(recorder)
    anyone = Visitor(recorder, "anyone", keeps_cookies=False)
    for person in people.values():
        for path in OWN_PAGES:
            answer = person.get(path)
            for more in sorted(
                set(
                    re.findall(
                        r'href="(/(?:pictures|print/calibration|print/jobs|print/texts)/[\w/-]+/)"',
                        answer.body.decode("utf-8", "replace"),
                    )
                )
            )[:12]:
                person.get(more)
    for link in _links():
        for person in (*people.values(), anyone):
            if person.get(f"/decks/{link}/").status_code == 200 and person is not anyone:
                _deck(person, link)
    again = Visitor(recorder, "anna again")
    again.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    again.get("/account/")


def _deck(person: Visitor, link: str) -> None:
    """All of a deck, for whoever may edit it."""
    if person.get(f"/decks/{link}/history/").status_code != 200:
        return
    for path in DECK_PAGES:
        person.get(f"/decks/{link}/{path}")
    person.get(f"/decks/{link}/history/0/")
    person.get(f"/decks/{link}/history/1/")
    person.api("GET", f"decks/{link}/")
    person.api("GET", f"decks/{link}/revisions/")
    for name in FORMATS:
        person.get(f"/decks/{link}/files/{name}/")
    person.get("/print/sheets.pdf", deck=link, only="none", extras="reference,labels")
    person.post(f"/decks/{link}/undo/", {"back": "deck"})
    person.post(f"/decks/{link}/edit/", {"edit": "add", "line": "1 Kestrel | unknown"}, htmx="deck")
    person.get(f"/decks/{link}/")


def _people(recorder: Recorder) -> dict[str, Visitor]:
    """Those who left their cookies."""
    cookies = json.loads(Path(os.environ["CUTOUT_VAR"], "cookies.json").read_text())
    people = {name: Visitor(recorder, name) for name in cookies}
    for name, person in people.items():
        for key, value in cookies[name].items():
            person.client.cookies[key] = value
    return people


def _links() -> list[str]:
    return [row[0] for row in _rows("SELECT link FROM decks_deck ORDER BY link")]


def _rows(sql: str) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def _table(recorder: Recorder, name: str, sql: str) -> None:
    recorder.write(recorder.begin(name), "read", "text/plain", {}, "\n".join(map(str, _rows(sql))).encode())
