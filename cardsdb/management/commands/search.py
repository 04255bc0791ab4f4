"""``manage.py search QUERY``: search the catalogue on the command line, as the site does.

Tests: ``tests/cardsdb/management/commands/test_search.py``.
"""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.catalogue.as_json import card_json
from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Refused, error_list
from cardsdb.games.kit import some
from cardsdb.management import tell
from cardsdb.search.ask import Answer, answer_of
from cardsdb.search.query.check import explain
from cardsdb.search.results import parse_query, parse_strictly
from cardsdb.web.lists.columns import short_facts


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
            help="say how the query is understood, as JSON, in place of the cards",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_named(options["game"])
        if options["game"] and game is None:
            self.stderr.write(f"There is no game “{options['game']}”. Games: {', '.join(games())}.")
            sys.exit(2)
        if options["explain"]:
            understood = answer_of(parse_query(options["query"], game), game).as_json()
            tell(self, {**explain(options["query"], catalogue().fields(game)), "understood": understood})
            return
        try:
            query = parse_strictly(options["query"], game)
        except Refused as refused:
            if options["json"]:
                tell(self, error_list(refused.faults))
            for fault in refused.faults:
                self.stderr.write(f"{fault.message} ({fault.where})")
            sys.exit(2)
        answer = answer_of(query, game)
        results = answer.results
        rows = ((games()[card.game], card) for card in results.cards)
        if options["json"]:
            found = [card_json(of, card) for of, card in rows]
            tell(self, {"count": results.total, "understood": answer.as_json(), "results": found})
        else:
            self._tell(answer)
            for of, card in rows:
                self.stdout.write(
                    f"{card.name}  ({of.name}, {of.type_named(card.type).name}) {short_facts(of, card)}"
                )
            self.stdout.write(some(results.total, "card"))

    def _tell(self, answer: Answer) -> None:
        """Write how the query was understood, if that is not as it was typed."""
        if reading := answer.as_json():
            self.stdout.write(f"Read as: {reading['words']}.")
            for other in reading["others"]:
                self.stdout.write(f"Or: {other['query']} ({some(other['count'], 'card')}).")
        for sentence in answer.told:
            self.stdout.write(sentence)
        if answer.unknown:
            self.stdout.write(f"Not understood: {', '.join(answer.unknown)}.")
