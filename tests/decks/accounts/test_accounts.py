"""Accounts: signing up, confirming an address, logging in and out, a forgotten password, and nothing learnt
by guessing.
"""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from cardsdb.games import games
from decks.models import Deck
from decks.public.social import may_comment

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"


def sign_up(
    client: Client, name: str = "Mallory", email: str = "", password: str = PASSWORD, **more: str
) -> Any:
    return client.post("/accounts/signup/", {"username": name, "email": email, "password1": password, **more})


def log_in(client: Client, login: str = "Mallory", password: str = PASSWORD, **headers: str) -> Any:
    return client.post("/accounts/login/", {"login": login, "password": password}, headers=headers)


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def link_in(letter: Any) -> str:
    """The path that the letter's one link leads to."""
    (address,) = re.findall(r"https?://\S+", str(letter.body))
    return urlsplit(address).path


@pytest.fixture
def mallory(client: Client) -> User:
    sign_up(client, email="mallory@example.org")
    client.post("/accounts/logout/")
    mail.outbox.clear()
    return User.objects.get(username="Mallory")


def test_a_name_and_a_password_are_enough_and_let_one_in_at_once(client: Client) -> None:
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/mine/")
    assert is_in(client) and mail.outbox == []


@pytest.mark.both_databases
def test_an_address_is_confirmed_by_the_link_of_its_letter(client: Client) -> None:
    sign_up(client, email="mallory@example.org")
    user = User.objects.get()
    assert is_in(client) and not may_comment(user)
    path = link_in(mail.outbox[0])
    client.get(path)
    assert not may_comment(user), "a mail program that looks at links confirms nothing"
    client.post(path)
    assert may_comment(user)


def test_a_letter_names_who_asked_and_shouts_at_nobody(client: Client) -> None:
    sign_up(client, email="mallory@example.org")
    letter = mail.outbox[0]
    assert letter.subject == "Cutout: Please Confirm Your Email Address" and letter.to == [
        "mallory@example.org"
    ]
    assert "Mallory" in letter.body and "!" not in letter.body


def test_a_private_site_says_where_its_letters_are(client: Client, settings: Any) -> None:
    settings.CUTOUT_MAIL, settings.EMAIL_FILE_PATH = "files", "/srv/cutout/var/mail"
    sign_up(client, email="mallory@example.org")
    assert "/srv/cutout/var/mail" in client.get("/accounts/email/").content.decode()
    assert "/srv/cutout/var/mail" in client.get("/accounts/password/reset/done/").content.decode()


@pytest.mark.parametrize(
    "login", ["Mallory", "mallory", "MALLORY", " Mallory ", "mallory@example.org", "Mallory@Example.org"]
)
def test_one_logs_in_by_name_or_address_however_it_is_capitalised(
    client: Client, mallory: User, login: str
) -> None:
    assert log_in(client, login).status_code == 302
    assert is_in(client)


def test_a_name_beyond_ascii_logs_in_however_it_is_capitalised(client: Client) -> None:
    sign_up(client, "Агент")
    client.post("/accounts/logout/")
    assert log_in(client, "АГЕНТ").status_code == 302


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(client: Client, mallory: User) -> None:
    known, unknown = (
        log_in(Client(), name, "not the password").content.decode() for name in ("Mallory", "Trudy")
    )
    without_token = [re.sub(r'value="[A-Za-z0-9]{64}"|Mallory|Trudy', "", page) for page in (known, unknown)]
    assert without_token[0] == without_token[1] and "is not right" in known


@pytest.mark.parametrize(
    ("known", "unknown"), [("mallory", "trudy"), ("mallory@example.org", "trudy@example.org")]
)
def test_an_unknown_name_takes_as_many_hashes_as_a_known_one(
    client: Client, mallory: User, monkeypatch: pytest.MonkeyPatch, known: str, unknown: str
) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    made: list[str] = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher,
        "encode",
        lambda self, password, salt: made.append(password) or encode(self, password, salt),
    )
    counts = []
    for login in (known, unknown):
        made.clear()
        log_in(client, login, "not the password")
        counts.append(len(made))
    assert counts == [1, 1]


