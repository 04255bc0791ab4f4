"""Addresses of the API. The editor: cards found on one side, the deck on the other, its verdict beside it."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
