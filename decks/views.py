"""The pages of decks: list, show, check, make, edit."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.errors import Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit import Format, Game
from cardsdb.games.kit.decktext import with_correction, write_deck
from cardsdb.limits import counted_as_work
from cardsdb.pages.views import game_or_404
from decks.formats import FORMATS
from decks.forms import CheckForm, DeckForm
from decks.keeping import keep, remember, renew_verdicts
from decks.models import Deck, HeldKey, Visibility, new_deck
from decks.validation import Judged, judge_text, read_text
from decks.visitors import Visitor, browser_of, hashed, new_key, visitor_of

PER_PAGE = 50
IN_LISTS = ("link", "game", "format", "name", "visibility", "changed", "revision", "verdict", "judged_by")
KEY_COOKIE = "edit_key"
KEY_SECONDS = 600


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
    paginator = Paginator(decks.only(*IN_LISTS), PER_PAGE)
    if not 1 <= int(number) <= paginator.num_pages:
        raise Http404
    page = paginator.page(int(number))
    decks_shown = list(page.object_list)
    renew_verdicts(decks_shown)
    rows = deck_rows(decks_shown)
    pages = paginator.get_elided_page_range(page.number)
    context = {"page": page, "pages": pages, "rows": rows, "games": games().values(), "chosen": game, "here": "decks"}
    context["address"] = f"game={game.slug}" if game else ""
    return render(request, "decks/deck_list.html", context)


def deck_rows(decks: Iterable[Deck]) -> list[tuple[Deck, Game, Format | None]]:
    """Decks ready to be listed; those of a game that is gone are left out."""
    known = [(deck, game_named(deck.game)) for deck in decks]
    return [(deck, game, game.formats_by_slug.get(deck.format)) for deck, game in known if game]


@require_safe
@never_cache
def deck_page(request: HttpRequest, link: str) -> HttpResponse:
    visitor = visitor_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(visitor).with_cards(), link=link)
    game = game_or_404(deck.game)
    editable = deck.is_editable_by(visitor)
    judged = deck.judged(game, keep_secrets=not editable)
    key = request.COOKIES.get(KEY_COOKIE, "") if request.method == "GET" else ""
    fresh = bool(key) and hashed(key) == deck.edit_hash
    context = {
        **judged_context(judged),
        "deck": deck,
        "editable": editable,
        "edit_link": request.build_absolute_uri(f"{reverse('deck_edit', args=[deck.link])}?key={key}") if fresh else "",
        "text": write_deck(game, judged.deck, judged.format),
        "files": FORMATS.values(),
        "hidden": [section.name for section in game.sections if section.secret and section.slug in judged.format.sections and not editable],
        "here": "decks",
    }
    answer = render(request, "decks/deck.html", context)
    if key:
        answer.delete_cookie(KEY_COOKIE, path=request.path, samesite=settings.SESSION_COOKIE_SAMESITE)
    return answer


def _to_deck(deck: Deck, key: str) -> HttpResponse:
    """On to the deck, whose page shows this new edit key once. Until then only the browser has it, for that one address."""
    answer = redirect("deck", link=deck.link)
    answer.set_cookie(
        KEY_COOKIE,
        key,
        max_age=KEY_SECONDS,
        path=answer["Location"],
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
    return answer


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
        # A retired card's type may be one that the game no longer has: it comes last.
        for slug in dict.fromkeys([*game.types_by_slug, *(entry.card.type for entry in entries)]):
            of_type = [entry for entry in entries if entry.card.type == slug]
            if of_type:
                groups.append({"type": game.type_named(slug), "entries": of_type, "count": sum(entry.count for entry in of_type)})
        sections.append({"section": section, "groups": groups, "count": sum(entry.count for entry in entries)})
    return sections


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def check(request: HttpRequest) -> HttpResponse:
    """Paste a list, get the verdict. Nothing is saved, so it needs no account and leaves no trace."""
    posted = _corrected(request.POST, games().get(request.POST.get("game", ""))) if request.method == "POST" else None
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
@counted_as_work("POST")
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
    game = games().get(request.POST.get("game", ""))
    context = {"game": game, "games": games().values(), "here": "decks"}
    if "correct" in request.POST:
        return render(request, "decks/deck_new.html", context | {"form": _draft(request.POST, game)})
    form = DeckForm(request.POST)
    deck, key = new_deck(owner_id=request.user.pk)
    if _keep(deck, form):
        if not deck.owner_id:
            remember(browser_of(request), deck)
        return _to_deck(deck, key)
    return render(request, "decks/deck_new.html", context | {"form": form}, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def deck_edit(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. ``?key=`` is the edit link: it is remembered and taken out of the address."""
    if key := request.GET.get("key", "")[:64]:
        holder = Deck.objects.editable_by(Visitor(key_hash=hashed(key)))
        get_object_or_404(holder, link=link)
        browser = browser_of(request)
        with transaction.atomic():
            remember(browser, get_object_or_404(holder.select_for_update(), link=link))
        return redirect("deck_edit", link=link)
    deck = get_object_or_404(Deck.objects.editable_by(visitor_of(request)).with_cards(), link=link)
    game = game_or_404(deck.game)
    context: dict[str, Any] = {"deck": deck, "game": game, "games": [game], "here": "decks"}
    if "correct" in request.POST:
        return render(request, "decks/deck_edit.html", context | {"form": _draft(request.POST, game, deck)})
    if request.method == "POST":
        form = DeckForm({**request.POST.dict(), "game": deck.game})
        if _keep(deck, form):
            return redirect("deck", link=deck.link)
        if form.has_error("revision"):
            # Saving once more then means it: the author has been told what else changed.
            context["revision"] = Deck.objects.values_list("revision", flat=True).filter(pk=deck.pk).first()
            if context["revision"] is None:
                raise Http404
        return render(request, "decks/deck_edit.html", context | {"form": form}, status=400)
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
    """Read the form's list once and store the deck, or put what is wrong into the form and leave the deck alone."""
    fits, values = form.is_valid(), form.cleaned_data
    if "game" not in values or "text" not in values:
        return False
    game = games()[values["game"]]
    try:
        judged = judge_text(game, values["text"], game.formats_by_slug.get(values.get("format", "")), deck.named_cards())
        form.unread = judged.unread
        if fits:
            keep(deck, judged, values["revision"], **{field: values[field] for field in ("name", "notes", "visibility")})
    except Refused as refused:
        if form.unread:
            count = f"{len(form.unread)} line{'s' if len(form.unread) > 1 else ''}"
            form.add_error("text", f"{count} could not be read, so nothing was saved; they are listed below.")
        else:
            for fault in refused.faults:
                form.add_error("revision" if fault.where == "revision" else "text", fault.message)
        return False
    return fits


