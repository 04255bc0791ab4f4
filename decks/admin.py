"""The admin's page of public decks, on which moderators correct names and notes. Private decks are not shown.

Reports by visitors are decided elsewhere, in the site's own queue (``decks.public.moderation``).
Tests: ``tests/decks/saving/test_moderation.py``.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from decks.models import Deck
from decks.saving.history import moderate
from decks.web.forms import clean_name

# The fields that moderators may change.
MODERATED = ("name", "notes")


class ModeratedDeckForm(forms.ModelForm):
    """The fields that a moderator may change, validated like on the deck's own pages."""

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])


@admin.register(Deck)
class DeckAdmin(admin.ModelAdmin):
    form = ModeratedDeckForm
    list_display = ("name", "game", "owner", "changed")
    list_filter = ("game",)
    list_select_related = ("owner",)
    search_fields = ("name",)
    fields = (*MODERATED, "owner")
    readonly_fields = ("owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deck]:
        return super().get_queryset(request) & Deck.objects.public()

    def save_model(self, request: HttpRequest, obj: Deck, form: forms.ModelForm, change: bool) -> None:
        """Store only the fields changed in the form, since the other values of this object may be
        outdated.
        """
        if changed := set(form.changed_data) & set(MODERATED):
            stored = Deck.objects.stored(obj).get()
            moderate(
                obj.pk, **{name: getattr(obj if name in changed else stored, name) for name in MODERATED}
            )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Always False: decks are made on the site by their owners."""
        return False

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with transaction.atomic():
            note(Event.DELETED, obj.owner_id, thing="deck", number=obj.pk, name=obj.name)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for row in queryset:
                self.delete_model(request, row)
