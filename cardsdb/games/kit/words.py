"""The sentences for violations: the only place where a verdict becomes English."""

from __future__ import annotations

from collections.abc import Mapping

from cardsdb.games.kit.report import Amount, Verdict, Violation

SENTENCES: dict[str, str] = {
    "too-few": "{found} {what}; at least {wanted} are needed.",
    "too-many": "{found} {what}; {wanted} at most may be in the deck.",
    "not-exactly": "{found} {what}; it must be exactly {wanted}.",
    "perhaps-enough": "{found} {what} of {wanted}; {cards} may be among them, but no source states their type.",
    "wrong-type": "{cards}: not a card that belongs among the {what}.",
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
    return template.format(
        what=violation.what.replace("_", " "),
        cards=listed(violation.cards),
        found=amount(violation.found),
        wanted=amount(violation.wanted),
    )


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
