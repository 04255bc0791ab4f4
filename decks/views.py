"""The pages of decks: list, show, check, make, edit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.errors import Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.decktext import write_deck
from cardsdb.views import game_or_404
from decks.forms import CheckForm, DeckForm
from decks.keeping import keep_text
from decks.models import Deck, Visibility, new_deck
from decks.validation import Judged, judge_text, read_text
from decks.visitors import Visitor, hashed, key_of, new_key, remember, visitor_of

PER_PAGE = 50


@require_safe
@never_cache
def deck_list(request: HttpRequest) -> HttpResponse:
    decks = Deck.objects.listed_for(visitor_of(request))
    game = games().get(request.GET.get("game", ""))
    if game:
        decks = decks.filter(game=game.slug)
    number = request.GET.get("page", "1")
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        raise Http404
    paginator = Paginator(decks.only("link", "game", "format", "name", "visibility", "changed"), PER_PAGE)
    if not 1 <= int(number) <= paginator.num_pages:
        raise Http404
    page = paginator.page(int(number))
    known = [(deck, game_named(deck.game)) for deck in page.object_list]
    rows = [(deck, of, of.formats_by_slug.get(deck.format)) for deck, of in known if of]
    pages = paginator.get_elided_page_range(page.number)
    context = {"page": page, "pages": pages, "rows": rows, "games": games().values(), "chosen": game, "here": "decks"}
    context["address"] = f"game={game.slug}" if game else ""
    return render(request, "decks/deck_list.html", context)


@require_safe
@never_cache
def deck_page(request: HttpRequest, link: str) -> HttpResponse:
    visitor = visitor_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(visitor).with_cards(), link=link)
    game = game_or_404(deck.game)
    judged = deck.judged_for(visitor, game)
    editable = deck.is_editable_by(visitor)
    context = {
        **judged_context(judged),
        "deck": deck,
        "editable": editable,
        "edit_link": _new_edit_link(request, deck) if editable and request.method == "GET" else "",
        "text": write_deck(game, judged.deck, judged.format),
        "hidden": [section.name for section in game.sections if section.secret and section.slug in judged.format.sections and not editable],
        "here": "decks",
    }
    return render(request, "decks/deck.html", context)


def _new_edit_link(request: HttpRequest, deck: Deck) -> str:
    """The deck's edit link, once, right after it or its address was made: only the browser knows the key."""
    key = key_of(request, deck.edit_hash) if request.session.pop("show_edit_link", None) == deck.pk else ""
    return request.build_absolute_uri(f"{reverse('deck_edit', args=[deck.link])}?key={key}") if key else ""


def judged_context(judged: Judged) -> dict[str, Any]:
    """What the verdict and the list need in a template."""
    findings = judged.findings()
    return {
        "judged": judged,
        "game": judged.game,
        "findings": findings,
        "grave": [finding for finding in findings if finding.severity != "note"],
        "sections": deck_sections(judged),
        "details": [(d.label, judged.deck.details[d.key]) for d in judged.format.details if d.key in judged.deck.details],
    }


