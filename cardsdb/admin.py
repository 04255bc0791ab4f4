"""The catalogue in the admin: to look at. Its facts are corrected in the game folders."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from cardsdb.models import Card, Edition


class ReadOnly(admin.ModelAdmin):
    """Shown, never changed: the next loading would undo it."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(Card)
class CardAdmin(ReadOnly):
    list_display = ("name", "game", "type", "retired")
    list_filter = ("game", "retired")
    search_fields = ("name_folded",)


@admin.register(Edition)
class EditionAdmin(ReadOnly):
    list_display = ("number", "made")
