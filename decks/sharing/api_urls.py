"""Addresses of the API of a deck for other eyes."""

from __future__ import annotations

from django.urls import path

from decks.sharing.oembed import OEmbed

urlpatterns = [path("oembed/", OEmbed.as_view(), name="oembed")]
