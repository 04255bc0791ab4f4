"""The phrases that players use for what a game declares: its name, sets, types, values, flags, and the words
of its effects.

"murder lottery" is a set, "freelancers" are cards of that faction, "xfiles" is a game, "heals" is what a card
does. A phrase may mean several things; nothing here knows a game.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from cardsdb.games.kit import Game, fold
from cardsdb.games.kit.model.effects import EFFECT_FACTS, EffectWords, spoken
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import SHORT_FORMS, Field
from cardsdb.search.query.tree import Term, Tree, all_of, any_of, leaves, none_of

# Words of the longest phrase: "the truth is out there".
MAX_PHRASE = 6
# What a phrase is. "verb", "moment" and "target" are words of effects.
SenseKind = Literal["game", "set", "type", "value", "flag", "verb", "moment", "target"]
# A value of one letter or of digits alone is meant beside its field alone: "letter c", "cost x".
MIN_VALUE = 2
# What the names of sets and games end with and nobody types.
GENERIC = frozenset("card cards edition missions set ccg tcg game".split())
_EFFECTS = frozenset(fact.key for fact in EFFECT_FACTS)
_OF_EFFECTS = ("verb", "moment", "target")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[&*+]")


class Sense(NamedTuple):
    """One thing that a phrase means. ``is_plain``: cards have it as typed, so that plain words find them
    too.
    """

    kind: SenseKind
    tree: Tree
    is_plain: bool = False


class Phrases:
    """The phrases of some games, with what each means."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self._senses: dict[str, dict[Tree, Sense]] = {}
        effects = [game.effect_words for game in fields.games if game.effect_words]
        for game in fields.games:
            for phrase, kind, tree in _declared(game):
                self._add(phrase, kind, tree)
            for form, kind, tree in _of_effects(game.effect_words) if game.effect_words else ():
                self._put(form, Sense(kind, tree))
        headers = {words.header_fact for words in effects}
        of_values = (
            fact.key for game in fields.games for fact in game.facts if fact.kind in ("word", "words")
        )
        for key in dict.fromkeys(("rarity", *of_values)):
            for value, shown in fields.known(key).items() if key not in _EFFECTS else ():
                if len(value) >= MIN_VALUE and not value.isdecimal():
                    # Of a header skill and number may follow: "React Craft" is "React Craft 6", too.
                    self._add(shown, "value", Term(key, ":" if key in headers else "=", shown))
        # What the lines of effects call otherwise: of several words, or of one that means something else as
        # well.
        for words in effects:
            for word, meant in words.synonyms.items():
                self._add_synonym(word, meant)

    def senses(self, words: Sequence[str]) -> tuple[Sense, ...]:
        """Return what these words mean together; nothing if they are no phrase."""
        phrase = phrase_of(" ".join(words))
        return tuple(self._senses.get(phrase, self._senses.get(phrase.replace(" ", ""), {})).values())

    def field(self, words: Sequence[str]) -> Field | None:
        """The field of a fact that these words name, also by what lines of effects call it."""
        phrase = " ".join(words)
        for form in forms(phrase):
            if (field := self.fields.get(form)) and all(
                place.kind in ("number", "word", "words", "exact") for place in field.places
            ):
                return field
        targets = [
            sense.tree for sense in self._senses.get(phrase_of(phrase), {}).values() if sense.kind == "target"
        ]
        called = [form for tree in targets if isinstance(tree, Term) for form in forms(fold(tree.value))]
        return next(
            (field for form in called if (field := self.fields.get(form)) and field.kind == "number"), None
        )

    def value(self, field: Field, words: Sequence[str]) -> Tree | None:
        """The term for a value of this field, in any of its forms."""
        for place in field.places:
            known = {phrase_of(value): shown for value, shown in place.known.items()}
            for form in forms(phrase_of(" ".join(words))):
                if shown := known.get(form) or known.get(f"the {form}"):
                    return Term(field.word, "=", shown)
        return None

    def implied(self, verb: Tree, words: Sequence[str]) -> bool:
        """Return whether the verb is done to that anyway, by what it means: "heal" says "wound" already."""
        meanings = [
            phrase_of(game.effect_words.verbs[leaf.value]).split()
            for leaf in leaves(verb)
            for game in self.fields.games
            if game.effect_words and isinstance(leaf, Term) and leaf.value in game.effect_words.verbs
        ]
        return bool(meanings) and all(set(forms(phrase_of(words[-1]))) & set(meaning) for meaning in meanings)

    # -- making ----------------------------------------------------------------------

    def _add(self, phrase: str, kind: SenseKind, tree: Tree) -> None:
        plain = phrase_of(phrase).removeprefix("the ")
        for form in (*forms(plain), *forms(spoken(plain))):
            self._put(form, Sense(kind, tree, form == plain and kind in ("game", "type", "value")))

    def _put(self, phrase: str, sense: Sense) -> None:
        if phrase:
            senses = self._senses.setdefault(phrase_of(phrase), {})
            if not senses.get(sense.tree, sense).is_plain or sense.tree not in senses:
                senses[sense.tree] = sense

    def _add_synonym(self, word: str, meant: Sequence[str]) -> None:
        either = any_of(dict.fromkeys(all_of(self._meaning(part)) for part in meant))
        if either is not None:
            keys = {leaf.key for leaf in leaves(either)}
            kind: SenseKind = "verb" if "does" in keys else "moment" if keys == {"when"} else "target"
            is_of_verb = kind == "verb" and " " in word
            sense = Sense(kind, either, is_plain=kind != "moment" and not is_of_verb)
            for form in (word, *(_verb_forms(word) if kind == "verb" and not is_of_verb else forms(word))):
                self._put(form, sense)
        for sense in [sense for part in meant for sense in self.senses((part,))]:
            for form in forms(phrase_of(word)) if sense.kind in ("type", "moment") else ():
                self._put(form, sense._replace(is_plain=False))

    def _meaning(self, phrase: str) -> Iterator[Tree]:
        """A phrase in words of effects, as conditions: "gain victory point"."""
        words = phrase.split()
        while words:
            for length in range(len(words), 0, -1):
                senses = self._senses.get(phrase_of(" ".join(words[:length])), {}).values()
                trees = [one.tree for one in senses if one.kind in _OF_EFFECTS and isinstance(one.tree, Term)]
                if trees:
                    yield trees[0]
                    break
            words = words[length:]


