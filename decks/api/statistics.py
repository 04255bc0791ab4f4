"""The same numbers over HTTP."""

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView
from cardsdb.api.serializers import asked, operation
from cardsdb.catalogue.as_json import picked
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Pile, count_of
from cardsdb.identity.viewer import api_viewer_of
from decks.api import answers
from decks.api.decks import KEY
from decks.api.storing import card_told
from decks.core.figures import HOW, hand_of, json_of
from decks.statistics.numbers import MAX_DRAWN, MAX_WANTED, Kind, OddsForm, SeenDeck, odds_of, seen_deck
from decks.statistics.views import new_seed, parse_hand


def _wish(letter: str) -> list[OpenApiParameter]:
    return [
        asked(letter, f"Kind {letter.upper()} as a query, looked up among the deck's cards."),
        asked(f"{letter}_card", "Codes of cards that belong to the kind as well.", many=True),
        asked(f"{letter}_is", "How its number is meant; at-least without it.", enum=list(HOW)),
        asked(f"{letter}_count", f"How many, 0 to {MAX_WANTED}; 1 without it.", kind=int),
    ]


PILE = asked("pile", "Which cards are shuffled together: a slug of ``piles``; the first without it.")
DRAW = asked("draw", f"How many are drawn, 1 to {MAX_DRAWN}; the opening hand without it.", kind=int)
HAND = [
    asked(
        "seed",
        "1 to 40 letters, digits, hyphens and underscores; the same seed gives the same hand for ever.",
    ),
    asked("turns", "Turns drawn after the opening.", kind=int),
    asked("mulligans", "How often the hand was given back.", kind=int),
]


class DeckNumbers(PrivateView):
    @operation("decks_numbers", KEY, gives=answers.Numbers)
    def get(self, request: Request, link: str) -> Response:
        """What a deck comes to: every table of its statistics, and the piles that odds and hands are drawn
        from.
        """
        seen = seen_deck(link, api_viewer_of(request))
        return Response(
            {
                **_head(seen),
                "tables": [json_of(table) for table in seen.tables],
                "piles": [_pile(pile, seen) for pile in seen.piles],
            }
        )


class DeckOdds(PrivateView):
    works = True

    @operation("decks_odds", KEY, PILE, DRAW, *_wish("a"), *_wish("b"), gives=answers.Odds)
    def get(self, request: Request, link: str) -> Response:
        """How likely one or two kinds of card come up. Chances are exact fractions, and the same as
        decimals.
        """
        seen = seen_deck(link, api_viewer_of(request))
        form = OddsForm(request.query_params, seen.piles, seen)
        odds = odds_of(form, seen)
        if odds is None:
            faults = [
                Fault("invalid", str(one), name) for name, wrong in form.errors.items() for one in wrong
            ]
            nothing = Fault("nothing_to_draw", "No cards of this deck are shuffled and drawn from.", "pile")
            raise Refused(*(faults or [nothing]))
        turns = [
            {
                **picked(turn, "label", "seen"),
                "chances": [_chance(one) for one in turn.chances],
                "together": _chance(turn.together),
            }
            for turn in odds.turns
        ]
        return Response(
            {
                **_head(seen),
                "pile": odds.pile.slug,
                **picked(odds, "total", "drawn"),
                "kinds": {kind.letter.lower(): _kind(kind) for kind in odds.kinds},
                "together": _chance(odds.together),
                "turns": turns,
                "by_copies": [
                    {"copies": copies, "chance": _chance(chance)} for copies, chance in odds.by_copies
                ],
            }
        )


class DeckHands(PrivateView):
    @operation("decks_hands", KEY, *HAND, gives=answers.Hands)
    def get(self, request: Request, link: str) -> Response:
        """Sample hands. Without a seed one is made up; the answer names it."""
        seen = seen_deck(link, api_viewer_of(request))
        params = request.query_params.dict()
        params["seed"] = params.get("seed") or new_seed()
        turns, mulligans = parse_hand(params)
        piles = []
        for pile in seen.piles:
            hand = hand_of(pile, seen.cards, params["seed"], turns, mulligans)
            drawn = [picked(d, "name", "turn") | {"cards": list(map(card_told, d.cards))} for d in hand.drawn]
            piles.append({"pile": pile.slug, "drawn": drawn, "left": hand.left})
        return Response({**_head(seen), "seed": params["seed"], "piles": piles})


def _head(seen: SeenDeck) -> dict[str, Any]:
    slugs = {"deck": seen.deck.link, "game": seen.game.slug, "format": seen.format.slug}
    return slugs | {"secret_left_out": seen.hidden}


def _pile(pile: Pile, seen: SeenDeck) -> dict[str, Any]:
    return {
        **picked(pile, "slug", "name", "per_turn", "terms"),
        "cards": count_of(pile.cards(seen.cards)),
        "deals": [{"name": deal.name, "cards": deal.number(seen.cards)} for deal in pile.deals],
        "mulligan": asdict(pile.mulligan) if pile.mulligan else None,
        "rules": pile.cites,
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        **picked(kind, "words", "size"),
        "wish": asdict(kind.wish),
        "cards": [{"name": name, "count": count} for name, count in kind.cards],
        "chance": _chance(kind.chance),
        "expected": _chance(kind.expected),
        "spread": [{"drawn": k, "chance": _chance(chance)} for k, chance in kind.spread],
    }


def _chance(chance: Fraction | None) -> dict[str, Any] | None:
    if chance is None:
        return None
    return {"exact": f"{chance.numerator}/{chance.denominator}", "decimal": round(float(chance), 6)}
