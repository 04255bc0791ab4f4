"""The page of a card: facts with sources, disputes, layout, rulings, neighbours, effects."""

import re
from urllib.parse import urlencode

import pytest
from django.template import engines
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Fact
from cardsdb.models import Card, Edition
from cardsdb.web.card_page import FactRow, Source, _has_any, rulings_on, way_back
from tests.support.game_folders import told_otherwise
from tests.support.pages import Page, Part, page, piece_of

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def card_page(client: Client, key: str, **query: str) -> Page:
    return page(client, f"/cards/{key}/", query)


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


def test_a_fact_names_its_document_and_links_to_the_source_and_back(client):
    """The number links to the list of sources, the name to the document if that is public."""
    card, address = card_page(client, "spycraft/beowulf"), "https://github.com/db0/Spycraft-CCG-for-OCTGN"
    expense = fact(card, "Expense").one("dd", class_="fact-source")
    assert expense.link("source 1") == "#source-1" and expense.one("details").get("open") is None
    name = expense.one("a", text="Spycraft plug-in for OCTGN")
    assert (name["href"], name["rel"]) == (address, "noreferrer")
    listed = card.one("li", id="source-1")
    assert address in listed.links and listed.link("back to the facts") == "#facts" and card.has(id="facts")
    assert card.one("input", id="all-sources")["role"] == "switch"
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
        ("Learn-to-Play rulebook (2004)", "Learn-to-Play rulebook"),
        ("Agent Decker rulebook, low-ink edition", "Agent Decker rulebook, low-ink edition"),
        ("Community card lists of two people, compared field by field", "Community card lists of two people"),
        ("(untitled)", "(untitled)"),
    ],
)
def test_the_short_title_of_a_document_leaves_out_explanations(title, short):
    assert Source(title, "", "stated").short == short


def test_each_word_of_certainty_links_to_its_meaning(client):
    card = card_page(client, "spycraft/li")
    words, legend = card.all("a", class_="certainty"), card.one("dl", class_="certainty-legend")
    assert {"stated", "conflicting"} <= {word.text for word in words}
    assert {word["href"] for word in words} == {"#certainty"} and card.has(id="certainty")
    for word in words:
        assert legend.one("dt", text=word.text).parent.one("dd").text.startswith(word["title"])
    # Disagreeing sources are something else than a document that contradicts itself.
    for word, query in (("sources disagree", "is:disputed"), ("conflicting", "certainty:conflicting")):
        assert legend.one("dt", text=word).parent.link(query).endswith(query.replace(":", "%3A"))
    assert page(client, "/games/spycraft/rules/").has(id="certainty")
    assert "/games/spycraft/rules/#certainty" in page(client, "/games/spycraft/glossary/").main.links


def test_a_disputed_fact_is_marked_and_the_note_of_the_card_is_below_it(client, monkeypatch):
    told_otherwise(monkeypatch, "li", note="A note of ours.")
    card = card_page(client, "spycraft/li")
    link = fact(card, "Transport").one("a", class_="fact-differs")
    assert link["href"] == "#differ-transport" and link.text.endswith("sources disagree")
    parts = card.one(class_="card-facts").all()
    below = [part.get("id") or part.get("class") or part.text for part in parts]
    places = [below.index("disagreement"), below.index("notice"), below.index("rulings")]
    assert places == sorted(places) and "disagreement" not in below[places[1] :]
    assert card.one("p", class_="notice").text == "A note of ours."


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
    ],
)
def test_text_from_a_game_folder_is_escaped(row):
    made = row_of(row)
    assert not made.has("b") and f"t{MARKUP}" in made.text


def test_an_unstated_fact_is_blank_and_has_no_source():
    made = row_of(FactRow(Fact("craft", "number", "")))
    assert "not stated in any source we have" in made.text and not made.has("details")


# -- layout of the facts ----------------------------------------------------------------


def test_few_numbers_are_in_a_strip_many_in_rows_and_details_are_folded(client):
    card = card_page(client, "spycraft/li")
    assert card.one("dl", class_="facts-strip").has("dd", class_="num")
    assert card_page(client, "xfiles/agent-fox-mulder").one("dl", class_="facts-rows").has("dd", class_="num")
    folded = {title.text for title in card.one("details", class_="card-details").all("dt")}
    assert {"Name", "Type", "Unique", "OCTGN id"} <= folded
    assert not folded & {"Expense", "Faction", "Combat"}


def test_a_word_leads_to_the_cards_that_share_it(client):
    links = fact(card_page(client, "spycraft/li"), "Faction").links
    (address,) = (href for href in links if href.startswith("/cards/?q="))
    assert 0 < client.get(address).context["page"].total < len(games()["spycraft"].cards)


def test_a_card_links_to_its_sets_and_terms_and_states_its_true_size(client):
    card = card_page(client, "xfiles/first-aid")
    assert "/sets/xfiles/PRE/" in card.one(aria_label="Prints").links
    caption = card.one("figcaption")
    assert "at true size, 63.5 × 88.9 mm:" in caption.text
    assert caption.one("details").one("p").text == games()["xfiles"].trim_source
    bravado = card_page(client, "spycraft/glock-17").one("ul", class_="card-terms").one("a", text="Bravado")
    meaning = next(entry.meaning for entry in games()["spycraft"].glossary if entry.term == "Bravado")
    assert (bravado["title"], bravado["href"]) == (meaning, "/games/spycraft/glossary/#bravado")


