"""The page of a card, and the page of an own card.

``card_page`` collects, for one card: its facts (``card_facts.py``), the rulings about it, its text and the
visitor's own text, and its neighbours in the list that it was opened from (``?q=``). The templates
``card.html`` and ``own_card.html`` in ``templates/cardsdb/pages`` read the values of the context by name.
``Card``, ``Claim``, ``Fact`` and ``Ruling`` are defined in ``cardsdb/games/kit/model``.
Tests: ``tests/cardsdb/web/test_card_page.py``; pages of own cards in ``test_own_sets.py`` beside it;
the visitor's text in ``tests/cardsdb/box/test_own_texts_found.py``.
"""

import re
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.texts import own_text, with_text
from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import OWN_CODE, Card, Claim, Fact, Game, Ruling, as_words, fold
from cardsdb.games.kit.model.effects import abilities, told_lines
from cardsdb.games.kit.print.face import Notes
from cardsdb.identity.viewer import Viewer, may_see_own, reader_of
from cardsdb.models import OwnBox, OwnCard, Visibility
from cardsdb.search.ask import answer_of
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.search.query.standard import sort_name
from cardsdb.search.query.tree import quoted
from cardsdb.search.results import parse_query
from cardsdb.site.sharing import public_or_own
from cardsdb.site.shortcuts import card_or_404, game_or_404, private_page
from cardsdb.web.card_facts import NAME, TYPE, Source, fact_row, fact_rows, grouped, source_of

# Facts in the description for search engines and link previews.
MAX_IN_SHORT = 6
TEXT = Fact("text", "text", "What the card does, by our summary.", label="Effect")


# -- rulings ----------------------------------------------------------------------------


class Rulings(NamedTuple):
    """The rulings about a card, each once, in the rulebook's order: those that name it, those that mention
    its type, and those on rules of decks that may contain it.
    """

    named: list[Ruling]
    of_type: list[Ruling]
    of_decks: list[Ruling]


def rulings_on(game: Game, card: Card) -> Rulings:
    """Return the rulings about a card, each in the first of the three lists that it fits."""
    # Codes of the rules of all formats in whose decks the card may be.
    sections = {section.slug for section in game.sections if card.type in section.types}
    formats = [format for format in game.formats if sections & set(format.sections)]
    of_formats = {rule.code for format in formats for rule in format.rules}
    # Names are compared with their capitals: "Hide" is a card, "to hide" is a verb. A name of one letter
    # would be found in any text.
    names = [name for name in (card.name, *card.aliases) if len(name) > 1]
    kind = game.types_by_slug.get(card.type)
    type_names = [name.casefold() for name in (kind.name, kind.plural)] if kind else []
    found = Rulings([], [], [])
    for ruling in game.rulings:
        rules = [game.citations[code].says for code in ruling.rules if code in game.citations]
        words = f"{ruling.question} {ruling.treatment}"
        if _has_any(words, names):
            found.named.append(ruling)
        elif _has_any(" ".join((words, *rules)).casefold(), type_names):
            found.of_type.append(ruling)
        elif of_formats & set(ruling.rules):
            found.of_decks.append(ruling)
    return found


