"""Addresses of the API. House rules are a field of what is judged and kept, so they have none of their own."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
