"""Names of accounts: visible, in one spelling, and no two that look the same."""

from __future__ import annotations

import unicodedata

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from decks.models import AccountName
from decks.models.people import MAX_NAME, clean_account_name, name_key

FINE = ["Kai", "агент", "Zoë", "李小龍", "o.o", "x-1_2", "ab", "a" * MAX_NAME, "Ａｂｃ", "हिन्दी", "Zoe\u0308"]
BAD = [
    "",
    " ",
    "a",
    "a" * (MAX_NAME + 1),
    "two words",
    "two\nlines",
    "a\u200bb",
    "a\u202eb",
    "\u3164\u3164",
    "\u115f\u1160",
    "\u2800\u2800",
]
BAD += [
    "a\u00adb",
    "a\ufe0fb",
    "a\u034fb",
    "\u0301\u0301",
    "a\x00b",
    "a\ud800b",
    "me@example.org",
    "<b>x</b>",
    ".kai",
    "kai.",
    "🕵🕵",
    "Z" + "\u0338" * 9 + "x",
]
BAD += ["admin", "ADMIN", "ａｄｍｉｎ", "Cutout", "moderator"]


@pytest.mark.parametrize("name", FINE)
def test_a_name_is_kept_in_one_spelling(name: str) -> None:
    kept = clean_account_name(name)
    assert kept == unicodedata.normalize("NFC", kept) == clean_account_name(kept)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_a_name_that_cannot_be_seen_or_speaks_for_the_site_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        clean_account_name(name)


@given(st.text(max_size=40))
def test_any_name_that_is_taken_is_visible_and_the_same_when_given_again(name: str) -> None:
    try:
        kept = clean_account_name(name)
    except ValidationError:
        return
    assert kept.isprintable() and clean_account_name(kept) == kept
    assert name_key(kept) == name_key(name_key(kept))


@pytest.mark.django_db
@pytest.mark.parametrize("twin", ["KAI", "kai", "Ｋａｉ", "ⓚai"])
def test_no_name_is_given_twice_whatever_its_case(client: Client, twin: str) -> None:
    cache.clear()
    User.objects.create_user("Kai")
    answer = client.post(
        "/accounts/signup/", {"username": twin, "email": "", "password1": "a quiet field at noon"}
    )
    assert "This name, or one that looks the same" in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("twins", [("Straße", "STRASSE"), ("Агент", "агент"), ("Kai", "kai")])
def test_the_database_itself_refuses_a_second_name_that_is_the_same(twins: tuple[str, str]) -> None:
    User.objects.create_user(twins[0])
    with pytest.raises(IntegrityError):
        User.objects.create_user(twins[1])


@pytest.mark.django_db
def test_a_name_that_is_given_up_is_free() -> None:
    user = User.objects.create_user("Kai")
    user.username = "Termite"
    user.save()
    User.objects.create_user("kai")


@pytest.mark.django_db
def test_of_two_who_take_a_name_in_one_moment_one_is_asked_for_another(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    User.objects.create_user("Kai")
    monkeypatch.setattr(AccountName.objects, "named", lambda name: User.objects.none())
    monkeypatch.setattr(DefaultAccountAdapter, "clean_username", lambda self, name, shallow=False: name)
    answer = client.post(
        "/accounts/signup/",
        {"username": "KAI", "email": "", "password1": "a quiet field at noon"},
        follow=True,
    )
    assert (
        "This name, or one that looks the same" in answer.content.decode()
        and answer.redirect_chain[0][0] == "/accounts/signup/"
    )
    assert User.objects.count() == 1
