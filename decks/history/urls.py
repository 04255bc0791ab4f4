"""Addresses. Versions of a deck: undo, redo, names, differences, merging, forks."""

from __future__ import annotations

from django.urls import URLPattern, path

from decks.history import comparing, views

urlpatterns: list[URLPattern] = [
    path("decks/compare/", comparing.deck_compare, name="deck_compare"),
    path("decks/<slug:link>/history/", views.deck_history, name="deck_history"),
    path("decks/<slug:link>/history/<int:number>/", views.deck_version, name="deck_version"),
    path("decks/<slug:link>/history/<int:number>/restore/", views.deck_restore, name="deck_restore"),
    path("decks/<slug:link>/history/<int:number>/name/", views.deck_name_version, name="deck_name_version"),
    path("decks/<slug:link>/undo/", views.deck_undo, name="deck_undo"),
    path("decks/<slug:link>/redo/", views.deck_redo, name="deck_redo"),
    path("decks/<slug:link>/fork/", views.deck_fork, name="deck_fork"),
]
