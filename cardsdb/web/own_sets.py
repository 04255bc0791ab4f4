"""Pages of own sets and own cards: the list of sets, one set, forms for a set and for a card; and the
checklist of a game whose cards are lost, whose places a visitor fills one after another.

Views find rows through ``objects.of(viewer)`` or ``visible_to(viewer)`` only, so that nothing of others is
shown or changed. All three forms for a card (a new one, a change, a place of a checklist) go through
``_card_page``; writing is in ``cardsdb/box/sets.py``, the form's values in ``cardsdb/box/card_form.py``.
Templates: ``templates/cardsdb/box``. Tests: ``test_own_sets.py``, and of the checklist ``test_checklist.py``,
in ``tests/cardsdb/web``.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from cardsdb.box.card_form import TypedCard, draft_of, form_of, own_types, typed_in, typed_of
from cardsdb.box.intake import CleanPicture, bounds_here
from cardsdb.box.picture_files.bounds import MEGABYTE
from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.placing import add_of_card, clean_of_card
from cardsdb.box.sets import (
    LENGTHS,
    add_card,
    blank_list,
    cards_as_table,
    change_set,
    checklist_of,
    delete_card,
    delete_set,
    fill,
    filled_by,
    known_list,
    make_set,
    next_open,
    save_card,
)
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, fold, slugify
from cardsdb.games.kit.listtext.deck import lines_of
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.model.cards import ChecklistPlace
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import OwnCard, OwnSet
from cardsdb.site.shortcuts import (
    card_or_404,
    game_or_404,
    or_404,
    page_or_404,
    private_action,
    private_form,
    private_page,
    table_file,
)
from cardsdb.web.lists.columns import short_facts

# Sets, or cards of a set, on one page.
PER_PAGE = 100
# Characters of pasted names.
MAX_PASTED = 20_000
# Faults of pasted names that the page lists.
MAX_FAULTS = 50


@private_form
def own_sets(request: HttpRequest) -> HttpResponse:
    """The visitor's sets with a form for a new one, and the public sets of others."""
    viewer = viewer_of(request)
    faults: tuple[Fault, ...] = ()
    if request.method == "POST":
        game = games().get(request.POST.get("game", ""))
        try:
            if game is None:
                raise Refused(Fault("unknown_game", "Choose the game of the set.", "game"))
            return redirect("own_set", make_set(owner_of(request), game, request.POST).link)
        except Refused as refused:
            faults = refused.faults
    of_viewer, public = (_counted(rows) for rows in (OwnSet.objects.of(viewer), OwnSet.objects.public()))
    others = page_or_404(request, public.exclude(pk__in=OwnSet.objects.of(viewer)), PER_PAGE)
    context = {
        "mine": [(row, games()[row.game]) for row in of_viewer],
        "others": [(row, games()[row.game]) for row in others],
        "page": others,
        "games": games().values(),
        **_set_form(request, faults),
    }
    return render(request, "cardsdb/box/own_sets.html", context, status=400 if faults else 200)


def _counted(sets: QuerySet[OwnSet]) -> QuerySet[OwnSet]:
    """Return the sets of existing games, sorted, each with its number of cards as ``size``."""
    return sets.filter(game__in=tuple(games())).annotate(size=Count("cards")).order_by("game", "name", "pk")


@private_page
def own_set(request: HttpRequest, link: str) -> HttpResponse:
    """One set, for visitors who may see it."""
    viewer = viewer_of(request)
    found = get_object_or_404(OwnSet.objects.visible_to(viewer), link=link)
    game = game_or_404(found.game)
    page = page_or_404(request, found.cards.select_related("in_set").order_by("type", "name", "pk"), PER_PAGE)
    # (card, name of its type, its most important facts in words, collector number)
    rows = [
        (card := row.as_card(), game.type_named(card.type).name, short_facts(game, card), row.number)
        for row in page
    ]
    context = {
        "game": game,
        "set": found,
        "rows": rows,
        "page": page,
        "is_mine": OwnSet.objects.of(viewer).filter(pk=found.pk).exists(),
        "printed": ",".join(card.key for card, *_ in rows),
    }
    return render(request, "cardsdb/box/own_set.html", context)


