"""Records answers."""

import hashlib, json, os, random, re
from dataclasses import replace
import pytest
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from tests.support.awkward_names import everything, awkward_game, EXPORTS

OUT = os.environ["W4_OUT"]


def rec(name, parts):
    h = hashlib.sha256()
    n = 0
    for p in parts:
        h.update(repr(p).encode("utf-8", "replace"))
        n += 1
    with open(OUT, "a") as f:
        f.write(f"{name} {n} {h.hexdigest()}\n")


def readings(tmp):
    game = awkward_game(tmp)
    known = replace(game, exports=EXPORTS)
    for g in (game, known):
        r = everything(g)
        yield g, r
    rnd = random.Random(7)
    for slug, g in sorted(games().items()):
        for s in g.starters:
            yield g, read_deck(g, s.text)
        cards = [c for c in g.cards]
        for k in range(40):
            some = rnd.sample(cards, min(len(cards), rnd.randint(1, 30)))
            lines = []
            for c in some:
                line = f"{rnd.randint(1, 4)} {g.name_index.label(c)}"
                if c.print_labels and rnd.random() < 0.5:
                    line += f" ({rnd.choice(c.print_labels)})"
                if rnd.random() < 0.2:
                    line += " ^keep"
                if rnd.random() < 0.2:
                    line += " #tagged"
                if rnd.random() < 0.2:
                    line += " // a note: on, it"
                lines.append(line)
            lines += [
                "3 Nobody Knows This",
                "1 Made Up | agent | Craft: 3",
                "x" * 400,
                "// name: Deck é\u202e %d" % k,
                "// Leaders",
                "// notes: one",
                "// notes> " + "long words " * 60,
                "// tags: a, b",
            ]
            rnd.shuffle(lines)
            if k % 4 == 0:
                lines = [l for l in lines if "name:" not in l]
            r = read_deck(g, "\n".join(lines))
            if k % 3 == 0:
                r = replace(r, notes="-- Cutout --\nName: x\n  mine", tags=("q", "z"))
            if k % 5 == 0:
                r = replace(r, comments=("Leaders", "name: x", "#", " lead", "1 Kai"))
            if k % 7 == 0:
                r = replace(
                    r,
                    deck=replace(
                        r.deck, name=rnd.choice(["Leaders", "// x", "#", "2 Kai", "notes: a", "deck"])
                    ),
                )
            yield g, r


