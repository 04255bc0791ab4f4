"""A snapshot finds, orders, cuts and counts exactly as a plain reading of the cards does."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import pytest
from cardsdb.search.engine.evaluate import Evaluator
from cardsdb.search.engine.snapshot import Row, Snapshot
from pyroaring import BitMap

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.search.engine import snapshot as snapshots
from cardsdb.search.engine.ordering import Ordered, Sorter
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Query, SortKey, Tree, Word
from cardsdb.search.query.vocabulary import search_columns
from tests.support.search_oracle import (
    catalogue_order,
    generated_cards,
    in_order,
    matches,
    random_query,
    with_cards,
)

Pairs = list[tuple[Card, Game]]


def rows_of(pairs: Pairs) -> Iterator[Row]:
    """The rows as the catalogue keeps them, with primary keys in no order."""
    pks = random.Random(1).sample(range(1, 10 * len(pairs) + 1), len(pairs))
    for pk, (card, game) in zip(pks, sorted(pairs, key=lambda pair: catalogue_order(pair[0])), strict=True):
        columns = search_columns(card, game)
        folded_name, search_text, terms = (
            str(columns[name]) for name in ("name_folded", "search_text", "terms")
        )
        listed = json.dumps(
            [card.game, card.code, card.name, card.type, [(p.set, p.number) for p in card.prints], card.facts]
        )
        yield Row(pk, catalogue_order(card), folded_name, search_text, terms, listed)


class Catalogue:
    """Some cards three times: as objects, as a snapshot of them, and as what can be asked about them."""

    def __init__(self, chosen: Sequence[Game]) -> None:
        self.fields = Fields(chosen)
        self.pairs: Pairs = [(card, game) for game in chosen for card in game.cards]
        self.snapshot = Snapshot(rows_of(self.pairs))
        self.all_keys = [card.key for card in self.snapshot.cards(range(len(self.snapshot)))]

    def query(self, text: str) -> Query:
        query = check(parse(text), self.fields)
        assert not query.faults, (text, query.faults)
        return query

    def meant(self, query: Query) -> Pairs:
        return [(card, game) for card, game in self.pairs if matches(query.tree, card, game, self.fields)]

    def find(self, tree: Tree | None, fields: Fields | None = None) -> BitMap:
        return Evaluator(self.snapshot, fields or self.fields).find(tree)

    def cards_of(self, text: str) -> BitMap:
        return self.find(self.query(text).tree)

    def in_order(
        self,
        cards: BitMap,
        order: Sequence[SortKey] = (),
        relevance: str = "",
        tree: Tree | None = None,
        fields: Fields | None = None,
    ) -> Ordered:
        fields = fields or self.fields
        return Sorter(self.snapshot, fields, Evaluator(self.snapshot, fields)).in_order(
            cards, order, fold(relevance), tree
        )

    def keys(self, positions: Iterable[int]) -> list[str]:
        return [self.all_keys[position] for position in positions]

    def names(self, positions: Iterable[int]) -> list[str]:
        return [card.name for card in self.snapshot.cards(positions)]


@pytest.fixture(scope="module")
def made_up() -> Catalogue:
    chosen = [with_cards(game, generated_cards(game, 90, seed=7)) for game in games().values()]
    return Catalogue(chosen)


@pytest.fixture(scope="module")
def real() -> Catalogue:
    return Catalogue(tuple(games().values()))


def assert_answers(catalogue: Catalogue, text: str, relevance: str, rng: random.Random) -> None:
    """The same rows in the same order as a plain reading, also in pieces and one by one."""
    query = catalogue.query(text)
    meant = catalogue.meant(query)
    matches = catalogue.find(query.tree)
    assert sorted(catalogue.keys(matches)) == sorted(card.key for card, _ in meant), text
    wanted = [card.key for card in in_order(meant, query.order, catalogue.fields, relevance, query.tree)]
    ordered = catalogue.in_order(matches, query.order, relevance, query.tree)
    start = rng.randrange(len(wanted) + 1)
    assert catalogue.keys(ordered.slice(start, 9)) == wanted[start : start + 9], text
    assert catalogue.keys(ordered.slice(0, len(ordered))) == wanted, text
    for place in {start, 0, len(wanted) - 1} & set(range(len(wanted))):
        assert ordered.place(ordered.slice(place, 1)[0]) == place, text


@pytest.mark.seeds(5)
def test_random_queries_find_and_order_what_a_plain_reading_does(made_up: Catalogue, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(120):
        name = rng.choice(made_up.pairs)[0].name.split()[0]
        assert_answers(made_up, random_query(rng, made_up.fields), rng.choice(("", name, name[:2])), rng)


@pytest.mark.seeds(2)
def test_random_queries_about_the_real_cards(real: Catalogue, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        name = rng.choice(real.pairs)[0].name.split()[0]
        assert_answers(real, random_query(rng, real.fields), rng.choice(("", name, name[:2])), rng)


def test_every_field_can_be_sorted_by_both_ways(real: Catalogue) -> None:
    rng = random.Random(1)
    for field in real.fields:
        if real.fields.sortable(field.word):
            assert_answers(real, f"order:{field.word}", "", rng)
            assert_answers(real, f"order:-{field.word},type", "", rng)


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
def test_collector_numbers_in_plain_digits_are_compared(made_up: Catalogue, real: Catalogue, op: str) -> None:
    rng = random.Random(4)
    for number in (0, 12, 200, 340, 10**17, -1):
        for text in (f"number{op}{number}", f"-number{op}{number}", f"number{op}{number} type:a"):
            assert_answers(made_up, text, "", rng)
            assert_answers(real, text, "", rng)


def test_the_most_alike_come_first_and_then_by_name_what_was_typed_too(
    made_up: Catalogue, real: Catalogue
) -> None:
    rng = random.Random(5)
    for catalogue in (made_up, real):
        for card, _ in rng.sample(catalogue.pairs, 15):
            query = check(parse(f"similar:{card.key}"), catalogue.fields)
            if not query.faults:
                assert_answers(catalogue, f"similar:{card.key}", "", rng)
                assert_answers(catalogue, f"a similar:{card.key}", "a", rng)
                assert_answers(catalogue, f"similar:{card.key} order:-name", "", rng)


def test_a_field_of_very_many_values_is_sorted_all_the_same(
    made_up: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.search.engine.ordering.MAX_VALUES", 3)
    rng = random.Random(2)
    for order in (
        "type",
        "-type",
        "-level,name",
        "name,-type",
        "-name,prints",
        "artist,-expense,type",
        "game,-name",
    ):
        for text in ("", "a", "type:agent", '"no such card"'):
            assert_answers(made_up, f"{text} order:{order}", "", rng)


def test_a_word_that_means_another_fact_among_other_games_is_sorted_by_that_fact(
    made_up: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.search.engine.ordering.MAX_VALUES", 1)
    order = (SortKey("cost"),)
    for fields in (made_up.fields, Fields(game for game in made_up.fields.games if game.slug == "xfiles")):
        assert fields.sortable("cost")
        wanted = [card.key for card in in_order(made_up.pairs, order, fields)]
        assert (
            made_up.keys(made_up.in_order(made_up.cards_of(""), order, fields=fields).slice(0, 999)) == wanted
        )


def test_a_slice_beyond_the_end_is_short_and_a_stranger_has_no_place(made_up: Catalogue) -> None:
    agents = made_up.cards_of("type:agent")
    stranger = next(iter(made_up.cards_of("") - agents))
    for order in ((), (SortKey("name", True),), (SortKey("type"),)):
        ordered = made_up.in_order(agents, order)
        assert ordered.slice(len(agents), 5) == []
        assert len(ordered.slice(len(agents) - 2, 5)) == 2
        assert ordered.place(stranger) is None


def test_a_page_does_not_make_the_groups_behind_it(
    made_up: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page of many values looks at the first value alone."""
    looked_at: list[int] = []
    types = made_up.snapshot.terms["type!"]
    cards = types.cards
    monkeypatch.setattr(types, "cards", lambda which: looked_at.append(which) or cards(which))
    made_up.in_order(made_up.cards_of(""), (SortKey("type"),)).slice(0, 2)
    assert len(looked_at) == 1


