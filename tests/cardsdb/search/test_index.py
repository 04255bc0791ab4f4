"""The index finds, orders, cuts and counts exactly as a plain reading of the cards does."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from cardsdb.search.index import Index, Row
from cardsdb.search.index.build import build
from cardsdb.search.index.postings import Cache
from pyroaring import BitMap

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Query, SortKey
from cardsdb.search.query.vocabulary import search_columns
from tests.support.search_oracle import catalogue_order, generated_cards, in_order, matches, random_query, with_cards

Pairs = list[tuple[Card, Game]]


def rows_of(pairs: Pairs) -> Iterator[Row]:
    """The rows as the catalogue keeps them, with primary keys in no order."""
    pks = random.Random(1).sample(range(1, 10 * len(pairs) + 1), len(pairs))
    for pk, (card, game) in zip(pks, sorted(pairs, key=lambda pair: catalogue_order(pair[0])), strict=True):
        columns = search_columns(card, game)
        folded_name, search_text, terms = (str(columns[name]) for name in ("name_folded", "search_text", "terms"))
        yield Row(pk, card.key, card.name, folded_name, catalogue_order(card)[0], search_text, terms)


class Catalogue:
    """Some cards three times: as objects, as the index of them, and as what can be asked about them."""

    def __init__(self, chosen: Sequence[Game], path: Path) -> None:
        self.fields = Fields(chosen)
        self.pairs: Pairs = [(card, game) for game in chosen for card in game.cards]
        build(path, 1, rows_of(self.pairs))
        self.index = Index.open(path)

    def query(self, text: str) -> Query:
        query = check(parse(text), self.fields)
        assert not query.faults, (text, query.faults)
        return query

    def meant(self, query: Query) -> Pairs:
        return [(card, game) for card, game in self.pairs if matches(query.tree, card, game, self.fields)]

    def found(self, text: str) -> BitMap:
        return self.index.matching(self.query(text).tree, self.fields)


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    chosen = [with_cards(game, generated_cards(game, 90, seed=7)) for game in games().values()]
    return Catalogue(chosen, tmp_path_factory.mktemp("index") / "made-up")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return Catalogue(tuple(games().values()), tmp_path_factory.mktemp("index") / "real")


def assert_answers(catalogue: Catalogue, text: str, relevance: str, rng: random.Random) -> None:
    """The same rows in the same order as a plain reading, also in pieces and one by one."""
    query = catalogue.query(text)
    meant = catalogue.meant(query)
    index = catalogue.index
    found = index.matching(query.tree, catalogue.fields)
    assert sorted(index.keys(found)) == sorted(card.key for card, _ in meant), text
    wanted = [card.key for card in in_order(meant, query.order, catalogue.fields, relevance, query.tree)]
    ordered = index.in_order(found, query.order, relevance, catalogue.fields, query.tree)
    start = rng.randrange(len(wanted) + 1)
    assert index.keys(ordered.slice(start, 9)) == wanted[start : start + 9], text
    assert index.keys(ordered.slice(0, len(ordered))) == wanted, text
    for place in {start, 0, len(wanted) - 1} & set(range(len(wanted))):
        assert ordered.place(ordered.slice(place, 1)[0]) == place, text


@pytest.mark.seeds(10)
def test_random_queries_find_and_order_what_a_plain_reading_does(made_up: Catalogue, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        name = rng.choice(made_up.pairs)[0].name.split()[0]
        assert_answers(made_up, random_query(rng, made_up.fields), rng.choice(("", name, name[:2])), rng)


@pytest.mark.seeds(4)
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


def test_the_most_alike_come_first_and_then_by_name_what_was_typed_too(made_up: Catalogue, real: Catalogue) -> None:
    rng = random.Random(5)
    for catalogue in (made_up, real):
        for card, _ in rng.sample(catalogue.pairs, 40):
            query = check(parse(f"similar:{card.key}"), catalogue.fields)
            if not query.faults:
                assert_answers(catalogue, f"similar:{card.key}", "", rng)
                assert_answers(catalogue, f"a similar:{card.key}", "a", rng)
                assert_answers(catalogue, f"similar:{card.key} order:-name", "", rng)


def test_a_field_of_very_many_values_is_sorted_all_the_same(made_up: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.search.index.sorter.MANY_VALUES", 3)
    rng = random.Random(2)
    for order in ("type", "-type", "-level,name", "name,-type", "-name,prints", "artist,-expense,type", "game,-name"):
        for text in ("", "a", "type:agent", '"no such card"'):
            assert_answers(made_up, f"{text} order:{order}", "", rng)


def test_a_word_that_means_another_fact_among_other_games_is_sorted_by_that_fact(
    made_up: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.search.index.sorter.MANY_VALUES", 1)
    order = (SortKey("cost"),)
    for fields in (made_up.fields, Fields(game for game in made_up.fields.games if game.slug == "xfiles")):
        assert fields.sortable("cost")
        wanted = [card.key for card in in_order(made_up.pairs, order, fields)]
        assert made_up.index.keys(made_up.index.in_order(made_up.found(""), order, "", fields).slice(0, 999)) == wanted


def test_without_fields_an_order_means_a_key(made_up: Catalogue) -> None:
    everything = made_up.found("")
    for key in ("expense", "artist", "type", "nobody_has_it"):
        order = (SortKey(key, True),)
        one = made_up.index.in_order(everything, order)
        wanted = in_order(made_up.pairs, order, made_up.fields)
        assert made_up.index.keys(one.slice(0, 999)) == [card.key for card in wanted]


def test_a_slice_beyond_the_end_is_short_and_a_stranger_has_no_place(made_up: Catalogue) -> None:
    found = made_up.found("type:agent")
    stranger = next(iter(made_up.found("") - found))
    for order in ((), (SortKey("name", True),), (SortKey("type"),)):
        ordered = made_up.index.in_order(found, order)
        assert ordered.slice(len(found), 5) == []
        assert len(ordered.slice(len(found) - 2, 5)) == 2
        assert ordered.place(stranger) is None


def test_a_page_does_not_make_the_groups_behind_it(made_up: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page of many values looks at the first value alone."""
    looked_at: list[object] = []
    finder = made_up.index._finder
    cards = finder.cards
    monkeypatch.setattr(finder, "cards", lambda key, which: looked_at.append(which) or cards(key, which))
    ordered = made_up.index.in_order(made_up.found(""), (SortKey("type"),), "", made_up.fields)
    ordered.slice(0, 2)
    assert len(looked_at) == 1


