"""API addresses of decks."""

from __future__ import annotations

from django.urls import path

from decks import api

urlpatterns = [
    path("decks/", api.DeckList.as_view()),
    path("decks/validate/", api.Validate.as_view()),
    path("decks/convert/", api.Convert.as_view()),
    path("decks/<slug:link>/", api.DeckDetail.as_view()),
]
