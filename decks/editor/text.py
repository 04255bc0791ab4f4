"""The deck as text: the whole list in one field, merged on saving with whatever was saved meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.model.text import plural
from cardsdb.games.kit.rules.house_rules import still_known, without_league
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent
from decks.core.diff import Conflict
from decks.models import Deck
from decks.saving.save import Conflicts, save_whole
from decks.web.deck_context import own_seen
from decks.web.forms import DeckForm, add_faults, draft, read_form, saved_words


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
@kept_offline
def deck_text(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. Where two people changed the same thing, the one who saves last decides; nothing
    is lost.
    """
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    context: dict[str, Any] = {"deck": deck, "game": game, "games": [game], "editable": True, "here": "decks"}
    if "correct" in request.POST:
        return render(
            request,
            "decks/deck_text.html",
            context | {"form": draft(request.POST, game, deck, own_seen(request))},
        )
    if request.method != "POST":
        return render(
            request,
            "decks/deck_text.html",
            context | {"form": DeckForm(initial=_as_form(deck, game, deck.content()))},
        )
    form = DeckForm({**request.POST.dict(), "game": deck.game})
    judged = read_form(form, viewer, deck)
    if judged:
        values = form.cleaned_data
        seen = deck.revision if values["revision"] is None else values["revision"]
        # Tags and house rules have no field in the form and stay as stored.
        is_same = judged.format.slug == deck.format
        house = deck.house if is_same else still_known(judged.format, without_league(deck.house))
        mine = judged.content(deck.content(), name=values["name"], notes=values["notes"], house=house)
        try:
            saved = save_whole(link, mine, viewer, seen=seen, visibility=values["visibility"])
        except Conflicts as conflicts:
            return render(
                request,
                "decks/text_conflicts.html",
                context | _conflicting(deck, game, conflicts, form),
                status=409,
            )
        except Refused as refused:
            add_faults(form, refused)
        else:
            messages.success(request, saved_words(saved))
            return redirect("deck", link=saved.deck.link)
    if form.has_error("revision"):
        # Saving once more overwrites: the error tells the author what others changed.
        context["revision"] = deck.revision
    return render(request, "decks/deck_text.html", context | {"form": form}, status=400)


def _as_form(deck: Deck, game: Game, content: DeckContent) -> dict[str, Any]:
    """The content as the form's fields. Name and format have fields of their own."""
    return {
        "name": content.deck.name,
        "notes": content.notes,
        "visibility": deck.visibility,
        "format": content.format,
        "game": deck.game,
        "text": write_deck(game, replace(content.deck, name="")),
        "revision": deck.revision,
    }


# -- clashes ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clash:
    """One thing that both changed, as the page shows it to the one who saves last."""

    what: str
    was: str
    mine: str
    theirs: str


def _conflicting(deck: Deck, game: Game, conflicts: Conflicts, form: DeckForm) -> dict[str, Any]:
    """Two texts to choose from, merged alike except for the clashes: one has mine there, the other theirs."""
    values = _as_form(deck, game, conflicts.merged) | {
        "revision": conflicts.revision,
        "visibility": form.cleaned_data["visibility"],
    }
    theirs = _as_form(deck, game, _settled_for_them(conflicts)) | {
        "revision": conflicts.revision,
        "visibility": values["visibility"],
    }
    return {
        "form": DeckForm(initial=values),
        "clashes": [_clash(game, conflict) for conflict in conflicts.conflicts],
        "theirs": theirs,
        "revision": conflicts.revision,
    }


def _clash(game: Game, conflict: Conflict) -> Clash:
    if conflict.what == "card" and conflict.card:
        what = (
            f"{conflict.card.name}, in {game.sections_by_slug[conflict.section].name}"
            if conflict.section
            else conflict.card.name
        )
        was, mine, theirs = (
            f"{count} {plural(count, 'copy', 'copies')}" if count else "none" for count in _values(conflict)
        )
        return Clash(what, was, mine, theirs)
    card = conflict.card.name if conflict.card else ""
    names = {"house": "House rules", "marks": f"The note on {card}", "print": f"The print of {card}"}
    what = (
        names.get(conflict.what)
        or (conflict.key.replace("_", " ") if conflict.key else conflict.what).capitalize()
    )
    was, mine, theirs = (str(value) if value not in (None, "", ()) else "none" for value in _values(conflict))
    return Clash(what, was, mine, theirs)


def _values(conflict: Conflict) -> tuple[Any, Any, Any]:
    return conflict.base, conflict.mine, conflict.theirs


def _settled_for_them(conflicts: Conflicts) -> DeckContent:
    """The merged content, with theirs in place of mine in every clash."""
    merged, theirs = conflicts.merged, conflicts.theirs
    clashing = {(c.section, c.card.code) for c in conflicts.conflicts if c.card}
    entries = [entry for entry in merged.deck if (entry.section, entry.card.code) not in clashing]
    entries += [entry for entry in theirs.deck if (entry.section, entry.card.code) in clashing]
    whats = {conflict.what for conflict in conflicts.conflicts}
    details = dict(merged.deck.details)
    for key in (conflict.key for conflict in conflicts.conflicts if conflict.what == "details"):
        details.pop(key, None)
        details |= {key: theirs.deck.details[key]} if key in theirs.deck.details else {}
    name = theirs.deck.name if "name" in whats else merged.deck.name
    settled = replace(merged, deck=replace(merged.deck, entries=tuple(entries), details=details, name=name))
    return replace(
        settled, **{what: getattr(theirs, what) for what in ("format", "house", "notes") if what in whats}
    )
