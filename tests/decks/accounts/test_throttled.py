"""Limits on wrong passwords (``decks/accounts/adapter.py``): by account and network, so that others cannot
lock an owner out, and by account over all networks.
"""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.accounts import PASSWORD, after, log_in, sign_up
from tests.support.pages import page_of

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture
def mallory():
    sign_up(Client(), email="mallory@example.org")


def came_from(address, login="mallory", password="wrong", **headers) -> int:
    """The status of the answer to a log-in from this network."""
    return int(log_in(Client(REMOTE_ADDR=address), login, password, **headers).status_code)


def test_ten_wrong_passwords_close_an_account_for_five_minutes(mallory):
    """However its name is spelled and whatever sender is claimed; but not for other networks or accounts."""
    sign_up(Client(), "Trent")
    spellings = ("mallory", "mallory@example.org", "MALLORY", "ＭＡＬＬＯＲＹ", " Mallory ")
    for number, login in enumerate(spellings * 2):
        assert came_from(HERE, login, **{"X-Forwarded-For": f"203.0.113.{number}"}) == 200
    answer = log_in(Client(REMOTE_ADDR=HERE), **{"X-Forwarded-For": ELSEWHERE})
    assert (answer.status_code, answer["Retry-After"]) == (429, "300")
    assert "Wait five minutes" in page_of(answer, status=429).text
    assert came_from(HERE, "Trent", PASSWORD) == came_from(ELSEWHERE, password=PASSWORD) == 302
    with after(seconds=301):
        assert came_from(HERE, password=PASSWORD) == 302


def test_a_try_counts_while_its_password_is_still_being_checked(mallory, monkeypatch):
    for _ in range(9):
        came_from(HERE)
    # While the first password is checked, two further tries come in.
    looking, plain = [], User.check_password

    def check(user: User, password) -> bool:
        if not looking:
            # The further tries call this function as well.
            looking.append(True)
            assert (came_from(HERE), came_from(ELSEWHERE)) == (429, 200)
        return plain(user, password)

    monkeypatch.setattr(User, "check_password", check)
    assert came_from(HERE, password=PASSWORD) == came_from(HERE, password=PASSWORD) == 302


def test_the_addresses_of_one_ipv6_network_count_together(mallory):
    for number in range(10):
        came_from(f"2001:db8::{number}")
    assert came_from("2001:db8::ffff") == 429
    assert came_from("2001:db8:0:1::1", password=PASSWORD) == 302


def test_wrong_passwords_from_all_networks_are_limited_to_a_hundred_an_hour(mallory, settings):
    """Tries that are refused to a network do not count, nor do right passwords."""
    assert settings.ACCOUNT_RATE_LIMITS["login_failed_anywhere"] == "100/h/key"
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_anywhere": "15/h/key"}
    assert {came_from(f"198.51.{number}.1", password=PASSWORD) for number in range(16)} == {302}
    assert [came_from(HERE) for _ in range(20)] == [200] * 10 + [429] * 10
    assert {came_from(f"198.51.{number}.1") for number in range(5)} == {200}
    assert came_from(ELSEWHERE, password=PASSWORD) == 429
