"""Passkeys: an account without a password, a second half for one with, and whatever else is sent in their
place.
"""

from __future__ import annotations

import hmac
import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from cardsdb.models import AuditEntry
from cardsdb.models.audit import Event
from cardsdb.watch import metrics
from tests.support.passkeys import SoftwareKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"


def asked(page: Any) -> Any:
    """What a page asks of the browser's passkeys."""
    (data,) = re.findall(
        r'<script id="js_data" type="application/json">(.*?)</script>', page.content.decode()
    )
    return json.loads(data)


def sign_up(client: Client, key: SoftwareKey, name: str = "Mallory") -> Any:
    answer = client.post("/accounts/signup/passkey/", {"username": name, "email": ""})
    assert answer["Location"] == "/accounts/2fa/webauthn/signup/"
    options = asked(client.get(answer["Location"]))["creation_options"]
    return client.post(answer["Location"], {"name": "Blue key", "credential": key.make(options)})


def log_in(client: Client, key: SoftwareKey, **how: Any) -> Any:
    options = client.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"}).json()[
        "request_options"
    ]
    return client.post("/accounts/2fa/webauthn/login/", {"credential": key.use(options, **how)})


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


@pytest.fixture
def key() -> SoftwareKey:
    return SoftwareKey()


def test_an_account_is_made_with_a_passkey_and_no_address(client: Client, key: SoftwareKey) -> None:
    assert sign_up(client, key)["Location"] == "/mine/"
    assert is_in(client)
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("Mallory", "", False)


def test_one_logs_in_with_the_passkey_alone(client: Client, key: SoftwareKey) -> None:
    sign_up(client, key)
    other = Client()
    assert log_in(other, key)["Location"] == "/mine/"
    assert is_in(other)


def test_nobody_logs_in_with_the_passkey_of_another(client: Client, key: SoftwareKey) -> None:
    from allauth.account.utils import user_pk_to_url_str

    sign_up(client, key)
    trent = User.objects.create_user("Trent")
    other = Client()
    assert log_in(other, key, owner=user_pk_to_url_str(trent).encode())["Location"] == "/accounts/login/"
    assert log_in(other, SoftwareKey())["Location"] == "/accounts/login/"
    assert not is_in(other)


def test_an_answer_cannot_be_used_twice(client: Client, key: SoftwareKey) -> None:
    sign_up(client, key)
    other = Client()
    options = other.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"}).json()[
        "request_options"
    ]
    answer = key.use(options)
    other.post("/accounts/2fa/webauthn/login/", {"credential": answer})
    other.post("/accounts/logout/")
    other.post("/accounts/2fa/webauthn/login/", {"credential": answer})
    assert not is_in(other)


@pytest.mark.both_databases
def test_the_site_takes_no_passkey_made_for_another(client: Client) -> None:
    sign_up(client, SoftwareKey("https://evil.example"))
    assert Authenticator.objects.count() == (1 if _takes_any_origin() else 0)


def _takes_any_origin() -> bool:
    """A private site does: it is reached by several names over plain http."""
    from django.conf import settings

    return bool(settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN)


@pytest.fixture
def with_both(client: Client, key: SoftwareKey) -> Client:
    """Logged in to an account that has a password, and a passkey since."""
    Client().post("/accounts/signup/", {"username": "Mallory", "email": "", "password1": PASSWORD})
    client.post("/accounts/login/", {"login": "Mallory", "password": PASSWORD})
    options = asked(client.get("/accounts/2fa/webauthn/add/"))["creation_options"]
    answer = client.post(
        "/accounts/2fa/webauthn/add/",
        {"name": "Blue key", "passwordless": "on", "credential": key.make(options)},
    )
    assert answer["Location"] == "/accounts/2fa/recovery-codes/"
    return client


