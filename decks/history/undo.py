"""Moving through a deck's history: undo, redo, restore and name a version; and forks, which begin as another
deck.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404

from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer
from cardsdb.site.audit import note_moderated
from decks.core.content import MAX_LENGTHS
from decks.core.diff import difference
from decks.models import BrowserAccess, Deck, DeckRevision, Visibility
from decks.models.revision import MODERATED, contents_of
from decks.saving.save import Saved, locked, save_edit, save_whole, was_applied
from decks.saving.turn import saving
from decks.web.forms import clean_name

MAX_VERSION_NAME = 80
MAX_NAMED = 100
# Bytes of all versions with a name of one deck.
MAX_NAMED_BYTES = 2 * 1024 * 1024
MAX_NAME = MAX_LENGTHS["name"]
# Decks of one name that are looked at when a fork is named.
MAX_OF_A_NAME = 1_000
_FORK = re.compile(r" \(fork(?: [0-9]{1,4})?\)\Z")


def undo(link: str, viewer: Viewer, seen: int | None = None, request_id: str = "") -> Saved:
    """Go back to the state before the last change that is not undone yet. Raises Refused (409) if there is
    none.

    ``seen``: the revision that the author saw. If the deck has another now, they meant another change:
    Refused (409) too. ``request_id``: as for ``save_edit``.
    """
    return _step(link, viewer, "undone", seen, request_id)


def redo(link: str, viewer: Viewer, seen: int | None = None, request_id: str = "") -> Saved:
    """Go forward to what was undone last. Raises Refused (409) if nothing was undone, or the deck was changed
    since.
    """
    return _step(link, viewer, "redone", seen, request_id)


@saving()
def _step(link: str, viewer: Viewer, kind: str, seen: int | None, request_id: str) -> Saved:
    deck, game = locked(link, viewer)
    if was_applied(deck, request_id):
        content = deck.content()
        return Saved(deck, content, content)
    if seen is not None and seen != deck.revision:
        raise Refused(Fault("changed_elsewhere", _moved_on(deck, game, kind, seen), "revision"), status=409)
    states = DeckRevision.objects.of(deck.pk)
    now = states.filter(number=deck.revision).first()
    target = now and (now.undo_to if kind == "undone" else now.redo_to)
    then = states.filter(number=target).first() if target is not None else None
    if now is None or then is None:
        word = {"undone": "undo", "redone": "redo"}[kind]
        raise Refused(Fault(f"nothing_to_{word}", f"There is nothing to {word}.", "deck"), status=409)
    steps = (then.undo_to, now.number) if kind == "undone" else (then.undo_to, then.redo_to)
    (content,) = contents_of((then,), game)
    return save_edit(deck, viewer, lambda _: content, kind=kind, steps=steps, request_id=request_id)


def _moved_on(deck: Deck, game: Game, kind: str, seen: int) -> str:
    """The sentence that refuses a step meant for another state and says what changed since."""
    then = deck.content_at(seen, game)
    words = difference(then, deck.content()).words() if then else ""
    since = f" since this page was drawn: {words}" if words else " since this page was drawn"
    return (
        f"The deck was changed elsewhere{since}. Nothing was {kind}; look at it as it is now, then press once"
        " more."
    )


def restore(link: str, viewer: Viewer, number: int) -> Saved:
    """Store the content of this revision again, as a change like any other. Raises Http404 if the revision is
    not kept.
    """
    with saving():
        deck, game = locked(link, viewer)
        then = deck.content_at(number, game)
        if then is None:
            raise Http404
        if is_moderated_since(deck.pk, number):
            then = replace(then, deck=replace(then.deck, name=deck.name), notes=deck.notes)
        return save_edit(deck, viewer, lambda _: then, kind="restored")


@transaction.atomic
def name_version(link: str, viewer: Viewer, number: int, name: str) -> DeckRevision:
    """Name a state, which is kept as long as it has a name; an empty name takes the name away.

    Raises Http404 if the state is not kept, and Refused for an invalid name.
    """
    deck, _ = locked(link, viewer)
    deck.begin_history(deck.revision)
    states = DeckRevision.objects.of(deck.pk)
    state = get_object_or_404(states, number=number)
    if name.strip():
        try:
            name = clean_name(name)
        except ValidationError as error:
            raise Refused(
                Fault(error.code or "bad_name", error.message.replace("the deck", "the version"), "name")
            ) from None
        if len(name) > MAX_VERSION_NAME:
            raise Refused(
                Fault(
                    "too_long",
                    f"A version's name may have {MAX_VERSION_NAME} characters; this has {len(name)}.",
                    "name",
                )
            )
        if not state.name:
            _refuse_beyond(states.exclude(name=""), state)
    state.name = name.strip()
    state.save(update_fields=["name"])
    return state


def _refuse_beyond(named: QuerySet[DeckRevision], state: DeckRevision) -> None:
    """Raise Refused where one version more with a name, this one, is too many or too long."""
    kept = named.aggregate(count=Count("pk"), length=Sum("length"))
    if kept["count"] >= MAX_NAMED:
        raise Refused(
            Fault("too_many_names", f"{MAX_NAMED} versions have names; take one away first.", "name")
        )
    length = (kept["length"] or 0) + state.length
    if length > MAX_NAMED_BYTES:
        sentence = (
            f"Versions with names may have {MAX_NAMED_BYTES // 1024:,} KB together; with this one they would"
            f" have {length // 1024 + 1:,}. Take the name of another away first."
        )
        raise Refused(Fault("too_large", sentence, "name"), status=409)


@saving()
def fork(
    link: str, viewer: Viewer, begin: Callable[..., tuple[Deck, str]], browser: str = ""
) -> tuple[Deck, str]:
    """A private deck that begins as this one, and its edit key. Without an account the browser (its hash), if
    any, gets access to it.

    ``begin`` gives the unsaved deck (``begin_deck``). It holds what the visitor may see, so nobody else's
    secrets. Raises Http404 if they may not see the deck, Refused where there is no room for it.
    """
    source = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_named(source.game)
    if game is None:
        raise Http404
    deck, key = begin(
        game=game.slug, forked_from=source, forked_revision=source.revision, visibility=Visibility.PRIVATE
    )
    if source.is_editable_by(viewer):
        # A copy is no way around what staff decided of the deck.
        deck.private_because = source.private_because
    decklist = replace(source.decklist_for(viewer, game), name=_name_of_fork(source, viewer))
    save_whole(deck, replace(source.content(), deck=decklist), Viewer(deck.owner_id), kind="forked")
    if browser and not deck.owner_id:
        BrowserAccess.objects.grant(browser, deck)
    return deck, key


def _name_of_fork(source: Deck, viewer: Viewer) -> str:
    """The deck's name with “(fork)”, and with a number where the visitor has a deck of that name."""
    plain = _FORK.sub("", source.name)[: MAX_NAME - len(" (fork 9999)")]
    own = Deck.objects.editable_by(viewer).filter(game=source.game, name__startswith=plain)
    taken = {source.name, *own.values_list("name", flat=True)[:MAX_OF_A_NAME]}
    names = (f"{plain} (fork)" if number == 1 else f"{plain} (fork {number})" for number in count(1))
    return next(name for name in names if name not in taken)


