"""Addresses. House rules of a deck, and of a game's formats without a deck."""

from __future__ import annotations

from django.urls import path

from decks.house import views

urlpatterns = [
    path("decks/<slug:link>/house/", views.deck_house, name="deck_house"),
    path("games/<slug:game_slug>/house/", views.house_rules, name="house_rules"),
]
