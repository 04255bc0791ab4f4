"""Files for print services: pages with their boxes, pictures with an order, and remarks such as words near
the cut.
"""

import io
import re
from dataclasses import replace

import pikepdf
import pytest

from decks.formats import mpc
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
from printing.layout.imposition import Piece
from printing.options.values import BadOption, read_options
from tests.support.exports import for_service, opened, pdf_of, picture, starter
from tests.support.programs import run
from tests.support.rendering import pictures


@pytest.mark.parametrize(
    ("slug", "order"), [("generic", ["front", "back", "front"]), ("drivethru", ["back", "front", "back"])]
)
def test_fronts_and_backs_alternate_in_the_order_of_the_service(slug, order):
    job = for_service(slug, starter("agentdecker")[0])
    with pikepdf.open(io.BytesIO(pdf_of(job, slug))) as document:
        assert len(document.pages) == 2 * job.cards
        assert [page.label.split()[-1] for page in document.pages][:3] == order


def test_each_page_is_a_card_with_its_bleed_and_several_sizes_have_a_remark():
    first, second = (
        for_service("generic", replace(starter(slug)[0], entries=starter(slug)[0].entries[:1]))
        for slug in ("agentdecker", "spycraft")
    )
    job = replace(first, following=(second,))
    wanted = [part.size for part in job.parts for _ in range(2 * part.own_cards)]
    with pikepdf.open(io.BytesIO(pdf_of(job, "generic"))) as document:
        for page, (width, height) in zip(document.pages, wanted, strict=True):
            whole = [0, 0, width + 2 * EIGHTH, height + 2 * EIGHTH]
            boxes = {
                "Media": whole,
                "Bleed": whole,
                "Trim": [EIGHTH, EIGHTH, EIGHTH + width, EIGHTH + height],
            }
            for name, box in boxes.items():
                edges = [float(edge) / 72 * 25_400 for edge in page[f"/{name}Box"]]
                assert edges == pytest.approx(box, abs=1), name
    (remark,) = [remark for remark in service_remarks(job, SERVICES["generic"]) if "sizes" in remark]
    assert "63.5 × 88.9 mm and 63 × 88 mm" in remark


def test_each_copy_has_its_own_pages_with_colours_up_to_the_edge(tmp_path):
    job, _ = starter("spycraft")
    job, path = for_service("generic", replace(job, entries=job.entries[4:6])), tmp_path / "cards.pdf"
    path.write_bytes(pdf_of(job, "generic"))
    words = [" ".join(page.split()) for page in run("pdftotext", str(path), "-").split("\f")]
    named = [card.name for card, count in job.entries for _ in range(count)]
    assert all(name in words[2 * place] for place, name in enumerate(named))
    # Page 3 shows a back, whose colour runs on to the edge of the page.
    back = pictures(path.read_bytes(), 3)[1]
    corners = [(x, y) for x in (1, back.width - 3) for y in (1, back.height - 3)]
    assert (255, 255, 255) not in {back.getpixel(corner) for corner in corners}


def test_pictures_for_the_game_crafter_have_its_size(sixth_game):
    job, _ = starter("spycraft")
    job = for_service("game-crafter", replace(job, entries=job.entries[:2]))
    faces = {**sixth_game.faces, "courier": replace(sixth_game.face_named("courier"), landscape=True)}
    across = replace(job, game=replace(sixth_game, faces=faces), entries=((sixth_game.card("zorka"), 1),))
    for made in (job, across):
        archive = opened(service_archive(made, SERVICES["game-crafter"]))
        names = [name for name in archive.namelist() if name.endswith(".png")]
        assert {picture(archive, name).size for name in names} == {(825, 1125)}


def test_the_order_names_the_pictures_beside_it_and_reads_back_as_the_deck():
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
    rows = mpc.parse(archive.read("order.xml")).rows
    assert {row.code: int(row.count) for row in rows} == {card.code: count for card, count in job.entries}


def test_a_card_with_a_back_of_its_own_has_it_in_the_order():
    order = mpc.order([mpc.Ordered("a.png", "A", 2), mpc.Ordered("b.png", "B", 1, "back-b.png")])
    backs = order[order.index("<backs>") : order.index("</backs>")]
    assert "<id>cards/back-b.png</id>" in backs and "<slots>2</slots>" in backs
    assert backs.count("<card>") == 1


def test_a_piece_without_a_back_gets_the_common_back_in_the_order():
    job, _ = starter("spycraft")
    job = for_service("mpc", replace(job, entries=job.entries[:2]))
    label = Piece("Label", Drawing("Label", *job.size, ()), None, 1, "label")
    archive = opened(service_archive(replace(job, extra=(label,)), SERVICES["mpc"]))
    order = archive.read("order.xml").decode()
    assert "cards/label.png" in archive.namelist() and "<id>cards/label.png</id>" in order
    assert "<backs>" not in order and "<cardback>cards/back.png</cardback>" in order


@pytest.mark.parametrize(
    ("slug", "size"),
    [("mpc", (63_000, 88_000)), ("game-crafter", (63_500, 88_900)), ("generic", (59_000, 92_000))],
)
def test_a_service_gets_a_size_that_it_takes(slug, size):
    options = service_options(SERVICES[slug], read_options({}), (59_000, 92_000))
    assert options.trim is not None and options.trim.lengths == size


def test_a_size_that_a_service_does_not_take_is_refused():
    with pytest.raises(
        BadOption, match=r"Card size must be poker \(63.5 × 88.9 mm\) for The Game Crafter, not “tarot”"
    ):
        service_options(SERVICES["game-crafter"], read_options({"trim": "tarot"}), (63_500, 88_900))


def test_pages_that_the_file_leaves_out_have_a_remark():
    job = replace(starter("xfiles")[0], end_pages=(Drawing("Notebook", 210_000, 297_000, ()),))
    remarks = {slug: " ".join(service_remarks(for_service(slug, job), SERVICES[slug])) for slug in SERVICES}
    without = [slug for slug, words in remarks.items() if "1 page besides the cards" not in words]
    assert without == ["press-sheets"]


def test_words_near_the_cut_have_a_remark_with_their_distance():
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
        == "3 faces have words nearer to the cut than 3.175 mm, the nearest 2 mm from it: Left; Right; Up."
    )
    nearly, beyond = (near_words([face("Near", x, 40_000).front], EIGHTH) for x in (EIGHTH - 1, -520))
    assert "the nearest 3.1 mm from it" in nearly and "the nearest 0.6 mm beyond it" in beyond
    assert near_words((), EIGHTH) == near_words([Drawing("Blank", 10, 10, ())], EIGHTH) == ""
