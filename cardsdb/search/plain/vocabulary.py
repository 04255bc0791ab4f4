"""The words of one game: its name, sets, types, values, flags and facts, the verbs, moments and targets of
its effects, what players call these, and every word and name of its cards.

"murder lottery" is a set, "freelancers" are cards of that faction, "heals" is what a card does. A phrase may
mean several things; nothing here knows a game. ``search/ask.py`` makes one for each game, and
``search/plain/reading.py`` asks it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from cardsdb.games.kit import EFFECT_FACTS, EffectWords, Game, fold, spoken
from cardsdb.games.kit.model.names import digits_of, letters_off
from cardsdb.search.query.check import check
from cardsdb.search.query.english import ENGLISH, FILLERS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.matching import Entry
from cardsdb.search.query.standard import SHORT_FORMS, Field
from cardsdb.search.query.tree import Exact, Term, Tree, Word, all_of, any_of, leaves, none_of

# Words of the longest phrase: "the truth is out there"; and of the name of a field: "victory points".
MAX_PHRASE, MAX_FIELD = 6, 3
# A value of one letter or of digits alone is meant beside its field alone: "letter c", "cost x".
MIN_VALUE = 2
# A word of a value stands for it where the fact has no more values than this, and nothing else is called so.
MAX_OF_PARTS, MIN_PART = 40, 4
# From the first length on a word may have a slip; from the second, two.
SLIPS, SLIPS_OF_NAME = (5, 8), (5, 6)
# Shorter words are not mended.
MIN_MENDED = 3
# What the names of sets and games end with and players never type.
GENERIC = frozenset("card cards edition missions set ccg tcg game".split())
_EFFECTS = frozenset(fact.key for fact in EFFECT_FACTS)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[*+]")
SenseKind = Literal["game", "set", "type", "value", "flag", "part", "verb", "moment", "target", "name"]
NUMBERS = ("number",)
VALUED = ("word", "words", "exact")


class Sense(NamedTuple):
    """One thing that a phrase means."""

    kind: SenseKind
    tree: Tree


class Vocabulary:
    """The phrases of one game, with what each means; ``entries`` are its cards, ``every_word`` what the cards
    of any game have.
    """

    def __init__(
        self, game: Game, fields: Fields, entries: Sequence[Entry], every_word: frozenset[str]
    ) -> None:
        self.game, self.fields, self._every_word = game, fields, every_word
        self._senses: dict[str, dict[Sense, None]] = defaultdict(dict)
        self._types = [fold(kind.name) for kind in game.types]
        self._called: dict[str, str] = {}
        self._names: dict[frozenset[str], dict[Tree, None]] = defaultdict(dict)
        self.texts = frozenset(_WORD.findall(" ".join(entry.search_text for entry in entries)))
        # The order counts: synonyms lead to verbs and targets, parts and names give way to what is there, and
        # players' words come last.
        for phrase, kind, tree in (*_declared(game), *_of_effects(game.effect_words)):
            self._add(phrase, kind, tree)
        parts: dict[str, dict[Tree, None]] = defaultdict(dict)
        header = game.effect_words.header_fact if game.effect_words else ""
        of_values = (fact.key for fact in game.facts if fact.kind in ("word", "words"))
        for key in dict.fromkeys(("rarity", *of_values)):
            known = fields.known(key) if key not in _EFFECTS else {}
            for value, shown in known.items():
                if len(value) >= MIN_VALUE and not value.isdecimal():
                    # Of a header skill and number may follow: "React Craft" is "React Craft 6", too.
                    term = Term(key, ":" if key == header else "=", shown)
                    self._add(shown, "value", term)
                    for word in phrase_of(value).split() if len(known) <= MAX_OF_PARTS else ():
                        parts[word][Term(key, ":", word)] = None
        for word, meant in game.effect_words.synonyms.items() if game.effect_words else ():
            self._add_synonym(word, meant)
        for word, terms in parts.items():
            if len(word) >= MIN_PART and word not in self._senses:
                self._add(word, "part", any_of(terms))
        for card_type in game.types:
            word = phrase_of(card_type.name).split()[-1]
            if word not in self._senses and word not in ENGLISH:
                self._add(word, "type", Term("type", "=", card_type.slug))
        self._add_names(entries)
        for word, query in game.player_words.items():
            self._add_players(word, query)
        self._words = {word for phrase in self._senses for word in phrase.split()}

    def senses(self, words: Sequence[str]) -> tuple[Sense, ...]:
        """Return what these words mean together; nothing if they are no phrase."""
        phrase = " ".join(words)
        return tuple(self._senses.get(phrase) or self._senses.get(_together(phrase)) or ())

    def field(self, words: Sequence[str]) -> Field | None:
        """The field of a fact that these words name, also by what lines of effects or players call it."""
        phrase = " ".join(words)
        names = [*forms(self._called.get(phrase, "")), *forms(phrase)]
        for sense in self._senses.get(phrase, ()):
            if sense.kind == "target" and isinstance(sense.tree, Term):
                names += forms(fold(sense.tree.value))
        names += [f"{kind} {phrase}" for kind in self._types]
        fields = (self.fields.get(name) for name in names if name and name not in (*_EFFECTS, "in"))
        kinds = (*NUMBERS, *VALUED)
        return next((one for one in fields if one and all(place.kind in kinds for place in one.places)), None)

    def value(self, field: Field, words: Sequence[str]) -> Tree | None:
        """The term for a value of this field, in any of its forms."""
        for place in field.places if field.kind in VALUED else ():
            known = {phrase_of(value): shown for value, shown in place.known.items()}
            phrase = " ".join(words)
            for form in (*forms(phrase), *forms(self._called.get(phrase, "")), phrase.replace(" ", "")):
                if form and (shown := known.get(form) or known.get(f"the {form}")):
                    return Term(field.word, "=", shown)
            parts = [shown for value, shown in known.items() if set(words) <= set(value.split())]
            if len(parts) == 1 and len(max(words, key=len, default="")) >= MIN_PART:
                return Term(field.word, "=", parts[0])
        return None

    def implied(self, verb: Tree, words: Sequence[str]) -> bool:
        """Say if the verb is done to that anyway, by what it means: "heal" says "wound" already."""
        verbs = self.game.effect_words.verbs if self.game.effect_words else {}
        meanings = [
            # "A card or a hand": neither is meant anyway.
            phrase_of(verbs[leaf.value].partition(" or ")[0]).split()
            for leaf in leaves(verb)
            if isinstance(leaf, Term) and leaf.value in verbs
        ]
        return bool(meanings) and all(
            any(set(forms(word)) & set(meaning) for word in words) for meaning in meanings
        )

    def knows(self, word: str) -> bool:
        """Say if a phrase or any card has the word."""
        return word in self._words or word in self.texts

    def named(self, words: Sequence[str]) -> Tree | None:
        """The cards with a word in their names that begins with each of these; words of a name may be written
        together.
        """
        plain = [[_together(form) for form in forms(word)] for word in words]
        found: dict[Tree, None] = {}
        for name, cards in self._names.items() if plain else ():
            if all(any(one.startswith(tuple(word)) for one in name) for word in plain):
                found |= cards
        return any_of(found)

    def with_words(self, words: Sequence[str]) -> list[Tree]:
        """The cards whose names have each of these words."""
        plain = {_together(word) for word in words}
        return [tree for name, cards in self._names.items() if plain and plain <= name for tree in cards]

    def called_like(self, word: str) -> Tree | None:
        """The cards in whose names a word begins with this one, or this one with it, or is a letter or two
        off.
        """
        named = self.named([word])
        if named or self.knows(word):
            return named
        known = {one for name in self._names for one in name if len(one) >= MIN_PART}
        near = letters_off(word, known, sum(len(word) >= least for least in SLIPS_OF_NAME))
        like = near.keys() | {one for one in known if word.startswith(one)}
        return any_of(tree for name, cards in self._names.items() if like & name for tree in cards)

    def told(self, word: str) -> list[Tree]:
        """The cards that have the word in any form."""
        return [Word(form, in_quotes=True) for form in forms(word) if form in self.texts]

    def mended(self, word: str) -> str:
        """The known word that a misspelt word means; empty if none is near, or if several are as near."""
        most = sum(len(word) >= least for least in SLIPS)
        if not word.isalpha() or len(word) < MIN_MENDED or self.knows(word) or word in self._every_word:
            return ""
        if known_form := next(filter(self.knows, forms(word)), ""):
            return known_form
        for known in (self._words, self.texts):
            near = letters_off(word, known, most)
            least = min(near.values(), default=0)
            best = sorted((one for one, off in near.items() if off == least), key=len)
            if best and digits_of(best[0]) == "" and all(best[0] in other for other in best):
                return best[0]
        return ""

    # -- making ----------------------------------------------------------------------

    def _add(self, phrase: str, kind: SenseKind, tree: Tree | None) -> None:
        if tree is None:
            return
        whole = phrase_of(phrase)
        for plain in dict.fromkeys((whole, whole.removeprefix("the "))):
            for form in forms(plain):
                self._put(form, Sense(kind, tree))

    def _put(self, phrase: str, sense: Sense) -> None:
        if phrase := phrase_of(phrase):
            self._senses[phrase][sense] = None
            if (together := _together(phrase)) != phrase:
                self._senses[together][sense] = None

    def _add_synonym(self, word: str, meant: Sequence[str]) -> None:
        """Add what lines of effects call otherwise."""
        either = any_of(dict.fromkeys(all_of(self._meaning(part)) for part in meant))
        if either is not None:
            keys = {leaf.key for leaf in leaves(either)}
            kind: SenseKind = "verb" if "does" in keys else "moment" if keys == {"when"} else "target"
            first, _, rest = word.partition(" ")
            done = [f"{form} {rest}" for form in verb_forms(first)] if kind == "verb" else ()
            for form in (*done, *forms(word)):
                self._put(form, Sense(kind, either))
        for sense in [sense for part in meant for sense in self.senses((phrase_of(part),))]:
            for form in forms(phrase_of(word)) if sense.kind in ("type", "moment") else ():
                self._put(form, sense)

    def _meaning(self, phrase: str) -> Iterator[Tree]:
        """A phrase in words of effects, as conditions: "gain victory point"."""
        words = phrase_of(phrase).split()
        while words:
            for length in range(len(words), 0, -1):
                senses = self._senses.get(" ".join(words[:length]), ())
                trees = [one.tree for one in senses if one.kind in ("verb", "moment", "target")]
                if trees:
                    # "Healing" is the phase before it is what "heal" does.
                    yield min(trees, key=lambda tree: " ".join(words[:length]) != _said(tree))
                    break
            words = words[length:]

    def _add_names(self, entries: Sequence[Entry]) -> None:
        """Add the whole names, without signs and articles; several words of one name that no other has."""
        named: dict[str, dict[Tree, None]] = defaultdict(dict)
        for entry in entries:
            for name in (entry.card.name, *entry.card.aliases):
                plain = phrase_of(name)
                for form in {plain, *(plain.removeprefix(f"{word} ") for word in ("the", "a", "an"))}:
                    named[form][Exact(entry.card.name)] = None
        for name, cards in named.items():
            self._put(name, Sense("name", any_of(cards) or Exact(name)))
            words = name.replace("'", "").split()
            joined = ["".join(words[at:end]) for at in range(len(words)) for end in range(at + 2, at + 5)]
            joined += ["".join(word[0] for word in words)] if len(words) > 2 else []
            self._names[frozenset((*words, *joined))] |= cards

    def _add_players(self, word: str, query: str) -> None:
        """Add what players call otherwise: a query, or another phrase or field of the game."""
        plain, phrase = phrase_of(word), phrase_of(query)
        tree = check(query, self.fields).tree if ":" in query or "=" in query else None
        senses = [Sense("value", tree)] if tree else list(self._senses.get(phrase, ()))
        for form in dict.fromkeys((*forms(plain), *verb_forms(plain))):
            is_free = all(sense.kind in ("name", "part", "target") for sense in self._senses.get(form, ()))
            for sense in senses if is_free else ():
                self._put(form, sense)
            self._called.setdefault(form, phrase)


def _declared(game: Game) -> Iterator[tuple[str, SenseKind, Tree]]:
    """The phrases of a game's name, sets, types and flags."""
    of_game = Term("game", ":", game.slug)
    yield from ((name, "game", of_game) for name in (game.slug, _short(game.name)))
    for card_type in game.types:
        aliases = (alias for fact in game.facts if fact.title == card_type.name for alias in fact.aliases)
        for name in (card_type.name, _short(card_type.name), card_type.plural, *aliases):
            yield name, "type", Term("type", "=", card_type.slug)
    for card_set in game.sets:
        _, _, subtitle = card_set.name.partition(":")
        for name in (card_set.name, _short(card_set.name), subtitle, card_set.code):
            if phrase_of(name) not in (phrase_of(game.name), ""):
                yield name, "set", Term("set", "=", card_set.code)
    for fact in game.facts:
        if fact.kind == "flag":
            yield from ((name, "flag", Term("is", ":", fact.key)) for name in (fact.title, *fact.aliases))
            yield from ((name, "flag", none_of(Term("is", ":", fact.key))) for name in fact.opposites)
    for word, meant in SHORT_FORMS.items():
        if word not in FILLERS:
            yield word, "flag", Term(*meant)


