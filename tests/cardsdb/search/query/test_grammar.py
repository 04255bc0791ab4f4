"""The parser of the search language: text to tree, problems with their columns, and back to text.

Each kind of fault has a row in ``faults.csv``, which ``test_check.py`` runs.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardsdb.search.query.grammar import MAX_CHARACTERS, MAX_DEPTH, parse
from cardsdb.search.query.scanner import MAX_TERMS
from cardsdb.search.query.tree import (
    And,
    Exact,
    Not,
    Or,
    Query,
    Regex,
    SortKey,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    none_of,
    normal,
    quoted,
    tree_json,
)


def codes(text: str) -> list[str]:
    return [problem.code for problem in parse(text).problems]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("kai", Word("kai")),
        ('"stolen  van"', Word("stolen van")),
        ("!Kai", Exact("Kai")),
        ('!"Smoke & Mirrors"', Exact("Smoke & Mirrors")),
        ("type:agent", Term("type", ":", "agent")),
        ('FACTION="the krypt"', Term("faction", "=", "the krypt")),
        ("craft!=4", Term("craft", "!=", "4")),
        ("craft >= 4", Term("craft", ">=", "4")),
        ("craft>-1", Term("craft", ">", "-1")),
        ("a b", And((Word("a"), Word("b")))),
        ("a or b c", Or((Word("a"), And((Word("b"), Word("c")))))),
        ("(a or b) c", And((Or((Word("a"), Word("b"))), Word("c")))),
        ("(a (b c))", And((Word("a"), Word("b"), Word("c")))),
        ("-a", Not(Word("a"))),
        ("-(a or b)", Not(Or((Word("a"), Word("b"))))),
        ("-(-a)", Word("a")),
        ("(a)-b", And((Word("a"), Not(Word("b"))))),
        ("----a", Word("a")),
        ('"or"', Word("or")),
        ("-or", Not(Word("or"))),
        ("not", Word("not")),
        (
            "RS-9 R&D don't #4 a/b 10:30 back\\slash",
            all_of(Word(w) for w in ("RS-9", "R&D", "don't", "#4", "a/b", "10:30", "back\\slash")),
        ),
        (r'"RS-9, \"The Koffin\""', Word('RS-9, "The Koffin"')),
        ('a"b"c', all_of(Word(w) for w in "abc")),
        ("", None),
    ],
)
def test_a_query_gives_its_tree_without_problems(text, tree):
    assert parse(text).tree == tree
    assert parse(text).problems == ()


def test_a_control_character_is_reported_and_read_as_a_space():
    query = parse("a \x00 b")
    assert [(p.code, p.start, p.end) for p in query.faults] == [("bad-character", 2, 3)]
    assert normal(query) == "a b"


def test_all_problems_are_reported_at_once_in_the_order_of_the_text():
    assert codes('>=3 kai type: ) or "x') == [
        "missing-field",
        "empty-value",
        "stray-bracket",
        "unclosed-quote",
    ]


@pytest.mark.parametrize("text", ["a or >=3", "(>=3)", "->=3 a"])
def test_a_dropped_part_causes_no_second_problem(text):
    assert codes(text) == ["missing-field"]


def test_spans_point_into_the_typed_text():
    text = "kai -(“stolen van” or craft ≥ 4)"
    tree = parse(text).tree
    assert isinstance(tree, And)
    word, opposite = tree.parts
    assert isinstance(opposite, Not)
    assert isinstance(opposite.part, Or)
    phrase, term = opposite.part.parts
    assert isinstance(term, Term)
    assert [text[slice(*part.span)] for part in (word, phrase, term)] == ["kai", "“stolen van”", "craft ≥ 4"]
    assert text[slice(*term.key_span)] == "craft"
    assert text[slice(*term.value_span)] == "4"
    assert opposite.span.start == text.index("-")


def test_a_query_that_is_too_long_is_cut_between_words():
    query = parse("spy " * 5_000_000)
    assert [(p.code, p.start, p.end) for p in query.problems if p.code == "too-long"] == [
        ("too-long", 1023, 20_000_000)
    ]
    assert parse("a" * (MAX_CHARACTERS - 2) + " b").problems == ()
    assert codes("a" * (MAX_CHARACTERS + 1)) == ["too-long"]


def test_more_terms_than_the_limit_are_left_out():
    assert codes("a " * MAX_TERMS) == []
    query = parse("a " * MAX_TERMS + "b c")
    assert [(p.code, p.start, p.end) for p in query.problems] == [("too-many-terms", 80, 83)]
    assert isinstance(query.tree, And)
    assert len(query.tree.parts) == MAX_TERMS


def test_brackets_nest_as_deep_as_the_limit():
    assert parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH) == parse("a")
    query = parse("b " + "(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1) + " c")
    assert [p.code for p in query.problems] == ["too-deep"]
    assert normal(query.tree) == "b c"


# -- properties --------------------------------------------------------------------

values = (
    st.text(st.sampled_from("abcZ09é%_\\\"'()!-:=<>&#/. |ß"), min_size=1, max_size=12)
    .map(lambda v: " ".join(v.split()))
    .filter(bool)
)
OPERATORS = [":", "=", "!=", "<", "<=", ">", ">="]
terms = st.builds(
    Term, st.sampled_from(["type", "craft", "x-file", "or", "a_b2"]), st.sampled_from(OPERATORS), values
)
patterns = values.filter(lambda value: not value.endswith("\\") and "\\/" not in value)
regexes = st.builds(Regex, st.sampled_from(["name", "x-file"]), patterns)
orders = st.lists(
    st.builds(SortKey, st.sampled_from(["name", "craft", "a_b2"]), st.booleans()),
    unique_by=lambda order: order.key,
    max_size=3,
)
leaves = st.one_of(
    regexes,
    st.builds(Word, values | st.sampled_from(["or", "AND", "-", "a:b"])),
    st.builds(Exact, values),
    terms,
)


def _nodes(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    several = st.lists(children, min_size=2, max_size=3)
    return st.one_of(several.map(all_of), several.map(any_of), children.map(none_of))


trees: st.SearchStrategy[Tree] = st.recursive(leaves, _nodes, max_leaves=10)
pieces = st.sampled_from([*' ()-"\\!:≥“/é\u200b\x00', *"or and >= type: craft> order: kai".split()])
texts = st.one_of(st.text(), st.text(st.characters(codec=None)), st.lists(pieces, max_size=30).map("".join))


@given(trees, orders)
def test_the_normal_form_of_any_query_is_parsed_as_the_same_query(tree, order):
    query = Query(tree, order=tuple(order))
    assert parse(normal(query)) == query


@settings(max_examples=300)
@given(texts)
@example("(" * 1024)
@example("\ud800\udfff")
@example('"\\')
@example("İ:x ſ>=1")
def test_any_text_gives_a_tree_and_problems_inside_it(text):
    query = parse(text)
    for problem in query.problems:
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.message
    again = parse(normal(query))
    if len(normal(query)) <= MAX_CHARACTERS:
        assert (again.tree, again.order) == (query.tree, query.order)
        assert again.problems == ()
    assert (tree_json(query.tree) is None) == (query.tree is None)


@given(values)
def test_any_value_in_quotes_is_parsed_back(value):
    assert parse(quoted(value)).tree == Word(value)
    assert parse(f"name:{quoted(value)}").tree == Term("name", ":", value)


def test_fields_to_sort_by_may_have_any_spaces_around_them():
    wide = " " * 900
    assert [(key.key, key.descending) for key in parse('sort:"  -  craft ,, level "').order] == [
        ("craft", True),
        ("level", False),
    ]
    assert [key.key for key in parse(f'sort:"{wide}craft{wide}"'[: MAX_CHARACTERS - 1]).order] == ["craft"]
    assert parse(f'sort:"{wide}"').order == ()
