"""Decks: made from the starters and from edited lists, edited, compared, shown to owners and strangers, asked
for by queries.

What it leaves in its ``var/`` is the database of before that ``reopen`` opens: decks with histories,
accounts, collections, comments, pictures, printers, texts, print jobs.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from tests.same_bytes import printing
from tests.same_bytes.pages import corpus
from tests.same_bytes.people import accounts, collection, keep_cookies, sign_up, social
from tests.same_bytes.recorder import CLOCK, Recorder, Visitor, readable_link
from tests.same_bytes.vocabulary import GAMES, Vocabulary

FORMATS = ("text", "csv", "json", "o8d", "gccg", "dek", "cod", "tts", "mpc")
PANE_QUERIES = (
    "",
    "kai",
    "in:deck",
    "-in:deck",
    "in:deck t:agent",
    "in:deck or kai",
    "t:agent order:-craft",
    "craft>=4",
    "agents with craft 4 or more",
    "nosuchword",
    "craft>=nine",
    "(in:deck craft>3) or t:gear",
    "is:unique",
    "name:/^s/",
    "in:hand",
    '!"Kai"',
)


@dataclass(frozen=True)
class Deck:
    """A deck on the shelf, by its address."""

    link: str
    owner: Visitor
    game: str
    format: str
    text: str

    @property
    def page(self) -> str:
        return f"/decks/{self.link}/"

    @property
    def first_card(self) -> str:
        """The name in the first line that has a count."""
        return next(
            (
                line.split(" ", 1)[1].split(" | ")[0].split(" //")[0]
                for line in self.text.splitlines()
                if re.match(r"\d", line)
            ),
            "Kai",
        )


def record(recorder: Recorder) -> None:
    """Everything about decks, in an order that a lively site might see."""
    people = {name: Visitor(recorder, name) for name in ("anna", "bert", "browser")}
    anyone = Visitor(recorder, "anyone", keeps_cookies=False)
    vocabulary = Vocabulary(anyone)
    for name in ("anna", "bert"):
        sign_up(people[name])
    shelf = shelf_of(vocabulary, people)
    for deck in shelf[::5]:
        _edits(deck, vocabulary)
    _settings(shelf, people)
    social(shelf, people, anyone)
    for number, deck in enumerate(shelf):
        _pages(deck, people, anyone, whole=number % 3 == 0)
    _gallery(people, anyone)
    for deck in shelf[::6]:
        _pane(deck)
    _checks(anyone, vocabulary)
    _imports(shelf, people["browser"])
    _worksheets(shelf, people, anyone)
    collection(shelf, people)
    accounts(people)
    printing.own_things(shelf, people)
    keep_cookies(people)


def shelf_of(vocabulary: Vocabulary, people: dict[str, Visitor], every: int = 1) -> list[Deck]:
    """The starters of all games and edited ones, by three owners; some are legal, some are not."""
    shelf, owners, sights = [], list(people.values()), ("public", "public", "unlisted", "private", "public")
    for game in GAMES:
        for number, starter in enumerate(vocabulary.games[game]["starters"][::every]):
            for kind, text in variants(starter["text"], number):
                owner = owners[(len(shelf) + len(kind)) % len(owners)]
                name = f"{game} {starter['slug']} {kind}"
                given = {
                    "game": game,
                    "format": starter["format"],
                    "name": name,
                    "text": text,
                    "visibility": sights[len(shelf) % 5],
                }
                made = owner.post("/decks/new/", given)
                if made.status_code == 302:
                    owner.get(made["Location"])
                    link = readable_link(
                        made["Location"].split("/")[2], f"{game[:4]}-{starter['slug'][-12:]}-{kind}"
                    )
                    shelf.append(Deck(link, owner, game, starter["format"], text))
                    CLOCK.pass_by(minutes=37)
    return shelf


def variants(text: str, number: int) -> list[tuple[str, str]]:
    """The list as it is, and by turns with lines fewer, with more copies, with marks and cards of its own,
    with what nobody can read.
    """
    lines = text.splitlines()
    cards = [n for n, line in enumerate(lines) if re.match(r"\d", line)]
    fewer = [line for n, line in enumerate(lines) if n not in cards[-3:]]
    more = [re.sub(r"^1 ", "3 ", line) if n in cards[2:7] else line for n, line in enumerate(lines)]
    marked = [
        f'{line} ^keep #blue #"late game" // for the last turns' if n in cards[:2] else line
        for n, line in enumerate(lines)
    ]
    written = [
        *marked,
        "// tags: mirror, Club Night",
        "// notes: First line.",
        "// notes: Second <b>line</b> & more.",
        "1 Kestrel | unknown",
    ]
    unread = [*lines, "2 Nobody Such as This", "one two three", "99999 Kai"]
    others = [("fewer", fewer), ("more", more), ("written", written), ("unread", unread)]
    return [("whole", text), *((name, "\n".join(other)) for name, other in others[number % 2 :: 2])]


def _edits(deck: Deck, vocabulary: Vocabulary) -> None:
    """Single changes in the editor, as a script and as forms send them; steps through the history."""
    owner, edit = deck.owner, f"{deck.page}edit/"
    page = owner.get(edit)
    buttons = re.findall(r'name="edit"\s+value="([-+=]\d+ [^"]+)"', page.body.decode())
    for button in [one for one in buttons if " found" not in one][:2]:
        owner.post(edit, {"edit": button}, htmx="deck")
        owner.post(edit, {"edit": re.sub(r"^.\d+", "=3", button)})
    for button in [one for one in buttons if one.endswith(" found")][:1]:
        owner.post(f"{edit}?q=&page=1", {"edit": button})
    CLOCK.pass_by(hours=2)
    lines = [
        deck.first_card,
        f"2 {deck.first_card}",
        f"- {deck.first_card}",
        "3 Nobody Such",
        deck.first_card[:3],
        "1 Kestrel | unknown",
        "",
        "x" * 500,
    ]
    for line in lines:
        owner.post(edit, {"edit": "add", "line": line}, htmx="deck")
    owner.post(
        edit, {"edit": "lines", "lines": f"1 {deck.first_card}\n2 {deck.first_card} ^keep #red // again"}
    )
    owner.post(edit, {"edit": "lines", "lines": "1 Nobody\nwhat is this"})
    CLOCK.pass_by(hours=2)
    owner.post(edit, {"edit": "undo"}, htmx="deck")
    owner.post(edit, {"edit": "undo", "revision": "1"})
    owner.post(edit, {"edit": "redo"})
    owner.post(edit, {"edit": "nonsense"})
    owner.post(edit, {"edit": "=200 nowhere kai"})
    for one in vocabulary.games[deck.game]["formats"]:
        owner.post(edit, {"edit": "format", "format": one["slug"]}, htmx="deck")
    owner.post(edit, {"edit": "format", "format": deck.format})
    owner.post(edit, {"edit": "details", "detail-faction": "x"})
    for line in re.findall(
        r'name="section"\s+value="([^"]+)".{0,400}?name="code"\s+value="([^"]+)"', page.body.decode(), re.S
    )[:2]:
        changed = {
            "edit": "line",
            "section": line[0],
            "code": line[1],
            "count": "2",
            "note": "A note",
            "tags": "one, two",
            "keep": "1",
        }
        owner.post(edit, changed)
        owner.post(edit, changed | {"count": "many"})
    CLOCK.pass_by(hours=2)
    owner.get(f"{edit}text/")
    owner.post(
        f"{edit}text/",
        {"game": deck.game, "format": deck.format, "name": "Renamed", "text": deck.text, "revision": "0"},
    )
    owner.post(
        f"{edit}text/",
        {
            "game": deck.game,
            "format": deck.format,
            "name": "Anew",
            "text": deck.text + "\n1 Kestrel | unknown\n",
            "visibility": "public",
        },
    )
    CLOCK.pass_by(hours=2)
    owner.get(f"{deck.page}house/")
    numbers = re.findall(r'name="([A-Z]+-\d+[^"]*)"', owner.get(f"{deck.page}house/").body.decode())
    for given in (
        ({numbers[0]: "7", "try": "1"}, {numbers[0]: "7"}, {numbers[0]: "many"}, {"clear": "1", "try": "1"})
        if numbers
        else ()
    ):
        owner.post(f"{deck.page}house/", given)
    for path in (
        "history/",
        "history/0/",
        "history/1/",
        "history/2/",
        "history/99/",
        "repairs/",
        "repairs/?back=deck_edit",
    ):
        owner.get(deck.page + path)
    repairs = owner.get(f"{deck.page}repairs/", htmx="repairs").body.decode()
    if changes := re.findall(r'name="change"\s+value="([^"]+)"', repairs):
        owner.post(f"{deck.page}repair/", {"change": changes[0], "back": "deck_edit"})
    owner.post(f"{deck.page}history/1/name/", {"name": "The first one"})
    owner.post(f"{deck.page}history/1/name/", {"name": "x" * 200})
    owner.post(f"{deck.page}history/1/restore/")
    owner.post(f"{deck.page}undo/", {"back": "deck"})
    owner.post(f"{deck.page}redo/", {"back": "deck_edit"})
    owner.get(f"{deck.page}history/")
    owner.get("/decks/compare/", a=f"{deck.link}@1", b=deck.link)
    owner.get("/decks/compare/", a=f"{deck.link}@0", b=f"http://localhost{deck.page}@2")


def _settings(shelf: list[Deck], people: dict[str, Visitor]) -> None:
    for number, deck in enumerate(shelf[::4]):
        given = {
            "name": f"Settled {number}",
            "notes": "Notes\r\nin two lines",
            "tags": "mirror, Club Night",
            "visibility": "public",
            "comments_open": "on",
        }
        deck.owner.get(f"{deck.page}settings/")
        deck.owner.post(f"{deck.page}settings/", given)
        deck.owner.post(f"{deck.page}settings/", given | {"name": "", "tags": "x" * 900})
        deck.owner.post(
            f"{deck.page}settings/",
            given | {"revision": "0", "seen_visibility": "private", "name": "Clashing"},
        )
        deck.owner.post(f"{deck.page}settings/", given | {"partner": f"http://localhost{shelf[0].page}"})
        people["bert" if deck.owner.name != "bert" else "anna"].get(f"{deck.page}settings/")


def _pages(deck: Deck, people: dict[str, Visitor], anyone: Visitor, whole: bool) -> None:
    if not whole:
        for visitor in (deck.owner, anyone):
            visitor.get(deck.page)
            visitor.get(f"{deck.page}numbers/")
        return
    for visitor in (deck.owner, anyone):
        for path in (
            "",
            "files/",
            "numbers/",
            "numbers/odds/",
            "numbers/hands/?seed=one&turns=2",
            "share/",
            "missing/",
        ):
            visitor.get(deck.page + path)
    anyone.get(
        f"{deck.page}numbers/odds/", a="t:agent", a_count="2", draw="7", b=deck.first_card, b_count="1"
    )
    anyone.get(f"{deck.page}numbers/odds/", a="craft>=nine", draw="999")
    anyone.get(f"{deck.page}numbers/hands/", seed="two", turns="1", mulligans="1")
    anyone.get(f"{deck.page}numbers/hands/", seed="!", turns="x")
    for path in (
        "embed/",
        "page.svg",
        "list.svg",
        "edit/",
        "history/",
        "settings/",
        "house/",
        "repairs/",
        "delete/",
        "reveal/",
    ):
        anyone.get(deck.page + path)
    for name in (*FORMATS, "nonsense"):
        deck.owner.get(f"{deck.page}files/{name}/")
    deck.owner.get(f"{deck.page}delete/")
    shared = re.findall(r'(/d/[^"\s<]*)', deck.owner.get(f"{deck.page}share/").body.decode())
    for address in sorted(set(shared))[:2]:
        anyone.post("/d/", {"address": f"http://localhost{address}"})
    if deck.owner is people["anna"]:
        anyone.get(f"{deck.page}picture.png")
        people["bert"].get("/decks/compare/", a=deck.link, b=deck.link)


def _gallery(people: dict[str, Visitor], anyone: Visitor) -> None:
    for query in corpus("deck_queries.txt"):
        anyone.get("/decks/", q=query)
        people["anna"].get("/decks/", q=query)
        anyone.get("/api/v1/decks/", q=query)
    for game in (*GAMES, "nowhere"):
        for order in ("newest", "liked", "name", "match", "x"):
            people["bert"].get("/decks/", game=game, order=order)
        anyone.get("/decks.atom", game=game)
        anyone.get("/decks/", game=game, q="deck:[t:agent]>=2 or is:legal", order="liked")
    for page in ("1", "2", "3", "99", "x"):
        anyone.get("/decks/", page=page)
        people["anna"].get("/decks/", q="is:mine", page=page)
    for card in ("spycraft/kai", "xfiles/2shy", "spycraft/termite", "agentdecker/wall"):
        anyone.get(f"/cards/{card}/decks/")
        people["anna"].get(f"/cards/{card}/add/")
        people["anna"].get(f"/cards/{card}/")


def _pane(deck: Deck) -> None:
    """The editor's own search, whole and as a script asks for it."""
    deck.owner.get(f"{deck.page}edit/")
    for query in PANE_QUERIES:
        deck.owner.get(f"{deck.page}edit/", q=query, htmx="found")
    deck.owner.get(f"{deck.page}edit/", q="t:agent", page="2")
    deck.owner.get(f"{deck.page}edit/", q="", page="3", htmx="found")
    deck.owner.get(f"{deck.page}edit/", q="in:deck order:-name", into="deck", line="deck kai")
    deck.owner.get(f"{deck.page}edit/", htmx="deck")


