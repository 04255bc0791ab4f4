"""Own pictures as a visitor sees them: their own, else everyone's on a private site; and of which cards a
visitor has a face of their own.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Count
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.sets import cards_in, in_its_set
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import Everyone, OwnBox, OwnCard, OwnText, Side, UploadedPicture, Use
from cardsdb.models.box import Boxes

# The game's slug and the card's code.
CardKey = tuple[str, str]
# Faces in one picture. A deck of more different cards has some pictures more.
MAX_IN_STRIP = 120


def has_window(game: Game, code: str, own_type: str = "") -> bool:
    """Say whether the card's face has a window for a picture; a picture for one that has none can only be
    the whole card.

    ``own_type``: the type of a card that is somebody's own.
    """
    card = game.card(code)
    of_type = card.type if card else own_type
    return of_type in game.types_by_slug and bool(game.face_named(of_type).art_window)


def own_cards_of(rows: Iterable[UploadedPicture]) -> Mapping[str, Card]:
    """Code -> the card, of somebody's own, that a picture of theirs is of. One query, none where there are no
    such pictures.
    """
    codes = {row.card_code for row in rows if row.card_code.startswith(OWN_CODE)}
    cards = OwnCard.objects.all_owners("a picture is only ever put onto a card of its own owner").filter(
        code__in=codes
    )
    found = cards.select_related("in_set") if codes else ()
    return {row.code: in_its_set(row) for row in found}


def ref_of(picture: UploadedPicture, own: Card | None = None) -> PictureRef:
    """The picture as printing knows it. On a face without a window it is the whole card, whatever was wished.

    ``own``: the card that it is of, where that is somebody's own.
    """
    game = games().get(picture.game)
    in_window = (
        picture.use == Use.ART
        and game is not None
        and has_window(game, picture.card_code, own.type if own else "")
    )
    whole = (0, 0, 1000, 1000)
    return PictureRef(
        sha256=picture.sha256,
        kind=picture.kind,  # type: ignore[arg-type]
        width=picture.width,
        height=picture.height,
        files=storage.store(),
        address=reverse("picture_file", args=[picture.sha256]),
        turn=picture.turn,
        mirrored=picture.mirrored,
        crop=tuple(picture.crop) if len(picture.crop) == len(whole) else whole,  # type: ignore[arg-type]
        fit=picture.fit,  # type: ignore[arg-type]
        edge=picture.edge,  # type: ignore[arg-type]
        bleed=picture.bleed,
        label=picture.label,
        use="art" if in_window else "card",
    )


def pictures_of(
    viewer: Viewer, game: Game, codes: Collection[str] | None = None
) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, front or back) -> the picture this visitor sees for it: their own, else everyone's on a
    private site.

    The code is empty for the back of all cards. Of some cards, or all. One query.
    """
    rows = UploadedPicture.objects.visible_to(viewer).filter(game=game.slug).exclude(side=Side.UNPLACED)
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    own = own_cards_of(rows)
    return {(row.card_code, row.side): ref_of(row, own.get(row.card_code)) for row in rows}


def pictures_on_pages(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, PictureRef]:
    """Card code -> the picture of its front that this visitor sees, from the small copy, for some cards. One
    query.
    """
    return {
        code: ref._replace(address=reverse("picture_small", args=[ref.sha256]))
        for (code, side), ref in pictures_of(viewer, game, codes).items()
        if side == Side.FRONT
    }


def picture_states(viewer: Viewer, codes: Collection[str]) -> Mapping[tuple[str, str], int]:
    """(game, card code) -> a number that is another when the picture of its front is, for cards of these
    codes. One query.
    """
    rows = UploadedPicture.objects.visible_to(viewer).filter(card_code__in=codes, side=Side.FRONT)
    looks = rows.values_list(
        "game", "card_code", "sha256", "use", "edge", "bleed", "crop", "turn", "mirrored", "fit"
    )
    return {(game, code): zlib.crc32(repr(look).encode()) for game, code, *look in looks}


def has_pictures(viewer: Viewer) -> bool:
    """Say whether this visitor sees any picture of a card's front. One query."""
    return UploadedPicture.objects.visible_to(viewer).filter(side=Side.FRONT).order_by().exists()


def own_names(owner: Viewer | Everyone, game: Game) -> NameIndex:
    """The owner's cards of a game that are their own, to find by the names of files. One query."""
    boxes = OwnBox.objects.for_everyone() if isinstance(owner, Everyone) else OwnBox.objects.of(owner)
    return NameIndex(cards_in(boxes.first(), game))


def pictures_by_game(owner: Viewer | Everyone) -> Mapping[str, int]:
    """Game -> how many pictures of its cards this owner has."""
    rows = UploadedPicture.objects.of(owner).exclude(game="").order_by("game").values_list("game")
    return dict(rows.annotate(number=Count("pk")))


def face_states(viewer: Viewer, cards: Collection[CardKey]) -> Mapping[CardKey, int]:
    """Return, of those cards of which this visitor sees an own text or picture, a number that is another
    when its face is. Two queries.
    """
    codes = {code for _, code in cards}
    rows = OwnText.objects.visible_to(viewer).filter(card_code__in=codes).exclude(text="")
    texts = {(game, code): state for game, code, state in rows.values_list("game", "card_code", "box__state")}
    pictures = picture_states(viewer, codes)
    return {
        card: texts.get(card, 0) ^ pictures.get(card, 0)
        for card in cards
        if card in texts or card in pictures
    }


def may_have_faces(reader: Viewer, boxes: Boxes | None = None) -> bool:
    """Say whether the reader of a page has anything of their own, or everyone has. Three short queries at
    most, one where nobody has.
    """
    if reader != Viewer():
        return True
    if not may_see_own(reader):
        return False
    return bool(OwnBox.objects.states_seen_by(reader) if boxes is None else boxes) or has_pictures(reader)
