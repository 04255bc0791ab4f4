"""Lists that are not stored, over HTTP: judge, complete, convert and import them; formats of leagues, read
only; statistics, odds and sample hands of a deck. Nothing is stored here.

The docstrings of views and serializers are printed in the API's documentation, so they are written for people
who use the API. ``@operation("decks_validate", gives=answers.Verdict, body=ValidateSerializer)`` says there
what a method is called, what it answers and which fields it takes; the serializer also checks these fields.
Tests in ``tests/decks``: completing ``api/test_lists.py``, which names those of the rest; numbers, odds and
hands ``statistics/test_views.py``, and their sample answers ``tests/cardsdb/api/test_docs.py``.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api import serializers as api
from cardsdb.api.catalogue_view import PrivateView, found_in, game_parameter
from cardsdb.api.serializers import CURSORS, GAME, HEADER, BodySerializer, OneOf, asked, cleaned, operation
from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Pile, count_of, write_house_rules
from cardsdb.games.kit.complete.search import Wishes
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.identity.viewer import Viewer, api_viewer_of
from cardsdb.search.own_cards import own_cards_of
from decks.api.storing import card_told
from decks.check.completion import completed, owned_of
from decks.check.pasted import repair_json, repairs_of
from decks.core.figures import HOW, hand_of, json_of
from decks.core.judging import game_or_refuse
from decks.core.pasted_text import read_text
from decks.core.used_format import format_or_refuse
from decks.formats import CHOICES, export
from decks.importing.file_import import SentList, import_file, judge_sent
from decks.leagues.league_formats import shown_rules
from decks.models import LeagueFormat, leagues_of
from decks.models.deck import WHO_SEES
from decks.statistics.numbers import (
    MAX_DRAWN,
    MAX_WANTED,
    Kind,
    OddsForm,
    SeenDeck,
    new_seed,
    odds_of,
    seen_deck,
)
from decks.statistics.views import parse_hand

# The shapes of answers: ``answers.Verdict`` is the table ``[Verdict]`` of ``answers.toml`` beside this file.
# Tables may name the shapes of the catalogue's API and the field ``WhoSees``.
answers = api.shapes(
    __file__,
    WhoSees=partial(serializers.ChoiceField, choices=WHO_SEES),
    **vars(api.answers),
)
KEY = asked("X-Deck-Key", "The deck's edit key.", place=HEADER)


def _optional_text(most: int) -> serializers.CharField:
    """Return a field for optional text, by default empty. ``most``: its characters."""
    return serializers.CharField(max_length=most, required=False, allow_blank=True, default="")


class ListSerializer(BodySerializer):
    """A pasted list."""

    game = serializers.CharField(max_length=40)
    format = _optional_text(40)
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class GuessedListSerializer(ListSerializer):
    """A pasted list and its house rules. Without ``game``, the game is guessed."""

    game = _optional_text(40)
    house = _optional_text(MAX_HOUSE_RULES)


class ValidateSerializer(GuessedListSerializer):
    """A pasted list, its house rules, and whether to search for repairs. Without ``game``, the game is
    guessed.
    """

    repair = serializers.BooleanField(required=False, default=False)


class ConvertSerializer(ListSerializer):
    to = OneOf(choices=CHOICES)


class Validate(PrivateView):
    @operation("decks_validate", gives=answers.Verdict, body=ValidateSerializer)
    def post(self, request: Request) -> Response:
        """Judge a list, or the text of another program's file. Nothing is saved. ``house`` changes numbers of
        the format, ``repair`` asks for the smallest repairs.

        To judge by a format that a league made here, let ``house`` begin with ``league=`` and the last part
        of that format's address.

        Game and format are guessed if they are left out, and ``guessed`` says why. A list that could be for
        several games is refused.
        """
        data, viewer = cleaned(ValidateSerializer, request), api_viewer_of(request)
        sent = _sent(data, viewer)
        judged, answer = sent.judged, sent.as_json()
        if data["repair"]:
            answer["repairs"] = list(map(repair_json, repairs_of(judged)))
        return Response(answer)


class CompleteSerializer(GuessedListSerializer):
    """A pasted list to complete: ``like`` which starter, ``never`` with these cards (codes), ``owned`` to
    prefer cards of your collection. Without ``game``, the game is guessed.
    """

    like = _optional_text(80)
    never = serializers.ListField(child=serializers.CharField(max_length=200), max_length=500, default=())
    owned = serializers.BooleanField(default=False)


class Complete(PrivateView):
    works = True  # Counts as work, not as a read.

    @operation("decks_complete", gives=answers.Completed, body=CompleteSerializer)
    def post(self, request: Request) -> Response:
        """Propose ways to complete a list so that it can be played, and tell what it needs by role. Nothing
        is saved.

        Secret cards are drawn by lot, so they differ each time.
        """
        data, viewer = cleaned(CompleteSerializer, request), api_viewer_of(request)
        judged = _sent(data, viewer).judged
        wishes = Wishes(data["like"], data["never"], owned_of(viewer, judged.game), data["owned"])
        return Response(completed(judged, wishes))


def _sent(data: Mapping[str, Any], viewer: Viewer) -> SentList:
    """Return the verdict on the list in a request's body."""
    return judge_sent(
        data["text"].encode("utf-8", "replace"),
        data["game"],
        data["format"],
        data["house"],
        leagues_of(viewer),
        own_cards_of(viewer),
    )


