"""A deck's page leads to every sheet of its game, filled in where the deck fills it in; and the sheet leads
back.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from tests.decks.pages.test_worksheets import made, starter

# Sheets are filled in and judged in memory; what goes into a deck is saved as every change is, on PostgreSQL
# too in tests/decks/saving.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
# A ready deck of each game that has sheets.
DECKS = [(game, one.slug) for game in ("agentdecker", "spynet", "steamspy") for one in games()[game].starters]


def page(answer: Any) -> str:
    return unescape(answer.content.decode())


@pytest.mark.parametrize(("game", "slug"), DECKS)
def test_the_page_of_a_deck_leads_to_every_sheet_of_the_table_and_back(
    client: Client, game: str, slug: str
) -> None:
    format = next(one.format for one in games()[game].starters if one.slug == slug)
    deck = made(client, game, starter(game, slug), format)
    shown = page(client.get(f"/decks/{deck.link}/"))
    for sheet in games()[game].worksheets:
        if sheet.card_type:
            continue
        (address,) = re.findall(rf'href="(/games/{game}/aids/{sheet.slug}/\?deck={deck.link}[^"]*)"', shown)
        opened = page(client.get(address, follow=True))
        assert f'<a href="/decks/{deck.link}/">Mine</a>' in opened
        assert ("As it stands in the deck" in opened) == (sheet.format == deck.format)


def test_a_campaign_fills_its_sheet_in(client: Client) -> None:
    text = starter("agentdecker", "campaign").replace("Mission: A", "Mission: 2")
    text = re.sub(r"(?m)^Alarm: .*$", "Alarm: 12", text)
    deck = made(client, "agentdecker", text, "campaign")
    opened = client.get(f"/games/agentdecker/aids/campaign-state/?deck={deck.link}", follow=True)
    values = opened.context["filled"].result.values
    assert (values["mission"], values["alarm"], values["alarm_card"], values["line"], values["hand"]) == (
        "B",
        12,
        1,
        6,
        4,
    )
    assert '<strong class="num">54</strong>' in page(opened)


def test_a_campaign_of_which_the_head_says_nothing_has_the_start_of_the_sheet(client: Client) -> None:
    deck = made(client, "agentdecker", "Hand:\n1 Punch", "campaign")
    opened = client.get(f"/games/agentdecker/aids/campaign-state/?deck={deck.link}", follow=True)
    values = opened.context["filled"].result.values
    assert (values["mission"], values["alarm"], values["turn"], values["line"]) == ("A", 0, 1, 0)
