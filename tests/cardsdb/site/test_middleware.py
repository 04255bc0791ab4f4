"""``Refusals``: invalid characters, forms that are too large, and unknown hosts are refused before any view
runs.

SQLite stores a NUL character and PostgreSQL does not, so a gap here would show on PostgreSQL only.
"""

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.urls import resolve

from cardsdb.models.site import Letter
from tests.support.made_decks import named_deck
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# Address, form, and the name of the refused field as it is shown.
PAGES = [
    ("/cards/spycraft/kai/add/", {"deck": "a\x00b"}, "deck"),
    (
        "/decks/{}/edit/",
        {"edit": "line", "section": "deck", "code": "kai", "count": "1", "note": "a\x00"},
        "note",
    ),
    ("/collection/", {"count:spycraft/k\x00": "2"}, "count:spycraft/k\ufffd"),
    ("/accounts/login/", {"login": "a\x00", "password": "b"}, "login"),
]


@pytest.mark.parametrize(("address", "sent", "field"), PAGES)
def test_a_form_with_an_invalid_character_is_refused_by_the_name_of_the_field(client, address, sent, field):
    deck = named_deck(client, "A", "2 Kai")
    answer = client.post(address.replace("{}", deck.link), sent)
    assert f"“{field}”" in page_of(answer, status=400).text


def test_half_of_a_surrogate_pair_in_a_form_is_refused(client):
    """A form can declare an encoding of Python, raw-unicode-escape, which can write such halves."""
    body = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n\\ud800\r\n--b--\r\n'
    answer = client.post(
        "/check/", body, content_type="multipart/form-data; boundary=b; charset=raw-unicode-escape"
    )
    assert "“text”" in page_of(answer, status=400).text


@pytest.mark.parametrize(
    "address",
    ["/decks/?q=a%00", "/cards/?q=%00", "/decks/compare/?a=%00&b=x", "/collection/?all=1&after=%00"],
)
def test_a_parameter_with_an_invalid_character_is_refused(client, address):
    assert client.get(address).status_code == 400


def test_the_api_refuses_an_invalid_character_in_its_shape_of_errors(client):
    answer = client.get("/api/v1/decks/?q=a%00")
    (fault,) = answer.json()
    assert (answer.status_code, fault["code"], fault["where"]) == (400, "bad_character", "q")


@pytest.mark.parametrize("address", ["/sets/spycraft/%00/", "/games/spycraft/lackey/%00", "/bulk/%00"])
def test_a_path_with_an_invalid_character_gives_404(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", ["sessionid", "browser", "csrftoken", "edit_key", "messages"])
def test_a_cookie_with_an_invalid_character_is_ignored(client, name):
    cookie = f'{name}="abcdefghijklmnop\\000"'
    assert client.get("/account/", HTTP_COOKIE=cookie).status_code == 302
    assert client.get("/decks/", HTTP_COOKIE=cookie).status_code == 200


# -- forms with files ----------------------------------------------------------------------


FORMS = ("/decks/import/", "/collection/", "/formats/", "/own/", "/pictures/", "/check/", "/accounts/login/")


@pytest.mark.parametrize("address", FORMS)
def test_a_form_with_more_than_its_page_takes_is_refused_before_it_is_read(address):
    class Unread:
        def read(self, *arguments: int) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    sent = {"CONTENT_LENGTH": str(1024**3), "wsgi.input": Unread()}
    answer = Client(enforce_csrf_checks=True).post(
        address, content_type="multipart/form-data; boundary=b", **sent
    )
    assert "This is more than" in page_of(answer, status=413).text


def test_every_view_that_reads_files_is_told_apart_by_what_it_takes():
    assert {address: resolve(address).func.takes[0] // 1024**2 for address in ("/own/", "/pictures/")} == {
        "/own/": 400,
        "/pictures/": 400,
    }


# -- hosts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("cutout.example", 200),
        ("cutout.example:443", 200),
        ("cutout.example:80", 400),
        ("cutout.example:99999999999", 400),
        ("[2001:db8::1]", 200),
        ("[2001:db8::1]:1234", 400),
        ("foreign.example", 400),
    ],
)
def test_a_public_site_refuses_unknown_hosts_and_ports(settings, host, status):
    settings.ALLOWED_HOSTS, settings.PORTS = ["cutout.example", "[2001:db8::1]"], {":443"}
    for page in ("/", "/accounts/password/reset/", "/api/v1/cards/"):
        assert Client().get(page, secure=True, headers={"Host": host}).status_code == status, page


def test_a_letter_leads_to_no_port_that_whoever_asks_for_it_has_chosen(settings):
    settings.ALLOWED_HOSTS, settings.PORTS, settings.CUTOUT_MAIL = ["cutout.example"], {":443"}, "smtp"
    get_user_model().objects.create_user("ada", "ada@cutout.example")
    for host, status, sent in (("cutout.example:1234", 400, 0), ("cutout.example", 302, 1)):
        asked = Client().post(
            "/accounts/password/reset/", {"email": "ada@cutout.example"}, secure=True, headers={"Host": host}
        )
        assert (asked.status_code, Letter.objects.count() + len(mail.outbox)) == (status, sent)


def test_a_private_site_accepts_any_port_because_one_may_be_forwarded_to_it():
    assert settings.PORTS is None
    assert Client().get("/", headers={"Host": "testserver:9000"}).status_code == 200
