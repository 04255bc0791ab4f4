"""The page of a card: facts with sources, disputes, layout, rulings, neighbours, effects."""

import re
from urllib.parse import urlencode

import pytest
from django.template import engines
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card, Fact, Game
from cardsdb.models import Card as StoredCard
from cardsdb.models import Edition
from cardsdb.web.card_facts import FactRow, Source, fact_rows, grouped
from cardsdb.web.card_page import _has_any, effects_of, rulings_on, way_back
from tests.support.game_folders import told_otherwise
from tests.support.pages import Page, Part, page, piece_of

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def card_page(client: Client, key: str, **query: str) -> Page:
    return page(client, f"/cards/{key}/", query)


def found(key: str) -> tuple[Game, Card]:
    """Return a game and its card, by their key."""
    slug, code = key.split("/")
    card = games()[slug].card(code)
    assert card
    return games()[slug], card


def facts(card: Page) -> list[Part]:
    lists = [part for part in card.all("dl", class_="facts") if "certainty-legend" not in part["class"]]
    return [title.parent for part in lists for title in part.all("dt")]


def fact(card: Page, title: str) -> Part:
    """Return the row of this fact: title, value, sources."""
    return next(row for row in facts(card) if row.one("dt").text == title)


# -- sources ------------------------------------------------------------------------------


def test_every_known_fact_names_its_source(client):
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


def test_a_fact_links_to_its_public_document_and_the_list_of_sources_back_to_the_facts(client):
    card, address = card_page(client, "spycraft/beowulf"), "https://github.com/db0/Spycraft-CCG-for-OCTGN"
    expense = fact(card, "Expense").one("dd", class_="fact-source")
    name = expense.one("a", text="Spycraft plug-in for OCTGN")
    assert (name["href"], name["rel"]) == (address, "noreferrer")
    listed = card.one("li", id="source-1")
    assert address in listed.links and listed.link("back to the facts") == "#facts" and card.has(id="facts")
    names = card_page(client, "spynet/hitman").all(class_="source-name", text="SpyNet rulebook")
    assert names and all(name.get("href") is None for name in names)


def test_every_address_of_a_document_is_a_web_address():
    """An address from a game folder becomes a link, so it must not be a script."""
    addresses = [
        document.url for game in games().values() for document in game.documents.values() if document.url
    ]
    assert addresses and all(re.fullmatch(r"https?://[a-z0-9.-]+/\S*", address) for address in addresses)


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Spycraft plug-in for OCTGN: card lists and decks", "Spycraft plug-in for OCTGN"),
        ("Agent Decker rulebook, low-ink edition", "Agent Decker rulebook, low-ink edition"),
        ("Community card lists of two people, compared field by field", "Community card lists of two people"),
        ("(untitled)", "(untitled)"),
    ],
)
def test_the_short_title_of_a_document_leaves_out_explanations(title, short):
    assert Source(title, "", "stated").short == short


def test_each_word_of_certainty_has_its_meaning_on_the_page(client):
    card = card_page(client, "spycraft/li")
    words, legend = card.all("a", class_="certainty"), card.one("dl", class_="certainty-legend")
    assert {"stated", "conflicting"} <= {word.text for word in words}
    for word in words:
        assert legend.one("dt", text=word.text).parent.one("dd").text.startswith(word["title"])


def test_a_disputed_fact_leads_to_what_the_sources_say_and_the_note_stands_below(client, monkeypatch):
    told_otherwise(monkeypatch, "li", note="A note of ours.")
    card = card_page(client, "spycraft/li")
    link = fact(card, "Transport").one("a", class_="fact-differs")
    assert card.has(id=link["href"].removeprefix("#"))
    parts = [part.get("id") or part.get("class") for part in card.one(class_="card-facts").all()]
    assert parts.index("disagreement") < parts.index("notice") < parts.index("rulings")