def phrases_of(fields: Fields) -> Phrases:
    """The table of these fields, made once."""
    return fields.derived(Phrases)


def _declared(game: Game) -> Iterator[tuple[str, SenseKind, Tree]]:
    """The phrases of a game's name, sets, types and flags."""
    of_game = Term("game", ":", game.slug)
    yield from ((name, "game", of_game) for name in (game.slug, _short(game.name)))
    for card_type in game.types:
        of_type = Term("type", "=", card_type.slug)
        yield from (
            (name, "type", of_type) for name in dict.fromkeys((card_type.name, _short(card_type.name)))
        )
        yield card_type.plural, "type", of_type
        yield from (
            (alias, "type", of_type)
            for fact in game.facts
            if fact.title == card_type.name
            for alias in fact.aliases
        )
    for card_set in game.sets:
        _, _, subtitle = card_set.name.partition(":")
        names = (card_set.name, _short(card_set.name), subtitle, card_set.code)
        yield from (
            (name, "set", Term("set", "=", card_set.code))
            for name in names
            if phrase_of(name) not in (phrase_of(game.name), "")
        )
    for fact in game.facts:
        if fact.kind == "flag":
            yield from ((name, "flag", Term("is", ":", fact.key)) for name in (fact.title, *fact.aliases))
            yield from ((name, "flag", none_of(Term("is", ":", fact.key))) for name in fact.opposites)
    yield from ((word, "flag", Term(*meant)) for word, meant in SHORT_FORMS.items())


def _of_effects(words: EffectWords) -> Iterator[tuple[str, SenseKind, Tree]]:
    """The phrases of the verbs, moments and targets of a game's effects."""
    for verb in words.verbs:
        yield from ((form, "verb", Term("does", "=", verb)) for form in _verb_forms(verb))
    for moment in words.moments:
        yield from ((form, "moment", Term("when", ":", moment)) for form in (moment, f"{moment} phase"))
    for target in words.targets:
        yield from ((form, "target", Term("target", ":", target)) for form in forms(phrase_of(target)))


def _short(name: str) -> str:
    """A name without the words that say only what it is a name of."""
    words = phrase_of(name).split()
    while len(words) > 1 and words[-1] in GENERIC:
        words.pop()
    return " ".join(words)


# -- forms of a phrase ---------------------------------------------------------------


def phrase_of(text: str) -> str:
    """Text as phrases are compared: folded words without hyphens and other marks."""
    return " ".join(_WORD.findall(fold(text)))


def forms(phrase: str) -> Iterable[str]:
    """The phrase, and it in the singular and the plural, whichever it is in."""
    before, _, last = phrase.rpartition(" ")
    lasts = [last]
    if last.endswith(("men", "man")):
        lasts.append(f"{last[:-2]}{'a' if last.endswith('men') else 'e'}n")
    elif len(last) > 1:
        lasts.append(spoken(last))
        if last.endswith("ies"):
            lasts.append(f"{last[:-3]}y")
        elif last.endswith(("ches", "shes", "sses", "xes", "zes")):
            lasts.append(last[:-2])
        elif last.endswith("s") and not last.endswith("ss"):
            lasts.append(last[:-1])
    return [f"{before} {one}" if before else one for one in dict.fromkeys(lasts)]


def _verb_forms(verb: str) -> Iterable[str]:
    """``cancel, cancels, canceling, cancelling, canceled, cancelled; activation``; what "re" begins, written
    apart, is another verb.
    """
    stem = verb.removesuffix("e")
    doubled = f"{verb}{verb[-1]}" if verb[-1] not in "aeiouwxy" else stem
    noun = (f"{stem}ion",) if verb.endswith("ate") else ()
    return dict.fromkeys(
        (verb, spoken(verb), f"{stem}ing", f"{doubled}ing", f"{stem}ed", f"{doubled}ed", *noun)
    )
