"""Pictures of cards, sheets for Tabletop Simulator and files for print services: opened again and measured."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.decktext import read_deck
from decks.formats import export, mpc
from decks.formats.tabletop import grid, sheets_of
from printing.jobs import pasted_list
from printing.options import BadOption, read_options
from printing.outputs import tabletop
from printing.outputs.archive import Member, zipped
from printing.outputs.card_pictures import card_pictures
from printing.outputs.faces import file_options, with_bleed
from printing.outputs.fields import FIELDS, Wanted, read_wanted
from printing.outputs.naming import each_once, plain_name
from printing.outputs.output_table import OUTPUTS, made
from printing.outputs.print_services import EIGHTH, SERVICES, service_options
from printing.outputs.safe_zone import in_words, nearest_words, too_near
from printing.outputs.service_files import service_archive, service_pdf, service_remarks
from printing.pieces import Piece, pieces_of
from printing.sheets import Job, MissingCharacters
from printing.strokes import Drawing, Line, Rect, TextRun
from printing.strokes import Path as Shape
from tests.binaries import run

HOSTILE = ("../../etc/passwd", "C:\\Windows\\win.ini", "con", "a/b", "…", "a\u202egnp.exe", "Kai", "kai!")
PIXEL = 25_400 / 300


def starter(slug: str) -> tuple[Job, Decklist]:
    """A ready list of the game as a job for files, and the list."""
    game = games()[slug]
    asked = pasted_list(slug, game.starters[0].text)
    job = Job(game, tuple((entry.card, entry.count) for entry in asked.deck), title=asked.title, options=file_options(read_options({})))
    return job, asked.deck


def opened(members: Iterable[Member]) -> ZipFile:
    archive = ZipFile(io.BytesIO(b"".join(zipped(members))))
    assert archive.testzip() is None
    return archive


def picture(archive: ZipFile, name: str) -> Image.Image:
    return Image.open(io.BytesIO(archive.read(name)))


def for_service(slug: str, job: Job, **words: str) -> Job:
    return replace(job, options=service_options(SERVICES[slug], read_options(words), job.game.trim))


def pdf_of(job: Job, service: str) -> bytes:
    return b"".join(service_pdf(job, SERVICES[service]))


# -- archives and names -------------------------------------------------------------


def test_an_archive_has_the_same_bytes_twice_and_no_dates() -> None:
    members = [Member("a.txt", b"one"), Member("cards/b.png", b"two" * 1000)]
    data = b"".join(zipped(members))
    assert data == b"".join(zipped(members))
    infos = ZipFile(io.BytesIO(data)).infolist()
    assert [(info.filename, info.date_time, info.compress_type) for info in infos] == [
        ("a.txt", (1980, 1, 1, 0, 0, 0), ZIP_STORED),
        ("cards/b.png", (1980, 1, 1, 0, 0, 0), ZIP_STORED),
    ]


def test_an_archive_is_sent_while_it_is_made() -> None:
    asked: list[str] = []

    def members() -> Iterable[Member]:
        for name in ("one", "two"):
            asked.append(name)
            yield Member(name, name.encode())

    chunks = iter(zipped(members()))
    assert b"one" in next(chunks)
    assert asked == ["one"]


def test_sizes_stand_before_each_member_so_that_any_program_can_read_along(tmp_path: Path) -> None:
    data = b"".join(zipped([Member("a.txt", b"one")]))
    # Bit 3 would say that size and checksum come later.
    assert not int.from_bytes(data[6:8], "little") & 8
    (tmp_path / "a.zip").write_bytes(data)
    run("unzip", "-t", str(tmp_path / "a.zip"))


@given(st.text(max_size=200))
def test_a_name_leads_nowhere_else(words: str) -> None:
    assert re.fullmatch("[a-z0-9][a-z0-9-]{0,59}", plain_name(words))


@given(st.lists(st.sampled_from(["a", "a-2", "b"]), max_size=8))
def test_no_name_stands_twice(names: list[str]) -> None:
    found = each_once(names)
    assert len(set(found)) == len(names)
    assert all(one.startswith(name) for one, name in zip(found, names, strict=True))


def test_cards_with_hostile_names_stay_in_the_archive() -> None:
    game = games()["spycraft"]
    cards = [Card("spycraft", f"written-{number}", name, "agent", {}, written=True) for number, name in enumerate(HOSTILE)]
    job = Job(game, tuple((card, 1) for card in cards if card.name != HOSTILE[5]), options=file_options(read_options({})))
    names = opened(card_pictures(job, dpi=150)).namelist()
    assert all(re.fullmatch(r"README\.txt|[a-z0-9][a-z0-9-]*\.png", name) for name in names)
    assert {"01x-etc-passwd.png", "01x-kai.png", "01x-kai-2.png", "01x-card.png"} <= set(names)


# -- pictures of cards -----------------------------------------------------------------


@pytest.mark.parametrize(("kind", "dpi", "size"), [("png", 300, (744, 1039)), ("webp", 150, (372, 520)), ("jpeg", 150, (372, 520))])
def test_there_is_a_picture_for_each_different_card(kind: str, dpi: int, size: tuple[int, int]) -> None:
    job, _ = starter("spycraft")
    job = replace(job, entries=job.entries[:3])
    archive = opened(card_pictures(job, kind, dpi))
    suffix = "jpg" if kind == "jpeg" else kind
    counts = [f"{count:02d}x-{plain_name(card.name)}.{suffix}" for card, count in job.entries]
    assert archive.namelist() == ["README.txt", *counts, f"back.{suffix}"]
    for name in archive.namelist()[1:]:
        shown = picture(archive, name)
        assert (shown.format, shown.mode, shown.size) == (kind.upper(), "RGB", size)


@pytest.mark.parametrize("kind", ["png", "webp", "jpeg"])
def test_pictures_say_whose_the_game_is(kind: str) -> None:
    job, _ = starter("agentdecker")
    archive = opened(card_pictures(replace(job, entries=job.entries[:1]), kind, 150))
    assert "Manuel Correia" in archive.read("README.txt").decode()
    assert "CC BY-NC 4.0" in archive.read("README.txt").decode()
    assert all(b"Manuel Correia" in archive.read(name) for name in archive.namelist())


def test_cards_in_two_sections_are_one_picture_with_all_copies() -> None:
    game = games()["spycraft"]
    card = game.cards[0]
    job = Job(game, ((card, 2), (game.cards[1], 1), (card, 3)), options=file_options(read_options({"copies": "2"})))
    assert opened(card_pictures(job, dpi=150)).namelist()[1] == f"10x-{plain_name(card.name)}.png"


def test_bleed_is_part_of_a_picture_where_it_is_asked_for() -> None:
    job, _ = starter("spycraft")
    job = replace(job, entries=job.entries[:1], options=OUTPUTS["cards"].options(read_options({"bleed": "2"}), Wanted(), job.game))
    archive = opened(card_pictures(job))
    assert picture(archive, archive.namelist()[1]).size == (round(67_000 / PIXEL), round(92_000 / PIXEL))
    assert "2 mm of bleed" in archive.read("README.txt").decode()


@pytest.mark.parametrize(("side", "names"), [("fronts", ["README.txt", "02x-x.png"]), ("backs", ["README.txt", "back.png"])])
def test_one_side_alone_is_to_be_had(side: str, names: list[str]) -> None:
    game = games()["spycraft"]
    job = Job(game, ((replace(game.cards[0], name="X"), 2),), options=file_options(read_options({"side": side})))
    assert opened(card_pictures(job, dpi=150)).namelist() == names


def test_a_drawing_with_its_bleed_is_the_same_drawing_further_in() -> None:
    strokes = (
        Rect(-3, -3, 16, 26, "#000000"),
        Line(0, 1, 2, 3, 1, "#000000"),
        TextRun(1, 2, "a", "sans", 3, 4, "#000000"),
        Shape((("M", (1, 2)), ("C", (1, 2, 3, 4, 5, 6)), ("Z", ())), "#000000"),
    )
    moved = with_bleed(Drawing("X", 10, 20, strokes), 3)
    assert (moved.width, moved.height) == (16, 26)
    assert moved.strokes == (
        Rect(0, 0, 16, 26, "#000000"),
        Line(3, 4, 5, 6, 1, "#000000"),
        TextRun(4, 5, "a", "sans", 3, 4, "#000000"),
        Shape((("M", (4, 5)), ("C", (4, 5, 6, 7, 8, 9)), ("Z", ())), "#000000"),
    )


def test_a_character_without_a_letter_is_refused_before_the_first_byte() -> None:
    game = games()["spycraft"]
    job = Job(game, ((replace(game.cards[0], name="秘密"), 1),), options=file_options(read_options({})))
    with pytest.raises(MissingCharacters):
        made(OUTPUTS["cards"], job, Wanted(), read_deck(game, "").deck)


# -- Tabletop Simulator --------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(games()))
def test_ids_of_the_saved_object_are_the_cells_of_the_sheets(slug: str) -> None:
    job, deck = starter(slug)
    saved = tabletop.saved_of(job, deck)
    archive = opened(tabletop.tabletop_archive(job, saved))
    name = next(name for name in archive.namelist() if name.endswith(".json"))
    objects = json.loads(archive.read(name))["ObjectStates"]
    cards = [card for thing in objects for card in thing.get("ContainedObjects", [thing])]
    assert Counter(card["Nickname"] for card in cards) == Counter(card.name for card, count in job.entries for _ in range(count))
    sheets = {sheet.number: sheet for sheet in saved.sheets}
    for card in cards:
        number, cell = divmod(card["CardID"], 100)
        sheet, told_sheet = sheets[number], card["CustomDeck"][str(number)]
        assert sheet.cards[cell].name == card["Nickname"]
        assert (told_sheet["NumWidth"], told_sheet["NumHeight"], told_sheet["BackIsHidden"]) == (sheet.columns, sheet.rows, True)
        assert card["SidewaysCard"] == job.game.face_named(sheet.cards[cell].type).landscape
        image = picture(archive, told_sheet["FaceURL"])
        assert image.mode == "RGB" and max(image.size) <= 4096
        assert image.width % sheet.columns == image.height % sheet.rows == 0
        assert told_sheet["BackURL"] in archive.namelist()
    assert f"{name.removesuffix('.json')}.png" in archive.namelist()


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_saved_object_is_the_one_of_the_decks_own_files(slug: str) -> None:
    job, deck = starter(slug)
    inside = json.loads(tabletop.saved_object(job, tabletop.saved_of(job, deck), "https://sheets.invalid/", "png"))
    reading = read_deck(job.game, job.game.starters[0].text)
    outside = json.loads(export("tts", job.game, replace(reading, deck=replace(reading.deck, name=job.title))).text)
    assert [thing.get("DeckIDs", thing.get("CardID")) for thing in inside["ObjectStates"]] == [
        thing.get("DeckIDs", thing.get("CardID")) for thing in outside["ObjectStates"]
    ]
    assert [thing["CustomDeck"] for thing in inside["ObjectStates"]] == [thing["CustomDeck"] for thing in outside["ObjectStates"]]


def test_each_cell_shows_its_card() -> None:
    job, deck = starter("spycraft")
    saved = tabletop.saved_of(job, deck)
    (sheet,) = saved.sheets
    width, height = tabletop.cell_of(sheet, job.size)
    hues = [f"#{number:02x}0000" for number in range(0, 5 * len(sheet.cards), 5)]
    image = tabletop.sheet_image(sheet, [Drawing("X", *job.size, (Rect(0, 0, *job.size, hue),)) for hue in hues], job.size)
    for cell in range(len(sheet.cards)):
        row, column = divmod(cell, sheet.columns)
        assert image.getpixel((column * width + width // 2, row * height + height // 2)) == (5 * cell, 0, 0)


def test_the_smaller_grid_has_larger_cards() -> None:
    job, deck = starter("spycraft")
    large, readable = tabletop.saved_of(job, deck), tabletop.saved_of(job, deck, tabletop.READABLE)
    assert {(sheet.columns, sheet.rows) for sheet in readable.sheets[:-1]} == {(5, 3)}
    assert tabletop.cell_of(readable.sheets[0], job.size)[0] > tabletop.cell_of(large.sheets[0], job.size)[0]


@given(
    st.integers(1, 70),
    st.sampled_from([(63_500, 88_900), (88_900, 63_500), (70_000, 70_000), (41_000, 63_000), (200_000, 30_000)]),
    st.booleans(),
)
def test_no_sheet_is_larger_than_the_game_takes(count: int, size: tuple[int, int], sideways: bool) -> None:
    sheet = tabletop.Sheet(1, *grid(count), (), sideways)
    width, height = tabletop.cell_of(sheet, size)
    assert 0 < width * sheet.columns <= 4096 and 0 < height * sheet.rows <= 4096
    long, short = max(size), min(size)
    shape = (long / short) if sideways else (short / long)
    assert width / height == pytest.approx(shape, rel=0.05)


def test_cards_that_lie_across_have_a_sheet_and_a_back_of_their_own(sixth_game: Game) -> None:
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    game = replace(sixth_game, faces=faces)
    deck = read_deck(game, "\n".join(f"1 {card.name}" for card in game.cards[:12])).deck
    sheets = sheets_of(game, deck)
    across = [sheet for sheet in sheets if sheet.sideways]
    assert {card.type for sheet in across for card in sheet.cards} == {"courier"}
    assert {sheet.back for sheet in across}.isdisjoint(sheet.back for sheet in sheets if not sheet.sideways)
    width, height = tabletop.cell_of(across[0], game.trim)
    assert width > height


def test_cards_with_backs_of_their_own_have_a_sheet_of_backs(monkeypatch: pytest.MonkeyPatch) -> None:
    job, deck = starter("spycraft")
    saved = tabletop.saved_of(job, deck)
    (sheet,) = saved.sheets
    other = Drawing("Another back", *job.size, (Rect(0, 0, *job.size, "#123456"),))
    pieces = list(pieces_of(job))
    pieces[0] = pieces[0]._replace(back=other)
    monkeypatch.setattr(tabletop, "pieces_of", lambda job: tuple(pieces))
    own = tabletop.saved_of(job, deck)
    assert [one.unique_backs for one in own.sheets] == [True]
    archive = opened(tabletop.tabletop_archive(job, own, "jpeg"))
    backs = picture(archive, own.sheets[0].back.replace(".png", ".jpg"))
    assert (backs.size, backs.format) == (picture(archive, own.sheets[0].back.replace("-backs.png", ".jpg")).size, "JPEG")
    assert json.loads(tabletop.saved_object(job, own, "", "jpeg"))["ObjectStates"][0]["CustomDeck"]["1"]["UniqueBack"] is True
    assert not sheet.unique_backs


def test_only_the_chosen_cards_are_in_the_saved_object() -> None:
    job, deck = starter("spycraft")
    (first, count), *_ = job.entries
    few = replace(job, entries=((first, count),))
    assert [(entry.card.code, entry.count) for entry in tabletop.chosen_of(few, deck)] == [(first.code, count)]


# -- print services ----------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["generic", "drivethru"])
def test_pages_are_a_card_with_an_eighth_of_an_inch_all_round(slug: str) -> None:
    job, _ = starter("agentdecker")
    job = for_service(slug, job)
    data = pdf_of(job, slug)
    with pikepdf.open(io.BytesIO(data)) as document:
        assert len(document.pages) == 2 * job.cards
        for page in document.pages:
            boxes = {name: [float(value) for value in page[f"/{name}"]] for name in ("MediaBox", "BleedBox", "TrimBox")}
            assert boxes["MediaBox"] == pytest.approx([0, 0, 198, 270], abs=1e-3)
            assert boxes["BleedBox"] == pytest.approx(boxes["MediaBox"], abs=1e-3)
            assert boxes["TrimBox"] == pytest.approx([9, 9, 189, 261], abs=1e-3)


@pytest.mark.parametrize(("slug", "order"), [("generic", "front back front"), ("drivethru", "back front back")])
def test_pages_stand_in_the_order_that_the_service_wants(slug: str, order: str) -> None:
    job, _ = starter("agentdecker")
    with pikepdf.open(io.BytesIO(pdf_of(for_service(slug, job), slug))) as document:
        labels = [document.pages[number].label for number in range(3)]
    assert [label.split()[-1] for label in labels] == order.split()


def test_each_copy_has_its_pages_and_each_card_its_name(tmp_path: Path) -> None:
    job, _ = starter("spycraft")
    job = for_service("generic", replace(job, entries=job.entries[4:6]))
    (tmp_path / "cards.pdf").write_bytes(pdf_of(job, "generic"))
    run("qpdf", "--check", str(tmp_path / "cards.pdf"))
    words = [" ".join(page.split()) for page in run("pdftotext", str(tmp_path / "cards.pdf"), "-").split("\f")]
    named = [card.name for card, count in job.entries for _ in range(count)]
    assert all(name in words[2 * place] for place, name in enumerate(named))


def test_colours_run_on_to_the_edge_of_the_page(tmp_path: Path) -> None:
    job, _ = starter("spycraft")
    (tmp_path / "cards.pdf").write_bytes(pdf_of(for_service("generic", job), "generic"))
    run("pdftoppm", "-r", "72", "-png", "-f", "2", "-l", "2", "-singlefile", str(tmp_path / "cards.pdf"), str(tmp_path / "back"))
    back = Image.open(tmp_path / "back.png").convert("RGB")
    assert (255, 255, 255) not in {back.getpixel((x, y)) for x in (1, back.width - 3) for y in (1, back.height - 3)}


def test_pictures_for_the_game_crafter_have_its_size() -> None:
    job, _ = starter("spycraft")
    job = for_service("game-crafter", replace(job, entries=job.entries[:2]))
    archive = opened(service_archive(job, SERVICES["game-crafter"]))
    assert {picture(archive, name).size for name in archive.namelist() if name.endswith(".png")} == {(825, 1125)}
    assert "the game's own size is 63 × 88 mm" in " ".join(archive.read("README.txt").decode().split())


def test_the_order_names_the_pictures_that_lie_beside_it() -> None:
    job, _ = starter("spycraft")
    job = for_service("mpc", job)
    archive = opened(service_archive(job, SERVICES["mpc"]))
    order = archive.read("order.xml").decode()
    named = set(re.findall("<(?:id|cardback)>([^<]+)</", order))
    assert named == {name for name in archive.namelist() if name.startswith(mpc.FOLDER)}
    slots = [
        int(slot)
        for group in re.findall("<slots>([^<]+)</slots>", order.split("<cardback>")[0].split("<backs>")[0])
        for slot in group.split(",")
    ]
    assert sorted(slots) == list(range(job.cards))
    assert {picture(archive, name).size for name in named} == {(819, 1114)}


def test_the_order_reads_back_as_the_deck() -> None:
    job, _ = starter("spycraft")
    parsed = mpc.parse(opened(service_archive(for_service("mpc", job), SERVICES["mpc"])).read("order.xml"))
    assert {row.code: int(row.count) for row in parsed.rows} == {card.code: count for card, count in job.entries}


def test_a_card_with_a_back_of_its_own_has_it_in_the_order() -> None:
    order = mpc.order([mpc.Ordered("a.png", "A", 2), mpc.Ordered("b.png", "B", 1, "back-b.png")])
    backs = order[order.index("<backs>") : order.index("</backs>")]
    assert ("<id>cards/back-b.png</id>" in backs, "<slots>2</slots>" in backs, backs.count("<card>")) == (True, True, 1)


def test_cards_that_lie_across_stand_on_pages_and_pictures(sixth_game: Game) -> None:
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    game = replace(sixth_game, faces=faces)
    card = next(card for card in game.cards if card.type == "courier")
    job = Job(game, ((card, 1),), options=service_options(SERVICES["game-crafter"], read_options({"trim": "poker"}), game.trim))
    archive = opened(service_archive(job, SERVICES["game-crafter"]))
    assert {picture(archive, name).size for name in archive.namelist() if name.endswith(".png")} == {(825, 1125)}


@pytest.mark.parametrize(("slug", "size"), [("mpc", (63_000, 88_000)), ("game-crafter", (63_500, 88_900)), ("generic", (59_000, 92_000))])
def test_a_service_that_does_not_take_the_games_size_gets_its_own(slug: str, size: tuple[int, int]) -> None:
    options = service_options(SERVICES[slug], read_options({}), (59_000, 92_000))
    assert options.trim is not None and options.trim.lengths == size


def test_a_size_that_a_service_does_not_take_is_refused_with_those_it_takes() -> None:
    with pytest.raises(BadOption, match=r"trim must be poker \(63.5 × 88.9 mm\) for The Game Crafter, not “tarot”"):
        service_options(SERVICES["game-crafter"], read_options({"trim": "tarot"}), (63_500, 88_900))


def test_an_order_that_is_too_large_is_said_to_be() -> None:
    job, _ = starter("spycraft")
    job = for_service("mpc", job, copies="12")
    assert any("648 cards: one order of MakePlayingCards" in remark for remark in service_remarks(job, SERVICES["mpc"]))


def test_words_near_the_cut_are_found_with_their_distance() -> None:
    def face(name: str, x: int, y: int, turned: bool = False) -> Piece:
        run = TextRun(x, y, "words", "sans", 3_000, 10_000, "#000000", turned)
        return Piece(name, Drawing(name, 63_500, 88_900, (run, Rect(0, 0, 1, 1, "#000000"))), None, 1)

    # The last two end 3 mm before the right edge and before the upper one.
    pieces = [face("Safe", EIGHTH, 40_000), face("Left", 2_000, 40_000), face("Right", 50_500, 40_000), face("Up", 30_000, 13_000, True)]
    found = too_near(pieces, EIGHTH)
    assert [tuple(near) for near in found] == [("Left", 2_000), ("Right", 3_000), ("Up", 3_000)]
    assert in_words(found, EIGHTH) == "3 faces have words nearer to the cut than 3.175 mm, the nearest 2 mm from it: Left, Right, Up."
    assert in_words((), EIGHTH) == ""
    assert nearest_words(Drawing("Blank", 10, 10, ())) is None


# -- what may be asked for -----------------------------------------------------------------


def test_fields_have_the_defaults_that_are_declared() -> None:
    assert read_wanted({}) == Wanted()
    assert {field.name for field in FIELDS} == set(Wanted.__slots__)
    assert all(set(output.fields) <= set(Wanted.__slots__) for output in OUTPUTS.values())


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "https://",
        "https://a.org/?x=/",
        "//a.org/",
        "https://a.org/ b/",
        'https://a.org/"/',
        "x",
        "http://[/",
    ],
)
def test_an_address_that_no_picture_can_have_is_refused(address: str) -> None:
    with pytest.raises(BadOption, match="base_url must be"):
        read_wanted({"base_url": address})


def test_pictures_are_named_by_the_address_that_was_given() -> None:
    job, deck = starter("spycraft")
    saved = tabletop.saved_of(job, deck)
    for address in ("https://a.org/x/", "https://a.org/x"):
        sheets = json.loads(tabletop.saved_object(job, saved, read_wanted({"base_url": address}).base_url, "png"))
        assert sheets["ObjectStates"][0]["CustomDeck"]["1"]["FaceURL"].startswith("https://a.org/x/spycraft-")


@pytest.mark.parametrize("slug", sorted(OUTPUTS))
def test_a_file_has_the_same_bytes_twice(slug: str) -> None:
    job, deck = starter("agentdecker")
    output, wanted = OUTPUTS[slug], Wanted(dpi="150")
    job = replace(job, options=output.options(read_options({}), wanted, job.game))
    one, two = made(output, job, wanted, deck), made(output, job, wanted, deck)
    assert b"".join(one.chunks) == b"".join(two.chunks)
    assert (one.key, one.filename) == (two.key, f"agentdecker-{plain_name(job.title)}-{output.file}")
    assert made(output, job, replace(wanted, service="mpc", dpi="300"), deck).key != one.key