# -- counting --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "a", "type:agent", "-has:faction", '"no such card"', "game:xfiles"])
@pytest.mark.parametrize(
    "key",
    [
        "type",
        "game",
        "set",
        "rarity",
        "traits",
        "faction",
        "unique",
        "expense",
        "source",
        "disputed",
        "nothing",
    ],
)
def test_facets_count_what_a_plain_reading_counts(made_up: Catalogue, text: str, key: str) -> None:
    meant = made_up.meant(made_up.query(text))
    counted: Counter[str] = Counter()
    for card, game in meant:
        terms = str(search_columns(card, game)["terms"]).split("|")
        values = [term.partition("=")[2] for term in terms if term.startswith(f"{key}=")]
        counted.update(values[:1] if key in ("game", "type") else values)
    wanted = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    for limit in (40, 3, 0):
        assert made_up.snapshot.facet(made_up.cards_of(text), key, limit) == wanted[:limit]


def test_values_that_are_not_ready_to_be_counted_are_counted_too(
    monkeypatch: pytest.MonkeyPatch, made_up: Catalogue
) -> None:
    found = made_up.cards_of("type:agent")
    wanted = {key: made_up.snapshot.facet(found, key, 40) for key in ("traits", "faction", "set")}
    monkeypatch.setattr("cardsdb.search.engine.snapshot.MAX_READY", 3)
    unready = Snapshot(rows_of(made_up.pairs))
    assert {key: unready.facet(found, key, 40) for key in wanted} == wanted and len(wanted["traits"]) > 3
    assert unready.facet(found, "traits", 2) == wanted["traits"][:2]


