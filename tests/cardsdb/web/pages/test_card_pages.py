"""The page of one card: sources, open questions, neighbours, and its face as a file."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.models import Card
from cardsdb.web.pages.card_page import Source
from cardsdb.web.pages.rulings import rulings_on

pytestmark = pytest.mark.django_db


def page(client: Client, key: str, **params: str) -> str:
    return client.get(f"/cards/{key}/", params).content.decode()


def test_every_known_fact_has_a_link_or_a_line_that_says_who_says_so(client: Client) -> None:
    html = page(client, "spycraft/li").partition("certainty-legend")[0]
    rows = re.findall(r"<div><dt>.*?</div>", html, re.DOTALL)
    assert len(rows) > 10
    for row in rows:
        known = 'class="blank"' not in row
        assert not known or 'href="#source-' in row or "certainty-" in row


def test_every_source_number_leads_to_a_source(client: Client) -> None:
    html = page(client, "spycraft/li")
    assert set(re.findall(r'href="#(source-\d+)"', html)) <= set(re.findall(r'id="(source-\d+)"', html))


def test_a_fact_names_its_document_in_place(client: Client) -> None:
    """The number leads to the list of sources, the name to the document."""
    html = page(client, "spycraft/beowulf")
    row = re.search(r'<div><dt><span title="[^"]*">Expense</span>.*?</div>', html, re.DOTALL)
    assert row and re.search(r'<a href="#source-1" title="[^"]+">source 1</a>', row[0])
    assert re.search(r'<a class="source-name" href="https://github.com/[^"]+" rel="noreferrer">Spycraft plug-in for OCTGN</a>', row[0])


def test_a_source_leads_to_its_document_and_back_to_the_facts(client: Client) -> None:
    html = page(client, "spycraft/beowulf")
    entry = re.search(r'<li id="source-1">.*?</li>', html, re.DOTALL)
    assert entry and 'href="https://github.com/db0/Spycraft-CCG-for-OCTGN"' in entry[0] and 'href="#facts"' in entry[0]
    assert 'id="facts"' in html


def test_a_document_without_a_public_address_is_named_without_a_link(client: Client) -> None:
    html = page(client, "xfiles/first-aid")
    assert '<span class="source-name">Community card lists of mandalornl and GCCG</span>' in html


def test_a_document_is_read_where_its_address_says() -> None:
    """Whatever a folder gives as an address becomes a link."""
    addresses = [document.url for game in games().values() for document in game.documents.values() if document.url]
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
    html = page(client, "spycraft/li")
    said = re.findall(r'<a class="certainty certainty-([a-z]+)" href="#certainty" title="([^"]+)"', html)
    assert {"stated", "conflicting"} <= {word for word, _ in said}
    assert 'id="certainty"' in html
    legend = html.partition('id="certainty"')[2]
    assert all(meaning in legend for _, meaning in said)


def test_the_legend_tells_disagreeing_sources_from_a_document_that_contradicts_itself(client: Client) -> None:
    legend = page(client, "spycraft/li").partition('id="certainty"')[2]
    assert "sources disagree" in legend and "is%3Adisputed" in legend
    assert "certainty%3Aconflicting" in legend


def test_other_pages_lead_to_the_legend_of_the_rules_page(client: Client) -> None:
    assert 'id="certainty"' in client.get("/games/spycraft/rules/").content.decode()
    assert 'href="/games/spycraft/rules/#certainty"' in client.get("/games/spycraft/glossary/").content.decode()


@pytest.mark.parametrize(("key", "size"), [("spycraft/li", "63 × 88 mm"), ("xfiles/first-aid", "63.5 × 88.9 mm")])
def test_the_true_size_stands_at_the_downloads_with_its_reason(client: Client, key: str, size: str) -> None:
    html = page(client, key)
    caption = html.partition("<figcaption>")[2].partition("</figcaption>")[0]
    assert size in caption
    assert games()[key.split("/")[0]].trim_source in caption


def test_a_cards_note_stands_at_its_disagreement(client: Client) -> None:
    Card.objects.filter(game="spycraft", code="li").update(note="A note of ours.")
    html = page(client, "spycraft/li")
    assert html.rindex('class="disagreement"') < html.index("A note of ours.") < html.index('id="rulings"')


def test_general_questions_are_one_folded_line_below_those_that_name_the_card(client: Client) -> None:
    html = page(client, "spycraft/li").partition('id="rulings"')[2].partition("<h2")[0]
    assert html.count("<details") == 1
    assert html.index("ruling-I1") < html.index("<details")


def test_a_ruling_that_names_the_card_is_shown_with_its_treatment(client: Client) -> None:
    ruling = next(one for one in games()["spycraft"].rulings if one.id == "I1")
    html = page(client, "spycraft/li")
    assert "/games/spycraft/rules/#ruling-I1" in html
    assert ruling.treatment[:40] in html


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
    assert not any("hidden" in ruling.question and "Hide" not in ruling.question for ruling in rulings_on(game, hide).named)


def test_prints_lead_to_their_sets(client: Client) -> None:
    assert 'href="/sets/xfiles/PRE/"' in page(client, "xfiles/first-aid")


def test_the_page_of_a_card_whose_type_is_gone_still_opens(client: Client) -> None:
    Card.objects.filter(game="spycraft", code="li").update(type="vehicle", retired=True)
    answer = client.get("/cards/spycraft/li/")
    assert answer.status_code == 200
    assert "no longer in the catalogue" in answer.content.decode()
    assert "/correct/" not in answer.content.decode()


def test_a_card_that_differs_only_by_its_credit_carries_it(client: Client) -> None:
    assert "Manuel Correia" in page(client, "agentdecker/hide")


def test_search_engines_and_previews_are_told_what_the_page_is(client: Client) -> None:
    html = page(client, "spycraft/li", q="type:agent")
    assert '<link rel="canonical" href="http://testserver/cards/spycraft/li/">' in html
    assert re.search(r'<meta name="description" content="Agent of Spycraft\. [^"]+">', html)
    assert '<meta property="og:image" content="http://testserver/cards/spycraft/li/face.png">' in html


# -- previous and next ----------------------------------------------------------------


def test_a_card_found_by_a_query_leads_to_the_ones_beside_it(client: Client) -> None:
    query = "game:spycraft type:leader"
    found = list(Card.objects.current().filter(game="spycraft", type="leader").by_name())
    around = client.get(f"/cards/{found[4].key}/", {"q": query}).context["around"]
    assert (around.place, around.total) == (5, len(found))
    assert around.previous == f"/cards/{found[3].key}/?{urlencode({'q': query})}"
    assert around.next == f"/cards/{found[5].key}/?{urlencode({'q': query})}"


def test_the_first_card_has_no_previous_and_the_last_no_next(client: Client) -> None:
    found = list(Card.objects.current().filter(game="spycraft", type="leader").by_name())
    first, last = (
        client.get(f"/cards/{card.key}/", {"q": "game:spycraft type:leader"}).context["around"] for card in (found[0], found[-1])
    )
    assert first.previous == "" and first.next
    assert last.next == "" and last.previous


@pytest.mark.parametrize("query", ["", " ", "(", "nosuchkey:1", "type:gear", "\x01", "x" * 5_000, "craft>", '"'])
def test_a_query_that_does_not_find_the_card_shows_no_neighbours(client: Client, query: str) -> None:
    answer = client.get("/cards/spycraft/li/", {"q": query})
    assert answer.status_code == 200
    assert answer.context["around"] is None


def test_a_card_page_needs_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    client.get("/cards/spycraft/li/")
    with django_assert_max_num_queries(3):
        client.get("/cards/spycraft/li/")


def test_the_neighbours_cost_a_few_queries_more_however_many_there_are(client: Client, django_assert_max_num_queries: Any) -> None:
    client.get("/cards/spycraft/li/", {"q": "game:spycraft"})
    with django_assert_max_num_queries(9):
        client.get("/cards/spycraft/li/", {"q": "game:spycraft"})


# -- the face as a file -----------------------------------------------------------------


def face(client: Client, key: str, kind: str) -> bytes:
    answer = client.get(f"/cards/{key}/face.{kind}")
    assert answer.status_code == 200
    return bytes(answer.content)


ONE_OF_EACH = [f"{game.slug}/{game.cards[0].code}" for game in games().values()]


@pytest.mark.parametrize("key", ONE_OF_EACH)
def test_a_picture_of_the_face_has_the_cards_true_size(client: Client, key: str) -> None:
    from PIL import Image

    picture = Image.open(io.BytesIO(face(client, key, "png")))
    dots = picture.info["dpi"][0]
    trim = games()[key.split("/")[0]].trim
    millimetres = sorted(pixels / dots * 25.4 for pixels in picture.size)
    assert millimetres == pytest.approx(sorted(side / 1000 for side in trim), abs=0.1)


def test_the_picture_shows_what_the_drawing_shows(client: Client) -> None:
    """The edge of the card in its faction's colour, paper beside it, ink where the name stands."""
    from PIL import Image

    picture = Image.open(io.BytesIO(face(client, "spycraft/li", "png"))).convert("RGB")
    width, height = picture.size
    assert picture.getpixel((10, height // 2)) != (255, 255, 255)
    assert picture.getpixel((width - 10, height // 2)) == (255, 255, 255)
    number = picture.crop((width * 3 // 4, 0, width, height // 8))
    assert number.convert("L").getextrema()[0] < 60


def test_a_page_of_the_face_has_the_cards_true_size(client: Client) -> None:
    import pikepdf

    with pikepdf.open(io.BytesIO(face(client, "xfiles/first-aid", "pdf"))) as document:
        assert len(document.pages) == 1
        box = [float(side) for side in document.pages[0].mediabox]
    trim = games()["xfiles"].trim
    assert box[2:] == pytest.approx([side * 72 / 25_400 for side in trim], abs=0.01)


def test_a_drawing_of_the_face_stands_alone(client: Client) -> None:
    root = ElementTree.fromstring(face(client, "spycraft/li", "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("width") == f"{games()['spycraft'].trim[0] / 1000:g}mm"


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_file_carries_the_games_credit_inside(client: Client, kind: str) -> None:
    data = face(client, "agentdecker/hide", kind)
    if kind == "pdf":
        import pikepdf

        with pikepdf.open(io.BytesIO(data)) as document:
            said = str(document.docinfo["/Subject"])
    elif kind == "png":
        from PIL import Image

        said = Image.open(io.BytesIO(data)).info["Copyright"]
    else:
        said = data.decode().partition("<metadata>")[2].partition("</metadata>")[0]
    assert "Manuel Correia" in said
    assert "creativecommons.org/licenses/by-nc/4.0" in said


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_file_that_the_browser_has_is_not_sent_again(client: Client, kind: str) -> None:
    etag = client.get(f"/cards/spycraft/li/face.{kind}").headers["ETag"]
    again = client.get(f"/cards/spycraft/li/face.{kind}", headers={"If-None-Match": f"W/{etag}"})
    assert (again.status_code, again.content) == (304, b"")


def test_a_changed_card_is_another_file(client: Client) -> None:
    before = client.get("/cards/spycraft/li/face.svg").headers["ETag"]
    row = Card.objects.get(game="spycraft", code="li")
    Card.objects.filter(pk=row.pk).update(facts={**row.facts, "combat": 9})
    assert client.get("/cards/spycraft/li/face.svg").headers["ETag"] != before


def test_a_name_is_text_in_a_drawing_and_never_a_tag(client: Client) -> None:
    Card.objects.filter(game="spycraft", code="li").update(name="<script>alert(1)</script>")
    assert b"<script" not in face(client, "spycraft/li", "svg")


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_letter_that_no_font_has_is_refused_with_its_name(client: Client, kind: str) -> None:
    Card.objects.filter(game="spycraft", code="li").update(name="李")
    answer = client.get(f"/cards/spycraft/li/face.{kind}")
    assert answer.status_code == 400
    assert "U+674E" in answer.content.decode()


@pytest.mark.parametrize("address", ["spycraft/nobody", "chess/li"])
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_there_is_no_face_of_a_card_that_is_not_there(client: Client, address: str, kind: str) -> None:
    assert client.get(f"/cards/{address}/face.{kind}").status_code == 404
