"""docs/the-house.md matches the code: its drawing of the rooms and the description of each room."""

import re

from tests import ROOT
from tests.support import house_drawing
from tests.support.rooms import House, whole_house

SMALL = {
    "printing/web/__init__.py": '"""Pages."""\nfrom printing.job import job\n',
    "printing/job/__init__.py": '"""One print."""\nfrom decks.core import judging\n',
    "printing/job/job.py": "",
    "decks/core/judging.py": "",
    "decks/pages/views.py": "from decks.core import judging\nfrom decks.saving import keep\n",
    "decks/saving/keep.py": "from decks.core import judging\n",
    "cardsdb/games/spycraft/rules.py": "from cardsdb.games.kit import Game\n",
    "cardsdb/games/kit/__init__.py": "Game = object\n",
}


def test_the_page_and_its_drawing_are_up_to_date():
    house = whole_house()
    again = "they are made anew by: make house"
    assert (ROOT / house_drawing.PAGE).read_text(encoding="utf-8") == house_drawing.page(house), again
    assert (ROOT / house_drawing.DRAWING).read_text(encoding="utf-8") == house_drawing.drawing(house), again


def test_every_room_has_a_description():
    house = whole_house()
    rooms = [room for app in ("cardsdb", "decks", "printing") for room in house_drawing.arrows_of(house, app)]
    assert len(rooms) > 30
    assert [room for room in rooms if not house.says(room)] == []


def test_a_drawing_has_every_room_and_no_redundant_arrow(tmp_path):
    for place, text in SMALL.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    house = House(tmp_path)
    decks = house_drawing.arrows_of(house, "decks")
    assert house_drawing.floors_of(decks) == [["decks/pages"], ["decks/saving"], ["decks/core"]]
    assert house_drawing.plain(decks) == {
        "decks/pages": {"decks/saving"},
        "decks/saving": {"decks/core"},
        "decks/core": set(),
    }
    drawn = house_drawing.drawing(house)
    assert re.findall(r"<text x=.*?>(.*?)<", drawn) == [
        "web",
        "job",
        "pages",
        "saving",
        "core",
        "games",
        "games/kit",
    ]
    assert drawn.count("<line") == 4
    assert "- `job`: One print." in house_drawing.page(house)