def _of_effects(words: EffectWords | None) -> Iterator[tuple[str, SenseKind, Tree]]:
    """The phrases of the verbs, moments and targets of a game's effects."""
    if words is None:
        return
    for verb in words.verbs:
        yield from ((form, "verb", Term("does", "=", verb)) for form in verb_forms(verb))
    yield from ((target, "target", Term("target", ":", target)) for target in words.targets)
    for moment in words.moments:
        yield from ((form, "moment", Term("when", ":", moment)) for form in (moment, f"{moment} phase"))


def _said(tree: Tree) -> str:
    """The value of a term, as phrases are compared."""
    return phrase_of(tree.value) if isinstance(tree, Term) else ""


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


def _together(phrase: str) -> str:
    """A phrase as one word, without apostrophes."""
    return phrase.replace(" ", "").replace("'", "")


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


def verb_forms(verb: str) -> Iterable[str]:
    """``cancel, cancels, canceling, cancelling, canceled, cancelled; activation``."""
    stem = verb.removesuffix("e")
    doubled = f"{verb}{verb[-1]}" if verb[-1] not in "aeiouwxy" else stem
    noun = (f"{stem}ion", f"{stem}ions") if stem.endswith("t") else ()
    return dict.fromkeys(
        (verb, spoken(verb), f"{stem}ing", f"{doubled}ing", f"{stem}ed", f"{doubled}ed", *noun)
    )
