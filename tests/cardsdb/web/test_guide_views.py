"""Guide pages: set-up, how to play, words of effects, and documents shown whole. Every statement has its
source and every citation its line.
"""

import re
from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import FolderError
from cardsdb.games.kit.contract.optional import document_problems
from cardsdb.games.kit.folder.rulebook import read_rulebook
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.rulebook import lines_of
from cardsdb.search.results import parse_query, results_of
from tests.cardsdb.tables import table
from tests.support.card_lists import query_of
from tests.support.pages import page, page_of

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

GUIDED = [slug for slug in sorted(games()) if games()[slug].play_guide]
RULEBOOK = "/games/agentdecker/documents/rulebook/"


# -- set-up -----------------------------------------------------------------------


def test_the_set_up_page_lays_out_what_was_chosen(client):
    laid_out = page(client, "/games/spynet/set-up/", {"players": "2", "situations": "random"})
    assert laid_out.field("players").value == "2" and laid_out.field("situations").value == "random"
    assert "deck now has 71 cards" in laid_out.one("ol", class_="steps").text


@pytest.mark.parametrize("players", ["5", "<b>", "9" * 5_000])
def test_an_impossible_set_up_is_refused_with_its_field(client, players):
    answer = client.get("/games/spynet/set-up/", {"players": players})
    refused = page_of(answer, status=400)
    assert refused.one(class_="error-summary").one("h2").text == "This cannot be set up"
    assert refused.one(class_="error-summary").links == ["#players"]
    assert refused.field("players").parent.has("p", class_="field-error")
    assert not refused.main.has("b") and len(answer.content) < 60_000


# -- how to play ------------------------------------------------------------------


@pytest.mark.parametrize("slug", GUIDED)
def test_every_statement_of_a_play_guide_is_on_its_page_with_its_source(client, slug):
    guide, shown = games()[slug].play_guide, page(client, f"/games/{slug}/play/").text
    about = page(client, f"/games/{slug}/about/").text
    assert guide and guide.reach and guide.imprint
    for title, says, sources in guide.cited:
        assert says in shown, title
        for cited in sources:
            assert cited.claim.lines in shown and cited.claim.section in shown, title
    # The page about the game says how much of it can be played, and who made it.
    sentences = [guide.reach.title, guide.reach.says, *(line.says for line in guide.imprint)]
    assert [sentence for sentence in sentences if sentence not in about] == []


def test_a_new_game_has_the_guides_in_its_folder_and_no_others(client, sixth_game):
    assert page(client, "/games/deaddrop/glossary/").has("dt", text="Courier")
    assert "at least 3 cards" in page(client, "/games/deaddrop/set-up/").one("ol", class_="steps").text
    for address in ("deaddrop/play", "chess/glossary", "chess/set-up"):
        assert client.get(f"/games/{address}/").status_code == 404


# -- the words of effects -----------------------------------------------------------


def test_each_word_of_effects_links_to_as_many_cards_as_it_says(client):
    words = page(client, "/games/spycraft/effects/")
    (title,) = (term for term in words.all("dt", class_="name") if term.text.startswith("redirect "))
    (link,) = title.all("a", class_="hint")
    assert query_of(link["href"]) == 'game:spycraft does="redirect"'
    assert results_of(parse_query(query_of(link["href"]))).total == int(link.text.split()[0]) > 0


# -- a document shown whole ---------------------------------------------------------


def test_agent_deckers_rulebook_is_shown_whole_with_its_credit(client):
    game = games()["agentdecker"]
    shown = page(client, RULEBOOK)
    lines = shown.one("ol", class_="document-lines").all("li")
    numbered = enumerate(game.document_lines("rulebook"), start=1)
    words = [(number, line) for number, line in numbered if line.strip()]
    assert [line["id"] for line in lines] == [f"line-{number}" for number, _ in words]
    for (_, line), item in zip(words, lines, strict=True):
        assert re.sub(r"[#*\s]", "", line) == re.sub(r"[*\s]", "", item.text)
    assert game.credit and {game.credit.licence_url, game.credit.work_url} <= set(shown.links)
    assert "Changed by Cutout" in shown.text


@pytest.mark.parametrize(
    "address", ["spycraft/documents/rulebook", "agentdecker/documents/blog", "agentdecker/documents/nothing"]
)
def test_no_other_document_is_shown(client, address):
    assert client.get(f"/games/{address}/").status_code == 404