# -- counting --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "a", "type:agent", "-has:faction", '"no such card"', "game:xfiles"])
@pytest.mark.parametrize(
    "key", ["type", "game", "set", "rarity", "traits", "faction", "unique", "expense", "source", "disputed", "nothing"]
)
def test_facets_count_what_a_plain_reading_counts(made_up: Catalogue, text: str, key: str) -> None:
    meant = made_up.meant(made_up.query(text))
    for slug in (None, "spycraft"):
        counted: Counter[str] = Counter()
        for card, game in meant:
            if slug in (None, game.slug):
                terms = str(search_columns(card, game)["terms"]).split("|")
                values = [term.partition("=")[2] for term in terms if term.startswith(f"{key}=")]
                counted.update(values[:1] if key in ("game", "type") else values)
        wanted = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        assert made_up.index.facet(made_up.found(text), key, slug) == wanted[:40]
        assert made_up.index.facet(made_up.found(text), key, slug, most=3) == wanted[:3]


# -- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["a", "s", "the", "The ", "zoé", "Mission B", "“gh", "gho", "r", "x-9", "%", "nobody"])
def test_completing_gives_names_that_begin_so_then_those_with_a_word_that_does(made_up: Catalogue, prefix: str) -> None:
    wanted = fold(prefix)
    positions = made_up.index.names_starting(prefix, 1_000)
    names = [fold(name) for name in made_up.index.names(positions)]
    whole = [name for name in names if name.startswith(wanted)]
    assert names[: len(whole)] == whole == sorted(whole)
    assert set(positions[: len(whole)]) == {p for p in range(len(made_up.index)) if fold(made_up.index.names([p])[0]).startswith(wanted)}
    inside = {p for p in range(len(made_up.index)) if f" {wanted}" in fold(made_up.index.names([p])[0])}
    assert inside <= set(positions)
    assert all(
        any(name[at - 1] in " -\"'(./|_" for at in range(1, len(name)) if name.startswith(wanted, at)) for name in names[len(whole) :]
    )
    assert made_up.index.names_starting(prefix, 3) == positions[:3]