def test_passwords_are_kept_by_argon2(client: Client, settings: Any) -> None:
    from cardsdb import settings as shipped

    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    sign_up(client)
    assert User.objects.get().password.startswith("argon2$argon2id$")


def test_ten_wrong_passwords_close_an_account_for_five_minutes(
    client: Client, mallory: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        assert log_in(client, ("mallory", "mallory@example.org")[number % 2], "wrong").status_code == 200
    answer = log_in(client)
    assert (answer.status_code, answer["Retry-After"]) == (429, "300")
    assert "Wait five minutes" in answer.content.decode()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 301)
    assert log_in(client).status_code == 302


def test_a_forged_sender_or_another_spelling_gets_no_more_tries(client: Client, mallory: User) -> None:
    for number in range(10):
        log_in(
            client,
            ("mallory", "MALLORY", "ＭＡＬＬＯＲＹ")[number % 3],
            "wrong",
            **{"X-Forwarded-For": f"203.0.113.{number}"},
        )
    assert log_in(client, **{"X-Forwarded-For": "198.51.100.7"}).status_code == 429


def test_other_accounts_are_not_closed_with_it(client: Client, mallory: User) -> None:
    sign_up(Client(), "Trent")
    for _ in range(11):
        log_in(client, password="wrong")
    assert log_in(client, "Trent").status_code == 302


def test_right_passwords_do_not_count(client: Client, mallory: User) -> None:
    for _ in range(12):
        assert log_in(client).status_code == 302
        client.post("/accounts/logout/")
    for _ in range(10):
        assert log_in(client, password="wrong").status_code == 200
    assert log_in(client, password="wrong").status_code == 429


def test_the_admin_has_no_door_of_its_own(client: Client, mallory: User) -> None:
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")
    assert client.post("/admin/login/", {"username": "mallory", "password": PASSWORD}).status_code == 302
    assert not is_in(client)


def test_the_session_is_another_after_logging_in_and_dead_after_logging_out(
    client: Client, mallory: User, agency_text: str
) -> None:
    client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    before = client.cookies["sessionid"].value
    log_in(client)
    inside = client.cookies["sessionid"].value
    assert len(inside) == 32, "of 36 letters: 165 bits"
    assert before != inside and not Session.objects.filter(pk=before).exists()
    client.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = inside
    assert not is_in(thief)


def test_logging_out_is_asked_for_by_a_form(client: Client, mallory: User) -> None:
    log_in(client)
    client.get("/accounts/logout/")
    assert is_in(client)
    client.post("/accounts/logout/")
    assert not is_in(client)


@pytest.mark.both_databases
def test_logging_out_leaves_the_browser_what_it_had_before_and_nothing_of_the_account(
    client: Client, mallory: User, agency_text: str
) -> None:
    for name in ("of the browser", "of the account"):
        client.post("/decks/new/", {"game": "spycraft", "name": name, "text": agency_text})
        log_in(client)
    client.post("/accounts/logout/")
    browsers, accounts = Deck.objects.get(owner=None), Deck.objects.get(owner=mallory)
    assert client.get(f"/decks/{browsers.link}/").status_code == 200
    assert client.get(f"/decks/{accounts.link}/").status_code == 404


def test_a_new_password_logs_every_other_device_out(client: Client, mallory: User) -> None:
    other = Client()
    log_in(client)
    log_in(other)
    new = "another field at dusk"
    answer = client.post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )
    assert answer.status_code == 302
    assert is_in(client) and not is_in(other)
    assert "password has been changed" in mail.outbox[0].body


