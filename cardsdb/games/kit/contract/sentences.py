"""The sentence of a line says what the line says: the same header, numbers, names and terms, and the same is
allowed, forbidden and forced.
"""

import re
from collections.abc import Iterable, Iterator

from cardsdb.games.kit.model.effects import EffectWords

MAX_SENTENCE = 320
# A trigger alone: its moment is no header of a sentence.
_WITHIN = re.compile(r"(?:Play|In play|Always)(?![\w-])")
_HEADED = re.compile(r"\*\*([^*]+):\*\* (?=\S)")
_NUMBER = re.compile(r"(?<![\w.])([+−]?)([0-9]+)")
_NAME = re.compile(r'"([^"]*)"|“([^”]*)”')
_TERM = re.compile(r"\b[A-Z][A-Za-z]*")
_MORE = re.compile(r"\b(?:more|higher|extra|above|additional)\b")
_FEWER = re.compile(r"\b(?:fewer|less|lower|below)\b")
_FORBIDDEN = re.compile(r"\b(?:cannot|no|not|never|neither|nor|only|without)\b", re.IGNORECASE)
# Words that no player sees.
_NOTATION = re.compile(r"\bself\b|\b(?:turn|mission) end\b|\bforbid\b|\ballow to\b|;")


def sentence_faults(line: str, sentence: str, words: EffectWords, terms: Iterable[str]) -> Iterator[str]:
    """The differences between a sentence and its line. ``terms``: words with a capital that any sentence may
    have, such as the names of the game's types.
    """
    if not sentence or sentence != " ".join(sentence.split()) or sentence[-1] not in ".”":
        yield "it must be a sentence in single spaces, with a full stop"
        return
    if len(sentence) > MAX_SENTENCE:
        yield f"it has {len(sentence)} characters; {MAX_SENTENCE} are the most"
    header = words.header_of(line).removesuffix(":")
    found = _HEADED.match(sentence)
    said, rest = (found[1], sentence[found.end() :]) if found else ("", sentence)
    if said != ("" if _WITHIN.match(header) else header):
        yield f"its header is {said!r}, the line's {header!r}"
    body = line[len(header) :]
    yield from _other_names(body, rest)
    body, rest = _NAME.sub("", body), _NAME.sub("", rest)
    yield from _other_numbers(body, rest)
    if ("X" in re.findall(r"\bX\b", body)) is not ("X" in re.findall(r"\bX\b", rest)):
        yield "one of them has an X"
    yield from _other_terms(body, rest, {*terms, *_TERM.findall(line)})
    yield from _other_duties(body, rest)
    if "**" in rest:
        yield "only a header is bold"
    if strange := _NOTATION.search(rest):
        yield f"{strange[0]!r} is a word of lines"


def _other_names(body: str, rest: str) -> Iterator[str]:
    """Tell which quoted name stands in one of them alone."""
    lines, sentences = ({one[0] or one[1] for one in _NAME.findall(text)} for text in (body, rest))
    for name in sorted(lines ^ sentences):
        yield f"the name “{name}” stands in one of them alone"


def _other_numbers(body: str, rest: str) -> Iterator[str]:
    """Tell which number stands in one of them alone. A sign may be a word; 1 may be "a", and 0 "no"."""
    line, sentence = ({(sign, number) for sign, number in _NUMBER.findall(text)} for text in (body, rest))
    numbers = {number for _, number in line}, {number for _, number in sentence}
    for number in sorted((numbers[0] ^ numbers[1]) - {"1"}):
        if number != "0" or not re.search(r"\bno\b", rest):
            yield f"the number {number} stands in one of them alone"
    for sign, number in sorted(line ^ sentence):
        as_word = _MORE if sign == "+" else _FEWER
        if sign and ((sign, number) in sentence or not as_word.search(rest)):
            yield f"{sign}{number} stands in one of them alone"


def _other_terms(body: str, rest: str, known: set[str]) -> Iterator[str]:
    """Tell which term with a capital the sentence lacks, or has beyond the line's and ``known``; a plural is
    as its singular, and the first word of a sentence has its capital anyway.
    """
    said, stems = {*map(_stem, re.findall(r"\w+", rest))}, {*map(_stem, known)}
    for term in _TERM.findall(body):
        if _stem(term) not in said and term not in ("X", "The"):
            yield f"the term {term} is not in it"
    for term in _TERM.findall(re.sub(r"(?:^|(?<=[.:] ))\W*\w", lambda first: first[0].lower(), rest)):
        if _stem(term) not in stems and term != "X":
            yield f"the term {term} is not in the line"


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|y|men|man)$", "", word.casefold())


def _other_duties(body: str, rest: str) -> Iterator[str]:
    """Tell what one of them allows, forbids or forces alone."""
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
