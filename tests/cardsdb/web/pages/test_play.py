"""How each game is played, and the rulebook that may be shown whole: every statement with its source, every
citation with its line.
"""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from cardsdb.games import games
from cardsdb.games.kit import FolderError, Game
from cardsdb.games.kit.contract.optional import document_problems, play_problems
from cardsdb.games.kit.folder.rulebook import read_rulebook
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.rulebook import lines_of
from tests.support.pages import page, page_of

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

SLUGS = sorted(games())
GUIDED = [slug for slug in SLUGS if games()[slug].play_guide]
# A part of a page in which a statement and its source stand together is no longer than this.
MAX_BLOCK = 3_000
with (Path(__file__).parent / "coverage.csv").open(encoding="utf-8", newline="") as file:
    COVERAGE = list(csv.DictReader(file))


# -- how to play ------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_game_says_of_its_play_keeps_its_promises(slug: str) -> None:
    assert list(play_problems(games()[slug])) == []


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GUIDED)
def test_the_page_about_a_game_says_how_far_it_can_be_played_and_who_made_it(
    client: Client, slug: str
) -> None:
    guide, shown = games()[slug].play_guide, page(client, f"/games/{slug}/about/").text
    assert guide and guide.reach
    assert guide.reach.title in shown and guide.reach.says in shown
    assert all(line.says in shown for line in guide.imprint) and guide.imprint


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GUIDED)
def test_every_statement_of_a_game_stands_on_its_page_with_its_place(client: Client, slug: str) -> None:
    guide, shown = games()[slug].play_guide, page(client, f"/games/{slug}/play/").text
    assert guide
    for title, says, sources in guide.cited:
        assert says in shown, title
        for cited in sources:
            assert cited.claim.lines in shown and cited.claim.section in shown, title


@pytest.mark.django_db
def test_a_game_without_a_guide_has_no_page_of_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, sixth_game: Game
) -> None:
    monkeypatch.setitem(games(), sixth_game.slug, sixth_game)
    assert client.get(f"/games/{sixth_game.slug}/play/").status_code == 404


# -- a document shown whole ---------------------------------------------------------


@pytest.mark.django_db
def test_agent_deckers_rulebook_stands_here_whole_with_its_credit(client: Client) -> None:
    game = games()["agentdecker"]
    shown = page(client, "/games/agentdecker/documents/rulebook/")
    lines = shown.one("ol", class_="document-lines").all("li")
    words = [
        (number, line) for number, line in enumerate(game.document_lines("rulebook"), start=1) if line.strip()
    ]
    assert [line["id"] for line in lines] == [f"line-{number}" for number, _ in words]
    assert all(
        re.sub(r"[#*\s]", "", line) == re.sub(r"[*\s]", "", item.text)
        for (_, line), item in zip(words, lines, strict=True)
    )
    assert game.credit and {game.credit.licence_url, game.credit.work_url} <= set(shown.links)
    assert "Changed by Cutout" in shown.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["spycraft/documents/rulebook", "agentdecker/documents/blog", "agentdecker/documents/nothing"]
)
def test_no_other_document_is_shown(client: Client, address: str) -> None:
    assert client.get(f"/games/{address}/").status_code == 404


def test_a_citation_of_a_document_shown_here_leads_to_its_line() -> None:
    game = games()["agentdecker"]
    page_of_it = reverse("document", args=("agentdecker", "rulebook"))
    assert game.address_of("rulebook", "30, 53-55") == f"{page_of_it}#line-30"
    assert game.address_of("rulebook") == page_of_it
    assert game.address_of("blog", "3") == game.documents["blog"].url
    assert games()["spynet"].address_of("rulebook", "3") == ""


def test_a_line_of_a_document_of_many_pages_has_its_page() -> None:
    rulebook = games()["spycraft"].documents["rulebook"]
    assert (
        rulebook.pages_of("428, 430") == (11,) and rulebook.pages_in_words("71, 531, 599") == "pp. 3, 14, 15"
    )
    assert games()["spynet"].documents["rulebook"].pages_in_words("3") == ""


@pytest.mark.django_db
def test_pages_and_programs_say_the_page_beside_the_line(client: Client) -> None:
    for address in ("rules", "play", "glossary"):
        assert re.search(
            r"lines? [0-9, -]+, pp?\. [0-9]", page(client, f"/games/spycraft/{address}/").text
        ), address
    rule = next(
        one for one in client.get("/api/v1/games/spycraft/").json()["rules"] if one["code"] == "AG-11"
    )
    assert rule["pages"] == [3, 14, 15]
    verdict = client.post(
        "/api/v1/decks/validate/", {"game": "spycraft", "text": "1 Kai"}, content_type="application/json"
    ).json()
    cited = next(one["citation"] for one in verdict["violations"] if one["code"] == "AG-3")
    assert (cited["lines"], cited["pages"]) == ("430", [11])
    checked = page_of(client.post("/check/", {"game": "spycraft", "text": "1 Kai"}))
    assert "Game Setup, line 430, p. 11" in checked.text


