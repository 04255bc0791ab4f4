"""Lines of ``effects.csv``: the tags that follow from their words, and the lines that are refused."""

import pytest

from cardsdb.games.kit import EffectWords, spoken
from cardsdb.games.kit.model.effects import MAX_LINE, EffectTags

WORDS = EffectWords(
    moments={"Intel": ".", "React": ".", "Both sides": ".", "Both sides React": "."},
    verbs={"wound": ".", "draw": ".", "discard": ".", "give": ".", "cancel": ".", "allow": "."},
    targets={"agent": ".", "own agent": ".", "action": ".", "card": ".", "hand": "."},
    words=frozenset(
        {"that", "to", "until", "turn", "end", "opposing", "objective", "twice", "after", "declares", "from"}
    ),
)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("wound own agent", EffectTags((), ("wound",), ("own agent",), ())),
        ("Intel Craft 6: draw 2 cards", EffectTags(("Intel",), ("draw",), ("card",), ("Intel Craft 6",))),
        (
            "React Combat X after agent declares action: cancel that action",
            EffectTags(("React",), ("cancel",), ("action",), ("React Combat X",)),
        ),
        (
            "Both sides React Craft after turn: draw 1 card",
            EffectTags(("Both sides React",), ("draw",), ("card",), ("Both sides React Craft",)),
        ),
        (
            "[discard 2 cards] wound agent; draw 1 card",
            EffectTags((), ("wound", "draw"), ("agent", "card"), ()),
        ),
        ("if Chase mission, may wound agent twice", EffectTags((), ("wound",), ("agent",), ())),
        ("then draw 1 card; X is that agent's craft", EffectTags((), ("draw",), ("card",), ())),
        ("only Fixer; give own agents craft +3", EffectTags((), ("give",), ("own agent",), ())),
        (
            "allow agents (Intel Craft: wound agent)",
            EffectTags(("Intel",), ("allow", "wound"), ("agent",), ("Intel Craft",)),
        ),
    ],
)
def test_moments_verbs_and_targets_follow_from_the_words_of_a_line(line, tags):
    assert WORDS.read(line) == tags


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("agent is wounded", "begins with none of the verbs"),
        ("draw 1 card; agent is wounded", "“agent is wounded” begins with none of the verbs"),
        ("Debrief: draw 1 card", "does not begin with a moment"),
        ("draw 1 card.", "nothing behind the last word"),
        ("draw  1 card", "single spaces"),
        ("draw " + "1" * MAX_LINE, "at most 140"),
    ],
)
def test_a_line_is_refused_with_the_part_that_is_not_understood(line, problem):
    with pytest.raises(ValueError, match=problem):
        WORDS.read(line)


def test_the_tags_of_several_lines_are_put_together_each_once():
    assert WORDS.tags_of(["wound agent", "React Craft after turn: wound agent; draw 1 card"]) == EffectTags(
        ("React",), ("wound", "draw"), ("agent", "card"), ("React Craft",)
    )


@pytest.mark.parametrize(
    ("line", "facts", "unknown"),
    [
        ("give own agents' objective +2 until turn end", (), []),
        ('discard "The Zero Sum" from hand', (), []),
        ("Intel Craft 6: draw 1 card", (), ["Craft"]),
        ("Intel Craft 6: draw 1 card", ("craft",), []),
        ("wound each agent gently", (), ["each", "gently"]),
    ],
)
def test_words_on_no_list_and_in_no_fact_are_named(line, facts, unknown):
    assert list(WORDS.unknown_words(line, facts)) == unknown


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("Intel Craft 6: draw 1 card", "Intel Craft 6:"),
        ("React Combat X after agent declares action: cancel that action", "React Combat X"),
        ("Both sides: draw 1 card", "Both sides:"),
        ("draw 1 card", ""),
        ("Somebody's own words: with a colon", ""),
    ],
)
def test_the_header_is_the_part_printed_in_bold(line, header):
    assert WORDS.header_of(line) == header


@pytest.mark.parametrize(
    ("word", "s_form"),
    [("cancel", "cancels"), ("switch", "switches"), ("copy", "copies"), ("play", "plays")],
)
def test_a_word_takes_the_ending_that_its_letters_need(word, s_form):
    assert spoken(word) == s_form
