"""The card list: questions of words, the filter form, pages, links to other queries, corrected queries."""

import pytest

from cardsdb.search.query.tree import normal, parts_of
from cardsdb.web.lists.card_list import PER_PAGE
from tests.support.card_lists import listed, query_of, total
from tests.support.pages import page

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- questions of what a word means ----------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("what is craft", ["spycraft/glossary/#craft"]),
        ("What is a Krypt?", ["spycraft/glossary/#the-krypt"]),
        ("what does bravado mean", ["spycraft/glossary/#bravado"]),
        ("what's the meaning of solo ops", ["spycraft/glossary/#solo-operation"]),
        ("game:spynet what is an agent", ["spynet/glossary/#agent"]),
        ("what is killer in x-files", ["xfiles/glossary/#killer"]),
        ("what does bravado mean in spycraft", ["spycraft/glossary/#bravado"]),
        ("what is bravado in x-files", []),
        ("what is an x-file", ["xfiles/glossary/#x-file"]),
        ("what is bluff", ["spycraft/glossary/#bluff", "xfiles/glossary/#bluff"]),
        ("what agents heal", []),
        ("craft", []),
        ("what is", []),
    ],
)
def test_a_question_of_what_a_word_means_is_led_to_the_glossary(client, typed, terms):
    shown = page(client, "/cards/", {"q": typed})
    assert [link for link in shown.links if "/glossary/" in link] == [f"/games/{term}" for term in terms]
    for term in terms:
        address, anchor = f"/games/{term}".split("#")
        assert page(client, address).has("div", id=anchor)


# -- filter form and query -----------------------------------------------------------------


def test_the_filter_form_leads_to_the_query_it_amounts_to(client):
    sent = {"game": "spycraft", "type": "agent", "craft_from": "4", "q": "krypt", "order": "-craft"}
    answer = client.get("/cards/", sent)
    assert answer.status_code == 302
    assert query_of(answer["Location"]) == "game=spycraft type=agent craft>=4 krypt order:-craft"


@pytest.mark.parametrize(
    "query",
    [
        "type:agent craft>=4 krypt",
        "game:spycraft craft>=4 craft>=5 combat<=6",
        "game:spycraft type:agent (kai or van) order:-craft",
        "game:spycraft mulder or krypt",
        "kai or chen game:spycraft",
        "GAME:spycraft kai or chen",
        "krypt and banshee agents",
        "game:spycraft agents not krypt or bloodvine",
        "agents that heal or gear that wounds",
        'game:spycraft (faction=Bloodvine or faction="The Krypt") kai',
        'similar:"Glock 17" order:-prints',
        "type:agent crfat>4 (krypt",
        "-",
    ],
)
def test_sending_an_untouched_form_asks_the_same(client, query):
    def asked(shown):
        whole = shown.query.query
        problems = [problem.code for problem in whole.problems]
        return {normal(part) for part in parts_of(whole.tree)}, whole.order, problems, shown.total

    shown = page(client, "/cards/", {"q": query})
    again = client.get("/cards/", shown.one(class_="filters").one("form").sent, follow=True).context["page"]
    assert asked(again) == asked(shown.context["page"])


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("kai or chen game:spycraft", "kai or chen"),
        ("GAME:spycraft kai or chen", "kai or chen"),
        ("type:agent crfat>4 (krypt", "type:agent crfat>4 (krypt"),
        ("krypt and banshee agents", ""),
        ("agents not krypt", '-faction="The Krypt"'),
    ],
)
def test_the_box_of_the_form_has_the_conditions_without_a_control(client, query, shown):
    assert page(client, "/cards/", {"q": query}).one(class_="filters").one("form").field("q").value == shown


def test_alternatives_typed_beside_a_picked_game_stay_within_it(client):
    found = listed(client, **{"with": "game=spycraft", "q": "agent or kai order:-craft"})
    assert {card.game for card in found.cards} == {"spycraft"}
    assert found.query.query.order[0].key == "craft"


# -- pages ------------------------------------------------------------------------------


