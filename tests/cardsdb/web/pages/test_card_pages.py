"""The page of one card: sources, open questions, neighbours, and its face as a file."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.models import Card, Edition
from cardsdb.web.card_page import Source, rulings_on
from tests.support.game_folders import told_otherwise
from tests.support.pages import Page, Part, page

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def card_page(client: Client, key: str, **query: str) -> Page:
    return page(client, f"/cards/{key}/", query)


def fact(card: Page, title: str) -> Part:
    """The row of this fact: its title, its value, who says so."""
    return next(row for row in facts(card) if row.one("dt").text == title)


def facts(card: Page) -> list[Part]:
    lists = [part for part in card.all("dl", class_="facts") if "certainty-legend" not in part["class"]]
    return [title.parent for part in lists for title in part.all("dt")]


def legend(card: Page) -> Part:
    return card.one("dl", class_="certainty-legend")


def test_every_known_fact_has_a_link_or_a_line_that_says_who_says_so(client: Client) -> None:
    card = card_page(client, "spycraft/li")
    rows, listed = facts(card), {f"#{source['id']}" for source in card.one("ol", class_="sources").all("li")}
    assert len(rows) > 10
    for row in rows:
        source = row.one("dd", class_="fact-source")
        assert (
            row.has("span", class_="blank")
            or source.has("a", class_="certainty")
            or not listed.isdisjoint(source.links)
        ), row.text
    assert {href for href in card.links if href.startswith("#source-")} <= listed


def test_a_fact_names_its_document_in_place(client: Client) -> None:
    """The number leads to the list of sources, the name to the document."""
    source = fact(card_page(client, "spycraft/beowulf"), "Expense").one("dd", class_="fact-source")
    number, name = source.one("a", text="source 1"), source.one("a", text="Spycraft plug-in for OCTGN")
    assert number["href"] == "#source-1" and number["title"]
    assert name["class"] == "source-name" and name["rel"] == "noreferrer"
    assert name["href"].startswith("https://github.com/")


def test_a_source_leads_to_its_document_and_back_to_the_facts(client: Client) -> None:
    card = card_page(client, "spycraft/beowulf")
    source = card.one("li", id="source-1")
    assert "https://github.com/db0/Spycraft-CCG-for-OCTGN" in source.links
    assert source.link("back to the facts") == "#facts"
    assert card.has(id="facts")


def test_a_document_without_a_public_address_is_named_without_a_link(client: Client) -> None:
    card = card_page(client, "spynet/hitman")
    names = card.all(class_="source-name", text="SpyNet rulebook")
    assert names and all(name.get("href") is None for name in names)


def test_a_document_is_read_where_its_address_says() -> None:
    """Whatever a folder gives as an address becomes a link."""
    addresses = [
        document.url for game in games().values() for document in game.documents.values() if document.url
    ]
    assert addresses and all(re.fullmatch(r"https?://[a-z0-9.-]+/\S*", address) for address in addresses)


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Spycraft plug-in for OCTGN: card lists and decks", "Spycraft plug-in for OCTGN"),
        ("Learn-to-Play rulebook (2004)", "Learn-to-Play rulebook"),
        ("Agent Decker rulebook, low-ink edition", "Agent Decker rulebook, low-ink edition"),
        ("Check of the set “Steam Spy: Intelligence”", "Check of the set"),
        ("Community card lists of two people, compared field by field", "Community card lists of two people"),
        ("(untitled)", "(untitled)"),
    ],
)
def test_a_documents_short_title_leaves_out_what_only_explains_it(title: str, short: str) -> None:
    assert Source(title, "", "stated").short == short


def test_each_word_for_how_certain_leads_to_what_it_means(client: Client) -> None:
    card = card_page(client, "spycraft/li")
    words = card.all("a", class_="certainty")
    assert {"stated", "conflicting"} <= {word.text for word in words}
    assert {word["href"] for word in words} == {"#certainty"} and card.has(id="certainty")
    for word in words:
        assert legend(card).one("dt", text=word.text).parent.one("dd").text.startswith(word["title"])


def test_the_legend_tells_disagreeing_sources_from_a_document_that_contradicts_itself(client: Client) -> None:
    meanings = legend(card_page(client, "spycraft/li"))
    assert meanings.one("dt", text="sources disagree").parent.link("is:disputed").endswith("is%3Adisputed")
    assert (
        meanings.one("dt", text="conflicting")
        .parent.link("certainty:conflicting")
        .endswith("certainty%3Aconflicting")
    )


def test_other_pages_lead_to_the_legend_of_the_rules_page(client: Client) -> None:
    assert page(client, "/games/spycraft/rules/").has(id="certainty")
    assert "/games/spycraft/rules/#certainty" in page(client, "/games/spycraft/glossary/").main.links


@pytest.mark.parametrize(
    ("key", "size"), [("spycraft/li", "63 × 88 mm"), ("xfiles/first-aid", "63.5 × 88.9 mm")]
)
def test_the_true_size_stands_at_the_downloads_with_its_reason(client: Client, key: str, size: str) -> None:
    caption = card_page(client, key).one("figcaption")
    assert f"at true size, {size}:" in caption.text
    assert caption.one("details").one("p").text == games()[key.split("/")[0]].trim_source


def test_a_cards_note_stands_at_its_disagreement(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    told_otherwise(monkeypatch, "li", note="A note of ours.")
    below = [
        part.get("id") or part.get("class") or part.text
        for part in card_page(client, "spycraft/li").one(class_="card-facts").all()
    ]
    places = [below.index("disagreement"), below.index("notice"), below.index("rulings")]
    assert places == sorted(places) and "disagreement" not in below[places[1] :]
    assert card_page(client, "spycraft/li").one("p", class_="notice").text == "A note of ours."


def test_general_questions_are_one_folded_line_below_those_that_name_the_card(client: Client) -> None:
    card = card_page(client, "spycraft/li")
    named, *general = card.all("ul", class_="card-rulings")
    assert "I1" in [link.text for link in named.all("a")]
    (folded,) = [part for part in card.all("details", class_="more") if part.has("ul", class_="card-rulings")]
    assert len(folded.all("ul", class_="card-rulings")) == len(general) > 0


def test_a_ruling_that_names_the_card_is_shown_with_its_treatment(client: Client) -> None:
    ruling = next(one for one in games()["spycraft"].rulings if one.id == "I1")
    link = card_page(client, "spycraft/li").one("a", text="I1")
    assert link["href"] == "/games/spycraft/rules/#ruling-I1"
    assert " ".join(ruling.treatment.split()) in link.parent.parent.text


def test_a_ruling_stands_at_the_nearest_place_only() -> None:
    for game in games().values():
        for card in game.cards[:40]:
            touching = rulings_on(game, card)
            ids = [ruling.id for ruling in (*touching.named, *touching.of_type, *touching.of_decks)]
            assert len(ids) == len(set(ids))


def test_a_name_within_a_word_is_not_the_card() -> None:
    game = games()["agentdecker"]
    hide = game.card("hide")
    assert hide is not None
    assert not any(
        "hidden" in ruling.question and "Hide" not in ruling.question
        for ruling in rulings_on(game, hide).named
    )


def test_prints_lead_to_their_sets(client: Client) -> None:
    assert "/sets/xfiles/PRE/" in card_page(client, "xfiles/first-aid").one(aria_label="Prints").links


def test_the_page_of_a_card_whose_type_is_gone_still_opens(
    client: Client,
) -> None:
    Card.objects.filter(game="spycraft", code="li").update(type="vehicle", retired=True)
    Edition.objects.create()
    card = card_page(client, "spycraft/li")
    assert card.one(class_="eyebrow").text.endswith("· no longer in the catalogue")
    assert not any("/correct/" in href for href in card.links)


def test_search_engines_and_previews_are_told_what_the_page_is(client: Client) -> None:
    head = card_page(client, "spycraft/li", q="type:agent").one("head")
    assert head.one("link", rel="canonical")["href"] == "http://testserver/cards/spycraft/li/"
    assert re.fullmatch(r"Agent of Spycraft\. .+", head.one("meta", name="description")["content"])
    assert head.one("meta", property="og:image")["content"] == "http://testserver/cards/spycraft/li/face.png"


# -- how the facts lie ------------------------------------------------------------------


def test_a_source_opens_at_its_dot_and_one_switch_shows_them_all(client: Client) -> None:
    card = card_page(client, "spycraft/beowulf")
    expense = fact(card, "Expense").one("details")
    assert expense["name"] == "fact-source" and expense.get("open") is None
    assert "Who says so: Expense" in expense.one("summary").text
    assert card.one("input", id="all-sources")["role"] == "switch"


def test_what_is_no_fact_of_play_is_folded(client: Client) -> None:
    card = card_page(client, "spycraft/li")
    folded = {title.text for title in card.one("details", class_="card-details").all("dt")}
    assert {"Name", "Type", "Unique", "OCTGN id"} <= folded
    assert not folded & {"Expense", "Faction", "Combat"}


def test_a_dispute_is_in_sight_beside_its_value(client: Client) -> None:
    link = fact(card_page(client, "spycraft/li"), "Transport").one("a", class_="fact-differs")
    assert link["href"] == "#differ-transport" and link.text.endswith("sources disagree")


def test_a_word_leads_to_the_cards_that_share_it(client: Client) -> None:
    (address,) = [
        href
        for href in fact(card_page(client, "spycraft/li"), "Faction").links
        if href.startswith("/cards/?q=")
    ]
    assert 0 < client.get(address).context["page"].total < len(games()["spycraft"].cards)


@pytest.mark.parametrize(
    ("key", "layout"), [("spycraft/li", "facts-strip"), ("xfiles/agent-fox-mulder", "facts-rows")]
)
def test_a_few_numbers_stand_in_a_strip_and_many_in_rows(client: Client, key: str, layout: str) -> None:
    assert card_page(client, key).one("dl", class_=layout).has("dd", class_="num")


def test_a_card_leads_to_those_beside_it_by_name(client: Client) -> None:
    names = list(Card.objects.current().filter(game="spycraft").by_name())
    place = [card.code for card in names].index("li")
    beside = card_page(client, "spycraft/li").one("nav", class_="neighbours")
    assert beside.links == [f"/cards/{names[place - 1].key}/", f"/cards/{names[place + 1].key}/"]
    first = card_page(client, names[0].key).one("nav", class_="neighbours")
    assert first.links == [f"/cards/{names[1].key}/"]


# -- previous and next ----------------------------------------------------------------


def test_a_card_found_by_a_query_leads_to_the_ones_beside_it(client: Client) -> None:
    query = "game:spycraft type:leader"
    found = list(Card.objects.current().filter(game="spycraft", type="leader").by_name())
    around = client.get(f"/cards/{found[4].key}/", {"q": query}).context["around"]
    assert (around["place"], around["total"]) == (5, len(found))
    assert around["previous"] == f"/cards/{found[3].key}/?{urlencode({'q': query})}"
    assert around["next"] == f"/cards/{found[5].key}/?{urlencode({'q': query})}"


@pytest.mark.parametrize("query", [" ", "(", "type:gear", "x" * 5_000])
def test_a_query_that_does_not_find_the_card_shows_no_neighbours(client: Client, query: str) -> None:
    answer = client.get("/cards/spycraft/li/", {"q": query})
    assert answer.status_code == 200
    assert answer.context["around"] is None


def test_the_words_of_the_game_on_a_card_say_what_they_mean_where_they_stand(client: Client) -> None:
    terms = page(client, "/cards/spycraft/glock-17/").one("ul", class_="card-terms")
    bravado = next(entry for entry in games()["spycraft"].glossary if entry.term == "Bravado")
    assert terms.one("a", text="Bravado")["title"] == bravado.meaning
    assert terms.link("Bravado") == "/games/spycraft/glossary/#bravado"


def test_a_card_that_was_opened_from_the_editor_leads_back_to_its_place(client: Client) -> None:
    back = "/decks/abc123/edit/?q=type%3Aagent&peek=kai#line-deck-kai"
    page = client.get("/cards/spycraft/kai/", {"back": back}).content.decode()
    assert f'href="{back.replace("&", "&amp;")}">Back to the deck</a>' in page


@pytest.mark.parametrize(
    "back", ["//evil.example/decks/x/edit/", "https://evil.example/decks/x/edit/",
             "/decks/x/edit/../../logout/",
             "/accounts/logout/",
             "javascript:alert(1)", "/decks/x/edit/\\evil", "/decks/x/edit/?q=\n", "x" * 5_000, ""],
)  # fmt: skip
def test_a_card_leads_back_to_nothing_but_an_editor(client: Client, back: str) -> None:
    assert "Back to the deck" not in client.get("/cards/spycraft/kai/", {"back": back}).content.decode()
