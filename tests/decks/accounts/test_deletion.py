"""An account goes in few steps, however much it liked, and by whichever way it goes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.accounts.kinds import delete_user
from decks.models import Deck, Like

pytestmark = pytest.mark.django_db


def who_likes(count: int, name: str) -> User:
    user = User.objects.create_user(name)
    decks = Deck.objects.bulk_create(
        Deck(game="spycraft", format="agency", name=str(n), edit_hash=str(n), link=f"{name}{n}", likes=1)
        for n in range(count)
    )
    Like.objects.bulk_create(Like(deck=deck, user=user) for deck in decks)
    return user


def test_the_steps_do_not_grow_with_the_likes() -> None:
    counts = []
    for count, name in ((2, "few"), (300, "many")):
        user = who_likes(count, name)
        with CaptureQueriesContext(connection) as made:
            delete_user(user.pk)
        counts.append(len(made))
    assert counts[1] <= counts[0] + 6
    assert not Deck.objects.exclude(likes=0).exists()


@pytest.mark.parametrize(
    "way",
    [lambda user: delete_user(user.pk), lambda user: user.delete(), lambda user: User.objects.all().delete()],
)
def test_by_whichever_way_it_goes_the_decks_are_liked_by_one_less(way: Callable[[User], object]) -> None:
    way(who_likes(2, "anna"))
    assert list(Deck.objects.values_list("likes", flat=True)) == [0, 0]


def test_to_like_no_longer_counts_once(client: Client) -> None:
    deck = Deck.objects.create(game="spycraft", format="agency", name="A", edit_hash="x", visibility="public")
    client.force_login(User.objects.create_user("anna"))
    likes = []
    for _ in range(3):
        client.post(f"/decks/{deck.link}/like/")
        likes.append(Deck.objects.get().likes)
    assert likes == [1, 0, 1]
