"""Own texts in the database: those that a viewer sees, and one that they write."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnText
from cardsdb.models.own import EVERYONES_FIRST
from cardsdb.own.wording import clean_text

# Of one box: as many texts as a game of this kind ever had cards, ten times over.
MAX_TEXTS = 20_000
MAX_CHOICES = 3_000
# Characters of all boxes of a site together.
MAX_CHARACTERS_OF_SITE = 500_000_000
_SITE_FULL = (
    "This site has no room left for texts. Whoever runs it can make some; nothing is wrong with yours."
)


# -- reading ---------------------------------------------------------------------------


def texts_of(viewer: Viewer, game: Game, codes: Collection[str] | None = None) -> Mapping[str, str]:
    """Card code -> the text that this visitor sees as their own, or everyone's on a private site; of some
    cards, or all.

    Among named cards those of sets that the visitor may see have the text that stands there.
    """
    rows = OwnText.objects.visible_to(viewer).filter(game=game.slug).exclude(text="")
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    texts = dict(rows.values_list("card_code", "text"))
    if made := [code for code in codes or () if code.startswith(OWN_CODE)]:
        cards = (
            OwnCard.objects.visible_to(viewer).filter(in_set__game=game.slug, code__in=made).exclude(text="")
        )
        texts |= dict(cards.values_list("code", "text"))
    return texts


def texts_in(boxes: Collection[int], codes: Collection[str]) -> Mapping[str, Mapping[str, str]]:
    """Game -> card code -> text, of these cards in these boxes, of which the viewer's own comes before
    everyone's. One query.
    """
    rows = OwnText.objects.in_boxes(boxes).filter(card_code__in=codes).exclude(text="")
    texts: dict[str, dict[str, str]] = {}
    for game, code, text in rows.order_by(EVERYONES_FIRST, "pk").values_list("game", "card_code", "text"):
        texts.setdefault(game, {})[code] = text
    return texts


def own_text(viewer: Viewer, game: Game, code: str) -> OwnText | None:
    """What this visitor sees of a card: their own, else everyone's."""
    return (
        OwnText.objects.visible_to(viewer).filter(game=game.slug, card_code=code).select_related("box").last()
    )


# -- writing ---------------------------------------------------------------------------


def box_of(viewer: Viewer) -> OwnBox:
    """The visitor's box, made if there is none. The visitor has an account or a browser."""
    owner: dict[str, Any] = {"owner_id": viewer.user_id} if viewer.user_id else {"browser": viewer.browser}
    return OwnBox.objects.of(viewer).get_or_create(**owner)[0]


def box_for_everyone() -> OwnBox:
    """The box of everyone on this machine's site, made if there is none."""
    return OwnBox.objects.all_owners("the box of everyone alone").get_or_create(everyone=True)[0]


def locked(box: OwnBox) -> OwnBox:
    """The box as it is now; whoever else would write into it waits until this transaction ends."""
    return OwnBox.objects.stored(box).select_for_update().get()


@transaction.atomic
def save_text(viewer: Viewer, game: Game, code: str, text: str) -> bool:
    """Store this text for the card, or delete the one there is if it has no words. Whether there is one now.
    Raises Refused.
    """
    clean = clean_text(text)
    if not clean:
        mine = OwnBox.objects.of(viewer).select_for_update().first()
        if mine and mine.owntexts.filter(game=game.slug, card_code=code).delete()[0]:
            mine.changed()
        return False
    box = locked(box_of(viewer))
    values = {"text": clean, "source": "", "changed": timezone.now()}
    if not box.owntexts.filter(game=game.slug, card_code=code).update(**values):
        check_room(box, 1, len(clean))
        box.owntexts.update_or_create(game=game.slug, card_code=code, defaults=values)
    box.changed()
    return True


def check_room(box: OwnBox, texts: int, characters: int) -> None:
    """Raise Refused if the box takes no more texts, or the site no more characters."""
    if box.owntexts.count() + texts > MAX_TEXTS:
        raise Refused(
            Fault(
                "too_many",
                f"You have room for {MAX_TEXTS:,} texts, and this would be more. Delete some first.",
                "text",
            )
        )
    size = Length("text") + Length(Cast("facts", TextField()))
    texts_of_all = OwnText.objects.all_owners("counted for the site's bound").order_by()
    if (texts_of_all.aggregate(total=Sum(size))["total"] or 0) + characters > MAX_CHARACTERS_OF_SITE:
        raise Refused(Fault("site_full", _SITE_FULL, "text"), status=507)


@transaction.atomic
def claim_texts(viewer: Viewer) -> int:
    """Make the browser's texts the account's; how many. Texts of cards for which the account has one stay
    with the browser.
    """
    theirs = OwnBox.objects.of_browser(viewer).first()
    if theirs is None:
        return 0
    mine = box_of(viewer)
    # Always in the same order, so that two that take along do not wait for each other.
    list(OwnBox.objects.stored(mine, theirs).order_by("pk").select_for_update())
    own = set(mine.owntexts.values_list("game", "card_code"))
    fresh = [
        pk for pk, *card in theirs.owntexts.values_list("pk", "game", "card_code") if tuple(card) not in own
    ]
    moved = theirs.owntexts.filter(pk__in=fresh[: max(0, MAX_TEXTS - len(own))]).update(box=mine)
    chosen = set(mine.ownchoices.values_list("game", "entry"))
    fresh = [choice.pk for choice in theirs.ownchoices.all() if (choice.game, choice.entry) not in chosen]
    theirs.ownchoices.filter(pk__in=fresh[: max(0, MAX_CHOICES - len(chosen))]).update(box=mine)
    for box in (mine, theirs):
        box.changed()
    return moved
