"""Which cards an owner chose for entries that fit several or none: remembered, so that the next file goes by
them too.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.models import OwnBox, OwnChoice
from cardsdb.own.texts import MAX_CHOICES, locked

_FULL = (
    f"{MAX_CHOICES:,} choices of cards are remembered for you, and this would be more. Delete your texts of a"
    " game: its choices go too."
)


def choices_of(box: OwnBox | None, game: Game) -> Mapping[str, str]:
    """Key of an entry -> the code of the card that the box's owner chose for it."""
    return dict(box.ownchoices.filter(game=game.slug).values_list("entry", "card_code")) if box else {}


@transaction.atomic
def remember(box: OwnBox, game: Game, choices: Mapping[str, str]) -> None:
    """Keep which cards were chosen for entries. Raises Refused where the box remembers no more."""
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
