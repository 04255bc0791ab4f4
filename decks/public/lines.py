"""The lines of decks that a viewer may see.

A section of a deck may be secret, and so may the cards of a type that only such sections take. A line is
shown if it is not secret, or if its deck is open to the viewer: a revealed one, or the viewer's own.
``lines_of`` finds the lines of the decks of one page, for lists of decks and the pages of a card.
``lines_of_cards`` finds lines in all decks, for the pages of a card and for ``uses:`` and ``deck:``.

Invariants: a condition is true or false, never NULL, so that its opposite finds exactly the other rows; and
what a viewer may not see of a deck does not count, so that no query reveals a secret section. Who may see a
deck at all is not checked here, but by querysets (``Deck.objects.visible_to``).
Tests: ``tests/decks/public/test_secrets.py``.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import BooleanField, F, Func, Q, QuerySet

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.identity.viewer import Viewer
from decks.models import Deck, DeckLine

# The condition that no row meets.
NOTHING = Q(pk__in=())


def lines_of(decks: Sequence[Deck], viewer: Viewer) -> QuerySet[DeckLine]:
    """The lines of these decks that the viewer may see. Secret lines are among them only for the viewer's own
    decks and for revealed ones. Pass the decks of one page, all of which the viewer may look at.

    The query joins no line with its deck, because PostgreSQL would then read all decks.
    """
    # Both grow game by game: the condition for secret lines, and the decks that may have some.
    secret, decks_with_secrets = NOTHING, list[int]()
    for slug, hidden in _secrets(catalogue()).items():
        if of_game := [deck.pk for deck in decks if deck.game == slug]:
            # ``isnull`` keeps the condition from being NULL for a line without a card or without a written
            # one.
            of_type = Q(card__isnull=False, card__type__in=hidden.types) | Q(
                written__isnull=False, written__type__in=hidden.types
            )
            secret |= Q(deck__in=of_game) & (Q(section__in=hidden.sections) | of_type)
            decks_with_secrets += of_game
    lines = DeckLine.objects.in_decks([deck.pk for deck in decks]).order_by()
    if not decks_with_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, pk__in=decks_with_secrets))


def _in_open_decks(viewer: Viewer, **among: Any) -> Q:
    """The condition for lines whose deck is one of these and shows its secrets to the viewer."""
    decks = Deck.objects.all_owners("which of them tell their secrets").order_by().filter(is_open(viewer))
    return Q(deck__in=decks.filter(**among).values("pk"))


def is_open(viewer: Viewer) -> Q:
    """The condition for decks that show their secrets to the viewer: revealed ones and the viewer's own."""
    return Q(revealed=True) | mine(viewer)


def mine(viewer: Viewer) -> Q:
    """The condition for decks that the viewer may edit. No deck meets it for a viewer without account,
    browser and key.
    """
    own = Deck.objects.editable_by(viewer).order_by()
    return NOTHING if viewer == Viewer() else Q(pk__in=own.values("pk"))


class _Secrets(NamedTuple):
    """What decks of one game hide: their secret ``sections``, and cards of the ``types`` that only such
    sections take, wherever these stand. For The X-Files ``["xfile"]`` and ``["x-file"]``.
    """

    sections: list[str]
    types: list[str]


def _secrets(current: Catalogue) -> dict[str, _Secrets]:
    """Return game slug -> what its decks hide, for games whose decks hide anything."""
    found = {}
    for game in current.games.values():
        sections = [section.slug for section in game.sections if section.secret]
        types = [card_type.slug for card_type in game.types if game.is_secret("", card_type.slug)]
        if sections or types:
            found[game.slug] = _Secrets(sections, types)
    return found


class _CardAmong(Func):
    """The condition for lines whose card is one of many; NULL for a line without a card of the catalogue. All
    primary keys are sent as one parameter, because databases limit the number of parameters.
    """

    output_field = BooleanField()

    def __init__(self, pks: Iterable[int]) -> None:
        super().__init__(F("card"))
        self.pks = tuple(pks)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        if connection.vendor == "postgresql":
            return f"({column} = ANY(%s::bigint[]))", [*params, list(self.pks)]
        among = f"({column} IN (SELECT value FROM json_each(%s)))"  # noqa: S608 (a column of ours)
        return among, [*params, json.dumps(self.pks)]


def lines_of_cards(viewer: Viewer, pks: Collection[int]) -> QuerySet[DeckLine]:
    """The lines with these cards of the catalogue that the viewer may see, in all decks.

    ``lines_of`` knows the decks, and with them the games. Here all decks count, and reading the game of each
    would be slow. But a card stands only in decks of its game, so the catalogue in memory tells where a card
    is secret, and the query reads no deck and no card. For a witness (key 7) and an x-file (key 9), both of
    The X-Files, these lines are shown only in decks that are open to the viewer::

        section in (xfile) and card in (7, 9)     all cards of the game are secret in this section
        card in (9)                               this type is secret in every section
    """
    asked = set(pks)
    # Cards that a later edition brought. This catalogue knows neither game nor type, so they may be secret.
    unknown = asked - catalogue().by_pk.keys()
    # Both grow game by game: the condition for secret lines, and the games whose decks may have some.
    secret, games_with_secrets = NOTHING, list[str]()
    for slug, cards in catalogue().derived(_cards_with_secrets).items():
        of_game = (asked & cards.of_game) | unknown
        always_secret = (asked & cards.always_secret) | unknown
        if of_game:
            games_with_secrets.append(slug)
            # The section is compared first, because most lines are decided by it alone.
            secret |= Q(section__in=cards.sections) & Q(_CardAmong(of_game))
        if always_secret:
            secret |= Q(_CardAmong(always_secret))
    lines = DeckLine.objects.all_owners("the condition tells whose secrets are shown").order_by()
    lines = lines.filter(Q(_CardAmong(pks)))
    if not games_with_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, game__in=games_with_secrets))


class _GameCards(NamedTuple):
    """A game that has secrets: its ``sections`` in which every card is secret, and as primary keys, retired
    ones included, its cards and those of them that are secret in every section.
    """

    sections: list[str]
    of_game: frozenset[int]
    always_secret: frozenset[int]


def _cards_with_secrets(current: Catalogue) -> dict[str, _GameCards]:
    """Return game slug -> its cards, for games whose decks hide anything."""
    found = {}
    for slug, hidden in _secrets(current).items():
        cards = {pk: entry.card for pk, entry in current.by_pk.items() if entry.card.game == slug}
        always_secret = frozenset(pk for pk, card in cards.items() if card.type in hidden.types)
        found[slug] = _GameCards(hidden.sections, frozenset(cards), always_secret)
    return found
