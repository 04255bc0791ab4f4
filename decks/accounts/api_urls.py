"""Addresses of the API. Accounts: what belongs to one, and how it is taken along or away."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
