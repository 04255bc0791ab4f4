"""A stored deck as text: the whole list in one field, merged on saving with whatever was saved meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.model.text import some
from cardsdb.games.kit.rules.house_rules import still_known, without_league
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from decks.core.content import DeckContent
from decks.core.diff import Conflict
from decks.models import Deck
from decks.saving.save import Conflicts, Saved, save_whole
from decks.web.deck_context import deck_page, own_deck, own_seen
from decks.web.forms import DeckForm, add_faults, draft, read_form


def saved_words(saved: Saved) -> str:
    """The message that the deck is saved, and what others changed meanwhile."""
    words = saved.elsewhere.words() if saved.elsewhere else ""
    return f"Saved, together with what was changed elsewhere meanwhile: {words}." if words else "Saved."


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
@kept_offline
def deck_text(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. Where two people changed the same thing, the one who saves last decides; nothing
    is lost.
    """
    viewer, deck, game = own_deck(request, link)

    def page(form: DeckForm, /, status: int = 200, **more: Any) -> HttpResponse:
        shown = "decks/text_conflicts.html" if "clashes" in more else "decks/deck_text.html"
        return deck_page(request, shown, deck, game, status=status, games=[game], **({"form": form} | more))

    if "correct" in request.POST:
        return page(draft(request.POST, game, deck, own_seen(request)))
    if request.method != "POST":
        return page(DeckForm(initial=_as_form(deck, game, deck.content())))
    form = DeckForm({**request.POST.dict(), "game": deck.game})
    if judged := read_form(form, viewer, deck):
        values = form.cleaned_data
        seen = deck.revision if values["revision"] is None else values["revision"]
        # Tags and house rules have no field in the form and stay as stored.
        is_same = judged.format.slug == deck.format
        house = deck.house if is_same else still_known(judged.format, without_league(deck.house))
        mine = judged.content(deck.content(), name=values["name"], notes=values["notes"], house=house)
        try:
            saved = save_whole(link, mine, viewer, seen=seen, visibility=values["visibility"])
        except Conflicts as conflicts:
            return page(form, 409, **_conflicting(deck, game, conflicts, values["visibility"]))
        except Refused as refused:
            add_faults(form, refused)
        else:
            messages.success(request, saved_words(saved))
            return redirect("deck", link=saved.deck.link)
    # Saving once more overwrites: the error tells the author what others changed.
    return page(form, 400, **({"revision": deck.revision} if form.has_error("revision") else {}))


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


def _conflicting(deck: Deck, game: Game, conflicts: Conflicts, visibility: str) -> dict[str, Any]:
    """Two texts to choose from, merged alike except for the clashes: one has mine there, the other theirs."""
    stated = {"revision": conflicts.revision, "visibility": visibility}
    return {
        "form": DeckForm(initial=_as_form(deck, game, conflicts.merged) | stated),
        "clashes": [_clash(game, conflict) for conflict in conflicts.conflicts],
        "theirs": _as_form(deck, game, _settled_for_them(conflicts)) | stated,
        "revision": conflicts.revision,
    }


def _clash(game: Game, conflict: Conflict) -> dict[str, str]:
    """One thing that both changed, as the page shows it to the one who saves last: ``what``, as it ``was``,
    ``mine`` and ``theirs``.
    """
    card = conflict.card.name if conflict.card else ""
    counts = conflict.what == "card" and bool(card)
    names = {"house": "House rules", "marks": f"The note on {card}", "print": f"The print of {card}"}
    what = names.get(conflict.what) or (conflict.key.replace("_", " ") or conflict.what).capitalize()
    if counts:
        what = f"{card}, in {game.sections_by_slug[conflict.section].name}" if conflict.section else card

    def plain(value: Any) -> str:
        if value in (None, "", ()) or (counts and not value):
            return "none"
        return some(value, "copy", "copies") if counts else str(value)

    return {
        "what": what,
        "was": plain(conflict.base),
        "mine": plain(conflict.mine),
        "theirs": plain(conflict.theirs),
    }


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
