"""The pages of leagues' formats: the list, one format, its file, the form that edits it, and a deck begun
with it. What a format says, and how it is stored, stands in ``league_formats.py``.

A private format is seen by its owner alone; every page finds it through ``visible_to`` or ``of``.
"""

from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Refused
from cardsdb.games.kit import Card, Decklist, Format, Game, fold, slugify, whole_number, write_house_rules
from cardsdb.games.kit.declared.formats import write_league_file
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.identity.viewer import owner_of, viewer_of
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import (
    form_page,
    game_or_404,
    page_or_404,
    private_action,
    private_form,
    private_page,
)
from decks.core.content import DeckContent
from decks.leagues.league_formats import (
    MAX_CARDS,
    BeginForm,
    Declared,
    LeagueFileForm,
    LeagueSettingsForm,
    begun,
    change_league,
    delete_league,
    keep_league,
    league_from,
    listed,
    other_rules,
    points_limit,
    shown_rules,
    with_card,
    without_rule,
)
from decks.models import LeagueFormat
from decks.saving.save import save_new
from decks.web.deck_context import to_new_deck
from decks.web.forms import corrected, name_of_new, read_cards

PER_PAGE = 50
# Cards that a search on the form shows, characters of its query, points of one card.
MAX_FOUND, MAX_QUERY, MAX_COST = 30, 200, 99


@private_form
def league_list(request: HttpRequest) -> HttpResponse:
    """The visitor's own formats and the public ones. POST begins a format: from a game's format, or from a
    file (``from``).
    """
    form, file_form = BeginForm(initial={"base": request.GET.get("base", "")}), LeagueFileForm()
    viewer, faults, status, row = viewer_of(request), [], 200, None
    if request.method == "POST":
        status = 400
        if "from" in request.POST:
            file_form = LeagueFileForm(request.POST, request.FILES)
            if file_form.is_valid():
                file = file_form.cleaned_data["file"]
                row, faults = league_from(file.read(), file.name)
        else:
            form = BeginForm(request.POST)
            if form.is_valid():
                game, base = form.cleaned_data["base"]
                row = LeagueFormat(game=game.slug).declare(begun(game.slug, base, form.cleaned_data["name"]))
        if row:
            try:
                keep_league(owner_of(request), row)
                return redirect("league_edit", link=row.link)
            except Refused as refused:
                for fault in refused.faults:
                    messages.error(request, fault.message)
    page = page_or_404(
        request, LeagueFormat.objects.public().without_files().filter(game__in=games()), PER_PAGE
    )
    context = {
        "form": form,
        "file_form": file_form,
        "faults": faults,
        "own": _rows(LeagueFormat.objects.of(viewer).without_files()),
        "rows": _rows(page.object_list),
        "page": page,
        "games": games().values(),
        "is_account": viewer.user_id is not None,
    }
    return render(request, "decks/leagues/list.html", context, status=status)


def _rows(formats: Any) -> list[tuple[LeagueFormat, Game]]:
    """Each format with its game; formats of a game that is gone are left out."""
    return [(row, game) for row in formats if (game := game_named(row.game))]


# -- one format ---------------------------------------------------------------------------


def cards_listed(game: Game, declared: Declared) -> dict[str, list[tuple[str, Card | None, int]]]:
    """Return "banned" and "points" -> (name or code as written, the first card of that name or code, its
    points).
    """
    lists = {kind: listed(declared, kind) for kind in ("banned", "points")}
    words: dict[str, Card] = {}
    for card in game.cards if any(lists.values()) else ():
        words.setdefault(card.code, card)
        words.setdefault(fold(card.name), card)
    return {
        kind: [(name, words.get(name) or words.get(fold(name)), cost) for name, cost in cards.items()]
        for kind, cards in lists.items()
    }


