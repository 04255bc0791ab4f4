"""Addresses of the API. What a deck comes to: statistics of its game, odds, sample hands."""

from __future__ import annotations

from django.urls import path

from decks.numbers import api

urlpatterns = [
    path("decks/<slug:link>/numbers/", api.DeckNumbers.as_view()),
    path("decks/<slug:link>/numbers/odds/", api.DeckOdds.as_view()),
    path("decks/<slug:link>/numbers/hands/", api.DeckHands.as_view()),
]