def _checks(anyone: Visitor, vocabulary: Vocabulary) -> None:
    for game in GAMES:
        for number, starter in enumerate(vocabulary.games[game]["starters"]):
            texts = (
                [text for _, text in variants(starter["text"], number)] if number < 4 else [starter["text"]]
            )
            for text in (*texts, "nonsense", ""):
                for one in (
                    vocabulary.games[game]["formats"]
                    if number < 2
                    else ({"slug": starter["format"]}, {"slug": ""})
                ):
                    given = {"game": game, "format": one["slug"], "text": text}
                    anyone.post("/check/verdict/", given, htmx="verdict")
                    if one["slug"] in (starter["format"], ""):
                        anyone.post("/check/", given)
                        anyone.post("/check/numbers/", given)
                        repairs = anyone.post("/check/repairs/", given)
                        if changes := re.findall(r'name="change"\s+value="([^"]+)"', repairs.body.decode()):
                            anyone.post("/check/repair/", given | {"change": changes[0]})
    for given in (
        {},
        {"game": "nowhere", "text": "1 Kai"},
        {"game": "spycraft", "format": "x", "text": "1 Kai"},
        {"game": "spycraft", "text": "1 Kai", "house": "AG-3.at_least=40"},
        {"game": "spycraft", "text": "1 Kai", "house": "nonsense"},
        {"game": "spycraft", "text": "x\n" * 6_000},
        {"game": "spycraft", "text": "2 Kia\n1 Li", "correct": "1"},
    ):
        anyone.post("/check/", given)
        anyone.post("/decks/new/", given | {"visibility": "private"})


