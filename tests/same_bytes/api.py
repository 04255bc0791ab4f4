"""The API: every address, every shape of error, queries with whole cards, decks from their making to their
deletion.
"""

from __future__ import annotations

from typing import Any

from tests.same_bytes.decks import FORMATS, variants
from tests.same_bytes.pages import corpus
from tests.same_bytes.people import sign_up
from tests.same_bytes.recorder import CLOCK, Recorder, Visitor, readable_link
from tests.same_bytes.vocabulary import GAMES, Vocabulary

READS = (
    "",
    "games/",
    "games/nowhere/",
    "sets/",
    "sets/?page=2",
    "rules/",
    "rules/?game=spycraft",
    "glossary/",
    "glossary/?page=2&page_size=10",
    "bulk/",
    "schema/",
    "openapi.json",
    "docs/",
    "decks/",
    "decks/nowhere/",
    "cards/nowhere/kai/",
    "cards/spycraft/nobody/",
    "nowhere/",
    "search/explain/",
    "search/explain/?q=",
    "cards/?limit=5",
    "cards/?page_size=0",
    "cards/?page_size=1000",
    "cards/?page_size=x",
    "cards/?fields=name,facts.craft,prints.set&q=t:agent",
    "cards/?fields=nonsense",
    "cards/?include=text,aliases,note,sources,credit&q=kai",
    "cards/?include=nonsense",
    "cards/?after=nobody&q=order:-craft",
    "cards/?after=spycraft/kai",
    "cards/?before=end&q=t:agent&page_size=7",
    "cards/?after=spycraft/kai&q=order:-craft&page_size=7",
    "cards/?game=nowhere",
    "cards/?game=spycraft&q=game:xfiles",
    "sheets/",
    "sheets/jobs/nowhere/",
)


def record(recorder: Recorder) -> None:
    """Reads, then writes by an account, by edit keys and by nobody."""
    anyone, anna = Visitor(recorder, "anyone", keeps_cookies=False), Visitor(recorder, "anna")
    sign_up(anna)
    vocabulary = Vocabulary(anyone)
    for path in READS:
        anyone.api("GET", path)
    for key in vocabulary.keys[::9]:
        anyone.api("GET", f"cards/{key}/")
    for query in corpus("card_queries.txt")[::4]:
        anyone.get("/api/v1/cards/", q=query, page_size=20, include="text,aliases,note,sources,credit")
        anyone.get("/api/v1/search/explain/", q=query)
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        for path in ("cards/", "games/", "decks/validate/", "decks/", "sheets/"):
            anyone.api(method, path)
    anyone.api("GET", "games/", Accept="text/csv")
    for game in GAMES:
        for number, starter in enumerate(vocabulary.games[game]["starters"]):
            _lists(anyone, game, starter, number)
            if number < 2:
                _deck(anna if number else anyone, anyone, game, starter)
    _errors(anyone)


def _lists(anyone: Visitor, game: str, starter: dict[str, Any], number: int) -> None:
    for kind, text in variants(starter["text"], number):
        given = {"game": game, "format": starter["format"], "text": text}
        anyone.api("POST", "decks/validate/", {**given, "repair": kind != "whole"})
        for to in FORMATS if kind in ("whole", "written") and number < 3 else ():
            anyone.api("POST", "decks/convert/", {**given, "to": to})
        if number == 0:
            anyone.api("POST", "sheets/", {**given, "paper": "letter", "backs": "separate", "gap": "2"})
            anyone.api("POST", "sheets/", {**given, "output": "cut-svg"})


