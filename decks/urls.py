"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import include, path

from decks import card_decks, deck_page, downloads, views

TOPICS = ("workshop", "history", "numbers", "gallery", "sharing", "collection", "importing", "aids", "accounts", "house", "repairs")

urlpatterns = [
    # Before the addresses of decks, so that a topic may have a word of its own under /decks/.
    *(path("", include(f"decks.{topic}.urls")) for topic in TOPICS),
    path("decks/<slug:link>/", deck_page.deck_page, name="deck"),
    path("decks/<slug:link>/files/", downloads.deck_files, name="deck_files"),
    path("decks/<slug:link>/files/<slug:name>/", downloads.deck_file, name="deck_file"),
    path("decks/<slug:link>/delete/", views.deck_delete, name="deck_delete"),
    path("decks/<slug:link>/new-link/", views.deck_relink, name="deck_relink"),
    path("cards/<slug:game_slug>/<slug:code>/decks/", card_decks.card_decks, name="card_decks"),
]
