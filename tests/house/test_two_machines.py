"""Two machines with separate data folders serve one site: what a visitor does on one is known on the other.

The visitor's requests go to the two machines in turn (``tests/support/two_machines.py``).
"""

import json
import re

import pytest

from tests.support.packages import octgn_set, zipped
from tests.support.pictures import coded, painted
from tests.support.print_jobs import BIG
from tests.support.two_machines import machines, visitor

__all__ = ["machines", "visitor"]

# Several machines need a shared database server.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("postgresql")]

PASSWORD = "correct horse battery"
DECK = {
    "game": "spycraft",
    "name": "Travelling",
    "text": "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai",
    "visibility": "private",
}


def test_a_login_is_shared_until_logout(visitor):
    assert visitor.post("/accounts/signup/", {"username": "ann", "password1": PASSWORD}).status == 302
    assert [visitor.get("/account/").status for _ in range(2)] == [200, 200]
    assert visitor.post("/accounts/logout/").status == 302
    assert [visitor.get("/account/").status for _ in range(2)] == [302, 302]
    assert visitor.post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status == 302
    assert visitor.get("/account/").status == 200


def test_wrong_passwords_are_counted_across_machines(visitor):
    visitor.post("/accounts/signup/", {"username": "bob", "password1": PASSWORD})
    stranger = visitor.stranger()
    tried = [
        stranger.post("/accounts/login/", {"login": "bob", "password": "wrong"}).status for _ in range(11)
    ]
    assert tried == [200] * 10 + [429]


def test_an_edit_link_opens_on_every_machine_and_no_change_is_lost(visitor):
    made = json.loads(visitor.send("post", "/api/v1/decks/", DECK).content)
    address, key = f"/api/v1{made['url']}", {"X-Deck-Key": made["edit_key"]}
    changed = [
        visitor.stranger().send("patch", address, {"add": {"card": "kai", "count": 1}}, **key).status
        for _ in range(4)
    ]
    assert changed == [200] * 4
    lines = json.loads(visitor.stranger().get(address, **key).content)["lines"]
    assert {line["card"]: line["count"] for line in lines}["spycraft/kai"] == 6
    assert visitor.stranger().get(address).status == 404, "no stranger opens it, on either machine"


def test_a_picture_uploaded_to_one_machine_is_served_by_the_other(visitor):
    fields = {"game": "spycraft", "meant": "front", "edge": "mirrored"}
    answer = visitor.post("/pictures/", fields | {"files": ("kai.jpg", coded(painted(), quality=88))})
    assert answer.status in (200, 302)
    pages = [visitor.get("/pictures/").text for _ in range(2)]
    (file,) = {address for page in pages for address in re.findall(r"/pictures/files/\w+/", page)}
    assert {visitor.get(f"{file}small/").status for _ in range(2)} == {200}
    assert {visitor.stranger().get(file).status for _ in range(2)} == {404}


def test_a_file_previewed_by_one_machine_is_imported_by_the_other(visitor):
    from cardsdb.games import games

    card = next(card for card in games()["spycraft"].cards if card.facts.get("octgn_id"))
    package = zipped({"Sets/One/set.xml": octgn_set([(card, "A zeppelin.")])})
    seen = visitor.post("/own/", {"file": ("spy.o8g", package)})
    token = re.search(r'name="token" value="([^"]+)"', seen.text)
    assert token and "1 would be added" in seen.text
    assert visitor.post("/own/add/", {"token": token[1], "game": "spycraft", "do": "add"}).status == 302
    assert all("A zeppelin." in visitor.get(f"/cards/spycraft/{card.code}/").text for _ in range(2))
    assert "A zeppelin." not in visitor.stranger().get(f"/cards/spycraft/{card.code}/").text


def test_a_print_requested_on_one_machine_is_made_by_the_other(visitor):
    job = visitor.post("/print/jobs/", BIG).headers["Location"]
    assert visitor.work()
    files = [visitor.get(f"{job}file/") for _ in range(2)]
    assert [file.status for file in files] == [200, 200]
    assert files[0].content.startswith(b"%PDF") and files[0].content == files[1].content
    assert visitor.stranger().get(f"{job}file/").status == 404
