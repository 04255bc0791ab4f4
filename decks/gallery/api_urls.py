"""Addresses of the API. Public decks: the query language over them, likes, favourites, comments."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
