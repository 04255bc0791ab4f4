"""Boxes: the texts, sets of cards and pictures that people bring along. Each account, each browser without
one, and (on a private site) everyone has a box. Pictures belong to the same owners and lie beside it.

Rows are found only through querysets that say who asks (``cardsdb/models/owned.py``). Own texts and pictures
are private; a set may be shared, and a visitor who may open it sees its cards. Tests: tests/cardsdb/box.
"""

import secrets
from collections.abc import Collection, Iterable
from typing import Generic, NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from cardsdb.games import kit
from cardsdb.games.kit import OWN_CODE
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import Viewer, shown_on_pages
from cardsdb.models.catalogue import facts_of
from cardsdb.models.owned import (
    EVERYONE,
    ONE_OF_THREE_OWNERS,
    SHARED,
    Everyone,
    M,
    Moderated,
    ModeratedQuerySet,
    OwnedQuerySet,
    Private,
    SomebodysQuerySet,
    Visibility,
    link_key,
    moment,
    private_while_kept,
    some_text,
    who_sees,
)

# An order of rows in boxes with everyone's first, so that in a dict the viewer's own rows overwrite them. The
# column is true or null, and true comes first.
EVERYONES_FIRST = F("box__everyone").desc(nulls_last=True)
# (primary key, ``OwnBox.state``) of each box that a visitor sees, sorted by key. It is part of cache keys.
Boxes = tuple[tuple[int, int], ...]


def has_box_for_everyone() -> bool:
    """True if things brought for everyone are shown: on a private site only. A public site must not show
    texts and pictures to visitors without a right to them.
    """
    return not settings.HTTPS


class EveryonesQuerySet(OwnedQuerySet[M], Generic[M]):
    """Rows of an owner, or of everyone."""

    def for_everyone(self) -> Self:
        """The rows of everyone on a private site; none on a public site."""
        return self.filter(everyone=True) if has_box_for_everyone() else self.none()

    def visible_to(self, viewer: Viewer) -> Self:
        """The rows that this visitor sees: everyone's first, then their own, which win in a dict."""
        seen = self.none() if viewer.is_nobody else self.of(viewer) | self.for_everyone()
        return seen.order_by(F("everyone").desc(nulls_last=True), "pk")


class OwnBoxQuerySet(EveryonesQuerySet["OwnBox"]):
    """Boxes by who asks."""

    def states_seen_by(self, viewer: Viewer) -> Boxes:
        """Return (primary key, state) of each box of ``visible_to`` in which something was written."""
        seen = self.visible_to(viewer).filter(state__gt=0).order_by("pk")
        return tuple(seen.values_list("pk", "state"))


@shown_on_pages
class OwnBox(models.Model):
    """The box of one owner: an account, a browser (hash of its token), or everyone. Exactly one of the three
    is set.

    ``state`` is a random number that every writer renews (``changed``), so that caches notice; 0 until
    something is first written.
    """

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    browser = models.CharField(max_length=64, null=True, blank=True, unique=True)
    everyone = models.BooleanField(null=True, blank=True, unique=True)
    state = models.PositiveBigIntegerField(default=0)

    objects = OwnBoxQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=ONE_OF_THREE_OWNERS, name="box_has_one_owner"),
        ]

    def __str__(self) -> str:
        return f"box {self.pk}"

    @property
    def whose(self) -> Viewer | Everyone:
        """Its owner, in the form that look-ups and new rows take."""
        return EVERYONE if self.everyone else Viewer(self.owner_id, browser=self.browser or "")

    def changed(self) -> None:
        """Note a change of the content. The new state is random: a counter could repeat a number after a
        transaction that was rolled back.
        """
        OwnBox.objects.filter(pk=self.pk).update(state=secrets.randbits(62) + 1)


