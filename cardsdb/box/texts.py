"""Own texts of cards in the database: reading those that a viewer sees, writing, cleaning and deleting.

A viewer sees their own text of a card before everyone's (on a private site). Writers lock the box, check the
room, and call ``box.changed()``, which renews cached pages. ``clean_text`` is the only way text gets stored.
A box also keeps its owner's choices of cards for ambiguous rows of files (section "choices").

Pages of all three apps read here; ``taking_in.py`` and ``printing/web/own_views.py`` write. Tests:
``test_texts.py`` and ``test_own_texts_found.py`` in ``tests/cardsdb/box``, and of ``claim_texts``
``tests/printing/request/test_texts.py``.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from html import unescape
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Q, Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from cardsdb.box.reading.tables import csv_line, guarded
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import OWN_CODE, UNPRINTABLE, Card, Game
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnChoice, OwnText, owned_by
from cardsdb.models.box import EVERYONES_FIRST

# Texts of one box: ten times the cards of any such game.
MAX_TEXTS = 20_000
# Remembered choices of cards, of one box.
MAX_CHOICES = 3_000
# Characters of all boxes of a site together.
MAX_CHARACTERS_OF_SITE = 500_000_000
_SITE_FULL = "This site has no room left for texts. Its operator can make some; nothing is wrong with yours."
_FULL = (
    f"{MAX_CHOICES:,} choices of cards are remembered for you, and this would be more. Delete your texts of a"
    " game: its choices go too."
)
# Columns of the CSV file of a box, after the game.
COLUMNS = ("code", "name", "set", "number", "text", "facts", "source")
# Tags of layout that other programs write into cells (taken out), and tags that end a line (first made one).
_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|font|p|div)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
# Unicode categories that no font shows: control, surrogate, private use, unassigned. Line feeds and tabs are
# removed before the check.
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}
# Unprintable characters of cells that separate words or lines -> what replaces them. Others are left out.
_SPACES = {"\r": "\n", **dict.fromkeys("\t\x0b\x0c\x85", " ")}


# -- reading ---------------------------------------------------------------------------


def texts_of(viewer: Viewer, game: Game, codes: Collection[str] | None = None) -> Mapping[str, str]:
    """Return card code -> the text that this visitor sees, of all cards or of ``codes``.

    Own cards among ``codes`` are included, with the text of their set, if the visitor may see it.
    """
    rows = OwnText.objects.visible_to(viewer).filter(game=game.slug).exclude(text="")
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    # Everyone's rows come first, so that the viewer's own overwrite them.
    texts = dict(rows.values_list("card_code", "text"))
    if own_codes := [code for code in codes or () if code.startswith(OWN_CODE)]:
        cards = OwnCard.objects.visible_to(viewer).filter(in_set__game=game.slug, code__in=own_codes)
        texts |= dict(cards.exclude(text="").values_list("code", "text"))
    return texts


def texts_in(boxes: Collection[int], codes: Collection[str]) -> Mapping[str, Mapping[str, str]]:
    """Return game slug -> card code -> text, of these cards in these boxes: ``{"spycraft": {"kai": "..."}}``.
    The viewer's own text wins over everyone's. One query.
    """
    rows = OwnText.objects.in_boxes(boxes).filter(card_code__in=codes).exclude(text="")
    texts: dict[str, dict[str, str]] = {}
    # Everyone's rows come first, so that the viewer's own overwrite them.
    for game, code, text in rows.order_by(EVERYONES_FIRST, "pk").values_list("game", "card_code", "text"):
        texts.setdefault(game, {})[code] = text
    return texts


def own_text(viewer: Viewer, game: Game, code: str) -> OwnText | None:
    """Return the text row that this visitor sees of a card: their own, else everyone's, else None."""
    rows = OwnText.objects.visible_to(viewer).filter(game=game.slug, card_code=code)
    # Everyone's comes first.
    return rows.select_related("box").last()


def with_text(card: Card, texts: Mapping[str, str]) -> Card:
    """Return the card with its owner's text instead of ours, and without sources for the text."""
    if card.code not in texts:
        return card
    return replace(
        card,
        text=texts[card.code],
        sentences=(),
        sources={key: claims for key, claims in card.sources.items() if key != "text"},
    )


