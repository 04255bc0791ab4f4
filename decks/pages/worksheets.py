"""The pages of a game's worksheets, such as character sheets, score books and set-ups: forms from which the
game calculates outcomes. Addresses call them aids.

``fill`` turns typed texts into a ``Filled`` sheet: its values, the outcomes, and the verdict on the list that
it writes. A sheet may be opened on a deck, filled in from it, and put back by ``put_into``: as one card, or
as the details of the whole deck. Nothing else is stored; the address contains all that is filled in. A game
declares its worksheets (``cardsdb/games/kit/play/worksheet.py``).
Tests: ``tests/decks/pages/test_worksheets.py``.
``deck_reveal`` shows a deck's secret sections to everyone, or hides them; its tests are in
``tests/decks/models/test_deck.py``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Entry, Game
from cardsdb.games.kit.play.worksheet import Outcome, Values, Worksheet, WorksheetResult
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import form_page, game_or_404, or_404, private_action, private_page
from decks.core.content import DeckContent
from decks.core.judging import Judged, judge_text
from decks.models import Deck
from decks.saving.save import Saved, save_edit
from decks.statistics.numbers import new_seed
from decks.web.deck_context import deck_page, in_parts, judged_context, own_deck, secret_sections, wants_part

# Characters that are read of a field. No field takes so many, so it refuses a longer text by itself.
MAX_TYPED = 1_000
# Characters that are read of a card's code.
MAX_CODE = 100


@dataclass(frozen=True)
class Filled:
    """A worksheet filled in. ``text`` is the list that it writes, or empty; ``judged`` is the verdict on that
    list.
    """

    game: Game
    sheet: Worksheet
    result: WorksheetResult
    text: str
    judged: Judged | None

    @property
    def address(self) -> dict[str, str]:
        """The query parameters that show this sheet again. If something is wrong, they hold the texts as
        typed.
        """
        return self.sheet.address(self.result.values) if not self.result.problems else dict(self.result.typed)

    @property
    def problems(self) -> dict[str, str]:
        """Field key -> what is wrong with it."""
        wrong: dict[str, str] = {}
        for key, sentence in self.result.problems:
            wrong[key] = f"{wrong[key]} {sentence}" if key in wrong else sentence
        return wrong

    @property
    def outcomes(self) -> Iterator[dict[str, Any]]:
        """Yield each outcome as a dict for the template: ``outcome``; ``cited``, the citations of its rules;
        ``columns``, as (title, True if its cells are numbers); ``rows``, as (cells with the same flag, length
        of the row's bar or None).
        """
        citations = self.game.citations
        for outcome in self.result.calculation.outcomes:
            numeric = _numeric_columns(outcome)
            rows = [list(zip(row, numeric, strict=True)) for row in outcome.rows]
            bars = outcome.bars or (None,) * len(rows)
            yield {
                "outcome": outcome,
                "cited": [citations[code] for code in outcome.cites if code in citations],
                "columns": list(zip(outcome.columns, numeric, strict=True)),
                "rows": list(zip(rows, bars, strict=True)),
            }

    @property
    def in_short(self) -> str:
        """The outcome in a few sentences, which screen readers speak when it changes: only what is wrong, if
        something is.
        """
        if self.result.problems:
            return " ".join(sentence for _, sentence in self.result.problems)
        sentences = [
            f"{outcome.label}: {outcome.value}."
            for outcome in self.result.calculation.outcomes
            if outcome.kind in ("total", "warning")
        ]
        if self.judged:
            sentences.append(f"{self.judged.verdict_words}.")
        return " ".join(sentences)


def _numeric_columns(outcome: Outcome) -> list[bool]:
    """Return True for each column of the outcome that has only numbers and empty cells, else False."""
    columns = list(zip(*outcome.rows, strict=True)) or [()] * len(outcome.columns)
    # The first column has labels, even if they are numbers.
    return [
        place > 0 and all(not cell or cell.isdigit() for cell in column)
        for place, column in enumerate(columns)
    ]


def worksheet_or_404(game: Game, slug: str) -> Worksheet:
    """Return the worksheet of the game with this slug. Raise Http404 if there is none."""
    return or_404(next((sheet for sheet in game.worksheets if sheet.slug == slug), None))


def typed_values(sheet: Worksheet, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Field key -> typed text, for the fields of the sheet that the parameters name."""
    return {
        field.key: str(parameters[field.key])[:MAX_TYPED] for field in sheet.fields if field.key in parameters
    }


def fill(game: Game, sheet: Worksheet, typed: Mapping[str, str]) -> Filled:
    """Fill in the sheet with the typed texts, and judge the list that it writes."""
    result = sheet.fill_in(game, typed)
    text = sheet.writes(result.values) if sheet.writes and not result.problems else ""
    judged = judge_text(game, text, game.formats_by_slug[sheet.format]) if text else None
    return Filled(game, sheet, result, text, judged)


def sheets_in(game: Game, deck: Decklist) -> list[tuple[Worksheet, str, dict[str, str]]]:
    """Return (worksheet, card code, parameters of its address) for each card of a deck that has a worksheet,
    ordered by worksheet, then as in the deck.
    """
    # A card may stand in several lines; the dict keeps it once.
    cards = {(entry.card.code, entry.card.type): entry.card for entry in deck}.values()
    return [
        (sheet, card.code, sheet.address({**sheet.start, **sheet.of_card(card)}))
        for sheet in game.worksheets
        if sheet.card_type and sheet.of_card
        for card in cards
        if card.type == sheet.card_type
    ]


def whole_deck_sheets(game: Game, deck: Decklist, format: str) -> list[tuple[Worksheet, dict[str, str]]]:
    """Return (worksheet, parameters of its address) for each worksheet that describes a whole deck of this
    format.
    """
    return [
        (sheet, sheet.address({**sheet.start, **sheet.of_deck(deck)}))
        for sheet in game.worksheets
        if sheet.of_deck and sheet.format == format
    ]


def fits(sheet: Worksheet, deck: Deck) -> bool:
    """True if the sheet can be put into the deck: it writes a card, or describes decks of this
    deck's format.
    """
    describes_deck = sheet.of_deck is not None and sheet.format == deck.format
    return bool(sheet.writes and (sheet.card_type or describes_deck))


def put_into(deck: Deck, viewer: Viewer, filled: Filled, code: str = "") -> Saved:
    """Store the filled-in sheet in the deck. ``code`` is the card that it was opened from, which it replaces;
    an empty code adds a card.

    Raise Refused, naming the field at fault, if it cannot be stored. Raise Http404 if the viewer may not edit
    the deck.
    """
    if filled.result.problems:
        raise Refused(*(Fault("bad_field", sentence, key) for key, sentence in filled.result.problems))
    if filled.judged is None or not fits(filled.sheet, deck):
        raise Refused(Fault("empty", "Fill something in first; nothing was put into the deck."))
    if filled.judged.unread:
        raise Refused(*(Fault(unread.code, unread.message, "name") for unread in filled.judged.unread))
    list_of_sheet, sheet, game = filled.judged.deck, filled.sheet, filled.game

    def edit(content: DeckContent) -> DeckContent:
        if not sheet.card_type:
            # A sheet for the whole deck.
            return replace(content, deck=replace(content.deck, details=dict(list_of_sheet.details)))
        # A sheet for a card writes a list of that card alone.
        card, entries = list_of_sheet.entries[0].card, content.deck.entries
        if code and all(entry.card.code != code for entry in entries):
            sentence = (
                "The card of this sheet is no longer in the deck. Open the sheet from the deck to put it"
                " in anew."
            )
            raise Refused(Fault("card_gone", sentence, "name"), status=409)
        if card.code != code and any(entry.card.code == card.code for entry in entries):
            sentence = (
                f"“{card.name}” is in the deck already. Give this card another name, or open that one from"
                " the deck."
            )
            raise Refused(Fault("written_twice", sentence, "name"))
        # The card replaces the one that the sheet was opened on, in every line, or is added.
        changed = [replace(entry, card=card) if entry.card.code == code else entry for entry in entries]
        if not code:
            section = game.section_for(card.type, game.formats_by_slug.get(content.format))
            changed.append(Entry(card, 1, section))
        return replace(content, deck=replace(content.deck, entries=tuple(changed)))

    return save_edit(deck.link, viewer, edit)


@private_page
@kept_offline
def aids(request: HttpRequest, slug: str) -> HttpResponse:
    """The page that lists a game's worksheets. 404 for a game without any."""
    game = game_or_404(slug)
    or_404(game.worksheets)
    return render(request, "decks/pages/worksheets.html", {"game": game})


@private_page
@kept_offline
def aid(request: HttpRequest, slug: str, aid: str) -> HttpResponse:
    """The page of one worksheet (``aid`` is its slug), filled in from the address. htmx gets only its
    outcome.

    ``?deck=`` opens it on a deck, ``?card=`` as well on one of the deck's cards: then the address is
    redirected to one that has the deck's values.
    """
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    viewer = viewer_of(request)
    deck = _opened_deck(request.GET.get("deck", ""), viewer, game)
    card = _opened_card(deck, viewer, game, sheet, request.GET.get("card", "")) if deck else None
    if deck and not sheet.filled_in_by(request.GET):
        # The address has no values yet, so fill in those that the deck has now.
        values: Values = {}
        if card and sheet.of_card:
            values = sheet.of_card(card)
        elif sheet.of_deck and sheet.format == deck.format:
            values = sheet.of_deck(deck.decklist_for(viewer, game))
        if values and (filled_in := sheet.address({**sheet.start, **values})):
            return redirect(f"{request.path}?{urlencode({**_opened_on(deck, card), **filled_in})}")
    filled = fill(game, sheet, typed_values(sheet, request.GET))
    context = _context(filled, deck, card, viewer)
    if wants_part(request):
        answer = render(request, "decks/pages/worksheet_answer.html", context)
        answer["HX-Replace-Url"] = context["here_again"]
    else:
        answer = render(
            request, "decks/pages/worksheet.html", context, status=400 if filled.result.problems else 200
        )
    return in_parts(answer)


@private_action
@counted_as_work("POST")
def aid_into_deck(request: HttpRequest, slug: str, aid: str, link: str) -> HttpResponse:
    """Put the sheet into a deck. It replaces the card that it was opened from, if any."""
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link, game=game.slug)
    code = request.POST.get("card", "")[:MAX_CODE]
    filled = fill(game, sheet, typed_values(sheet, request.POST))
    try:
        saved = put_into(deck, viewer, filled, code)
    except Refused as refused:
        context = _context(filled, deck, None, viewer) | {"faults": refused.faults, "code": code}
        return render(request, "decks/pages/worksheet.html", context, status=refused.status)
    name = f"“{filled.judged.deck.entries[0].card.name}”" if sheet.card_type and filled.judged else sheet.name
    done = "changed in the deck" if code else "put into the deck"
    if saved.before == saved.after:
        done = "is in the deck already, unchanged"
    messages.success(request, f"{name}: {done}.")
    return redirect("deck", link=link)


