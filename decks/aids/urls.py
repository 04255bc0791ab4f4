"""Addresses. What stands beside the cards on the table: character sheets, score books, set-ups."""

from __future__ import annotations

from django.urls import path

from decks.aids import views

urlpatterns = [
    path("games/<slug:slug>/aids/", views.aids, name="aids"),
    path("games/<slug:slug>/aids/<slug:aid>/", views.aid, name="aid"),
    path("games/<slug:slug>/aids/<slug:aid>/into/<slug:link>/", views.aid_into_deck, name="aid_into_deck"),
    path("decks/<slug:link>/reveal/", views.deck_reveal, name="deck_reveal"),
]
