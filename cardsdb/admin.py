"""The admin's page of the audit log, to look at."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from cardsdb.models import AuditEntry


class ReadOnly(admin.ModelAdmin):
    """Shown, never changed: the next loading would undo it."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """Without the names that people gave their things: of what they keep private staff see nothing."""

    list_display = ("made", "what", "account", "by", "thing", "number", "detail", "network")
    list_filter = ("what",)
    list_select_related = ("account", "by")
    search_fields = ("account__username", "network", "browser_tag")
    fields = ("made", "what", "account", "by", "thing", "number", "detail", "browser_tag", "network")
    date_hierarchy = "made"