@form_page
@private
def deck_reveal(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then show a deck's secret sections to everyone who sees the deck, or hide them again."""
    _, deck, game = own_deck(request, link)
    secret = secret_sections(game, game.formats_by_slug.get(deck.format, game.formats[0]))
    or_404(secret)
    if request.method != "POST":
        return deck_page(request, "decks/pages/reveal.html", deck, game, editable=None, secret=secret)
    reveal = request.POST.get("revealed") == "yes"
    if not Deck.objects.stored(deck).update(revealed=reveal):
        raise Http404
    listed = ", ".join(secret)
    messages.success(
        request,
        f"{listed}: now shown to everyone who sees the deck." if reveal else f"{listed}: secret again.",
    )
    return redirect("deck", link=link)


def _opened_deck(link: str, viewer: Viewer, game: Game) -> Deck | None:
    """The deck that the address names, or None if it names none. Raise Http404 if the viewer may
    not see it.
    """
    if not link:
        return None
    # Checked first, because PostgreSQL raises an error for a NUL in a query.
    if not slug_re.fullmatch(link):
        raise Http404
    return get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link, game=game.slug)


def _opened_card(deck: Deck, viewer: Viewer, game: Game, sheet: Worksheet, code: str) -> Card | None:
    """The card of the deck that the sheet is opened on, or None if the address names none. Raise Http404 if
    the deck has no such card.
    """
    if not code:
        return None
    for entry in deck.decklist_for(viewer, game):
        if (entry.card.code, entry.card.type) == (code, sheet.card_type):
            return entry.card
    raise Http404


