"""The command ``export_cards``: write the cards that a query finds as a file for another program.
Tests: ``tests/decks/pages/test_sharing.py``.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb import games as game_folders
from cardsdb.box.texts import texts_of, with_text
from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.management import refuse
from cardsdb.search.results import cards_found, parse_strictly
from decks.formats.card_files import CARD_FILES
from decks.management.commands.convert_deck import add_out, store, texts_in
from decks.models.people import account_of_command


class Command(BaseCommand):
    help = (
        "Write the cards that a query finds as a file. Exit status: 0 written, 1 an account or a file is"
        " missing or OUT cannot be written, 2 the query was not understood or finds no cards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "query", metavar="QUERY", nargs="?", default="", help="without it, all cards of the game"
        )
        parser.add_argument("--game", choices=sorted(game_folders.games()), default="")
        parser.add_argument("--to", required=True, choices=sorted(CARD_FILES), help="the kind of file")
        parser.add_argument(
            "--texts", metavar="FILE", default="", help="a package or table with the texts of the cards"
        )
        parser.add_argument(
            "--with-texts",
            action="store_true",
            help="include own texts, those of --owner or those for everyone",
        )
        parser.add_argument("--owner", metavar="NAME", default="", help="the account whose own texts to use")
        add_out(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        viewer = Viewer()
        if options["owner"]:
            viewer = Viewer(account_of_command(options["owner"]).pk)
        try:
            named = games().get(options["game"])
            query = parse_strictly(options["query"], named, viewer)
            game, cards = cards_found(query.within(named))
            texts = (
                dict(texts_of(viewer, game, [card.code for card in cards])) if options["with_texts"] else {}
            )
            if options["texts"]:
                own_texts, remarks = texts_in(game, options["texts"])
                texts |= own_texts
                for remark in remarks:
                    self.stderr.write(remark)
        except Refused as refused:
            refuse(self, refused)
        written = CARD_FILES[options["to"]].write(game, [with_text(card, texts) for card in cards])
        if options["out"] == "-":
            self.stdout.write(written, ending="")
        else:
            store(Path(options["out"]), written.encode())
