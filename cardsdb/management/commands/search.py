"""Search the catalogue from the command line."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.catalogue.as_json import card_json
from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Refused, error_list
from cardsdb.games.kit import plural
from cardsdb.search.card_query import parse_strictly
from cardsdb.search.query.check import explain
from cardsdb.search.results import results_of
from cardsdb.web.lists.shown_facts import short_facts


class Command(BaseCommand):
    help = "Search the catalogue. Exit status: 0, or 2 when the query was not understood."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("query", metavar="QUERY")
        parser.add_argument("--game", default="")
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--explain",
            action="store_true",
            help="say how the query is understood, as JSON, and search nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_named(options["game"])
        if options["game"] and game is None:
            self.stderr.write(f"There is no game “{options['game']}”. Games: {', '.join(games())}.")
            sys.exit(2)
        if options["explain"]:
            self.stdout.write(
                json.dumps(explain(options["query"], catalogue().fields(game)), ensure_ascii=False, indent=1)
            )
            return
        try:
            query = parse_strictly(options["query"], game).within(game)
        except Refused as refused:
            if options["json"]:
                self.stdout.write(json.dumps(error_list(refused.faults), ensure_ascii=False, indent=1))
            for fault in refused.faults:
                self.stderr.write(f"{fault.message} ({fault.where})")
            sys.exit(2)
        results = results_of(query)
        rows = ((games()[card.game], card) for card in results.cards)
        if options["json"]:
            answer = {"count": results.total, "results": [card_json(of, card) for of, card in rows]}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        else:
            for of, card in rows:
                self.stdout.write(
                    f"{card.name}  ({of.name}, {of.type_named(card.type).name}) {short_facts(of, card)}"
                )
            self.stdout.write(f"{results.total} {plural(results.total, 'card')}")
