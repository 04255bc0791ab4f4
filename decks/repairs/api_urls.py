"""Addresses of the API. Repairs come with a verdict (``decks/validate/``), so there are none of their own."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