def _deck(owner: Visitor, anyone: Visitor, game: str, starter: dict[str, Any]) -> None:
    """One deck from POST to DELETE. Without an account its edit key goes along."""
    given = {
        "game": game,
        "format": starter["format"],
        "name": starter["name"][:100],
        "text": starter["text"],
    }
    made = owner.api(
        "POST", "decks/", {**given, "visibility": "public", "tags": ["one", "Two"], "notes": "Of the API."}
    ).json()
    key = {"X-Deck-Key": made["edit_key"]} if owner is anyone and "edit_key" in made else {}
    link = readable_link(made["id"], f"api-{game}-{starter['slug']}")
    deck = f"decks/{link}/"
    for path in (
        "",
        "revisions/",
        "revisions/0/",
        "revisions/9/",
        "numbers/",
        "numbers/odds/?a=t:agent&draw=7&a_count=2",
        "numbers/odds/?a=x:",
        "numbers/hands/?seed=one&turns=2",
        "numbers/hands/",
    ):
        owner.api("GET", deck + path, **key)
        anyone.api("GET", deck + path)
    code = next((line["card"].partition("/")[2] for line in made["lines"] if line["card"]), "kai")
    for change in (
        {"add": {"card": code, "count": 2}},
        {"take": {"card": code}},
        {"set": {"card": f"{game}/{code}", "count": 0}},
        {"lines": "1 Kestrel | unknown"},
        {"lines": "2 Nobody Such"},
        {"add": {"card": "nobody"}},
        {"add": {"card": code}, "take": {"card": code}},
        {},
        {"add": 3},
        {"add": {"card": code, "section": "nowhere"}},
    ):
        owner.api("PATCH", deck, change, **key)
        CLOCK.pass_by(minutes=40)
    owner.api("PATCH", deck, {"add": {"card": code}}, **{"If-Match": '"0-public"', **key})
    for step in ("undo/", "undo/", "redo/"):
        owner.api("POST", deck + step, {}, **key)
    anyone.api("PATCH", deck, {"add": {"card": code}})
    anyone.api("POST", f"{deck}fork/", {})
    owner.api(
        "PUT",
        deck,
        {**given, "text": starter["text"] + "\n1 Kestrel | unknown\n", "visibility": "unlisted"},
        **key,
    )
    owner.api("PUT", deck, {**given, "text": "what is this"}, **key)
    owner.api("PUT", deck, {"name": ""}, **key)
    owner.api("GET", f"{deck}revisions/", **key)
    owner.api("GET", f"{deck}revisions/2/", **key)
    anyone.api("POST", "sheets/", {"deck": link, "only": "none", "extras": "reference"})
    if starter["format"] not in ("agency", "set"):
        owner.api("DELETE", deck, **key)
        owner.api("GET", deck, **key)


def _errors(anyone: Visitor) -> None:
    wrong: tuple[tuple[str, Any], ...] = (
        ("decks/validate/", {}),
        ("decks/validate/", {"game": "nowhere", "text": "1 Kai"}),
        ("decks/validate/", {"game": "spycraft", "format": "x", "text": "1 Kai"}),
        ("decks/validate/", {"game": "spycraft", "text": "1 Kai", "house": "nonsense"}),
        ("decks/validate/", {"game": "spycraft", "text": "1 Kai", "house": "AG-3.at_least=40"}),
        ("decks/validate/", {"game": "spycraft", "text": "x\n" * 6_000}),
        ("decks/validate/", [1, 2]),
        ("decks/convert/", {"game": "spycraft", "text": "1 Kai", "to": "x"}),
        ("decks/", {"game": "spycraft", "name": "", "text": "1 Kai"}),
        ("decks/", {"game": "spycraft", "name": "N", "text": "1 Kai", "tags": "x", "visibility": "all"}),
        ("decks/import/", {}),
        ("decks/import/", {"content": "%%%", "encoding": "base64"}),
        ("sheets/", {}),
        ("sheets/", {"card": "spycraft/kai", "paper": "a99", "gap": "wide"}),
        ("sheets/", {"card": "spycraft/kai,xfiles/2shy", "copies": "3"}),
        ("sheets/", {"card": "nobody"}),
        ("sheets/", {"game": "spycraft", "text": "2 Kai", "output": "nonsense"}),
    )
    for path, body in wrong:
        anyone.api("POST", path, body)
    for body in ("{", "nonsense", '{"a": NaN}', '{"game": "spycraft", "game": "xfiles"}'):
        anyone._ask("POST", "/api/v1/decks/validate/", {"data": body, "content_type": "application/json"}, "")
    anyone._ask(
        "POST",
        "/api/v1/decks/validate/",
        {"data": "game=spycraft", "content_type": "application/x-www-form-urlencoded"},
        "",
    )
