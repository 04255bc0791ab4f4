"""The contract tells each difference between the sentence of an effect and its line."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.contract.sentences import sentence_faults

SPYCRAFT = games()["spycraft"]
LINE = (
    "React Craft 8 after Craft action targets this agent: [discard 1 card] give that action TN +3; may"
    ' find "Kai"'
)
SENTENCE = (
    "**React Craft 8:** After a Craft action targets this agent, discard 1 card to give that action +3 TN."
    " You may search for “Kai”."
)
DUTIES = "forbid Soldiers to move to HQ; force opponent to discard 2 cards; X is target's craft"
DUTIES_SENTENCE = "Soldiers cannot move to HQ. That opponent must discard 2 cards. X is the target's craft."


def faults(line: str, sentence: str) -> list[str]:
    assert SPYCRAFT.effect_words
    return list(sentence_faults(line, sentence, SPYCRAFT.effect_words, ["Agent"]))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (LINE, SENTENCE),
        (DUTIES, DUTIES_SENTENCE),
        ("give this mission victory points −2", "This mission is worth 2 fewer victory points."),
        ("wound agent; attach self to it", "Wound an agent. Attach this card to that Agent."),
        ("find 1 gear in own deck at cost 0", "Search your deck for a gear card at no cost."),
        (LINE, SENTENCE.removesuffix(".")),  # a name in quotation marks may end a sentence
    ],
)
def test_a_sentence_that_says_what_its_line_says_has_no_fault(line, sentence):
    assert faults(line, sentence) == []


@pytest.mark.parametrize(
    ("line", "sentence", "right", "wrong", "fault"),
    [
        (LINE, SENTENCE, "Craft 8:", "Craft 7:", "its header is 'React Craft 7'"),
        (LINE, SENTENCE, "**React Craft 8:** After", "After", "its header is ''"),
        (LINE, SENTENCE, "+3", "+4", "the number 4 stands only in one of line and sentence"),
        (LINE, SENTENCE, "+3", "−3", "−3 stands only in one of line and sentence"),
        (LINE, SENTENCE, "+3", "3", "+3 stands only in one of line and sentence"),
        (LINE, SENTENCE, "“Kai”", "“Termite”", "the name “Termite” stands only in one of line and sentence"),
        (LINE, SENTENCE, "You may search", "Search", "the line has a “may”"),
        (LINE, SENTENCE, "Craft action", "Combat action", "the term Combat is not in the line"),
        (LINE, SENTENCE, " TN", "", "the term TN is not in it"),
        (LINE, SENTENCE, "this agent", "self", "'self' is notation of lines"),
        (LINE, SENTENCE, "You may", "**You** may", "only a header is bold"),
        (LINE, SENTENCE, "“Kai”.", "“Kai” ", "in single spaces, with a full stop"),
        (LINE, SENTENCE, "“Kai”.", f"“Kai”, {'and so on, ' * 40}.", "320 are the most"),
        (DUTIES, DUTIES_SENTENCE, "cannot", "do", "the line forbids"),
        (DUTIES, DUTIES_SENTENCE, "must discard", "discards", "the line forces"),
        (DUTIES, DUTIES_SENTENCE, "cannot", "may not", "the line has no “may”"),
        (DUTIES, DUTIES_SENTENCE, " X is the target's craft.", "", "only one of line and sentence has an X"),
        ("move agent to HQ", "Move an agent to HQ.", "Move an agent", "An agent must move", "does not force"),
        ("move agent to HQ", "Move an agent to HQ.", "Move an agent", "An agent cannot move", "not forbid"),
    ],
)
def test_a_sentence_that_says_something_else_than_its_line_is_told(line, sentence, right, wrong, fault):
    assert right in sentence
    assert any(fault in told for told in faults(line, sentence.replace(right, wrong, 1)))
