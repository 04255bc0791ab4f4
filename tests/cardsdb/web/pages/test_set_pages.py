"""Set pages and game pages: what is known of a set and of a game, counted at loading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.catalogue.stats import CatalogueStats, stats_of
from cardsdb.games import games
from cardsdb.games.kit import CardSet
from cardsdb.models import Card, Edition, Print
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.game_page import (
    MAX_CHARTS,
    MIN_CARDS,
    PER_PAGE,
    cards_of_set,
    charts_of,
    completeness,
    coverage_of,
    types_of,
)
from tests.support.game_folders import own_games
from tests.support.pages import page

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- a set ------------------------------------------------------------------------------


def test_a_set_says_how_many_of_its_prints_are_known(client: Client) -> None:
    shown = page(client, "/sets/spycraft/ON/")
    assert shown.row("Prints known")[0].text == "349 of 349"
    assert shown.row("Collector numbers known")[0].text == "18 of 349"


def test_a_card_that_is_twice_in_a_set_counts_as_two_of_its_prints(client: Client) -> None:
    shown = page(client, "/sets/xfiles/PRE/")
    assert shown.row("Prints known")[0].text == "354 of 354"
    assert "350 cards by name" in shown.text


@pytest.mark.parametrize(
    ("size", "known", "missing"),
    [
        pytest.param(10, ((2, 4), (7, 7)), ("1", "5–6", "8–10"), id="short ranges"),
        pytest.param(None, ((1, 2), (5, 5)), ("3–4",), id="of no stated size, gaps alone"),
        pytest.param(10, (), (), id="none without a single number"),
    ],
)
def test_the_missing_numbers_of_a_set(size: int | None, known: Any, missing: tuple[str, ...]) -> None:
    of = CatalogueStats("g", numbers={"S": known} if known else {}, sets={"S": 4})
    found = completeness(CardSet("S", "Set", size=size), of)
    assert found.missing == missing
    assert found.missing_count == (6 if len(missing) == 3 else found.missing_count)


def test_a_set_with_more_cards_than_stated_fills_the_bar_and_no_more() -> None:
    assert completeness(CardSet("S", "Set", size=2), CatalogueStats("g", sets={"S": 3})).shown == 2


def test_what_is_no_card_is_no_part_of_how_much_is_known() -> None:
    cards = CatalogueStats("g", sets={"S": 3}, numbers={"S": ((1, 3),)})
    found = completeness(
        CardSet("S", "Set", size=4),
        CatalogueStats("g", sets={"S": 9}, numbers={"S": ((1, 4),)}, of_cards=cards),
    )
    assert (found.known, found.numbers, found.missing) == (3, 3, ("4",))


def test_a_set_tells_cards_from_components_and_terms() -> None:
    game = games()["steamspy"]
    in_set = [
        next(card.code for card in game.cards if game.kind_of(card) == kind) for kind in ("component", "term")
    ]
    for row in Card.objects.filter(game=game.slug, code__in=in_set):
        Print.objects.create(card=row, set_code="IP")
        Card.objects.filter(pk=row.pk).update(digest="", terms=f"{row.terms}set=ip|")
    Edition.objects.create(number=Edition.objects.current().number + 1)
    listed = cards_of_set(game, game.sets[0], "", "")
    assert (listed["counted"], listed["cards"]) == ("1 component, 1 term", 'game:steamspy set:"IP" is:card')
    assert sorted(named.partition(", ")[2] for _, named, _ in listed["rows"]) == ["component", "term"]


def test_the_prints_of_a_set_are_counted_by_type_and_rarity(client: Client) -> None:
    context = client.get("/sets/xfiles/PRE/").context
    prints = [(card, one) for card in games()["xfiles"].cards for one in card.prints if one.set == "PRE"]
    assert sum(tally.count for tally in context["types"]) == len(prints)
    assert {tally.label: tally.count for tally in context["rarities"]} == {
        rarity: sum(one.rarity == rarity for _, one in prints) for rarity in {one.rarity for _, one in prints}
    }


def test_each_count_of_a_set_leads_to_its_cards(client: Client) -> None:
    shown = page(client, "/sets/xfiles/PRE/")
    for tally in [*shown.context["types"], *(one for one in shown.context["rarities"] if one.label)]:
        results = results_of(parse_query(tally.query))
        assert results.total >= 1, tally.query
        assert shown.link(tally.label) == f"/cards/?q={quote(tally.query, safe='')}"
    assert "/cards/?q=game%3Axfiles%20set%3A%22PRE%22%20type%3Dagent" in shown.links
    assert shown.link("Collector numbers known").endswith("+has%3Anumber")


def test_all_sets_of_all_games_stand_on_one_page(client: Client) -> None:
    links = page(client, "/sets/").main.links
    for game in games().values():
        assert f"/games/{game.slug}/" in links
        assert {f"/sets/{game.slug}/{one.code}/" for one in game.sets} <= set(links)


def test_walking_through_a_set_meets_every_card_once(client: Client) -> None:
    met: list[str] = []
    address = "/sets/xfiles/TRU/"
    for _ in range(20):
        listed = client.get(address).context["listed"]
        met += [card.code for card, _, _ in listed["rows"]]
        if not listed["after"]:
            break
        address = f"/sets/xfiles/TRU/?after={listed['after']}"
    wanted = Card.objects.current().in_game("xfiles").filter(prints__set_code="TRU").distinct().by_name()
    assert met == [card.code for card in wanted]


def test_one_page_back_is_the_page_one_came_from(client: Client) -> None:
    first = client.get("/sets/xfiles/TRU/").context["listed"]
    second = client.get("/sets/xfiles/TRU/", {"after": first["after"]}).context["listed"]
    back = client.get("/sets/xfiles/TRU/", {"before": second["before"]}).context["listed"]
    assert [card.code for card, _, _ in back["rows"]] == [card.code for card, _, _ in first["rows"]]
    assert second["first"] == PER_PAGE + 1


@pytest.mark.parametrize("mark", ["x", "xfiles/nobody", "\x01", "/", "end", "é" * 3_000])
def test_a_strange_place_in_a_set_is_no_fault_of_the_site(client: Client, mark: str) -> None:
    assert client.get("/sets/xfiles/TRU/", {"after": mark}).status_code == 200
    assert client.get("/sets/xfiles/TRU/", {"before": mark}).status_code == 200


def test_a_set_that_does_not_exist_is_a_404(client: Client) -> None:
    assert client.get("/sets/xfiles/ZZ/").status_code == 404


# -- a game -----------------------------------------------------------------------------


def test_a_chart_counts_the_cards_of_each_value(client: Client) -> None:
    game = games()["spycraft"]
    chart = next(chart for chart in charts_of(game, stats_of("spycraft")) if chart.key == "craft")
    counted = {str(value): sum(card.number("craft") == value for card in game.cards) for value in range(20)}
    assert {bar.label: bar.count for bar in chart.bars} == {
        value: count for value, count in counted.items() if count
    }


def test_a_fact_of_many_values_is_shown_in_steps_that_lose_no_card() -> None:
    game = games()["spycraft"]
    vocabulary = {"expense": {str(value): (str(value), 2) for value in range(-3, 60)}}
    chart = next(iter(charts_of(game, CatalogueStats("spycraft", vocabulary=vocabulary))))
    assert sum(bar.count for bar in chart.bars) == 126
    assert len(chart.bars) <= 12


def test_of_too_few_cards_no_chart_is_made() -> None:
    game = games()["spycraft"]
    vocabulary = {"expense": {str(value): (str(value), 1) for value in range(MIN_CARDS - 1)}}
    assert charts_of(game, CatalogueStats("spycraft", vocabulary=vocabulary)) == []


@pytest.mark.parametrize("slug", ["spycraft", "spynet", "agentdecker", "steamspy"])
def test_each_bar_finds_as_many_cards_as_it_says_and_nothing_that_is_no_card(slug: str) -> None:
    for chart in charts_of(games()[slug], stats_of(slug))[:6]:
        for bar in chart.bars[:4]:
            found = results_of(parse_query(bar.query))
            assert (found.total, [kind for kind, _ in found.facet("entry")]) == (bar.count, ["card"]), (
                bar.query
            )


def test_what_is_known_of_a_fact_is_counted_against_the_cards_that_should_have_it() -> None:
    game = games()["spycraft"]
    known = {one.title: one for one in coverage_of(game, stats_of("spycraft"))}
    missions = sum(card.type == "mission" for card in game.cards)
    assert (known["Mission number"].stated, known["Mission number"].of) == (
        sum("mission_number" in card.facts for card in game.cards if card.type == "mission"),
        missions,
    )


def test_the_page_about_a_game_says_of_how_many_cards_sources_disagree(client: Client) -> None:
    link = page(client, "/games/spycraft/about/").link(
        f"sources disagree about {stats_of('spycraft').disputed}"
    )
    assert link == "/cards/?q=game%3Aspycraft+is%3Adisputed"


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_game_page_shows_a_card_of_each_type_that_has_named_ones(client: Client, slug: str) -> None:
    game = games()[slug]
    tiles = page(client, f"/games/{slug}/").one("ul", class_="game-types").all("li")
    counts = {
        kind.plural: sum(game.kind_of(card) == "card" for card in game.cards if card.type == kind.slug)
        for kind in game.types
    }
    named = [tile for tile in tiles if tile.has("svg", class_="card-face")]
    assert [tile.one("b").text for tile in named] == [
        f"{plural} {count}" for plural, count in counts.items() if count
    ]
    to_write_in = [link for tile in tiles if tile not in named for link in tile.links]
    assert to_write_in == ([f"/games/{slug}/checklist/"] if game.places else [])


def test_the_card_that_stands_for_a_type_is_the_first_that_the_game_names() -> None:
    shown = {
        tile.type.slug: tile.card for tile in types_of(games()["spycraft"], stats_of("spycraft")) if tile.card
    }
    assert (shown["leader"].code, shown["mission"].code) == ("mai-tai", "a-night-at-the-opera")
    assert shown["agent"].code in games()["spycraft"].showcase


def test_a_game_of_many_facts_shows_the_first_charts_and_folds_the_others(client: Client) -> None:
    titles = [chart.title for chart in charts_of(games()["spycraft"], stats_of("spycraft"))]
    shown = page(client, "/games/spycraft/about/")
    (folded,) = [part for part in shown.all("details", class_="more") if part.has("table", class_="chart")]
    assert folded.one("summary").text == f"{len(titles) - MAX_CHARTS} more facts"
    captions = [chart.one("caption").text for chart in shown.all("table", class_="chart")]
    assert len(captions) == len(titles) and all(map(str.startswith, captions, titles))
    assert len(folded.all("table", class_="chart")) == len(titles) - MAX_CHARTS > 1


def test_the_game_page_leads_to_everything_about_the_game(client: Client) -> None:
    links = {
        link
        for address in ("/games/spycraft/", "/games/spycraft/about/")
        for link in page(client, address).main.links
    }
    assert {f"/games/spycraft/{about}/" for about in ("rules", "glossary", "play", "about")} | {
        "/sets/spycraft/ON/",
        "/bulk/",
        "/games/spycraft/set-up/?players=2",
    } <= links


def test_the_counts_on_the_home_page_are_the_catalogues_cards_alone(client: Client) -> None:
    tiles = {
        tile.one("h3").text: tile.one(class_="meta").text
        for tile in page(client, "/").all("li", class_="evening-tile")
    }
    own = {game.name for game in own_games().values()}
    assert {name: words for name, words in tiles.items() if name in own} == {
        "Spycraft": "2 or more players · 858 cards known by name",
        "The X-Files CCG": "2 or more players · 529 cards known by name",
        "SpyNet": "2 to 4 players · 11 cards known by name",
        "Agent Decker": "Alone · 9 cards known by name",
        "Steam Spy": "2 or more players · no cards known by name",
    }


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("is:stand-in", "11 unnamed cards"),
        ("is:component", "12 components"),
        ("game:steamspy is:term", "68 terms"),
        ("game:agentdecker", "31 entries 9 cards, 7 unnamed cards, 15 terms"),
        ("game:xfiles", "529 cards"),
    ],
)
def test_a_list_tells_cards_from_stand_ins_components_and_terms(
    client: Client, query: str, words: str
) -> None:
    assert page(client, f"/cards/?q={quote(query)}").one(class_="results-count").text == words


def test_the_home_page_shows_two_cards_and_one_at_least_of_every_game_that_names_some(client: Client) -> None:
    home = page(client, "/")
    assert len(home.one("ul", class_="home-faces").all("svg", class_="card-face")) == 2
    tiles = [tile for tile in home.all("li", class_="evening-tile") if tile.has("svg", class_="card-face")]
    assert len(tiles) == sum(bool(game.showcase) for game in games().values()) >= 5
    for tile in tiles:
        cards = [href for href in tile.links if href.startswith("/cards/") and "?" not in href]
        assert cards and all(client.get(card).status_code == 200 for card in cards)


def test_the_list_on_the_home_page_is_checked_without_script_and_without_a_token(client: Client) -> None:
    form = page(client, "/").one("form", class_="home-check")
    sent = {"text": "Leaders:\n1 Mother of Clouds\n1 Adam Razir\n"}
    assert form["method"] == "post" and set(form.sent) == set(sent)
    answer = Client(enforce_csrf_checks=True).post(form["action"], sent).content.decode()
    assert "Not legal" in answer and "verdict-title" in answer
    assert "csrf" not in client.get("/").content.decode() and not client.get("/").cookies


def test_the_list_on_the_home_page_is_a_games_own(client: Client, monkeypatch: Any) -> None:
    def shown() -> str:
        # A browser leaves out a first line that is empty.
        return page(client, "/").one("form", class_="home-check").sent["text"].removeprefix("\n")

    own = own_games()
    monkeypatch.setattr("cardsdb.web.game_page.games", lambda: own)
    assert shown() == own["spycraft"].showcase_list
    none = {"spynet": replace(games()["spynet"], showcase_list="")}
    monkeypatch.setattr("cardsdb.web.game_page.games", lambda: none)
    assert shown() == ""


def test_a_sixth_game_has_its_pages_before_it_is_loaded(client: Client, sixth_game: Any) -> None:
    assert client.get("/games/deaddrop/").status_code == 200
    assert "/games/deaddrop/" in page(client, "/sets/").main.links
    assert all(client.get(f"/sets/deaddrop/{one.code}/").status_code == 200 for one in sixth_game.sets)


def test_a_face_at_home_is_a_link_of_the_name_that_it_shows(client: Client) -> None:
    """Whoever speaks to the browser says what is to be seen on the face: no other name takes its place."""
    faces = page(client, "/").all("a", class_="face")
    assert len(faces) >= 2 + 7
    for face in faces:
        game, code = face["href"].split("/")[2:4]
        name = Card.objects.in_game(game).get(code=code).name
        assert not face.get("aria-label") and face.one("title").text.startswith(name)


# -- search engines and browsers --------------------------------------------------------


def test_robots_are_kept_from_what_is_no_page_of_its_own(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Allow: /", "Disallow: /cards/random/", "Disallow: /decks/*/edit"} == set(lines[1:4])


def test_a_browser_learns_to_search_here(client: Client) -> None:
    answer = client.get("/opensearch.xml")
    assert answer["Content-Type"].startswith("application/opensearchdescription+xml")
    root = ElementTree.fromstring(answer.content)
    (url,) = root.findall("{http://a9.com/-/spec/opensearch/1.1/}Url")
    assert url.get("template") == "http://testserver/cards/?q={searchTerms}"
