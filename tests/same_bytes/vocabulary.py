"""What the catalogue holds, as the API tells it, and queries made up of that."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from tests.same_bytes.recorder import Visitor

GAMES = ("spycraft", "xfiles", "spynet", "steamspy", "agentdecker")
COMPARED = (":", "=", "!=", "<", "<=", ">", ">=")
SENTENCES = (
    "{fact} {number} or more",
    "{types} with {fact} {number} or less",
    "{value} {types} with {fact} at least {number}",
    "{types} that have {fact} {number}+",
    "{types} without {fact}",
    "{types} whose {word} is not {value}",
    "{types} whose {word} is {value}",
    "{fact} between {number} and {higher}",
    "show me all {types} with more than {number} {fact}",
    "{value} or {value2} {types}",
    "{types} sorted by {fact}",
    "{types} highest {fact}",
    "cards with {fact} over {number} and {fact2} under {higher}",
    "{fact} {number}-{higher}",
    "which {types} cost less than {number}",
    "{value} is {value2} or {value}",
    "{types} from {set}",
    "not {value} {types}",
)


class Vocabulary:
    """Games, sets, types, facts and their values, names and keys."""

    def __init__(self, visitor: Visitor) -> None:
        self.games = {game: visitor.api("GET", f"games/{game}/").json() for game in GAMES}
        self.sets = [(one["game"], one["code"]) for one in _all(visitor, "sets/?page_size=100")]
        cards = _all(visitor, "cards/?fields=key,name,type,game,facts&page_size=100")
        self.keys = [card["key"] for card in cards]
        self.names = [" ".join(card["name"].replace("“", '"').replace("”", '"').split()) for card in cards]
        self.keys_by_type: dict[str, list[str]] = defaultdict(list)
        values: dict[str, set[str]] = defaultdict(set)
        for card in cards:
            self.keys_by_type[f"{card['game']} {card['type']}"].append(card["key"])
            for fact, value in card["facts"].items():
                for one in value if isinstance(value, list) else [value]:
                    values[fact].add(str(one).lower() if isinstance(one, bool) else str(one))
        self.values = {fact: sorted(known) for fact, known in sorted(values.items())}
        facts = {fact["key"]: fact for game in self.games.values() for fact in game["facts"]}
        self.facts = dict(sorted(facts.items()))
        self.numbers = [key for key, fact in self.facts.items() if fact["kind"] == "number"]
        self.words = [
            key
            for key, fact in self.facts.items()
            if fact["kind"] in ("word", "words") and key in self.values
        ]
        self.flags = [key for key, fact in self.facts.items() if fact["kind"] == "flag"]
        self.aliases = {alias: key for key, fact in self.facts.items() for alias in fact["aliases"]}
        self.types = sorted({one["slug"] for game in self.games.values() for one in game["types"]})
        self.plurals = sorted(
            {one["plural"].lower() for game in self.games.values() for one in game["types"]}
        )

    # -- random queries --------------------------------------------------------------------

    def query(self, rng: random.Random) -> str:
        """A query of any kind: of the language's own words, in plain English, or with slips."""
        kind = rng.random()
        text = self.sentence(rng) if kind < 0.15 else self.tree(rng, 0)
        if rng.random() < 0.3:
            text += f" order:{','.join(rng.choice(('', '-')) + key for key in rng.sample(self._sortable(), rng.choice((1, 1, 2))))}"
        if rng.random() < 0.1:
            text = self._slip(rng, text)
        return text[:400]

    def sentence(self, rng: random.Random) -> str:
        word = rng.choice(self.words)
        number = rng.randrange(0, 9)
        return rng.choice(SENTENCES).format(
            fact=rng.choice(self.numbers).replace("_", rng.choice((" ", "_"))),
            fact2=rng.choice(self.numbers).replace("_", " "),
            number=number,
            higher=number + rng.randrange(1, 4),
            types=rng.choice(self.plurals),
            word=word,
            value=rng.choice(self.values[word]).lower(),
            value2=rng.choice(self.values[word]),
            set=rng.choice(self.sets)[1],
        )

    def tree(self, rng: random.Random, depth: int) -> str:
        shape = rng.random()
        if depth == 3 or shape < 0.45:
            return self.leaf(rng)
        parts = [self.tree(rng, depth + 1) for _ in range(rng.randint(2, 3))]
        if shape < 0.75:
            return " ".join(parts)
        if shape < 0.92:
            return f"({rng.choice((' or ', ' OR ')).join(parts)})"
        return f"-({parts[0]})"

    def leaf(self, rng: random.Random) -> str:
        minus = "-" if rng.random() < 0.15 else ""
        name = rng.choice(self.names)
        choices = (
            (4, lambda: rng.choice(name.split())),
            (2, lambda: rng.choice(name.split())[: rng.randint(1, 5)]),
            (1, lambda: f'"{name[rng.randrange(4) :].replace(chr(34), "")}"'),
            (1, lambda: f'!"{name.replace(chr(34), "")}"'),
            (2, lambda: f"name{rng.choice((':', '='))}{_quoted(rng.choice(name.split()))}"),
            (2, lambda: f"{rng.choice(('name', 'text', 'type', *self.words))}:/{self._pattern(rng, name)}/"),
            (
                6,
                lambda: (
                    f"{self._number(rng)}{rng.choice(COMPARED)}{rng.choice((0, 1, 2, 3, 4, 5, 8, 12, -2, 1500))}"
                ),
            ),
            (2, lambda: f"{self._number(rng)}{rng.choice(COMPARED)}{rng.choice(self.numbers)}"),
            (6, lambda: self._valued(rng)),
            (2, lambda: f"{rng.choice(('t', 'type'))}{rng.choice((':', '=', '!='))}{rng.choice(self.types)}"),
            (2, lambda: f"{rng.choice(('g', 'game'))}:{rng.choice(GAMES)}"),
            (
                2,
                lambda: (
                    f"{rng.choice(('set', 's', 'in'))}{rng.choice((':', '=', '!='))}{rng.choice(self.sets)[1]}"
                ),
            ),
            (
                1,
                lambda: (
                    f"{rng.choice(('rarity', 'in', 'r'))}:{rng.choice(('rare', 'common', 'uncommon', 'fixed', 'promo'))}"
                ),
            ),
            (2, lambda: f"{rng.choice(('is', 'not'))}:{rng.choice((*self.flags, 'disputed', 'reprint'))}"),
            (2, lambda: f"has:{rng.choice((*self.facts, 'text', 'rarity', 'number', 'set'))}"),
            (1, lambda: f"similar:{_quoted(rng.choice((rng.choice(self.keys), name)))}"),
            (1, lambda: f"{rng.choice(('prints', 'number'))}{rng.choice(COMPARED)}{rng.randrange(0, 120)}"),
            (1, lambda: f"certainty:{rng.choice(('stated', 'inferred', 'conflicting', 'outside'))}"),
            (1, lambda: f"source:{rng.choice(('rulebook', 'octgn', 'manual', 'plug-in', 'checklist'))}"),
            (1, lambda: f"disputed:{rng.choice([*self.facts])}"),
        )
        return minus + rng.choices([make for _, make in choices], [weight for weight, _ in choices])[0]()

    def _number(self, rng: random.Random) -> str:
        short = [alias for alias, key in self.aliases.items() if key in self.numbers]
        return rng.choice(short) if short and rng.random() < 0.3 else rng.choice(self.numbers)

    def _valued(self, rng: random.Random) -> str:
        word = rng.choice((*self.words, *self.words, *self.flags))
        value = rng.choice(self.values.get(word, ["yes", "no"]))
        value = value[: rng.randint(1, len(value))] if rng.random() < 0.25 else value
        return f"{word}{rng.choice((':', ':', '=', '!='))}{_quoted(value)}"

    def _pattern(self, rng: random.Random, name: str) -> str:
        part = (
            "".join(char for char in name.lower() if char.isalnum() or char == " ")[: rng.randint(1, 5)]
            or "a"
        )
        return rng.choice(
            (
                "^{}",
                "{}$",
                "{}",
                "{}.*e",
                "({}|an)",
                "{}?s",
                ".",
                "^.{{3,8}}$",
                r"\b{}",
                "[aeiou]{{2}}",
                "{}(",
            )
        ).format(part)

    def _sortable(self) -> list[str]:
        return [
            "name",
            "type",
            "game",
            "prints",
            *self.numbers,
            *(key for key in self.words if self.facts[key]["kind"] == "word"),
        ]

    def _slip(self, rng: random.Random, text: str) -> str:
        """One letter out of its place, left out or doubled."""
        place = rng.randrange(len(text))
        return rng.choice(
            (
                text[:place] + text[place + 1 :],
                text[:place] + text[place : place + 1] + text[place:],
                text[:place] + text[place:][::-1],
            )
        )


def _quoted(value: str) -> str:
    value = value.replace('"', "")
    return (
        value
        if value and all(char.isalnum() or char in "/-" for char in value) and value[0] != "/"
        else f'"{value}"'
    )


def _all(visitor: Visitor, path: str) -> list[dict[str, Any]]:
    """All results of a list of the API, page by page."""
    found: list[dict[str, Any]] = []
    while path:
        answer = visitor.api("GET", path).json()
        if isinstance(answer, list):
            return answer
        found += answer["results"]
        path = (answer["next"] or "").partition("/api/v1/")[2]
    return found