def _draft(posted: QueryDict, game: Game | None, deck: Deck | None = None) -> DeckForm:
    """The form as it was sent, with one suggestion put into its list; nothing is saved."""
    form = DeckForm(initial=_corrected(posted, game).dict())
    with suppress(Refused):  # What is beyond the bounds is refused, in words, when it is to be saved.
        if game:
            form.unread = read_text(game, form.initial.get("text", ""), also=deck.named_cards() if deck else ()).unread
    return form


def _corrected(posted: QueryDict, game: Game | None) -> QueryDict:
    """What was sent, after the button ``correct`` (``line:suggestion``) has done its work on the list."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    if game is None or not (line.isascii() and line.isdigit() and len(line) < 6):
        return posted
    changed = posted.copy()
    changed["text"] = with_correction(game, posted.get("text", ""), int(line), suggestion)
    return changed


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then delete for good."""
    own = Deck.objects.editable_by(visitor_of(request))
    if request.method != "POST":
        return render(request, "decks/deck_delete.html", {"deck": get_object_or_404(own, link=link), "here": "decks"})
    with transaction.atomic():
        deck = get_object_or_404(own.select_for_update(), link=link)
        deck.delete()
    messages.success(request, f"The deck “{deck.name}” is deleted.")
    return redirect("deck_list")


@require_POST
def deck_relink(request: HttpRequest, link: str) -> HttpResponse:
    """Give the deck a new address and a new edit key; what was shared of the old ones is dead from now on."""
    visitor, key = visitor_of(request), new_key()
    deck = get_object_or_404(Deck.objects.editable_by(visitor), link=link)
    deck.link, deck.edit_hash = new_key(), hashed(key)
    with transaction.atomic():
        # Of two at once, one is too late.
        if not Deck.objects.filter(pk=deck.pk, link=link).update(link=deck.link, edit_hash=deck.edit_hash):
            raise Http404
        HeldKey.objects.filter(deck=deck).exclude(browser=visitor.browser).delete()
    return _to_deck(deck, key)
