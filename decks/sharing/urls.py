"""Addresses of a deck for other eyes."""

from __future__ import annotations

from django.urls import path

from decks.sharing import views

urlpatterns = [
    path("d/", views.open_link, name="open_link"),
    path("decks/<slug:link>/share/", views.deck_share, name="deck_share"),
    path("decks/<slug:link>/page.svg", views.deck_qr, {"what": "page"}, name="deck_qr"),
    path("decks/<slug:link>/list.svg", views.deck_qr, {"what": "list"}, name="deck_list_qr"),
    path("decks/<slug:link>/embed/", views.deck_embed, name="deck_embed"),
]
