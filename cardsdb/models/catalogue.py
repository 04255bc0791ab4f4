"""The catalogue as the database stores it: an index over what the game folders say."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Self

from django.db import models
from django.utils import timezone

from cardsdb.games import game_named, games, kit


class EditionState(NamedTuple):
    """The edition that is current: number and time. The number alone would not do: another database has an
    edition of the same number, and the number of an edition whose transaction failed is used again.
    """

    number: int
    made: datetime | None


class EditionQuerySet(models.QuerySet["Edition"]):
    def current(self) -> EditionState:
        """The newest edition; number 0 before anything was loaded."""
        return EditionState(*(self.order_by("-number").values_list("number", "made").first() or (0, None)))


class Edition(models.Model):
    """One state of the catalogue. A load that changes something makes the next; its number dates every answer
    made from it.

    ``changes`` holds per changed game its slug, how many cards were added, changed and retired, and
    the codes of the first hundred of each: ``{"game", "added", "changed", "retired", "counts"}``.
    """

    number = models.BigAutoField(primary_key=True)
    made = models.DateTimeField(default=timezone.now)
    changes = models.JSONField(default=list)

    objects = EditionQuerySet.as_manager()

    class Meta:
        ordering = ("-number",)

    def __str__(self) -> str:
        return f"edition {self.number}"


class HoldingQuerySet(models.QuerySet["Holding"]):
    def digests(self) -> dict[str, str]:
        """Game's slug -> ``Game.folder_digest`` of the folder that was loaded; empty where an older version
        loaded it.
        """
        return {slug: digest or "" for slug, digest in self.values_list("game", "summary__digest")}


class Holding(models.Model):
    """The holding of one game, counted when it was loaded, so that no page counts cards.

    ``summary`` is ``cardsdb.catalogue.stats.CatalogueStats`` as JSON.
    """

    game = models.SlugField(max_length=40, unique=True)
    summary = models.JSONField(default=dict)

    objects = HoldingQuerySet.as_manager()

    def __str__(self) -> str:
        return self.game


def facts_of(game: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a card of this game as the kit has them: several words are a tuple, which JSON lacks."""
    declared = game_named(game)
    lists = {fact.key for fact in declared.facts if fact.kind == "words"} if declared else set()
    return {key: tuple(value) if key in lists else value for key, value in stored.items()}


class CardQuerySet(models.QuerySet["Card"]):
    """Selections of cards, by the catalogue's own words for them."""

    def in_game(self, game: str) -> Self:
        return self.filter(game=game)

    def current(self) -> Self:
        """Cards that the catalogue still lists; retired ones live on in decks and at their own address."""
        return self.filter(retired=False, game__in=tuple(games()))

    def by_name(self) -> Self:
        """The order of every list, the same on every database: names without opening marks, then game and
        code.
        """
        return self.order_by("sort_name", "game", "code")

    def update(self, **values: Any) -> int:
        """A row that is changed otherwise than by loading its folder is what no digest stands for."""
        return super().update(**{"digest": "", **values})

    update.alters_data = True  # type: ignore[attr-defined]


class Card(models.Model):
    """One card. ``facts`` lacks what no source states; ``sources`` maps facts to claims.

    ``terms``, ``search_text`` and ``print_count`` are what searches look into, made from the rest at
    loading. ``digest`` stands for all that the folder says of the card, its prints included: a card with
    the same digest needs no writing.
    """

    game = models.SlugField(max_length=40)
    code = models.CharField(max_length=120)
    name = models.CharField(max_length=200)
    name_folded = models.CharField(max_length=200, db_index=True)
    sort_name = models.CharField(max_length=200)
    type = models.SlugField(max_length=40)
    facts = models.JSONField(default=dict)
    text = models.TextField(blank=True)
    sentences = models.JSONField(default=list)
    sources = models.JSONField(default=dict)
    aliases = models.JSONField(default=list)
    note = models.TextField(blank=True)
    search_text = models.TextField(blank=True)
    terms = models.TextField(blank=True)
    print_count = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=40, blank=True)
    retired = models.BooleanField(default=False)

    objects = CardQuerySet.as_manager()

    class Meta:
        ordering = ("sort_name", "game", "code")
        constraints = [models.UniqueConstraint(fields=("game", "code"), name="card_once_per_game")]
        indexes = [
            models.Index(fields=("sort_name", "game", "code"), name="card_by_name"),
            models.Index(fields=("game", "type", "sort_name", "code"), name="card_by_type"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        return f"{self.game}/{self.code}"

    def as_card(self) -> kit.Card:
        """The card as rules and faces know it. Uses ``prints`` as prefetched."""
        sources = {key: tuple(kit.Claim(**claim) for claim in claims) for key, claims in self.sources.items()}
        prints = tuple(kit.Print(p.set_code, p.number, p.rarity, p.code, p.note) for p in self.prints.all())
        return kit.Card(
            self.game,
            self.code,
            self.name,
            self.type,
            facts_of(self.game, self.facts),
            self.text,
            sources,
            prints,
            tuple(self.aliases),
            self.note,
            sentences=tuple(self.sentences),
        )


class Print(models.Model):
    """One printing of a card. What is unknown is empty."""

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="prints")
    set_code = models.CharField(max_length=20, db_index=True)
    number = models.CharField(max_length=20, blank=True)
    rarity = models.CharField(max_length=40, blank=True)
    code = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.card_id}: {self.set_code} {self.number}"