def test_pages_of_a_grouped_list_continue_in_order_and_lose_no_card(client):
    """Each group has its heading on all its pages, and its link leads to the page on which it begins."""
    address, found, titles = "?q=game%3Aspycraft+wound&view=numbers", [], []
    first = page(client, f"/cards/{address}").context["page"]
    groups = {title: (count, href) for title, count, href in first.groups}
    while address:
        shown = page(client, f"/cards/{address}")
        found += [card.key for card in shown.context["page"].cards]
        titles += [heading.text for heading in shown.all("h2", class_="group-title")]
        onward = shown.all("a", rel="next")
        address = onward[0]["href"] if onward else ""
    assert len(found) == len(set(found)) == first.total > 2 * PER_PAGE
    assert found == [card.key for card in first.results.cards]
    back = shown.one("nav", class_="pagination").one("a", rel="prev")["href"]
    before = [card.key for card in page(client, f"/cards/{back}").context["page"].cards]
    end = len(found) - len(shown.context["page"].cards)
    assert before == found[end - PER_PAGE : end]
    assert list(dict.fromkeys(titles)) == [f"{title} {count}" for title, (count, _) in groups.items()]
    for title, (count, href) in groups.items():
        begins = page(client, f"/cards/{href.partition('#')[0]}")
        assert begins.all("h2", class_="group-title")[0].text.startswith(title)
        assert begins.context["page"].cards[0].key in first.results.groups[title]
        assert len(first.results.groups[title]) == count


# -- other queries ------------------------------------------------------------------------


def test_the_name_of_a_game_links_to_the_game(client):
    notice = page(client, "/cards/", {"q": "game:spycraft steam spy"}).one("p", class_="notice")
    assert (notice.link("its page"), notice.link("its cards")) == (
        "/games/steamspy/",
        "/cards/?q=game%3Asteamspy",
    )


def test_results_of_one_game_link_to_those_of_all_games(client):
    found = page(client, "/cards/", {"q": "game:spycraft agent"}).one(class_="results-head")
    assert query_of(found.link("Search all games")) == "type=agent"
    assert not page(client, "/cards/", {"q": "agent"}).has("a", text="Search all games")
    nothing = page(client, "/cards/", {"q": "game:spycraft mulder"}).one(class_="empty")
    assert f"Nothing in Spycraft, but {total('mulder')} cards in all games" in nothing.text
    assert query_of(nothing.link(f"{total('mulder')} cards in all games")) == "mulder"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("is:component", "12 components"),
        ("game:agentdecker", "31 entries 9 cards, 7 unnamed cards, 15 terms"),
    ],
)
def test_a_list_counts_cards_stand_ins_components_and_terms_apart(client, query, words):
    assert page(client, "/cards/", {"q": query}).one(class_="results-count").text == words


# -- corrected queries --------------------------------------------------------------------------


def test_a_corrected_query_is_announced_with_a_link_back(client):
    typed = "game:spycraft type:agnet"
    shown = page(client, "/cards/", {"q": typed})
    notice = shown.one(class_="rewrite")
    assert notice.text.startswith("Read as: ") and shown.one(id="site-q").value == "type:agnet"
    (back,) = (link for link in notice.links if "as_typed" in link)
    again = page(client, f"/cards/{back}")
    assert (again.context["page"].typed, again.context["page"].total) == (typed, 0)
    assert again.has(class_="empty") and not again.has(class_="rewrite")


def test_a_question_shows_its_reading_the_unknown_words_and_other_readings(client):
    read = page(client, "/cards/", {"q": "krypt agents with craft 4 zzzzqqq"}).one(class_="rewrite")
    assert "type is Agent" in read.text and "Not understood: “zzzzqqq”" in read.text
    assert "Or: " in page(client, "/cards/", {"q": "kill an agent"}).one(class_="rewrite").text


def test_a_question_shows_what_was_left_out(client):
    read = page(client, "/cards/", {"q": "traps in spycraft and steam spy"}).one(class_="rewrite")
    assert "). Steam Spy has none. Or: " in read.text
