"""What a print takes out of the database: decks and their versions, people's own cards and texts, what a
query finds, what is owned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.core.validators import slug_re
from django.http import Http404

from cardsdb.box.texts import texts_of
from cardsdb.catalogue.current import catalogue, game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.games.kit.model.text import fold, whole_number
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import results_of
from decks.collection.holding import collection_of, copies
from decks.core.shortages import Copies
from decks.models import Deck, DeckRevision, visible_deck
from decks.saving.expiry import note_opened

MAX_NAMED = 10

# -- decks ----------------------------------------------------------------------------


def decks_seen(links: Sequence[str], viewer: Viewer) -> list[tuple[Deck, Game]]:
    """The decks at these addresses, in this order, with their games; they are noted as opened. Costs the same
    for any number.

    Raises Http404 if one of them is not the visitor's to see.
    """
    # PostgreSQL refuses a NUL, so only words that can be an address reach it.
    if not all(slug_re.fullmatch(link) for link in links):
        raise Http404
    if len(links) == 1:
        # As nearly everybody prints.
        rows = {links[0]: visible_deck(links[0], viewer)}
    else:
        rows = {row.link: row for row in Deck.objects.visible_to(viewer).with_cards().filter(link__in=links)}
    seen = []
    for link in links:
        row = rows.get(link)
        game = game_named(row.game) if row else None
        if row is None or game is None:
            raise Http404
        note_opened(row)
        seen.append((row, game))
    return seen


def version_words(row: Deck, viewer: Viewer) -> str:
    """``version 7``, and for its author the name it has; empty for a deck without a history, which is at
    number 0.
    """
    if not row.revision:
        return ""
    own = row.is_editable_by(viewer)
    name = (
        DeckRevision.objects.of(row.pk).filter(number=row.revision).values_list("name", flat=True).first()
        if own
        else ""
    )
    return f"version {row.revision}" + (f" “{name}”" if name else "")


def version_called(row: Deck, since: str) -> tuple[int, str]:
    """(number, words) of the version with this name or number; without words the one before the last change.
    Raises Refused.
    """
    revisions = list(DeckRevision.objects.of(row.pk).order_by("-number").values_list("number", "name"))
    if not since:
        before = next(((number, name) for number, name in revisions if number < row.revision), None)
        if before is None:
            raise _unknown_version(f"“{row.name}” has no earlier version: nothing has changed.")
        return before[0], f"“{before[1]}”" if before[1] else _numbered(before[0])
    named = next((pair for pair in revisions if pair[1] and fold(pair[1]) == fold(since)), None)
    if named:
        return named[0], f"“{named[1]}”"
    numbers = {row.revision, *(number for number, _ in revisions)}
    number = whole_number(since, max(numbers))
    if number in numbers:
        return number, _numbered(number)
    names = [f"“{name}”" for _, name in revisions if name][:MAX_NAMED]
    known = f"versions {min(numbers)} to {max(numbers)}" + (
        f", named: {', '.join(names)}" if names else ", none with a name"
    )
    raise _unknown_version(f"“{row.name}” has no version “{since}”; there are {known}.")


def _numbered(number: int) -> str:
    """The words for a version without a name. Nobody knows the number of the first version."""
    return f"version {number}" if number else "its first version"


def _unknown_version(sentence: str) -> Refused:
    return Refused(Fault("unknown_version", sentence, "since"))


# -- cards ----------------------------------------------------------------------------


def cards_besides(game: Game, codes: Collection[str], viewer: Viewer) -> dict[str, Card]:
    """Those of these cards, which the game's folder does not have, that the viewer may see and print all the
    same, by code.
    """
    known: dict[str, Card] = {}
    if made := [code for code in codes if code.startswith(OWN_CODE)]:
        own = (
            OwnCard.objects.visible_to(viewer)
            .select_related("in_set")
            .filter(in_set__game=game.slug, code__in=made)
        )
        known |= {row.code: row.as_card() for row in own}
    if len(known) < len(codes):
        # A card that has left the folder can still be printed.
        found = {code: catalogue().at(game.slug, code) for code in set(codes) - set(known)}
        known |= {code: one.card for code, one in found.items() if one}
    return known


def codes_found(game: Game, text: str, codes: Collection[str]) -> set[str]:
    """Those of the codes whose cards the query finds. Raises Refused with every problem and its columns."""
    read = parse_query(text, game)
    if read.query.faults:
        raise Refused(
            *(Fault(p.code, f"{p.message} (columns {p.start}-{p.end})", "only") for p in read.query.faults)
        )
    if read.query.tree is None:
        raise Refused(Fault("not_understood", "This asks for no cards: only for an order, say.", "only"))
    return {card.code for card in results_of(read).cards if card.game == game.slug} & set(codes)


def owned_copies(viewer: Viewer, keys: Collection[tuple[str, str]]) -> Copies | None:
    """The copies of these cards, by (game, code), in the viewer's collection; None if they have none."""
    mine = collection_of(viewer)
    return None if mine is None else copies(mine, keys) if keys else {}


def own_texts(viewer: Viewer, game: Game, made: Collection[str]) -> Mapping[str, str]:
    """Card code -> the text that the viewer sees as their own; ``made`` are the codes of own cards."""
    texts = texts_of(viewer, game)
    return {**texts, **texts_of(viewer, game, made)} if made else texts
