"""The catalogue as the database stores it: an index over what the game folders say.

``cardsdb/catalogue/loader.py`` alone writes these tables, and ``cardsdb/catalogue/current.py`` reads them
into memory, from which pages and searches answer. Tests stand with the loader: ``tests/cardsdb/catalogue``.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Self

from django.db import models
from django.utils import timezone

from cardsdb.games import game_named, games, kit


class EditionState(NamedTuple):
    """The number of an edition and the time when it was made, which name it together. The number alone would
    not do: another database has an edition of the same number, and the number of an edition whose
    transaction failed is used again.
    """

    number: int
    made: datetime | None


class EditionQuerySet(models.QuerySet["Edition"]):
    def current(self) -> EditionState:
        """The newest edition; number 0 without a time before anything was loaded."""
        return EditionState(*(self.order_by("-number").values_list("number", "made").first() or (0, None)))


class Edition(models.Model):
    """One state of the catalogue. A load that changes something makes the next; its number dates every answer
    made from it.

    ``changes`` has an object for each changed game: ``game`` is its slug; ``added``, ``changed`` and
    ``retired`` are lists of codes of cards, each of the first hundred; ``counts`` has under the same three
    names how many cards there are of each (``loader.Loaded.as_json``).
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
        """Slug of a game -> ``Game.folder_digest`` of the folder that was loaded; empty where an older
        version of Cutout loaded it.
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
    """The facts of a card as the kit has them, from the JSON that is stored: a fact of kind ``words`` is a
    tuple there and a list in JSON. ``game`` is a slug; facts of a game that is gone stay lists.
    """
    declared = game_named(game)
    lists = {fact.key for fact in declared.facts if fact.kind == "words"} if declared else set()
    return {key: tuple(value) if key in lists else value for key, value in stored.items()}


class CardQuerySet(models.QuerySet["Card"]):
    """Selections of rows, named as the catalogue names them."""

    def in_game(self, game: str) -> Self:
        return self.filter(game=game)

    def current(self) -> Self:
        """Cards that the catalogue still lists, of games that there are. Retired ones live on in decks and at
        their own address.
        """
        return self.filter(retired=False, game__in=tuple(games()))

    def by_name(self) -> Self:
        """The order of every list, the same on every database: names without opening marks, then game and
        code.
        """
        return self.order_by("sort_name", "game", "code")

    def update(self, **values: Any) -> int:
        """Change rows, and empty their digest unless it is among the values: the next load of the folder then
        writes these rows anew. Returns the number of rows.
        """
        return super().update(**{"digest": "", **values})

    update.alters_data = True  # type: ignore[attr-defined]


class Card(models.Model):
    """One card. Its columns are the fields of ``kit.Card`` as JSON has them, and what loading makes of these.

    ``facts``: key of a fact -> value, without those that no source states. ``sources``: key of a fact, or ""
    for all that have none of their own -> list of claims, each an object with the fields of ``kit.Claim``.
    ``aliases`` and ``sentences`` are lists of text. ``name_folded``, ``sort_name``, ``terms``,
    ``search_text`` and ``print_count`` are made by loading for searches and orders. ``digest`` stands for
    all that the folder says of the card, its prints included: a card with the same digest needs no writing.
    ``retired``: no folder has the card any more.
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
        """The game and the code, which name a card in every edition: ``spycraft/kai``."""
        return f"{self.game}/{self.code}"

    def as_card(self) -> kit.Card:
        """The card as rules and faces know it. Prefetch ``prints``: without that each card takes a query of
        its own.
        """
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
    """One printing of a card, with the columns of ``kit.Print``. What is unknown is empty."""

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