@transaction.atomic
def moderate(deck_id: int, *, name: str, notes: str) -> None:
    """Store these values of a public deck; its cards stay as they are. The admin's log says who did it.
    Raises Http404 for other decks.
    """
    deck = get_object_or_404(Deck.objects.public().with_cards().select_for_update(), pk=deck_id)
    before = deck.content()
    after = replace(before, deck=replace(before.deck, name=name), notes=notes)
    if game_named(deck.game) is None:
        Deck.objects.stored(deck).update(name=name, notes=notes)
    elif difference(before, after):
        # Undoing does not lead back to the state before.
        save_edit(deck, Viewer(), lambda _: after, kind=MODERATED, steps=(None, None))


@transaction.atomic
def keep_deck_private(deck_id: int, because: str) -> None:
    """Keep a public deck private for this reason; without one its owner may share it again. Raises Http404
    for a deck of theirs alone.
    """
    deck = get_object_or_404(Deck.objects.moderated().select_for_update(), pk=deck_id)
    Deck.objects.stored(deck).update(
        private_because=because, visibility=Visibility.PRIVATE if because else deck.visibility
    )
    note_moderated(deck, "deck", bool(because), deck.owner_id)


def is_moderated_since(deck_id: int, number: int) -> bool:
    """Whether name and notes were moderated after this state, so that they must not come back."""
    return DeckRevision.objects.of(deck_id).filter(kind=MODERATED, number__gt=number).exists()
