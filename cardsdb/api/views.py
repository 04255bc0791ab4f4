"""The read-only API views of the catalogue: games, sets, rules, glossary, cards, explained queries, and the
schema.

All are ``CatalogueView``s: open to other sites, without authentication, and answered with 304 while the
edition is the same. The docstrings of ``get`` methods, and the texts of ``asked``, are published in the
schema and on the documentation page: write them for users of the API. What an answer contains is made by
``cardsdb/catalogue/as_json.py``, its shape in the schema is in ``answers.toml``.
Tests: ``tests/cardsdb/api/test_views.py``; ``test_schema_holds.py`` there compares answers and schema.
"""

from datetime import datetime
from functools import cache
from typing import Any

from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import (
    Beside,
    CatalogueView,
    Shape,
    asked_place,
    chosen_parts,
    game_parameter,
    links_of,
    no_place,
    parts_of,
    told_problems,
)
from cardsdb.api.framework import Pages
from cardsdb.api.serializers import (
    CURSORS,
    FIELDS,
    GAME,
    PAGE,
    answers,
    asked,
    read,
)
from cardsdb.catalogue.as_json import (
    ALL_PARTS,
    PRINT_PARTS,
    STANDARD_PARTS,
    card_json,
    game_json,
    glossary_json,
    picked,
    play_json,
    rules_json,
    sets_json,
)
from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.edition_files import current_bulk
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.search.ask import Answer, answer_of
from cardsdb.search.query.check import explain
from cardsdb.search.results import END, Results, parse_query, results_of
from cardsdb.site.shortcuts import card_or_404, game_or_404, or_404


class GameList(CatalogueView):
    @read("games_list", FIELDS, *PAGE, gives=answers.GamePage)
    def get(self, request: Request) -> Response:
        """List all games."""
        return self.listed(request, answers.Game, lambda game: [game_json(game)])


class GameDetail(CatalogueView):
    @read("games_read", gives=answers.FullGame)
    def get(self, request: Request, slug: str) -> Response:
        """Read one game with its facts, sections, formats, rules, rulings and starters."""
        return Response(game_json(game_or_404(slug), full=True))


class PlayGuideDetail(CatalogueView):
    @read("games_play", gives=answers.PlayGuide)
    def get(self, request: Request, slug: str) -> Response:
        """Read how a game is played: parts and statements in order, each with its source. A game without a
        guide gives 404.
        """
        game = game_or_404(slug)
        return Response(play_json(game, or_404(game.play_guide)))


class SetList(CatalogueView):
    @read("sets_list", GAME, FIELDS, *PAGE, gives=answers.SetPage)
    def get(self, request: Request) -> Response:
        """List all sets, each with the number of its cards that are known."""
        return self.listed(request, answers.Set, sets_json)


class RuleList(CatalogueView):
    @read("rules_list", GAME, FIELDS, *PAGE, gives=answers.RulePage)
    def get(self, request: Request) -> Response:
        """List all rules in our words, each with its source and the formats that check it."""
        return self.listed(request, answers.Rule, rules_json)


class GlossaryList(CatalogueView):
    @read("glossary_list", GAME, FIELDS, *PAGE, gives=answers.TermPage)
    def get(self, request: Request) -> Response:
        """List the terms of each game in alphabetical order, each with its source."""
        return self.listed(request, answers.Term, glossary_json)


class Explain(CatalogueView):
    works = True

    @read(
        "search_explain",
        asked("q", "The query; without it, one that finds every card."),
        GAME,
        gives=answers.Explained,
    )
    def get(self, request: Request) -> Response:
        """Explain a query: its normal form, plain words, tree, and problems with columns counted from 0."""
        return Response(
            explain(request.query_params.get("q", ""), catalogue().fields(game_parameter(request)))
        )


class BulkList(CatalogueView):
    def state(self) -> tuple[object, datetime | None]:
        """Return the checksums of the files, because they are written a moment after the edition is made."""
        bulk = current_bulk()
        return ([file.sha256 for file in bulk.files] if bulk else 0), None

    @read("bulk_list", gives=answers.Bulk)
    def get(self, request: Request) -> Response:
        """List the files of the whole catalogue for download, with size, date and checksum."""
        bulk = current_bulk()
        if bulk is None:
            return Response({"edition": None, "date": None, "files": []})
        files = [
            picked(file, "name", "about")
            | {"url": request.build_absolute_uri(reverse("bulk_file", args=[file.name]))}
            | picked(file, "size", "rows", "sha256")
            for file in bulk.files
        ]
        return Response({"edition": bulk.edition, "date": bulk.date or None, "files": files})


