"""Files for print services: pages with their boxes, pictures with an order, words near the cut."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from cardsdb.games.kit import Game
from decks.formats import mpc
from printing.exports.export import read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.exports.print_services import (
    EIGHTH,
    SERVICES,
    near_words,
    nearest_words,
    service_archive,
    service_options,
    service_remarks,
)
from printing.faces.strokes import Drawing, Rect, TextRun
from printing.job.job import Job
from printing.layout.imposition import Piece
from printing.options.values import BadOption, read_options
from tests.support.exports import blank_cards, for_service, opened, pdf_of, picture, starter
from tests.support.programs import run

__all__ = ["blank_cards"]


@pytest.mark.parametrize("slug", ["generic", "drivethru"])
def test_pages_are_a_card_with_an_eighth_of_an_inch_all_round(slug: str) -> None:
    job, _ = starter("agentdecker")
    job = for_service(slug, job)
    data = pdf_of(job, slug)
    with pikepdf.open(io.BytesIO(data)) as document:
        assert len(document.pages) == 2 * job.cards
        for page in document.pages:
            boxes = {
                name: [float(value) for value in page[f"/{name}"]]
                for name in ("MediaBox", "BleedBox", "TrimBox")
            }
            assert boxes["MediaBox"] == pytest.approx([0, 0, 198, 270], abs=1e-3)
            assert boxes["BleedBox"] == pytest.approx(boxes["MediaBox"], abs=1e-3)
            assert boxes["TrimBox"] == pytest.approx([9, 9, 189, 261], abs=1e-3)


def two_sizes() -> Job:
    """A card of Agent Decker, then one of Spycraft, whose cards are smaller."""
    first, second = (
        for_service("generic", replace(job, entries=job.entries[:1]))
        for job in (starter(slug)[0] for slug in ("agentdecker", "spycraft"))
    )
    return replace(first, following=(second,))


def test_cards_of_several_sizes_have_pages_of_their_own_sizes() -> None:
    job = two_sizes()
    with pikepdf.open(io.BytesIO(pdf_of(job, "generic"))) as document:
        sizes = [[float(one) / 72 * 25.4 for one in page["/TrimBox"]] for page in document.pages]
        media = [[float(one) / 72 * 25.4 for one in page["/MediaBox"]] for page in document.pages]
    wanted = [part.size for part in job.parts for _ in range(2 * part.own_cards)]
    assert len({*wanted}) == 2
    for trim, page, (width, height) in zip(sizes, media, wanted, strict=True):
        assert [trim[2] - trim[0], trim[3] - trim[1]] == pytest.approx(
            [width / 1000, height / 1000], abs=1e-3
        )
        assert page == pytest.approx([0, 0, width / 1000 + 6.35, height / 1000 + 6.35], abs=1e-3)


def test_pages_of_several_sizes_are_remarked() -> None:
    (remark,) = [one for one in service_remarks(two_sizes(), SERVICES["generic"]) if "sizes" in one]
    assert "63.5 × 88.9 mm and 63 × 88 mm" in remark


@pytest.mark.parametrize(
    ("slug", "order"), [("generic", "front back front"), ("drivethru", "back front back")]
)
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
    words = [
        " ".join(page.split()) for page in run("pdftotext", str(tmp_path / "cards.pdf"), "-").split("\f")
    ]
    named = [card.name for card, count in job.entries for _ in range(count)]
    assert all(name in words[2 * place] for place, name in enumerate(named))


def test_colours_run_on_to_the_edge_of_the_page(tmp_path: Path) -> None:
    job, _ = starter("spycraft")
    (tmp_path / "cards.pdf").write_bytes(pdf_of(for_service("generic", job), "generic"))
    run(
        "pdftoppm",
        "-r",
        "72",
        "-png",
        "-f",
        "2",
        "-l",
        "2",
        "-singlefile",
        str(tmp_path / "cards.pdf"),
        str(tmp_path / "back"),
    )
    back = Image.open(tmp_path / "back.png").convert("RGB")
    assert (255, 255, 255) not in {
        back.getpixel((x, y)) for x in (1, back.width - 3) for y in (1, back.height - 3)
    }


def test_pictures_for_the_game_crafter_have_its_size() -> None:
    job, _ = starter("spycraft")
    job = for_service("game-crafter", replace(job, entries=job.entries[:2]))
    archive = opened(service_archive(job, SERVICES["game-crafter"]))
    assert {picture(archive, name).size for name in archive.namelist() if name.endswith(".png")} == {
        (825, 1125)
    }
    assert "the game's own size is 63 × 88 mm" in " ".join(archive.read("README.txt").decode().split())


def test_the_order_names_the_pictures_that_lie_beside_it() -> None:
    job, _ = starter("spycraft")
    job = for_service("mpc", replace(job, entries=job.entries[:4]))
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


@pytest.mark.usefixtures("blank_cards")
def test_the_order_reads_back_as_the_deck() -> None:
    job, _ = starter("spycraft")
    parsed = mpc.parse(opened(service_archive(for_service("mpc", job), SERVICES["mpc"])).read("order.xml"))
    assert {row.code: int(row.count) for row in parsed.rows} == {
        card.code: count for card, count in job.entries
    }


def test_a_card_with_a_back_of_its_own_has_it_in_the_order() -> None:
    order = mpc.order([mpc.Ordered("a.png", "A", 2), mpc.Ordered("b.png", "B", 1, "back-b.png")])
    backs = order[order.index("<backs>") : order.index("</backs>")]
    assert ("<id>cards/back-b.png</id>" in backs, "<slots>2</slots>" in backs, backs.count("<card>")) == (
        True,
        True,
        1,
    )


def test_a_piece_without_a_back_has_that_of_all_cards_in_the_order() -> None:
    job, _ = starter("spycraft")
    job = for_service("mpc", replace(job, entries=job.entries[:2]))
    label = Piece("Label", Drawing("Label", *job.size, ()), None, 1, "label")
    archive = opened(service_archive(replace(job, extra=(label,)), SERVICES["mpc"]))
    order = archive.read("order.xml").decode()
    assert "cards/label.png" in archive.namelist() and "<id>cards/label.png</id>" in order
    assert "<backs>" not in order and "<cardback>cards/back.png</cardback>" in order


def test_cards_that_lie_across_stand_on_pages_and_pictures(sixth_game: Game) -> None:
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    game = replace(sixth_game, faces=faces)
    card = next(card for card in game.cards if card.type == "courier")
    job = Job(
        game,
        ((card, 1),),
        options=service_options(SERVICES["game-crafter"], read_options({"trim": "poker"}), game.trim),
    )
    archive = opened(service_archive(job, SERVICES["game-crafter"]))
    assert {picture(archive, name).size for name in archive.namelist() if name.endswith(".png")} == {
        (825, 1125)
    }


@pytest.mark.parametrize(
    ("slug", "size"),
    [("mpc", (63_000, 88_000)), ("game-crafter", (63_500, 88_900)), ("generic", (59_000, 92_000))],
)
def test_a_service_that_does_not_take_the_games_size_gets_its_own(slug: str, size: tuple[int, int]) -> None:
    options = service_options(SERVICES[slug], read_options({}), (59_000, 92_000))
    assert options.trim is not None and options.trim.lengths == size


def test_a_size_that_a_service_does_not_take_is_refused_with_those_it_takes() -> None:
    with pytest.raises(
        BadOption, match=r"Card size must be poker \(63.5 × 88.9 mm\) for The Game Crafter, not “tarot”"
    ):
        service_options(SERVICES["game-crafter"], read_options({"trim": "tarot"}), (63_500, 88_900))


def test_an_order_that_is_too_large_is_said_to_be() -> None:
    job, _ = starter("spycraft")
    job = for_service("mpc", job, copies="12")
    assert any(
        "648 cards: one order of MakePlayingCards" in remark
        for remark in service_remarks(job, SERVICES["mpc"])
    )


def test_pages_that_are_no_cards_are_said_to_be_in_the_sheets_alone() -> None:
    page = Drawing("Notebook", 210_000, 297_000, ())
    job = replace(starter("xfiles")[0], end_pages=(page,))
    said = (
        "1 page besides the cards, such as a register or a notebook, is not in this file:"
        " print the sheets too."
    )
    archive = EXPORT_KINDS["cards"](job, read_export_options({}))
    told = [
        service_remarks(for_service(slug, job), SERVICES[slug]) for slug in ("press", "mpc", "press-sheets")
    ]
    assert [said in one for one in (archive.remarks(), *told)] == [True, True, True, False]


@pytest.mark.usefixtures("blank_cards")
def test_backs_of_pieces_are_counted_as_pictures() -> None:
    job, drawn = starter("spycraft")[0], list[int]()
    plain = Drawing("Turn", *job.game.trim, ())
    job = replace(job, extra=(Piece("Turn", plain, plain._replace(name="Turn, 2 of 2"), 1),))
    archive = EXPORT_KINDS["cards"](job, read_export_options({}))
    archive.write(io.BytesIO(), lambda steps: drawn.append(steps))
    assert max(drawn) == archive.work.steps


def test_words_near_the_cut_are_found_with_their_distance() -> None:
    def face(name: str, x: int, y: int, turned: bool = False) -> Piece:
        run = TextRun(x, y, "words", "sans", 3_000, 10_000, "#000000", turned)
        return Piece(name, Drawing(name, 63_500, 88_900, (run, Rect(0, 0, 1, 1, "#000000"))), None, 1)

    # The last two end 3 mm before the right edge and before the upper one.
    pieces = [
        face("Safe", EIGHTH, 40_000),
        face("Left", 2_000, 40_000),
        face("Right", 50_500, 40_000),
        face("Up", 30_000, 13_000, True),
    ]
    drawings = [piece.front for piece in pieces]
    assert [nearest_words(drawing) for drawing in drawings[1:]] == [2_000, 3_000, 3_000]
    assert (
        near_words(drawings, EIGHTH)
        == "3 faces have words nearer to the cut than 3.175 mm, the nearest 2 mm from it: Left, Right, Up."
    )
    assert near_words((), EIGHTH) == near_words([Drawing("Blank", 10, 10, ())], EIGHTH) == ""


def test_another_way_to_write_the_order_is_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    job, _ = starter("agentdecker")

    def key(service: str) -> str:
        return EXPORT_KINDS["service"](
            for_service(service, job), read_export_options({"service": service})
        ).key

    ordered, pictures = key("mpc"), key("game-crafter")
    plain = mpc.order
    monkeypatch.setattr(mpc, "order", lambda pictures: plain(pictures).replace("Standard", "Superior"))
    assert key("mpc") != ordered and key("game-crafter") == pictures
