"""A stored deck as values: its content, what each viewer is shown of it, and the format that judges it.

``Deck`` (``deck.py``) derives from it, and has the columns. Strangers never get secret cards, nor own cards
(those that visitors made) whose set they may not see: ``decklist_for`` and ``judged_for`` remove them.
Tests: ``tests/decks/models/test_deck.py``; for leagues ``tests/decks/leagues/test_privacy.py``.
"""

from dataclasses import replace
from typing import Any

from django.db.models import Q
from django.utils.functional import cached_property

from cardsdb.catalogue.current import catalogue, game_named
from cardsdb.games import kit
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from cardsdb.models.owned import SHARED, Moderated, Visibility
from decks.core.content import (
    DeckContent,
    with_names_alone,
    with_secrets_covered,
    without_secrets,
    written_card,
)
from decks.core.judging import Judged, judge
from decks.core.used_format import LeagueLookup, format_with
from decks.models.contents import DeckLine, DeckRevision, contents_of
from decks.models.league import LeagueFormat, found_among


class DeckValues(Moderated):
    """The base of ``Deck``, which has the columns and tells who may edit (``is_editable_by``)."""

    class Meta:
        abstract = True

    # -- the content as values, secrets included

    @cached_property
    def lines_read(self) -> list[DeckLine]:
        """The lines in order. They cost a query, unless ``with_cards`` has read them for many decks."""
        return list(DeckLine.objects.in_decks((self.pk,)))

    def _forget_lines(self) -> None:
        """Drop the cached lines after others were stored."""
        for name in ("lines_read", "entries_read"):
            vars(self).pop(name, None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        self._forget_lines()
        super().refresh_from_db(*args, **kwargs)

    def decklist(self) -> kit.Decklist:
        """Return the whole deck, secrets included, as the value that the rules judge."""
        return kit.Decklist(self.entries_read, self.details, self.name)

    @cached_property
    def entries_read(self) -> tuple[kit.Entry, ...]:
        """The lines as values. If the game no longer has a line's section, the card goes to the section for
        its type.
        """
        game, cards, entries = game_named(self.game), self.cards_by_key(), []
        for line in self.lines_read:
            card = written_card(self.game, line.written) if line.card_id is None else cards[line.card_id]
            section = line.section
            if game and section not in game.sections_by_slug:
                section = game.section_for(card.type)
            entries.append(kit.Entry(card, line.count, section, line.marks))
        return tuple(entries)

    def content(self) -> DeckContent:
        """Return everything that the author wrote, secrets included."""
        return DeckContent(self.decklist(), self.format, self.house, self.notes, tuple(self.tags))

    def content_at(self, number: int, game: kit.Game) -> DeckContent | None:
        """Return the content of this revision, None if it is not kept."""
        if number == self.revision:
            return self.content()
        row = DeckRevision.objects.of(self.pk).filter(number=number).first()
        return contents_of((row,), game)[0] if row else None

    # -- what viewers are shown, and the verdict

    def decklist_for(self, viewer: Viewer, game: kit.Game) -> kit.Decklist:
        """Return the deck as this viewer may see it.

        Secret cards are left out, unless the viewer may edit the deck or they are revealed. Own cards whose
        set the viewer may not see keep only their names.
        """
        deck = self.decklist() if self.shows_secrets_to(viewer) else without_secrets(game, self.decklist())
        return self._as_shown_to(viewer, deck)

    def decklist_to_share(self, game: kit.Game) -> kit.Decklist:
        """Return the deck for an address that holds the whole list. Secret cards are replaced by nameless
        ones, so that the size stays right.
        """
        deck = self.decklist() if self.revealed else with_secrets_covered(game, self.decklist())
        return self._as_shown_to(Viewer(), deck)

    def shows_secrets_to(self, viewer: Viewer) -> bool:
        return self.revealed or self.is_editable_by(viewer)

    def judged(self, game: kit.Game) -> Judged:
        """Judge the whole deck. Only for viewers who may edit it: the result names secret cards."""
        return judge(game, self.decklist(), self.format_used(game))

    def judged_for(self, viewer: Viewer, game: kit.Game) -> Judged:
        """Judge the whole deck and return the verdict with the cards that this viewer may see, as
        ``decklist_for`` has them.
        """
        hides_secrets = not self.shows_secrets_to(viewer)
        judged = judge(game, self.decklist(), self.format_used(game), keep_secrets=hides_secrets)
        shown = self._as_shown_to(viewer, judged.deck)
        reading = replace(judged.reading, deck=shown)
        return replace(judged, reading=reading, has_names_alone=shown != judged.deck)

    def _as_shown_to(self, viewer: Viewer, deck: kit.Decklist) -> kit.Decklist:
        """Return the deck in which own cards whose set the viewer may not see are reduced to their names,
        unless the viewer may edit the deck.
        """
        codes = {entry.card.code for entry in deck if entry.card.own}
        if not codes or self.is_editable_by(viewer):
            return deck
        secret = codes - OwnCard.objects.codes_told_to(viewer, codes)
        return replace(deck, entries=with_names_alone(deck, secret))

    def format_used(self, game: kit.Game) -> kit.Format:
        """Return the format that the deck is judged by: its own with its league and house rules, as far as
        they still exist.
        """
        return format_with(game, self.format, self.house, self.leagues)

    @property
    def leagues(self) -> LeagueLookup:
        """The leagues by whose formats the deck may be judged."""
        return self.leagues_while(self.visibility)

    def leagues_while(self, visibility: str) -> LeagueLookup:
        """Return the leagues that the deck may use with this visibility: shared ones, and for a private deck
        also those of its owner or of browsers that may edit it.

        So all who may see a deck see the same verdict, and a shared deck tells nothing about a private
        league.
        """
        usable = Q(visibility__in=SHARED)
        if visibility == Visibility.PRIVATE and self.owner_id:
            usable |= Q(owner=self.owner_id)
        if visibility == Visibility.PRIVATE and self.pk:
            usable |= Q(browser__in=self.browsers.values("browser"))
        return found_among(LeagueFormat.objects.filter(usable))

    def named_cards(self) -> list[kit.Card]:
        """Return the cards that the deck's list may name besides those of the game: those that it holds
        already, even if they are retired or own cards.
        """
        return [entry.card for entry in self.decklist() if entry.card.has_page] if self.pk else []

    def cards_by_key(self) -> dict[int, kit.Card]:
        """Return primary key -> card for the catalogue's cards in the deck."""
        return catalogue().cards(line.card_id for line in self.lines_read if line.card_id)
