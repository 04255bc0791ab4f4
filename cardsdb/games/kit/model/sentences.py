"""The sentences for violations: the only place where a verdict becomes English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardsdb.games.kit.model.report import Amount, Meter, Verdict, Violation
from cardsdb.games.kit.model.text import listed, singular

SENTENCES: dict[str, str] = {
    "too-few": "{found} {what}; {wanted} or more are needed.",
    "too-many": "{found} {what}; {wanted} at most may be in the deck.",
    "not-exactly": "{found} {what}; it must be exactly {wanted}.",
    "perhaps-enough": (
        "{found} {what} of {wanted}; {cards} may be among them, but no source states their type."
    ),
    "wrong-type": "{cards}: out of place among the {what}.",
    "too-many-copies": "{found} copies of {cards}; {wanted} at most.",
    "same-value": "{found} {what} ({cards}); only one may be in the deck.",
    "missing-values": "{what} {wanted}: missing.",
    "mixed": "{what} must be the same on all; the deck mixes {found}.",
    "total-too-high": "{what} comes to {found}; {wanted} at most.",
    "not-allowed": "{cards}: not allowed in this format.",
    "no-such-card": (
        "{cards}: no card of that name is in the catalogue, so no rule can look at it. It is left out of"
        " every count."
    ),
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
        what=singular(what) if violation.found == 1 and template.startswith("{found} {what}") else what,
        cards=listed(violation.cards),
        found=amount(violation.found),
        wanted=amount(violation.wanted),
    )
    return sentence[:1].upper() + sentence[1:]


def meter_words(meter: Meter) -> str:
    """``46 of at least 50``."""
    if meter.least is None and meter.most is None:
        return str(meter.found)
    if meter.least == meter.most:
        return f"{meter.found} of {meter.most}"
    least = f"at least {meter.least}" if meter.least is not None else ""
    most = f"at most {meter.most}" if meter.most is not None else ""
    return f"{meter.found} of {' and '.join(filter(None, (least, most)))}"


# Name, type, key of the card, section, by how many copies.
ChangeOfCard = tuple[str, str, str, str, int]


def repair_words(changes: Sequence[ChangeOfCard], sections: Mapping[str, str], example: bool = False) -> str:
    """Changes as a sentence of instructions: what moves, what is put in for what, what comes out, what comes
    in.
    """
    left = {(key, section): by for _, _, key, section, by in changes}
    parts = []
    for name, _, key, section, _ in changes:
        for other, to in [
            place for place in left if place[0] == key and left[place] > 0 > left[key, section]
        ]:
            moved = min(-left[key, section], left[other, to])
            if moved > 0:
                left[key, section], left[other, to] = left[key, section] + moved, left[other, to] - moved
                parts.append(f"Move {moved} {name} to {sections.get(to, to)}.")
    out = [
        (name, kind, -left[key, section]) for name, kind, key, section, _ in changes if left[key, section] < 0
    ]
    into = [
        (name, kind, left[key, section]) for name, kind, key, section, _ in changes if left[key, section] > 0
    ]
    such_as = ", for example" if example else ""
    if len(out) == len(into) == 1 and out[0][2] == into[0][2]:
        return " ".join((*parts, f"Swap {out[0][2]} {out[0][0]} for {into[0][0]}{such_as}."))
    if out:
        parts.append(f"Take out {listed(tuple(f'{number} {name}' for name, _, number in out))}.")
    if into:
        parts.append(f"Add {listed(tuple(f'{number} {name}' for name, _, number in into))}{such_as}.")
    return " ".join(parts)


def amount(value: Amount) -> str:
    return listed(value) if isinstance(value, tuple) else str(value)
