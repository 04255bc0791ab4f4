"""A plain reading of the real cards: what a query means, read off each card alone, and queries that use all
there is to ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Fact, Game
from cardsdb.games.kit.model.text import fold as slow_fold
from cardsdb.search.query.tree import And, Exact, Not, Or, Term, Tree, Word
from cardsdb.search.query.vocabulary import text_lines

ALL = tuple(games().values())

fold = cache(slow_fold)

COMPARE = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "=": int.__eq__,
    ":": int.__eq__,
}


EVERYTHING = frozenset(card.key for game in ALL for card in game.cards)


@cache
def meant(tree: Tree) -> frozenset[str]:
    """The keys of the cards that the tree means. Each of its leaves is read off every card, and kept: many
    trees have the same ones.
    """
    match tree:
        case And(parts):
            return EVERYTHING.intersection(*map(meant, parts))
        case Or(parts):
            return frozenset().union(*map(meant, parts))
        case Not(part):
            return EVERYTHING - meant(part)
    return frozenset(
        card.key for game in ALL if _has(game, tree) for card in game.cards if _matches(card, game, tree)
    )


# What cards of every game have; all else is a fact of some of them.
STANDARD = {"name", "type", "game", "text", "set", "rarity", "number", "certainty", "source"}


def _has(game: Game, leaf: Tree) -> bool:
    """Whether the game has what the leaf asks about: where it has not, none of its cards is meant."""
    match leaf:
        case Term("is" | "has", _, word) | Term(word):
            return word in STANDARD or bool(facts_called(game, word))
    return True


def _matches(card: KitCard, game: Game, leaf: Tree) -> bool:
    """Whether the card is meant by the leaf, read off the card alone."""
    match leaf:
        case Exact(value):
            return fold(card.name) == fold(value)
        case Word(value):
            words = [w for fact in game.facts if fact.kind in ("word", "words") for w in card.words(fact.key)]
            kind = game.types_by_slug[card.type]
            lines = (
                card.name,
                *card.aliases,
                kind.name,
                kind.plural,
                game.name,
                *words,
                *text_lines(card, game),
            )
            return any(fold(value) in fold(line) for line in lines)
        case Term("is", _, value):
            return any(
                card.fact(fact.key) is True for fact in facts_called(game, value) if fact.kind == "flag"
            )
        case Term("has", _, value):
            return known(card, game, value)
        case Term(key, "!=", value):
            return (key == "name" or known(card, game, key)) and not equals(card, game, key, "=", value)
        case Term(key, op, value):
            return equals(card, game, key, op, value)


@cache
def set_codes() -> set[str]:
    return {fold(card_set.code) for game in ALL for card_set in game.sets}


@cache
def facts_called(game: Game, word: str) -> list[Fact]:
    def plain(text: str) -> str:
        return fold(text).replace("-", " ").replace("_", " ")

    return [
        fact
        for fact in game.facts
        if plain(word) in (plain(text) for text in (fact.key, fact.title, *fact.aliases))
    ]


def known(card: KitCard, game: Game, word: str) -> bool:
    match word:
        case "type" | "game" | "source" | "certainty" | "entry":
            return True
        case "text":
            return bool(card.text)
        case "set":
            return bool(card.prints)
        case "rarity":
            return any(p.rarity for p in card.prints)
        case "number":
            return any(p.number or p.code for p in card.prints)
    return any(fact.key in card.facts for fact in facts_called(game, word))


def equals(card: KitCard, game: Game, key: str, op: str, value: str) -> bool:
    wanted = fold(value)

    def among(values: Iterable[str]) -> bool:
        folded = [fold(v) for v in values if fold(v)]
        return wanted in folded if op == "=" else any(wanted in v for v in folded)

    match key:
        case "name":
            return among([card.name])
        case "type":
            return among([card.type, game.types_by_slug[card.type].name])
        case "game":
            return among([game.slug, game.name])
        case "text":
            return among([card.text])
        case "set":
            codes = [fold(p.set) for p in card.prints]
            if op == ":" and wanted in set_codes():
                return wanted in codes
            return wanted in codes or among(game.sets_by_code[p.set].name for p in card.prints)
        case "rarity":
            return wanted in [fold(p.rarity) for p in card.prints]
        case "number" if op in ("<", "<=", ">", ">="):
            written = [text for p in card.prints for text in (p.number, p.code)]
            return any(
                COMPARE[op](int(text), int(value)) for text in written if text.isascii() and text.isdigit()
            )
        case "number":
            return any(wanted in (fold(p.number), fold(p.code)) for p in card.prints)
        case "entry":
            return among((game.kind_of(card),))
        case "certainty":
            return among(claim.certainty for claim in claims_of(card))
        case "source":
            return among(
                text for c in claims_of(card) for text in (c.document, game.documents[c.document].title)
            )
    return any(fact_equals(card, fact, op, value, among) for fact in facts_called(game, key))


def claims_of(card: KitCard) -> Iterable[Claim]:
    return (claim for claims in card.sources.values() for claim in claims)


def fact_equals(card: KitCard, fact: Fact, op: str, value: str, among: Any) -> bool:
    found = card.fact(fact.key)
    if found is None:
        return False
    match fact.kind:
        case "number":
            return value.lstrip("-").isdecimal() and COMPARE[op](found, int(value))
        case "flag":
            return value in ("yes", "no") and found is (value == "yes")
        case _:
            return op in (":", "=") and among(card.words(fact.key))


@cache
def questions() -> list[str]:
    """Terms that use every field, every operator and values that cards really have."""
    asked = [
        "name:the",
        'name="first aid"',
        "name!=kai",
        "!Tracer",
        "tracer",
        '"of the"',
        "%",
        "_",
        "\\",
        "a%b",
        "x_",
        "é",
        "'",
    ]
    asked += [
        "type:agent",
        "type=agent",
        "type!=agent",
        "t:x",
        "has:text",
        "text:draw",
        "x:%",
        "certainty:stated",
        "source:rule",
    ]
    asked += [
        "set:truth",
        "set:x1",
        "s:on",
        "set!=on",
        "set=premiere",
        "rarity:rare",
        "rarity!=common",
        "number:12",
        "number!=12",
        "number>340",
        "number<=12",
    ]
    asked += [f"has:{word}" for word in ("set", "rarity", "number", "type", "source")]
    asked += [f"game:{game.slug}" for game in ALL] + ["game:spy", 'game="the x-files"']
    asked += [
        "cost>=3",
        "cost<3",
        "cost!=3",
        "cost:3",
        "place:public",
        "place>=3",
        "place:3",
        "trait:soldier",
        "skill:computer",
    ]
    for game in ALL:
        for place, fact in enumerate(game.facts):
            asked.append(f"has:{fact.key}")
            values = sorted({w for card in game.cards for w in card.words(fact.key)}, key=str.casefold)
            match fact.kind:
                case "number":
                    asked += [
                        f"{fact.key}{op}3" for op in ((":", ">", ">="), ("=", "!=", "<", "<="))[place % 2]
                    ]
                    asked.append(f"{fact.key}<-1")
                case "flag":
                    asked += [f"{fact.key}:yes", f"{fact.key}=no", f"{fact.key}!=no", f"is:{fact.key}"]
                case _:
                    asked.append(f"{fact.key}:e")
                    if values:
                        value = values[len(values) // 2].replace('"', "")
                        asked += [f'{fact.key}:"{value}"', f"{fact.key}:{fold(value)[:2]}".replace(" ", "")]
                        asked += (
                            [f'{fact.key}{op}"{value}"' for op in ("=", "!=")] if fact.kind != "text" else []
                        )
    return asked