WITHOUT_ADDRESS: dict[str, set[str]] = {
    "agentdecker": set(),
    "spycraft": set(),
    "spynet": {"rulebook", "shadowblades"},
    "steamspy": {"cutout"},
    "xfiles": set(),
}


@pytest.mark.parametrize("slug", WITHOUT_ADDRESS)
def test_every_document_has_an_address_but_those_that_nobody_knows_one_of(slug: str) -> None:
    named = {
        key for key, document in games()[slug].documents.items() if not document.url and not document.file
    }
    assert named == WITHOUT_ADDRESS[slug]


def test_every_citation_of_agent_deckers_rulebook_names_a_line_with_words() -> None:
    game = games()["agentdecker"]
    lines, guide = game.document_lines("rulebook"), game.play_guide
    assert guide
    claims = [Claim(one.document, one.section, one.lines) for one in game.citations.values()]
    claims += [entry.source for entry in game.glossary] + [
        cited.claim for _, _, sources in guide.cited for cited in sources
    ]
    claims += [claim for card in game.cards for of_fact in card.sources.values() for claim in of_fact]
    named = {number for claim in claims if claim.document == "rulebook" for number in lines_of(claim.lines)}
    assert [number for number in sorted(named) if not lines[number - 1].strip()] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "games/agentdecker/rules/",
        "games/agentdecker/glossary/",
        "games/agentdecker/set-up/",
        "cards/agentdecker/alarm/",
    ],
)
def test_pages_link_agent_deckers_citations_to_the_line(client: Client, address: str) -> None:
    assert any(
        link.startswith("/games/agentdecker/documents/rulebook/#line-")
        for link in page(client, f"/{address}").links
    )


@pytest.mark.django_db
def test_programs_are_given_the_address_of_the_line(client: Client) -> None:
    rule = next(
        one for one in client.get("/api/v1/games/agentdecker/").json()["rules"] if one["code"] == "AD-05"
    )
    assert rule["url"] == "/games/agentdecker/documents/rulebook/#line-14"
    card = client.get("/api/v1/cards/agentdecker/alarm/").json()
    assert (
        card["sources"]["alarm" if "alarm" in card["sources"] else "copies"][0]["url"]
        == "/games/agentdecker/documents/rulebook/#line-9"
    )
    asked = {"game": "agentdecker", "text": "1 Guard"}
    verdict = client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()
    assert all(
        one["citation"]["url"].startswith("/games/agentdecker/documents/rulebook/#line-")
        for one in verdict["violations"]
    )


@pytest.mark.parametrize("pages", ["3", "[3, 2]", "[0]", '["1"]', "[1, 1]"])
def test_pages_that_are_no_lines_in_order_are_refused(tmp_path: Path, pages: str) -> None:
    (tmp_path / "rulebook.toml").write_text(f'[documents.rules]\ntitle = "Rules"\npages = {pages}\n')
    with pytest.raises(FolderError, match=r"pages: (are the lines|must be a list)"):
        read_rulebook(tmp_path)


@pytest.mark.parametrize("text", ["documents = 3", '[documents]\nrules = "Rules"', "rules = []"])
def test_a_rulebook_whose_parts_are_no_tables_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "rulebook.toml").write_text(text)
    with pytest.raises(FolderError, match="must be a table"):
        read_rulebook(tmp_path)


def test_only_a_game_with_a_licence_may_show_a_document(tmp_path: Path) -> None:
    from dataclasses import replace

    folder = tmp_path / "spynet"
    folder.mkdir()
    (folder / "rulebook.toml").write_text('[documents.rules]\ntitle = "Rules"\nfile = "rules.txt"\n')
    (folder / "rules.txt").write_text("A rule.\n")
    assert any(
        "no credit with a licence" in problem
        for problem in document_problems(replace(games()["spynet"], folder=folder))
    )


# -- every statement of the five documents ------------------------------------------


@lru_cache(maxsize=1)
def _blocks() -> dict[str, list[str]]:
    """Address -> the words of every block of that page, the shortest first."""
    client, blocks = Client(), {}
    for address in {row["page"] for row in COVERAGE}:
        shown = page_of(client.get(address))
        blocks[address] = sorted(
            {part.text for tag in ("li", "div", "tr", "section") for part in shown.all(tag)}, key=len
        )
    return blocks


def _cites(text: str, line: int) -> bool:
    """Whether one of the citations in the text takes the line in."""
    for named in re.findall(r"\blines? ((?:[0-9]+(?:-[0-9]+)?(?:, (?=[0-9]))?)+)", text, re.IGNORECASE):
        for first, last in re.findall(r"([0-9]+)(?:-([0-9]+))?", named):
            if int(first) <= line <= int(last or first):
                return True
    return False


@pytest.mark.django_db
def test_what_the_documents_state_is_said_where_the_table_says_with_its_line() -> None:
    lost = []
    for row in COVERAGE:
        said = [text for text in _blocks()[row["page"]] if row["says"] in text and len(text) < MAX_BLOCK]
        if not any(_cites(text, int(row["line"])) for text in said):
            lost.append((row["game"], row["line"], row["says"], len(said)))
    assert lost == []
