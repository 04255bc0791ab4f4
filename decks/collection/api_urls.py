"""Addresses of the API. What a person owns, what a deck still lacks, which decks can be built at once."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
