"""An invented game of any size, written as a folder like anyone's own: the catalogue's speed is measured on
it.

Every word is made from our own syllables and lists. The same size and seed give the same files.

    python -m tests.bench.generator FOLDER 100000
    CUTOUT_GAMES_PATH=FOLDER python manage.py load_cards
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path
from typing import Any

SLUG = "paperwar"
TYPES = ("operative", "scheme", "asset", "station", "rumour")
RARITIES = ("Common", "Common", "Common", "Uncommon", "Uncommon", "Rare")
SETS = (
    "Cold Open", "Glass Harbour", "The Long Wire", "Salt and Cipher", "Ninth Bureau", "Winter Ledger",
    "Paper Moonlight", "Quiet Rooms", "Borrowed Names", "The Inland Sea", "Second Signature", "Last Ferry",
)  # fmt: skip
FACTIONS = (
    "Bureau Null",
    "Kestrel",
    "the Archive",
    "Les Discrètes",
    "Tidewater",
    "Ögonblick",
    "Sable Desk",
    "Unaligned",
)
TRAITS = (
    "courier", "forger", "listener", "sleeper", "driver", "chemist", "banker", "pilot", "linguist", "locksmith",
    "diplomat", "smuggler", "analyst", "decoy", "handler", "archivist", "cobbler", "watcher", "broker", "radio",
)  # fmt: skip
PLACES = (
    "Brindle Quay",
    "Vostrava",
    "Port Almira",
    "Kleinhain",
    "Sant Orell",
    "Dunmarch",
    "Ilmaberg",
    "Čerwen",
    "Tarraz",
    "Noord Haven",
)
ARTISTS = tuple(
    f"{first} {last}"
    for first in ("Ada", "Ivo", "Noé", "Petra", "Sölve", "Wim")
    for last in ("Arbel", "Kordt", "Lindqvist", "Marais")
)
STARTS = (
    "ka",
    "ve",
    "mo",
    "ti",
    "sla",
    "bre",
    "zo",
    "da",
    "ir",
    "lu",
    "pe",
    "gru",
    "né",
    "ö",
    "sha",
    "fe",
    "ro",
    "ma",
    "ci",
    "dre",
)
MIDDLES = ("ra", "li", "no", "ste", "vi", "la", "mo", "ne", "ta", "ri", "ko", "za", "ré", "du", "shi", "be")
ENDS = ("n", "k", "va", "s", "ski", "rt", "lle", "x", "mo", "dt", "ré", "no", "sch", "ra", "l", "vic")
QUALITIES = (
    "Silent", "Borrowed", "Second", "Broken", "Crimson", "Hollow", "Patient", "Northern", "Gilded", "Faded", "Loyal",
    "Nameless", "Double", "Cold", "Paper", "Midnight", "Forged", "Careful", "Wired", "Hidden", "Last", "Sealed",
)  # fmt: skip
THINGS = (
    "Ledger", "Window", "Umbrella", "Passport", "Signal", "Cipher", "Ferry", "Garden", "Telegram", "Key", "Station",
    "Bargain", "Alibi", "Orchard", "Suitcase", "Whisper", "Portrait", "Antenna", "Contract", "Mirror", "Stairwell", "Map",
)  # fmt: skip
DOES = (
    "Look at the top {n} cards of the {thing} pile.", "Gain {n} favour when a {trait} leaves {place}.",
    "An opponent discards {n} cards unless they reveal a {thing}.", "Each {trait} you control ignores the first {thing} this round.",
    "Move up to {n} tokens from {place} to your station.", "Turn a {trait} face down; it returns after {n} rounds.",
    "Costs {n} less while a {thing} is in play.", "Counts as two {trait}s at {place}.",
)  # fmt: skip
FACTS = ("faction", "cost", "nerve", "reach", "secrecy", "year", "place", "traits", "unique", "artist")
HEADER = (
    "code",
    "name",
    "type",
    "set",
    "number",
    "rarity",
    "print_code",
    "print_note",
    "source",
    "aliases",
    "text",
    "note",
    *FACTS,
)
CLAIMS = ("code", "fact", "value", "document", "section", "lines", "certainty", "note")

DECLARATION = '''"""Paper War: a game invented to measure with."""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.kit import CardType, Fact, Game, Section
from cardsdb.games.paperwar.examples import examples
from cardsdb.games.paperwar.face import FACES
from cardsdb.games.paperwar.rules import FORMATS

TYPES = ("operative", "scheme", "asset", "station", "rumour")

GAME = Game(
    slug="paperwar",
    name="Paper War",
    publisher="nobody",
    year="",
    summary="A game invented to measure with.",
    folder=Path(__file__).parent,
    types=tuple(CardType(slug, slug.capitalize(), slug.capitalize() + "s") for slug in TYPES),
    facts=(
        Fact("faction", "word", "Whom the card works for."),
        Fact("cost", "number", "What playing the card costs."),
        Fact("nerve", "number", "How steady the operative is.", types=("operative",)),
        Fact("reach", "number", "How far the card acts."),
        Fact("secrecy", "number", "How hard the card is to find, from 0 to 100."),
        Fact("year", "number", "The year in which the story is set."),
        Fact("place", "word", "Where the card is at home."),
        Fact("traits", "words", "What the card is good at."),
        Fact("unique", "flag", "Whether only one may be in play."),
        Fact("artist", "word", "Who drew the card."),
    ),
    sections=(Section("deck", "Deck", TYPES),),
    formats=FORMATS,
    faces=FACES,
    hue=("#3b5b7a", "#9dbbd8"),
    examples=examples,
)
'''
RULES = """from cardsdb.games.kit import Format, Size