def test_the_password_alone_lets_nobody_in_once_there_is_a_passkey(
    with_both: Client, key: SoftwareKey
) -> None:
    other = Client()
    answer = other.post("/accounts/login/", {"login": "mallory", "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/authenticate/" and not is_in(other)
    options = asked(other.get(answer["Location"]))["request_options"]
    other.post(answer["Location"], {"credential": key.use(options)})
    assert is_in(other)


@pytest.mark.both_databases
def test_a_recovery_code_stands_in_for_the_passkey_once(with_both: Client) -> None:
    page = with_both.get("/accounts/2fa/recovery-codes/").content.decode()
    (codes,) = re.findall(r"<textarea[^>]* readonly>([\d\n]+)</textarea>", page)
    code = codes.split()[0]
    for works in (True, False):
        other = Client()
        other.post("/accounts/login/", {"login": "mallory", "password": PASSWORD})
        other.post("/accounts/2fa/authenticate/", {"code": code})
        assert is_in(other) is works


def noted() -> list[tuple[int | None, str]]:
    """The failed log-ins of the audit log: whose account, and what was wrong."""
    return list(
        AuditEntry.objects.filter(what=Event.FAILED_LOGIN).order_by("pk").values_list("account", "detail")
    )


@pytest.mark.both_databases
def test_a_wrong_passkey_or_code_is_noted_and_counted_as_a_wrong_password_is(
    with_both: Client, key: SoftwareKey
) -> None:
    before = metrics.FAILED_LOGINS.collect()[0].samples[0].value
    mallory, half = User.objects.get(), Client()
    log_in(Client(), SoftwareKey())
    # The answer says whose it is, and anybody can say that.
    log_in(Client(), SoftwareKey(), owner=str(mallory.pk).encode())
    half.post("/accounts/login/", {"login": "mallory", "password": PASSWORD})
    options = asked(half.get("/accounts/2fa/authenticate/"))["request_options"]
    half.post("/accounts/2fa/authenticate/", {"code": "12345678"})
    half.post("/accounts/2fa/authenticate/", {"credential": SoftwareKey().use(options)})
    assert noted() == [(None, "by passkey")] * 2 + [(mallory.pk, "the password was right")] * 2
    assert metrics.FAILED_LOGINS.collect()[0].samples[0].value == before + 4
    options = asked(half.get("/accounts/2fa/authenticate/"))["request_options"]
    half.post("/accounts/2fa/authenticate/", {"credential": key.use(options)})
    assert is_in(half) and len(noted()) == 4


def codes_of(client: Client) -> list[str]:
    return client.get("/accounts/2fa/recovery-codes/download/").content.decode().split()


def test_whoever_steals_the_database_has_no_recovery_codes(with_both: Client) -> None:
    codes = codes_of(with_both)
    stored = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)
    assert stored.data["seed"].startswith("sealed:")
    # Read as it stands there, it makes no code of theirs.
    stored.data["seed"] = stored.data["seed"].removeprefix("sealed:")
    assert not set(codes) & set(RecoveryCodes(stored).generate_codes())


def test_recovery_codes_that_were_stored_before_they_were_sealed_work(with_both: Client) -> None:
    before = {"seed": "0123456789abcdef" * 5, "used_mask": 0}
    stored = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)
    stored.data = before
    stored.save()
    first = hmac.new(before["seed"].encode(), b"  0,", "sha1").digest()[:4]
    assert f"{int.from_bytes(first) % 10**8:08}" in codes_of(with_both)


def test_under_another_secret_recovery_codes_are_nobodys(with_both: Client, settings: Any) -> None:
    stored = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)
    before = RecoveryCodes(stored).generate_codes()
    settings.SECRET_KEY = "another secret " * 5
    assert not set(before) & set(RecoveryCodes(stored).generate_codes())
    assert not set(RecoveryCodes(stored).generate_codes()) & set(RecoveryCodes(stored).generate_codes())


def test_recovery_codes_are_downloaded_as_text(with_both: Client) -> None:
    answer = with_both.get("/accounts/2fa/recovery-codes/download/")
    assert (
        answer["Content-Type"].startswith("text/plain")
        and len(re.findall(r"^\d{8}$", answer.content.decode(), re.MULTILINE)) == 10
    )


