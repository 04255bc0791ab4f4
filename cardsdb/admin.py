"""The admin's pages of the audit log, to look at, and of public sets of people, to be moderated."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from cardsdb.box.sets import keep_set_private
from cardsdb.models import AuditEntry, OwnSet, Visibility
from cardsdb.models.audit import Event
from cardsdb.site.audit import note


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


class ModeratedAdmin(admin.ModelAdmin):
    """The things that people made public, and those that staff keep private. The rest is out of sight.

    ``moderated``: what can be changed of a public one beside who sees it. ``keep_private`` stores a reason;
    an empty one lifts it.
    """

    keep_private: Callable[[int, str], None]
    moderated: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request) & self.model.objects.moderated()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Of what is private nothing but what it is called, whose it is, and why."""
        shown = (
            super().get_fields(request, obj)
            if obj is None or obj.visibility == Visibility.PUBLIC
            else ("name", "game", "owner")
        )
        return (*shown, "private_because")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        may_change = self.moderated if obj is None or obj.visibility == Visibility.PUBLIC else ()
        return tuple(
            name for name in self.get_fields(request, obj) if name not in (*may_change, "private_because")
        )

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm, change: bool) -> None:
        """Store why it is kept private and nothing else, since this object may be older than what is
        stored.
        """
        if "private_because" in form.changed_data:
            type(self).keep_private(obj.pk, obj.private_because)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: they are made by whom they belong to."""
        return False

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with transaction.atomic():
            note(Event.DELETED, obj.owner_id, thing=str(self.opts.verbose_name), number=obj.pk, name=obj.name)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for row in queryset:
                self.delete_model(request, row)


@admin.register(OwnSet)
class OwnSetAdmin(ModeratedAdmin):
    keep_private = staticmethod(keep_set_private)
    list_display = ("name", "game", "owner", "private_because", "changed")
    list_filter = ("game",)
    list_select_related = ("box__owner",)
    search_fields = ("name",)
    fields = ("name", "game", "licence", "credit", "note", "owner")

    @admin.display(description="owner")
    def owner(self, obj: OwnSet) -> Any:
        return obj.box.owner

    def view_on_site(self, obj: OwnSet) -> str:
        """The set with its cards, which a moderator judges it by."""
        return reverse("own_set", args=[obj.link])

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No: a private set is seen by nobody else, and whoever made it keeps it."""
        return False
