"""Paper War: an invented game with any number of cards, written as a folder of data. For measuring and load
tests.

All words come from the lists below. The same number of cards and seed always give the same files.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

SLUG = "paper-war"
TYPES = ("operative", "scheme", "asset", "station", "rumour")
RARITIES = ("Common", "Common", "Common", "Uncommon", "Uncommon", "Rare")
SETS = tuple(f"P{number:02}" for number in range(1, 13))
FACTIONS = ("Bureau Null", "Kestrel", "the Archive", "Les Discrètes", "Tidewater", "Ögonblick", "Sable Desk")
PLACES = ("Brindle Quay", "Vostrava", "Port Almira", "Kleinhain", "Sant Orell", "Čerwen", "Noord Haven")
TRAITS = tuple(
    "courier forger listener sleeper driver chemist banker pilot linguist locksmith diplomat smuggler".split()
)
ARTISTS = ("Ada Arbel", "Ivo Kordt", "Noé Marais", "Petra Lindqvist", "Sölve Arbel", "Wim Kordt")
QUALITIES = tuple(
    "Silent Borrowed Second Broken Crimson Hollow Patient Northern Gilded Faded Loyal Nameless Double Cold "
    "Paper Midnight Forged Careful Wired Hidden Last Sealed".split()
)
THINGS = tuple(
    "Ledger Window Umbrella Passport Signal Cipher Ferry Garden Telegram Key Station Bargain Alibi Orchard "
    "Suitcase Whisper Portrait Antenna Contract Mirror Stairwell Map".split()
)
SYLLABLES = "ka ve mo ti sla bre zo da ir lu pe gru né ö sha fe ro ma ci dre ra li no ste vi ne ko za".split()
DOES = (
    "Look at the top {n} cards of the {thing} pile.",
    "Gain {n} favour when a {trait} leaves {place}.",
    "An opponent discards {n} cards unless they reveal a {thing}.",
    "Each {trait} you control ignores the first {thing} this round.",
    "Turn a {trait} face down; it returns after {n} rounds.",
)
# The facts of its cards, by kind.
WORDS = ("faction", "place", "artist")
NUMBERS = ("cost", "nerve", "reach", "secrecy", "year")
FACTS = (*WORDS, *NUMBERS, "traits", "unique")
KINDS = {"traits": "words", "unique": "flag", **dict.fromkeys(NUMBERS, "number")}
# The columns of ``cards.csv`` before those of the facts.
PLAIN = ("code", "name", "type", "set", "number", "rarity", "source", "text")
GAME = """name = "Paper War"
summary = "A game invented to measure with."
hue = ["#3b5b7a", "#9dbbd8"]

[sections.deck]
name = "Deck"
types = ["operative", "scheme", "asset", "station", "rumour"]

[formats.open]
name = "Open"

[[formats.open.rules]]
rule = "size"
at_least = 2
"""


def write_game(where: Path, cards: int, seed: int = 1) -> Path:
    """Write the game's folder into ``where`` and return it."""
    folder = where / SLUG
    folder.mkdir(parents=True)
    types = "".join(
        f'\n[types.{kind}]\nname = "{kind.capitalize()}"\nface = {{ corner = "cost" }}\n' for kind in TYPES
    )
    facts = "".join(
        f'\n[facts.{key}]\nkind = "{KINDS.get(key, "word")}"\nhelp = "An invented fact."\n' for key in FACTS
    )
    (folder / "game.toml").write_text(GAME + types + facts, encoding="utf-8")
    sets = "".join(f"{code},The {code} Papers,,,no,own,\n" for code in SETS)
    (folder / "sets.csv").write_text(f"code,name,year,size,official,source,note\n{sets}", encoding="utf-8")
    chance = random.Random(seed)
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow((*PLAIN, *FACTS))
        for number in range(cards):
            rows.writerows(_card(chance, number))
    return folder


def _card(chance: random.Random, number: int) -> list[tuple[object, ...]]:
    """Return one CSV row per set that the card is in. Only the first row has the text and the facts."""
    kind = chance.choices(TYPES, (40, 25, 20, 10, 5))[0]
    name = _person(chance) if kind == "operative" else _thing(chance)
    text = " ".join(_sentence(chance) for _ in range(chance.choice((0, 1, 1, 2, 3))))
    facts = _facts(chance, kind)
    card_rows: list[tuple[object, ...]] = []
    for of_set in sorted(chance.sample(SETS, chance.choices((1, 2, 3), (70, 20, 10))[0])):
        printed = (f"c{number}", name, kind, of_set, number + 1, chance.choice(RARITIES), "own")
        card_rows.append((*printed, *([""] * (1 + len(FACTS)) if card_rows else (text, *facts))))
    return card_rows


def _person(chance: random.Random) -> str:
    """Return a name such as "Silent Kave Motila"."""
    first, last = ("".join(chance.choices(SYLLABLES, k=chance.choice((2, 3)))).capitalize() for _ in range(2))
    return f"{chance.choice(QUALITIES)} {first}" if chance.random() < 0.5 else f"{first} {last}"


def _thing(chance: random.Random) -> str:
    """Return a name such as "Paper Umbrella of Port Almira"."""
    joined = chance.choice((" ", " of ", ", ", ": "))
    first = f"{chance.choice(QUALITIES)} {chance.choice(THINGS)}"
    return f"{first}{joined}{chance.choice((*PLACES, *QUALITIES))}"


def _facts(chance: random.Random, kind: str) -> tuple[str, ...]:
    """Return the facts in the order of FACTS. Small costs are frequent and large ones rare; "" is an unknown
    fact.
    """

    def known(share: float, value: object) -> str:
        return str(value) if chance.random() < share else ""

    return (
        known(0.95, chance.choices(FACTIONS, (25, 20, 15, 12, 10, 8, 6))[0]),
        known(0.5, chance.choice(PLACES)),
        known(0.8, chance.choice(ARTISTS)),
        known(0.85, min(int(chance.expovariate(0.4)), 30)),
        known(0.7 if kind == "operative" else 0, chance.randint(1, 10)),
        known(0.5, min(int(chance.expovariate(0.8)), 12)),
        known(0.4, chance.randint(0, 100)),
        known(0.6, int(chance.triangular(1919, 1999, 1961))),
        ";".join(chance.sample(TRAITS, chance.choices((0, 1, 2, 3), (20, 40, 30, 10))[0])),
        known(0.9, "yes" if chance.random() < 0.1 else "no"),
    )


def _sentence(chance: random.Random) -> str:
    """Return a sentence of rules text."""
    words = {"thing": chance.choice(THINGS).lower(), "trait": chance.choice(TRAITS)}
    return chance.choice(DOES).format(n=chance.randint(1, 6), place=chance.choice(PLACES), **words)
