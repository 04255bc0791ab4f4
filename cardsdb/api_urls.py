"""API addresses of the catalogue."""

from __future__ import annotations

from django.urls import path

from cardsdb import api

urlpatterns = [
    path("games/", api.GameList.as_view()),
    path("games/<slug:slug>/", api.GameDetail.as_view()),
    path("sets/", api.SetList.as_view()),
    path("cards/", api.CardList.as_view()),
    path("cards/<slug:game_slug>/<slug:code>/", api.CardDetail.as_view()),
    path("search/explain/", api.Explain.as_view()),
    path("schema/", api.Schema.as_view(), name="api_schema"),
    path("docs/", api.docs, name="api_docs"),
]
