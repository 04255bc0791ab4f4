"""The vocabulary of one game: its phrases, and what each means as a condition of the search language.

Phrases come from what the game declares (name, sets, types, values, flags), from the notation of its effects
(verbs, moments, targets), from ``[player_words]`` and from the names of its cards.

``candidates.vocabulary_of`` makes one for each game and edition; the modules beside this one look words up in
it. It must not know any particular game. To add a kind of senses: add it to ``SenseKind``,
``pieces.BY_SENSE`` and ``facts._ORDER_OF_SENSES``. Tests: ``tests/cardsdb/search/plain/test_vocabulary.py``.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from cardsdb.games.kit import EFFECT_FACTS, EffectWords, Game, fold
from cardsdb.games.kit.model.likeness import digits_of, letters_off
from cardsdb.search.plain.forms import forms, phrase_of, together, verb_forms, words_in
from cardsdb.search.query.check import check
from cardsdb.search.query.english import ENGLISH, FILLERS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.matching import Entry
from cardsdb.search.query.standard import SHORT_FORMS, Field
from cardsdb.search.query.tree import Exact, Term, Tree, Word, all_of, any_of, leaves, none_of

# The most words of a phrase that is looked for, such as "the truth is out there".
MAX_PHRASE = 6
# The most words of a field's name, such as "long range combat".
MAX_FIELD = 3
# Letters of a value that is a phrase by itself. A shorter one, or one in digits, counts only beside its
# field: "letter c", "cost x".
MIN_VALUE = 2
# A single word of a value stands for the value ("nine" for "Nine Tiger") if it has no other sense, the fact
# has at most so many values,
MAX_OF_PARTS = 40
# and the word has so many letters.
MIN_PART = 4
# Letters from which a word may have one misspelt letter, and from which it may have two.
SLIPS = (5, 8)
# The same for words of names, of which there are fewer that look alike.
SLIPS_OF_NAME = (5, 6)
# Letters of a misspelt word; shorter ones are not corrected.
MIN_MENDED = 3
# Words of a name that people type together, as in "blackops": from two up to this number.
MAX_TOGETHER = 4
# Last words of names of sets and games that players leave out.
GENERIC = frozenset("card cards edition missions set ccg tcg game".split())
# Keys of the facts that come from the notation of effects. Their values are verbs, moments and targets.
_EFFECTS = frozenset(fact.key for fact in EFFECT_FACTS)
# Kinds of senses. "part": a word of a value; "verb", "moment", "target": parts of effects; "name": a card.
SenseKind = Literal["game", "set", "type", "value", "flag", "part", "verb", "moment", "target", "name"]
# Kinds of fields whose values can be phrases; and of fields that a question can name.
VALUED = ("word", "words", "exact")
NAMEABLE = ("number", *VALUED)


class Sense(NamedTuple):
    """One thing that a phrase means. A value is a term with "=", or with ":" if it is a header or a word of a
    value, or if the game's ``[player_words]`` say so.
    """

    kind: SenseKind
    tree: Tree


class Vocabulary:
    """The phrases of one game with their senses. ``entries``: its cards; ``every_word``: all words of the
    cards of all games, which are not misspelt. In Spycraft's vocabulary:

        murder lottery    set: set=ML
        agents            type: type=agent, target: target:agent
        heals             verb: does=heal
        disarm            verb: does=discard target:gear, name: !Disarm
    """

    def __init__(
        self, game: Game, fields: Fields, entries: Sequence[Entry], every_word: frozenset[str]
    ) -> None:
        self.game, self.fields, self._every_word = game, fields, every_word
        self._senses: dict[str, dict[Sense, None]] = defaultdict(dict)
        self._types = [fold(kind.name) for kind in game.types]
        # Phrase of players -> the phrase or field that it means: "fighting" -> "combat".
        self._called: dict[str, str] = {}
        # Words of a name -> the cards of that name: {"stolen", "identity", "stolenidentity"} -> Stolen
        # Identity. Dicts with None serve as ordered sets here.
        self._names: dict[frozenset[str], dict[Tree, None]] = defaultdict(dict)
        self.texts = frozenset(words_in(" ".join(entry.search_text for entry in entries)))
        # The order matters: synonyms refer to verbs and targets; parts and short names of types are added
        # only for words without a sense; and words of players refer to all the others.
        for phrase, kind, tree in (*_declared(game), *_of_effects(game.effect_words)):
            self._add(phrase, kind, tree)
        parts = self._add_values()
        for word, phrases in game.effect_words.synonyms.items() if game.effect_words else ():
            self._add_synonym(word, phrases)
        for word, terms in parts.items():
            if len(word) >= MIN_PART and word not in self._senses:
                self._add(word, "part", any_of(terms))
        for card_type in game.types:
            # "Agents" is short for "secret agents" if nothing else is called so.
            *_, word = phrase_of(card_type.name).split()
            if word not in self._senses and word not in ENGLISH:
                self._add(word, "type", Term("type", "=", card_type.slug))
        self._add_names(entries)
        for word, query in game.player_words.items():
            self._add_players(word, query)
        self._words = {word for phrase in self._senses for word in phrase.split()}

    def senses(self, words: Sequence[str]) -> tuple[Sense, ...]:
        """Return all that these words mean as one phrase; empty if they are none."""
        phrase = " ".join(words)
        return tuple(self._senses.get(phrase) or self._senses.get(together(phrase)) or ())

    def field(self, words: Sequence[str]) -> Field | None:
        """Return the field of a fact that these words name, perhaps by a target of effects or by a word of
        players; None if there is none.
        """
        phrase = " ".join(words)
        # Names that the field may have, the likeliest first.
        names = [*forms(self._called.get(phrase, "")), *forms(phrase)]
        for sense in self._senses.get(phrase, ()):
            if sense.kind == "target" and isinstance(sense.tree, Term):
                names += forms(fold(sense.tree.value))
        # "Level" may be the "site level".
        names += [f"{kind} {phrase}" for kind in self._types]
        fields = (self.fields.get(name) for name in names if name and name not in (*_EFFECTS, "in"))
        nameable = (found for found in fields if found and all(p.kind in NAMEABLE for p in found.places))
        return next(nameable, None)

    def value(self, field: Field, words: Sequence[str]) -> Tree | None:
        """Return the term for a value of this field, in singular or plural, or for the only value with all
        these words; None if there is none. For factions "krypts" gives ``faction="The Krypt"``, "patriots"
        ``faction="Shadow Patriots"``.
        """
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
        """True if the meaning of a verb already contains its object: "heal" means to remove a wound, so "heal
        wounds" says no more than "heal".
        """
        verbs = self.game.effect_words.verbs if self.game.effect_words else {}
        meanings = [
            # In a meaning such as "a card or a hand" only the first alternative counts.
            phrase_of(verbs[leaf.value].partition(" or ")[0]).split()
            for leaf in leaves(verb)
            if isinstance(leaf, Term) and leaf.value in verbs
        ]
        return bool(meanings) and all(
            any(set(forms(word)) & set(meaning) for word in words) for meaning in meanings
        )

    def knows(self, word: str) -> bool:
        """True if a phrase or a card of the game has the word."""
        return word in self._words or word in self.texts

    def named(self, words: Sequence[str]) -> Tree | None:
        """Return the condition for cards whose names have, for each of these words, a word that begins with
        it; None if there are none. Words of a name may be typed together.
        """
        typed = [tuple(together(form) for form in forms(word)) for word in words]
        found: dict[Tree, None] = {}
        for name, cards in self._names.items() if typed else ():
            if all(any(part.startswith(beginnings) for part in name) for beginnings in typed):
                found |= cards
        return any_of(found)

    def with_words(self, words: Sequence[str]) -> list[Tree]:
        """Return a condition for each card whose name has all of these words."""
        plain = {together(word) for word in words}
        return [tree for name, cards in self._names.items() if plain and plain <= name for tree in cards]

    def called_like(self, word: str) -> Tree | None:
        """Return the condition for cards with a word in their names that begins with this one. For a word
        that is not known at all, the names may have its beginning, or a word that is a letter or two off.
        """
        named = self.named([word])
        if named or self.knows(word) or word in self._every_word:
            return named
        known = {part for name in self._names for part in name if len(part) >= MIN_PART}
        near = letters_off(word, known, _slips(word, SLIPS_OF_NAME))
        alike = near.keys() | {part for part in known if word.startswith(part)}
        return any_of(tree for name, cards in self._names.items() if alike & name for tree in cards)

    def in_texts(self, word: str) -> list[Tree]:
        """Return conditions for cards that have the word, one for each form of it that occurs."""
        return [Word(form, in_quotes=True) for form in forms(word) if form in self.texts]

    def mended(self, word: str) -> str:
        """Return the known word that a misspelt word means: "leadr" -> "leader". Empty if none is near, or
        several are equally near; of those one may count that all the others contain.
        """
        if not word.isalpha() or len(word) < MIN_MENDED or self.knows(word) or word in self._every_word:
            return ""
        if known_form := next(filter(self.knows, forms(word)), ""):
            return known_form
        for known in (self._words, self.texts):
            # Known word -> how many letters it is off.
            near = letters_off(word, known, _slips(word, SLIPS))
            least = min(near.values(), default=0)
            nearest = [known_word for known_word, letters in near.items() if letters == least]
            shortest = min(nearest, key=len, default="")
            if shortest and not digits_of(shortest) and all(shortest in other for other in nearest):
                return shortest
        return ""

    # -- making ----------------------------------------------------------------------

    def _add(self, phrase: str, kind: SenseKind, tree: Tree | None) -> None:
        """Add a sense of a phrase, in singular and plural, with and without a leading "the"."""
        if tree is None:
            return
        whole = phrase_of(phrase)
        for plain in dict.fromkeys((whole, whole.removeprefix("the "))):
            for form in forms(plain):
                self._put(form, Sense(kind, tree))

    def _put(self, phrase: str, sense: Sense) -> None:
        """Add a sense of exactly this phrase, and of its words typed together."""
        if phrase := phrase_of(phrase):
            self._senses[phrase][sense] = None
            self._senses[together(phrase)][sense] = None

    def _add_values(self) -> dict[str, dict[Tree, None]]:
        """Add the values of word facts and rarities. Return word of a value -> conditions for values with it,
        of facts with few values: "nine" -> faction:nine, restricted_to:nine.
        """
        game, parts = self.game, defaultdict[str, dict[Tree, None]](dict)
        header = game.effect_words.header_fact if game.effect_words else ""
        of_values = (fact.key for fact in game.facts if fact.kind in ("word", "words"))
        for key in dict.fromkeys(("rarity", *of_values)):
            known = self.fields.known(key) if key not in _EFFECTS else {}
            for value, shown in known.items():
                if len(value) >= MIN_VALUE and not value.isdecimal():
                    # A header may continue with a skill and number: "React Craft" also means "React Craft 6".
                    term = Term(key, ":" if key == header else "=", shown)
                    self._add(shown, "value", term)
                    for word in phrase_of(value).split() if len(known) <= MAX_OF_PARTS else ():
                        parts[word][Term(key, ":", word)] = None
        return parts

    def _add_synonym(self, word: str, phrases: Sequence[str]) -> None:
        """Add a word that means one or more phrases of the notation of effects:

        disarm          discard gear                verb    does=discard target:gear
        bring back      return                      verb    does=return (also for "brings back")
        opponent        enemy agent, enemy leader   target  target:"enemy agent" or target:"enemy leader"
        mission phase   Mission                     target  target:mission
                                                    and the type and moment that "mission" is, too
        """
        phrases = [phrase_of(phrase) for phrase in phrases]
        meant = any_of(dict.fromkeys(all_of(self._meaning(phrase)) for phrase in phrases))
        if meant is not None:
            keys = {leaf.key for leaf in leaves(meant)}
            kind: SenseKind = "verb" if "does" in keys else "moment" if keys == {"when"} else "target"
            for form in forms(word):
                self._put(form, Sense(kind, meant))
            if kind == "verb":
                first, _, rest = word.partition(" ")
                for form in verb_forms(first):
                    self._put(f"{form} {rest}", Sense(kind, meant))
        # Besides, the word gets the phrases' senses outside the notation: "mission" is a type, too.
        senses = [sense for phrase in phrases for sense in self.senses((phrase,))]
        for sense in senses:
            if sense.kind in ("type", "moment"):
                for form in forms(phrase_of(word)):
                    self._put(form, sense)

    def _meaning(self, phrase: str) -> Iterator[Tree]:
        """Yield the conditions of a phrase in words of effects: for "gain victory point" those of "gain" and
        of "victory point". Words without a sense are skipped.
        """
        words = phrase.split()
        while words:
            # The longest beginning of the words that has such a sense; else their first word is skipped.
            for length in range(len(words), 0, -1):
                beginning = " ".join(words[:length])
                senses = self._senses.get(beginning, ())
                trees = [sense.tree for sense in senses if sense.kind in ("verb", "moment", "target")]
                if trees:
                    # A sense spelled so is preferred: "healing" is a phase, not a form of "heal".
                    spelled_so = (tree for tree in trees if _value_of(tree) == beginning)
                    yield next(spelled_so, trees[0])
                    break
            words = words[length:]

    def _add_names(self, entries: Sequence[Entry]) -> None:
        """Add the names of cards: whole, without signs and articles, and word by word. As words of a name
        count also two to four of its words typed together, and the initials of three or more: of "2nd Lt.
        Chavez" 2nd, lt, chavez, 2ndlt, ltchavez, 2ndltchavez, 2lc.
        """
        named: dict[str, dict[Tree, None]] = defaultdict(dict)
        for entry in entries:
            for name in (entry.card.name, *entry.card.aliases):
                plain = phrase_of(name)
                for form in {plain, *(plain.removeprefix(f"{word} ") for word in ("the", "a", "an"))}:
                    named[form][Exact(entry.card.name)] = None
        for name, cards in named.items():
            if called := any_of(cards):
                self._put(name, Sense("name", called))
            words = name.replace("'", "").split()
            lengths = range(2, MAX_TOGETHER + 1)
            joined = ["".join(words[at : at + length]) for at in range(len(words)) for length in lengths]
            if len(words) > 2:
                joined.append("".join(word[0] for word in words))
            self._names[frozenset((*words, *joined))] |= cards

    def _add_players(self, word: str, query: str) -> None:
        """Add a word of players. ``query`` is what it means: a query ("car": ``traits:auto``), or a phrase or
        field of the game ("doctor": "medic"). It is added only if the word has no stronger sense.
        """
        plain, phrase = phrase_of(word), phrase_of(query)
        tree = check(query, self.fields).tree if ":" in query or "=" in query else None
        senses = [Sense("value", tree)] if tree else list(self._senses.get(phrase, ()))
        for form in dict.fromkeys((*forms(plain), *verb_forms(plain))):
            is_free = all(sense.kind in ("name", "part", "target") for sense in self._senses.get(form, ()))
            for sense in senses if is_free else ():
                self._put(form, sense)
            self._called.setdefault(form, phrase)


def _declared(game: Game) -> Iterator[tuple[str, SenseKind, Tree]]:
    """Yield (phrase, kind, condition) for a game's name, sets, types and flags."""
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
    """Yield (phrase, kind, condition) for the verbs, moments and targets of a game's effects."""
    if words is None:
        return
    for verb in words.verbs:
        yield from ((form, "verb", Term("does", "=", verb)) for form in verb_forms(verb))
    yield from ((target, "target", Term("target", ":", target)) for target in words.targets)
    for moment in words.moments:
        yield from ((form, "moment", Term("when", ":", moment)) for form in (moment, f"{moment} phase"))


def _slips(word: str, lengths: tuple[int, ...]) -> int:
    """Return how many letters of a word may be misspelt: one for each of the lengths that it has. With SLIPS
    0 for "gear", 1 for "agents", 2 for "missions".
    """
    return sum(len(word) >= length for length in lengths)


def _value_of(tree: Tree) -> str:
    """Return the value of a term in the form of ``phrase_of``; empty for other trees."""
    return phrase_of(tree.value) if isinstance(tree, Term) else ""


def _short(name: str) -> str:
    """Return a name without last words such as "edition" (see GENERIC)."""
    words = phrase_of(name).split()
    while len(words) > 1 and words[-1] in GENERIC:
        words.pop()
    return " ".join(words)