def test_a_name_without_a_source_of_its_own_is_called_the_catalogues_beside_that_of_a_source(client):
    sides = (
        card_page(client, "spycraft/a-p-b").one("section", class_="disagreement").all("div", class_="side")
    )
    assert [side.one(class_="side-value").text for side in sides] == ["A.P.B.", "A.P.B"]
    assert sides[0].one(class_="side-source").text == "The form that the catalogue shows."


def test_a_differing_text_of_another_source_is_shown_beside_ours(client):
    disputed = card_page(client, "spycraft/target-in-the-well").one(id="differ-text").parent
    ours, theirs = disputed.all(class_="side")
    assert "after non-leader agent is activated during mission" in ours.text
    assert "after agent is activated during mission" in theirs.text


MARKUP = """<b>"&'"""
SAID = Source(f"d{MARKUP}", f"p{MARKUP}", "stated", f"n{MARKUP}", f"v{MARKUP}")


def row_of(row: FactRow) -> Part:
    macro = "{% import 'macros/cards.html' as macros %}{{ macros.fact_row(row) }}"
    return piece_of(engines["jinja2"].from_string(macro).render({"row": row}))


@pytest.mark.parametrize(
    "row",
    [
        FactRow(Fact("craft", "number", f"h{MARKUP}", label=f"t{MARKUP}"), f"x{MARKUP}", ((1, SAID),)),
        FactRow(Fact("craft", "word", "", label=f"t{MARKUP}"), f"x{MARKUP}", ((0, SAID),), (SAID,)),
        FactRow(Fact("traits", "words", "", label=f"t{MARKUP}"), words=((f"w{MARKUP}", f"q{MARKUP}"),)),
        FactRow(Fact("craft", "number", "", label=f"t{MARKUP}")),
    ],
)
def test_text_from_a_game_folder_is_escaped_and_an_unstated_fact_has_no_source(row):
    made = row_of(row)
    assert not made.has("b") and f"t{MARKUP}" in made.text
    assert ("not stated in any source we have" in made.text) is (not (row.value or row.words))


# -- layout of the facts ----------------------------------------------------------------


@pytest.mark.parametrize(("key", "layout"), [("spycraft/li", "strip"), ("xfiles/agent-fox-mulder", "rows")])
def test_few_numbers_are_in_a_strip_many_in_rows_and_what_does_not_matter_in_play_is_apart(key, layout):
    groups = grouped(fact_rows(*found(key)))
    assert [name for name, _ in groups["shown"]] == ["words", layout]
    aside = {row.fact.title for row in groups["details"]}
    assert {"Name", "Type"} <= aside and not aside & {"Expense", "Faction", "Affiliation", "Cost"}


def test_a_card_links_to_its_sets_and_terms(client):
    card = card_page(client, "spycraft/glock-17")
    assert "/sets/spycraft/ON/" in card.one(aria_label="Prints").links
    assert card.one("ul", class_="card-terms").link("Bravado") == "/games/spycraft/glossary/#bravado"


def test_a_word_leads_to_the_cards_that_share_it(client):
    links = fact(card_page(client, "spycraft/li"), "Faction").links
    (address,) = (href for href in links if href.startswith("/cards/?q="))
    assert 0 < client.get(address).context["page"].total < len(games()["spycraft"].cards)


def test_the_page_of_a_card_whose_type_is_gone_still_opens(client):
    StoredCard.objects.filter(game="spycraft", code="li").update(type="vehicle", retired=True)
    Edition.objects.create()
    card = card_page(client, "spycraft/li")
    assert card.one(class_="eyebrow").text.endswith("· no longer in the catalogue")
    assert not any("/correct/" in href for href in card.links)


def test_the_page_has_metadata_for_search_engines_and_previews(client):
    head = card_page(client, "spycraft/li", q="type:agent").one("head")
    assert head.one("link", rel="canonical")["href"] == "http://testserver/cards/spycraft/li/"
    assert re.fullmatch(r"Agent of Spycraft\. .+", head.one("meta", name="description")["content"])
    assert head.one("meta", property="og:image")["content"] == "http://testserver/cards/spycraft/li/face.png"


