"""What the catalogue's templates call: how certain a claim is, the rows of a card list, faces of cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardsdb.games.kit.model.cards import Certainty
from cardsdb.templatetags.own_faces import face_in, face_strip, own_faces, small_face
from cardsdb.web.lists.rows import rows_of

MEANING: dict[Certainty, str] = {
    "stated": "The place named says so itself.",
    "inferred": "Worked out from what the place says; it does not say so outright.",
    "conflicting": "One document contradicts itself here, or has a slip that shows.",
    "outside": (
        "Said elsewhere than in the rulebook: by a card list, a printed card, a review, or whoever wrote the"
        " list."
    ),
}


def means(word: str) -> str:
    """What the word means; empty for one that is none of the four."""
    return next((meaning for known, meaning in MEANING.items() if known == word), "")


def certainties() -> list[tuple[str, str]]:
    """Every word with its meaning, from the firmest on."""
    return list(MEANING.items())


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "certainties": certainties,
    "small_face": small_face,
    "face_strip": face_strip,
    "face_in": face_in,
    "own_faces": own_faces,
}
FILTERS: Mapping[str, Callable[..., Any]] = {
    "means": means,
    "card_rows": rows_of,
}
