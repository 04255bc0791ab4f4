"""Decks as the database keeps them. Every look-up says who asks."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, kit
from cardsdb.models import Card
from decks.validation import Judged, judge, without_secrets
from decks.visitors import Visitor, hashed, new_key


class ChangedElsewhere(Exception):
    """The deck was saved by somebody else since it was read."""


class Visibility(models.TextChoices):
    PRIVATE = "private", "Private: only you, in this browser or with the edit link"
    UNLISTED = "unlisted", "Unlisted: whoever has the link"
    PUBLIC = "public", "Public: everyone, and in the list of decks"


class DeckQuerySet(models.QuerySet["Deck"]):
    """Who may see and change what. There is no other way to a deck."""

    def editable_by(self, visitor: Visitor) -> Self:
        return self.filter(_own(visitor))

    def visible_to(self, visitor: Visitor) -> Self:
        """What a visitor may open who has the address; an unlisted deck's address is its secret."""
        return self.filter(_own(visitor) | Q(visibility__in=(Visibility.UNLISTED, Visibility.PUBLIC)))

    def listed_for(self, visitor: Visitor) -> Self:
        """What lists may show to a visitor: public decks and their own."""
        return self.filter(_own(visitor) | Q(visibility=Visibility.PUBLIC))

    def with_cards(self) -> Self:
        """With lines, cards and prints, in three queries for any number of decks."""
        return self.prefetch_related(
            models.Prefetch("lines", DeckLine.objects.select_related("card")),
            "lines__card__prints",
        )


def _own(visitor: Visitor) -> Q:
    # An empty list matches nothing, so a visitor without keys owns nothing.
    own = Q(edit_hash__in=visitor.key_hashes)
    return own | Q(owner=visitor.user_id) if visitor.user_id else own


class Deck(models.Model):
    """A deck. ``link`` is its address: 128 random bits, not derived from anything."""

    link = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    edit_hash = models.CharField(max_length=64, db_index=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE)
    game = models.SlugField(max_length=40)
    format = models.SlugField(max_length=40)
    name = models.CharField(max_length=120)
    notes = models.TextField(max_length=5_000, blank=True)
    details = models.JSONField(default=dict, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    revision = models.PositiveIntegerField(default=0, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ("-changed", "-id")
        indexes = [models.Index(fields=("visibility", "-changed", "-id"), name="deck_listed")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    def is_editable_by(self, visitor: Visitor) -> bool:
        return self.edit_hash in visitor.key_hashes or (visitor.user_id is not None and self.owner_id == visitor.user_id)

    @transaction.atomic
    def keep(self, deck: kit.Decklist) -> None:
        """Save this deck with exactly these entries. Raises ChangedElsewhere when it is no longer what was read."""
        if self.pk and not Deck.objects.filter(pk=self.pk, revision=self.revision).update(revision=self.revision + 1):
            raise ChangedElsewhere
        self.revision += 1 if self.pk else 0
        self.details = dict(deck.details)
        self.changed = timezone.now()
        self.save()
        self.lines.all().delete()
        codes = {entry.card.code for entry in deck if not entry.card.written}
        ids = dict(Card.objects.in_game(self.game).filter(code__in=codes).values_list("code", "id"))
        if codes - ids.keys():
            sentence = "The site's catalogue is being brought up to date; try again in a minute."
            raise Refused(Fault("catalogue_behind", sentence, "text"), status=503)
        DeckLine.objects.bulk_create(
            DeckLine(
                deck=self,
                position=position,
                section=entry.section,
                count=entry.count,
                card_id=None if entry.card.written else ids[entry.card.code],
                written=_written(entry.card) if entry.card.written else None,
            )
            for position, entry in enumerate(deck)
        )

    def decklist(self) -> kit.Decklist:
        """The deck as the rules see it. Wants ``with_cards``."""
        game = game_named(self.game)
        entries = []
        for line in self.lines.all():
            card = line.as_card(self.game)
            # A section that the game no longer has: the card goes where its type belongs now.
            gone = game is not None and line.section not in game.sections_by_slug
            entries.append(kit.Entry(card, line.count, game.section_for(card.type) if game and gone else line.section))
        return kit.Decklist(tuple(entries), self.details, self.name)

    def decklist_for(self, visitor: Visitor, game: kit.Game) -> kit.Decklist:
        """The deck as this visitor may see it: what is secret is the owner's alone."""
        return self.decklist() if self.is_editable_by(visitor) else without_secrets(game, self.decklist())

    def judged_for(self, visitor: Visitor, game: kit.Game) -> Judged:
        """The whole deck judged; what is secret is not named to a stranger. Wants ``with_cards``."""
        format = game.formats_by_slug.get(self.format, game.formats[0])
        return judge(game, self.decklist(), format, keep_secrets=not self.is_editable_by(visitor))


def new_deck(owner_id: int | None = None, **values: object) -> tuple[Deck, str]:
    """An unsaved deck and the key that edits it; the key is nowhere else."""
    key = new_key()
    return Deck(edit_hash=hashed(key), owner_id=owner_id, **values), key


def _written(card: kit.Card) -> dict[str, object]:
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    return {"code": card.code, "name": card.name, "type": card.type, "facts": facts}


class DeckLine(models.Model):
    """Some copies of one card in one section: a card of the catalogue, or one written in."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField()
    section = models.SlugField(max_length=40)
    count = models.PositiveSmallIntegerField()
    card = models.ForeignKey(Card, null=True, blank=True, on_delete=models.PROTECT, related_name="deck_lines")
    written = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(fields=("deck", "section", "card"), name="card_once_per_section"),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=99), name="count_1_to_99"),
            models.CheckConstraint(condition=Q(card__isnull=False) ^ Q(written__isnull=False), name="card_or_written"),
        ]

    def __str__(self) -> str:
        return f"{self.count} x {self.card_id or self.written}"

    def as_card(self, game_slug: str) -> kit.Card:
        if self.card:
            return self.card.as_card()
        written = self.written
        facts = {key: tuple(value) if isinstance(value, list) else value for key, value in written["facts"].items()}
        claim = kit.Claim("", note="written in by the author of the list")
        return kit.Card(game_slug, written["code"], written["name"], written["type"], facts, sources={"": (claim,)}, written=True)
