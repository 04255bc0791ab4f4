"""What is asked on a real evening, and how often: of a hundred requests ``share``.

Pages of the catalogue come from a few visitors among many cards; decks are read, lists judged while they are typed, decks of one's own
changed by presses of +1, some printed. Whoever is logged in gets no page that is kept for everybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEF"
QUERIES = ("t:agent cost<=3", "krypt craft>=4", "is:unique", "fire", "mission", "leader with high craft", "a", "set:on", "hand", "r:rare")
TYPED = ("ka", "li", "t:a", "mis", "cos", "k", "dou", "emer")


class Evening(NamedTuple):
    """What there is to ask for: cards as ``game/code``, lists, and the visitors that ``seed`` wrote."""

    cards: Sequence[str]
    lists: Sequence[str]
    visitors: Sequence[Mapping[str, str]]


class Kind(NamedTuple):
    """One kind of request. ``share``: of a hundred; ``logged_in``: the share of those who are."""

    name: str
    share: int
    logged_in: float
    path: Callable[[random.Random, Evening, Mapping[str, str]], tuple[str, bytes]]


def _get(path: str) -> tuple[str, bytes]:
    return path, b""


def _form(path: str, **values: str) -> tuple[str, bytes]:
    return path, urlencode(values).encode()


def _press(chance: random.Random, evening: Evening, who: Mapping[str, str]) -> tuple[str, bytes]:
    return _form(f"/decks/{who['deck']}/edit/", edit=f"{chance.choice(('+1', '-1'))} {who['line']}")


KINDS = (
    Kind("home", 4, 0.3, lambda chance, evening, who: _get("/")),
    Kind("game", 5, 0.3, lambda chance, evening, who: _get(f"/games/{chance.choice(('spycraft', 'xfiles', 'spynet'))}/")),
    Kind("card", 18, 0.3, lambda chance, evening, who: _get(f"/cards/{chance.choice(evening.cards)}/")),
    Kind("decks", 5, 0.3, lambda chance, evening, who: _get("/decks/")),
    Kind("deck", 14, 0.4, lambda chance, evening, who: _get(f"/decks/{who['public']}/")),
    Kind("account", 2, 1.0, lambda chance, evening, who: _get("/account/")),
    Kind("pictures", 1, 1.0, lambda chance, evening, who: _get("/pictures/?game=spycraft")),
    Kind("search", 14, 0.4, lambda chance, evening, who: _get(f"/cards/?q={quote(chance.choice(QUERIES))}")),
    Kind("typing", 9, 0.4, lambda chance, evening, who: _get(f"/search/suggest/?q={quote(chance.choice(TYPED))}")),
    Kind("deck search", 2, 0.4, lambda chance, evening, who: _get(f"/decks/?q={quote(chance.choice(('signal', 'g:spycraft', 'ferry')))}")),
    Kind("API", 3, 0.0, lambda chance, evening, who: _get(f"/api/v1/cards/?q={quote(chance.choice(QUERIES))}")),
    Kind("editor", 3, 1.0, lambda chance, evening, who: _get(f"/decks/{who['deck']}/edit/")),
    Kind("press", 9, 1.0, _press),
    Kind("judge", 7, 0.3, lambda chance, evening, who: _form("/check/verdict/", game="spycraft", text=chance.choice(evening.lists))),
    Kind("print page", 2, 0.7, lambda chance, evening, who: _get(f"/print/?deck={who['public']}&paper=a4")),
    Kind("sheets", 2, 0.7, lambda chance, evening, who: _get(f"/print/sheets.pdf?deck={who['public']}&paper=a4")),
)


class Asked(NamedTuple):
    """One request: its kind and its bytes."""

    kind: str
    data: bytes


def asked(chance: random.Random, evening: Evening, kinds: Sequence[Kind] = KINDS) -> Asked:
    """The next request."""
    (kind,) = chance.choices(kinds, [kind.share for kind in kinds])
    who = chance.choice(evening.visitors)
    path, body = kind.path(chance, evening, who)
    headers = ["Host: 127.0.0.1", "Accept-Encoding: gzip", "User-Agent: evening"]
    if chance.random() < kind.logged_in:
        headers.append(f"Cookie: csrftoken={TOKEN}; sessionid={who['session']}")
        headers.append(f"X-CSRFToken: {TOKEN}")
    if body:
        headers += [
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
            "HX-Request: true",
            "HX-Target: deck",
        ]
    lines = "\r\n".join([f"{'POST' if body else 'GET'} {path} HTTP/1.1", *headers])
    return Asked(kind.name, lines.encode() + b"\r\n\r\n" + body)
