"""The page of one deck: its list, verdict and statistics, an opening hand, its partner, and data for search
engines; with the actions publish, delete and change of address.

A partner is the deck of another format that this one is played with, such as a mission deck with an agency
deck; each page of a pair shows the other. A visitor sees only what they may: ``judged_for`` and
``machine_data`` leave out secret sections; a change must keep that (``tests/decks/models/test_deck.py``).
Others call this module too: ``sharing.py`` calls ``laid_out`` for the printed page, and
``editor/form_pages.py``, where a partner is chosen, ``formats_beside`` and ``partner_problem``.
Templates: ``templates/decks/pages``. Tests: ``tests/decks/pages/test_deck.py``.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe

from cardsdb.catalogue.current import game_named
from cardsdb.faults import Refused
from cardsdb.games.kit import VERDICTS, Game, some
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.identity.viewer import Viewer, hashed, new_key, viewer_of
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, note_visibility
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import form_page, private_action, private_page
from decks.core.figures import shown
from decks.core.judging import Judged
from decks.formats.xml_decks import hash_of
from decks.models import Deck, Visibility, editable_deck
from decks.public.lines import NOTHING
from decks.public.social import social_counts
from decks.saving.history import lineage
from decks.saving.room import note_opened
from decks.statistics.numbers import FIRST_SEED, opening_hand
from decks.web.deck_context import (
    judged_context,
    new_edit_link,
    open_deck,
    sections_hidden_from,
    sections_shown,
    to_deck,
    without_new_key,
)


@dataclass(frozen=True)
class Partner:
    """The other deck of a pair, as a visitor may see it, with its verdict."""

    deck: Deck
    judged: Judged


def laid_out(judged: Judged, partner: Partner | None = None, beside: Iterable[str] = ()) -> dict[str, Any]:
    """Return the context, besides the verdict, of a page that lays out a deck: ``first`` (the card shown
    enlarged, or None), ``tables`` (statistics), and for the printed page ``code`` (the same for equal lists
    everywhere) and ``bring`` (things to bring along besides the cards).

    ``beside``: the names of the formats whose decks are played with this one.
    """
    game, deck = judged.game, judged.deck
    in_brief = game.measure(deck, partner.judged.deck if partner else None, in_brief=True)
    groups = (group for part in sections_shown(judged) for group in part["groups"])
    cards = (entry.card for group in groups for entry in group["entries"])
    # The partner to bring along, else a deck of these formats: of "Mission Deck: any 24", "Mission Deck".
    others = [partner.deck.name] if partner else dict.fromkeys(name.partition(":")[0] for name in beside)
    return {
        "first": next((card for card in cards if card.has_page), None),
        "tables": [shown(table, f"in-brief-{n}") for n, table in enumerate(in_brief, start=1)],
        "code": hash_of(game, deck),
        "bring": [*others, *_things_to_bring(game)],
    }


def _things_to_bring(game: Game) -> Iterator[str]:
    """Yield the things besides cards that the game's set-up needs, with their number for one player if it is
    known.
    """
    guide = game.set_up_guide and game.set_up_guide.guide(game.set_up_guide.tonight)
    kinds = {kind.plural for kind in game.types}
    for thing in guide.components if guide else ():
        if thing.kind != "card" and thing.what not in kinds:
            number = thing.each or thing.total
            yield f"{thing.what}: {number}" if number else thing.what


def formats_beside(deck: Deck) -> dict[str, str]:
    """Slug -> name of the formats whose decks can be played with this one, because they share no section with
    it.
    """
    game = game_named(deck.game)
    format = game.formats_by_slug.get(deck.format) if game else None
    if game is None or format is None or not format.sections:
        return {}
    return {
        other.slug: other.name
        for other in game.formats
        if other.sections and not set(format.sections) & set(other.sections)
    }


def partner_problem(deck: Deck, other: Deck) -> str:
    """The reason why the two decks cannot be played together, as a sentence; empty if they can."""
    if other.pk == deck.pk:
        return "A deck cannot be its own partner; name the other one."
    if game_named(deck.game) is None or other.game != deck.game:
        return f"“{other.name}” is a deck of another game."
    beside = formats_beside(deck)
    if other.format in beside:
        return ""
    must = f"its format must be {' or '.join(beside.values())}." if beside else "no format of the game is."
    return f"“{other.name}” is no deck to play with this one: {must}"


def partner_of(deck: Deck, viewer: Viewer, editable: bool) -> Partner | None:
    """The partner that the deck names, if this visitor may see it; else a deck of the same author that names
    this one as its partner; else None. ``editable``: by the viewer.

    Decks of other authors that name this one are ignored, so that an author cannot put a deck onto the page
    of another author's deck.
    """
    game, beside, other = game_named(deck.game), formats_beside(deck), None
    if not game or not beside:
        return None
    goes_with = Q(game=deck.game, format__in=beside)
    # 1. The partner that the deck names.
    if deck.partner_id:
        other = Deck.objects.visible_to(viewer).with_cards().filter(goes_with, pk=deck.partner_id).first()
    # 2. A deck that names this one. Few decks are named by another. Asking that first takes a tenth of the
    # time of the query for its author.
    naming = Deck.objects.all_owners("whether there is any").filter(partner=deck.pk)
    if other is None and (editable or deck.owner_id) and naming.exists():
        # The owner is an author of this deck, and so is a viewer who may edit it, by an edit link for one.
        of_owner = Q(owner=deck.owner_id) if deck.owner_id else NOTHING
        of_viewer = Q(pk__in=Deck.objects.editable_by(viewer)) if editable else NOTHING
        decks = Deck.objects.listed_for(viewer).with_cards()
        other = decks.filter(of_owner | of_viewer, goes_with, partner=deck).first()
    return Partner(other, other.judged_for(viewer, game)) if other else None


# Inside <script> these characters could end the element or begin a comment, so JSON's escapes stand for them.
_ESCAPED = {
    ord("<"): "\\u003C",
    ord(">"): "\\u003E",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


@private_page
@kept_offline
def deck_page(request: HttpRequest, link: str) -> HttpResponse:
    """The page of a deck, as this visitor may see it. ``?view=rows`` shows rows instead of faces; ``?hand=``
    is the seed of the opening hand.
    """
    viewer, deck, game = open_deck(request, link)
    note_opened(deck)
    editable = deck.is_editable_by(viewer)
    shown_to_all = deck.judged_for(Viewer(), game)
    judged = deck.judged(game) if editable else shown_to_all
    partner = partner_of(deck, viewer, editable)
    beside = formats_beside(deck)
    hand = opening_hand(game, judged.format.slug, judged.deck, request.GET.get("hand", FIRST_SEED))
    context = {
        **judged_context(judged),
        **laid_out(judged, partner, beside.values()),
        "deck": deck,
        "editable": editable,
        "edit_link": new_edit_link(request, deck),
        "text": write_deck(game, judged.deck if editable else deck.decklist_to_share(game), judged.format),
        "lineage": lineage(deck, viewer),
        "social": social_counts(deck, viewer),
        "partner": partner,
        "in_rows": request.GET.get("view") == "rows",
        "hand": hand,
        "may_pair": bool(beside),
        "hidden": [] if editable else sections_hidden_from(viewer, deck, game),
        "machines": machine_data(request, deck, shown_to_all),
    }
    page = render(request, "decks/pages/deck.html", context, status=400 if hand and hand.fault else 200)
    # For htmx ``deck_hand.html`` tells the hand in other words, so caches must keep both answers apart.
    patch_vary_headers(page, ["HX-Request"])
    return without_new_key(request, deck, page)


@private_action
@counted_as_work()
def deck_publish(request: HttpRequest, link: str) -> HttpResponse:
    """Make a deck public (``public=yes``), or private again."""
    public = request.POST.get("public") == "yes"
    try:
        with transaction.atomic():
            deck = editable_deck(link, viewer_of(request), locked=True)
            after = Visibility.PUBLIC if public else Visibility.PRIVATE
            Deck.objects.stored(deck).update(visibility=after)
            note_visibility(deck, "deck", deck.visibility, after.value, deck.owner_id)
    except Refused as refused:
        messages.error(request, refused.faults[0].message)
        return redirect("deck", link=link)
    private_words = "It is private: others do not see it any more."
    messages.success(request, "It is public: everyone finds it among the decks." if public else private_words)
    return redirect("deck", link=link)


@form_page
@private
def deck_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask whether to delete the deck; POST deletes it for good."""
    viewer = viewer_of(request)
    if request.method != "POST":
        return render(request, "decks/pages/deck_delete.html", {"deck": editable_deck(link, viewer)})
    with transaction.atomic():
        deck = editable_deck(link, viewer, locked=True)
        note(Event.DELETED, deck.owner_id, thing="deck", number=deck.pk, name=deck.name)
        deck.delete()
    messages.success(request, f"The deck “{deck.name}” is deleted.")
    return redirect("deck_list")


