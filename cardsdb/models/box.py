"""All that people bring along: a box for each account, for each browser without one, and for everyone on
a private site; in it texts, and sets of cards that no catalogue lists. Beside it lie the pictures of their
cards, which are private.

All that stands in a box is looked up by who asks, and in no other way. A viewer of a set sees its cards.
"""

import secrets
from collections.abc import Collection, Iterable
from typing import Generic, Self

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

# An order in which everyone's rows come before a viewer's own, so that in a mapping their own stand.
EVERYONES_FIRST = F("box__everyone").desc(nulls_last=True)
# (primary key, state) of each of some boxes, ascending.
Boxes = tuple[tuple[int, int], ...]


def has_box_for_everyone() -> bool:
    """Say whether what is brought for everyone is shown: on a private site. A public one shows no visitor
    what it has no right to show.
    """
    return not settings.HTTPS


class EveryonesQuerySet(OwnedQuerySet[M], Generic[M]):
    """Rows with an owner, or of everyone."""

    def for_everyone(self) -> Self:
        """Return what everyone on this machine's site has; nothing on a public site."""
        return self.filter(everyone=True) if has_box_for_everyone() else self.none()

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what this visitor sees: their own and everyone's, which comes first, so that in a mapping
        their own stands in its place.
        """
        seen = self.none() if viewer.is_nobody else self.of(viewer) | self.for_everyone()
        return seen.order_by(F("everyone").desc(nulls_last=True), "pk")


class OwnBoxQuerySet(EveryonesQuerySet["OwnBox"]):
    """Boxes by who asks."""

    def states_seen_by(self, viewer: Viewer) -> Boxes:
        """(primary key, state) of each box with something in it that ``visible_to`` finds."""
        seen = self.visible_to(viewer).filter(state__gt=0).order_by("pk")
        return tuple(seen.values_list("pk", "state"))


@shown_on_pages
class OwnBox(models.Model):
    """One owner's box. ``browser`` is the hash of the browser's token; exactly one of the three owners is
    set.

    ``state`` is another number after every change, so that what was made of the box is known to be old; 0
    before the first.
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
        return EVERYONE if self.everyone else Viewer(self.owner_id, browser=self.browser or "")

    def changed(self) -> None:
        """Note a change of what is in the box. No number comes twice: one that was taken back might have been
        seen.
        """
        OwnBox.objects.filter(pk=self.pk).update(state=secrets.randbits(62) + 1)


