"""The table of decks, and who may see and edit them. ``values.py`` has what each viewer is shown of a deck.

Look decks up only through ``DeckQuerySet`` (``visible_to``, ``editable_by``, ...) or ``visible_deck`` and
``editable_deck``, which ask for the viewer. ``decks/saving`` alone writes content (``Deck._write``).
Tests: ``tests/decks/models/test_deck.py``; for who may see and do what, ``tests/house/test_permissions.py``
and ``tests/decks/leagues/test_privacy.py``.
"""

from collections.abc import Mapping
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

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import VERDICTS, fold
from cardsdb.games.kit.rules.house_rules import LEAGUE
from cardsdb.identity.viewer import Viewer, hashed, new_key
from cardsdb.models import Card
from cardsdb.models.owned import (
    SHARED,
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
from decks.core.content import MAX_LENGTHS, DeckContent
from decks.models.contents import DeckLine, DeckRevision, Steps, counter
from decks.models.league import LeagueFormat
from decks.models.values import DeckValues


class ChangedElsewhere(Exception):
    """Another request has saved the deck since this object was read."""


# (value, words) of each visibility, for forms.
WHO_SEES = who_sees(", in this browser or with the edit link", "decks")


class DeckQuerySet(ModeratedQuerySet["Deck"]):
    """Decks by the viewer who may see or change them. Every look-up of a deck goes through one of these."""

    def editable_by(self, viewer: Viewer) -> Self:
        return self.filter(_own(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """The decks that the viewer may open by their address. Never list them: unlisted decks are found only
        by their address.
        """
        return self.filter(_own(viewer) | Q(visibility__in=SHARED))

    def listed_for(self, viewer: Viewer) -> Self:
        """The decks that lists may show to a viewer: public decks and their own."""
        return self.filter(_own(viewer) | Q(visibility=Visibility.PUBLIC))

    def update(self, **values: Any) -> int:
        """Update columns, and what depends on them. Return the number of decks.

        - visibility: Raise Refused if it would share a deck that staff keep private;
        - visibility, owner: they decide which leagues a deck may use, so each verdict by a league gets stale,
          unless the caller stores a new one (``judged_by``);
        - name, tags: the folded columns, which searches compare with, are updated too.
        """
        if values.get("visibility", Visibility.PRIVATE) != Visibility.PRIVATE:
            kept = self.exclude(private_because="").only("private_because").first()
            if kept and (sentence := kept.kept_from(values["visibility"])):
                raise Refused(Fault("kept_private", sentence, "visibility"))
        if {"visibility", "owner", "owner_id"} & values.keys() and "judged_by" not in values:
            # judged_by = "outdated-..." where the house rules name a league, elsewhere as it is.
            in_league = models.When(house__contains=LEAGUE, then=models.Value(_outdated()))
            values["judged_by"] = models.Case(in_league, default=models.F("judged_by"))
        return super().update(**values, **_folded(values))

    update.alters_data = True  # type: ignore[attr-defined]

    def judge_again(self) -> int:
        """Make the verdicts by leagues among these decks stale. Return their number."""
        return self.filter(house__contains=LEAGUE).update(judged_by=_outdated())

    judge_again.alters_data = True  # type: ignore[attr-defined]

    def with_cards(self) -> Self:
        """Read the lines of all these decks with one more query, instead of one for each deck."""
        return self.prefetch_related(models.Prefetch("lines", to_attr="lines_read"))


def _own(viewer: Viewer) -> Q:
    """Return the condition for decks that the viewer may edit: (edit key or browser) or account.

    Many people may hold an edit link. So if staff keep the deck of an account private, only that account may
    edit it, and no edit key or browser.
    """
    # No deck at all, to which the conditions add.
    editable = Q(pk__in=())
    if viewer.key_hash:
        editable |= Q(edit_hash=viewer.key_hash)
    if viewer.browser:
        editable |= Q(pk__in=BrowserAccess.objects.of(viewer).values("deck"))
    if viewer.key_hash or viewer.browser:
        editable &= Q(private_because="") | Q(owner=None)
    if viewer.user_id:
        editable |= Q(owner=viewer.user_id)
    return editable


def today() -> date:
    """Return the current date in UTC."""
    return timezone.now().date()


def _outdated() -> str:
    """Return a text for ``judged_by`` that marks a verdict as stale. It is unique: a request that is judging
    at this moment finds another text than it read, and does not store its verdict (``renew_verdicts`` of
    ``decks/saving/save.py``).
    """
    return f"outdated-{new_key()}"


def _folded(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the folded columns, which searches compare with, for those of the values that have one."""
    columns = {"name_folded": fold(values["name"])} if "name" in values else {}
    if "tags" in values:
        columns["tags_folded"] = f"|{'|'.join(folded(tag) for tag in values['tags'])}|"
    return columns


class Deck(DeckValues):
    """A deck. Its cards are in ``DeckLine``, its earlier states in ``DeckRevision``.

    - link: its address, 128 random bits; edit_hash: of its edit key, which itself is stored nowhere;
    - verdict: as it was stored, for lists; judged_by: what it rests on (``decks.saving.save.basis``);
    - house: the league and the house rules as text (``cardsdb.games.kit.rules.house_rules``);
    - revealed: its secret sections are shown to all who may see the deck;
    - partner: another deck that is played with it, such as a mission deck with an agency deck;
    - name_folded, tags_folded: the texts that searches compare with;
    - size: the number of its cards; size_shown: the same without secret cards;
    - opened: the last day on which it was opened, only of decks without an owner, which expire
      (``decks.saving.room``).
    """

    # Of a deck that is not stored yet: who makes it, and the network address of the request
    # (``ratelimits.sender``). Saving checks the limits of both (``decks.saving.room``).
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
    likes = counter()
    size = counter()
    size_shown = counter()
    revision = counter()
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
        """Save, with the folded columns of name and tags."""
        for column, value in _folded({"name": self.name, "tags": self.tags}).items():
            setattr(self, column, value)
        if fields := kwargs.get("update_fields"):
            of_folded = {f"{field}_folded" for field in fields if field in ("name", "tags")}
            kwargs["update_fields"] = {*fields, *of_folded}
        super().save(*args, **kwargs)

    def is_editable_by(self, viewer: Viewer) -> bool:
        """True if the viewer may edit the deck: by account, edit key or browser."""
        if viewer.user_id and viewer.user_id == self.owner_id:
            return True
        if viewer.key_hash and viewer.key_hash == self.edit_hash:
            return True
        if viewer.browser not in self._open_to:
            self._open_to[viewer.browser] = BrowserAccess.objects.of(viewer).filter(deck=self.pk).exists()
        return self._open_to[viewer.browser]

    @cached_property
    def _open_to(self) -> dict[str, bool]:
        """Hash of a browser -> True if it may edit the deck. A cache of the answers given so far."""
        return {}

    @property
    def verdict_words(self) -> str:
        return VERDICTS.get(self.verdict, "")

    # -- storing: only for decks.saving

    def _write(
        self,
        content: DeckContent,
        kind: str,
        by: int | None,
        steps: Steps | None,
        request_id: str = "",
        **columns: Any,
    ) -> None:
        """Store this content and these columns as the newest state. Only for ``decks.saving``, in a
        transaction.

        ``kind``, ``by`` and ``request_id``: as in ``DeckRevision``. ``steps``: the numbers of the states to
        which undo and redo lead, by default the previous state and none.

        Raise ChangedElsewhere if the stored revision is not this object's, Refused if the catalogue lacks a
        card. This object changes only if everything is stored.
        """
        # The revision that this one follows; None for a deck that is not stored yet.
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
            # Write only these columns, since others, such as the link, may have been changed meanwhile.
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
        """Return code -> primary key of the catalogue's cards in the content. Raise Refused (503) if the
        database lacks a card that the game's folder has, as during a load.
        """
        codes = {entry.card.code for entry in content.deck if not entry.card.written}
        ids = {card.code: pk for pk, card in self.cards_by_key().items()} if self.pk else {}
        if missing := codes - ids.keys():
            ids |= Card.objects.in_game(self.game).filter(code__in=missing).values_list("code", "id")
        if codes - ids.keys():
            sentence = "The site's catalogue is being brought up to date. Try again in a minute."
            raise Refused(Fault("catalogue_behind", sentence, "text"), status=503)
        return ids

    def begin_history(self, number: int) -> None:
        """Add the stored state as revision ``number`` if the history lacks it, as for decks that are older
        than their history.
        """
        if not DeckRevision.objects.of(self.pk).filter(number=number).exists():
            stored = Deck.objects.get(pk=self.pk)
            DeckRevision.objects.add(self.pk, number, stored.content(), "before", made=stored.changed)


class BrowserAccessQuerySet(SomebodysQuerySet["BrowserAccess"]):
    """The decks that browsers may edit. Granting and deleting also makes verdicts by leagues stale, since
    access decides which private leagues a deck may use.
    """

    def of(self, viewer: Viewer) -> Self:
        """Rows for the viewer's browser; none without a browser."""
        return self.filter(browser=viewer.browser) if viewer.browser else self.none()

    def grant(self, browser: str, deck: Deck) -> None:
        """Let this browser (the hash of its token) edit the deck."""
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
    """A browser may edit a deck, because it made the deck or opened its edit link. It stores the hash of the
    browser's token, never a key.
    """

    browser = models.CharField(max_length=64)
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="browsers")

    objects = BrowserAccessQuerySet.as_manager()

    class Meta:
        # The table keeps its old name, since renaming it would be a risk without a gain.
        db_table = "decks_heldkey"
        constraints = [models.UniqueConstraint(fields=("browser", "deck"), name="held_once_by_browser")]

    def __str__(self) -> str:
        return f"deck {self.deck_id}"


def visible_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """Return the deck with this link that the viewer may open, with its owner, or locked until the
    transaction ends. Raise Http404.
    """
    decks = Deck.objects.visible_to(viewer)
    decks = decks.select_for_update() if locked else decks.select_related("owner")
    return get_object_or_404(decks, link=link)


def editable_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """Return the deck with this link that the viewer may edit, if wanted locked until the transaction ends.
    Raise Http404.
    """
    decks = Deck.objects.editable_by(viewer)
    return get_object_or_404(decks.select_for_update() if locked else decks, link=link)


def new_deck(owner_id: int | None = None, **values: object) -> tuple[Deck, str]:
    """Return (unsaved deck, its edit key). Only the hash of the key is stored, so pass the key on."""
    key = new_key()
    return Deck(edit_hash=hashed(key), owner_id=owner_id, **values), key


@receiver((post_save, post_delete), sender=LeagueFormat)
def judge_its_decks_again(instance: LeagueFormat, **kwargs: Any) -> None:
    """Make the verdicts of decks stale that name this league."""
    Deck.objects.filter(game=instance.game, house__contains=instance.link).judge_again()