@private_action
def deck_relink(request: HttpRequest, link: str) -> HttpResponse:
    """Give the deck a new address and a new edit key, so that all earlier links to it stop working. Other
    browsers lose their access.
    """
    viewer, key = viewer_of(request), new_key()
    deck = editable_deck(link, viewer)
    deck.link, deck.edit_hash = new_key(), hashed(key)
    with transaction.atomic():
        # Of two requests at the same moment, the second finds the old link gone.
        if not Deck.objects.stored(deck).filter(link=link).update(link=deck.link, edit_hash=deck.edit_hash):
            raise Http404
        deck.browsers.exclude(browser=viewer.browser).delete()
        note(Event.LINK, deck.owner_id, thing="deck", number=deck.pk, name=deck.name)
    return to_deck(deck, key)


def machine_data(request: HttpRequest, deck: Deck, judged: Judged) -> dict[str, Any] | None:
    """The data in the head of the page for search engines, chats and other sites, or None for a private deck.
    ``judged`` must be what a stranger may see. ``listed``: search engines may list the page.
    """
    if deck.visibility == Visibility.PRIVATE:
        return None
    address = request.build_absolute_uri(reverse("deck", args=[deck.link]))
    return {
        "address": address,
        "summary": summary(judged),
        "picture": f"{address}picture.png",
        "linked_data": linked_data(address, deck, judged),
        "listed": deck.visibility == Visibility.PUBLIC,
    }


def summary(judged: Judged) -> str:
    """One line about the deck: ``Spycraft, Agency Deck. Legal. 53 cards.``"""
    cards = some(judged.deck.size, "card")
    return f"{judged.game.name}, {judged.format.name}. {VERDICTS[judged.verdict]}. {cards}."


def linked_data(address: str, deck: Deck, judged: Judged) -> SafeString:
    """The deck as JSON-LD, escaped so that it can stand inside <script>."""
    data = {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": deck.name,
        "url": address,
        "description": summary(judged),
        "dateModified": deck.changed.isoformat(),
        "numberOfItems": len(judged.deck.entries),
        "about": {"@type": "Game", "name": judged.game.name},
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": place,
                "name": f"{entry.count} {entry.card.name}",
                # A card that is written in has no page to link to.
                **(
                    {}
                    if entry.card.written
                    else {"url": urljoin(address, reverse("card", args=[entry.card.game, entry.card.code]))}
                ),
            }
            for place, entry in enumerate(judged.deck, 1)
        ],
    }
    escaped = json.dumps(data, ensure_ascii=False).translate(_ESCAPED)
    return mark_safe(escaped)  # noqa: S308 (the translation escapes)
