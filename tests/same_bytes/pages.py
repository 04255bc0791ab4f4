"""Pages of the catalogue, asked for by somebody whose browser sends no cookies."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.same_bytes.recorder import Recorder, Visitor
from tests.same_bytes.vocabulary import GAMES, Vocabulary

VIEWS = ("line", "numbers", "faces", "checklist", "nonsense")
PLAIN = (
    "/ /games/ /sets/ /cards/ /search/ /compare/ /bulk/ /changes/ /changes.atom /robots.txt /sitemap.xml /opensearch.xml"
    " /games.css /healthz /readyz /favicon.ico /decks/ /decks/search-help/ /decks.atom /check/ /decks/new/"
    " /decks/import/ /collection/ /print/ /pictures/ /print/texts/ /print/calibration/ /account/"
    " /accounts/login/ /accounts/signup/ /accounts/signup/passkey/ /accounts/password/reset/ /accounts/2fa/"
    " /accounts/logout/ /accounts/email/ /account/favourites/ /account/delete/ /d/ /print/jobs/"
    " /collection/import/ /collection/decks/ /collection/cutout-collection.csv /print/service/"
    " /decks/compare/ /nowhere/ /games/nowhere/ /cards/spycraft/nobody/ /cards/nowhere/kai/ /decks/nowhere/"
    " /sets/spycraft/XX/ /bulk/nothing.txt /api/ /admin/login/ /changes/?page=2 /changes/?page=x"
    " /static/nothing.css /embed/ /cards /games/spycraft"
).split()
LISTED = (
    "",
    "agents with craft 4 or more",
    "t:agent order:-craft",
    "game:xfiles",
    "game:spynet",
    "game:steamspy",
    "game:agentdecker",
    "krypt",
    "is:unique order:name",
    "nosuchword",
    "craft>=nine",
    "(t:gear or t:action) cost<3",
    "similar:spycraft/kai",
    '!"Kai"',
    "name:/^k/",
    "rarity:rare",
    "is:disputed",
    "-has:text game:xfiles",
)


def record(recorder: Recorder) -> None:
    """Every kind of page, most cards of small types, and a hundred card lists in each view."""
    anyone = Visitor(recorder, "anyone", keeps_cookies=False)
    vocabulary = Vocabulary(anyone)
    for path in PLAIN:
        anyone.get(path)
    _games(anyone, vocabulary)
    _cards(anyone, vocabulary)
    _lists(anyone)
    _corrections(anyone)
    for name in ("cards.jsonl.gz", "prints.csv.gz", "LICENCES.txt"):
        anyone.get(f"/bulk/{name}")


def _games(anyone: Visitor, vocabulary: Vocabulary) -> None:
    for game in GAMES:
        for page in ("", "rules/", "glossary/", "set-up/", "house/", "aids/", "cockatrice.xml", "lackey.zip"):
            anyone.get(f"/games/{game}/{page}")
        anyone.get(f"/games/{game}/glossary/", q="agent")
        anyone.get(f"/games/{game}/glossary/", q="nosuchterm")
        for players in ("1", "2", "3", "4", "x"):
            anyone.get(f"/games/{game}/set-up/", players=players)
        for one in vocabulary.games[game]["formats"]:
            anyone.get(f"/games/{game}/house/", format=one["slug"])
            anyone.get("/check/", game=game, format=one["slug"])
        for one in vocabulary.games[game]["starters"]:
            anyone.get("/decks/new/", game=game, starter=one["slug"])
    for path in ("plugininfo.txt", "updatelist.txt", "nothing.txt", "sets/nothing.txt"):
        anyone.get(f"/games/spycraft/lackey/{path}")
    for game, code in vocabulary.sets:
        anyone.get(f"/sets/{game}/{code}/")
        anyone.get(f"/sets/{game}/{code}/correct/")
    anyone.get("/sets/spycraft/EA/", after="spycraft/kai")


def _cards(anyone: Visitor, vocabulary: Vocabulary) -> None:
    rng = random.Random("cards")
    chosen = [key for keys in vocabulary.keys_by_type.values() for key in rng.sample(keys, min(len(keys), 9))]
    for key in chosen:
        anyone.get(f"/cards/{key}/")
    for key in chosen[::4]:
        anyone.get(f"/cards/{key}/", q="t:agent or t:gear order:name")
        anyone.get(f"/cards/{key}/face.svg")
        anyone.get(f"/cards/{key}/decks/")
        anyone.get(f"/print/texts/{key}/")
        anyone.get(f"/collection/{key}/")
    for key in chosen[::12]:
        anyone.get(f"/cards/{key}/face.png")
        anyone.get(f"/cards/{key}/face.pdf")
        anyone.get(f"/cards/{key}/add/")
        anyone.get("/decks/new/", game=key.split("/")[0], add=key.split("/")[1])
    for count in (1, 2, 3, 4, 9):
        anyone.get("/compare/", card=rng.sample(chosen, count))
    anyone.get("/compare/", card=["spycraft/kai", "nonsense", "spycraft/nobody"], add="ka")
    anyone.get("/compare/", card="spycraft/kai", add="Termite")


def _lists(anyone: Visitor) -> None:
    queries = corpus("card_queries.txt")
    for query in LISTED:
        for view in VIEWS:
            anyone.get("/cards/", q=query, view=view)
    for number, query in enumerate(queries[::4]):
        view = ("", "numbers", "faces", "checklist")[number % 4]
        anyone.get("/cards/", **({"q": query, "view": view} if view else {"q": query}))
    for query in queries[1::2]:
        anyone.get("/search/suggest/", q=query)
    for word in (
        "k",
        "ka",
        "kai ",
        "t:",
        "t:ag",
        "faction:n",
        "craft",
        "order:",
        "is:",
        "has:f",
        '!"da',
        "-t:a",
        "(t:agent or f:",
        "similar:k",
    ):
        anyone.get("/search/suggest/", q=word)
        anyone.get("/search/suggest/", q=word + " kai", at=str(len(word)))
    # The form's controls, which lead to a query; later pages; cursors that nobody has.
    for controls in (
        {"type": "agent", "game": "spycraft"},
        {"type": ["agent", "gear"]},
        {"game": "spycraft", "craft_from": "3", "craft_to": "5", "words": "kai"},
        {"game": "xfiles", "sort": "-cost"},
        {"order": "-craft", "words": "t:agent"},
        {"faction": "Krypt", "with": "game:spycraft", "set": "ON"},
    ):
        anyone.get("/cards/", **controls)
    for query in ("", "t:agent", "t:agent order:-craft", "game:xfiles order:type,name"):
        for cursor in (
            {"after": "spycraft/kai"},
            {"before": "spycraft/kai"},
            {"before": "end"},
            {"after": "nobody"},
            {"after": "xfiles/2shy"},
        ):
            anyone.get("/cards/", q=query, **cursor)
            anyone.get("/cards/", q=query, view="table", **cursor)


def _corrections(anyone: Visitor) -> None:
    from lxml.html import fromstring

    for path, changes in (
        ("/cards/spycraft/kai/correct/", {"craft-0": "3"}),
        ("/cards/spycraft/kai/correct/", {"craft-0": "three", "type-0": "gear"}),
        ("/cards/spycraft/kai/correct/", {"name-0": ""}),
        ("/cards/spycraft/kai/correct/", {}),
        ("/cards/xfiles/2shy/correct/", {"name-0": 'A "new", name'}),
        ("/cards/xfiles/2shy/correct/", {"name-0": "2Shy!", "as": "row"}),
        ("/sets/spycraft/EA/correct/", {"name-0": "Another name"}),
        ("/sets/spycraft/ON/correct/", {"year-0": "long ago"}),
        ("/cards/agentdecker/nobody/correct/", {}),
    ):
        page = anyone.get(path)
        form = (
            next((form for form in fromstring(page.body).forms if "reason" in form.fields), None)
            if page.status_code == 200
            else None
        )
        if form is None:
            continue
        given: dict[str, Any] = {
            name: value or "" for name, value in form.form_values() if name != "csrfmiddlewaretoken"
        }
        documents = form.xpath(".//select[@name='document']/option/@value")
        for reason, document in (
            ("I have the card before me.", documents[-1] if documents else ""),
            ("", ""),
            ("Read it.", documents[1] if documents[1:] else ""),
        ):
            anyone.post(path, given | {"reason": reason, "document": document, "place": "page 4"} | changes)


def corpus(name: str) -> list[str]:
    """The lines of a file beside this one."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
