"""API addresses of the catalogue."""

from __future__ import annotations

from django.urls import path

from cardsdb.api import addresses as api
from cardsdb.api import cards as api_cards
from cardsdb.api import docs as api_docs
from cardsdb.web import bulk_views as bulk_pages

urlpatterns = [
    path("", api.Addresses.as_view(), name="api_index"),
    path("games/", api.GameList.as_view()),
    path("games/<slug:slug>/", api.GameDetail.as_view()),
    path("sets/", api.SetList.as_view()),
    path("cards/", api_cards.CardList.as_view(), name="api_cards"),
    path("cards/<slug:game_slug>/<slug:code>/", api_cards.CardDetail.as_view()),
    path("rules/", api.RuleList.as_view()),
    path("glossary/", api.GlossaryList.as_view()),
    path("bulk/", bulk_pages.BulkList.as_view(), name="api_bulk"),
    path("search/explain/", api.Explain.as_view()),
    path("schema/", api_docs.Schema.as_view(), name="api_schema"),
    path("openapi.json", api_docs.Schema.as_view(), name="api_openapi"),
    path("docs/", api_docs.docs, name="api_docs"),
]