# -- boxes -----------------------------------------------------------------------------


def box_of(viewer: Viewer) -> OwnBox:
    """Return the visitor's box; create it if needed. The visitor must have an account or a browser."""
    return OwnBox.objects.of(viewer).get_or_create(**owned_by(viewer))[0]


def box_for_everyone() -> OwnBox:
    """Return the box of everyone on a private site; create it if needed."""
    return OwnBox.objects.all_owners("the box of everyone alone").get_or_create(everyone=True)[0]


def locked(box: OwnBox) -> OwnBox:
    """Lock the box until the transaction ends, and return it as it is now."""
    return OwnBox.objects.stored(box).select_for_update().get()


def box_to_fill(viewer: Viewer, theirs: OwnBox) -> OwnBox:
    """Lock the account's box and the browser's box ``theirs``, mark both as changed; return the first."""
    mine = box_of(viewer)
    # Both in the order of their keys, so that two requests at once cannot deadlock.
    for box in OwnBox.objects.stored(mine, theirs).order_by("pk").select_for_update():
        box.changed()
    return mine


# -- writing ---------------------------------------------------------------------------


@transaction.atomic
def save_text(viewer: Viewer, game: Game, code: str, text: str) -> bool:
    """Store a card's text, or delete it if ``text`` is blank; return True if stored. Raises Refused."""
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
        message = f"You have room for {MAX_TEXTS:,} texts, and this would be more. Delete some first."
        raise Refused(Fault("too_many", message, "text"))
    size = Length("text") + Length(Cast("facts", TextField()))
    texts_of_all = OwnText.objects.all_owners("counted for the site's bound").order_by()
    if (texts_of_all.aggregate(total=Sum(size))["total"] or 0) + characters > MAX_CHARACTERS_OF_SITE:
        raise Refused(Fault("site_full", _SITE_FULL, "text"), status=507)


@transaction.atomic
def claim_texts(viewer: Viewer) -> int:
    """Give the browser's texts and choices to the account; return the number of texts moved. Where the
    account has its own text of a card, the browser's stays behind.
    """
    theirs = OwnBox.objects.of_browser(viewer).first()
    if theirs is None:
        return 0
    mine = box_to_fill(viewer, theirs)
    moved = _give_rows(theirs.owntexts, mine.owntexts, "card_code", MAX_TEXTS)
    _give_rows(theirs.ownchoices, mine.ownchoices, "entry", MAX_CHOICES)
    return moved


def _give_rows(theirs: Any, mine: Any, column: str, most: int) -> int:
    """Move rows from one box to another that has at most ``most``; return their number. A row stays behind if
    the other box has one with the same game and ``column``.
    """
    known = set(mine.values_list("game", column))
    rows = theirs.values_list("pk", "game", column)
    new = [pk for pk, game, key in rows if (game, key) not in known]
    room = max(0, most - len(known))
    return int(theirs.filter(pk__in=new[:room]).update(box=mine.instance))


# -- cleaning --------------------------------------------------------------------------


def clean_text(text: str) -> str:
    """Return the text as it is stored: NFC, lines trimmed, at most one empty line in a row. Raises Refused if
    it is too long or has characters that cannot be printed.
    """
    # " Draw  two cards.\r\n\r\n\r\nThen rest. " -> "Draw two cards.\n\nThen rest."
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    clean = re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    # NFC joins a letter and its accents, up to three characters into one, which may shorten the text. On
    # hostile input it is slow, so not for texts that are too long anyway.
    if len(clean) <= 3 * MAX_TEXT:
        clean = unicodedata.normalize("NFC", clean)
    if len(clean) > MAX_TEXT:
        raise Refused(
            Fault("too_long", f"The text has {len(clean):,} letters; {MAX_TEXT:,} are the most.", "text")
        )
    for number, line in enumerate(clean.split("\n"), 1):
        if bad := [char for char in line if unicodedata.category(char) in _HIDDEN]:
            raise Refused(Fault("bad_character", cannot_show(number, bad), "text"))
    return clean


