"""The sentences for violations: the only place where a verdict becomes English."""

from __future__ import annotations

from collections.abc import Mapping

from cardsdb.games.kit.report import Amount, Verdict, Violation

SENTENCES: dict[str, str] = {
    "too-few": "{found} {what}; {wanted} or more are needed.",
    "too-many": "{found} {what}; {wanted} at most may be in the deck.",
    "not-exactly": "{found} {what}; it must be exactly {wanted}.",
    "perhaps-enough": "{found} {what} of {wanted}; {cards} may be among them, but no source states their type.",
    "wrong-type": "{cards}: out of place among the {what}.",
    "too-many-copies": "{found} copies of {cards}; {wanted} at most.",
    "same-value": "{found} {what} ({cards}); only one may be in the deck.",
    "missing-values": "{what} {wanted}: missing.",
    "mixed": "{what} must be the same on all; the deck mixes {found}.",
    "total-too-high": "{what} comes to {found}; {wanted} at most.",
    "not-allowed": "{cards}: not allowed in this format.",
    "fact-unknown": "{cards}: no source states {what}, so this rule cannot be decided.",
}

VERDICTS: dict[Verdict, str] = {
    "legal": "Legal",
    "undecided": "Undecided",
    "incomplete": "Incomplete",
    "illegal": "Not legal",
}


def message(violation: Violation, sentences: Mapping[str, str] = {}) -> str:
    """The violation as a sentence; ``sentences`` are the game's own, looked at first."""
    template = sentences.get(violation.problem) or SENTENCES[violation.problem]
    what = violation.what.replace("_", " ")
    sentence = template.format(
        what=_singular(what) if violation.found == 1 and template.startswith("{found} {what}") else what,
        cards=listed(violation.cards),
        found=amount(violation.found),
        wanted=amount(violation.wanted),
    )
    return sentence[:1].upper() + sentence[1:]


def amount(value: Amount) -> str:
    return listed(value) if isinstance(value, tuple) else str(value)


def listed(words: tuple[str, ...], most: int = 8) -> str:
    """Words as a person lists them: ``a, b and c``; beyond ``most`` the rest is counted."""
    if len(words) > most:
        words = (*words[:most], f"{len(words) - most} more")
    if len(words) < 2:
        return "".join(words)
    # A name may hold a comma itself.
    comma = "; " if any(", " in word for word in words) else ", "
    return f"{comma.join(words[:-1])}{comma.rstrip() if comma == '; ' else ''} and {words[-1]}"


def _singular(plural: str) -> str:
    """One of them: the first word that ends in s loses it (``leaders of level 4``)."""
    words = plural.split(" ")
    for place, word in enumerate(words):
        if word.endswith("s") and not word.endswith("ss"):
            words[place] = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
            break
    return " ".join(words)
