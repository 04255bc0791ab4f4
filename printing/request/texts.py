"""People's own text for cards: printed on their own sheets in place of Cutout's, and never shown to anybody else."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.site.faults import Fault, Refused
from printing.faces import fonts
from printing.faces.compose import type_of_text
from printing.models import CardText
from printing.models.private import MAX_TEXT, PrivateQuerySet, owned_by

MAX_TEXTS = 2_000
# Points. The print page warns of smaller type, which few read at arm's length.
MIN_POINTS = 5
# Categories of characters that do not show; line feeds and tabs are taken out before.
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}


def texts_of(viewer: Viewer, game: Game) -> Mapping[str, str]:
    """Card code -> the text this visitor has for it. One query."""
    return dict(CardText.objects.of(viewer).filter(game=game.slug).values_list("card_code", "text"))


def with_text(card: Card, texts: Mapping[str, str]) -> Card:
    """The card as its owner prints it: their text stands in place of Cutout's."""
    return replace(card, text=texts[card.code]) if card.code in texts else card


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The size in points, to a tenth, in which the card's text is set; nothing where it has no room."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False) -> Iterator[str]:
    """A sentence for each card that has a text of its owner's set smaller than is easily read."""
    for card in {card.code: card for card in cards if not card.written}.values():
        ours = game.card(card.code)
        if ours and card.text != ours.text and 0 < (points := points_of(card, game, trim, large=large)) < MIN_POINTS:
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."


def text_rows(viewer: Viewer) -> PrivateQuerySet[CardText]:
    """All texts of a visitor."""
    return CardText.objects.of(viewer)


def clean_text(text: str) -> str:
    """The text as it is stored: NFC, lines trimmed, no more than one empty line. Raises Refused for what cannot be printed."""
    lines = [" ".join(line.split()) for line in unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    clean = "\n".join(line for index, line in enumerate(lines) if line or (index and lines[index - 1])).strip("\n")
    if len(clean) > MAX_TEXT:
        raise Refused(Fault("too_long", f"The text has {len(clean):,} letters; {MAX_TEXT:,} are the most.", "text"))
    for number, line in enumerate(clean.split("\n"), 1):
        bad = [c for c in line if unicodedata.category(c) in _HIDDEN] or list(fonts.missing(line))
        if bad:
            named = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'a control character')}" for c in dict.fromkeys(bad[:5]))
            raise Refused(Fault("missing_character", f"Line {number}: {named} cannot be printed. Take it out.", "text"))
    return clean


@transaction.atomic
def save_text(viewer: Viewer, game: Game, code: str, text: str) -> bool:
    """Store this text for the card, or delete the one there is if it has no words. Whether there is one now. Raises Refused."""
    clean = clean_text(text)
    mine = CardText.objects.of(viewer)
    if not clean:
        mine.filter(game=game.slug, card_code=code).delete()
        return False
    if mine.filter(game=game.slug, card_code=code).update(text=clean, changed=timezone.now()):
        return True
    if mine.count() >= MAX_TEXTS:
        raise Refused(Fault("too_many", f"You have {MAX_TEXTS:,} texts, which is the most. Delete some first.", "text"))
    CardText.objects.update_or_create(**owned_by(viewer), game=game.slug, card_code=code, defaults={"text": clean})
    return True


@transaction.atomic
def claim_texts(viewer: Viewer) -> int:
    """Make the browser's texts the account's; how many. Texts of cards for which the account has one stay with the browser."""
    own = set(text_rows(viewer).values_list("game", "card_code"))
    theirs = CardText.objects.of_browser(viewer)
    fresh = [row.pk for row in theirs if (row.game, row.card_code) not in own]
    return theirs.filter(pk__in=fresh[: max(0, MAX_TEXTS - len(own))]).update(owner=viewer.user_id, browser=None)
