"""Fixtures that several rooms of these tests share. They are defined in ``tests/support``."""

from tests.support.bringing import own_folders
from tests.support.exports import blank_cards
from tests.support.print_decks import client_of, owner, tiger

__all__ = ["blank_cards", "client_of", "own_folders", "owner", "tiger"]
