"""Decks in the admin: to moderate what is public."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from decks.models import Deck


@admin.register(Deck)
class DeckAdmin(admin.ModelAdmin):
    list_display = ("name", "game", "visibility", "changed")
    list_filter = ("game", "visibility")
    search_fields = ("name",)
    fields = ("name", "notes", "visibility", "owner")
    raw_id_fields = ("owner",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: a deck made here would have no cards and no edit link."""
        return False