class Convert(PrivateView):
    @operation("decks_convert", gives=answers.Converted, body=ConvertSerializer)
    def post(self, request: Request) -> Response:
        """Write a list in another format, and report what that format cannot hold."""
        data = cleaned(ConvertSerializer, request)
        game = game_or_refuse(data["game"], games())
        own = own_cards_of(api_viewer_of(request))(game)
        reading = read_text(game, data["text"], format_or_refuse(game, data["format"]), own)
        written = export(data["to"], game, reading)
        losses = [picked(loss, "code", "message", "where") for loss in written.losses]
        return Response(picked(written, "filename", "content_type", "text") | {"losses": losses})


class ImportSerializer(BodySerializer):
    """A file. ``encoding`` says whether ``content`` is its text or its bytes in base64."""

    content = serializers.CharField(trim_whitespace=False)
    encoding = OneOf(choices=["text", "base64"], required=False, default="text")
    filename = _optional_text(255)
    game = _optional_text(40)
    format = _optional_text(40)
    taken_for = OneOf(choices=CHOICES, required=False, allow_blank=True, default="")


class Import(PrivateView):
    @operation("decks_import", gives=answers.Imported, body=ImportSerializer)
    def post(self, request: Request) -> Response:
        """Read a file of another program, and tell its format and what was lost. Nothing is saved."""
        values = cleaned(ImportSerializer, request)
        game = game_or_refuse(values["game"], games()) if values["game"] else None
        viewer = api_viewer_of(request)
        read = import_file(
            game,
            _bytes(values),
            values["filename"],
            values["taken_for"],
            values["format"],
            leagues_of(viewer),
            own_cards_of(viewer),
        )
        return Response(read.as_json())


def _bytes(values: dict[str, Any]) -> bytes:
    """Return the bytes of the file. Raise Refused if they are not base64."""
    content: str = values["content"]
    if values["encoding"] == "text":
        return content.encode()
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError):
        raise Refused(Fault("bad_base64", "The content is not base64.", "content")) from None


# -- formats of leagues ---------------------------------------------------------------------


class LeagueFormatList(PrivateView):
    @operation("formats_list", GAME, *CURSORS, gives=answers.LeagueFormatPage)
    def get(self, request: Request) -> Response:
        """Formats that leagues made of a game: public ones and your own, the last changed first."""
        game = game_parameter(request)
        rows = LeagueFormat.objects.listed_for(api_viewer_of(request)).without_files()
        rows = rows.filter(game__in=[game.slug] if game else games())

        def as_json(page: Iterable[LeagueFormat]) -> list[dict[str, Any]]:
            return [_head(request, row) for row in page]

        return self.followed(request, LeagueFormat._meta.ordering, found_in(rows), as_json)


class LeagueFormatDetail(PrivateView):
    @operation("formats_read", gives=answers.FullLeagueFormat)
    def get(self, request: Request, link: str) -> Response:
        """One format of a league, with its rules and the content of its file. A private one is shown only to
        its owner.
        """
        row = get_object_or_404(
            LeagueFormat.objects.visible_to(api_viewer_of(request)).filter(game__in=games()), link=link
        )
        game, format = game_named(row.game), row.as_format()
        # None: the format cannot be made any more, so that its rules are not known.
        rules = None
        if game and format:
            rules = [
                {"code": rule.code, "says": rule.citation.says if rule.citation else "", "own": rule.is_own}
                for rule in shown_rules(game, format)
            ]
        return Response(_head(request, row) | {"rules": rules, "declared": row.declared})


def _head(request: Request, row: LeagueFormat) -> dict[str, Any]:
    """Return the fields of a league's format that lists show too. ``house`` chooses it in ``Validate``."""
    return {
        "id": row.link,
        "url": request.build_absolute_uri(reverse("league", args=[row.link])),
        "address": reverse("api_format", args=[row.link]),
        **picked(row, "game", "name", "by", "based_on", "visibility"),
        "house": write_house_rules({}, row.link),
        "changed": row.changed,
    }


