"""API addresses of decks."""

from __future__ import annotations

from django.urls import include, path

from decks import api
from decks.urls import TOPICS

urlpatterns = [
    *(path("", include(f"decks.{topic}.api_urls")) for topic in TOPICS),
    path("decks/", api.DeckList.as_view()),
    path("decks/validate/", api.Validate.as_view()),
    path("decks/convert/", api.Convert.as_view()),
    path("decks/<slug:link>/", api.DeckDetail.as_view()),
]
