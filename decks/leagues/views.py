"""The pages of leagues' formats: the list, one format, its file, the form that edits it, and a deck begun
with it. ``league_formats.py`` reads, changes and stores what a format declares, and defines ``Declared``.

A private format is seen by its owner alone; every page finds it through ``visible_to`` or ``of``.
Tests: ``tests/decks/leagues/test_views.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from cardsdb.games.kit.rules.construction import clashes
from cardsdb.identity.viewer import owner_of, viewer_of
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import (
    form_page,
    game_or_404,
    or_404,
    page_or_404,
    private_action,
    private_form,
    private_page,
)
from decks.core.content import DeckContent
from decks.leagues.league_formats import (
    LISTS,
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
# Cards that a search on the form shows.
MAX_FOUND = 30
# Characters of that search.
MAX_QUERY = 200
# Characters of the name of a card that is taken off a list.
MAX_CALLED = 120
# Points of one card. The field in edit.html takes two digits.
MAX_COST = 99
# Characters of a rule that the form only shows.
MAX_RULE_SHOWN = 300
# Characters of the name of a downloaded file.
MAX_FILE_NAME = 40


@private_form
def league_list(request: HttpRequest) -> HttpResponse:
    """The visitor's own formats and the public ones. POST begins a format: from a game's format, or from a
    file (``from``).
    """
    form, file_form = BeginForm(initial={"base": request.GET.get("base", "")}), LeagueFileForm()
    viewer, faults = viewer_of(request), list[str]()
    if request.method == "POST":
        row = None
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
                _tell_clashes(request, row)
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
    # A POST that made a format has returned above.
    return render(
        request, "decks/leagues/list.html", context, status=400 if request.method == "POST" else 200
    )


def _tell_clashes(request: HttpRequest, row: LeagueFormat) -> None:
    """Queue a message for each two rules of a stored format that no deck can keep together."""
    if format := row.as_format():
        for sentence in clashes(format):
            messages.warning(request, sentence)


def _rows(formats: Any) -> list[tuple[LeagueFormat, Game]]:
    """Each format with its game; formats of a game that is gone are left out."""
    return [(row, game) for row in formats if (game := game_named(row.game))]


# -- one format ---------------------------------------------------------------------------


def cards_listed(game: Game, declared: Declared) -> dict[str, list[tuple[str, Card | None, int]]]:
    """Return "banned" and "points" -> (name or code as written, the first card of that name or code, its
    points).
    """
    lists = {kind: listed(declared, kind) for kind in LISTS}
    words: dict[str, Card] = {}
    for card in game.cards if any(lists.values()) else ():
        words.setdefault(card.code, card)
        words.setdefault(fold(card.name), card)
    # A name is sought as a code first, then folded as a name.
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
    name = f"{slugify(row.name)[:MAX_FILE_NAME].strip('-') or 'format'}.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    data = write_league_file(row.declared)
    return HttpResponse(data, content_type="application/toml; charset=utf-8", headers=headers)


@private_action
@counted_as_work()
def league_deck(request: HttpRequest, link: str) -> HttpResponse:
    """Store an empty deck that is judged by the format, and redirect to its editor."""
    row, game, format = _seen(request, link)
    house = write_house_rules({}, row.link)
    content = DeckContent(Decklist(name=name_of_new(game)), or_404(format).slug, house)
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


@dataclass(frozen=True)
class _Press:
    """A button of the form that was pressed. ``declared``: the declaration that it makes; None if it is
    refused, for the reasons in ``faults`` or in the form ``settings``, which only "Save" sends.

    ``typed``: the text that the field for pasted cards has next. ``unread``: the lines of it that name no
    card.
    """

    declared: Declared | None
    faults: Sequence[str] = ()
    typed: str = ""
    unread: Sequence[Unread] = ()
    settings: LeagueSettingsForm | None = None


@private_form
def league_edit(request: HttpRequest, link: str) -> HttpResponse:
    """The form of a format. POST with ``card`` or ``drop`` changes its lists, with ``text`` pastes cards onto
    one, any other POST saves its settings. Each press is stored at once.

    The page is shown again with what is wrong if the press is refused (400, nothing is stored), or if some
    pasted lines name no card (200, the other lines are stored).
    """
    own = LeagueFormat.objects.of(viewer_of(request))
    row = get_object_or_404(own, link=link)
    game = game_or_404(row.game)
    if row.declared.get("based_on") not in game.formats_by_slug:
        raise Http404
    press, status = _Press(row.declared), 200
    query = (request.POST.get("q") or request.GET.get("q", ""))[:MAX_QUERY].strip()
    if request.method == "POST":
        posted = corrected(request.POST, game) if "text" in request.POST else request.POST
        # The row is locked and read again, so that of two simultaneous presses the second builds on the
        # first.
        with transaction.atomic():
            row = get_object_or_404(own.select_for_update(), link=link)
            press = _stored(row, game, _press(row, game, posted))
        if press.declared is None:
            press, status = replace(press, typed=posted.get("text", ""), unread=()), 400
        elif press.settings:
            messages.success(request, "Saved.")
            _tell_clashes(request, row)
            return redirect("league_edit", link=link)
        elif not press.unread:
            return redirect(reverse("league_edit", args=[link]) + f"?q={quote(query)}#cards")
    return _form_page(request, row, game, query, press, status)


def _press(row: LeagueFormat, game: Game, posted: QueryDict) -> _Press:
    """Read a POST of the form, made to the format as the row has it."""
    if "card" in posted or "drop" in posted:
        return _with_card(game, row.declared, posted)
    if "text" in posted:
        return _with_pasted(game, row.declared, posted)
    form = LeagueSettingsForm(game, row.declared, row.visibility, posted)
    return _Press(form.declaration(row.declared) if form.is_valid() else None, settings=form)


def _stored(row: LeagueFormat, game: Game, press: _Press) -> _Press:
    """Store what the press declares, and return the press; or return it as refused. The row must be
    locked.
    """
    if press.declared is None:
        return press
    if sum(len(listed(press.declared, kind)) for kind in LISTS) > MAX_CARDS:
        faults = [f"The lists can have {MAX_CARDS} cards at most."]
    else:
        visibility = press.settings.cleaned_data["visibility"] if press.settings else row.visibility
        faults = change_league(row, game, press.declared, visibility)
    return replace(press, declared=None, faults=faults) if faults else press


def _form_page(
    request: HttpRequest, row: LeagueFormat, game: Game, query: str, press: _Press, status: int
) -> HttpResponse:
    """The page of a format's form, with its lists, the cards that the search ``query`` finds, and what became
    of the press.
    """
    lists = cards_listed(game, row.declared)
    # Names on the lists already, so that the results of the search show which cards are.
    known = {fold(name) for cards in lists.values() for name, *_ in cards}
    found = answer_of(parse_query(query, game), game).results if query else None
    cards = [game.card(card.code) for card in found.slice(0, MAX_FOUND)] if found else []
    context = {
        "form": press.settings or LeagueSettingsForm(game, row.declared, row.visibility),
        "faults": press.faults,
        "typed": press.typed,
        "unread": press.unread,
        "row": row,
        "game": game,
        "q": query,
        "onto": request.POST.get("onto", ""),
        "base": game.formats_by_slug[row.declared["based_on"]],
        **lists,
        "limit": points_limit(row.declared),
        # The rules that the form cannot edit, as the file has them; each can only be taken out.
        "others": [
            (place, write_league_file(rule).replace("\n", " ").strip()[:MAX_RULE_SHOWN])
            for place, rule in other_rules(row.declared)
        ],
        "total": found.total if found else 0,
        "found": [(card, {card.code, fold(card.name)} & known) for card in cards if card],
        "shared": row.is_shared,
        "address": request.build_absolute_uri(reverse("league", args=[row.link])),
    }
    return render(request, "decks/leagues/edit.html", context, status=status)


def _with_card(game: Game, declared: Declared, posted: QueryDict) -> _Press:
    """Read the press of a button beside a card or rule::

    card=banned:kai     put the card with this code on a list
    card=points:kai     the same, with the points of the field "cost:kai"
    drop=points:Kai     take a card off, by the name or code on the list
    drop=rule:0         take out the rule at this position (``other_rules``)
    """
    kind, _, called = posted.get("drop", posted.get("card", "")).partition(":")
    on = "points" if kind == "points" else "banned"
    if "drop" in posted:
        if kind == "rule" and (place := whole_number(called)) is not None:
            return _Press(without_rule(declared, place))
        return _Press(with_card(declared, on, called[:MAX_CALLED], cost=None))
    card = game.card(called)
    if card is None:
        return _Press(None, ["There is no such card. Search for it again."])
    cost = 0 if on == "banned" else whole_number(posted.get(f"cost:{called}", "1"), MAX_COST, least=1)
    if cost is None:
        return _Press(None, [f"{card.name}: its points must be a whole number from 1 to {MAX_COST}."])
    return _Press(with_card(declared, on, _called(game, card), cost))


def _with_pasted(game: Game, declared: Declared, posted: QueryDict) -> _Press:
    """Put the cards of pasted lines on the list that ``onto`` names. On the points list the count before a
    name is its points.
    """
    on = "points" if posted.get("onto") == "points" else "banned"
    try:
        read = read_cards(game, posted["text"])
    except Refused as refused:
        return _Press(None, [fault.message for fault in refused.faults])
    for entry, _ in read.cards:
        declared = with_card(declared, on, _called(game, entry.card), entry.count if on == "points" else 0)
    typed, unread = read.to_correct(game)
    return _Press(declared, typed=typed, unread=unread)


def _called(game: Game, card: Card) -> str:
    """The card's name, which people can read; its code if several cards have that name, because the name
    would mean them all.
    """
    return card.name if len(game.name_index.called(card.name)) == 1 else card.code
