"""What a card does, on pages, in searches and in answers: our lines, said to be ours."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardsdb.search.card_query import parse_query
from cardsdb.search.results import results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LINE = "agent declares Combat action: cancel that action"


def found(query: str) -> int:
    return results_of(parse_query(query)).total


def test_the_page_of_a_card_has_its_lines_with_the_header_in_bold_and_says_whose_they_are(client: Client) -> None:
    page = client.get("/cards/spycraft/acrobatic-escape/").content.decode()
    assert re.search(rf"<b>React Combat 8</b> after {LINE}", page)
    assert "Our summary, not the printed text" in page


def test_a_card_of_which_nobody_states_what_it_does_says_so(client: Client) -> None:
    page = client.get("/cards/spycraft/big-splash-at-sea-world/").content.decode()
    assert "The printed text is not reproduced" in page
    assert "Our summary" not in page


def test_words_of_effects_stand_with_their_meaning_and_the_number_of_cards_that_their_list_has(client: Client) -> None:
    page = client.get("/games/spycraft/effects/").content.decode()
    listed = re.search(r'<dt class="name">redirect <a class="hint" href="([^"]+)">([0-9]+) cards', page)
    assert listed
    assert found("game:spycraft does=redirect") == int(listed[2])
    assert f"{listed[2]} cards" in client.get(listed[1].replace("&amp;", "&")).content.decode()


def test_a_game_without_effects_has_no_such_page(client: Client) -> None:
    assert client.get("/games/spynet/effects/").status_code == 404


def test_effects_are_searched_as_facts_as_text_and_in_plain_words() -> None:
    assert found('game:spycraft !"Acrobatic Escape" does:cancel target:action when:react') == 1
    assert found(f'game:spycraft text:"{LINE}"') >= 1
    assert found('!"Acrobatic Escape" cancels action') == 1
    assert found("game:xfiles has:does type:x-file") == 0


def test_the_api_gives_each_line_with_the_tags_that_follow_from_its_words(client: Client) -> None:
    card = client.get("/api/v1/cards/spycraft/acrobatic-escape/").json()
    assert card["effects"] == [
        {
            "line": f"React Combat 8 after {LINE}",
            "tags": {"when": ["React"], "does": ["cancel"], "target": ["that action"]},
        }
    ]
    assert [source["document"] for source in card["sources"]["text"]] == ["Spycraft plug-in for OCTGN: card lists and decks"]
    assert (
        client.get("/api/v1/cards/spynet/" + client.get("/api/v1/cards/?game=spynet").json()["results"][0]["code"] + "/").json()["effects"]
        == []
    )
