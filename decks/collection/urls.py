"""Addresses of what a person owns."""

from __future__ import annotations

from django.urls import path

from decks.collection import deck_views, views

urlpatterns = [
    path("collection/", views.collection_page, name="collection"),
    path("collection/cutout-collection.csv", views.collection_csv, name="collection_csv"),
    path("collection/import/", views.collection_import, name="collection_import"),
    path("collection/take/", views.collection_take, name="collection_take"),
    path("collection/decks/", deck_views.buildable, name="buildable"),
    path("collection/<slug:game_slug>/<slug:code>/", views.collection_card, name="collection_card"),
    path("decks/<slug:link>/missing/", deck_views.deck_missing, name="deck_missing"),
]
