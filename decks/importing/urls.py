"""Addresses. Decks out of files of other programs, and a game's cards for those programs."""

from __future__ import annotations

from django.urls import path

from decks.importing import card_files, views

urlpatterns = [
    path("decks/import/", views.deck_import, name="deck_import"),
    path("games/<slug:slug>/lackey.zip", card_files.lackey_plugin, name="lackey_plugin"),
    path("games/<slug:slug>/lackey/<path:path>", card_files.lackey_file, name="lackey_file"),
    path("games/<slug:slug>/cockatrice.xml", card_files.cockatrice_cards, name="cockatrice_cards"),
]