def _opened_on(deck: Deck | None, card: Card | None) -> dict[str, str]:
    """The query parameters that name the deck and the card which the sheet is opened on."""
    return ({"deck": deck.link} if deck else {}) | ({"card": card.code} if card else {})


def _asked_by_guide(game: Game, typed: Mapping[str, str]) -> dict[str, str]:
    """Return the typed fields that the game's set-up guide asks for as well: its address takes them over."""
    if not game.set_up_guide:
        return {}
    keys = sorted({"players", *(option.key for option in game.set_up_guide.options)})
    return {key: typed[key] for key in keys if typed.get(key)}


def _context(filled: Filled, deck: Deck | None, card: Card | None, viewer: Viewer) -> dict[str, Any]:
    """The context of a worksheet's page. ``code``: the card that it was opened on, or empty."""
    game, sheet, result = filled.game, filled.sheet, filled.result
    opened_on = _opened_on(deck, card)
    address = reverse("aid", args=[game.slug, sheet.slug])
    query = urlencode({**opened_on, **filled.address})
    starter = sheet.starter(result.values) if sheet.starter and not result.problems else ""
    return {
        **(judged_context(filled.judged) if filled.judged else {}),
        "game": game,
        "sheet": sheet,
        "filled": filled,
        "faults": [Fault("bad_field", sentence, key) for key, sentence in result.problems],
        "deck": deck,
        "code": card.code if card else "",
        "puts": deck is not None and fits(sheet, deck) and deck.is_editable_by(viewer),
        "address": address,
        # The key under which the browser stores what is typed: game/sheet, then deck and card if it has them.
        "kept_as": "/".join([game.slug, sheet.slug, *opened_on.values()]),
        "here_again": f"{address}?{query}" if query else address,
        "sheet_query": urlencode(filled.address),
        "list_name": str(result.values.get("name") or sheet.name),
        "starter": next((ready for ready in game.starters if ready.slug == starter), None),
        "set_up_query": urlencode(_asked_by_guide(game, result.typed)),
        "new_seed": new_seed(),
        "unread": filled.judged.unread if filled.judged else (),
    }
