"""Passkeys: an account without a password, a second step after a password, recovery codes, and invalid
answers. These tests pass through the forms of ``decks/accounts/backend.py`` and the encryption of
``adapter.py``.
"""

import hmac
import re

import pytest
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from cardsdb.models import AuditEntry
from cardsdb.models.audit import Event
from cardsdb.watch import metrics
from tests.support.accounts import (
    HALFWAY,
    PASSKEYS,
    PASSWORD,
    add_passkey,
    asked,
    is_in,
    log_in,
    log_in_by_passkey,
    log_in_options,
    logged_in,
    recovery_codes,
    show_who_one_is,
    sign_up,
    sign_up_by_passkey,
    use_passkey,
)
from tests.support.pages import page, page_of
from tests.support.passkeys import SoftwareKey

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
WEBAUTHN, CODES = Authenticator.Type.WEBAUTHN, Authenticator.Type.RECOVERY_CODES


@pytest.fixture
def key():
    return SoftwareKey()


@pytest.fixture
def with_both(client, key):
    """A client logged in to an account that has a password and a passkey."""
    sign_up(client)
    assert add_passkey(client, key)["Location"] == "/accounts/2fa/recovery-codes/"
    return client


def test_an_account_is_made_and_logged_in_to_with_the_passkey_alone(client, key):
    assert sign_up_by_passkey(client, key)["Location"] == "/mine/"
    assert is_in(client)
    user, other = User.objects.get(), Client()
    assert (user.username, user.email, user.has_usable_password()) == ("Mallory", "", False)
    assert log_in_by_passkey(other, key)["Location"] == "/mine/"
    assert is_in(other)


def test_a_passkey_does_not_open_another_account(client, key):
    sign_up_by_passkey(client, key)
    trent, other = User.objects.create_user("Trent"), Client()
    claimed = user_pk_to_url_str(trent).encode()
    for answer in (log_in_by_passkey(other, key, owner=claimed), log_in_by_passkey(other, SoftwareKey())):
        assert answer["Location"] == "/accounts/login/"
    assert not is_in(other)


def test_the_answer_of_a_passkey_cannot_be_used_twice(client, key):
    sign_up_by_passkey(client, key)
    other = Client()
    answer = {"credential": key.use(log_in_options(other))}
    other.post(f"{PASSKEYS}login/", answer)
    other.post("/accounts/logout/")
    other.post(f"{PASSKEYS}login/", answer)
    assert not is_in(other)


@pytest.mark.both_databases
def test_a_passkey_made_for_another_site_is_refused_by_a_public_site(client, settings):
    """A private site accepts it, because it is reached by several names over plain http."""
    sign_up_by_passkey(client, SoftwareKey("https://evil.example"))
    assert Authenticator.objects.count() == (1 if settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN else 0)


def test_the_password_alone_is_not_enough_once_there_is_a_passkey(with_both, key):
    other = Client()
    assert log_in(other)["Location"] == HALFWAY and not is_in(other)
    use_passkey(other, key, HALFWAY)
    assert is_in(other)


def test_a_log_in_that_still_waits_for_the_passkey_does_not_count(client):
    sign_up(client)
    assert add_passkey(client, SoftwareKey())["Location"] == "/accounts/2fa/recovery-codes/"
    for password in (PASSWORD, "not hers"):
        answer = logged_in(password=password).get(f"{PASSKEYS}add/")
        assert answer["Location"].startswith("/accounts/login/")


@pytest.mark.both_databases
def test_a_recovery_code_stands_in_for_the_passkey_once(with_both):
    shown = page(with_both, "/accounts/2fa/recovery-codes/").one("textarea").value or ""
    download = with_both.get("/accounts/2fa/recovery-codes/download/")
    assert download["Content-Type"].startswith("text/plain")
    assert shown.split() == recovery_codes(with_both) == re.findall(r"\b\d{8}\b", shown)
    assert len(shown.split()) == 10
    for works in (True, False):
        other = logged_in()
        other.post(HALFWAY, {"code": shown.split()[0]})
        assert is_in(other) is works


