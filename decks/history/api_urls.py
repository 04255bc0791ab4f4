"""Addresses of the API. Versions of a deck: undo, redo, names, differences, merging, forks."""

from __future__ import annotations

from django.urls import URLPattern, path

from decks.history import api

urlpatterns: list[URLPattern] = [
    path("decks/<slug:link>/revisions/", api.RevisionList.as_view()),
    path("decks/<slug:link>/revisions/<int:number>/", api.RevisionDetail.as_view()),
    path("decks/<slug:link>/undo/", api.Undo.as_view()),
    path("decks/<slug:link>/redo/", api.Redo.as_view()),
    path("decks/<slug:link>/fork/", api.Fork.as_view()),
]
