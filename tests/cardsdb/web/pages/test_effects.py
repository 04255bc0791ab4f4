"""What a card does, on pages, in searches and in answers: our lines, said to be ours."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.search.results import parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LINE = "agent declares Combat action: cancel that action"


def found(query: str) -> int:
    return results_of(parse_query(query)).total


def test_the_page_of_a_card_has_sentences_with_the_header_in_bold_and_its_lines_on_demand(
    client: Client,
) -> None:
    page = client.get("/cards/spycraft/acrobatic-escape/").content.decode()
    assert "<b>React Combat 8:</b> After an agent declares a Combat action, cancel that action.</p>" in page
    _, _, source = page.partition("Our summary, not the printed text")
    assert f"<code>React Combat 8 after {LINE}</code>" in source.partition("</details>")[0]


def test_two_lines_of_one_ability_are_one_paragraph(client: Client) -> None:
    page = client.get("/cards/spycraft/advance-team/").content.decode()
    effect = page.partition('class="card-effect"')[2].partition("<details")[0]
    assert effect.count("<p>") == 1 and "end of turn. Before a player" in effect


def test_a_card_of_which_nobody_states_what_it_does_says_so(client: Client) -> None:
    page = client.get("/cards/spycraft/big-splash-at-sea-world/").content.decode()
    assert "The printed text is not reproduced" in page
    assert "Our summary" not in page


def test_words_of_effects_stand_with_their_meaning_and_the_number_of_cards_that_their_list_has(
    client: Client,
) -> None:
    page = client.get("/games/spycraft/effects/").content.decode()
    listed = re.search(r'<dt class="name">redirect <a class="hint" href="([^"]+)">([0-9]+) cards', page)
    assert listed
    assert found("game:spycraft does=redirect") == int(listed[2])
    assert f"{listed[2]} cards" in client.get(listed[1].replace("&amp;", "&")).content.decode()


def test_a_game_without_effects_has_no_such_page(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = replace(games()["spynet"], folder=tmp_path)
    monkeypatch.setattr("cardsdb.web.guide_views.game_or_404", lambda slug: without)
    assert client.get("/games/spynet/effects/").status_code == 404


@pytest.mark.parametrize(
    ("slug", "code", "line"),
    [
        ("spynet", "the-glove", "<b>Once played:</b> Play 1 extra agent this turn"),
        ("steamspy", "diamond-club", "<b>Creation:</b> Your character gets \\+2 to any Sabotage action"),
        (
            "agentdecker",
            "patrolling-guard",
            "<b>Line Scroll:</b> Swap this card with the obstacle on its right",
        ),
    ],
)
def test_every_game_tells_effects_in_sentences(client: Client, slug: str, code: str, line: str) -> None:
    assert re.search(line, client.get(f"/cards/{slug}/{code}/").content.decode())
    assert client.get(f"/games/{slug}/effects/").status_code == 200


def test_an_entry_that_is_no_card_keeps_a_sentence_which_is_not_called_an_effect(client: Client) -> None:
    page = client.get("/cards/agentdecker/zone-line/").content.decode()
    assert "Six obstacles; cards leave it to the right." in page
    assert ">Effect</h2>" not in page
    assert "how to read them" not in page


def test_a_line_that_its_source_leaves_open_is_marked_with_what_is_open_beside_it(client: Client) -> None:
    page = client.get("/cards/spynet/anaconda/").content.decode()
    _, _, after = page.partition("Choose an agent whose owner has another agent.</p>")
    assert after.startswith(' <details class="note"><summary>unclear<')
    assert after.partition("</details>")[0].endswith("<p>What happens to the agent is not stated.</p>")


def test_what_another_state_of_a_list_says_stands_beside_our_lines(client: Client) -> None:
    page = client.get("/cards/spycraft/target-in-the-well/").content.decode()
    shown, _, other = page.partition("Sources disagree: effect")[2].partition('<div class="side">')
    assert "React Combat 6 after non-leader agent is activated during mission" in shown
    assert "React Combat 6 after agent is activated during mission" in other.partition("</section>")[0]
    assert "unofficial erratum" in other.partition("</section>")[0]
    assert "<summary>note<" in page.partition("React Combat 6")[2].partition("</section>")[0]


def test_a_line_that_is_clear_bears_no_mark(client: Client) -> None:
    page = client.get("/cards/steamspy/das-wort/").content.decode()
    assert "Your character gets +2 Body.</p></div>" in page
    assert page.count("<summary>unclear<") == 1


def test_the_api_gives_each_line_with_the_tags_that_follow_from_its_words_and_its_own_source(
    client: Client,
) -> None:
    card = client.get("/api/v1/cards/spycraft/acrobatic-escape/").json()
    (effect,) = card["effects"]
    assert effect["line"] == f"React Combat 8 after {LINE}"
    assert effect["tags"] == {"when": ["React"], "does": ["cancel"], "target": ["that action"]}
    assert effect["source"]["document"] == "Spycraft plug-in for OCTGN: card lists and decks"
    assert (effect["source"]["certainty"], effect["certainty"]) == ("outside", "outside")
    assert [source["document"] for source in card["sources"]["text"]] == [
        "Spycraft plug-in for OCTGN: card lists and decks"
    ]


def test_the_lines_of_one_card_may_be_of_different_certainty_each_with_its_note(client: Client) -> None:
    sure, unclear = client.get("/api/v1/cards/steamspy/das-wort/").json()["effects"]
    assert (sure["certainty"], sure["source"]["lines"], sure["source"]["note"]) == ("stated", "16, 95", "")
    assert (unclear["certainty"], unclear["source"]["lines"]) == ("inferred", "16, 95")
    assert unclear["source"]["note"].startswith("Whether all three skills")


@pytest.mark.parametrize("key", ["spynet/hitman", "agentdecker/mission-1"])
def test_a_text_that_is_no_effect_has_no_lines_in_the_api(client: Client, key: str) -> None:
    assert client.get(f"/api/v1/cards/{key}/").json()["effects"] == []