@private_form
def own_set_change(request: HttpRequest, link: str) -> HttpResponse:
    """The form for a set's name, visibility and licence; with ``do=delete`` it deletes the set."""
    found = get_object_or_404(OwnSet.objects.of(viewer_of(request)).select_related("box"), link=link)
    faults: tuple[Fault, ...] = ()
    if request.method == "POST" and request.POST.get("do") == "delete":
        delete_set(found)
        messages.success(request, f"The set “{found.name}” is deleted. Decks keep their copies of its cards.")
        return redirect("own_sets")
    if request.method == "POST":
        try:
            change_set(found, request.POST)
            messages.success(request, "Saved.")
            return redirect("own_set", found.link)
        except Refused as refused:
            faults = refused.faults
    context = {"set": found, "game": games().get(found.game), **_set_form(request, faults, found)}
    return render(request, "cardsdb/box/own_set_change.html", context, status=400 if faults else 200)


@private_page
def own_set_export(request: HttpRequest, link: str) -> StreamingHttpResponse:
    """The cards of a set as a CSV file."""
    found = get_object_or_404(OwnSet.objects.visible_to(viewer_of(request)), link=link)
    name = f"{found.game}-{slugify(found.name) or 'set'}.csv"
    return table_file(name, cards_as_table(found, game_or_404(found.game)))


def _set_form(
    request: HttpRequest, faults: tuple[Fault, ...], found: OwnSet | None = None
) -> dict[str, object]:
    """Return the template values of a set's form: as posted, else as stored."""
    stored = found or OwnSet()
    return {
        "typed": {
            column: str(request.POST.get(column, getattr(stored, column)))[:2_000]
            for column in (*LENGTHS, "visibility")
        },
        "wrong": {fault.where: fault.message for fault in reversed(faults)},
        "most": LENGTHS,
        "visibilities": OwnSet._meta.get_field("visibility").choices,
        "faults": faults,
        "chosen_game": request.POST.get("game", request.GET.get("game", "")),
    }


# -- cards ------------------------------------------------------------------------------


def _game_of_own_cards(slug: str) -> Game:
    """Return the game; raise 404 for one for which no cards can be made."""
    game = game_or_404(slug)
    or_404(own_types(game))
    return game


