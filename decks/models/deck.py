"""Decks and their lines as the database keeps them. Every look-up says who asks."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.functional import cached_property

from cardsdb.catalogue.current import catalogue, game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games import kit
from cardsdb.games.kit import VERDICTS, fold
from cardsdb.games.kit.rules.house_rules import LEAGUE
from cardsdb.identity.viewer import Viewer, hashed, new_key
from cardsdb.models import Card, OwnCard
from cardsdb.models.owned import (
    SHARED,
    Moderated,
    ModeratedQuerySet,
    SomebodysQuerySet,
    Visibility,
    link_key,
    moment,
    private_while_kept,
    some_text,
    who_sees,
)
from cardsdb.search.query.standard import folded
from decks.core.content import (
    MAX_LENGTHS,
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


class ChangedElsewhere(Exception):
    """The deck was saved by another request since it was read."""


WHO_SEES = who_sees(", in this browser or with the edit link", "decks")


class DeckQuerySet(ModeratedQuerySet["Deck"]):
    """Decks by the visitor who may see or change them. Every look-up of a deck goes through these."""

    def editable_by(self, viewer: Viewer) -> Self:
        return self.filter(_own(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """The decks that a visitor may open who knows the address, which keeps an unlisted deck secret."""
        return self.filter(_own(viewer) | Q(visibility__in=SHARED))

    def listed_for(self, viewer: Viewer) -> Self:
        """The decks that lists may show to a visitor: public ones and their own."""
        return self.filter(_own(viewer) | Q(visibility=Visibility.PUBLIC))

    def update(self, **values: Any) -> int:
        """Update the folded columns, which searches look into, with the columns that they are made from.

        Whose the deck is and who sees it decide by which league's format it may be judged: such a deck is
        judged anew. Raises Refused where what staff keep private would be shared.
        """
        if values.get("visibility", Visibility.PRIVATE) != Visibility.PRIVATE:
            kept = self.exclude(private_because="").only("private_because").first()
            if kept and (sentence := kept.kept_from(values["visibility"])):
                raise Refused(Fault("kept_private", sentence, "visibility"))
        if {"visibility", "owner", "owner_id"} & values.keys() and "judged_by" not in values:
            in_league = models.When(house__contains=LEAGUE, then=models.Value(_outdated()))
            values["judged_by"] = models.Case(in_league, default=models.F("judged_by"))
        return super().update(**values, **_folded(values))

    update.alters_data = True  # type: ignore[attr-defined]

    def judge_again(self) -> int:
        """Let the stored verdicts of those of these decks that name a league's format hold no longer."""
        return self.filter(house__contains=LEAGUE).update(judged_by=_outdated())

    judge_again.alters_data = True  # type: ignore[attr-defined]

    def with_cards(self) -> Self:
        """With lines, in one query more for any number of decks; one deck alone reads its own where they are
        wanted.
        """
        return self.prefetch_related(models.Prefetch("lines", to_attr="lines_read"))


def _own(viewer: Viewer) -> Q:
    """Decks that the viewer's account, browser or edit key opens. One that staff keep private and an account
    owns is opened by that account alone: its edit link may be in other hands.
    """
    own = Q(pk__in=())
    if viewer.key_hash:
        own |= Q(edit_hash=viewer.key_hash)
    if viewer.browser:
        own |= Q(pk__in=BrowserAccess.objects.of(viewer).values("deck"))
    if viewer.key_hash or viewer.browser:
        own &= Q(private_because="") | Q(owner=None)
    return own | Q(owner=viewer.user_id) if viewer.user_id else own


def today() -> date:
    """The day on which we are, everywhere in UTC."""
    return timezone.now().date()


def _outdated() -> str:
    """The text of ``judged_by`` for a verdict that holds no longer. It is new each time, so that a request
    that was judging meanwhile sees it.
    """
    return f"outdated-{new_key()}"


def _folded(values: Mapping[str, Any]) -> dict[str, str]:
    """The folded columns, which searches look into, of those of these values that have one."""
    columns = {"name_folded": fold(values["name"])} if "name" in values else {}
    return columns | (
        {"tags_folded": f"|{'|'.join(folded(tag) for tag in values['tags'])}|"} if "tags" in values else {}
    )


