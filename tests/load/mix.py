"""What is asked on a real evening, and how often: of a hundred requests ``share``.

Pages of the catalogue come from a few visitors among many cards; decks are read, lists judged while they are
typed, decks of one's own changed by presses of +1, some printed; now and then a print is so long, or a
picture new, that a worker has something to do. Whoever is logged in gets no page that is kept for everybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple
from urllib.parse import quote, urlencode

from PIL import Image

TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEF"
QUERIES = (
    "t:agent cost<=3",
    "krypt craft>=4",
    "is:unique",
    "fire",
    "mission",
    "leader with high craft",
    "a",
    "set:on",
    "hand",
    "r:rare",
)
TYPED = ("ka", "li", "t:a", "mis", "cos", "k", "dou", "emer")


FORM = "application/x-www-form-urlencoded"
BOUNDARY = "evening"
# Sides of paper: a print that a worker makes has more than 400.
LONG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}


class Evening(NamedTuple):
    """What there is to ask for: cards as ``game/code``, lists, the visitors that ``seed`` wrote, and pictures
    that are new to the site.
    """

    cards: Sequence[str]
    lists: Sequence[str]
    visitors: Sequence[Mapping[str, str]]
    pictures: Sequence[bytes]


class Sent(NamedTuple):
    """What is asked, and sent. ``of_page``: what htmx says of the part of a page that it asks for; empty
    where the browser itself asks.
    """

    path: str
    body: bytes = b""
    kind: str = FORM
    of_page: str = "deck"


class Kind(NamedTuple):
    """One kind of request. ``share``: of a hundred; ``logged_in``: the share of those who are."""

    name: str
    share: float
    logged_in: float
    sent: Callable[[random.Random, Evening, Mapping[str, str]], Sent]


def new_pictures(chance: random.Random, number: int) -> list[bytes]:
    """So many small photographs, none like another."""
    found = []
    for _ in range(number):
        file = BytesIO()
        noise = Image.frombytes("L", (25, 35), chance.randbytes(25 * 35))
        noise.resize((375, 525)).save(file, "JPEG")
        found.append(file.getvalue())
    return found


def _get(path: str) -> Sent:
    return Sent(path)


def _form(path: str, **values: str) -> Sent:
    return Sent(path, urlencode(values).encode())


def _press(chance: random.Random, evening: Evening, who: Mapping[str, str]) -> Sent:
    return _form(f"/decks/{who['deck']}/edit/", edit=f"{chance.choice(('+1', '-1'))} {who['line']}")


def _picture(chance: random.Random, evening: Evening, who: Mapping[str, str]) -> Sent:
    card = chance.choice([card for card in evening.cards if card.startswith("spycraft/")]).rpartition("/")[2]
    fields = {"game": "spycraft", "meant": "front", "edge": "mirrored"}
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    parts.append(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{card}.jpg"\r\n\r\n'
    )
    body = "".join(parts).encode() + chance.choice(evening.pictures) + f"\r\n--{BOUNDARY}--\r\n".encode()
    return Sent("/pictures/", body, f"multipart/form-data; boundary={BOUNDARY}", "")


def _long_print(chance: random.Random, evening: Evening, who: Mapping[str, str]) -> Sent:
    return _form("/print/jobs/", **LONG)._replace(of_page="")


KINDS = (
    Kind("home", 4, 0.3, lambda chance, evening, who: _get("/")),
    Kind(
        "game",
        5,
        0.3,
        lambda chance, evening, who: _get(f"/games/{chance.choice(('spycraft', 'xfiles', 'spynet'))}/"),
    ),
    Kind("card", 17, 0.3, lambda chance, evening, who: _get(f"/cards/{chance.choice(evening.cards)}/")),
    Kind("decks", 5, 0.3, lambda chance, evening, who: _get("/decks/")),
    Kind("deck", 14, 0.4, lambda chance, evening, who: _get(f"/decks/{who['public']}/")),
    Kind("account", 2, 1.0, lambda chance, evening, who: _get("/account/")),
    Kind("pictures", 1, 1.0, lambda chance, evening, who: _get("/pictures/?game=spycraft")),
    Kind("search", 14, 0.4, lambda chance, evening, who: _get(f"/cards/?q={quote(chance.choice(QUERIES))}")),
    Kind(
        "typing",
        9,
        0.4,
        lambda chance, evening, who: _get(f"/search/suggest/?q={quote(chance.choice(TYPED))}"),
    ),
    Kind(
        "deck search",
        2,
        0.4,
        lambda chance, evening, who: _get(
            f"/decks/?q={quote(chance.choice(('signal', 'g:spycraft', 'ferry')))}"
        ),
    ),
    Kind(
        "API", 3, 0.0, lambda chance, evening, who: _get(f"/api/v1/cards/?q={quote(chance.choice(QUERIES))}")
    ),
    Kind("editor", 3, 1.0, lambda chance, evening, who: _get(f"/decks/{who['deck']}/edit/")),
    Kind("press", 9, 1.0, _press),
    Kind(
        "judge",
        7,
        0.3,
        lambda chance, evening, who: _form(
            "/check/verdict/", game="spycraft", text=chance.choice(evening.lists)
        ),
    ),
    Kind("print page", 2, 0.7, lambda chance, evening, who: _get(f"/print/?deck={who['public']}&paper=a4")),
    Kind(
        "sheets",
        2,
        0.7,
        lambda chance, evening, who: _get(f"/print/sheets.pdf?deck={who['public']}&paper=a4"),
    ),
    Kind("new picture", 0.8, 1.0, _picture),
    Kind("long print", 0.2, 1.0, _long_print),
)


class Asked(NamedTuple):
    """One request: its kind and its bytes."""

    kind: str
    data: bytes


def asked(chance: random.Random, evening: Evening, kinds: Sequence[Kind] = KINDS) -> Asked:
    """The next request."""
    (kind,) = chance.choices(kinds, [kind.share for kind in kinds])
    number = chance.randrange(len(evening.visitors))
    who = evening.visitors[number]
    sent = kind.sent(chance, evening, who)
    headers = [
        "Host: 127.0.0.1",
        "Accept-Encoding: gzip",
        "User-Agent: evening",
        f"X-Forwarded-For: 10.0.{number >> 8}.{number & 255}",
    ]
    if chance.random() < kind.logged_in:
        headers.append(f"Cookie: csrftoken={TOKEN}; sessionid={who['session']}")
        headers.append(f"X-CSRFToken: {TOKEN}")
    if sent.body:
        headers += [f"Content-Type: {sent.kind}", f"Content-Length: {len(sent.body)}"]
        headers += ["HX-Request: true", f"HX-Target: {sent.of_page}"] if sent.of_page else []
    lines = "\r\n".join([f"{'POST' if sent.body else 'GET'} {sent.path} HTTP/1.1", *headers])
    return Asked(kind.name, lines.encode() + b"\r\n\r\n" + sent.body)
