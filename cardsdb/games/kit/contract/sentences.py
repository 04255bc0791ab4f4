"""Compares the sentence that people read about an effect with the line of ``effects.csv`` that it words.

Both must have the same header, quoted names, numbers and terms, and must allow, forbid and force the same.
The comparison works on words alone, so it finds slips of the pen but not every difference in meaning.

    Line:      Intel Craft 6: attach self to mission until turn end
    Sentence:  **Intel Craft 6:** Attach this card to a mission until end of turn.

With "**Intel Craft 7:** You may attach 2 Agents to a mission." three faults are found: the header, the number
2 and the "may". ``checks.py`` calls ``sentence_faults`` for each line. In the helpers ``body`` is the line
without its header, ``rest`` the sentence without its header. Tests:
``tests/cardsdb/games/kit/contract/test_sentences.py``.
"""

import re
from collections.abc import Iterable, Iterator

from cardsdb.games.kit.model.effects import EffectWords

MAX_SENTENCE = 320  # characters
# Headers of lines that the sentence does not repeat: it says the trigger in its words.
_UNREPEATED = re.compile(r"(?:Play|In play|Always)(?![\w-])")
# "**React Craft 8:** " at the beginning of a sentence.
_HEADED = re.compile(r"\*\*([^*]+):\*\* (?=\S)")
# (sign, digits) of a number that is no part of a word: "+3" but not "M16".
_NUMBER = re.compile(r"(?<![\w.])([+−]?)([0-9]+)")
# A quoted name, in straight quotes in a line and in typographic ones in a sentence.
_NAME = re.compile(r'"([^"]*)"|“([^”]*)”')
# A term of the game is written with a capital.
_TERM = re.compile(r"\b[A-Z][A-Za-z]*")
# Words of a sentence that stand for the sign of a number.
_MORE = re.compile(r"\b(?:more|higher|extra|above|additional)\b")
_FEWER = re.compile(r"\b(?:fewer|less|lower|below)\b")
_FORBIDDEN = re.compile(r"\b(?:cannot|no|not|never|neither|nor|only|without)\b", re.IGNORECASE)
# The notation of lines, which a sentence must put into plain words.
_NOTATION = re.compile(r"\bself\b|\b(?:turn|mission) end\b|\bforbid\b|\ballow to\b|;")


def sentence_faults(line: str, sentence: str, words: EffectWords, terms: Iterable[str]) -> Iterator[str]:
    """The differences between a sentence and its line, each in words. ``terms``: words with a capital that
    any sentence may have, such as the names of the game's types.
    """
    if not sentence or sentence != " ".join(sentence.split()) or sentence[-1] not in ".”":
        yield "it must be a sentence in single spaces, with a full stop"
        return
    if len(sentence) > MAX_SENTENCE:
        yield f"it has {len(sentence)} characters; {MAX_SENTENCE} are the most"
    header = words.header_of(line).removesuffix(":")
    match = _HEADED.match(sentence)
    own_header, rest = (match[1], sentence[match.end() :]) if match else ("", sentence)
    if own_header != ("" if _UNREPEATED.match(header) else header):
        yield f"its header is {own_header!r}, the line's {header!r}"
    body = line[len(header) :]
    yield from _other_names(body, rest)
    # Words and numbers inside names are no terms and numbers of the effect: from here on they are left out.
    body, rest = _NAME.sub("", body), _NAME.sub("", rest)
    yield from _other_numbers(body, rest)
    if bool(re.search(r"\bX\b", body)) is not bool(re.search(r"\bX\b", rest)):
        yield "only one of line and sentence has an X"
    yield from _other_terms(body, rest, {*terms, *_TERM.findall(line)})
    yield from _other_duties(body, rest)
    if "**" in rest:
        yield "only a header is bold"
    if strange := _NOTATION.search(rest):
        yield f"{strange[0]!r} is notation of lines, which no reader knows"


def _other_names(body: str, rest: str) -> Iterator[str]:
    """The quoted names that only one of the two has."""
    for name in sorted(_names(body) ^ _names(rest)):
        yield f"the name “{name}” stands only in one of line and sentence"


def _names(text: str) -> set[str]:
    return {straight or curly for straight, curly in _NAME.findall(text)}


def _other_numbers(body: str, rest: str) -> Iterator[str]:
    """The numbers that only one of the two has. A sentence may say 1 as "a", 0 as "no", and a sign as
    "more" or "fewer": "give it +2" agrees with "It gets 2 more", not with "It gets 2".
    """
    # Pairs (sign, digits), ("+", "2").
    line, sentence = set(_NUMBER.findall(body)), set(_NUMBER.findall(rest))
    unsigned = {number for _, number in line} ^ {number for _, number in sentence}
    for number in sorted(unsigned - {"1"}):
        if number != "0" or not re.search(r"\bno\b", rest):
            yield f"the number {number} stands only in one of line and sentence"
    # Signs: of the pairs that only one has, those of the sentence are always faults, those of the line unless
    # a word says the sign.
    for sign, number in sorted(line ^ sentence):
        as_word = _MORE if sign == "+" else _FEWER
        if sign and ((sign, number) in sentence or not as_word.search(rest)):
            yield f"{sign}{number} stands only in one of line and sentence"


def _other_terms(body: str, rest: str, known: set[str]) -> Iterator[str]:
    """The terms that the sentence lacks, and those that it has beyond ``known``. Singular and plural are the
    same term.
    """
    stems = {*map(_stem, re.findall(r"\w+", rest))}
    known_stems = {*map(_stem, known)}
    for term in _TERM.findall(body):
        if _stem(term) not in stems and term not in ("X", "The"):
            yield f"the term {term} is not in it"
    # The first word of a sentence has a capital anyway, so it is made small before terms are looked for.
    uncapitalised = re.sub(r"(?:^|(?<=[.:] ))\W*\w", lambda first: first[0].lower(), rest)
    for term in _TERM.findall(uncapitalised):
        if _stem(term) not in known_stems and term != "X":
            yield f"the term {term} is not in the line"


def _stem(word: str) -> str:
    """The word in small letters without the ending of singular or plural: "Agents" and "agent" -> "agent",
    "Agencies" and "Agency" -> "agenc".
    """
    return re.sub(r"(?:ies|es|s|y|men|man)$", "", word.casefold())


def _other_duties(body: str, rest: str) -> Iterator[str]:
    """The things that only one of the two allows, forbids or forces."""
    may = bool(re.search(r"\bmay\b", rest))
    if not may and re.search(r"\bmay\b", body):
        yield "the line has a “may”"
    if may and not re.search(r"\b(?:may|allow|only|make|if)\b", body):
        yield "the line has no “may”"
    if re.search(r"\bforbid\b", body) and not _FORBIDDEN.search(rest):
        yield "the line forbids"
    if "cannot" in rest and not re.search(r"\b(?:forbid|cannot|may not)\b", body):
        yield "the line does not forbid"
    if re.search(r"\bmust\b", rest) and not re.search(r"\b(?:force|make|must)\b", body):
        yield "the line does not force"
    if re.search(r"\bforce\b", body) and not re.search(r"\b(?:must|force[sd]?)\b", rest):
        yield "the line forces"
