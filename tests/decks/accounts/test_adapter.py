"""Accounts with a password: signing up, confirming an address, logging in and out, a forgotten password.
Answers tell a guesser nothing about which accounts exist.
"""

import re
import time
from datetime import timedelta
from urllib.parse import urljoin, urlsplit

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.hashers import MD5PasswordHasher, PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from cardsdb import settings as shipped
from cardsdb.games import games
from decks.accounts.adapter import NotAGame
from decks.models import AccountName, AccountSession
from decks.public.social import may_comment
from tests.support.accounts import (
    ANOTHER,
    PASSKEYS,
    PASSWORD,
    after,
    change_password,
    is_in,
    link_in,
    log_in,
    log_out,
    logged_in,
    show_who_one_is,
    sign_up,
    sign_up_by_passkey,
)
from tests.support.made_decks import edit_link, make_deck, open_edit_link
from tests.support.pages import page, page_of
from tests.support.passkeys import SoftwareKey

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
LETTER = {"email": "mallory@example.org"}
RESET = "/accounts/password/reset/"


@pytest.fixture
def mallory(client):
    """An account with an address, logged out."""
    sign_up(client, email="mallory@example.org")
    log_out(client)
    mail.outbox.clear()
    return User.objects.get(username="Mallory")


# -- signing up


def test_a_name_and_a_password_are_enough_to_sign_up_and_be_logged_in(client):
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/mine/")
    assert is_in(client) and mail.outbox == []


@pytest.mark.both_databases
def test_an_address_is_confirmed_by_the_link_in_its_letter(client):
    sign_up(client, email="mallory@example.org")
    (letter,), user = mail.outbox, User.objects.get()
    assert letter.subject == "Cutout: Please Confirm Your Email Address" and letter.to == [user.email]
    assert "Mallory" in letter.body and "!" not in letter.body
    assert is_in(client) and not may_comment(user)
    client.get(link_in(letter))
    assert not may_comment(user), "a mail program that opens links confirms nothing"
    client.post(link_in(letter))
    assert may_comment(user)


def test_a_private_site_tells_where_its_letters_are_stored(client, settings):
    settings.CUTOUT_MAIL, settings.EMAIL_FILE_PATH = "files", "/srv/cutout/var/mail"
    sign_up(client, email="mallory@example.org")
    for address in ("/accounts/email/", f"{RESET}done/"):
        assert "/srv/cutout/var/mail" in page(client, address).text


def test_a_mail_server_that_is_down_does_not_break_signing_up(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert sign_up(client, email="mallory@example.org").status_code == 302
    assert "could not be sent" in page(client, "/account/").text


@pytest.mark.parametrize("password", ["short", "12345678", "password1", "mallory1", "spycraft77"])
def test_passwords_that_others_would_try_first_are_refused(client, password):
    assert page_of(sign_up(client, "mallory", password=password)).has(id="id_password1_error")
    assert not User.objects.exists()


def test_a_password_that_is_the_name_of_a_game_is_refused_whatever_stands_around_it():
    for game in games().values():
        for typed in (f"{game.slug}77", f"-{game.name.upper()}!", "Cutout 2026"):
            with pytest.raises(ValidationError):
                NotAGame().validate(typed)
    NotAGame().validate("my spycraft")


@pytest.mark.parametrize("password", ["пароль с пробелами", "a" * 3_000 + " 🕵"])
def test_passwords_may_be_long_and_of_any_characters(client, password):
    assert sign_up(client, password=password).status_code == 302
    assert is_in(logged_in(password=password))


@pytest.mark.both_databases
def test_signing_up_with_a_taken_address_reveals_nothing_and_does_not_take_it(client, mallory):
    EmailAddress.objects.update(verified=True)
    cache.clear()
    second = Client()
    assert sign_up(second, "Trudy", "mallory@example.org").status_code == 302
    second.post(link_in(mail.outbox[-1]))
    assert not may_comment(User.objects.get(username="Trudy")) and may_comment(mallory)


@pytest.mark.parametrize("twin", ["KAI", "Ｋａｉ"])
def test_a_taken_name_is_refused_in_any_case_or_width(client, twin):
    User.objects.create_user("Kai")
    assert "This name, or one that looks the same" in page_of(sign_up(client, twin)).text
    assert User.objects.count() == 1


def test_of_two_who_take_a_name_at_the_same_moment_the_second_is_asked_for_another(client, monkeypatch):
    User.objects.create_user("Kai")
    # Both checks before saving pass, as if the other account had been saved only after them.
    monkeypatch.setattr(AccountName.objects, "named", lambda name: User.objects.none())
    monkeypatch.setattr(DefaultAccountAdapter, "clean_username", lambda self, name, shallow=False: name)
    answer = sign_up(client, "KAI")
    assert answer["Location"] == "/accounts/signup/"
    assert "This name, or one that looks the same" in page(client, answer["Location"]).text
    assert User.objects.count() == 1


@pytest.mark.both_databases
def test_an_unfinished_sign_up_frees_its_name_after_fifteen_minutes(client):
    begin = {"username": "Mallory", "email": ""}
    client.post("/accounts/signup/passkey/", begin)
    refused = page_of(Client().post("/accounts/signup/passkey/", begin))
    assert "This name, or one that looks the same" in refused.text
    begun = User.objects.get()
    User.objects.update(date_joined=begun.date_joined - timedelta(minutes=16))
    assert sign_up_by_passkey(Client(), SoftwareKey())["Location"] == "/mine/"
    assert User.objects.get().pk != begun.pk


# -- logging in


@pytest.mark.parametrize("login", [" Mallory ", "MALLORY", "Mallory@Example.org"])
def test_a_log_in_takes_name_or_address_in_any_case(mallory, login):
    assert is_in(logged_in(login))


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(mallory):
    known, unknown = (page_of(log_in(Client(), name, "not it")).text for name in ("Mallory", "Trudy"))
    assert known == unknown and "is not right" in known


# Passwords hashed by ``Counted``.
MADE: list[str] = []


class Counted(MD5PasswordHasher):
    def encode(self, password, salt) -> str:
        MADE.append(password)
        return super().encode(password, salt)


@pytest.mark.parametrize(
    ("known", "unknown"), [("mallory", "trudy"), ("mallory@example.org", "trudy@example.org")]
)
def test_an_unknown_name_takes_as_many_hashes_as_a_known_one(client, mallory, settings, known, unknown):
    settings.PASSWORD_HASHERS = [f"{__name__}.Counted"]
    counts = []
    for login in (known, unknown):
        MADE.clear()
        log_in(client, login, "not the password")
        counts.append(len(MADE))
    assert counts == [1, 1]


def test_passwords_are_hashed_by_argon2(client, settings):
    """A password that was hashed in another way is hashed anew at the next log-in, however old it is."""
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    sign_up(client)
    assert User.objects.get().password.startswith("argon2$argon2id$")
    User.objects.update(
        password=PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1),
        date_joined=timezone.now() - timedelta(days=9_000),
        last_login=timezone.now() - timedelta(days=8_000),
    )
    assert log_in(Client())["Location"] == "/mine/"
    assert User.objects.get().password.startswith("argon2$argon2id$")


