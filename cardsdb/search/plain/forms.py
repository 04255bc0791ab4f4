"""The forms of words and phrases: without punctuation, singular and plural, and those of a verb.

``vocabulary`` enters each phrase in all its forms, and the modules beside it look words up in them. A form
that does not exist in English does no harm, because no question has it.

Tests: ``tests/cardsdb/search/plain/test_forms.py``.
"""

import re
from collections.abc import Iterable

from cardsdb.games.kit import fold, spoken

# A word with apostrophes inside, or one of the signs that names are made of.
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[*+]")


def phrase_of(text: str) -> str:
    """Return a text in the form in which phrases are compared: folded words without punctuation,
    "X-Files: Case" -> "x files case".
    """
    return " ".join(words_in(fold(text)))


def words_in(text: str) -> list[str]:
    """Return the words of a folded text, without punctuation."""
    return _WORD.findall(text)


def together(phrase: str) -> str:
    """Return a phrase as one word, without apostrophes."""
    return phrase.replace(" ", "").replace("'", "")


def forms(phrase: str) -> Iterable[str]:
    """Return the phrase as it is, and its singular or plural: "agents" -> "agents", "agent"."""
    before, _, last = phrase.rpartition(" ")
    lasts = [last]
    if last.endswith("men"):
        lasts.append(f"{last.removesuffix('men')}man")
    elif last.endswith("man"):
        lasts.append(f"{last.removesuffix('man')}men")
    elif len(last) > 1:
        lasts.append(spoken(last))
        if last.endswith("ies"):
            lasts.append(f"{last.removesuffix('ies')}y")
        elif last.endswith(("ches", "shes", "sses", "xes", "zes")):
            lasts.append(last.removesuffix("es"))
        elif last.endswith("s") and not last.endswith("ss"):
            lasts.append(last.removesuffix("s"))
    return [f"{before} {word}" if before else word for word in dict.fromkeys(lasts)]


def verb_forms(verb: str) -> Iterable[str]:
    """Return the forms of a verb: "cancel" -> cancel, cancels, canceling, cancelling, canceled, cancelled. A
    verb in "-t" or "-te" also has a noun: activation, activations.
    """
    stem = verb.removesuffix("e")
    # A last consonant may be doubled before "-ing" and "-ed".
    doubled = f"{verb}{verb[-1]}" if verb[-1] not in "aeiouwxy" else stem
    noun = (f"{stem}ion", f"{stem}ions") if stem.endswith("t") else ()
    return dict.fromkeys(
        (verb, spoken(verb), f"{stem}ing", f"{doubled}ing", f"{stem}ed", f"{doubled}ed", *noun)
    )
