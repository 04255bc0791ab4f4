"""``complete_deck`` completes a list without a database; its exit status says whether it worked."""

import json
from pathlib import Path
from typing import Any

import pytest

from decks.importing.file_import import judge_sent
from tests.support.commands import Said, run


def completed(tmp_path: Path, text, *options) -> Said:
    path = tmp_path / "deck.txt"
    path.write_text(text)
    return run("complete_deck", str(path), *options)


LEADER = "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai"


def test_complete_deck_writes_three_legal_lists_with_their_names(tmp_path):
    status, output, _ = completed(tmp_path, LEADER)
    heads = [line for line in output.splitlines() if line.endswith(", then legal")]
    assert (status, len(heads)) == (0, 3) and all(head.startswith("// ") for head in heads)
    for text in output.split(", then legal\n")[1:]:
        assert judge_sent(text.encode(), "spycraft", "agency").judged.verdict == "legal"


def test_the_options_like_and_never_give_one_proposal_without_those_cards(tmp_path):
    like = ("--like", "nine-tiger", "--json")
    answer: dict[str, Any] = json.loads(completed(tmp_path, LEADER, *like)[1])
    assert set(answer) == {"game", "format", "needs", "findings", "proposals"}
    (proposal,) = answer["proposals"]
    assert proposal["starter"] == "nine-tiger"
    card = proposal["added"][0]["card"].partition("/")[2]
    assert f'"spycraft/{card}"' not in completed(tmp_path, LEADER, *like, "--never", card)[1]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("1 Li Cong\n1 Nobody At All", (), "Nobody At All"),
        (LEADER, ("--like", "nobody"), "nobody"),
        ("24 Sky Drop", ("--game", "spycraft", "--format", "mission-free"), "has no roles of cards"),
    ],
)
def test_a_list_that_cannot_be_completed_exits_with_2(tmp_path, text, options, sentence):
    status, _, error = completed(tmp_path, text, *options)
    assert status == 2
    assert sentence in error