# -- statistics, odds and sample hands ----------------------------------------------------


def _wish(letter: str) -> list[OpenApiParameter]:
    """Return the parameters of one kind of card, "a" or "b", and of how many of it a hand shall hold: ``a``,
    ``a_card``, ``a_is`` and ``a_count``. ``OddsForm`` reads them.
    """
    return [
        asked(letter, f"Kind {letter.upper()} as a query, looked up among the deck's cards."),
        asked(f"{letter}_card", "Codes of cards that belong to the kind as well.", many=True),
        asked(f"{letter}_is", "How its number is meant; by default at-least.", enum=list(HOW)),
        asked(f"{letter}_count", f"How many, 0 to {MAX_WANTED}; by default 1.", kind=int),
    ]


PILE = asked("pile", "Which cards are shuffled together: a slug of ``piles``; by default the first.")
DRAW = asked("draw", f"How many are drawn, 1 to {MAX_DRAWN}; by default the opening hand.", kind=int)
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
        """The numbers of a deck: every table of its statistics, and the piles that odds and hands are drawn
        from.
        """
        seen = seen_deck(link, api_viewer_of(request))
        return Response(
            {
                **_of_seen(seen),
                "tables": [json_of(table) for table in seen.tables],
                "piles": [_pile(pile, seen) for pile in seen.piles],
            }
        )


class DeckOdds(PrivateView):
    works = True  # Counts as work, not as a read.

    @operation("decks_odds", KEY, PILE, DRAW, *_wish("a"), *_wish("b"), gives=answers.Odds)
    def get(self, request: Request, link: str) -> Response:
        """The chances to draw one or two kinds of card, as exact fractions and as decimals."""
        seen = seen_deck(link, api_viewer_of(request))
        form = OddsForm(request.query_params, seen.piles, seen)
        odds = odds_of(form, seen)
        if odds is None:
            if not form.errors:
                sentence = "No cards of this deck are shuffled and drawn from."
                raise Refused(Fault("nothing_to_draw", sentence, "pile"))
            faults = (
                Fault("invalid", str(error), name) for name, errors in form.errors.items() for error in errors
            )
            raise Refused(*faults)
        turns = [
            {
                **picked(turn, "label", "seen"),
                "chances": [_chance(chance) for chance in turn.chances],
                "together": _chance(turn.together),
            }
            for turn in odds.turns
        ]
        return Response(
            {
                **_of_seen(seen),
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
        """Sample hands. Without a seed one is made up; the answer names it, and gives the same hands
        again.
        """
        seen = seen_deck(link, api_viewer_of(request))
        params = request.query_params.dict()
        params["seed"] = params.get("seed") or new_seed()
        turns, mulligans = parse_hand(params)
        piles = []
        for pile in seen.piles:
            hand = hand_of(pile, seen.shuffled, params["seed"], turns, mulligans)
            drawn = [
                {**picked(each, "name", "turn"), "cards": list(map(card_told, each.cards))}
                for each in hand.drawn
            ]
            piles.append({"pile": pile.slug, "drawn": drawn, "left": hand.left})
        return Response({**_of_seen(seen), "seed": params["seed"], "piles": piles})


def _of_seen(seen: SeenDeck) -> dict[str, Any]:
    """Return the fields that begin every answer about a deck's numbers."""
    slugs = {"deck": seen.deck.link, "game": seen.game.slug, "format": seen.format.slug}
    return slugs | {"secret_left_out": seen.hidden}


def _pile(pile: Pile, seen: SeenDeck) -> dict[str, Any]:
    return {
        **picked(pile, "slug", "name", "per_turn", "terms"),
        "cards": count_of(pile.cards(seen.shuffled)),
        "deals": [{"name": deal.name, "cards": deal.number(seen.shuffled)} for deal in pile.deals],
        "mulligan": asdict(pile.mulligan) if pile.mulligan else None,
        "rules": pile.cites,
    }


def _kind(kind: Kind) -> dict[str, Any]:
    """Return one kind of card with the chances of drawing it. ``spread``: the chance of each number."""
    return {
        **picked(kind, "words", "size"),
        "wish": asdict(kind.wish),
        "cards": [{"name": name, "count": count} for name, count in kind.cards],
        "chance": _chance(kind.chance),
        "expected": _chance(kind.expected),
        "spread": [{"drawn": number, "chance": _chance(chance)} for number, chance in kind.spread],
    }


def _chance(chance: Fraction | None) -> dict[str, Any] | None:
    """Return a chance exactly and as a decimal: ``{"exact": "7/50", "decimal": 0.14}``."""
    if chance is None:
        return None
    return {"exact": f"{chance.numerator}/{chance.denominator}", "decimal": round(float(chance), 6)}