def _seen(request: HttpRequest, link: str) -> tuple[LeagueFormat, Game, Format | None]:
    """Return (a format that the visitor may see, its game, the format as rules or None if it can no longer be
    read). Raise Http404 if there is none.
    """
    row = get_object_or_404(LeagueFormat.objects.visible_to(viewer_of(request)), link=link)
    return row, game_or_404(row.game), row.as_format()


@private_page
def league(request: HttpRequest, link: str) -> HttpResponse:
    """The page of a format: its rules and lists, and what can be done with it."""
    row, game, format = _seen(request, link)
    context: dict[str, Any] = {
        "row": row,
        "game": game,
        "format": format,
        "is_own": LeagueFormat.objects.of(viewer_of(request)).filter(pk=row.pk).exists(),
        "house": write_house_rules({}, row.link),
    }
    if format:
        context |= {"base": game.formats_by_slug[format.slug], "rules": shown_rules(game, format)}
        context |= cards_listed(game, row.declared)
    return render(request, "decks/leagues/league.html", context)


@private_page
def league_file(request: HttpRequest, link: str) -> HttpResponse:
    """The format as a TOML file, for the data folder of another Cutout or to be read in again."""
    row = get_object_or_404(LeagueFormat.objects.visible_to(viewer_of(request)), link=link)
    name = f"{slugify(row.name)[:40].strip('-') or 'format'}.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    data = write_league_file(row.declared)
    return HttpResponse(data, content_type="application/toml; charset=utf-8", headers=headers)


@private_action
@counted_as_work()
def league_deck(request: HttpRequest, link: str) -> HttpResponse:
    """Store an empty deck that is judged by the format, and redirect to its editor."""
    row, game, format = _seen(request, link)
    if format is None:
        raise Http404
    content = DeckContent(Decklist(name=name_of_new(game)), format.slug, write_house_rules({}, row.link))
    return to_new_deck(request, *save_new(request, game, content), "deck_edit")


@form_page
@private
def league_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then delete a format. Decks that name it stay, and are judged by the format beneath."""
    row = get_object_or_404(LeagueFormat.objects.of(viewer_of(request)), link=link)
    if request.method == "POST":
        delete_league(row)
        messages.success(request, f"“{row.name}” is deleted.")
        return redirect("league_list")
    return render(request, "decks/leagues/delete.html", {"row": row})


# -- its form -----------------------------------------------------------------------------


@private_form
def league_edit(request: HttpRequest, link: str) -> HttpResponse:
    """The form of a format. POST with ``card`` or ``drop`` changes its lists, with ``text`` pastes cards onto
    one, any other POST saves its settings. Each press is stored at once if the format stays valid; otherwise
    the page is shown again with what is wrong (400).
    """
    own = LeagueFormat.objects.of(viewer_of(request))
    row = get_object_or_404(own, link=link)
    game = game_or_404(row.game)
    if row.declared.get("based_on") not in game.formats_by_slug:
        raise Http404
    form, faults, status = LeagueSettingsForm(game, row.declared, row.visibility), [], 200
    left, unread = "", list[Unread]()
    query = (request.POST.get("q") or request.GET.get("q", ""))[:MAX_QUERY].strip()
    if request.method == "POST":
        status, posted = 400, corrected(request.POST, game)
        declared: Declared | None = None
        on_lists = "card" in request.POST or "drop" in request.POST
        # The row is locked and read again, so that of two simultaneous presses the second builds on the
        # first.
        with transaction.atomic():
            row = get_object_or_404(own.select_for_update(), link=link)
            visibility = row.visibility
            if on_lists:
                declared, faults = _with_card(game, row.declared, request)
            elif "text" in request.POST:
                declared, faults, left, unread = _with_pasted(game, row.declared, posted)
            else:
                form = LeagueSettingsForm(game, row.declared, row.visibility, request.POST)
                if form.is_valid():
                    declared, visibility = form.declaration(row.declared), form.cleaned_data["visibility"]
            if declared and sum(len(listed(declared, kind)) for kind in ("banned", "points")) > MAX_CARDS:
                declared, faults = None, [f"The lists can have {MAX_CARDS} cards at most."]
            if declared is not None:
                faults = change_league(row, game, declared, visibility)
        # With faults, the whole pasted text stays in the form; otherwise only the lines that were not read.
        if faults:
            left, unread = posted.get("text", ""), []
        elif unread:
            status = 200
        elif declared is not None:
            place = f"?q={quote(query)}#cards"
            if not (on_lists or "text" in request.POST):
                messages.success(request, "Saved.")
                place = ""
            return redirect(reverse("league_edit", args=[link]) + place)
    return _form_page(request, row, game, query, status, form=form, faults=faults, typed=left, unread=unread)


def _form_page(
    request: HttpRequest, row: LeagueFormat, game: Game, query: str, status: int, **shown: Any
) -> HttpResponse:
    """The page of a format's form, with its lists and the cards that the search for new ones finds."""
    lists = cards_listed(game, row.declared)
    # Names on the lists already, so that the results of the search show which cards are.
    known = {fold(name) for cards in lists.values() for name, *_ in cards}
    found = answer_of(parse_query(query, game), game).results if query else None
    cards = [game.card(card.code) for card in found.slice(0, MAX_FOUND)] if found else []
    context = shown | {
        "row": row,
        "game": game,
        "q": query,
        "onto": request.POST.get("onto", ""),
        "base": game.formats_by_slug[row.declared["based_on"]],
        **lists,
        "limit": points_limit(row.declared),
        # The rules that the form cannot edit, as the file has them; each can only be taken out.
        "others": [
            (place, write_league_file(rule).replace("\n", " ").strip()[:300])
            for place, rule in other_rules(row.declared)
        ],
        "total": found.total if found else 0,
        "found": [(card, {card.code, fold(card.name)} & known) for card in cards if card],
        "shared": row.is_shared,
        "address": request.build_absolute_uri(reverse("league", args=[row.link])),
    }
    return render(request, "decks/leagues/edit.html", context, status=status)