# -- rulings ----------------------------------------------------------------------------


def test_rulings_that_name_the_card_come_apart_from_general_ones_each_once(client):
    touching = rulings_on(*found("spycraft/li"))
    ids = [ruling.id for of_kind in touching for ruling in of_kind]
    assert "I1" in [ruling.id for ruling in touching.named]
    assert touching.of_type and len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("text", "found"),
    [("May Hide be played?", True), ("Is the Hideout hidden? To hide is a verb.", False)],
)
def test_a_ruling_names_a_card_only_by_whole_words_with_its_capitals(text, found):
    assert _has_any(text, ["Hide"]) is found


# -- previous and next ----------------------------------------------------------------


def test_a_card_found_by_a_query_links_to_its_neighbours_in_the_results(client):
    query = "game:spycraft type:leader"
    listed = list(StoredCard.objects.current().filter(game="spycraft", type="leader").by_name())
    around = card_page(client, listed[4].key, q=query).context["around"]
    assert (around["place"], around["total"]) == (5, len(listed))
    assert [around["previous"], around["next"]] == [
        f"/cards/{listed[place].key}/?{urlencode({'q': query})}" for place in (3, 5)
    ]


def test_a_card_without_a_query_links_to_its_neighbours_by_name(client):
    listed = list(StoredCard.objects.current().filter(game="spycraft").by_name())
    last = len(listed) - 1
    for place, beside in ((0, [1]), (7, [6, 8]), (last, [last - 1])):
        links = card_page(client, listed[place].key).one("nav", class_="neighbours").links
        assert links == [f"/cards/{listed[at].key}/" for at in beside]


@pytest.mark.parametrize("query", [" ", "(", "type:gear", "x" * 5_000])
def test_a_query_that_does_not_find_the_card_shows_no_neighbours(client, query):
    assert card_page(client, "spycraft/li", q=query).context["around"] is None


def test_a_card_links_back_to_the_editor_that_it_was_opened_from(client):
    back = "/decks/abc123/edit/?q=type%3Aagent&peek=kai#line-deck-kai"
    assert card_page(client, "spycraft/kai", back=back).link("Back to the deck") == back


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example/decks/x/edit/",
        "https://evil.example/decks/x/edit/",
        "/decks/x/edit/../../logout/",
        "/accounts/logout/",
        "javascript:alert(1)",
        "/decks/x/edit/\\evil",
        "/decks/x/edit/?q=\n",
        "x" * 5_000,
        "",
    ],
)
def test_a_card_links_back_to_nothing_but_an_editor(back):
    assert way_back(back) == ""


# -- effects ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "header", "begins", "lines", "note"),
    [
        ("acrobatic-escape", "React Combat 8:", "After an agent declares a Combat action, cancel", 1, ""),
        # Two lines of one ability make one paragraph.
        (
            "advance-team",
            "Intel Craft 4:",
            "Put this card",
            2,
            "Whether the discard is optional is not said.",
        ),
    ],
)
def test_an_effect_is_sentences_with_a_header_the_lines_behind_it_and_what_is_unclear(
    code, header, begins, lines, note
):
    (shown,) = effects_of(*found(f"spycraft/{code}"))
    assert (shown.header, len(shown.lines), shown.note) == (header, lines, note)
    assert shown.rest.startswith(begins) and shown.unclear is bool(note)


@pytest.mark.parametrize(
    ("key", "says", "silent_on"),
    [
        ("spycraft/acrobatic-escape", "Our summary, not the printed text: its source", "is not reproduced"),
        ("spycraft/big-splash-at-sea-world", "The printed text is not reproduced", "Our summary"),
        ("spynet/anaconda", "What happens to the agent is not stated.", "is not reproduced"),
        ("agentdecker/zone-line", "Six obstacles; cards leave it to the right.", "is not reproduced"),
    ],
)
def test_a_page_says_whether_an_effect_is_our_summary_or_unknown(client, key, says, silent_on):
    shown = card_page(client, key).main.text
    assert says in shown and silent_on not in shown