FORMATS = (Format("open", "Open", (Size("PW-1", at_least=2),), ("deck",)),)
"""
FACES = """from cardsdb.games.kit.print.face import dossier

FACES = {slug: dossier(corner="cost") for slug in ("operative", "scheme", "asset", "station", "rumour")}
"""
EXAMPLES = """from cardsdb.games.kit import Example


def examples():
    return (
        Example("two cards", "open", "2 {name}", "legal"),
        Example("one card", "open", "1 {name}", "incomplete", ("PW-1",)),
    )
"""
RULEBOOK = """[documents.sheet]
title = "Paper War rule sheet"

[documents.list]
title = "Paper War checklist"
kind = "list"

[rules.PW-1]
section = "Decks"
lines = "1"
certainty = "stated"
says = "A deck has at least two cards."
"""
FIRST = "The Very First Errand"


def write_game(where: Path, cards: int, seed: int = 1) -> Path:
    """Write the game's folder into ``where`` and return it."""
    folder = where / SLUG
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "__init__.py": DECLARATION,
        "rules.py": RULES,
        "face.py": FACES,
        "rulebook.toml": RULEBOOK,
        "README.md": "# Paper War\n",
    }
    texts["examples.py"] = EXAMPLES.replace("{name}", FIRST)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    chance = random.Random(seed)
    numbers = [0] * len(SETS)
    with (
        (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file,
        (folder / "claims.csv").open("w", encoding="utf-8", newline="") as disputed,
    ):
        rows, claims = csv.writer(file), csv.writer(disputed)
        rows.writerow(HEADER)
        claims.writerow(CLAIMS)
        for at in range(cards):
            _write_card(rows, claims, chance, at, numbers)
    with (folder / "sets.csv").open("w", encoding="utf-8", newline="") as file:
        sets = csv.writer(file)
        sets.writerow(("code", "name", "year", "size", "official", "source", "note"))
        sets.writerows(
            (f"P{at:02}", name, 1990 + at, numbers[at - 1], "yes", "list", "")
            for at, name in enumerate(SETS, start=1)
        )
    return folder


def _write_card(rows: Any, claims: Any, chance: random.Random, at: int, numbers: list[int]) -> None:
    kind = chance.choices(TYPES, (40, 25, 20, 10, 5))[0]
    name = FIRST if at == 0 else _name(chance, kind)
    facts = _facts(chance, kind)
    code, sure = f"c{at}", f"list#{at + 1}"
    text = " ".join(_sentence(chance) for _ in range(chance.choice((0, 1, 1, 2, 3))))
    sets = sorted(chance.sample(range(len(SETS)), chance.choices((1, 2, 3), (70, 20, 10))[0]))
    for reprint, place in enumerate(sets):
        # Of every set some numbers are lost.
        numbers[place] += 1 if numbers[place] % 97 else 2
        printed = (
            f"P{place + 1:02}",
            numbers[place],
            chance.choice(RARITIES),
            "",
            "",
            sure if chance.random() < 0.9 else f"sheet#{at % 400 + 1}",
        )
        told = ("", "", "", *[""] * len(FACTS)) if reprint else ("", text, "", *facts)
        rows.writerow((code, name, kind, *printed, *told))
    if facts[1] and chance.random() < 0.01:
        claims.writerow((code, "cost", int(facts[1]) + 1, "sheet", "Costs", at % 400 + 1, "conflicting", ""))


def _name(chance: random.Random, kind: str) -> str:
    if kind == "operative" or chance.random() < 0.3:
        made = (
            chance.choice(STARTS)
            + "".join(chance.choices(MIDDLES, k=chance.choice((0, 1, 1, 2))))
            + chance.choice(ENDS)
        )
        return (
            f"{chance.choice(QUALITIES)} {made.capitalize()}"
            if chance.random() < 0.5
            else f"{made.capitalize()} {_surname(chance)}"
        )
    joined = chance.choice((" {}", " {} of {}", " {}, {}", " {}: {}"))
    words = (chance.choice(THINGS), chance.choice((*PLACES, *QUALITIES)))
    return chance.choice(QUALITIES) + joined.format(*words)


def _surname(chance: random.Random) -> str:
    return (chance.choice(STARTS) + chance.choice(MIDDLES) + chance.choice(ENDS)).capitalize()


def _facts(chance: random.Random, kind: str) -> tuple[str, ...]:
    """In the order of FACTS. Small costs are many and large ones few; what is missing is unknown."""

    def known(share: float, value: object) -> str:
        return str(value) if chance.random() < share else ""

    traits = ";".join(chance.sample(TRAITS, chance.choices((0, 1, 2, 3), (20, 40, 30, 10))[0]))
    return (
        known(0.95, chance.choices(FACTIONS, (25, 20, 15, 12, 10, 8, 6, 4))[0]),
        known(0.85, min(int(chance.expovariate(0.4)), 30)),
        known(0.7, chance.randint(1, 10)) if kind == "operative" else "",
        known(0.5, min(int(chance.expovariate(0.8)), 12)),
        known(0.4, chance.randint(0, 100)),
        known(0.6, int(chance.triangular(1919, 1999, 1961))),
        known(0.5, chance.choice(PLACES)),
        traits,
        known(0.9, "yes" if chance.random() < 0.1 else "no"),
        known(0.8, chance.choice(ARTISTS)),
    )


def _sentence(chance: random.Random) -> str:
    words = {
        "thing": chance.choice(THINGS).lower(),
        "trait": chance.choice(TRAITS),
        "place": chance.choice(PLACES),
    }
    return chance.choice(DOES).format(n=chance.randint(1, 6), **words)


if __name__ == "__main__":
    print(write_game(Path(sys.argv[1]), int(sys.argv[2])))