def _with_card(game: Game, declared: Declared, request: HttpRequest) -> tuple[Declared | None, list[str]]:
    """Return (the declaration after a press, []) or (None, what is wrong). ``card`` puts a card on a list,
    ``drop`` takes a card or a rule off: "banned:kai", "points:Kai", "rule:0".
    """
    posted = request.POST
    kind, _, called = posted.get("drop", posted.get("card", "")).partition(":")
    on = "points" if kind == "points" else "banned"
    if "drop" in posted:
        if kind == "rule" and (place := whole_number(called)) is not None:
            return without_rule(declared, place), []
        return with_card(declared, on, called[:120], cost=None), []
    card = game.card(called)
    if card is None:
        return None, ["There is no such card. Search for it again."]
    cost = 0 if on == "banned" else whole_number(posted.get(f"cost:{called}", "1"), MAX_COST, least=1)
    if cost is None:
        return None, [f"{card.name}: its points must be a whole number from 1 to {MAX_COST}."]
    return with_card(declared, on, _called(game, card), cost), []


def _with_pasted(
    game: Game, declared: Declared, posted: QueryDict
) -> tuple[Declared | None, list[str], str, list[Unread]]:
    """Put the cards of pasted lines on a list. Return (the declaration or None, faults, the lines that were
    not read as text, those lines with their reasons). On the points list the count before a name is its
    points.
    """
    on = "points" if posted.get("onto") == "points" else "banned"
    try:
        read = read_cards(game, posted["text"])
    except Refused as refused:
        return None, [fault.message for fault in refused.faults], "", []
    for entry, _ in read.cards:
        declared = with_card(declared, on, _called(game, entry.card), entry.count if on == "points" else 0)
    return declared, [], *read.left(game)


def _called(game: Game, card: Card) -> str:
    """The card's name, which people can read; its code if several cards have that name, because the name
    would mean them all.
    """
    return card.name if len(game.name_index.called(card.name)) == 1 else card.code