def plain_cell(cell: str) -> str:
    """Return the text of another program's cell, without HTML tags and unprintable characters."""
    # "<b>Draw</b> 2 &amp; rest<br>Then" -> "Draw 2 & rest\nThen"
    plain = UNPRINTABLE.sub(lambda match: _SPACES.get(match[0], ""), cell.replace("\r\n", "\n"))
    return unescape(_TAG.sub("", _BREAK.sub("\n", plain)))


def cannot_show(line: int, characters: list[str]) -> str:
    """Return the message about characters of a line that cannot be stored: ``Line 2: U+0007 a control
    character cannot be printed. Take it out.``
    """
    named = ", ".join(
        f"U+{ord(char):04X} {unicodedata.name(char, 'a control character')}"
        for char in dict.fromkeys(characters[:5])
    )
    return f"Line {line}: {named} cannot be printed. Take it out."


# -- choices ---------------------------------------------------------------------------

# A file may have a row that fits several cards. Its owner chooses one on the page of the upload; the choice
# is kept in the box (``OwnChoice``), under the row's key, so that the next upload does not ask again.


def choices_of(box: OwnBox | None, game: Game) -> Mapping[str, str]:
    """Return entry key -> card code, as the box's owner chose for ambiguous rows of files."""
    return dict(box.ownchoices.filter(game=game.slug).values_list("entry", "card_code")) if box else {}


@transaction.atomic
def remember(box: OwnBox, game: Game, choices: Mapping[str, str]) -> None:
    """Remember the cards chosen for entries, so that the next upload does not ask. Raises Refused if there
    are too many.
    """
    if not choices:
        return
    known = choices_of(locked(box), game)
    if box.ownchoices.count() + len(choices.keys() - known.keys()) > MAX_CHOICES:
        raise Refused(Fault("too_many", _FULL, "file"))
    OwnChoice.objects.bulk_create(
        [
            OwnChoice(box=box, game=game.slug, entry=entry, card_code=code)
            for entry, code in sorted(choices.items())
        ],
        update_conflicts=True,
        update_fields=["card_code"],
        unique_fields=["box", "game", "entry"],
    )


# -- contents of boxes -----------------------------------------------------------------


class BoxContent(NamedTuple):
    """The number of texts and of differing facts that a box has for one game."""

    box: OwnBox
    game: str
    texts: int
    facts: int


def contents(boxes: list[OwnBox]) -> list[BoxContent]:
    """Return the contents of these boxes, one item for each box and game."""
    by_box = {box.pk: box for box in boxes}
    rows = OwnText.objects.in_boxes(boxes).order_by("box", "game").values_list("box", "game")
    counted = rows.annotate(texts=Count("pk", filter=~Q(text="")), facts=Count("pk", filter=~Q(facts={})))
    return [BoxContent(by_box[box], *rest) for box, *rest in counted]


def as_table(box: OwnBox, game_slug: str) -> Iterator[str]:
    """Yield the texts of a box, or of one game, as lines of a CSV file that can be uploaded again."""
    rows = box.owntexts.filter(game=game_slug) if game_slug else box.owntexts.all()
    yield csv_line(("game", *COLUMNS))
    for row in rows.iterator(500):
        game = games().get(row.game)
        card = game.card(row.card_code) if game else None
        first = card.prints[0] if card and card.prints else None
        about = (card.name if card else "", first.set if first else "", first.number if first else "")
        facts = "; ".join(f"{key}: {value}" for key, value in row.facts.items())
        yield csv_line((row.game, *map(guarded, (row.card_code, *about, row.text, facts, row.source))))


@transaction.atomic
def forget(box: OwnBox, game_slug: str = "") -> int:
    """Delete the texts and choices of a box, or those of one game; return the number of texts deleted."""
    of_game = {"game": game_slug} if game_slug else {}
    mine = locked(box)
    mine.ownchoices.filter(**of_game).delete()
    number, _ = mine.owntexts.filter(**of_game).delete()
    mine.changed()
    return number
