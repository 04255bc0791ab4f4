"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks import card_decks, downloads, views

urlpatterns = [
    path("check/", views.check, name="check"),
    path("decks/", views.deck_list, name="deck_list"),
    path("decks/new/", views.deck_new, name="deck_new"),
    path("decks/<slug:link>/", views.deck_page, name="deck"),
    path("decks/<slug:link>/files/", downloads.deck_files, name="deck_files"),
    path("decks/<slug:link>/files/<slug:name>/", downloads.deck_file, name="deck_file"),
    path("decks/<slug:link>/edit/", views.deck_edit, name="deck_edit"),
    path("decks/<slug:link>/delete/", views.deck_delete, name="deck_delete"),
    path("decks/<slug:link>/new-link/", views.deck_relink, name="deck_relink"),
    path("cards/<slug:game_slug>/<slug:code>/decks/", card_decks.card_decks, name="card_decks"),
]
