"""API addresses of the catalogue."""

from __future__ import annotations

from django.urls import path

from cardsdb.api import docs, views

urlpatterns = [
    path("", views.Addresses.as_view(), name="api_index"),
    path("games/", views.GameList.as_view()),
    path("games/<slug:slug>/", views.GameDetail.as_view()),
    path("games/<slug:slug>/play/", views.PlayGuideDetail.as_view()),
    path("sets/", views.SetList.as_view()),
    path("cards/", views.CardList.as_view(), name="api_cards"),
    path("cards/<slug:game_slug>/<slug:code>/", views.CardDetail.as_view()),
    path("rules/", views.RuleList.as_view()),
    path("glossary/", views.GlossaryList.as_view()),
    path("bulk/", views.BulkList.as_view(), name="api_bulk"),
    path("search/explain/", views.Explain.as_view()),
    path("schema/", views.Schema.as_view(), name="api_schema"),
    path("openapi.json", views.Schema.as_view(), name="api_openapi"),
    path("docs/", docs.docs, name="api_docs"),
]