def _imports(shelf: list[Deck], browser: Visitor) -> None:
    """The files that the site itself writes, read again: told by their content, and by name."""
    for deck in shelf[::5]:
        for name in FORMATS:
            file = deck.owner.get(f"{deck.page}files/{name}/")
            if file.status_code != 200:
                continue
            sent = io.BytesIO(file.body)
            sent.name = re.search(
                r'filename="?([^";]+)', file.headers.get("Content-Disposition", "") + ' filename="deck.txt"'
            )[1]
            read = browser.post("/decks/import/", {"file": sent, "game": deck.game})
            text = file.body.decode("utf-8", "replace")
            browser.api("POST", "decks/import/", {"content": text, "filename": sent.name})
            browser.api("POST", "decks/import/", {"content": text, "taken_for": name, "game": deck.game})
            if name == "csv" and read.status_code == 200:
                kept = {
                    "game": deck.game,
                    "format": deck.format,
                    "text": deck.text,
                    "name": "Imported",
                    "step": "keep",
                    "tags": "imported",
                }
                made = browser.post("/decks/import/", kept)
                if made.status_code == 302:
                    readable_link(made["Location"].split("/")[2], f"import-{deck.link}")
    for pasted in (
        "2 Kai\n1 Termite",
        "Name,Count\nKai,2\nNobody,1",
        '{"cards": []}',
        "<deck/>",
        "",
        "\x00\x01",
        "a,b;c\n1;2,3",
    ):
        browser.post("/decks/import/", {"pasted": pasted, "game": "spycraft"})
        browser.post("/decks/import/", {"pasted": pasted, "game": ""})
        browser.api("POST", "decks/import/", {"content": pasted})