def test_formats(tmp_path):
    from decks.formats import FORMATS, export, read_any, format_of

    wrote, read_back = {}, {}
    for g, r in readings(tmp_path / "g"):
        for name in FORMATS:
            texts = (
                {c.code: "Text\nof " + c.name for c in list(g.cards)[::3]} if name in ("tts", "csv") else None
            )
            for t in (None, texts):
                w = export(name, g, r, t)
                wrote.setdefault(name, []).append(w)
                data = w.text.encode(w.encoding, "replace") if isinstance(w.text, str) else w.text
                for gg in (g, None):
                    try:
                        back = read_any(gg, data, "", name)
                    except Exception as e:
                        back = (type(e).__name__, str(e), vars(e))
                    read_back.setdefault(name, []).append(
                        back
                        if isinstance(back, tuple) and isinstance(back[0], str)
                        else (back.game.slug, back.reading, back.losses, back)
                    )
                    # mangled
                mangled = (
                    re.sub(rb'"CardID"', b'"CardId"', data)
                    if name == "tts"
                    else data.replace(b"1", b"2")[: len(data) * 3 // 4]
                )
                try:
                    back = read_any(g, mangled, "", name)
                except Exception as e:
                    back = (type(e).__name__, str(e))
                read_back[name].append(getattr(back, "reading", back))
                read_back[name].append(getattr(back, "losses", ()))
    for name in FORMATS:
        rec("write " + name, wrote[name])
        rec("read " + name, read_back[name])


def test_tts_more(tmp_path):
    from decks.formats import tabletop as t
    from decks.formats.writing import bounded

    out = []
    for g, r in readings(tmp_path / "g"):
        for most in (70, 3):
            deck, _ = bounded(r.deck)
            sheets = t.sheets_of(g, deck, most)
            out.append(sheets)
            out.append(list(t.objects_of(g, replace(r, deck=deck), sheets, "https://x/", "jpg", 2)))
    rec("tts objects", out)


def test_owned():
    from decks.formats.tables import read_owned, Table

    out = []
    for text in (
        "count,name\n2,Kai\n,x\n0,Eve\n1000,Foo\n3,\n",
        "game,code,name,set,number,count\nspycraft,kai,Kai,ON,1,2\n//,,game,,,,,,xfiles,,\nxfiles,,First Aid,TRU,2,3\n",
        'Qty;Card;Set\n2;Kai;ON\n"x;y;z\n3;a;b;c;d\n',
        "a,b\n1,2",
        "count,name,section,set,code\n//,,game,spycraft,\n1," + "x" * 400 + ",,,\n2,a\x00b,,,\n",
    ):
        try:
            o = read_owned(text)
            out.append((o.rows, o.faults, o.left_out, o.table.only([2, 3])))
        except Exception as e:
            out.append((type(e).__name__, str(e), vars(e)))
    rec("owned", out)


def test_edits():
    from decks.core import edits as E
    from decks.core.content import DeckContent
    from cardsdb.games.kit import Marks, Prints

    rnd = random.Random(3)
    out = []

    def attempt(f, *a, **k):
        try:
            r = f(*a, **k)
        except Exception as e:
            return (type(e).__name__, str(e), getattr(e, "faults", None)), None
        return r, r

    for slug, g in sorted(games().items()):
        cards = list(g.cards)
        sections = [s.slug for s in g.sections] + ["gone"]
        for trial in range(30):
            text = g.starters[trial % len(g.starters)].text if g.starters else "1 " + cards[0].name
            reading = read_deck(g, text)
            c = DeckContent(reading.deck, g.formats[0].slug, "", "notes", ())
            for step in range(60):
                card = rnd.choice(cards if rnd.random() < 0.4 else [e.card for e in c.deck] or cards)
                s, to = rnd.choice(sections), rnd.choice(sections)
                if rnd.random() < 0.6 and c.deck.entries:
                    e = rnd.choice(c.deck.entries)
                    s, card = e.section, e.card
                p = (
                    Prints.read(rnd.choice(card.print_labels))
                    if card.print_labels and rnd.random() < 0.5
                    else E.ANY_PRINT
                )
                n = rnd.randint(-3, 6)
                op = rnd.randrange(9)
                if op == 0:
                    a, r = attempt(E.with_count, c, card, s, n)
                elif op in (1, 2):
                    a, r = attempt(E.with_more, c, card, s, n, p)
                elif op == 3:
                    a, r = attempt(E.moved, c, s, card.code, to)
                elif op == 4:
                    a, r = attempt(E.moved, c, s, card.code, to, max(n, 1))
                elif op == 5:
                    a, r = attempt(E.marked, c, s, card.code, Marks("n", ("t",), True, p))
                elif op == 6:
                    a, r = attempt(E.marked_by_line, c, s, card.code, Marks("m", (), n > 0, p))
                elif op == 7:
                    line = E.entry_of(c, s, card.code)
                    a, r = None, None
                    if line:
                        copies = {
                            l: rnd.randint(0, 2)
                            for l in (*card.print_labels[:3], *(["zz"] if rnd.random() < 0.1 else []))
                        }
                        if rnd.random() < 0.3:
                            copies = {l: k for l, k in line.marks.prints.groups(line.count) if l}
                        a, r0 = attempt(E.prints_or_refuse, line, max(n, 0), copies)
                else:
                    a, r = attempt(E.with_written, c, card, s, max(n, 0), p)
                out.append(a)
                if r is not None:
                    c = r
            for f in g.formats:
                out.append(attempt(E.in_format, c, f)[0])
                out.append(
                    attempt(
                        E.with_details,
                        c,
                        f.details,
                        {d.key: t for d in f.details for t in (" 5 ", "word  x")},
                    )[0]
                )
                for t in g.types:
                    out.append(attempt(E.home_of, g, t.slug, f, rnd.choice(sections))[0])
    for t in ("a, b,,a", "x" * 90, ",".join("abcdefghijklmnopqrstuvwxyz"), "a\u200bb", ""):
        out.append(attempt(E.tags_of, t)[0])
        out.append(attempt(E.marks_of, "n\nn", t, True)[0])
    rec("edits", out)


def test_figures():
    from decks.core import figures as F

    out = []
    for total in (0, 1, 5, 9):
        for wanted in range(total + 2):
            for drawn in range(total + 2):
                for how in F.HOW:
                    for count in range(4):
                        try:
                            out.append(F.chance(F.Wish(how, count), wanted, total, drawn))
                        except ValueError as e:
                            out.append(str(e))
    for parts in (F.Parts(2, 1, 1, 6), F.Parts(0, 0, 0, 5), F.Parts(3, 2, 2, 3), F.Parts(0, 4, 1, 2)):
        for h1 in F.HOW:
            for h2 in F.HOW:
                for c1 in range(4):
                    for c2 in range(4):
                        for drawn in range(parts.total + 1):
                            out.append(F.chance_of_both(F.Wish(h1, c1), F.Wish(h2, c2), parts, drawn))
    rec("chances", out)
    out = []
    for slug, g in sorted(games().items()):
        for s in g.starters:
            deck = read_deck(g, s.text).deck
            for f in g.formats:
                for pile in g.piles_for(f.slug, deck):
                    for m in (0, 1, 2):
                        out.append(F.hand_of(pile, deck, "seed1", 40, m))
            for table in g.measure(deck, None):
                out.append(F.json_of(table))
                out.append(F.shown(table, "s"))
                out.append(F.shown(table, "s", lambda row: "h" + row.label, 7))
    rec("hands and tables", out)
    rec("percent", [F.percent(F.Fraction(a, 3000)) for a in range(3001)])


def test_fitting():
    from decks.core.judging import judge
    from decks.editor import fitting as T
    from cardsdb.search.query.tree import normal

    rnd = random.Random(5)
    out = []
    for slug, g in sorted(games().items()):
        decks = [read_deck(g, s.text).deck for s in g.starters]
        cards = list(g.cards)
        for _ in range(40):
            decks.append(
                read_deck(
                    g,
                    "\n".join(
                        f"1 {g.name_index.label(c)}"
                        for c in rnd.sample(cards, min(len(cards), rnd.randint(0, 12)))
                    ),
                ).deck
            )
        for deck in decks:
            for f in g.formats:
                j = judge(g, deck, f)
                out.append(T.likely_for(j))
                out.append(T.lacks_of(j))
                p = T.preset_of(g, f, deck)
                out.append((p.words, p.mark, sorted(p.types), p.facts, p.tree(None)))
    rec("fitting", out)


@pytest.mark.django_db
def test_sql():
    from cardsdb.identity.viewer import Viewer
    from cardsdb.catalogue.current import catalogue
    from decks.models import Deck
    from decks.public import fields as L
    from decks.public.query import parse_decks

    pks = sorted(catalogue().by_pk)
    out = []
    viewers = (Viewer(), Viewer(3), Viewer(browser="b"))
    for v in viewers:
        for chosen in ([], pks[:1], pks[5:900:7], pks, [999999999], pks[:3] + [999999999]):
            out.append(str(L.lines_of_cards(v, chosen).query))
        for n in (0, 1, 3):
            out.append(
                str(
                    L.lines_of(
                        [
                            Deck(pk=i + 1, game=g)
                            for i, g in enumerate(("spycraft", "xfiles", "xfiles", "spynet"))
                        ][: n + 1],
                        v,
                    ).query
                )
            )
        for op in ("=", "!=", "<", "<=", ">", ">="):
            for c in (0, 1, 2, 5):
                out.append(str(Deck.objects.filter(L.holding(L.lines_of_cards(v, pks[:2]), op, c)).query))
                out.append(str(Deck.objects.filter(L.sized(v, op, c)).query))
            first, after = L.span_of("2026-01")
            out.append(str(Deck.objects.filter(L.within_days("created", op, first, after)).query))
    out += [
        L.span_of(t)
        for t in ("2026", "2026-02", "2026-12-31", "2026-2-30", "x", "0", "9999", "9999-12", "9999-12-31")
    ]
    rec("sql", out)
