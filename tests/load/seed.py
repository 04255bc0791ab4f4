"""The site of the evening: 100,000 decks with their history, 1,000 accounts, 10,000 pictures, and the
sessions of those who are logged in.

Written past pages and forms. It takes a data folder that is prepared and has no decks:

    CUTOUT_VAR=FOLDER python -m tests.load.seed 100000
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402

from cardsdb.games import games  # noqa: E402
from cardsdb.identity.viewer import Viewer  # noqa: E402
from decks.models import Deck, DeckLine, DeckRevision  # noqa: E402
from decks.models.revision import length_of  # noqa: E402
from printing.models import Side, UploadedPicture  # noqa: E402
from printing.uploads import storage  # noqa: E402
from printing.uploads.intake import take  # noqa: E402
from printing.uploads.pictures import picture_row  # noqa: E402
from tests.bench import many_decks  # noqa: E402

ACCOUNTS, PICTURES_OF_EACH = 1_000, 10
# Files behind the pictures: many rows may share one.
FILES, LOGGED_IN, CHUNK = 50, 300, 5_000
VISITORS = "visitors.json"


def seed(decks: int, accounts: int = ACCOUNTS) -> None:
    """Fill the database and folder of this environment. The same size gives the same."""
    with transaction.atomic():
        many_decks.make(decks, 0, accounts)
        for first in range(2, decks + 1, CHUNK):
            many_decks.fill(DeckRevision, _history(first, min(first + CHUNK, decks + 1)))
        # The first deck has its state from ``make``.
        Deck.objects.filter(pk__gt=1).update(revision=1)
        _pictures(accounts * PICTURES_OF_EACH)
        visitors = _visitors()
    (Path(settings.VAR_DIR) / VISITORS).write_text(json.dumps(visitors))


def _history(first: int, end: int) -> list[DeckRevision]:
    """Two states of each of these decks: without its last card, and as it is."""
    about = {
        pk: (name, style)
        for pk, name, style in Deck.objects.filter(pk__range=(first, end - 1)).values_list(
            "pk", "name", "format"
        )
    }
    lines = DeckLine.objects.filter(deck__in=about).order_by("deck_id", "position")
    rows = list(lines.values_list("deck_id", "section", "count", "card__code"))
    # A list: PostgreSQL answers nothing while it takes rows in.
    return [
        state
        for deck, of_deck in groupby(rows, key=lambda row: row[0])
        for state in _states(
            deck,
            *about[deck],
            [{"section": section, "count": count, "code": code} for _, section, count, code in of_deck],
        )
    ]


def _states(deck: int, name: str, style: str, lines: list[dict[str, Any]]) -> Iterator[DeckRevision]:
    for number, kind, held in ((0, "made", lines[:-1]), (1, "edited", lines)):
        content = {
            "name": name,
            "format": style,
            "house": "",
            "notes": "",
            "tags": [],
            "details": {},
            "lines": held,
        }
        values = {"made": many_decks.BEGIN + timedelta(minutes=number), "undo_to": 0 if number else None}
        yield DeckRevision(
            deck_id=deck, number=number, kind=kind, content=content, length=length_of(content), **values
        )


def _pictures(number: int) -> None:
    """Pictures of cards, as many for each account."""
    taken = []
    for shade in range(FILES):
        file = BytesIO()
        Image.linear_gradient("L").resize((375, 525)).point(
            lambda value, shade=shade: (value + 5 * shade) % 256
        ).save(file, "JPEG")
        taken.append(take(file.getvalue()))
        with storage.locked():
            storage.keep(taken[-1].sha256, taken[-1].parts)
    codes = [card.code for card in games()["spycraft"].cards]
    users = list(User.objects.order_by("pk").values_list("pk", flat=True))
    rows = []
    for n in range(number):
        code = codes[n // len(users)]
        rows.append(
            picture_row(
                Viewer(users[n % len(users)]), taken[n % FILES], code, ("spycraft", code, Side.FRONT), {}
            )
        )
    UploadedPicture.objects.bulk_create(rows, 500)


def _visitors() -> list[dict[str, str]]:
    """Of each who is logged in the session, and a deck of theirs with a card that is in it. With public decks
    for everybody to see.
    """
    end, chance, store = timezone.now() + timedelta(days=30), random.Random(17), SessionStore()
    decks = Deck.objects.filter(owner__isnull=False, game="spycraft").order_by("-pk").select_related("owner")
    public = list(
        Deck.objects.filter(visibility="public").order_by("-changed").values_list("link", flat=True)[:2_000]
    )
    sessions, visitors = [], {}
    for deck in decks.iterator():
        if deck.owner_id in visitors:
            continue
        assert deck.owner
        key = f"load{deck.owner_id:028}"
        values = {SESSION_KEY: str(deck.owner_id), BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0]}
        values[HASH_SESSION_KEY] = deck.owner.get_session_auth_hash()
        sessions.append(Session(session_key=key, session_data=store.encode(values), expire_date=end))
        line = deck.lines.select_related("card").order_by("position")[0]
        assert line.card
        visitors[deck.owner_id] = {
            "session": key,
            "deck": deck.link,
            "line": f"{line.section} {line.card.code}",
        }
        if len(visitors) == LOGGED_IN:
            break
    Session.objects.bulk_create(sessions)
    return [visitor | {"public": chance.choice(public)} for visitor in visitors.values()]


if __name__ == "__main__":
    seed(int(sys.argv[1]))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # As PostgreSQL does by itself within minutes. Inside of a transaction it may not.
            cursor.execute("VACUUM ANALYZE")