# -- the API about itself ---------------------------------------------------------------


@cache
def schema() -> dict[str, Any]:
    """Return the OpenAPI schema. It depends only on the code, so it is made once in a process."""
    document: dict[str, Any] = SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    return document


class Addresses(CatalogueView):
    @read("index", gives=answers.Index)
    def get(self, request: Request) -> Response:
        """List all addresses with their methods and purpose, and all games with their formats."""
        addresses = [
            {
                "address": path,
                "methods": sorted(map(str.upper, methods)),
                "about": " ".join(operation.get("description", "") for operation in methods.values()),
            }
            for path, methods in schema()["paths"].items()
        ]
        briefly = [
            {
                **{name: game[name] for name in ("slug", "name", "kind")},
                "address": f"/api/v1/games/{game['slug']}/",
                "formats": [format["slug"] for format in game["formats"]],
                "league_formats": game["league_formats"],
            }
            for game in map(game_json, games().values())
        ]
        about = {"documentation": "/api/v1/docs/", "schema": "/api/v1/schema/"}
        return Response(about | {"games": briefly, "addresses": addresses})


class Schema(CatalogueView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Read the OpenAPI schema."""
        return Response(schema())


# -- cards -------------------------------------------------------------------------------


CARD_FIELDS = asked(
    "fields",
    "Only these parts, separated by commas; a dot chooses inside a part: name,facts.craft,prints.set.",
)
INCLUDE = asked(
    "include", "Additional parts: text, effects, aliases, note, sources, credit. Prints are always included."
)


def card_shape(game: Game | None) -> Shape:
    """Return the parts of a card that a request can choose, with the facts of this game, or of all games:
    ``{"name": (), "facts": ("faction", "level", ...), "prints": ("set", "number", ...), ...}``.
    """
    among = [game] if game else games().values()
    facts = tuple(dict.fromkeys(fact.key for one_game in among for fact in one_game.facts))
    inner = {"facts": facts, "sources": ("name", "type", "text", *facts), "prints": PRINT_PARTS}
    return {part: inner.get(part, ()) for part in ALL_PARTS}


class CardList(CatalogueView):
    @read(
        "cards_list",
        asked("q", "A query, or a question in plain words. A query with a fault is refused."),
        GAME,
        CARD_FIELDS,
        INCLUDE,
        asked("as_typed", "If not empty, plain words are searched as typed instead of being interpreted."),
        *CURSORS,
        gives=answers.CardPage,
    )
    def get(self, request: Request) -> Response:
        """List the cards that match a query, by name unless the query sorts them."""
        game = game_parameter(request)
        parts = chosen_parts(request, card_shape(game), STANDARD_PARTS)
        query = parse_query(request.query_params.get("q", ""), game)
        problems = told_problems(query.query.problems)
        is_typed = bool(request.query_params.get("as_typed"))
        answer = Answer(results_of(query.within(game))) if is_typed else answer_of(query, game)
        reading = {"problems": problems, "understood": answer.as_json()}
        page = requested_page(request, answer.results)
        full = any(part not in STANDARD_PARTS for part in parts)
        objects = [parts_of(card_json(games()[card.game], card, full), parts) for card in page.rows]
        return Response(links_of(request, page) | reading | {"results": objects})


class CardDetail(CatalogueView):
    @read("cards_read", CARD_FIELDS, gives=answers.Card)
    def get(self, request: Request, game_slug: str, code: str) -> Response:
        """Read one card with the sources of every fact."""
        game = game_or_404(game_slug)
        parts = chosen_parts(request, card_shape(game))
        return Response(parts_of(card_json(game, card_or_404(game, code).card, full=True), parts))


def requested_page(request: Request, results: Results) -> Beside:
    """Return the page that begins after, or ends before, the card in the parameter ``after`` or ``before``.
    Raises Refused for a key of no card, and for a card that has no place in these results.
    """
    after, before = asked_place(request)
    for where, key in (("after", after), ("before", before)):
        # ``before=end`` asks for the last page.
        if key and key not in catalogue().by_key and (key, where) != (END, "before"):
            raise no_place(where)
    page = results.page(Pages().get_page_size(request), after=after, before=before)
    # In an order other than by name, a card that has left the results has no place. Giving the first page
    # would let a program that follows "next" run in circles.
    if page.lost:
        where = "after" if after else "before"
        message = f"That card is not among the results of this query. Start again without {where}."
        raise Refused(Fault("lost_cursor", message, where))
    first = page.cards[0].key if page.cards else ""
    last = page.cards[-1].key if page.cards else ""
    return Beside(page.cards, first, last, page.before, page.after, results.total)