class InBoxQuerySet(SomebodysQuerySet[M], Generic[M]):
    """Rows in boxes, by who asks. ``box``: the lookup from a row to its box."""

    box = "box"

    def of(self, viewer: Viewer) -> Self:
        return self.in_boxes(OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """The rows that this visitor sees: everyone's first, then their own, which win in a dict."""
        return self.in_boxes(OwnBox.objects.visible_to(viewer)).order_by(EVERYONES_FIRST, "pk")

    def in_boxes(self, boxes: Iterable[OwnBox | int]) -> Self:
        """Rows of these boxes (objects or keys). The caller must know that the viewer may see them."""
        return self.filter(**{f"{self.box}__in": boxes})


class InBox(models.Model):
    """A row of a box about one card, which it names by code, since loading may recreate cards."""

    # A box finds its rows as ``box.owntexts`` and ``box.ownchoices``.
    box = models.ForeignKey(OwnBox, on_delete=models.CASCADE, related_name="%(class)ss")
    game = models.SlugField(max_length=40)
    card_code = models.CharField(max_length=120)
    changed = moment()

    objects = InBoxQuerySet.as_manager()

    class Meta:
        abstract = True


class OwnText(InBox):
    """An owner's text of a card, and their facts that differ from the catalogue: key -> value in words.

    ``source``: the name of the uploaded file it came from; "" if it was typed.
    """

    text = models.TextField(max_length=MAX_TEXT, blank=True)
    facts = models.JSONField(default=dict)
    source = some_text(120)

    class Meta(InBox.Meta):
        ordering = ("game", "card_code", "pk")
        constraints = [
            models.UniqueConstraint(fields=("box", "game", "card_code"), name="own_text_once_a_card")
        ]

    def __str__(self) -> str:
        return f"text for {self.game}/{self.card_code}"


class OwnChoice(InBox):
    """The card that an owner chose for an ambiguous row of a file. ``card_code`` "" means: skip the row.

    ``entry`` is the row's id, else its set, number and name, folded (``Stated.key``): ``||kai`` for a row
    that states only the name Kai.
    """

    entry = models.CharField(max_length=300)

    class Meta(InBox.Meta):
        constraints = [
            models.UniqueConstraint(fields=("box", "game", "entry"), name="own_choice_once_an_entry")
        ]

    def __str__(self) -> str:
        return f"{self.entry} is {self.game}/{self.card_code}"


# -- own sets ----------------------------------------------------------------------------

# The source of every fact of an own card.
STATED_BY_OWNER = kit.Claim("", certainty="outside", note="stated by its owner")


def new_code() -> str:
    """Return a new code for an own card: no catalogue card can have it, and it cannot be guessed."""
    return f"{OWN_CODE}{secrets.token_hex(8)}"


class OwnSetQuerySet(ModeratedQuerySet["OwnSet"]):
    """Sets by who asks."""

    def of(self, viewer: Viewer) -> Self:
        return self.filter(box__in=OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """Sets that a visitor with the address may open, unlisted ones included: their link is the secret."""
        return self.filter(Q(box__in=OwnBox.objects.visible_to(viewer)) | Q(visibility__in=SHARED))


class OwnSet(Moderated):
    """A set of cards that its owner made for one game. ``link``: its address, 128 random bits. ``licence``
    and ``credit`` are the owner's words.
    """

    box = models.ForeignKey(OwnBox, on_delete=models.CASCADE, related_name="sets")
    game = models.SlugField(max_length=40)
    link = link_key()
    name = models.CharField(max_length=80)
    visibility = models.CharField(max_length=8, choices=who_sees("", "sets"), default=Visibility.PRIVATE)
    licence = some_text(120)
    credit = some_text(300)
    note = some_text(1_000)
    changed = moment()

    objects = OwnSetQuerySet.as_manager()

    class Meta:
        ordering = ("game", "name", "pk")
        indexes = [models.Index(fields=("visibility", "game", "name"), name="own_set_by_visibility")]
        constraints = [private_while_kept("own_set_private_while_kept")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"


class OwnCardQuerySet(InBoxQuerySet["OwnCard"]):
    """Own cards by who asks."""

    box = "in_set__box"

    def visible_to(self, viewer: Viewer) -> Self:
        """The cards of the sets that this visitor may open."""
        return self.filter(in_set__in=OwnSet.objects.visible_to(viewer))

    def codes_told_to(self, viewer: Viewer, codes: Collection[str]) -> set[str]:
        """Return those of these codes whose cards this visitor may see. One query, none for no codes."""
        visible = self.visible_to(viewer).filter(code__in=codes)
        return set(visible.values_list("code", flat=True) if codes else ())


class OwnCard(models.Model):
    """A card that its owner made.

    ``code`` never equals a catalogue card's. ``number``: collector number in its set, as text. ``place``: the
    place of a checklist that it fills, else "".
    """

    in_set = models.ForeignKey(OwnSet, on_delete=models.CASCADE, related_name="cards")
    code = models.CharField(max_length=40, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=200)
    number = some_text(20)
    type = models.SlugField(max_length=40)
    facts = models.JSONField(default=dict)
    text = models.TextField(max_length=MAX_TEXT, blank=True)
    note = some_text(300)
    place = some_text(60)
    changed = moment()

    objects = OwnCardQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=("in_set", "place"), condition=~Q(place=""), name="own_card_once_a_place"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def as_card(self) -> kit.Card:
        """Return it as the kit's Card, with its owner as the source of all facts. Select ``in_set`` along, or
        this queries.
        """
        game = self.in_set.game
        return kit.Card(
            game,
            self.code,
            self.name,
            self.type,
            facts_of(game, self.facts),
            self.text,
            sources={"": (STATED_BY_OWNER,)},
            note=self.note,
            written=True,
        )


# -- pictures ----------------------------------------------------------------------------

# Degrees clockwise by which a picture may be turned.
TURNS = (0, 90, 180, 270)


class Side(models.TextChoices):
    """The side of the card on which a picture is printed; UNPLACED until its owner has chosen a card."""

    UNPLACED = "", "Not used yet"
    FRONT = "front", "Front"
    BACK = "back", "Back"


class Place(NamedTuple):
    """The place of a picture, such as ``Place("spycraft", "kai", "front")``. Its fields are columns of
    ``UploadedPicture``. The code "" stands for the back of all cards of the game.
    """

    game: str
    card_code: str
    side: str


class Fit(models.TextChoices):
    """The way in which a picture of a different shape fills the card."""

    FILL = "fill", "Fill the card, cut off what is too much"
    WHOLE = "whole", "Show all of it, leave a white edge"


class Edge(models.TextChoices):
    """The filling of the bleed, outside the cut line."""

    MIRRORED = "mirrored", "Mirror the edge of the picture"
    REPEATED = "repeated", "Repeat the edge of the picture"
    COLOUR = "colour", "Fill it with the colour of the picture’s border"
    INCLUDED = "included", "The picture has its own bleed"
    NONE = "none", "Nothing: the paper stays white"


class Use(models.TextChoices):
    """The part of its card's front that a picture is."""

    CARD = "card", "It is the whole card"
    ART = "art", "It stands in the face’s window, with our facts around it"


class PictureQuerySet(EveryonesQuerySet["UploadedPicture"]):
    """Pictures by who asks."""

    def of(self, owner: Viewer | Everyone) -> Self:
        return self.for_everyone() if isinstance(owner, Everyone) else super().of(owner)

    def placed(self) -> Self:
        """Pictures that have a place."""
        return self.exclude(side=Side.UNPLACED)


@shown_on_pages
class UploadedPicture(Private):
    """An uploaded picture and its place: the front or back of a card, or, without a card code, the back of
    all cards of its game.

    Its file is stored under ``sha256`` of the cleaned bytes (cardsdb.box.picture_store); rows with equal
    files share it. ``width`` and ``height`` are pixels of the file. ``mirrored``, then ``turn`` (degrees
    clockwise), make it upright; ``crop`` is [left, top, right, bottom] of the upright picture in thousandths,
    [] for all of it. ``bleed``: micrometres of the picture on each side that are bleed, cut off if ``edge``
    is INCLUDED. ``edge_colour``: colour of its border as #rrggbb. ``use`` matters for fronts only.
    ``everyone``: it belongs to everyone on a private site and has no other owner. ``label``: the file's
    original name, shown to the owner only.
    """

    everyone = models.BooleanField(null=True, blank=True, editable=False)
    game = models.SlugField(max_length=40, blank=True, default="")
    card_code = some_text(120)
    side = models.CharField(max_length=5, choices=Side, blank=True, default=Side.UNPLACED)
    label = some_text(120)
    sha256 = models.CharField(max_length=64, db_index=True, editable=False)
    kind = models.CharField(max_length=4, editable=False)
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    bytes = models.PositiveIntegerField(editable=False)
    crop = models.JSONField(default=list, blank=True)
    turn = models.PositiveSmallIntegerField(default=0)
    mirrored = models.BooleanField(default=False)
    fit = models.CharField(max_length=5, choices=Fit, default=Fit.FILL)
    edge = models.CharField(max_length=8, choices=Edge, default=Edge.MIRRORED)
    edge_colour = models.CharField(max_length=7, blank=True, default="", editable=False)
    bleed = models.PositiveIntegerField(default=0)
    use = models.CharField(max_length=4, choices=Use, default=Use.CARD)
    made = moment()

    objects = PictureQuerySet.as_manager()

    class Meta(Private.Meta):
        # The migrations of the app printing made the table and still own it.
        app_label = "printing"
        ordering = ("game", "card_code", "side", "made", "pk")
        constraints = [
            models.CheckConstraint(condition=ONE_OF_THREE_OWNERS, name="picture_has_one_owner"),
            *(
                models.UniqueConstraint(
                    fields=(owner, "game", "card_code", "side"),
                    condition=~Q(side=""),
                    name=f"{whose}_picture_once_a_side",
                )
                for owner, whose in (("owner", "account"), ("browser", "browser"), ("everyone", "everyones"))
            ),
        ]

    @property
    def place(self) -> Place:
        return Place(self.game, self.card_code, self.side)

    def __str__(self) -> str:
        return f"picture {self.pk} for {self.game}/{self.card_code} {self.side}"
