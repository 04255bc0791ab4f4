"""Decks as the database keeps them. Every look-up says who asks."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, kit
from cardsdb.games.kit.words import VERDICTS
from cardsdb.holdings import edition
from cardsdb.models import Card
from decks.validation import Judged, judge, without_secrets
from decks.verdicts import basis
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

    def public(self) -> Self:
        """What everybody may see, whoever asks."""
        return self.listed_for(Visitor())

    def with_cards(self) -> Self:
        """With lines, cards and prints, in three queries for any number of decks."""
        return self.prefetch_related(
            models.Prefetch("lines", DeckLine.objects.select_related("card")),
            "lines__card__prints",
        )


def _own(visitor: Visitor) -> Q:
    own = Q(pk__in=())
    if visitor.key_hash:
        own |= Q(edit_hash=visitor.key_hash)
    if visitor.browser:
        own |= Q(pk__in=HeldKey.objects.filter(browser=visitor.browser).values("deck"))
    return own | Q(owner=visitor.user_id) if visitor.user_id else own


class Deck(models.Model):
    """A deck. ``link`` is its address: 128 random bits, not derived from anything.

    ``verdict`` is for lists; ``judged_by`` says what it rests on (``decks.verdicts.basis``).
    """

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
    verdict = models.CharField(max_length=12, blank=True, default="", editable=False)
    judged_by = models.CharField(max_length=80, blank=True, default="", editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ("-changed", "-id")
        indexes = [models.Index(fields=("visibility", "-changed", "-id"), name="deck_listed")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    def is_editable_by(self, visitor: Visitor) -> bool:
        return visitor != Visitor() and Deck.objects.editable_by(visitor).filter(pk=self.pk).exists()

    @property
    def verdict_words(self) -> str:
        return VERDICTS.get(self.verdict, "")

    @transaction.atomic
    def keep(self, judged: Judged, read_at: int | None = None, **values: str) -> None:
        """Save this deck with exactly the entries that were judged, under these values (name, notes, visibility).

        ``read_at`` is the revision that its author saw, this object's if None. Raises ChangedElsewhere when
        that is no longer the stored one. Nothing of this object changes unless all of it is stored.
        """
        ids = _ids(judged)
        revision = self.revision + 1 if self.pk else 0
        if read_at is not None and self.pk:
            revision = read_at + 1
        stored = {
            **values,
            "game": judged.game.slug,
            "format": judged.format.slug,
            "details": dict(judged.deck.details),
            "changed": timezone.now(),
            "revision": revision,
            "verdict": judged.verdict,
            "judged_by": basis(judged.game, edition(), revision),
        }
        # Only these columns: the address may have been changed meanwhile, and stays so.
        if self.pk and not Deck.objects.filter(pk=self.pk, revision=revision - 1).update(**stored):
            raise ChangedElsewhere
        for field, value in stored.items():
            setattr(self, field, value)
        if not self.pk:
            self.save()
        self.lines.all().delete()
        DeckLine.objects.bulk_create(
            DeckLine(
                deck=self,
                position=position,
                section=entry.section,
                count=entry.count,
                card_id=None if entry.card.written else ids[entry.card.code],
                written=_written(entry.card) if entry.card.written else None,
            )
            for position, entry in enumerate(judged.deck)
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

    def judged(self, game: kit.Game, keep_secrets: bool = False) -> Judged:
        """The whole deck judged; with ``keep_secrets`` what is secret is not named. Wants ``with_cards``."""
        format = game.formats_by_slug.get(self.format, game.formats[0])
        return judge(game, self.decklist(), format, keep_secrets=keep_secrets)

    def named_cards(self) -> list[kit.Card]:
        """The catalogue's cards that the deck holds, retired ones too: its own list may go on naming them. Wants ``with_cards``."""
        return [line.card.as_card() for line in self.lines.all() if line.card] if self.pk else []


class HeldKey(models.Model):
    """A browser that may edit a deck, because it made it or opened its edit link. Knows the hash of the browser's token, and no key."""

    browser = models.CharField(max_length=64)
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="held_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("browser", "deck"), name="held_once_by_browser")]

    def __str__(self) -> str:
        return f"deck {self.deck_id}"


def new_deck(owner_id: int | None = None, **values: object) -> tuple[Deck, str]:
    """An unsaved deck and the key that edits it; the key is nowhere else."""
    key = new_key()
    return Deck(edit_hash=hashed(key), owner_id=owner_id, **values), key


def _ids(judged: Judged) -> dict[str, int]:
    """Code -> id of the catalogue's cards in the deck. Raises Refused when the catalogue lacks one that the folder has."""
    codes = {entry.card.code for entry in judged.deck if not entry.card.written}
    ids = dict(Card.objects.in_game(judged.game.slug).filter(code__in=codes).values_list("code", "id"))
    if codes - ids.keys():
        sentence = "The site's catalogue is being brought up to date; try again in a minute."
        raise Refused(Fault("catalogue_behind", sentence, "text"), status=503)
    return ids


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