def _worksheets(shelf: list[Deck], people: dict[str, Visitor], anyone: Visitor) -> None:
    sheets = {
        "spynet": ("set-up-draw",),
        "steamspy": ("character-sheet", "xp-award", "handicap"),
        "agentdecker": ("score-book", "campaign-state"),
    }
    for game, names in sheets.items():
        for name in names:
            page = anyone.get(f"/games/{game}/aids/{name}/").body.decode()
            fields = sorted(set(re.findall(r'<(?:input|select|textarea)[^>]*name="([^"]+)"', page)))
            filled = {
                field: ("2", "3", "Ada", "1")[number % 4]
                for number, field in enumerate(fields)
                if "csrf" not in field
            }
            anyone.get(f"/games/{game}/aids/{name}/", **filled)
            anyone.get(f"/games/{game}/aids/{name}/", htmx="answer", **dict.fromkeys(filled, "1"))
            anyone.get(f"/games/{game}/aids/{name}/sheet.pdf", blank="yes")
            anyone.get(f"/games/{game}/aids/{name}/sheet.pdf", **dict.fromkeys(filled, "1"))
            for deck in [one for one in shelf if one.game == game][:3]:
                deck.owner.get(f"/games/{game}/aids/{name}/", deck=deck.link)
                deck.owner.post(f"/games/{game}/aids/{name}/into/{deck.link}/", filled)
                deck.owner.get(deck.page)
    for deck in shelf[::3]:
        deck.owner.get("/print/worksheets.pdf", deck=deck.link)
        deck.owner.get(f"{deck.page}reveal/")
        deck.owner.post(f"{deck.page}reveal/", {"revealed": "yes"})
        anyone.get(deck.page)
