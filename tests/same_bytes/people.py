"""People: their accounts, what they own, and what they say about decks."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.same_bytes.recorder import Visitor, readable_link

if TYPE_CHECKING:
    from tests.same_bytes.decks import Deck

PASSWORD = "a quiet field at noon"


def sign_up(person: Visitor) -> None:
    """A new account, with its address confirmed."""
    from django.db import connection

    person.get("/accounts/signup/")
    person.post(
        "/accounts/signup/",
        {"username": person.name, "email": f"{person.name}@example.org", "password1": PASSWORD},
    )
    # As if they had followed the letter's link: who writes comments has an address that is confirmed.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE account_emailaddress SET verified = %s", [True])


def social(shelf: list[Deck], people: dict[str, Visitor], anyone: Visitor) -> None:
    """Likes, favourites, comments and their moderation, forks."""
    for number, deck in enumerate(shelf):
        for person in people.values():
            if (number + len(person.name)) % 2:
                person.post(f"{deck.page}like/")
        if number % 5 == 0:
            deck.owner.post(f"{deck.page}comments/open/", {"open": "yes"})
            for person in people.values():
                person.post(f"{deck.page}favourite/")
                person.post(
                    f"{deck.page}comments/", {"text": f"A word of {person.name} about <i>{deck.link}</i>."}
                )
                person.post(f"{deck.page}comments/", {"text": ""})
            page = deck.owner.get(f"{deck.page}comments/").body.decode()
            for place, pk in enumerate(sorted(set(re.findall(rf"{deck.page}comments/(\d+)/", page)))):
                deck.owner.post(
                    f"{deck.page}comments/{pk}/", {"do": ("show", "refuse", "delete")[(place + number) % 3]}
                )
            deck.owner.get(f"{deck.page}comments/")
            anyone.get(f"{deck.page}comments/")
        if number % 6 == 0:
            forked = people["bert"].post(f"{deck.page}fork/")
            if (
                forked.status_code == 302
                and "/decks/" in forked["Location"]
                and forked["Location"] != deck.page
            ):
                people["bert"].get(
                    f"/decks/{readable_link(forked['Location'].split('/')[2], f'fork-{number}')}/"
                )


def collection(shelf: list[Deck], people: dict[str, Visitor]) -> None:
    """What an account and a browser own: noted one by one, imported, compared with decks."""
    table = "Game,Card,Set,Number,Count\nspycraft,Kai,,,3\nspycraft,Termite,,,2\nxfiles,2Shy,,,1\n"
    for person in (people["anna"], people["browser"]):
        person.get("/collection/")
        person.post(
            "/collection/", {"count:spycraft/kai": "3", "seen:spycraft/kai": "0", "count:xfiles/2shy": "1"}
        )
        person.post("/collection/", {"count:spycraft/kai": "many"})
        person.post("/collection/", {"count:spycraft/kai": "5", "seen:spycraft/kai": "0"})
        person.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON": "2"})
        person.get("/collection/spycraft/kai/")
        for mode in ("add", "replace"):
            person.post("/collection/import/", {"text": table, "mode": mode})
        for wrong in ("", "Nobody,3", "Card,Count\nKai,3\n", "Card,Count\nNobody,x\n"):
            person.post("/collection/import/", {"text": wrong, "mode": "add", "game": ""})
        for deck in shelf[::9]:
            person.get(f"{deck.page}missing/")
            person.post(f"{deck.page}missing/")
        for query in (
            "",
            "t:agent",
            "kai",
            "craft>=4 order:-craft",
            "craft>=nine",
            "faction:krypt or faction:dragons",
            "nosuchword",
        ):
            for game in ("", "spycraft", "xfiles"):
                person.get("/collection/", q=query, game=game)
                person.get("/collection/", q=query, game=game, all="1")
        person.get("/collection/", all="1", after="spycraft/kai")
        person.get("/collection/", page="2")
        person.get("/collection/cutout-collection.csv")
        person.get("/collection/decks/")
        person.get("/collection/decks/", deck=[deck.link for deck in shelf[:6]])


def accounts(people: dict[str, Visitor]) -> None:
    """Pages of an account, what its forms refuse, and the letters that were sent."""
    anna, stranger = people["anna"], Visitor(people["anna"].recorder, "newcomer")
    for path in (
        "/account/",
        "/account/favourites/",
        "/account/export.zip",
        "/account/delete/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/",
        "/accounts/2fa/webauthn/add/",
        "/accounts/2fa/recovery-codes/",
        "/accounts/reauthenticate/",
        "/accounts/logout/",
        "/accounts/confirm-email/",
    ):
        anna.get(path)
    anna.post("/accounts/email/", {"email": "second@example.org", "action_add": ""})
    anna.post("/accounts/email/", {"email": "nonsense", "action_add": ""})
    anna.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": "x"})
    for given in (
        {"username": "anna", "password1": "x"},
        {"username": "", "password1": ""},
        {"username": "spycraft", "password1": "spycraft"},
        {"username": "a b", "email": "x", "password1": "12345678"},
    ):
        stranger.post("/accounts/signup/", given)
    stranger.post("/accounts/login/", {"login": "anna", "password": "wrong wrong"})
    stranger.post("/accounts/login/", {"login": "", "password": ""})
    stranger.post("/accounts/password/reset/", {"email": "anna@example.org"})
    stranger.post("/accounts/password/reset/", {"email": "nobody"})
    stranger.get("/accounts/password/reset/done/")
    stranger.get("/accounts/password/reset/key/x-y/")
    stranger.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    stranger.get("/account/")
    stranger.post("/accounts/logout/")
    stranger.get("/account/")
    for number, letter in enumerate(sorted(Path(os.environ["CUTOUT_VAR"], "mail").rglob("*.*"))):
        text = re.sub(
            rb"(?m)^(Message-ID|Date|--=|Content-Type: multipart).*$|=====+\d+==", b"", letter.read_bytes()
        )
        text = re.sub(rb"(/accounts/(?:confirm-email|password/reset/key)/)\S+", rb"\1KEY/", text)
        anna.recorder.write(f"letter {number}", "sent", "text/plain", {}, text)


def keep_cookies(people: dict[str, Visitor]) -> None:
    """For who opens this database again: everybody's cookies."""
    cookies = {
        name: {key: morsel.value for key, morsel in person.client.cookies.items()}
        for name, person in people.items()
    }
    Path(os.environ["CUTOUT_VAR"], "cookies.json").write_text(json.dumps(cookies))
