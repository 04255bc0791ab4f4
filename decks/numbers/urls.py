"""Addresses. What a deck comes to: statistics of its game, odds, sample hands."""

from __future__ import annotations

from django.urls import path

from decks.numbers import views

urlpatterns = [
    path("decks/<slug:link>/numbers/", views.deck_numbers, name="deck_numbers"),
    path("decks/<slug:link>/numbers/odds/", views.deck_odds, name="deck_odds"),
    path("decks/<slug:link>/numbers/hands/", views.deck_hands, name="deck_hands"),
]