def slips(name: str, rng: random.Random) -> str:
    """The name with one letter lost, added, changed or swapped with the next."""
    at, letter = rng.randrange(len(name)), rng.choice("etaoinsr")
    kinds = (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :])
    return rng.choice((*kinds, name[:at] + name[at : at + 2][::-1] + name[at + 2 :]))


def test_a_name_with_one_slip_is_found_in_99_of_100(real: Catalogue) -> None:
    rng = random.Random(3)
    names = sorted({fold(card.name) for card, _ in real.pairs if len(card.name) > 3})
    tried = [(name, slips(name, rng)) for name in rng.sample(names, 400)]
    missed = [(name, slip) for name, slip in tried if name not in map(fold, real.index.names(real.index.names_like(slip, 10)))]
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
    found = [fold(name) for name in real.index.names(real.index.names_like(typed, 6))]
    assert any(word in name.replace(",", " ").split() for name in found), found
    assert len(found) == len(set(found)) <= 6


def test_what_is_like_no_name_finds_none(real: Catalogue) -> None:
    for text in ("", "qqqqqqq", "zzxxyy wwvv", "\ud800", "a" * 5_000, "1 " * 500, "the qqqqq"):
        assert real.index.names_like(text, 5) == []


# -- many at once ----------------------------------------------------------------------------


def test_several_threads_get_the_same_answers(made_up: Catalogue) -> None:
    texts = [random_query(random.Random(seed), made_up.fields) for seed in range(60)]
    wanted = [made_up.found(text) for text in texts]
    order = (SortKey("type"), SortKey("name", True))
    ordered = made_up.index.in_order(made_up.found(""), order, "", made_up.fields)
    wanted_order = made_up.index.in_order(made_up.found(""), order, "", made_up.fields).slice(0, 9_999)
    failures: list[str] = []

    def ask(seed: int) -> None:
        index = Index(made_up.index.container) if seed % 2 else made_up.index
        for at in random.Random(seed).sample(range(len(texts)), len(texts)):
            if index.matching(made_up.query(texts[at]).tree, made_up.fields) != wanted[at]:
                failures.append(texts[at])
        if ordered.slice(seed, 300) != wanted_order[seed : seed + 300]:
            failures.append("order")

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_found_bitmap_is_the_callers_own(made_up: Catalogue) -> None:
    for text in ("", "a", "type:agent", "has:faction"):
        found = made_up.found(text)
        before = len(found)
        found.clear()
        assert len(made_up.found(text)) == before > 0


def test_bitmaps_are_kept_within_a_bound_and_the_least_used_go_first() -> None:
    cache, made = Cache(most=10_000), list[int]()

    def ask(number: int) -> None:
        assert cache.get(number, lambda: made.append(number) or BitMap(range(number, 5_000, 7))) == BitMap(range(number, 5_000, 7))
        assert cache._bytes <= 10_000

    for number in range(1, 20):
        ask(0)
        ask(number)
    assert made == list(range(20)), "the bitmap that was asked for each time has gone"
    ask(1)
    assert made[-1] == 1


def test_a_bitmap_that_would_push_out_most_others_is_not_kept() -> None:
    cache, made = Cache(most=10_000), list[int]()
    for _ in range(2):
        cache.get("large", lambda: made.append(1) or BitMap(range(0, 5_000, 3)))
    assert made == [1, 1]