# -- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prefix", ["a", "s", "the", "The ", "zoé", "Mission B", "“gh", "gho", "r", "x-9", "%", "nobody"]
)
def test_completing_gives_names_that_begin_so_then_those_with_a_word_that_does(
    made_up: Catalogue, prefix: str
) -> None:
    wanted = fold(prefix)
    positions = made_up.snapshot.names.completing(wanted, 1_000)
    names = [fold(name) for name in made_up.names(positions)]
    whole = [name for name in names if name.startswith(wanted)]
    assert names[: len(whole)] == whole == sorted(whole)
    assert set(positions[: len(whole)]) == {
        p for p in range(made_up.snapshot.total) if fold(made_up.names([p])[0]).startswith(wanted)
    }
    inside = {p for p in range(made_up.snapshot.total) if f" {wanted}" in fold(made_up.names([p])[0])}
    assert inside <= set(positions)
    assert all(
        any(name[at - 1] in " -\"'(./|_" for at in range(1, len(name)) if name.startswith(wanted, at))
        for name in names[len(whole) :]
    )
    assert made_up.snapshot.names.completing(wanted, 3) == positions[:3]


def slips(name: str, rng: random.Random) -> str:
    """The name with one letter lost, added, changed or swapped with the next."""
    at, letter = rng.randrange(len(name)), rng.choice("etaoinsr")
    kinds = (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :])
    return rng.choice((*kinds, name[:at] + name[at : at + 2][::-1] + name[at + 2 :]))


def test_a_name_with_one_slip_is_found_in_99_of_100(real: Catalogue) -> None:
    rng = random.Random(3)
    names = sorted({fold(card.name) for card, _ in real.pairs if len(card.name) > 3})
    tried = [(name, slips(name, rng)) for name in rng.sample(names, 400)]
    missed = [
        (name, slip)
        for name, slip in tried
        if name not in map(fold, real.names(real.snapshot.names.like(slip, 10)))
    ]
    assert len(missed) <= 4, missed


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("skuly", "scully"),
        ("Scullly", "scully"),
        ("skully", "scully"),
        ("muldr", "mulder"),
        ("berreta", "beretta"),
        ("Agnet", "agent"),
        ("glok", "glock"),
        ("agent muldr", "mulder"),
    ],
)
def test_a_misspelt_word_of_a_name_finds_names_with_the_word(real: Catalogue, typed: str, word: str) -> None:
    names = [fold(name) for name in real.names(real.snapshot.names.like(fold(typed), 6))]
    assert any(word in name.replace(",", " ").split() for name in names), names
    assert len(names) == len(set(names)) <= 6


def test_what_is_like_no_name_finds_none(real: Catalogue) -> None:
    for text in ("", "qqqqqqq", "zzxxyy wwvv", "\ud800", "a" * 5_000, "1 " * 500, "the qqqqq"):
        assert real.snapshot.names.like(fold(text), 5) == []


