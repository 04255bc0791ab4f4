"""API addresses of printing."""

from __future__ import annotations

from django.urls import path

from printing import api

urlpatterns = [path("sheets/", api.Sheets.as_view())]
