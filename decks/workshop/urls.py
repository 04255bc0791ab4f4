"""Addresses. The editor: cards found on one side, the deck on the other, its verdict beside it."""

from __future__ import annotations

from django.urls import URLPattern, path

from decks.workshop import adding, names, new, settings, text_form, views

urlpatterns: list[URLPattern] = [
    path("decks/new/", new.deck_new, name="deck_new"),
    path("cards/<slug:game_slug>/<slug:code>/add/", adding.add_card, name="add_card"),
    path("decks/names/<slug:slug>/", names.card_names, name="card_names"),
    path("decks/<slug:link>/edit/", views.deck_edit, name="deck_edit"),
    path("decks/<slug:link>/edit/text/", text_form.deck_text, name="deck_text"),
    path("decks/<slug:link>/settings/", settings.deck_settings, name="deck_settings"),
]
