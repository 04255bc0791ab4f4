"""The pages of a deck's numbers: statistics as tables, odds, and sample hands. All use GET, so that the
address contains everything that was asked and can be shared: ``?a=kai&a_is=exactly&a_count=2&draw=7``
asks for the odds of 2 Kai among 7 cards. ``numbers.py`` calculates the numbers.
Templates: ``templates/decks/statistics``. Tests: ``tests/decks/statistics/test_views.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from cardsdb.box.texts import texts_of
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Citation, Decklist, Entry, Game, Pile, count_of, some, whole_number
from cardsdb.games.kit.model.rulebook import GlossaryEntry
from cardsdb.games.kit.play.statistics import Table, TableRow
from cardsdb.identity.viewer import reader_of, viewer_of
from cardsdb.search.query.tree import Term, all_of, normal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline
from cardsdb.site.shortcuts import private_page
from decks.core.figures import HOW, SEED, ShownTable, hand_of, percent, shown
from decks.statistics.numbers import (
    LETTERS,
    Kind,
    Odds,
    OddsForm,
    SeenDeck,
    is_asked_for,
    new_seed,
    odds_of,
    seen_deck,
    table_of_texts,
)
from decks.web.deck_context import deck_page

# Turns that a sample hand shows.
MAX_TURNS = 12
# Names of cards that are told of a kind which the pile does not have.
MAX_NAMES = 12


@private_page
@kept_offline
def deck_numbers(request: HttpRequest, link: str) -> HttpResponse:
    """The page of the statistics that the game declares, as tables with bars. A row that counts drawn cards
    links to its odds.
    """
    seen = seen_deck(link, viewer_of(request))
    drawn = [entry.card for pile in seen.piles for entry in pile.cards(seen.shuffled)]
    address = reverse("deck_odds", args=[link])

    def odds_of_row(row: TableRow) -> str:
        """The address of the odds for a row's cards; empty if none of them is drawn from a pile."""
        if not row.asks or not any(is_asked_for(card, row.asks) for card in drawn):
            return ""
        asked = normal(all_of([Term(key, "=", value) for key, value in row.asks]))
        return f"{address}?{urlencode({'a': asked})}"

    tables = shown_tables(request, seen.game, seen.cards, seen.tables, odds_of_row)
    return _page(request, seen, "tables", tables=tables)


@private_page
@counted_as_work()
def deck_odds(request: HttpRequest, link: str) -> HttpResponse:
    """The page of the odds that one or two kinds of card are drawn."""
    seen = seen_deck(link, viewer_of(request))
    form = OddsForm(request.GET, seen.piles, seen)
    odds = odds_of(form, seen)
    pile = form.chosen_pile()
    entries = pile.cards(seen.shuffled) if pile else ()
    context = {
        "form": form,
        "pile": pile,
        # A card type of the pile, as an example of what can be asked for.
        "example": next((entry.card.type for entry in entries if entry.card.type), ""),
        "first": pile.first(seen.shuffled) if pile else 0,
        "total": count_of(entries),
        "groups": [_fields_of_kind(form, letter, entries) for letter in LETTERS],
        "hows": HOW.items(),
        "odds": odds,
        "written": [entry.card.name for entry in entries if entry.card.written],
        "sources": sources(seen.game, pile) if pile else (),
    }
    if odds:
        context |= {
            "answer": answer_of(odds),
            # The kinds without a card in the pile, each with names of such cards elsewhere in the deck.
            "undrawn": [(kind, _names_of(kind, seen)) for kind in odds.kinds if not kind.size],
            "odds_words": [(kind, percent(kind.chance)) for kind in odds.kinds],
            "together": "" if odds.together is None else percent(odds.together),
        }
    return _page(request, seen, "odds", 400 if form.errors else 200, **context)


@private_page
def deck_hands(request: HttpRequest, link: str) -> HttpResponse:
    """The page of a sample hand. The same seed (``?seed=``) always gives the same hand."""
    seen = seen_deck(link, viewer_of(request))
    seed = request.GET.get("seed", "")
    if not seed:
        return redirect(f"{reverse('deck_hands', args=[link])}?seed={new_seed()}")
    try:
        turns, mulligans = parse_hand(request.GET)
    except Refused as refused:
        return _page(request, seen, "hands", 400, faults=refused.faults, new_seed=new_seed())
    return _page(
        request,
        seen,
        "hands",
        seed=seed,
        turns=turns,
        mulligans=mulligans,
        new_seed=new_seed(),
        piles=[
            {
                "pile": pile,
                "hand": hand_of(pile, seen.shuffled, seed, turns, mulligans),
                "sources": sources(seen.game, pile),
            }
            for pile in seen.piles
        ],
        more=turns + 1 if turns < MAX_TURNS else 0,
    )