@pytest.mark.both_databases
def test_a_passkey_is_renamed_and_removed(with_both: Client) -> None:
    made = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    with_both.post(f"/accounts/2fa/webauthn/keys/{made.pk}/edit/", {"name": "Green key"})
    assert "Green key" in with_both.get("/accounts/2fa/webauthn/").content.decode()
    with_both.post(f"/accounts/2fa/webauthn/keys/{made.pk}/remove/")
    assert not Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()


def test_nobody_renames_or_removes_the_passkey_of_another(with_both: Client) -> None:
    made = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    other = Client()
    other.post("/accounts/signup/", {"username": "Trent", "email": "", "password1": PASSWORD})
    other.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for what in ("edit", "remove"):
        assert (
            other.post(f"/accounts/2fa/webauthn/keys/{made.pk}/{what}/", {"name": "Mine"}).status_code == 404
        )


@pytest.mark.both_databases
def test_a_sign_up_that_was_broken_off_gives_its_name_back(client: Client, key: SoftwareKey) -> None:
    from datetime import timedelta

    client.post("/accounts/signup/passkey/", {"username": "Mallory", "email": ""})
    assert (
        "This name, or one that looks the same"
        in Client().post("/accounts/signup/passkey/", {"username": "Mallory", "email": ""}).content.decode()
    )
    begun = User.objects.get()
    User.objects.update(date_joined=begun.date_joined - timedelta(minutes=16))
    assert sign_up(Client(), key)["Location"] == "/mine/"
    assert User.objects.get().pk != begun.pk


# The first name an account or a key, which a database is asked for; the rest is refused before, and tried on
# SQLite alone.
HOSTILE: list[Any] = [
    '{"id": 1}',
    '{"response": {"userHandle": 7}}',
    '{"id": %s}' % ("9" * 5_000),
    '{"id": "\\ud800"}',
]
HOSTILE += [
    '{"type": "public-key", "id": "a", "rawId": "a", "response": {"clientDataJSON": "e30", "userHandle":'
    ' "%s"}}' % ("z" * 60)
]
HOSTILE += [
    '{"type": "public-key", "id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "bm8",'
    ' "attestationObject": "bm8"}}'
]
UNREAD = [
    "",
    "null",
    "1",
    '"x"',
    "[]",
    "{}",
    '{"response": []}',
    "{" * 5_000,
    "[" * 19_000,
    '{"a": NaN}',
    "\x01",
    "x" * 30_000,
]
TRIED = {"known": HOSTILE, "unread": UNREAD}


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["known", pytest.param("unread", marks=pytest.mark.engine("sqlite"))])
def test_whatever_is_sent_in_place_of_a_passkey_is_refused_in_words(with_both: Client, kind: str) -> None:
    stranger, half = Client(), Client()
    half.post("/accounts/login/", {"login": "mallory", "password": PASSWORD})
    starting = Client()
    starting.post("/accounts/signup/passkey/", {"username": "Trent", "email": ""})
    stranger.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
    for credential in TRIED[kind]:
        sent, shown = {"credential": credential}, repr(credential[:24])
        for client, address in (
            (stranger, "login/"),
            (starting, "signup/"),
            (with_both, "add/"),
            (with_both, "reauthenticate/"),
        ):
            client.get(f"/accounts/2fa/webauthn/{address}")
            assert client.post(f"/accounts/2fa/webauthn/{address}", sent).status_code in (200, 302), (
                address,
                shown,
            )
        half.get("/accounts/2fa/authenticate/")
        assert half.post("/accounts/2fa/authenticate/", sent).status_code == 200, shown
        assert not any(is_in(client) for client in (stranger, half, starting)), shown
        assert Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).count() == 1, shown
        # Nobody is stopped for having tried too often.
        cache.clear()
