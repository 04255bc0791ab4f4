"""Accounts of before whose names differ in case alone: both go on, each by its own spelling."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from decks.models import AccountName

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OLD, YOUNG = "a quiet field at noon", "a loud street at night"


@pytest.fixture
def twins() -> tuple[User, User]:
    """bob and Bob, who were there before names had keys: the older has the name, the younger a key of their
    own.
    """
    cache.clear()
    made = []
    for name, password in (("bob", OLD), ("Bob", YOUNG)):
        user = User(username=name)
        user.set_password(password)
        made += User.objects.bulk_create([user])
    AccountName.objects.all().delete()
    for user, key in zip(made, ("bob", f"bob#{made[1].pk}"), strict=True):
        AccountName.objects.create(user=user, key=key)
    return made[0], made[1]


def logged_in(name: str, password: str) -> str:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": password})
    return client.session.get("_auth_user_id", "")


def test_each_logs_in_by_their_own_spelling_and_password(twins: tuple[User, User]) -> None:
    assert logged_in("bob", OLD) == str(twins[0].pk)
    assert logged_in("Bob", YOUNG) == str(twins[1].pk)
    assert logged_in("BOB", OLD) == str(twins[0].pk), "any other spelling is the older's"
    assert not logged_in("bob", YOUNG) and not logged_in("Bob", OLD)


def test_both_may_change_their_password_and_be_saved(twins: tuple[User, User]) -> None:
    for user, old in zip(twins, (OLD, YOUNG), strict=True):
        client = Client()
        client.force_login(user)
        new = "another field at dusk"
        answer = client.post(
            "/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new}
        )
        assert answer.status_code == 302
        assert logged_in(user.username, new) == str(user.pk)


@pytest.mark.both_databases
def test_a_twin_without_a_key_is_saved_and_gets_one(twins: tuple[User, User]) -> None:
    AccountName.objects.filter(user=twins[1]).delete()
    twins[1].save()
    assert AccountName.objects.get(user=twins[1]).key == f"bob#{twins[1].pk}"


def test_wrong_passwords_of_twins_are_counted_apart(twins: tuple[User, User]) -> None:
    for _ in range(11):
        logged_in("bob", "wrong")
    assert not logged_in("bob", OLD)
    assert logged_in("Bob", YOUNG)


def test_a_twin_that_takes_a_free_name_has_its_key(twins: tuple[User, User]) -> None:
    twins[1].username = "Robert"
    twins[1].save()
    assert AccountName.objects.get(user=twins[1]).key == "robert"
