"""The contract of a game folder: every fault, also of effects, is told once, and all faults at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardsdb.games import games
from cardsdb.games.kit import EFFECT_FACTS, Group, Pile
from cardsdb.games.kit.contract.checks import effect_problems, problems
from cardsdb.games.kit.play.opening import Opening
from cardsdb.games.kit.play.statistics import Curve
from tests.support.game_folders import with_files


def test_each_file_that_an_empty_folder_lacks_is_named(tmp_path, sixth_game):
    empty = replace(sixth_game, folder=tmp_path / "deaddrop")
    (tmp_path / "deaddrop").mkdir()
    files = ("cards.csv", "game.toml", "rulebook.toml", "README.md", "examples.toml")
    assert problems(empty) == [f"deaddrop/{name} is missing" for name in files]


# First lines of sets.csv and cards.csv.
SET_HEAD = "code,name,year,size,official,source,note"
HEAD = "code,name,type,set,number,rarity,print_code,print_note,source"


@pytest.mark.parametrize("slug", ["Dead Drop", "d" * 41, ""])
def test_the_slug_of_a_type_that_cannot_stand_in_an_address_breaks_the_contract(sixth_game, slug):
    types = (replace(sixth_game.types[0], slug=slug), *sixth_game.types[1:])
    assert any(f"type {slug!r} must" in problem for problem in problems(replace(sixth_game, types=types)))


# The first two lines of cards.csv, without faults.
GOOD = "zorka,Zorka,courier,,,,,,sheet\nbox,Sealed Box,parcel,,,,,,sheet"

# File -> (its text, the beginning of each fault).
FAULTS = {
    "cards.csv": (
        (
            f"{HEAD}\n{GOOD}\n-a,A,courier,,,,,,sheet\nb,B,spy,,,,,,sheet\nc,C,courier,,,,,,\n"
            f"d,D  D,courier,,,,,,sheet\nl,L,courier,DD,1,,,{'n' * 301},sheet\n"
        ),
        (
            "cards.csv line 4, column code",
            "cards.csv line 5, column type",
            "cards.csv line 6, column source",
            "card 'd': the name has stray",
            "cards.csv line 8, column print_note",
        ),
    ),
    "claims.csv": (
        "code,fact,value,document,section,lines,certainty,note\nzorka,wit,,sheet,,1,stated,\nnobody,city,,sheet,,1,stated,\n",
        (
            "claims.csv line 2, column fact: no fact is called 'wit'",
            "claims.csv line 3: no card has the code 'nobody'",
        ),
    ),
    "sets.csv": (
        (
            f"{SET_HEAD}\nS/1,Set,,,yes,,\nDD,Set,,many,yes,,\n{'S' * 21},Set,,,yes,,\n,Set,,,yes,,\n"
            "DD,Set,,²,yes,,\n"
        ),
        tuple(
            f"sets.csv line {line}, column {column}"
            for line, column in enumerate(("code", "size", "code", "code", "size"), 2)
        ),
    ),
    "glossary.toml": (
        (
            '[terms.Courier]\nmeaning = "Someone."\nsection = "Cards"\nlines = "3"\ncertainty ='
            ' "stated"\ncolour = "red"\n[terms.Parcel]\n'
        ),
        (
            "glossary.toml, terms.Courier.colour: means nothing here",
            "glossary.toml, terms.Parcel.meaning: is missing",
        ),
    ),
    "set_up.toml": (
        (
            '[players]\nnumbers = "some"\n[[steps]]\ntitle = "One"\nsays = "One."\ncites = "DD-9"\n'
            'needs = [{ what = "Cards", kind = "air" }]\n[[open]]\nruling = "R-9"\n'
        ),
        (
            "set_up.toml, players.numbers: numbers of players",
            "set_up.toml, steps.1.cites: 'DD-9' is no rule",
            "set_up.toml, steps.1.needs.1.kind: must be one of card, token, other",
            "set_up.toml, open.1.ruling: 'R-9' is no ruling",
        ),
    ),
    "play.toml": (
        (
            '[from_here]\nreach = "half"\nsays = "No."\n[[parts]]\ntitle = "One"\nhead = ["A", "B"]\n'
            'rows = [["a"]]\n[[parts.steps]]\ntitle = "Rest"\nsays = "Rest."\nrulings = ["R-9"]\n'
            '[[parts]]\ntitle = "Two"\ncolour = "red"\n'
        ),
        (
            "play.toml, from_here.reach: must be one of whole, partly, own cards",
            "play.toml, parts.1.rows: every row has as many cells as the head",
            "play.toml, parts.1.steps.1.rulings: 'R-9' is no ruling",
            "play.toml, parts.2.colour: means nothing here",
        ),
    ),
    "starters/first.txt": ("// name: First\n2 Zorka\n", ("starters/first.txt: no line '// format: ...'",)),
    "starters/next.txt": ("// format: street\n2 Zorka\n", ("starters/next.txt: no line '// name: ...'",)),
}


def test_the_faults_of_all_files_and_of_declarations_are_told_at_once_and_each_once(sixth_game, tmp_path):
    broken = with_files(sixth_game, tmp_path, {name: text for name, (text, _) in FAULTS.items()})
    broken = replace(broken, statistics=(Curve("Wit", facts=("wit",)),))
    faults = [fault for _, faults in FAULTS.values() for fault in faults]
    faults += ["statistic 'Wit' measures 'wit', which is no fact"]
    told = problems(broken)
    times_told = {fault: sum(fault in problem for problem in told) for fault in faults}
    assert times_told == dict.fromkeys(faults, 1)
    assert len(told) == len(faults), told


def test_an_example_with_another_verdict_or_other_codes_than_stated_is_told(sixth_game):
    legal, lacking, *_ = sixth_game.examples()
    wrong = (replace(legal, verdict="illegal"), replace(lacking, codes=("DD-2",)))
    assert {
        "deaddrop: example 'three cards': judged legal (), not illegal",
        "deaddrop: example 'two cards': breaks ('DD-1',), not ('DD-2',)",
    } <= {*problems(replace(sixth_game, examples=lambda: wrong))}


def test_a_line_of_a_starter_that_cannot_be_read_is_told(sixth_game, tmp_path):
    starter = "// name: First\n// format: street\n2 Zorka\n1 Nobody At All\n"
    (problem,) = problems(with_files(sixth_game, tmp_path, {"starters/first.txt": starter}))
    assert problem.startswith("deaddrop: starter first: line 4 '1 Nobody At All' is not read: ")


def test_no_more_than_fifty_bad_cells_are_told(sixth_game, tmp_path):
    lines = "\n".join(f"c{number},Card,spy,,,,,,sheet" for number in range(200))
    told = problems(with_files(sixth_game, tmp_path, {"cards.csv": f"{HEAD}\n{lines}\n"}))
    assert ["type 'spy' is not declared" in problem for problem in told] == [True] * 50


@pytest.mark.parametrize(
    ("field", "value", "faults"),
    [
        (
            "statistics",
            (Curve("Wit", facts=("wit",), cites=("DD-9",), terms=("Wit",), of=Group(types=("clown",))),),
            (
                "statistic 'Wit' cites DD-9, which is no rule of rulebook.toml",
                "statistic 'Wit' names the term 'Wit', which is not in the glossary",
                "statistic 'Wit' measures 'wit', which is no fact",
            ),
        ),
        (
            "opening",
            Opening((Pile("Deck!", "Deck", (), Group(sections=("cellar",)), formats=("chess",)),)),
            (
                "pile 'Deck!' needs a slug of its own",
                "pile 'Deck!' names format 'chess', which is not declared",
            ),
        ),
        ("showcase", ("nobody",), ("the showcase names card 'nobody', which is not in cards.csv",)),
        (
            "showcase_list",
            "1 Zorka\n2 Nobody at all\n",
            ("the showcase's list has a line that cannot be read: '2 Nobody at all'",),
        ),
    ],
)
def test_each_fault_of_a_declaration_is_told_once(sixth_game, field, value, faults):
    assert problems(replace(sixth_game, **{field: value})) == [f"deaddrop: {fault}" for fault in faults]


# -- effects: words, names and headers that are not the game's

HEADER = "code,line,source,certainty,note,sentence\n"
SENTENCE = "**React Combat 8:** After an agent declares a Combat action, cancel that action."


def faults_of_effects(folder: Path, files: dict[str, str]) -> list[str]:
    """The faults of the effects of Spycraft with these files in place of its own."""
    return list(effect_problems(with_files(games()["spycraft"], folder, files, "*.py", "starters")))


LINE = "React Combat 8 after agent declares Combat action: cancel that action"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (f'acrobatic-escape,{LINE},octgn,,,"{SENTENCE}"', ""),
        (
            f'acrobatic-escape,{LINE.removesuffix("action")}stunt,octgn,,,"{SENTENCE}"',
            "'stunt' in",
        ),
        (
            f'acrobatic-escape,{LINE},octgn,,,"{SENTENCE}"'.replace("8", "7"),
            "no line is headed React Combat 8",
        ),
        (
            'kai,"find ""Nobody at All"" in own deck",octgn,,,Search your deck for “Nobody at All”.',
            'no card is called "Nobody at All"',
        ),
        ("kai,wound agent,octgn,,,", "a line has no sentence"),
        ('kai,"find ""The Zero Sum"" in own deck",octgn,,,Search your deck for “The Zero Sum”.', ""),
    ],
    ids=["as it should be", "a word", "a number", "a name", "no sentence", "a card's name"],
)
def test_a_line_must_have_known_words_names_of_cards_and_the_printed_header(tmp_path, row, problem):
    told = faults_of_effects(tmp_path, {"effects.csv": f"{HEADER}{row}\n"})
    assert [problem in fault for fault in told] == [True] * bool(problem)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("wound agent", ""),
        ("wound agent gently", "'gently' in"),
        ("agent is wounded", "begins with none of the verbs"),
    ],
)
def test_a_claim_on_the_text_of_a_card_must_be_a_line_in_the_words_of_effects(tmp_path, line, problem):
    claims = (games()["spycraft"].folder / "claims.csv").read_text(encoding="utf-8")
    files = {
        "effects.csv": f"{HEADER}kai,draw 1 card,octgn,,,Draw 1 card.\n",
        "claims.csv": f"{claims}kai,text,{line},octgn,elsewhere,,outside,\n",
    }
    told = faults_of_effects(tmp_path, files)
    assert [problem in fault for fault in told] == [True] * bool(problem)


def test_a_game_has_the_words_of_effects_and_their_facts_or_neither(tmp_path):
    spycraft = games()["spycraft"]
    without_facts = replace(
        spycraft, facts=tuple(fact for fact in spycraft.facts if fact not in EFFECT_FACTS)
    )
    without_words = with_files(games()["spynet"], tmp_path, {}, "*.py", "effects.*")
    (no_facts,), (no_words,) = map(effect_problems, (without_facts, without_words))
    assert "make the game with read_game" in no_facts
    assert "there is no effects.toml" in no_words
