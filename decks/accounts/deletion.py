"""Deleting an account, with all that belonged to it."""

from __future__ import annotations

from django.contrib.auth.models import User


def delete_user(user_id: int) -> None:
    """Delete the user; the database takes along decks with their history, comments, likes, favourites, collection, passkeys,
    and what other apps keep for an account (``decks.accounts.account_data``), files included.

    Decks of others stay, and are liked by one less (``decks.models.social``). Wants a transaction around it.
    """
    User.objects.filter(pk=user_id).delete()
