"""Fifty thousand decks of real cards, made without a page: accounts, lines, comments, and one deck with a
history of 2,000 states.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, models, transaction

from cardsdb.games import games
from cardsdb.games.kit import Entry, Game
from cardsdb.models import Card, Edition
from decks.models import AccountName, Comment, Deck, DeckLine, DeckRevision
from decks.saving.verdicts import basis
from tests.bench.generator import QUALITIES, THINGS

DECKS, ACCOUNTS, STATES = 50_000, 2_000, 2_000
SHARES = {"spycraft": 60, "xfiles": 25, "spynet": 15}
# The first account has so many of the decks.
OF_THE_FIRST = 5_000
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@transaction.atomic
def make(decks: int = DECKS, states: int = STATES, accounts: int = ACCOUNTS) -> None:
    """Fill an empty database that has the catalogue. The same size gives the same decks."""
    chance = random.Random(17)
    users = User.objects.bulk_create([User(username=f"player{n}", password="!") for n in range(accounts)])
    AccountName.objects.bulk_create([AccountName(user=user, key=user.username) for user in users])
    slugs = chance.choices(list(SHARES), list(SHARES.values()), k=decks)
    edition = Edition.objects.current().number
    judged_by = {slug: basis(games()[slug], edition) for slug in SHARES}
    sections = {slug: _cards(games()[slug]) for slug in SHARES}
    lines = [_lines(chance, sections[slug]) for slug in slugs]
    fill(Deck, (_deck(chance, n, slug, users, lines[n], judged_by[slug]) for n, slug in enumerate(slugs)))
    fill(
        DeckLine,
        (_line(n, place, *line) for n, of_deck in enumerate(lines) for place, line in enumerate(of_deck)),
    )
    fill(Comment, (_comment(chance, users, decks) for _ in range(decks)))
    _history(states)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # As its autovacuum does by itself, a minute later.


def _cards(game: Game) -> list[tuple[int, str]]:
    """(primary key, section) of every card; of no secret section, whose lines others may not see."""
    secret = {section.slug for section in game.sections if section.secret}
    rows = Card.objects.in_game(game.slug).values_list("pk", "type").order_by("pk")
    found = [(pk, game.section_for(kind)) for pk, kind in rows]
    return [(pk, section) for pk, section in found if section not in secret]


def _lines(chance: random.Random, cards: Sequence[tuple[int, str]]) -> list[tuple[int, str, int]]:
    return [
        (pk, section, chance.choice((1, 1, 2, 3)))
        for pk, section in chance.sample(cards, min(chance.randint(14, 30), len(cards)))
    ]


def _deck(
    chance: random.Random,
    n: int,
    slug: str,
    users: Sequence[User],
    lines: Sequence[tuple[int, str, int]],
    judged_by: str,
) -> Deck:
    size = sum(count for _, _, count in lines)
    name = f"{chance.choice(QUALITIES)} {chance.choice(THINGS)} {n}"
    return Deck(
        pk=n + 1,
        link=f"bench{n:027}",
        edit_hash=f"{n:064}",
        owner=users[0] if n < OF_THE_FIRST else chance.choice(users) if chance.random() < 0.6 else None,
        game=slug,
        format=games()[slug].formats[0].slug,
        name=name,
        name_folded=name.casefold(),
        tags_folded="||",
        visibility=chance.choices(("public", "unlisted", "private"), (80, 10, 10))[0],
        likes=int(chance.expovariate(0.5)),
        size=size,
        size_shown=size,
        verdict="illegal",
        judged_by=judged_by,
        changed=BEGIN + timedelta(minutes=chance.randint(0, 400_000)),
    )


def _line(n: int, place: int, card: int, section: str, count: int) -> DeckLine:
    return DeckLine(deck_id=n + 1, position=place, section=section, count=count, card_id=card)


def _comment(chance: random.Random, users: Sequence[User], decks: int) -> Comment:
    state = chance.choices(("shown", "waiting", "refused"), (80, 15, 5))[0]
    return Comment(
        deck_id=chance.randint(1, decks),
        author=chance.choice(users),
        text="Which of these do you never leave out?",
        state=state,
    )


def _history(states: int) -> None:
    """States of the first deck, each with a name, so that all are kept; in turn one card more and one
    less.
    """
    deck = Deck.objects.with_cards().get(pk=1)
    content = deck.content()
    taken = {entry.card.code for entry in content.deck}
    game = games()[deck.game]
    new = next(card for card in game.cards if card.code not in taken and not game.is_secret("", card.type))
    entries = (*content.deck.entries, Entry(new, 1, game.section_for(new.type)))
    both = [one.as_json() for one in (content, replace(content, deck=replace(content.deck, entries=entries)))]
    rows = (
        DeckRevision(
            deck=deck,
            number=number,
            made=BEGIN + timedelta(hours=number),
            kind="edited",
            by_id=deck.owner_id,
            name=f"Night {number}" if number % 3 else "",
            content=both[(number + states) % 2],
            undo_to=number - 1 if number else None,
        )
        for number in range(states + 1)
    )
    fill(DeckRevision, rows)
    Deck.objects.filter(pk=1).update(revision=states)


def fill(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    """Write rows with the engine's own quickest way: a COPY in PostgreSQL, one prepared statement in
    SQLite.
    """
    fields = [field for field in model._meta.concrete_fields if not (field.primary_key and model is not Deck)]
    columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    table = connection.ops.quote_name(model._meta.db_table)

    def values() -> Iterator[list[Any]]:
        for row in rows:
            yield [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for one in values():
                    copy.write_row(one)
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{model._meta.db_table}', 'id'), max(id)) FROM {table}"
            )
        else:
            marks = ", ".join(["?"] * len(fields))
            connection.connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values())