@private_form
def new_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new card. ``set``: link of the set it goes into; ``like``: code of a card to copy."""
    game = _game_of_own_cards(slug)
    sets = list(OwnSet.objects.of(viewer_of(request)).filter(game=game.slug))
    link = request.POST.get("set", request.GET.get("set", ""))
    chosen = next((row for row in sets if row.link == link), None)
    # Without a named set, the first one; without any, a new one (None). A set that was named in the form but
    # is gone must not be replaced by another silently.
    into = chosen or (sets[0] if sets and not request.POST.get("set") else None)

    def address_of(row: OwnCard) -> str:
        """Return the address to go to once the card is saved: its page, or the form for another card."""
        if request.POST.get("do") == "another":
            form = reverse("own_card_new", args=[game.slug])
            return f"{form}?set={row.in_set.link}&type={row.type}"
        return _address_of(row)

    return _card_page(
        request,
        game,
        begin=lambda: _copied(request, game),
        save=lambda typed: add_card(owner_of(request), game, typed, into),
        notice=lambda row: f"{row.name} is in your set “{row.in_set.name}”.",
        then=address_of,
        chosen=chosen,
        sets=sets,
    )


def _copied(request: HttpRequest, game: Game) -> TypedCard:
    """Return the card that the form begins with: a copy of ``like``, else an empty card of ``type``."""
    code, types = request.GET.get("like", "")[:200], own_types(game)
    if code and "\0" not in code:
        cards = OwnCard.objects.visible_to(viewer_of(request)).select_related("in_set")
        own = cards.filter(code=code, in_set__game=game.slug).first()
        typed = typed_of(game, own.as_card() if own else card_or_404(game, code).card)
        return typed if typed.type in types else TypedCard(typed.name, types[0], {})
    kind = request.GET.get("type", "")
    return TypedCard("", kind if kind in types else types[0], {})


@private_form
def change_card(request: HttpRequest, code: str) -> HttpResponse:
    row = _own_or_404(viewer_of(request), code)
    game = game_or_404(row.in_set.game)
    return _card_page(
        request,
        game,
        begin=lambda: typed_of(game, row.as_card(), row.number),
        save=lambda typed: save_card(row.in_set, game, typed, row),
        notice=lambda _: (
            "Saved. Decks keep the card as it was when you added it. Remove it from a deck and add it again"
            " to update it."
        ),
        row=row,
    )


@private_action
def remove_card(request: HttpRequest, code: str) -> HttpResponse:
    row = _own_or_404(viewer_of(request), code)
    delete_card(row)
    messages.success(request, f"{row.name} is deleted. Decks keep their copies of it.")
    return redirect("own_set", row.in_set.link)


@private_action
def draft_face(request: HttpRequest, slug: str) -> HttpResponse:
    """The face of the card as typed so far, as a fragment of the page."""
    game = _game_of_own_cards(slug)
    context = {"game": game, "drawn": draft_of(game, typed_in(request.POST, game))}
    return render(request, "cardsdb/box/own_card_face.html", context)


# -- checklist -------------------------------------------------------------------------


@private_form
def checklist(request: HttpRequest, slug: str) -> HttpResponse:
    """Every place of the checklist, with what this visitor has filled in.

    POST fills the next open places of a group with the names of a pasted list. Lines that cannot be used stay
    in the field, with the reason.
    """
    game = game_or_404(slug)
    or_404(game.checklist)
    # ``filled``: code of a place -> the visitor's card in it. ``left``: the lines that cannot be used.
    filled, left, faults = filled_by(viewer_of(request), game), list[str](), list[Fault]()
    if request.method == "POST":
        left, faults = _fill_from_list(request, game, filled)
        if not left:
            return redirect("checklist", game.slug)
    shown = checklist_of(game, filled)
    context = {
        "game": game,
        "groups": [(filled_group, game.citations[filled_group.group.cites]) for filled_group in shown],
        "done": sum(len(filled_group.filled) for filled_group in shown),
        "next": next_open(game, filled, ""),
        "known": known_list(game, shown),
        "blanks": blank_list(game, shown),
        "typed": "\n".join(left),
        "faults": faults[:MAX_FAULTS],
    }
    return render(request, "cardsdb/box/checklist.html", context, status=400 if faults else 200)


def _fill_from_list(
    request: HttpRequest, game: Game, filled: dict[str, OwnCard]
) -> tuple[list[str], list[Fault]]:
    """Fill the next open places of the posted group with the posted names, and add the cards to ``filled``.
    Return (lines that cannot be used, the reason for each).

    If agent-01 of SpyNet is filled, ``1 Nadia`` fills agent-02, and ``Hitman`` is left: it is named already.
    """
    groups = {group.slug: group for group in game.checklist}
    group = groups.get(request.POST.get("group", ""), game.checklist[0])
    text = request.POST.get("text", "")
    if len(text) > MAX_PASTED:
        why = f"The names have {len(text):,} letters; {MAX_PASTED:,} are the most. Paste them in parts."
        return [text], [Fault("too_long", why, "text")]
    left, faults = list[str](), list[Fault]()
    for line in filter(str.strip, lines_of(text)):
        name = name_in(line)
        place = next((item.code for item in group.places if item.code not in filled), "")
        try:
            if game.name_index.called(name) or fold(name) in {fold(row.name) for row in filled.values()}:
                raise Refused(Fault("known", "It is named already.", "text"))
            if not place:
                raise Refused(Fault("full", f"No place of “{group.label}” is left.", "text"))
            typed = TypedCard(name, group.card_type, group.facts)
            filled[place] = fill(owner_of(request), game, typed, place, filled)
        except Refused as refused:
            left.append(line)
            faults.append(Fault("left", f"{line[:80]}: {refused.faults[0].message}", "text"))
    return left, faults


@private_form
def fill_place(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The form for one place. After saving with ``do=next`` it goes on to the next open place."""
    game = game_or_404(slug)
    place = or_404(game.places.get(code))
    filled = filled_by(viewer_of(request), game)
    if code in filled:
        return redirect("own_card_change", filled[code].code)

    def address_of(following: ChecklistPlace | None) -> str:
        """Return the address of the form for a place, or of the checklist if none is left."""
        if following:
            return reverse("checklist_place", args=[game.slug, following.code])
        return reverse("checklist", args=[game.slug])

    following = next_open(game, filled, code)
    progress = f"{len(filled)} of {len(game.places)} filled in"
    return _card_page(
        request,
        game,
        begin=lambda: TypedCard("", place.group.card_type, place.group.facts),
        save=lambda typed: fill(owner_of(request), game, typed, code, filled),
        notice=lambda row: f"{place.label} is {row.name}.",
        then=lambda row: address_of(following if request.POST.get("do") == "next" else None),
        place={"label": place.label, "skip": address_of(following), "progress": progress},
    )


