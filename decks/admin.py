"""The admin's pages of decks and formats, where the words of public ones are moderated. What owners keep private
is not shown. What is reported is decided in the site's own queue (``decks.public.moderation``).
"""

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from cardsdb.admin import ModeratedAdmin
from decks.leagues.league_formats import keep_league_private
from decks.models import Deck, LeagueFormat
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
