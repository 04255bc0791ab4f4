"""Printing: the page with its options and previews, the sheets, files for other things than printers, and
what one keeps for it.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from tests.same_bytes.recorder import Recorder, Visitor
from tests.same_bytes.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tests.same_bytes.decks import Deck

# One option or a few that are used together, each time on top of the usual ones.
OPTION_SETS: tuple[dict[str, str], ...] = (
    {},
    {"paper": "letter", "orientation": "landscape"},
    {"paper": "a3", "margin": "0"},
    {"paper": "200x300"},
    {"trim": "poker"},
    {"trim": "70x120", "turn": "turned"},
    {"sleeves": "yes", "gap": "2", "gap_y": "4"},
    {"gap": "3", "bleed": "1.5", "marks": "edges"},
    {"gap": "3", "bleed": "3", "bleed_where": "outside", "marks_where": "above"},
    {"corner": "3", "marks": "none"},
    {"marks": "registration3", "orientation": "landscape", "gap": "1.25"},
    {"marks": "registration4"},
    {"backs": "long"},
    {"backs": "short", "back_x": "0.5", "back_y": "-0.4", "back_turn": "0.3"},
    {"backs": "gutterfold", "fold": "horizontal", "heads": "to", "gap": "2"},
    {"backs": "gutterfold", "fold": "vertical"},
    {"backs": "separate"},
    {"backs": "long", "side": "backs", "back_read": "short"},
    {"style": "saver"},
    {"style": "outline", "header": "no"},
    {"ink": "grey", "type": "large"},
    {"micro": "yes", "qr": "page"},
    {"qr": "list", "extras": "register"},
    {"extras": "tokens,scores,reference,labels"},
    {"start": "4", "skip": "2,5-6"},
    {"only": "t:agent or t:leader"},
    {"only": "none", "extras": "reference"},
    {"one_each": "yes", "copies": "2"},
)
WRONG = (
    {"paper": "a99"},
    {"gap": "wide"},
    {"copies": "0"},
    {"only": "craft>=nine"},
    {"skip": "1-999"},
    {"counts": "Nobody=3"},
    {"start": "900"},
    {"margin": "500"},
    {"backs": "sideways", "fold": "up"},
    {"since": "99"},
    {"nonsense": "1"},
)
FILES: tuple[tuple[str, dict[str, str]], ...] = (
    ("cards.zip", {"image": "png", "dpi": "150"}),
    ("cards.zip", {"image": "webp", "dpi": "150", "bleed": "3"}),
    ("tabletop.zip", {"grid": "readable", "sheet_image": "jpeg"}),
    ("service.zip", {"service": "mpc"}),
    ("service.zip", {"service": "game-crafter"}),
    ("service.pdf", {"service": "drivethru"}),
    ("cut.svg", {"radius": "3"}),
    ("cut.dxf", {"cut_sheet": "1"}),
    ("cut.svg", {"cut_sheet": "99"}),
)


def record(recorder: Recorder) -> None:
    """A deck of each game with every set of options: the page, a preview, the sheets; then the other
    files.
    """
    from tests.same_bytes.decks import shelf_of
    from tests.same_bytes.people import sign_up

    people = {name: Visitor(recorder, name) for name in ("anna", "browser")}
    anyone = Visitor(recorder, "anyone", keeps_cookies=False)
    sign_up(people["anna"])
    shelf = shelf_of(Vocabulary(anyone), people, every=3)
    first_of_games = list({deck.game: deck for deck in reversed(shelf)}.values())
    for number, deck in enumerate(first_of_games):
        for place, options in enumerate(OPTION_SETS):
            # The print page remembers what was chosen last, so that owners are asked by turns.
            given = {"deck": deck.link, **options}
            if place % 2 == number % 2:
                _page(deck.owner, **given)
                deck.owner.get("/print/", htmx="result", sheet="2", **given)
            if place % 5 == number or number < 2:
                deck.owner.get("/print/sheets.pdf", **given)
        for wrong in WRONG:
            _page(deck.owner, **{"deck": deck.link, **wrong})
            deck.owner.get("/print/", htmx="result", **{"deck": deck.link, **wrong})
            deck.owner.get("/print/sheets.pdf", **{"deck": deck.link, **wrong})
        _page(deck.owner, deck=deck.link, counts=f"{deck.first_card}=3")
        deck.owner.get("/print/service/", deck=deck.link)
        _page(anyone, deck=deck.link)
    for number, deck in enumerate(first_of_games):
        for file, options in FILES if number < 2 else FILES[number - 2 :: 3]:
            deck.owner.get(
                f"/print/{file}",
                deck=deck.link,
                only="t:agent or t:event or t:adversary or t:card",
                **options,
            )
    _subjects(first_of_games, anyone)
    own_things(shelf, people)


def _page(person: Visitor, **given: Any) -> None:
    """The print page, which first leads to the address that says all of its settings."""
    answer = person.get("/print/", **given)
    if answer.status_code == 302 and answer["Location"].startswith("/print/?"):
        person.get(answer["Location"])


def _subjects(decks: list[Deck], anyone: Visitor) -> None:
    one, other = decks[0], decks[1]
    _page(one.owner, deck=[one.link, other.link])
    one.owner.get("/print/sheets.pdf", deck=[one.link, other.link], extras="labels")
    one.owner.get("/print/", deck=f"{one.link},{other.link}", without=other.link)
    _page(anyone, card="spycraft/kai")
    anyone.get("/print/sheets.pdf", card=["spycraft/kai", "xfiles/2shy"])
    anyone.get("/print/", card="nobody")
    for text in ("2 Kai\n1 Termite", "2 Kia", "", "nonsense"):
        anyone.post("/print/", {"game": "spycraft", "text": text, "paper": "letter"})
        anyone.post("/print/sheets.pdf", {"game": "spycraft", "text": text, "paper": "letter"})
    anyone.post("/print/", {"game": "spycraft", "text": "2 Kai\n1 Termite", "gap": "2"}, htmx="result")


def own_things(shelf: list[Deck], people: dict[str, Visitor]) -> None:
    """Pictures, printers, texts, presets and stored jobs of an account and of a browser."""
    for person in (people["anna"], people["browser"]):
        _pictures(person)
        _printers(person)
        _texts(person)
        deck = next(deck for deck in shelf if deck.owner is person and deck.game == "spycraft")
        _page(person, deck=deck.link)
        person.get("/print/sheets.pdf", deck=deck.link)
        _presets(person, deck)
        _jobs(person, deck)


def _pictures(person: Visitor) -> None:
    person.get("/pictures/")
    sent = [
        _picture("kai.png", (400, 560), (200, 40, 40)),
        _picture("Termite.jpg", (750, 1050), (40, 200, 40)),
    ]
    person.post("/pictures/", {"game": "spycraft", "meant": "nonsense", "files": sent})
    person.post(
        "/pictures/",
        {
            "game": "spycraft",
            "edge": "mirrored",
            "files": [_picture("kai.png", (400, 560), (200, 40, 40)), *sent[1:]],
        },
    )
    person.post(
        "/pictures/",
        {
            "game": "spycraft",
            "files": [
                _picture("kai back.png", (400, 560), (20, 20, 20)),
                _picture("loose one.png", (90, 60), (9, 9, 90)),
            ],
        },
    )
    person.post("/pictures/", {"game": "", "files": [_picture("kai.png", (400, 560), (200, 40, 40))]})
    person.post("/pictures/", {"game": "spycraft", "files": [io.BytesIO(b"no picture")]})
    person.post("/pictures/", {"game": "spycraft"})
    page = person.get("/pictures/").body.decode()
    numbers = sorted({int(number) for number in re.findall(r"/pictures/(\d+)/", page)})
    for number in numbers[:3]:
        person.get(f"/pictures/{number}/")
    if numbers:
        given = {
            "game": "spycraft",
            "card": "Kai",
            "side": "front",
            "turn": "90",
            "fit": "fill",
            "edge": "included",
            "bleed": "3",
            "left": "5",
            "top": "2.5",
        }
        answer = person.post(f"/pictures/{numbers[0]}/", given)
        for fit in ("cover", "contain") if answer.status_code == 400 else ():
            person.post(f"/pictures/{numbers[0]}/", given | {"fit": fit})
        person.post(f"/pictures/{numbers[0]}/", given | {"left": "60", "right": "60"})
        person.post(
            "/pictures/place/",
            {f"card:{numbers[-1]}": "Li", f"side:{numbers[-1]}": "front", f"game:{numbers[-1]}": "spycraft"},
        )
        person.post("/pictures/place/", {f"card:{numbers[-1]}": "Nobody", f"side:{numbers[-1]}": "front"})
    for file in sorted(set(re.findall(r"/pictures/files/\w+/(?:small/)?", page))):
        person.get(file)
    person.get("/pictures/")


def _picture(name: str, size: tuple[int, int], colour: tuple[int, int, int]) -> io.BytesIO:
    """A picture of three stripes."""
    from PIL import Image

    image = Image.new("RGB", size, colour)
    image.paste((255, 255, 0), (0, size[1] // 3, size[0], size[1] // 2))
    file = io.BytesIO()
    image.save(file, "JPEG" if name.endswith("jpg") else "PNG")
    file.seek(0)
    file.name = name
    return file


def _printers(person: Visitor) -> None:
    page = person.get("/print/calibration/").body.decode()
    ways = re.findall(
        r'<option value="([^"]+)"', page.partition('<select name="way"')[2].partition("</select>")[0]
    )
    reading = {
        "name": "Old printer",
        "paper": "a4",
        "way": ways[0] if ways else "",
        "top": "0.5",
        "foot": "-0.25",
        "middle": "0",
    }
    made = person.post("/print/calibration/", reading)
    person.post("/print/calibration/", reading | {"top": "far", "name": ""})
    if made.status_code == 302:
        address = made["Location"]
        person.get(address)
        person.post(address, {"what": "reading", "top": "0.1", "foot": "0", "middle": "0"})
        person.post(
            address,
            {"what": "hand", "name": "Renamed", "way": reading["way"], "x": "0.4", "y": "1", "turn": "0.1"},
        )
        person.post(address, {"what": "hand", "name": "", "x": "much"})
        person.get("/print/calibration/sheet.pdf", printer=address.strip("/").rpartition("/")[2])
    for way in ways:
        person.get("/print/calibration/", way=way, paper="letter")
        person.get("/print/calibration/sheet.pdf", way=way, paper="letter")
    person.get("/print/calibration/sheet.pdf", paper="nonsense")
    person.get("/print/calibration/")


def _texts(person: Visitor) -> None:
    for card, text in (
        ("spycraft/kai", "When played, <b>draw</b>.\nTwice."),
        ("xfiles/2shy", "x" * 3_000),
        ("spycraft/termite", ""),
    ):
        person.post(f"/print/texts/{card}/", {"text": text})
        person.get(f"/print/texts/{card}/")
    person.get("/print/texts/")


def _presets(person: Visitor, deck: Deck) -> None:
    chosen: dict[str, Any] = {"deck": deck.link, "paper": "letter", "gap": "2", "backs": "long"}
    person.post("/print/presets/", {**chosen, "name": "Club"})
    person.post("/print/presets/", {**chosen, "name": ""})
    person.post("/print/presets/", {**chosen, "gap": "wide", "name": "Wrong"})
    person.get("/print/", deck=deck.link)
    person.get("/print/")
    person.get("/print/", paper="a3")


def _jobs(person: Visitor, deck: Deck) -> None:
    """Asked for, made, fetched, cancelled."""
    from django.core.management import call_command

    made = [
        person.post("/print/jobs/", {"deck": deck.link, "copies": copies, "output": output})
        for copies, output in (("20", ""), ("2", "cut-svg"))
    ]
    person.post("/print/jobs/", {"deck": deck.link, "gap": "wide"})
    for number, answer in enumerate(made):
        if answer.status_code != 302 or "/print/jobs/" not in answer["Location"]:
            continue
        link = answer["Location"].split("/")[3]
        person.recorder.learn(link, f"JOB{number}-{person.name}")
        person.get(answer["Location"])
        if number == 0:
            call_command("worker", "--once", stdout=io.StringIO())
            person.get(answer["Location"], htmx="job")
            person.get(f"/print/jobs/{link}/file/")
        else:
            person.post(f"/print/jobs/{link}/cancel/")
            person.post(f"/print/jobs/{link}/again/")
    person.get("/print/jobs/")