@pytest.mark.both_databases
def test_a_wrong_passkey_or_code_is_noted_and_counted_as_a_wrong_password_is(with_both, key):
    before = metrics.FAILED_LOGINS.collect()[0].samples[0].value
    mallory, half = User.objects.get(), logged_in()
    log_in_by_passkey(Client(), SoftwareKey())
    # The answer claims to be Mallory's, which any sender can claim.
    log_in_by_passkey(Client(), SoftwareKey(), owner=str(mallory.pk).encode())
    half.post(HALFWAY, {"code": "12345678"})
    use_passkey(half, SoftwareKey(), HALFWAY)
    failed = AuditEntry.objects.filter(what=Event.FAILED_LOGIN).order_by("pk")
    wanted = [(None, "by passkey")] * 2 + [(mallory.pk, "the password was right")] * 2
    assert list(failed.values_list("account", "detail")) == wanted
    assert metrics.FAILED_LOGINS.collect()[0].samples[0].value == before + 4
    use_passkey(half, key, HALFWAY)
    assert is_in(half) and failed.count() == 4


def test_a_stolen_database_reveals_no_recovery_codes(with_both):
    codes, stored = recovery_codes(with_both), Authenticator.objects.get(type=CODES)
    assert stored.data["seed"].startswith("sealed:")
    # The stored seed, read without decrypting, makes none of the codes.
    stored.data["seed"] = stored.data["seed"].removeprefix("sealed:")
    assert not set(codes) & set(RecoveryCodes(stored).generate_codes())


def test_recovery_codes_stored_before_encryption_still_work(with_both):
    seed = "0123456789abcdef" * 5
    Authenticator.objects.filter(type=CODES).update(data={"seed": seed, "used_mask": 0})
    first = hmac.new(seed.encode(), b"  0,", "sha1").digest()[:4]
    assert f"{int.from_bytes(first) % 10**8:08}" in recovery_codes(with_both)


def test_another_secret_key_makes_recovery_codes_useless(with_both, settings):
    codes = RecoveryCodes(Authenticator.objects.get(type=CODES))
    before = codes.generate_codes()
    settings.SECRET_KEY = "another secret " * 5
    assert not set(before) & set(codes.generate_codes())
    assert not set(codes.generate_codes()) & set(codes.generate_codes())


@pytest.mark.both_databases
def test_only_its_owner_can_rename_and_remove_a_passkey(with_both):
    made, other = Authenticator.objects.get(type=WEBAUTHN), Client()
    sign_up(other, "Trent")
    show_who_one_is(other)
    for what in ("edit", "remove"):
        path = f"{PASSKEYS}keys/{made.pk}/{what}/"
        assert other.post(path, {"name": "Mine"}).status_code == 404
        with_both.post(path, {"name": "Green key"})
        if what == "edit":
            assert "Green key" in page(with_both, PASSKEYS).text
    assert not Authenticator.objects.filter(type=WEBAUTHN).exists()


# Answers that name an account or a key, for which the database is asked. Those of UNREAD are refused before
# that, so they are tried on SQLite alone.
KNOWN = [
    '{"id": 1}',
    '{"response": {"userHandle": 7}}',
    '{"id": %s}' % ("9" * 5_000),
    '{"id": "\\ud800"}',
    '{"type": "public-key", "id": "a", "rawId": "a", "response": {"clientDataJSON": "e30", "userHandle":'
    ' "%s"}}' % ("z" * 60),
    '{"type": "public-key", "id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "bm8",'
    ' "attestationObject": "bm8"}}',
]
UNREAD = ["", "null", "1", '"x"', "[]", "{}", '{"response": []}', "{" * 5_000, "[" * 19_000, '{"a": NaN}']
UNREAD += ["\x01", "x" * 30_000]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "tried", [KNOWN, pytest.param(UNREAD, marks=pytest.mark.engine("sqlite"))], ids=["known", "unread"]
)
def test_any_invalid_answer_of_a_passkey_is_refused_with_a_message(with_both, tried):
    stranger, half, starting = Client(), logged_in(), Client()
    starting.post("/accounts/signup/passkey/", {"username": "Trent", "email": ""})
    log_in_options(stranger)
    forms = ((stranger, "login"), (starting, "signup"), (with_both, "add"), (with_both, "reauthenticate"))
    for credential in tried:
        sent, shown = {"credential": credential}, repr(credential[:24])
        for client, form in forms:
            client.get(f"{PASSKEYS}{form}/")
            assert client.post(f"{PASSKEYS}{form}/", sent).status_code in (200, 302), (form, shown)
        asked(half.get(HALFWAY))
        refused = page_of(half.post(HALFWAY, sent)).text
        assert "of the passkey could not be read" in refused or "That was not right" in refused, shown
        assert not any(is_in(client) for client in (stranger, half, starting)), shown
        assert Authenticator.objects.filter(type=WEBAUTHN).count() == 1, shown
        # Forget the tries, so that the rate limit does not stop the next one.
        cache.clear()