# -- the form for a card ---------------------------------------------------------------


def _address_of(row: OwnCard) -> str:
    return reverse("card", args=[row.in_set.game, row.code])


def _card_page(
    request: HttpRequest,
    game: Game,
    begin: Callable[[], TypedCard],
    save: Callable[[TypedCard], OwnCard],
    notice: Callable[[OwnCard], str],
    then: Callable[[OwnCard], str] = _address_of,
    **page: Any,
) -> HttpResponse:
    """Show the form for an own card, and process it.

    ``begin`` returns the card for an empty form, ``save`` stores the typed card, ``notice`` words the message
    about it, and ``then`` gives the address to go to. ``page``: further values for the template; ``row``, if
    among them, is the card that is changed. Posts with ``do=type`` or ``do=look`` only show the form again.
    If the card is saved but its picture has no room, the card stays and a warning says so.
    """
    refused = None
    typed = typed_in(request.POST, game) if request.method == "POST" else begin()
    if request.method == "POST" and request.POST.get("do") not in ("type", "look"):
        file = request.FILES.get("picture")
        try:
            # Checked first, so that no card is stored with a bad picture.
            picture = clean_of_card(file) if file else None
            saved = save(typed)
        except Refused as error:
            refused = error
        else:
            messages.success(request, notice(saved))
            if picture and file:
                _add_picture(request, game, saved, picture, file.name or "")
            return redirect(then(saved))
    row: OwnCard | None = page.get("row")
    pictures = pictures_on_pages(viewer_of(request), game, [row.code]) if row else {}
    context = {
        "game": game,
        "form": form_of(game, typed, refused.faults if refused else ()),
        "drawn": draft_of(game, typed),
        "picture": pictures.get(row.code) if row else None,
        "max_megabytes": bounds_here().bytes // MEGABYTE,
        **page,
    }
    status = refused.status if refused else 200
    return render(request, "cardsdb/box/own_card_form.html", context, status=status)


def _add_picture(request: HttpRequest, game: Game, card: OwnCard, picture: CleanPicture, name: str) -> None:
    """Add a picture to a card that is saved, and tell its remarks; warn if there is no room for it."""
    try:
        add_of_card(owner_of(request), game, card.code, picture, name)
        for remark in picture.remarks:
            messages.warning(request, f"Its picture {remark}")
    except Refused as error:
        why = error.faults[0].message
        messages.warning(request, f"{card.name} is saved, its picture is not. {why}")


def _own_or_404(viewer: Viewer, code: str) -> OwnCard:
    return get_object_or_404(OwnCard.objects.of(viewer).select_related("in_set__box"), code=code)
