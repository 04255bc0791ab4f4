"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks import views

urlpatterns = [
    path("check/", views.check, name="check"),
    path("decks/", views.deck_list, name="deck_list"),
    path("decks/new/", views.deck_new, name="deck_new"),
    path("decks/<str:link>/", views.deck_page, name="deck"),
    path("decks/<str:link>/edit/", views.deck_edit, name="deck_edit"),
    path("decks/<str:link>/delete/", views.deck_delete, name="deck_delete"),
    path("decks/<str:link>/new-link/", views.deck_relink, name="deck_relink"),
]
