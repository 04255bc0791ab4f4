"""The audit log in Django's admin, to be read only. Django finds this module by its name. Tests:
``tests/cardsdb/site/test_audit.py``.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from cardsdb.models import AuditEntry


class ReadOnly(admin.ModelAdmin):
    """An admin page that only shows rows. The audit log must never be edited."""

    def _never(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _never


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """The audit log without the names of things: staff must not learn what people keep private."""

    list_display = ("made", "what", "account", "by", "thing", "number", "detail", "network")
    list_filter = ("what",)
    list_select_related = ("account", "by")
    search_fields = ("account__username", "network", "browser_tag")
    fields = ("made", "what", "account", "by", "thing", "number", "detail", "browser_tag", "network")
    date_hierarchy = "made"