class InBoxQuerySet(SomebodysQuerySet[M], Generic[M]):
    """Tells what stands in boxes, by who asks. ``box``: the way from a row to its box."""

    box = "box"

    def of(self, viewer: Viewer) -> Self:
        return self.in_boxes(OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what this visitor sees: what everyone has comes first, so that in a mapping their own
        stands in its place.
        """
        return self.in_boxes(OwnBox.objects.visible_to(viewer)).order_by(EVERYONES_FIRST, "pk")

    def in_boxes(self, boxes: Iterable[OwnBox | int]) -> Self:
        """Rows of these boxes, objects or primary keys. The caller has asked if the viewer sees them."""
        return self.filter(**{f"{self.box}__in": boxes})


class InBox(models.Model):
    """A row of a box about one card. The card goes by its code, because cards come and go when folders are
    loaded.
    """

    box = models.ForeignKey(OwnBox, on_delete=models.CASCADE, related_name="%(class)ss")
    game = models.SlugField(max_length=40)
    card_code = models.CharField(max_length=120)
    changed = moment()

    objects = InBoxQuerySet.as_manager()

    class Meta:
        abstract = True


class OwnText(InBox):
    """The text of a card as its owner has it, and the facts of theirs that differ from the catalogue's: key
    -> value in words.

    ``source`` is what the owner called the file that it came from; empty for what was typed.
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
    """The card that an owner chose for an entry of a file which fits several or none; without a card, it is
    to be passed over.

    ``entry`` is the entry's id, else its set, number and name, folded.
    """

    entry = models.CharField(max_length=300)

    class Meta(InBox.Meta):
        constraints = [
            models.UniqueConstraint(fields=("box", "game", "entry"), name="own_choice_once_an_entry")
        ]

    def __str__(self) -> str:
        return f"{self.entry} is {self.game}/{self.card_code}"


# -- sets of their own -------------------------------------------------------------------

# Behind every fact of an own card stands its maker.
STATED_BY_OWNER = kit.Claim("", certainty="outside", note="stated by its owner")


def new_code() -> str:
    """A code that no card of a catalogue can have, and that cannot be guessed."""
    return f"{OWN_CODE}{secrets.token_hex(8)}"


class OwnSetQuerySet(ModeratedQuerySet["OwnSet"]):
    """Sets by who asks."""

    def of(self, viewer: Viewer) -> Self:
        return self.filter(box__in=OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what a visitor may open who knows the address, which keeps an unlisted set secret."""
        return self.filter(Q(box__in=OwnBox.objects.visible_to(viewer)) | Q(visibility__in=SHARED))


class OwnSet(Moderated):
    """Cards of one game that its owner made. ``link`` is its address: 128 random bits. ``licence`` and
    ``credit`` are as its owner says.
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
    """Cards of one's own, by who asks."""

    box = "in_set__box"

    def visible_to(self, viewer: Viewer) -> Self:
        """The cards of the sets that this visitor may open."""
        return self.filter(in_set__in=OwnSet.objects.visible_to(viewer))

    def codes_told_to(self, viewer: Viewer, codes: Collection[str]) -> set[str]:
        """Those of the codes whose cards this visitor may read. One query, none for no codes."""
        told = self.visible_to(viewer).filter(code__in=codes)
        return set(told.values_list("code", flat=True) if codes else ())


class OwnCard(models.Model):
    """A card that its owner describes. ``code`` is unlike any code of a catalogue. ``place``: the place of a
    checklist that it fills.

    ``number`` is that of its set, in words, as its owner counts them.
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
        """The card as rules and faces know it: written in, as nothing but its owner states it. Wants
        ``in_set``.
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

# The game's slug, the card's code, and which of its sides; without a code the back of all its cards.
Place = tuple[str, str, str]
# The four sides a picture may be turned by, clockwise.
TURNS = (0, 90, 180, 270)


class Side(models.TextChoices):
    """Tells where a picture is printed; ``UNPLACED`` until its owner has said where."""

    UNPLACED = "", "Not used yet"
    FRONT = "front", "Front"
    BACK = "back", "Back"


class Fit(models.TextChoices):
    """Tells how a picture of another shape comes onto a card."""

    FILL = "fill", "Fill the card, cut off what is too much"
    WHOLE = "whole", "Show all of it, leave a white edge"


class Edge(models.TextChoices):
    """Tells what is printed outside the cut line."""

    MIRRORED = "mirrored", "Mirror the edge of the picture"
    REPEATED = "repeated", "Repeat the edge of the picture"
    COLOUR = "colour", "Fill it with the colour of the picture’s border"
    INCLUDED = "included", "The picture has its own bleed"
    NONE = "none", "Nothing: the paper stays white"


class Use(models.TextChoices):
    """Tells what a picture is of its card's front."""

    CARD = "card", "It is the whole card"
    ART = "art", "It stands in the face’s window, with our facts around it"


class PictureQuerySet(EveryonesQuerySet["UploadedPicture"]):
    """Pictures by who asks."""

    def of(self, owner: Viewer | Everyone) -> Self:
        return self.for_everyone() if isinstance(owner, Everyone) else super().of(owner)

    def placed(self) -> Self:
        """The pictures that are printed somewhere."""
        return self.exclude(side=Side.UNPLACED)


@shown_on_pages
class UploadedPicture(Private):
    """One picture, and where it is printed: on a card's front or back, or, without a card, on the back of all
    cards of its game.

    The file is stored by ``sha256`` of its cleaned bytes (cardsdb.box.picture_store); many rows may share
    one. ``width`` and ``height`` are the pixels of the file as it is. ``mirrored`` and then ``turn``
    (clockwise) make it upright; ``crop`` is [left, top, right, bottom] of the upright picture in thousandths,
    empty for all of it. ``bleed``: how much of the picture is bleed on each side, in micrometres; it is cut
    off where ``edge`` says so, else shown. ``edge_colour`` is the colour of its border, as #rrggbb. ``use``
    is about fronts. ``everyone``: it belongs to everyone on this machine's site, and has no other owner.
    ``label`` is what its owner called the file; it is shown to them and used for nothing else.
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
        return self.game, self.card_code, self.side

    def __str__(self) -> str:
        return f"picture {self.pk} for {self.game}/{self.card_code} {self.side}"
