"""The catalogue in the database: an index of what the game folders say.

Only ``cardsdb/catalogue/loader.py`` writes these tables. ``cardsdb/catalogue/current.py`` reads them into
memory, from which pages and searches answer. Their tests are with the loader: ``tests/cardsdb/catalogue``.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Self

from django.db import models
from django.utils import timezone

from cardsdb.games import game_named, games, kit


class EditionState(NamedTuple):
    """Number and time of an edition, which identify it together. The number alone would not do: another
    database has the same numbers, and a number is used again after a transaction that failed.
    """

    number: int
    made: datetime | None


class EditionQuerySet(models.QuerySet["Edition"]):
    def current(self) -> EditionState:
        """Return the newest edition; (0, None) before anything was loaded."""
        return EditionState(*(self.order_by("-number").values_list("number", "made").first() or (0, None)))


class Edition(models.Model):
    """One state of the catalogue. A load that changes something creates the next.

    ``changes`` is a list with an object for each changed game: ``game`` (slug); ``added``, ``changed`` and
    ``retired`` (card codes, the first hundred of each); and ``counts`` (the full numbers under the same three
    names). It is written by ``loader.Loaded.as_json``.
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
        """Return game slug -> ``Game.folder_digest`` as loaded; "" from older versions of Cutout."""
        return {slug: digest or "" for slug, digest in self.values_list("game", "summary__digest")}


class Holding(models.Model):
    """The contents of the catalogue for one game, counted when it was loaded, so that no page needs to count.

    ``summary`` is ``cardsdb.catalogue.stats.CatalogueStats`` as JSON.
    """

    game = models.SlugField(max_length=40, unique=True)
    summary = models.JSONField(default=dict)

    objects = HoldingQuerySet.as_manager()

    def __str__(self) -> str:
        return self.game


def facts_of(game: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a card with the kit's types: facts of kind ``words`` become tuples, which JSON
    stores as lists: ``{"traits": ["Soldier"]}`` -> ``{"traits": ("Soldier",)}`` in Spycraft. For a game that
    no longer exists they stay lists.
    """
    declared = game_named(game)
    lists = {fact.key for fact in declared.facts if fact.kind == "words"} if declared else set()
    return {key: tuple(value) if key in lists else value for key, value in stored.items()}


class CardQuerySet(models.QuerySet["Card"]):
    """Selections of cards, named as in the catalogue."""

    def in_game(self, game: str) -> Self:
        return self.filter(game=game)

    def current(self) -> Self:
        """Cards that are listed, of games that exist. Retired cards remain in decks and at their address."""
        return self.filter(retired=False, game__in=tuple(games()))

    def by_name(self) -> Self:
        """Sort as every list does, identically on every database: by name without opening quotation marks,
        game, code.
        """
        return self.order_by("sort_name", "game", "code")

    def update(self, **values: Any) -> int:
        """Update rows and return their number. Their digest is cleared (unless given), so that the next load
        writes them anew.
        """
        return super().update(**{"digest": "", **values})

    update.alters_data = True  # type: ignore[attr-defined]


class Card(models.Model):
    """One card. Its columns are the fields of ``kit.Card`` as JSON, and values derived from them.

    ``facts``: fact key -> value; unknown facts are absent. ``sources``: fact key, or "" for all facts without
    own sources -> list of claims (objects with the fields of ``kit.Claim``). ``aliases``, ``sentences``:
    lists of text. ``name_folded``, ``sort_name``, ``terms``, ``search_text`` and ``print_count`` are derived
    at loading, for searching and sorting. ``digest`` covers all that the folder says of the card and its
    prints; if it is unchanged, loading writes nothing. ``retired``: no folder has the card any more.
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
        """Game and code, which identify a card in every edition: ``spycraft/kai``."""
        return f"{self.game}/{self.code}"

    def as_card(self) -> kit.Card:
        """Return it as the kit's Card. Prefetch ``prints``, or each card takes a query for them."""
        sources = {key: tuple(kit.Claim(**claim) for claim in claims) for key, claims in self.sources.items()}
        prints = tuple(kit.Print(p.set_code, p.number, p.rarity, p.code, p.note) for p in self.prints.all())
        return kit.Card(
            self.game,
            self.code,
            self.name,
            self.type,
            facts_of(self.game, self.facts),
            self.text,
            sources=sources,
            prints=prints,
            aliases=tuple(self.aliases),
            note=self.note,
            sentences=tuple(self.sentences),
        )


class Print(models.Model):
    """One printing of a card, with the columns of ``kit.Print``. Unknown values are ""."""

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
