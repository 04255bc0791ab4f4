"""Which card is in which slot of which side, and that its own back is behind it."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printing.faces.strokes import Drawing
from printing.layout.geometry import Area
from printing.layout.imposition import (
    Piece,
    Placed,
    SheetSide,
    layout_for,
    places_of,
    sheets_needed,
    sheets_of,
)
from printing.options.sizes import PAPERS
from printing.options.values import USUAL, BadOption, read_options

POKER = (63_500, 88_900)


def piece(number: int, count: int = 1, landscape: bool = False) -> Piece:
    """Return a card with a back of its own. The names of the drawings contain its number."""
    width, height = POKER[::-1] if landscape else POKER
    front = Drawing(f"front {number}", width, height, (), turned=landscape)
    return Piece(f"card {number}", front, Drawing(f"back {number}", *POKER, ()), count)


def sides(pieces: list[Piece], **chosen: str) -> list[SheetSide]:
    options = read_options(chosen)
    return list(sheets_of(layout_for(options, POKER), pieces, options))


def names(side: SheetSide) -> list[str]:
    return [placed.drawing.name for placed in side.placed]


def number_of(placed: Placed) -> str:
    return placed.drawing.name.split()[1]


papers = st.sampled_from(list(PAPERS))
jobs = st.fixed_dictionaries(
    {
        "paper": papers,
        "gap": st.sampled_from(["0", "2"]),
        "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
    },
    optional={
        "start": st.sampled_from(["2", "3"]),
        "skip": st.sampled_from(["1", "2"]),
        "turn": st.sampled_from(["upright", "turned"]),
        "left": st.just("8"),
        "top": st.just("9"),
    },
)
pieces_for = st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=20).map(
    lambda drawn: [piece(number, count, landscape) for number, (count, landscape) in enumerate(drawn)]
)


def mirrored(area: Area, width: int, height: int, axis: str) -> Area:
    return (
        area._replace(x=width - area.right) if axis == "vertical" else area._replace(y=height - area.bottom)
    )


@settings(deadline=None)
@given(pieces_for, jobs, st.sampled_from(["long", "short", "gutterfold"]))
def test_behind_each_front_lies_its_own_back(pieces, chosen, backs):
    """This holds on every sheet: the last, partly filled one, with slots left out, in landscape, in a corner,
    turned over either edge, and along a fold (where cards cannot be placed in a corner).
    """
    centred = {"left": "", "top": ""} if backs == "gutterfold" else {}
    options = read_options({**chosen, "backs": backs, **centred})
    layout = layout_for(options, POKER)
    made = list(sheets_of(layout, pieces, options))
    pairs = zip(made, made, strict=True) if layout.fold else zip(made[::2], made[1::2], strict=True)
    axis = layout.fold or layout.axis(options.flip or "long")
    for front, back in pairs:
        fronts = [placed for placed in front.placed if placed.drawing.name.startswith("front")]
        behind = {number_of(placed): [] for placed in fronts}
        for placed in back.placed:
            if placed.drawing.name.startswith("back"):
                behind[number_of(placed)].append(mirrored(placed.area, *layout.paper.lengths, axis))
        for placed in fronts:
            backs_here = behind[number_of(placed)]
            assert min(abs(area.x - placed.x) + abs(area.y - placed.y) for area in backs_here) <= 1
        assert sum(map(len, behind.values())) == len(fronts)


@pytest.mark.parametrize(
    ("chosen", "field"),
    [({"start": "10"}, "start"), ({"skip": "10"}, "skip"), ({"skip": "1,2,3,4,5,6,7,8,9"}, "skip")],
)
def test_slots_that_a_sheet_does_not_have_are_refused(chosen, field):
    with pytest.raises(BadOption, match="1 to 9") as caught:
        layout_for(read_options(chosen), POKER)
    assert caught.value.field == field


@settings(deadline=None)
@given(pieces_for, jobs)
def test_every_copy_is_placed_once_in_list_order_in_a_free_slot(pieces, chosen):
    options = read_options(chosen)
    layout = layout_for(options, POKER)
    made = list(sheets_of(layout, pieces, options))
    copies = [piece.front.name for piece in pieces for _ in range(piece.count)]
    assert [name for side in made for name in names(side)] == copies
    assert len(made) == sheets_needed(layout, options, len(copies)) and made[-1].placed
    slots = {layout.slot(place)[:2]: place + 1 for place in range(layout.per_sheet)}
    for side in made:
        used = [slots[placed.x, placed.y] for placed in side.placed]
        assert used == sorted(set(used)) and not set(used) & set(options.skip)
        assert side.number > 1 or min(used, default=options.start) >= options.start


def test_start_applies_to_the_first_sheet_and_skip_to_all_sheets():
    options = read_options({"start": "8", "skip": "2,9"})
    layout = layout_for(options, POKER)
    assert [places_of(layout, options, number) for number in (1, 2)] == [[7], [0, 2, 3, 4, 5, 6, 7]]
    assert [len(side.placed) for side in sides([piece(1, 9)], start="8", skip="2,9")] == [1, 7, 1]


def test_a_first_sheet_without_a_free_slot_is_still_numbered():
    made = sides([piece(1, 2)], start="9", skip="9")
    assert [(side.number, len(side.placed)) for side in made] == [(1, 0), (2, 2)]


# -- heads --------------------------------------------------------------------------------


ACROSS, DOWN = {"backs": "gutterfold", "fold": "vertical"}, {"backs": "gutterfold", "fold": "horizontal"}
UPRIGHT, TURNED, TO = {"turn": "upright"}, {"turn": "turned"}, {"heads": "to"}
PORTRAIT, LANDSCAPE = {"orientation": "portrait"}, {"orientation": "landscape"}


@pytest.mark.parametrize(
    ("chosen", "front", "back"),
    [
        ({"backs": "long"}, 0, 0),
        ({"backs": "short"}, 0, 180),
        ({"backs": "long"} | TURNED | PORTRAIT, 270, 90),
        ({"backs": "short"} | TURNED | PORTRAIT, 270, 270),
        ({"backs": "long"} | UPRIGHT | LANDSCAPE, 0, 180),
        ({"backs": "short"} | UPRIGHT | LANDSCAPE, 0, 0),
        # Heads point to a fold along their upper or lower edges, or away from it.
        (ACROSS | UPRIGHT, 0, 0),
        (ACROSS | UPRIGHT | TO, 0, 0),
        (ACROSS | TURNED, 90, 270),
        (ACROSS | TURNED | TO, 270, 90),
        (DOWN | UPRIGHT, 0, 180),
        (DOWN | UPRIGHT | TO, 180, 0),
        (DOWN | TURNED, 270, 270),
        (DOWN | TURNED | TO, 270, 270),
    ],
)
def test_a_card_turned_like_a_page_has_its_head_on_top(chosen, front, back):
    turns = [card.turn for side in sides([piece(1)], **chosen) for card in side.placed]
    assert turns == [front, back]
    assert chosen.get("fold") in (None, layout_for(read_options(chosen), POKER).fold)


def test_a_landscape_face_lies_across_its_slot():
    (side,) = sides([piece(1, landscape=True)], turn="turned")
    assert (side.placed[0].turn, side.placed[0].area[2:]) == (0, POKER[::-1])
    (side,) = sides([piece(1, landscape=True)])
    assert (side.placed[0].turn, side.placed[0].area[2:]) == (90, POKER)


# -- sides --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "order"),
    [
        ({"backs": "long"}, ["1 front", "1 back", "2 front", "2 back"]),
        ({"backs": "long", "side": "fronts"}, ["1 front", "2 front"]),
        ({"backs": "short", "side": "backs"}, ["1 back", "2 back"]),
        ({"side": "backs"}, ["1 front", "2 front"]),
    ],
)
def test_fronts_and_backs_alternate_unless_one_side_is_chosen(chosen, order):
    assert [f"{side.number} {side.side}" for side in sides([piece(1, 12)], **chosen)] == order


def test_a_card_without_a_back_leaves_its_slot_behind_empty():
    _, back = sides([piece(1), piece(2)._replace(back=None), piece(3)], backs="long")
    assert names(back) == ["back 1", "back 3"]


@pytest.mark.parametrize(("backs", "behind"), [("long", (-1_000, 500)), ("short", (1_000, -500))])
def test_a_move_of_fronts_moves_their_backs_as_well(backs, behind):
    front, back = sides([piece(1)], backs=backs, front_x="1", front_y="0.5")
    assert (front.shift[:2], back.shift[:2]) == ((1_000, 500), behind)


def test_sides_are_made_one_at_a_time():
    """A job of a hundred million cards begins at once; made whole it would fill the memory."""
    options = USUAL
    stream = sheets_of(layout_for(options, POKER), [piece(1, 10**8)], options)
    assert [side.number for side in islice(stream, 3)] == [1, 2, 3]


@pytest.mark.parametrize(("turn", "first"), [(0, (10, 20)), (90, (10, 60)), (180, (50, 80)), (270, (70, 20))])
def test_a_drawing_is_turned_into_its_slot(turn, first):
    placed = Placed(Drawing("card", 40, 60, ()), 10, 20, turn)
    a, b, c, d, e, f = placed.matrix
    corners = [
        (a * u + c * v + e, b * u + d * v + f)
        for u in (0, placed.drawing.width)
        for v in (0, placed.drawing.height)
    ]
    area = placed.area
    assert corners[0] == first
    assert set(corners) == {(x, y) for x in (area.x, area.right) for y in (area.y, area.bottom)}
