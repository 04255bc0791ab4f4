"""Names of accounts are visible, in one spelling, and no two look the same; an account's likes are counted
off when it is deleted.
"""

import unicodedata
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from decks.accounts.kinds import delete_user
from decks.models import Deck, Like
from decks.models.people import MAX_NAME, clean_account_name, name_key
from tests.support.queries import queries_of

FINE = ["агент", "Zoë", "李小龍", "o.o", "x-1_2", "ab", "a" * MAX_NAME, "Ａｂｃ", "हिन्दी", "Zoe\u0308"]
BAD = ["", "a", "a" * (MAX_NAME + 1), "two words", "two\nlines", "me@example.org", "<b>x</b>", ".kai", "kai."]
BAD += ["a\u200bb", "a\u202eb", "\u3164\u3164", "\u115f\u1160", "\u2800\u2800", "a\u00adb", "a\ufe0fb"]
BAD += ["a\u034fb", "\u0301\u0301", "a\x00b", "a\ud800b", "🕵🕵", "Z" + "\u0338" * 9 + "x"]
BAD += ["ADMIN", "ａｄｍｉｎ", "Cutout", "moderator"]


@pytest.mark.parametrize("name", FINE)
def test_a_name_is_stored_in_one_spelling(name):
    kept = clean_account_name(name)
    assert kept == unicodedata.normalize("NFC", kept) == clean_account_name(kept)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_a_name_that_cannot_be_seen_or_speaks_for_the_site_is_refused(name):
    with pytest.raises(ValidationError):
        clean_account_name(name)


@given(st.text(max_size=40))
def test_an_accepted_name_is_visible_and_cleaning_it_again_changes_nothing(name):
    try:
        kept = clean_account_name(name)
    except ValidationError:
        return
    assert kept.isprintable()
    assert clean_account_name(kept) == kept
    assert name_key(kept) == name_key(name_key(kept))


@pytest.mark.django_db
@pytest.mark.parametrize("twins", [("Straße", "STRASSE"), ("Агент", "агент"), ("Kai", "ⓚai")])
def test_the_database_refuses_a_second_name_that_looks_the_same(twins):
    User.objects.create_user(twins[0])
    with pytest.raises(IntegrityError):
        User.objects.create_user(twins[1])


@pytest.mark.django_db
def test_a_name_that_was_given_up_can_be_taken():
    user = User.objects.create_user("Kai")
    user.username = "Termite"
    user.save()
    User.objects.create_user("kai")


# -- likes


def who_likes(count: int, name: str) -> User:
    """An account that likes ``count`` decks."""
    user = User.objects.create_user(name)
    decks = Deck.objects.bulk_create(
        Deck(game="spycraft", format="agency", name=str(n), edit_hash=str(n), link=f"{name}{n}", likes=1)
        for n in range(count)
    )
    Like.objects.bulk_create(Like(deck=deck, user=user) for deck in decks)
    return user


@pytest.mark.django_db
def test_deleting_an_account_takes_the_same_queries_for_many_likes():
    counts = []
    for count, name in ((2, "few"), (300, "many")):
        counts.append(len(queries_of(partial(delete_user, who_likes(count, name).pk))))
    assert counts[1] <= counts[0] + 6
    assert not Deck.objects.exclude(likes=0).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("way", [lambda user: user.delete(), lambda user: User.objects.all().delete()])
def test_deleting_an_account_lowers_the_likes_of_its_decks(way):
    way(who_likes(2, "anna"))
    assert list(Deck.objects.values_list("likes", flat=True)) == [0, 0]