def test_the_admin_has_no_log_in_of_its_own(client, mallory):
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")
    assert client.post("/admin/login/", {"username": "mallory", "password": PASSWORD}).status_code == 302
    assert not is_in(client)


@pytest.mark.both_databases
def test_a_closed_account_has_no_log_in_and_its_sessions_are_invalid(client, mallory):
    log_in(client)
    User.objects.update(is_active=False)
    assert not is_in(client)
    assert log_in(Client())["Location"] == "/accounts/inactive/"


# Addresses that a browser would read as another host. An underscore stands for a tab.
FOREIGN = r"""https://evil.example/ //evil.example ///evil.example /\evil.example \\evil.example
http:evil.example javascript:alert(1) https:/evil.example //testserver@evil.example
http://testserver.evil.example https://[::1]
https://testserver:1/ data:text/html,x
_//evil.example /_/evil.example ////evil.example http:///evil.example https://evil.example#testserver
\/evil.example""".split()


def host_of(location) -> str:
    """The host that a browser opens from a page of the site: it reads a backslash as a slash, and ignores
    tabs and line ends.
    """
    read = re.sub(r"[\t\r\n]", "", location.strip()).replace("\\", "/")
    return urlsplit(urljoin("http://testserver/accounts/login/", read)).netloc


# SQLite is enough: addresses are compared as text.
@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("wanted", FOREIGN)
def test_a_log_in_never_redirects_to_another_host(client, mallory, wanted):
    wanted = wanted.replace("_", "\t")
    login = {"login": "mallory", "password": PASSWORD}
    answers = [
        client.post("/accounts/login/", {**login, "next": wanted}),
        Client().post(f"/accounts/login/?next={wanted}", login),
        sign_up(Client(), "Trent", next=wanted),
    ]
    assert [host_of(answer["Location"]) for answer in answers] == ["testserver"] * 3


def test_a_log_in_redirects_to_the_page_that_asked_for_it(client, mallory):
    asked = client.get("/account/favourites/")["Location"]
    assert asked == "/accounts/login/?next=/account/favourites/"
    answer = client.post(asked, {"login": "mallory", "password": PASSWORD})
    assert answer["Location"] == "/account/favourites/"


@pytest.mark.engine("sqlite")
def test_every_form_of_accounts_needs_its_csrf_token(mallory):
    client = Client(enforce_csrf_checks=True)
    client.force_login(mallory)
    forms = ["login", "signup", "logout", "password/reset", "password/change", "email", "2fa/webauthn/login"]
    assert {form: client.post(f"/accounts/{form}/", {}).status_code for form in forms} == dict.fromkeys(
        forms, 403
    )


def test_account_pages_are_not_cached(client, mallory):
    client.force_login(mallory)
    for path in ("/account/", "/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", PASSKEYS):
        assert "no-store" in client.get(path)["Cache-Control"], path


# -- logging out, and confirming who one is


