"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks import views

urlpatterns = [
    path("check/", views.check, name="check"),
    path("decks/", views.deck_list, name="deck_list"),
    path("decks/new/", views.deck_new, name="deck_new"),
    path("decks/<slug:link>/", views.deck_page, name="deck"),
    path("decks/<slug:link>/edit/", views.deck_edit, name="deck_edit"),
    path("decks/<slug:link>/delete/", views.deck_delete, name="deck_delete"),
    path("decks/<slug:link>/new-link/", views.deck_relink, name="deck_relink"),
]
