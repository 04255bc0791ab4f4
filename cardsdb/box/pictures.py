"""Own pictures for reading: which pictures a visitor sees for which cards.

A visitor sees their own picture of a card, else everyone's on a private site. ``pictures_of`` gives printing
and pages a ``PictureRef`` per card and side. Tests: ``tests/cardsdb/box/test_pictures.py``; of faces
``tests/printing/faces/test_own_pictures.py``; of own cards ``tests/printing/web/test_own_cards.py``; of faces
on pages ``test_own_faces.py`` beside it.
"""

import zlib
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Count
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.sets import cards_in, in_its_set
from cardsdb.catalogue.current import games
from cardsdb.games.kit import OWN_CODE, Card, Game, NameIndex
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import Everyone, OwnBox, OwnCard, OwnText, Side, UploadedPicture, Use
from cardsdb.models.box import Boxes

# (game slug, card code)
CardKey = tuple[str, str]
# Columns of a picture that are measured from its file; a ``CleanPicture`` has attributes of the same names.
SEEN = ("sha256", "kind", "width", "height", "turn", "mirrored", "edge_colour")
# Faces that one combined picture of a deck holds; a deck of more different cards gets several.
MAX_IN_STRIP = 120


def has_window(game: Game, code: str, own_type: str = "") -> bool:
    """True if the face of this card has a window for art. Otherwise its picture can only be the whole card.

    ``own_type``: the type, for an own card.
    """
    card = game.card(code)
    of_type = card.type if card else own_type
    return of_type in game.types_by_slug and bool(game.face_named(of_type).art_window)


def own_cards_of(rows: Iterable[UploadedPicture]) -> Mapping[str, Card]:
    """Return code -> the own card that a picture shows. One query, or none without such pictures."""
    codes = {row.card_code for row in rows if row.card_code.startswith(OWN_CODE)}
    cards = OwnCard.objects.all_owners("a picture is only ever put onto a card of its own owner").filter(
        code__in=codes
    )
    found = cards.select_related("in_set") if codes else ()
    return {row.code: in_its_set(row) for row in found}


def ref_of(picture: UploadedPicture, own: Card | None) -> PictureRef:
    """Return the picture in the form that printing takes. On a face without a window it is the whole card,
    whatever was asked for.

    ``own``: the own card that it shows, if any.
    """
    game = games().get(picture.game)
    in_window = (
        picture.use == Use.ART
        and game is not None
        and has_window(game, picture.card_code, own.type if own else "")
    )
    return PictureRef(
        files=storage.store(),
        address=reverse("picture_file", args=[picture.sha256]),
        crop=tuple(picture.crop) or (0, 0, 1000, 1000),  # type: ignore[arg-type]
        use="art" if in_window else "card",
        **{name: getattr(picture, name) for name in (*SEEN, "fit", "edge", "bleed", "label")},
    )


def pictures_of(
    viewer: Viewer, game: Game, codes: Collection[str] | None = None
) -> Mapping[tuple[str, str], PictureRef]:
    """Return (card code, "front" or "back") -> the picture that this visitor sees: their own, else everyone's
    on a private site.

    The code "" stands for the back of all cards. ``codes`` limits the cards. One query, and one more if some
    are of own cards.
    """
    rows = UploadedPicture.objects.visible_to(viewer).placed().filter(game=game.slug)
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    own = own_cards_of(rows)
    return {(row.card_code, row.side): ref_of(row, own.get(row.card_code)) for row in rows}


def pictures_on_pages(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, PictureRef]:
    """Return card code -> the front's picture that this visitor sees, with the address of its small copy."""
    return {
        code: ref._replace(address=reverse("picture_small", args=[ref.sha256]))
        for (code, side), ref in pictures_of(viewer, game, codes).items()
        if side == Side.FRONT
    }


def own_names(owner: Viewer | Everyone, game: Game) -> NameIndex:
    """Return an index of the owner's own cards of a game, for finding them by file names."""
    boxes = OwnBox.objects.for_everyone() if isinstance(owner, Everyone) else OwnBox.objects.of(owner)
    return NameIndex(cards_in(boxes.first(), game))


def pictures_by_game(owner: Viewer | Everyone) -> Mapping[str, int]:
    """Return game slug -> the number of pictures that this owner has."""
    rows = UploadedPicture.objects.of(owner).exclude(game="").order_by("game").values_list("game")
    return dict(rows.annotate(number=Count("pk")))


def face_states(viewer: Viewer, cards: Collection[CardKey]) -> Mapping[CardKey, int]:
    """Return card -> a number that changes with its face, for those cards that this visitor sees with an own
    text or picture. It serves in cache keys. Two queries.
    """
    codes = {code for _, code in cards}
    rows = OwnText.objects.visible_to(viewer).filter(card_code__in=codes).exclude(text="")
    texts = {(game, code): state for game, code, state in rows.values_list("game", "card_code", "box__state")}
    fronts = UploadedPicture.objects.visible_to(viewer).filter(card_code__in=codes, side=Side.FRONT)
    looks = fronts.values_list(
        "game", "card_code", "sha256", "use", "edge", "bleed", "crop", "turn", "mirrored", "fit"
    )
    pictures = {(game, code): zlib.crc32(repr(look).encode()) for game, code, *look in looks}
    seen = texts.keys() | pictures.keys()
    # Both numbers look random, so that combining them by XOR changes the result if one of them changes.
    return {card: texts.get(card, 0) ^ pictures.get(card, 0) for card in cards if card in seen}


def may_have_faces(reader: Viewer, boxes: Boxes | None) -> bool:
    """True if the reader may see own texts or pictures, their own or everyone's, so that a shared cached page
    will not do. ``boxes``: the reader's, if they are known already. At most three short queries.
    """
    if reader != Viewer():
        return True
    if not may_see_own(reader):
        return False
    if OwnBox.objects.states_seen_by(reader) if boxes is None else boxes:
        return True
    return UploadedPicture.objects.visible_to(reader).filter(side=Side.FRONT).order_by().exists()
