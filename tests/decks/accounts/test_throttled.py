"""Wrong passwords are counted by account and network, so that nobody is shut out by others; and by account
for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PASSWORD = "a quiet field at noon"
# Counted in the cache: many attempts are the same to either engine.
on_sqlite = pytest.mark.engine("sqlite")


@pytest.fixture(autouse=True)
def victim() -> Iterator[User]:
    cache.clear()
    yield User.objects.create_user("victim", password=PASSWORD)
    cache.clear()


def log_in(address: str, password: str = PASSWORD) -> int:
    answer = Client(REMOTE_ADDR=address).post("/accounts/login/", {"login": "victim", "password": password})
    return answer.status_code


def test_wrong_passwords_from_elsewhere_do_not_shut_an_account_for_its_owner() -> None:
    assert [log_in("192.0.2.1", "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert log_in("192.0.2.1") == 429
    assert log_in("198.51.100.7") == 302


def test_a_try_counts_while_its_password_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(9):
        log_in("192.0.2.1", "wrong")
    looking, plain = [], User.check_password

    def check(user: User, password: str) -> bool:
        if not looking:
            looking.append(True)
            assert (log_in("192.0.2.1", "other"), log_in("198.51.100.7", "other")) == (429, 200)
        return plain(user, password)

    monkeypatch.setattr(User, "check_password", check)
    assert log_in("192.0.2.1") == 302 and log_in("192.0.2.1") == 302


def test_one_customer_of_ipv6_is_one_network() -> None:
    for number in range(10):
        log_in(f"2001:db8::{number}", "wrong")
    assert log_in("2001:db8::ffff", "wrong") == 429
    assert log_in("2001:db8:0:1::1") == 302


@on_sqlite
def test_a_hundred_wrong_passwords_an_hour_from_anywhere_are_the_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nobody looks at the hundred pages.
    monkeypatch.setattr("django.template.response.SimpleTemplateResponse.rendered_content", "")
    for number in range(100):
        assert log_in(f"198.51.{number}.1", "wrong") == 200
    assert log_in("192.0.2.1") == 429


@on_sqlite
def test_tries_that_a_network_is_refused_do_not_shut_an_account_for_its_owner() -> None:
    refused = [log_in("192.0.2.1", "wrong") for _ in range(60)] + [
        log_in("2001:db8::1", "wrong") for _ in range(60)
    ]
    assert refused.count(200) == 20 and refused.count(429) == 100
    assert log_in("198.51.100.7") == 302


@on_sqlite
def test_right_passwords_are_not_counted() -> None:
    assert {log_in("192.0.2.1") for _ in range(12)} == {302}
    assert {log_in(f"198.51.{number}.1") for number in range(102)} == {302}
