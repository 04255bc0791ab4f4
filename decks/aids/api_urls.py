"""Addresses of the API. What stands beside the cards on the table: character sheets, score books, set-ups."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