def test_a_password_kept_in_another_way_lets_one_in_and_is_kept_by_argon2_from_then_on(
    client: Client, mallory: User, settings: Any
) -> None:
    from cardsdb import settings as shipped

    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    User.objects.update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1))
    assert log_in(client).status_code == 302
    assert User.objects.get().password.startswith("argon2$argon2id$")


def test_an_old_password_is_as_good_as_a_new_one(client: Client, mallory: User) -> None:
    User.objects.update(
        date_joined=mallory.date_joined - timedelta(days=9_000),
        last_login=mallory.date_joined - timedelta(days=8_000),
    )
    assert log_in(client)["Location"] == "/mine/" and is_in(client)


def test_the_letter_for_a_new_password_is_good_for_three_days(
    client: Client, mallory: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/accounts/password/reset/", {"email": "mallory@example.org"})
    path = link_in(mail.outbox[0])
    assert "already been used" not in client.get(path, follow=True).content.decode()
    later = datetime.now() + timedelta(days=3, seconds=2)
    monkeypatch.setattr(
        "django.contrib.auth.tokens.PasswordResetTokenGenerator._now", lambda generator: later
    )
    assert "already been used" in Client().get(path).content.decode()


@pytest.mark.both_databases
def test_a_log_in_ends_after_a_year_however_much_it_is_used(client: Client, mallory: User) -> None:
    def left(client: Client) -> int:
        # Changed by whatever writes into it, and stored.
        session = client.session
        session["used"] = True
        session.save()
        return (Session.objects.get(pk=session.session_key).expire_date - timezone.now()).days

    log_in(client)
    begun = client.session
    assert left(client) == 364
    begun.set_expiry(begun.get_expiry_date() - timedelta(days=100))
    begun.save()
    assert left(client) == 264
    client.get("/account/")
    assert left(client) == 264
    client.post("/accounts/logout/")
    log_in(client)
    assert left(client) == 364


@pytest.mark.both_databases
def test_a_forgotten_password_is_replaced_by_a_letter_that_works_once(client: Client, mallory: User) -> None:
    other = Client()
    log_in(other)
    client.post("/accounts/password/reset/", {"email": "mallory@example.org"})
    path = link_in(mail.outbox[0])
    form = client.get(path, follow=True)
    new = {"password1": "another field at dusk", "password2": "another field at dusk"}
    assert client.post(form.redirect_chain[-1][0], new).status_code == 302
    assert not is_in(other) and log_in(client, password="another field at dusk").status_code == 302
    assert "already been used" in Client().get(path).content.decode()


def test_asking_for_a_letter_tells_nobody_who_has_an_account(client: Client, mallory: User) -> None:
    answers = [
        client.post("/accounts/password/reset/", {"email": f"{name}@example.org"})
        for name in ("mallory", "trudy")
    ]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert [letter.subject for letter in mail.outbox] == [
        "Cutout: Password Reset Email",
        "Cutout: Unknown Account",
    ]


@pytest.mark.both_databases
def test_signing_up_with_a_taken_address_tells_nothing_and_takes_nothing(
    client: Client, mallory: User
) -> None:
    EmailAddress.objects.update(verified=True)
    cache.clear()
    second = Client()
    assert sign_up(second, "Trudy", "mallory@example.org").status_code == 302
    second.post(link_in(mail.outbox[-1]))
    assert not may_comment(User.objects.get(username="Trudy")) and may_comment(mallory)


@pytest.mark.both_databases
def test_letters_are_few_for_one_address_and_for_one_account(client: Client, mallory: User) -> None:
    answers = [
        client.post("/accounts/password/reset/", {"email": "mallory@example.org"}).status_code
        for _ in range(6)
    ]
    assert answers == [302] * 5 + [429] and len(mail.outbox) == 5
    log_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    mail.outbox.clear()
    for number in range(8):
        client.post("/accounts/email/", {"email": f"m{number}@example.org", "action_add": "1"})
        EmailAddress.objects.filter(email=f"m{number}@example.org").delete()
    to_confirm = [letter for letter in mail.outbox if "Confirm" in letter.subject]
    assert len(to_confirm) == 4, "the fifth of the day, the first of them, came with the account"


def test_a_mail_server_that_is_down_is_no_error(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)
    assert sign_up(client, email="mallory@example.org").status_code == 302
    assert "could not be sent" in client.get("/account/").content.decode()


ELSEWHERE = r"""https://evil.example/ //evil.example ///evil.example /\evil.example \\evil.example
http:evil.example javascript:alert(1) https:/evil.example //testserver@evil.example
http://testserver.evil.example https://[::1]
https://testserver:1/ data:text/html,x
_//evil.example /_/evil.example ////evil.example http:///evil.example https://evil.example#testserver
\/evil.example""".split()


def host_of(location: str) -> str:
    """Where a browser goes from a page of the site: it takes \\ for / and leaves tabs and line ends out."""
    return urlsplit(
        urljoin(
            "http://testserver/accounts/login/", re.sub(r"[\t\r\n]", "", location.strip()).replace("\\", "/")
        )
    ).netloc


@pytest.mark.engine("sqlite")  # Addresses are compared as text.
@pytest.mark.parametrize("where", ["/accounts/login/", "/accounts/signup/"])
@pytest.mark.parametrize("next_url", ELSEWHERE)
def test_after_logging_in_one_stays_on_this_host(
    client: Client, mallory: User, where: str, next_url: str
) -> None:
    next_url = next_url.replace("_", "\t")
    form = (
        {"login": "mallory", "password": PASSWORD}
        if "login" in where
        else {"username": "Trent", "password1": PASSWORD, "email": ""}
    )
    for address, data in ((where, {**form, "next": next_url}), (f"{where}?next={next_url}", form)):
        visitor = Client()
        answer = visitor.post(
            address, {**data, **({"username": f"Trent{len(data)}"} if "username" in data else {})}
        )
        assert (answer.status_code, host_of(answer["Location"])) == (302, "testserver")


def test_after_logging_in_one_is_where_one_wanted_to_be(client: Client, mallory: User) -> None:
    asked = client.get("/account/favourites/")
    assert asked["Location"] == "/accounts/login/?next=/account/favourites/"
    assert (
        client.post(asked["Location"], {"login": "mallory", "password": PASSWORD})["Location"]
        == "/account/favourites/"
    )


@pytest.mark.parametrize(
    "password",
    ["short", "12345678", "password1", "mallory1", *(f"{game.slug}77" for game in games().values())],
)
def test_passwords_that_others_would_try_first_are_refused(client: Client, password: str) -> None:
    answer = sign_up(client, "mallory", password=password)
    assert answer.status_code == 200 and 'id="id_password1_error"' in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("password", ["x y" * 30, "пароль с пробелами", "🕵" * 20, "a" * 3_000 + " b"])
def test_passwords_may_be_long_and_of_any_characters(client: Client, password: str) -> None:
    assert sign_up(client, password=password).status_code == 302
    client.post("/accounts/logout/")
    assert log_in(client, password=password).status_code == 302


@pytest.mark.both_databases
def test_a_closed_account_cannot_be_logged_in_to_and_its_sessions_are_dead(
    client: Client, mallory: User
) -> None:
    log_in(client)
    User.objects.update(is_active=False)
    assert not is_in(client)
    assert log_in(Client())["Location"] == "/accounts/inactive/"


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    "address",
    ["login", "signup", "logout", "password/reset", "password/change", "email", "2fa/webauthn/login"],
)
def test_every_form_wants_its_token(mallory: User, address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(mallory)
    assert client.post(f"/accounts/{address}/", {}).status_code == 403


def test_account_pages_are_kept_by_no_cache(client: Client, mallory: User) -> None:
    client.force_login(mallory)
    for path in (
        "/account/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/",
    ):
        assert "no-store" in client.get(path)["Cache-Control"], path