def _has_any(text: str, names: list[str]) -> bool:
    """True if one of the names occurs in the text as whole words: "agent" in "an agent", not in "agents"."""
    # ``in`` first, because it is fast and mostly false.
    return any(name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


# -- neighbours -------------------------------------------------------------------------


def neighbours(text: str, key: str, viewer: Viewer) -> dict[str, Any] | None:
    """Return the position of the card with this key in the results of the query ``text``; None if the query
    is empty, too long, or does not find it.

    The keys of the dict are: ``query``, ``place`` (from 1), ``total``, and the addresses ``list``,
    ``previous`` and ``next``; the last two are "" at the ends.
    """
    text = text.strip()
    if not text or len(text) > MAX_CHARACTERS:
        return None
    results = answer_of(parse_query(text, viewer=viewer)).results
    around = results.around(key)
    if around is None:
        return None
    place, previous, following = around
    query = f"?{urlencode({'q': text})}"

    def address_of(neighbour: str) -> str:
        return reverse("card", args=neighbour.split("/", 1)) + query if neighbour else ""

    return {
        "query": text,
        "place": place,
        "total": results.total,
        "list": reverse("card_list") + query,
        "previous": address_of(previous),
        "next": address_of(following),
    }


def beside_by_name(card: Card) -> tuple[Card | None, Card | None]:
    """Return the cards of the same game before and after by name; None at the ends."""
    return catalogue().beside((sort_name(fold(card.name)), card.game, card.code))


def way_back(address: str) -> str:
    """Return ``address`` if it is that of a deck's editor, for the link back to it; "" for anything else, so
    that the parameter cannot link elsewhere.
    """
    # Printable ASCII without spaces and without backslashes (\x5c), which browsers read as slashes; at most
    # 4096 characters, more than any address of the editor has.
    if not re.fullmatch(r"[\x21-\x5b\x5d-\x7e]{1,4096}", address):
        return ""
    try:
        return address if resolve(re.split(r"[?#]", address)[0]).url_name == "deck_edit" else ""
    except Resolver404:
        return ""


# -- texts and effects --------------------------------------------------------------------


class Effect(NamedTuple):
    """An ability in words: its header (or ""), and the rest.

    ``note``: notes of its claims; ``unclear``: a claim was only inferred; ``lines``: its effect lines as in
    ``effects.csv``, which link to searches.
    """

    header: str
    rest: str
    note: str = ""
    unclear: bool = False
    lines: tuple[str, ...] = ()


def effects_of(game: Game, card: Card) -> list[Effect]:
    """Return the card's abilities that have words."""
    effects = []
    for header, rest, claims in abilities(card, game.effect_words):
        note = " ".join(filter(None, dict.fromkeys(claim.note for _, claim in claims)))
        unclear = any(claim.certainty == "inferred" for _, claim in claims)
        effects.append(Effect(header, rest, note, unclear, tuple(line for line, _ in claims)))
    return [effect for effect in effects if effect.header or effect.rest]


def _text_sources(game: Game, card: Card) -> list[Source]:
    """Return the sources of the card's text, each once. The notes of claims for single lines are left out,
    since they stand beside the lines (``Effect.note``).
    """
    of_lines = {claim for _, claim in told_lines(card)}
    # One claim for each place in a document; of several, one that is only inferred, so that the page says so.
    by_place: dict[tuple[str, str, str], Claim] = {}
    for claim in card.claims("text"):
        place = (claim.document, claim.section, claim.lines)
        if claim.agrees_with(card.text) and (place not in by_place or claim.certainty == "inferred"):
            by_place[place] = replace(claim, note="") if claim in of_lines else claim
    return [source_of(game, claim) for claim in by_place.values()]


def _mine_of(viewer: Viewer, game: Game, card: Card) -> dict[str, Any] | None:
    """Return the own text and facts of a card, the visitor's or on a private site everyone's; None if
    there is nothing. One query.

    ``effects``: of the own text; ``drawn``: the card for printing; ``facts``: pairs of (title, differing
    value); ``source``: the file that it came from; ``is_everyones``.
    """
    own = own_text(viewer, game, card.code)
    if own is None:
        return None
    drawn = with_text(card, {card.code: own.text}) if own.text else card
    return {
        "effects": effects_of(game, drawn) if own.text else [],
        "drawn": drawn,
        "facts": [
            (game.facts_by_key[key].title, value)
            for key, value in own.facts.items()
            if key in game.facts_by_key
        ],
        "source": own.source,
        "is_everyones": bool(own.box.everyone),
    }


# -- the pages ------------------------------------------------------------------------------


@require_safe
@public_or_own
def card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The page of a card. ``q``: query of the list it was found in; ``back``: editor it was opened from.

    Its decks and reviews are parts that htmx loads by their addresses when they are scrolled to:
    ``card_decks`` and ``card_reviews`` in ``decks/public``. For this app does not import ``decks``, and the
    page's ETag lasts an edition (``public_or_own``), while the parts change with each deck (decision 0010).
    """
    game = game_or_404(game_slug)
    card, is_retired = card_or_404(game, code)
    reader = reader_of(request)
    rows = fact_rows(game, card)
    mine = _mine_of(reader, game, card) if may_see_own(reader) else None
    text_sources = _text_sources(game, card)
    # The text as one more row, for the list of disputed facts.
    effect = fact_row(game, card, TEXT, card.text, card.disagreements())._replace(
        sources=tuple((0, source) for source in text_sources)
    )
    shared = _shared(request, reader, game, card)
    context = shared | {
        "is_retired": is_retired,
        "groups": grouped(rows),
        "sources": [source_of(game, claim) for claim in card.sources.get("", ())],
        "mine": mine,
        "drawn": mine["drawn"] if mine else card,
        "text_sources": text_sources,
        "is_told": bool(told_lines(card)),
        "disputed": [row for row in (effect, *rows) if row.others],
        "room_to_write": _has_room_to_write(game, card),
        "prints": [(print_, game.sets_by_code.get(print_.set)) for print_ in card.prints],
        "print_notes": any(print_.note for print_ in card.prints),
        "rulings": rulings_on(game, card),
        "terms": game.terms_for(card),
        "beside": None if shared["around"] else beside_by_name(card),
        "similar": f"similar:!{quoted(card.name)}",
        "description": _description(game, card),
        "canonical": request.build_absolute_uri(request.path),
        "picture": request.build_absolute_uri(f"{request.path}face.png"),
    }
    return render(request, "cardsdb/pages/card.html", context)


def _has_room_to_write(game: Game, card: Card) -> bool:
    """True if the printed face of the card has empty lines for notes."""
    face = game.faces.get(card.type)
    return any(isinstance(element, Notes) for element in face.elements) if face else False


def _description(game: Game, card: Card) -> str:
    """Return the card in a line, for search engines and link previews: its type and game, and a few facts."""
    type_and_game = f"{game.type_named(card.type).name} of {game.name}"
    facts = [
        f"{fact.title} {as_words(card.facts[fact.key])}"
        for fact in game.facts_of(card.type)
        if fact.key in card.facts and fact.kind != "text"
    ][:MAX_IN_SHORT]
    return f"{type_and_game}. {', '.join(facts)}." if facts else f"{type_and_game}."


@private_page
@cache_control(private=True, no_store=True)
def own_card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The page of an own card, for visitors who may see its set."""
    game, reader = game_or_404(game_slug), reader_of(request)
    cards = OwnCard.objects.visible_to(reader).select_related("in_set__box")
    row = cards.filter(code=f"{OWN_CODE}{code}", in_set__game=game.slug).first()
    if row is None:
        gone = {
            "title": "This card is not here",
            "message": "Its owner keeps it private, or it was deleted.",
            "advice": "Decks keep their copies of it, with its name.",
        }
        return render(request, "error.html", gone, status=404)
    card, is_mine = row.as_card(), OwnCard.objects.of(reader).filter(pk=row.pk).exists()
    context = _shared(request, reader, game, card) | {
        "row": row,
        "groups": grouped([shown for shown in fact_rows(game, card) if shown.fact not in (NAME, TYPE)]),
        "is_mine": is_mine,
        "is_everyones": not is_mine
        and OwnBox.objects.visible_to(reader).filter(pk=row.in_set.box_id).exists(),
        # The link of an unlisted set is its owner's secret; a card's address does not entitle to it.
        "links_set": is_mine or row.in_set.visibility == Visibility.PUBLIC,
    }
    return render(request, "cardsdb/pages/own_card.html", context)


def _shared(request: HttpRequest, reader: Viewer, game: Game, card: Card) -> dict[str, Any]:
    """Return the template values that both pages need."""
    pictures = pictures_on_pages(reader, game, [card.code]) if may_see_own(reader) or card.own else {}
    return {
        "game": game,
        "card": card,
        "type": game.type_named(card.type),
        "effects": effects_of(game, card),
        "own_picture": pictures.get(card.code),
        # The trim is in thousandths of a millimetre.
        "true_size": " × ".join(f"{side / 1000:g}" for side in game.trim) + " mm",
        "around": neighbours(request.GET.get("q", ""), card.key, reader),
        "back": way_back(request.GET.get("back", "")),
    }