def parse_hand(params: Any) -> tuple[int, int]:
    """Return (turns, mulligans) as the address names them. Raise Refused if one of them or the seed is
    invalid.
    """
    faults = []
    if not SEED.fullmatch(params.get("seed", "")):
        faults.append(
            Fault("bad_seed", "A seed is 1 to 40 letters, digits, hyphens and underscores.", "seed")
        )
    numbers = {}
    # No game here lets a player take more than one mulligan.
    for name, most in (("turns", MAX_TURNS), ("mulligans", 1)):
        number = whole_number(params.get(name, "") or "0", most)
        numbers[name] = number or 0
        if number is None:
            faults.append(
                Fault("bad_number", f"{name.capitalize()} must be a whole number from 0 to {most}.", name)
            )
    if faults:
        raise Refused(*faults)
    return numbers["turns"], numbers["mulligans"]


def sources(game: Game, declared: Table | Pile) -> tuple[list[Citation], list[GlossaryEntry]]:
    """Return (the rules, the glossary's terms) that a table or a pile rests on."""
    terms = {entry.term: entry for entry in game.glossary}
    return [game.citations[code] for code in declared.cites], [terms[term] for term in declared.terms]


def shown_tables(
    request: HttpRequest,
    game: Game,
    deck: Decklist,
    tables: Iterable[Table],
    href_of: Callable[[TableRow], str] = lambda row: "",
) -> list[tuple[ShownTable, list[Citation], list[GlossaryEntry]]]:
    """Return (table ready to be shown, rules, terms) for each table; last, if the visitor has own texts, the
    table of these, which makes the page private. ``href_of``: row -> the address that it links to, or "".
    """
    found = [
        (shown(table, f"table-{n}", href_of), *sources(game, table)) for n, table in enumerate(tables, 1)
    ]
    texts = texts_of(reader_of(request), game, list({entry.card.code for entry in deck}))
    if own := table_of_texts(game, deck, texts):
        found.append((shown(own, "own-texts"), [], []))
    return found


def _page(request: HttpRequest, seen: SeenDeck, part: str, status: int = 200, **context: Any) -> HttpResponse:
    """The page of one part of the numbers: "tables", "odds" or "hands"."""
    return deck_page(
        request,
        f"decks/statistics/{part}.html",
        seen.deck,
        seen.game,
        status=status,
        format=seen.format,
        editable=seen.editable,
        seen=seen,
        part=part,
        **context,
    )


def _names_of(kind: Kind, seen: SeenDeck) -> list[str]:
    """The names of up to MAX_NAMES cards of this kind in the deck."""
    names = (entry.card.name for entry in seen.cards if entry.card.code in kind.codes)
    return list(islice(dict.fromkeys(names), MAX_NAMES))


def _fields_of_kind(form: OddsForm, letter: str, entries: Sequence[Entry]) -> dict[str, Any]:
    """The context of one kind of card in the form: what was typed, and the cards of the pile as boxes to
    tick.
    """
    data = form.data
    ticked = set(data.getlist(f"{letter}_card"))
    cards = {entry.card.code: entry.card for entry in entries}
    boxes = sorted(cards.values(), key=lambda card: card.name.casefold())
    fields = [letter + end for end in ("", "_is", "_count", "_card")]
    return {
        "letter": letter,
        "title": letter.upper(),
        "text": data.get(letter, ""),
        "how": data.get(f"{letter}_is", "at-least"),
        "count": data.get(f"{letter}_count", "1"),
        "boxes": [(card, card.code in ticked) for card in boxes],
        "ticked": bool(ticked),
        "errors": [error for name in fields for error in form.errors.get(name, [])],
    }


def answer_of(odds: Odds) -> dict[str, Any]:
    """The odds as tables: ``spreads``, for each kind the chances of each number drawn; ``turns``, the chances
    as more is drawn, None if no kind is asked for; ``copies``, the chance of one card by its copies.
    """
    letters = tuple(kind.letter for kind in odds.kinds)
    columns = letters if odds.together is None else (*letters, "Both")
    turns = [(f"{turn.label}, {turn.seen} seen", turn.all_chances) for turn in odds.turns]
    copies = [(f"{some(n, 'copy', 'copies')} in the deck", (chance,)) for n, chance in odds.by_copies]
    spreads = []
    for kind in odds.kinds:
        rows = [(str(number), (chance,)) for number, chance in kind.spread]
        title = f"How many of {kind.letter}"
        spreads.append(_chances(title, "Drawn", ("Chance",), rows, f"spread-{kind.letter}"))
    return {
        "spreads": spreads,
        "turns": _chances("As more is drawn", "Cards", columns, turns, "turns") if letters else None,
        "copies": _chances("One card by its copies", "Card with", ("At least one drawn",), copies, "copies"),
    }


def _chances(
    title: str, head: str, columns: tuple[str, ...], rows: list[tuple[str, tuple[Fraction, ...]]], slug: str
) -> ShownTable:
    """A table of chances. A bar as wide as its cell means certainty."""
    table = Table(title, head, columns, tuple(TableRow(label, chances) for label, chances in rows))
    return shown(table, slug, longest=1, words=percent)