class Deck(Moderated):
    """A deck. ``link`` is its address: 128 random bits, not derived from anything.

    ``verdict`` is for lists; ``judged_by`` says what it rests on (``decks.saving.save.basis``).
    ``house``: the league's format and the numbers that its author chose
    (``cardsdb.games.kit.rules.house_rules``). ``revealed``: its secret sections are shown to everyone who may
    see the deck. ``partner``: another deck that is played with it, as a mission deck with an agency deck.
    ``name_folded`` and ``tags_folded`` are what searches look into. ``size``: its cards; ``size_shown``:
    those that are no secret of its owner's. ``opened``: the last day on which it was opened, kept for
    decks without an owner, which expire (``decks.saving.room``).
    """

    # Who makes it while it is not stored yet, an account, a browser, or a program without either, and the
    # address that asks (``ratelimits.sender``): the function that stores it looks whether there is room
    # (``decks.saving.room``).
    maker: tuple[Viewer, str] | None = None

    link = link_key()
    edit_hash = models.CharField(max_length=64, db_index=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE)
    game = models.SlugField(max_length=40)
    format = models.SlugField(max_length=40)
    name = models.CharField(max_length=MAX_LENGTHS["name"])
    name_folded = models.TextField(default="", editable=False)
    notes = models.TextField(max_length=MAX_LENGTHS["notes"], blank=True)
    tags = models.JSONField(default=list, blank=True)
    tags_folded = models.TextField(default="", blank=True, editable=False)
    details = models.JSONField(default=dict, blank=True)
    house = some_text(400)
    revealed = models.BooleanField(default=False)
    visibility = models.CharField(max_length=10, choices=WHO_SEES, default=Visibility.PRIVATE)
    comments_open = models.BooleanField(default=False)
    forked_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks", editable=False
    )
    forked_revision = models.PositiveIntegerField(null=True, blank=True, editable=False)
    partner = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    likes = models.PositiveIntegerField(default=0, editable=False)
    size = models.PositiveIntegerField(default=0, editable=False)
    size_shown = models.PositiveIntegerField(default=0, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)
    verdict = some_text(12, editable=False)
    judged_by = some_text(80, editable=False)
    created = moment()
    changed = moment()
    opened = models.DateField(default=today, editable=False)

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ("-changed", "-id")
        indexes = [
            models.Index(fields=("visibility", "-changed", "-id", "game"), name="deck_listed"),
            models.Index(fields=("visibility", "-likes", "-changed", "-id"), name="deck_liked"),
            models.Index(fields=("visibility", "name_folded", "-changed", "-id"), name="deck_named"),
            models.Index(fields=("visibility", "size_shown"), name="deck_sized"),
            models.Index(fields=("visibility", "verdict", "judged_by", "game"), name="deck_judged"),
        ]
        constraints = [private_while_kept("deck_private_while_kept")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        for column, value in _folded({"name": self.name, "tags": self.tags}).items():
            setattr(self, column, value)
        if fields := kwargs.get("update_fields"):
            kwargs["update_fields"] = {
                *fields,
                *(f"{field}_folded" for field in fields if field in ("name", "tags")),
            }
        super().save(*args, **kwargs)

    def is_editable_by(self, viewer: Viewer) -> bool:
        if (viewer.user_id and viewer.user_id == self.owner_id) or (
            viewer.key_hash and viewer.key_hash == self.edit_hash
        ):
            return True
        if viewer.browser not in self._open_to:
            self._open_to[viewer.browser] = BrowserAccess.objects.of(viewer).filter(deck=self.pk).exists()
        return self._open_to[viewer.browser]

    @cached_property
    def _open_to(self) -> dict[str, bool]:
        """Browser -> True if it may edit the deck, as far as this was asked."""
        return {}

    @property
    def verdict_words(self) -> str:
        return VERDICTS.get(self.verdict, "")

    def _write(
        self,
        content: DeckContent,
        kind: str,
        by: int | None,
        steps: tuple[int | None, int | None] | None,
        request_id: str = "",
        **columns: Any,
    ) -> None:
        """Make this content the deck's, with these columns, and store it as its newest state. For
        ``decks.saving`` alone, in a transaction.

        ``kind`` of state; ``by``: the account of its author; ``steps``: the states that undoing and redoing
        lead to, by default the previous one and none; ``request_id``: what the editor called the request.
        Raises ChangedElsewhere when the stored revision is not this object's, Refused where the catalogue
        lacks a card. Nothing of this object changes unless all of it is stored.
        """
        before = self.revision if self.pk else None
        revision = 0 if before is None else before + 1
        ids = self._ids(content)
        stored = {
            **columns,
            "format": content.format,
            "name": content.deck.name,
            "house": content.house,
            "notes": content.notes,
            "tags": list(content.tags),
            "details": dict(content.deck.details),
            "changed": timezone.now(),
            "revision": revision,
            "size": content.deck.size,
        }
        if before is not None:
            self.begin_history(before)
            # Only these columns: the address may have been changed meanwhile, and stays so.
            if not Deck.objects.filter(pk=self.pk, revision=before).update(**stored):
                raise ChangedElsewhere
        for field, value in stored.items():
            setattr(self, field, value)
        if before is None:
            self.save()
        DeckLine.objects.write(self.pk, () if before is None else self.lines_read, content.deck, ids)
        self._forget_lines()
        DeckRevision.objects.add(
            self.pk, revision, content, kind, by=by, steps=steps or (before, None), request_id=request_id
        )

    def _ids(self, content: DeckContent) -> dict[str, int]:
        """Code -> id of the catalogue's cards in the content. Raises Refused when the catalogue lacks one
        that the folder has.
        """
        codes = {entry.card.code for entry in content.deck if not entry.card.written}
        ids = {card.code: pk for pk, card in self.cards_by_key().items()} if self.pk else {}
        if missing := codes - ids.keys():
            ids |= Card.objects.in_game(self.game).filter(code__in=missing).values_list("code", "id")
        if codes - ids.keys():
            sentence = "The site's catalogue is being brought up to date; try again in a minute."
            raise Refused(Fault("catalogue_behind", sentence, "text"), status=503)
        return ids

    def begin_history(self, number: int) -> None:
        """Add the stored state, which has this number, to the history if it is missing: decks are older than
        their history.
        """
        if not DeckRevision.objects.of(self.pk).filter(number=number).exists():
            stored = Deck.objects.get(pk=self.pk)
            DeckRevision.objects.add(self.pk, number, stored.content(), "before", made=stored.changed)

    @cached_property
    def lines_read(self) -> list[DeckLine]:
        """Its lines in order, read once: ``with_cards`` those of many decks at once, else in a query of its
        own.
        """
        return list(DeckLine.objects.in_decks((self.pk,)))

    def _forget_lines(self) -> None:
        """Forget the lines that were read: others are stored now."""
        for read in ("lines_read", "entries_read"):
            vars(self).pop(read, None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        self._forget_lines()
        super().refresh_from_db(*args, **kwargs)

    def decklist(self) -> kit.Decklist:
        """The deck as the rules see it."""
        return kit.Decklist(self.entries_read, self.details, self.name)

    @cached_property
    def entries_read(self) -> tuple[kit.Entry, ...]:
        """Its lines as the rules see them. Where the game no longer has the section of one, the card goes
        where its type belongs now.
        """
        game, cards, entries = game_named(self.game), self.cards_by_key(), []
        for line in self.lines_read:
            card = written_card(self.game, line.written) if line.card_id is None else cards[line.card_id]
            gone = game and line.section not in game.sections_by_slug
            section = game.section_for(card.type) if game and gone else line.section
            entries.append(kit.Entry(card, line.count, section, line.marks))
        return tuple(entries)

    def content(self) -> DeckContent:
        """All that the author wrote."""
        return DeckContent(self.decklist(), self.format, self.house, self.notes, tuple(self.tags))

    def content_at(self, number: int, game: kit.Game) -> DeckContent | None:
        """The content as it was at this revision; None if that is not kept."""
        if number == self.revision:
            return self.content()
        row = DeckRevision.objects.of(self.pk).filter(number=number).first()
        return contents_of((row,), game)[0] if row else None

    def decklist_for(self, viewer: Viewer, game: kit.Game) -> kit.Decklist:
        """The deck as this visitor may see it: secret sections are for those who may edit it until they
        reveal them.

        Others see of an own card what its set says.
        """
        deck = self.decklist() if self.shows_secrets_to(viewer) else without_secrets(game, self.decklist())
        return self._as_told_to(viewer, deck)

    def decklist_to_share(self, game: kit.Game) -> kit.Decklist:
        """The deck as an address may hold it: what only its author may see is covered, so that it counts and
        is not told.
        """
        deck = self.decklist() if self.revealed else with_secrets_covered(game, self.decklist())
        return self._as_told_to(Viewer(), deck)

    def shows_secrets_to(self, viewer: Viewer) -> bool:
        return self.revealed or self.is_editable_by(viewer)

    def judged(self, game: kit.Game) -> Judged:
        """The whole deck judged, for those who may edit it."""
        return judge(game, self.decklist(), self.format_used(game))

    def judged_for(self, viewer: Viewer, game: kit.Game) -> Judged:
        """The whole deck judged, of which this visitor is shown what ``decklist_for`` has."""
        judged = judge(
            game, self.decklist(), self.format_used(game), keep_secrets=not self.shows_secrets_to(viewer)
        )
        told = self._as_told_to(viewer, judged.deck)
        return replace(
            judged, reading=replace(judged.reading, deck=told), has_names_alone=told != judged.deck
        )

    def _as_told_to(self, viewer: Viewer, deck: kit.Decklist) -> kit.Decklist:
        """The list with names alone of own cards whose set this visitor may not see, unless they may edit the
        deck.
        """
        codes = {entry.card.code for entry in deck if entry.card.own}
        if not codes or self.is_editable_by(viewer):
            return deck
        return replace(
            deck, entries=with_names_alone(deck, codes - OwnCard.objects.codes_told_to(viewer, codes))
        )

    def format_used(self, game: kit.Game) -> kit.Format:
        """The format the deck is judged by: its own, with those of its house rules that today's rules still
        know.
        """
        return format_with(game, self.format, self.house, self.leagues)

    @property
    def leagues(self) -> LeagueLookup:
        """The formats of leagues by which the deck may be judged."""
        return self.leagues_while(self.visibility)

    def leagues_while(self, visibility: str) -> LeagueLookup:
        """Those by which it may be judged while it is seen so: the formats that are shared, and in a private
        deck those that its owner has besides. So all who see a deck see the same verdict, and a deck tells
        nothing of a private format.
        """
        counting = Q(visibility__in=SHARED)
        if visibility == Visibility.PRIVATE and self.owner_id:
            counting |= Q(owner=self.owner_id)
        if visibility == Visibility.PRIVATE and self.pk:
            counting |= Q(browser__in=self.browsers.values("browser"))
        return found_among(LeagueFormat.objects.filter(counting))

    def named_cards(self) -> list[kit.Card]:
        """The cards that the deck's own list may go on naming: the catalogue's that it holds, retired ones
        too, and own cards.
        """
        return [entry.card for entry in self.decklist() if entry.card.has_page] if self.pk else []

    def cards_by_key(self) -> dict[int, kit.Card]:
        """Primary key -> card, of the catalogue's cards in the deck."""
        return catalogue().cards(line.card_id for line in self.lines_read if line.card_id)


class BrowserAccessQuerySet(SomebodysQuerySet["BrowserAccess"]):
    """The decks that browsers may edit. It decides by which league's format a deck may be judged: such a
    deck is judged anew.
    """

    def of(self, viewer: Viewer) -> Self:
        """Rows of decks that the visitor's browser may edit; none without a browser."""
        return self.filter(browser=viewer.browser) if viewer.browser else self.none()

    def grant(self, browser: str, deck: Deck) -> None:
        """Let this browser (the hash of its token) edit the deck from now on."""
        self.bulk_create([BrowserAccess(browser=browser, deck=deck)], ignore_conflicts=True)
        deck._open_to[browser] = True
        if LEAGUE in deck.house:
            Deck.objects.filter(pk=deck.pk).judge_again()

    grant.alters_data = True  # type: ignore[attr-defined]

    @transaction.atomic
    def delete(self) -> tuple[int, dict[str, int]]:
        Deck.objects.filter(pk__in=self.order_by().values("deck")).judge_again()
        return super().delete()

    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


class BrowserAccess(models.Model):
    """A browser that may edit a deck, because it made the deck or opened its edit link. Holds the hash of its
    token, and no key.
    """

    browser = models.CharField(max_length=64)
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="browsers")

    objects = BrowserAccessQuerySet.as_manager()

    class Meta:
        db_table = "decks_heldkey"  # Its old name: renaming the table would be a risk without a gain.
        constraints = [models.UniqueConstraint(fields=("browser", "deck"), name="held_once_by_browser")]

    def __str__(self) -> str:
        return f"deck {self.deck_id}"


def visible_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """The deck that this visitor may open. ``locked``: until the transaction ends, else with its owner.
    Raises Http404.
    """
    decks = Deck.objects.visible_to(viewer)
    return get_object_or_404(
        decks.select_for_update() if locked else decks.select_related("owner"), link=link
    )


def editable_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """The deck that is this visitor's to edit. ``locked``: until the transaction ends. Raises Http404."""
    decks = Deck.objects.editable_by(viewer)
    return get_object_or_404(decks.select_for_update() if locked else decks, link=link)


def new_deck(owner_id: int | None = None, **values: object) -> tuple[Deck, str]:
    """An unsaved deck and the key that edits it. The key is stored nowhere."""
    key = new_key()
    return Deck(edit_hash=hashed(key), owner_id=owner_id, **values), key


@receiver((post_save, post_delete), sender=LeagueFormat)
def judge_its_decks_again(instance: LeagueFormat, **kwargs: Any) -> None:
    """The stored verdicts of decks that name the format hold no longer."""
    Deck.objects.filter(game=instance.game, house__contains=instance.link).judge_again()