def test_only_a_game_with_a_licence_may_show_a_document(tmp_path):
    (tmp_path / "rulebook.toml").write_text('[documents.rules]\ntitle = "Rules"\nfile = "rules.txt"\n')
    (tmp_path / "rules.txt").write_text("A rule.\n")
    found = list(document_problems(replace(games()["spynet"], folder=tmp_path)))
    assert any("no credit with a licence" in problem for problem in found)


# -- citations ------------------------------------------------------------------------


def test_a_citation_names_its_page_if_the_document_has_pages():
    spycraft, spynet = (games()[slug].documents["rulebook"] for slug in ("spycraft", "spynet"))
    assert spycraft.pages_of("428, 430") == (11,)
    assert spycraft.pages_in_words("71, 531, 599") == "pp. 3, 14, 15"
    assert spynet.pages_in_words("3") == ""


@pytest.mark.parametrize(
    "address",
    ["games/agentdecker/rules/", "games/agentdecker/glossary/", "games/agentdecker/set-up/"],
)
def test_pages_link_citations_to_the_line_and_show_the_page_number(client, address):
    assert any(link.startswith(f"{RULEBOOK}#line-") for link in page(client, f"/{address}").links)
    paged = page(client, f"/{address.replace('agentdecker', 'spycraft')}").text
    assert re.search(r"lines? [0-9, -]+, pp?\. [0-9]", paged)


def test_the_api_gives_page_and_address_of_a_cited_line(client):
    rules = client.get("/api/v1/games/agentdecker/").json()["rules"]
    assert [rule["url"] for rule in rules if rule["code"] == "AD-05"] == [f"{RULEBOOK}#line-14"]
    sent = {"game": "spycraft", "text": "1 Kai"}
    judged = client.post("/api/v1/decks/validate/", sent, content_type="application/json").json()
    cited = [violation["citation"] for violation in judged["violations"]]
    assert ("430", [11]) in [(citation["lines"], citation["pages"]) for citation in cited]


def test_every_citation_of_agent_deckers_rulebook_names_a_line_with_words():
    game = games()["agentdecker"]
    lines, guide = game.document_lines("rulebook"), game.play_guide
    assert guide
    claims = [
        Claim(citation.document, citation.section, citation.lines) for citation in game.citations.values()
    ]
    claims += [entry.source for entry in game.glossary]
    claims += [cited.claim for _, _, sources in guide.cited for cited in sources]
    claims += [claim for card in game.cards for of_fact in card.sources.values() for claim in of_fact]
    named = {number for claim in claims if claim.document == "rulebook" for number in lines_of(claim.lines)}
    assert [number for number in sorted(named) if not lines[number - 1].strip()] == []


RULES = '[documents.rules]\ntitle = "Rules"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{RULES}pages = 3\n", "pages: must be a list"),
        (f"{RULES}pages = [3, 2]\n", "pages: are the lines"),
        ("documents = 3", "must be a table"),
    ],
)
def test_a_rulebook_of_a_wrong_shape_is_refused_in_words(tmp_path, text, says):
    (tmp_path / "rulebook.toml").write_text(text)
    with pytest.raises(FolderError, match=says):
        read_rulebook(tmp_path)


# -- every statement of the five documents ------------------------------------------

# Characters of a part of a page that counts as one block: within it, a statement is beside its source.
MAX_BLOCK = 3_000
STATEMENTS = table("web/statements.csv")


def _cites(text: str, line: int) -> bool:
    """True if a citation in the text includes the line."""
    for named in re.findall(r"\blines? ((?:[0-9]+(?:-[0-9]+)?(?:, (?=[0-9]))?)+)", text, re.IGNORECASE):
        for first, last in re.findall(r"([0-9]+)(?:-([0-9]+))?", named):
            if int(first) <= line <= int(last or first):
                return True
    return False


def test_each_statement_of_the_table_is_on_its_page_beside_its_citation():
    client, blocks, lost = Client(), dict[str, list[str]](), []
    for address in {row["page"] for row in STATEMENTS}:
        shown = page(client, address)
        blocks[address] = [part.text for tag in ("li", "div", "tr", "section") for part in shown.all(tag)]
    for row in STATEMENTS:
        stating = [text for text in blocks[row["page"]] if row["says"] in text and len(text) < MAX_BLOCK]
        if not any(_cites(text, int(row["line"])) for text in stating):
            lost.append((row["game"], row["line"], row["says"], len(stating)))
    assert lost == []
