"""Addresses of the API. Decks out of files of other programs."""

from __future__ import annotations

from django.urls import path

from decks.importing.api import Import

urlpatterns = [path("decks/import/", Import.as_view())]
