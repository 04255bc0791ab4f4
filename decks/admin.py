"""The admin's pages of decks, formats, comments and reviews, where public ones are moderated. What owners
keep private is not shown.
"""

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from cardsdb.admin import ModeratedAdmin
from decks.leagues.league_formats import keep_league_private
from decks.models import Comment, Deck, LeagueFormat, Review
from decks.saving.history import keep_deck_private, moderate
from decks.web.forms import clean_name


class ModeratedDeckForm(forms.ModelForm):
    """The fields that a moderator may change, as strict as the deck's own pages."""

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])


@admin.register(Deck)
class DeckAdmin(ModeratedAdmin):
    form = ModeratedDeckForm
    keep_private = staticmethod(keep_deck_private)
    moderated = ("name", "notes")
    list_display = ("name", "game", "owner", "private_because", "changed")
    list_filter = ("game",)
    list_select_related = ("owner",)
    search_fields = ("name",)
    fields = ("name", "notes", "owner")

    def save_model(self, request: HttpRequest, obj: Deck, form: forms.ModelForm, change: bool) -> None:
        """Store only what was changed in the form, since this object may be older than the stored deck."""
        if changed := set(form.changed_data) & set(self.moderated):
            stored = Deck.objects.stored(obj).get()
            moderate(
                obj.pk, **{name: getattr(obj if name in changed else stored, name) for name in self.moderated}
            )
        super().save_model(request, obj, form, change)


@admin.register(LeagueFormat)
class LeagueFormatAdmin(ModeratedAdmin):
    keep_private = staticmethod(keep_league_private)
    list_display = ("name", "game", "owner", "private_because", "changed")
    list_filter = ("game",)
    list_select_related = ("owner",)
    search_fields = ("name",)
    fields = ("name", "game", "declared", "owner")


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