def test_logging_in_changes_the_session_and_logging_out_ends_it(client, mallory, agency_text):
    client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    before = client.cookies["sessionid"].value
    log_in(client)
    inside = client.cookies["sessionid"].value
    assert len(inside) == 32, "of 36 letters: 165 bits"
    assert before != inside and not Session.objects.filter(pk=before).exists()
    client.get("/accounts/logout/")
    assert is_in(client), "only a POST logs out"
    log_out(client)
    thief = Client()
    thief.cookies["sessionid"] = inside
    assert not is_in(thief)


def test_logging_out_ends_access_to_the_accounts_decks_opened_by_edit_link(client, mallory, agency_text):
    elsewhere = logged_in()
    deck = make_deck(elsewhere, agency_text)
    open_edit_link(client, edit_link(elsewhere, deck))
    assert client.get(f"/decks/{deck.link}/").status_code == 200
    log_in(client)
    log_out(client)
    assert client.get(f"/decks/{deck.link}/").status_code == 404


@pytest.mark.both_databases
def test_a_log_in_ends_after_a_year_however_much_it_is_used(client, mallory):
    def left(client) -> int:
        """The days that the session has left after it is changed and stored."""
        session = client.session
        session["used"] = True
        session.save()
        return (Session.objects.get(pk=session.session_key).expire_date - timezone.now()).days

    log_in(client)
    begun = client.session
    assert isinstance(begun["_session_expiry"], str), "a fixed date, not a time after each use"
    assert left(client) == 364
    begun.set_expiry(begun.get_expiry_date() - timedelta(days=100))
    begun.save()
    client.get("/account/")
    assert left(client) == 264
    log_out(client)
    log_in(client)
    assert left(client) == 364


def add_address(client, name="m"):
    return client.post("/accounts/email/", {"email": f"{name}@example.org", "action_add": ""})


@pytest.mark.parametrize("how", ["signed up", "signed up by passkey", "logged in"])
def test_a_new_log_in_needs_no_confirmation_for_five_minutes(client, how):
    if how == "signed up by passkey":
        sign_up_by_passkey(client, SoftwareKey())
    else:
        sign_up(client)
    inside = logged_in() if how == "logged in" else client
    assert "reauthenticate" not in add_address(inside)["Location"]
    assert "m@example.org" in page(inside, "/account/").text
    with after(seconds=301):
        assert "reauthenticate" in add_address(inside, "n")["Location"]
        assert "reauthenticate" in inside.get(f"{PASSKEYS}add/")["Location"]


# -- a new password


def test_the_letter_for_a_new_password_is_valid_for_three_days(client, mallory):
    for days, good in ((2.9, True), (3.1, False)):
        # Django's tokens count seconds from 1 January 2001.
        then = int(time.time() - days * 24 * 3600) - 978_307_200
        token = default_token_generator._make_token_with_timestamp(
            mallory, then, default_token_generator.secret
        )
        path = f"{RESET}key/{user_pk_to_url_str(mallory)}-{token}/"
        shown = page_of(Client().get(path, follow=True)).text
        assert ("already been used" not in shown) is good, days


@pytest.mark.both_databases
def test_a_forgotten_password_is_replaced_by_a_letter_that_works_once(client, mallory):
    other = logged_in()
    client.post(RESET, LETTER)
    path = link_in(mail.outbox[0])
    form = client.get(path, follow=True).redirect_chain[-1][0]
    assert client.post(form, {"password1": ANOTHER, "password2": ANOTHER}).status_code == 302
    assert not is_in(other) and is_in(logged_in(password=ANOTHER))
    assert "already been used" in page(Client(), path).text


def test_asking_for_a_new_password_does_not_reveal_whether_an_account_exists(client, mallory):
    asked = [client.post(RESET, {"email": f"{name}@example.org"}) for name in ("mallory", "trudy")]
    assert asked[0]["Location"] == asked[1]["Location"]
    subjects = [letter.subject for letter in mail.outbox]
    assert subjects == ["Cutout: Password Reset Email", "Cutout: Unknown Account"]


@pytest.mark.both_databases
def test_letters_are_limited_for_each_address_and_each_account(client, mallory):
    asked = [client.post(RESET, LETTER).status_code for _ in range(6)]
    assert asked == [302] * 5 + [429] and len(mail.outbox) == 5
    log_in(client)
    show_who_one_is(client)
    mail.outbox.clear()
    for number in range(8):
        client.post("/accounts/email/", {"email": f"m{number}@example.org", "action_add": "1"})
        EmailAddress.objects.filter(email=f"m{number}@example.org").delete()
    to_confirm = [letter for letter in mail.outbox if "Confirm" in letter.subject]
    assert len(to_confirm) == 4, "five a day, and the first of them came with the sign-up"


@pytest.mark.both_databases
def test_a_new_password_logs_out_all_other_browsers(client, mallory):
    other = logged_in()
    log_in(client)
    assert change_password(client).status_code == 302
    assert is_in(client) and not is_in(other)
    assert AccountSession.objects.count() == 1, "the others are no longer listed"
    assert "password has been changed" in mail.outbox[0].body
