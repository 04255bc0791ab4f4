"""The catalogue in the admin: to look at, since its facts are corrected in the game folders. Public sets of people: to be moderated."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import reverse

from cardsdb.models import Card, Edition, OwnSet


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


@admin.register(OwnSet)
class OwnSetAdmin(admin.ModelAdmin):
    list_display = ("name", "game", "owner", "changed")
    list_filter = ("game",)
    list_select_related = ("box__owner",)
    search_fields = ("name",)
    fields = ("name", "game", "licence", "credit", "note", "visibility", "owner")
    readonly_fields = ("name", "game", "licence", "credit", "note", "owner")

    @admin.display(description="owner")
    def owner(self, obj: OwnSet) -> Any:
        return obj.box.owner

    def view_on_site(self, obj: OwnSet) -> str:
        """The set with its cards, which a moderator judges it by."""
        return reverse("own_set", args=[obj.link])

    def get_queryset(self, request: HttpRequest) -> QuerySet[OwnSet]:
        """The public ones. One that a moderator makes private is out of the admin's sight too."""
        return super().get_queryset(request) & OwnSet.objects.public()

    def save_model(self, request: HttpRequest, obj: OwnSet, form: ModelForm, change: bool) -> None:
        """Store who may see it and nothing else, since this object may be older than the stored set."""
        OwnSet.objects.filter(pk=obj.pk).update(visibility=obj.visibility)
        obj.box.changed()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: sets are made by whom they belong to."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No: a private set is seen by nobody else, and whoever made it keeps it."""
        return False