def test_the_page_of_a_card_whose_type_is_gone_still_opens(client):
    Card.objects.filter(game="spycraft", code="li").update(type="vehicle", retired=True)
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


def test_a_ruling_that_names_the_card_is_shown_and_general_ones_are_folded(client):
    card, ruling = card_page(client, "spycraft/li"), games()["spycraft"].rulings
    named, *general = card.all("ul", class_="card-rulings")
    link = named.one("a", text="I1")
    assert link["href"] == "/games/spycraft/rules/#ruling-I1"
    treatment = next(rule.treatment for rule in ruling if rule.id == "I1")
    assert " ".join(treatment.split()) in link.parent.parent.text
    (folded,) = (part for part in card.all("details", class_="more") if part.has("ul", class_="card-rulings"))
    assert len(folded.all("ul", class_="card-rulings")) == len(general) > 0


def test_each_ruling_is_listed_once_and_a_name_matches_whole_words_only():
    for game in games().values():
        for card in game.cards[:40]:
            touching = rulings_on(game, card)
            ids = [ruling.id for ruling in (*touching.named, *touching.of_type, *touching.of_decks)]
            assert len(ids) == len(set(ids))
    assert _has_any("May Hide be played?", ["Hide"])
    assert not _has_any("Is the Hideout hidden? To hide is a verb.", ["Hide"])


# -- previous and next ----------------------------------------------------------------


def test_a_card_links_to_its_neighbours_by_name(client):
    names = list(Card.objects.current().filter(game="spycraft").by_name())
    place = [card.code for card in names].index("li")
    beside = card_page(client, "spycraft/li").one("nav", class_="neighbours")
    assert beside.links == [f"/cards/{names[place - 1].key}/", f"/cards/{names[place + 1].key}/"]
    first = card_page(client, names[0].key).one("nav", class_="neighbours")
    assert first.links == [f"/cards/{names[1].key}/"]


def test_a_card_found_by_a_query_links_to_its_neighbours_in_the_results(client):
    query = "game:spycraft type:leader"
    found = list(Card.objects.current().filter(game="spycraft", type="leader").by_name())
    around = card_page(client, found[4].key, q=query).context["around"]
    assert (around["place"], around["total"]) == (5, len(found))
    assert [around["previous"], around["next"]] == [
        f"/cards/{found[place].key}/?{urlencode({'q': query})}" for place in (3, 5)
    ]


@pytest.mark.parametrize("query", [" ", "(", "type:gear", "x" * 5_000])
def test_a_query_that_does_not_find_the_card_shows_no_neighbours(client, query):
    assert card_page(client, "spycraft/li", q=query).context["around"] is None


def test_a_card_opened_from_the_editor_links_back_to_its_place_there(client):
    back = "/decks/abc123/edit/?q=type%3Aagent&peek=kai#line-deck-kai"
    assert card_page(client, "spycraft/kai", back=back).link("Back to the deck") == back
    assert not card_page(client, "spycraft/kai", back="//evil.example/decks/x/edit/").has(class_="rail-up")


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


def effect(client: Client, key: str) -> Part:
    return card_page(client, key).one(class_="card-effect")


def test_an_effect_is_sentences_with_a_bold_header_and_its_lines_are_folded(client):
    shown = effect(client, "spycraft/acrobatic-escape")
    line = shown.one(class_="effect-line").one("p")
    assert line.text == "React Combat 8: After an agent declares a Combat action, cancel that action."
    assert line.one("b").text == "React Combat 8:"
    ours = shown.one("details")
    assert ours.one("summary").text == "Our summary, not the printed text: its source"
    written = "React Combat 8 after agent declares Combat action: cancel that action"
    assert ours.one("code").text == written
    # Two lines of one ability make one paragraph.
    (paragraph,) = effect(client, "spycraft/advance-team").all(class_="effect-line")
    assert "end of turn. Before a player" in paragraph.text


def test_an_unclear_effect_is_marked_and_says_what_is_unclear(client):
    clear, unclear = effect(client, "steamspy/das-wort").all(class_="effect-line")
    assert clear.text.endswith("Your character gets +2 Body.")
    assert unclear.one("summary").text.startswith("unclear")
    open_one = effect(client, "spynet/anaconda").one(class_="effect-line")
    assert "Choose an agent whose owner has another agent. unclear" in open_one.text
    assert open_one.one("details").text.endswith("What happens to the agent is not stated.")


def test_a_differing_text_of_another_source_is_shown_beside_ours(client):
    card = card_page(client, "spycraft/target-in-the-well")
    disputed = card.one(id="differ-text").parent
    assert "Sources disagree: effect" in disputed.text
    ours, theirs = disputed.all(class_="side")
    assert "React Combat 6 after non-leader agent is activated during mission" in ours.text
    assert "React Combat 6 after agent is activated during mission" in theirs.text
    assert "unofficial erratum" in theirs.text
    assert any(summary.text.startswith("note") for summary in card.one(class_="card-effect").all("summary"))


def test_an_unknown_text_and_a_term_are_not_called_an_effect(client):
    unknown = card_page(client, "spycraft/big-splash-at-sea-world")
    assert "The printed text is not reproduced" in unknown.text and "Our summary" not in unknown.text
    term = effect(client, "agentdecker/zone-line")
    assert "Six obstacles; cards leave it to the right." in term.text
    assert term.one("h2").text == "In short" and "these words" not in term.text