# -- many at once ----------------------------------------------------------------------------


def test_several_threads_get_the_same_answers() -> None:
    games_with_cards = [with_cards(game, generated_cards(game, 90, seed=7)) for game in games().values()]
    before, shared = Catalogue(games_with_cards), Catalogue(games_with_cards)
    texts = [random_query(random.Random(seed), before.fields) for seed in range(60)]

    def answer(catalogue: Catalogue, text: str) -> list[int]:
        query = catalogue.query(text)
        return catalogue.in_order(catalogue.find(query.tree), query.order, "", query.tree).slice(0, 9_999)

    wanted = [answer(before, text) for text in texts]
    failures: list[str] = []

    def ask(seed: int) -> None:
        for at in random.Random(seed).sample(range(len(texts)), len(texts)):
            if answer(shared, texts[at]) != wanted[at]:
                failures.append(texts[at])

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_orders_that_are_kept_are_bounded(made_up: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.search.engine.ordering.MAX_CACHED", 2)
    for key in ("type", "game", "expense", "artist", "level"):
        made_up.in_order(made_up.cards_of(""), (SortKey("name", True), SortKey(key)))
        assert 0 < len(made_up.snapshot.arrangements) <= 2


# -- what it is made of ----------------------------------------------------------------------


def row(pk: int, name: str, code: str = "") -> Row:
    listed = json.dumps(["game", code or name, name.title(), "agent", [], {}])
    return Row(pk, (name, "game", code or name), name, f"{name}\nagent", "|game=game|type=agent|", listed)


ROWS = [row(9, "kai"), row(4, "tracer"), row(7, "zorka")]


def test_a_snapshot_knows_its_cards() -> None:
    snapshot = Snapshot(ROWS)
    assert (len(snapshot), list(snapshot.pks)) == (3, [9, 4, 7])
    assert [(card.key, card.name) for card in snapshot.cards([0, 2])] == [
        ("game/kai", "Kai"),
        ("game/zorka", "Zorka"),
    ]
    assert [snapshot.position(pk) for pk in (9, 4, 7, 5, 10**9)] == [0, 1, 2, None, None]
    assert list(snapshot.positions([7, 5, 9])) == [0, 2]


@pytest.mark.parametrize(("most", "read"), [(3, 3), (2, 1)])
def test_the_cards_of_a_usual_catalogue_are_read_together_those_of_a_larger_one_as_they_are_shown(
    monkeypatch: pytest.MonkeyPatch, most: int, read: int
) -> None:
    monkeypatch.setattr(snapshots, "MAX_SHOWN", most)
    snapshot = Snapshot(ROWS)
    assert [card.name for card in snapshot.cards([1])] == ["Tracer"]
    assert len(snapshot._shown) == read
    assert [card.name for card in snapshot.cards([2, 0, 1])] == ["Zorka", "Kai", "Tracer"]


@pytest.mark.parametrize(
    ("key", "place"),
    [(("a", "", ""), 0), (("kai", "game", "kai"), 0), (("kai", "game", "l"), 1), (("z", "", ""), 2)],
)
def test_a_card_that_is_not_there_has_a_place_all_the_same(key: tuple[str, str, str], place: int) -> None:
    assert Snapshot(ROWS).place_of(key) == place


def test_a_snapshot_of_no_cards_finds_nothing() -> None:
    snapshot, fields = Snapshot([]), Fields([])
    evaluator = Evaluator(snapshot, fields)
    kai = evaluator.find(Word("kai"))
    assert (len(snapshot), len(kai), Sorter(snapshot, fields, evaluator).in_order(kai, ()).slice(0, 9)) == (
        0,
        0,
        [],
    )
    assert (snapshot.names.completing("k", 9), snapshot.names.like("kai", 9), snapshot.position(1)) == (
        [],
        [],
        None,
    )
    assert snapshot.facet(evaluator.find(None), "type", 9) == []


@pytest.mark.parametrize(
    "rows", [[ROWS[1], ROWS[0]], [row(1, "kai", "b"), row(2, "kai", "a")], [ROWS[0], ROWS[0]]]
)
def test_rows_in_another_order_are_refused(rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="not in catalogue order"):
        Snapshot(rows)