def deck_sections(judged: Judged) -> list[dict[str, Any]]:
    """The deck by section and, within one, by type, each with its counts."""
    game, sections = judged.game, []
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        if not entries:
            continue
        groups = []
        for card_type in game.types:
            of_type = [entry for entry in entries if entry.card.type == card_type.slug]
            if of_type:
                groups.append({"type": card_type, "entries": of_type, "count": sum(entry.count for entry in of_type)})
        sections.append({"section": section, "groups": groups, "count": sum(entry.count for entry in entries)})
    return sections


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Paste a list, get the verdict. Nothing is saved, so it needs no account and leaves no trace."""
    posted = request.POST if request.method == "POST" else None
    form = CheckForm(posted, initial={"game": request.GET.get("game", "")})
    context: dict[str, Any] = {"form": form, "games": games().values(), "here": "check"}
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            game = games()[form.cleaned_data["game"]]
            try:
                judged = judge_text(game, form.cleaned_data["text"], game.formats_by_slug.get(form.cleaned_data["format"]))
                context |= judged_context(judged)
                context["game"] = game
                status = 200
            except Refused as refused:
                status = refused.status
                form.add_error("text", [fault.message for fault in refused.faults])
    return render(request, "decks/check.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def deck_new(request: HttpRequest) -> HttpResponse:
    """A new deck from pasted text or from a starter."""
    if request.method != "POST":
        game = games().get(request.GET.get("game", ""))
        starter = next((s for s in game.starters if s.slug == request.GET.get("starter")), None) if game else None
        initial = {"game": game.slug if game else "", "visibility": Visibility.PRIVATE}
        if game and starter:
            initial |= {"name": starter.name, "format": starter.format, "text": starter.text, "notes": starter.note}
        form = DeckForm(initial=initial)
        return render(request, "decks/deck_new.html", {"form": form, "game": game, "games": games().values(), "here": "decks"})
    form = DeckForm(request.POST)
    deck, key = new_deck(owner_id=request.user.pk)
    if form.is_valid() and _keep(deck, form):
        remember(request, key, show_link_of=deck.pk)
        return redirect("deck", link=deck.link)
    game = games().get(form.data.get("game", ""))
    context = {"form": form, "game": game, "games": games().values(), "here": "decks"}
    return render(request, "decks/deck_new.html", context | _judged_draft(form, game), status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_edit(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. ``?key=`` is the edit link: it is remembered and taken out of the address."""
    if key := request.GET.get("key", "")[:64]:
        get_object_or_404(Deck.objects.editable_by(Visitor(key_hashes=(hashed(key),))), link=link)
        remember(request, key)
        return redirect("deck_edit", link=link)
    deck = get_object_or_404(Deck.objects.editable_by(visitor_of(request)).with_cards(), link=link)
    game = game_or_404(deck.game)
    context: dict[str, Any] = {"deck": deck, "game": game, "games": [game], "here": "decks"}
    if request.method == "POST":
        form = DeckForm({**request.POST.dict(), "game": deck.game})
        if form.is_valid():
            if form.cleaned_data["revision"] is not None:
                deck.revision = form.cleaned_data["revision"]
            if _keep(deck, form):
                return redirect("deck", link=deck.link)
        if form.has_error("revision"):
            # Saving once more then means it: the author has been told what else changed.
            context["revision"] = Deck.objects.values_list("revision", flat=True).filter(pk=deck.pk).first()
            if context["revision"] is None:
                raise Http404
        return render(request, "decks/deck_edit.html", context | {"form": form} | _judged_draft(form, game), status=400)
    # Name and format have fields of their own in the form.
    text = write_deck(game, replace(deck.decklist(), name=""))
    initial = {
        "name": deck.name,
        "notes": deck.notes,
        "visibility": deck.visibility,
        "format": deck.format,
        "game": deck.game,
        "text": text,
        "revision": deck.revision,
    }
    return render(request, "decks/deck_edit.html", context | {"form": DeckForm(initial=initial)})


def _keep(deck: Deck, form: DeckForm) -> bool:
    """Store what the form says, or put what is wrong with it into the form."""
    cleaned = form.cleaned_data
    deck.name, deck.notes, deck.visibility = cleaned["name"], cleaned["notes"], cleaned["visibility"]
    game = games()[cleaned["game"]]
    try:
        keep_text(deck, game, cleaned["text"], game.formats_by_slug.get(cleaned["format"]))
    except Refused as refused:
        lines = [fault for fault in refused.faults if fault.where.startswith("line ")]
        if lines:
            count = f"{len(lines)} line{'s' if len(lines) > 1 else ''}"
            form.add_error("text", f"{count} could not be read, so nothing was saved; they are listed below.")
        for fault in refused.faults:
            if fault not in lines:
                form.add_error("revision" if fault.where == "revision" else "text", fault.message)
        return False
    return True


def _judged_draft(form: DeckForm, game: Game | None) -> dict[str, Any]:
    """What could be read of a list that was refused, so that its author sees it beside the errors."""
    text = form.data.get("text", "")
    if game is None or not text:
        return {}
    try:
        return {"unread": read_text(game, text).unread}
    except Refused:
        return {}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then delete for good."""
    deck = get_object_or_404(Deck.objects.editable_by(visitor_of(request)), link=link)
    if request.method != "POST":
        return render(request, "decks/deck_delete.html", {"deck": deck, "here": "decks"})
    deck.delete()
    messages.success(request, f"The deck “{deck.name}” is deleted.")
    return redirect("deck_list")


@require_POST
def deck_relink(request: HttpRequest, link: str) -> HttpResponse:
    """Give the deck a new address; the old one is dead from now on."""
    deck = get_object_or_404(Deck.objects.editable_by(visitor_of(request)), link=link)
    deck.link = new_key()
    deck.save(update_fields=["link"])
    request.session["show_edit_link"] = deck.pk
    return redirect("deck", link=deck.link)
