"""The admin's pages of decks, formats, comments and reviews, where public ones are moderated. What is not public is not shown there."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from decks.history.undo import moderate
from decks.models import Comment, Deck, LeagueFormat, Review
from decks.web.forms import clean_name


class ModeratedDeckForm(forms.ModelForm):
    """What a moderator may change, as strict as the deck's own pages."""

    class Meta:
        model = Deck
        fields = ("name", "notes", "visibility")

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])


@admin.register(Deck)
class DeckAdmin(admin.ModelAdmin):
    form = ModeratedDeckForm
    list_display = ("name", "game", "owner", "visibility", "changed")
    list_filter = ("game",)
    list_select_related = ("owner",)
    search_fields = ("name",)
    fields = ("name", "notes", "visibility", "owner")
    readonly_fields = ("owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deck]:
        """What everybody may see. A deck that a moderator makes private is out of the admin's sight too."""
        return super().get_queryset(request) & Deck.objects.public()

    def save_model(self, request: HttpRequest, obj: Deck, form: ModeratedDeckForm, change: bool) -> None:
        """Store only what was changed in the form, since this object may be older than the stored deck."""
        stored = Deck.objects.get(pk=obj.pk)
        values = {name: getattr(obj if name in form.changed_data else stored, name) for name in ModeratedDeckForm.Meta.fields}
        moderate(obj.pk, **values)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: a deck made here would have no cards and no edit link."""
        return False


@admin.register(LeagueFormat)
class LeagueFormatAdmin(admin.ModelAdmin):
    list_display = ("name", "game", "owner", "changed")
    list_filter = ("game",)
    list_select_related = ("owner",)
    search_fields = ("name",)
    fields = ("name", "game", "declared", "visibility", "owner")
    readonly_fields = ("name", "game", "declared", "owner")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LeagueFormat]:
        """The public ones. One that a moderator makes private is out of the admin's sight too."""
        return super().get_queryset(request) & LeagueFormat.objects.public()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: formats are made by whom they belong to."""
        return False


@admin.register(Comment)
class CommentAdmin(admin.ModelAdmin):
    list_display = ("text", "author", "state", "made")
    list_filter = ("state",)
    list_select_related = ("author",)
    search_fields = ("text", "author__username")
    fields = ("deck", "author", "text", "state")
    readonly_fields = ("deck", "author", "text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Comment]:
        """Those under public decks."""
        return super().get_queryset(request).filter(deck__in=Deck.objects.public())

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: comments are written under decks."""
        return False


@admin.register(Review)
class ReviewAdmin(admin.ModelAdmin):
    list_display = ("text", "card", "author", "reported", "hidden", "changed")
    list_filter = ("reported", "hidden")
    list_select_related = ("card", "author")
    search_fields = ("text", "author__username")
    fields = ("card", "author", "text", "reported", "hidden")
    readonly_fields = ("card", "author", "text")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No: reviews are written on the pages of cards."""
        return False
