"""The English clause that explains a query."""

import pytest

from cardsdb.search.query.check import check
from cardsdb.search.query.words import in_words
from tests.support.search_fields import fields_of
from tests.support.search_queries import SPYCRAFT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "every card"),
        ("t:agent faction:krypt craft>=4", "type is Agent, faction is The Krypt, and craft is at least 4"),
        ("-t:agent or -craft>=4", "type is not Agent or craft is not known to be at least 4"),
        ("kai -!Kai", "it mentions “kai” and the name is not exactly “Kai”"),
        ("craft<3 craft!=2", "craft is less than 3 and craft is known and not 2"),
        ("-craft!=2", "craft is unknown or 2"),
        ("is:unique -is:unique", "it is unique and it is not known to be unique"),
        ("has:rarity -has:vp", "rarity is known and victory points is not known"),
        (
            "traits:soldier -traits:soldier",
            "traits include Soldier and traits are not known to include Soldier",
        ),
        ("number>340 -number<=12", "number is more than 340 and number is not known to be at most 12"),
        ("a (b or c)", "it mentions “a” and (it mentions “b” or it mentions “c”)"),
        ("-(a b)", "not (it mentions “a” and it mentions “b”)"),
        (
            "combat>craft -combat=craft",
            "combat is more than craft and combat is not known to be the same as craft",
        ),
        ("name:/^a/ -traits:/b/", "name matches /^a/ and traits is not known to match /b/"),
        ("in:on -in:rare", "it is printed in Operation: Nightfall and it is not known to be printed in rare"),
        ("is:disputed -is:disputed", "sources disagree about it and sources do not disagree about it"),
        ("disputed=craft", "sources disagree about its craft"),
        ("disputed!=craft", "sources disagree, but not about its craft"),
        ("t:agent order:-craft,faction", "type is Agent, sorted by craft, highest first, then faction"),
        ("order:-name", "every card, sorted by name, from the end"),
    ],
)
def test_a_query_is_explained_in_a_clause(text, words):
    assert in_words(check(text, fields_of(SPYCRAFT)), fields_of(SPYCRAFT)) == words
