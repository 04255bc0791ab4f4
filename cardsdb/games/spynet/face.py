"""SpyNet's faces: power and funding value at the top left as on the printed cards, branches as marks under the name."""

from __future__ import annotations

from cardsdb.games.kit.face import Face, dossier

# Our own drawings of the four branches: a shield, a keyhole, an eye and a chip.
SYMBOLS = (
    ("enforcement", "M12 2.5 L20 5.5 V11.5 C20 16.5 16.5 20 12 21.5 C7.5 20 4 16.5 4 11.5 V5.5 Z M8 12 L11 15 L16.5 9"),
    (
        "infiltration",
        "M12 3 C9 3 6.5 5.5 6.5 8.5 C6.5 10.7 7.7 12.4 9.5 13.4 L7.5 21 H16.5 L14.5 13.4 "
        "C16.3 12.4 17.5 10.7 17.5 8.5 C17.5 5.5 15 3 12 3 Z",
    ),
    (
        "counterespionage",
        "M2 12 C5 7.5 8.5 5.5 12 5.5 C15.5 5.5 19 7.5 22 12 C19 16.5 15.5 18.5 12 18.5 C8.5 18.5 5 16.5 2 12 Z "
        "M12 9 C10.3 9 9 10.3 9 12 C9 13.7 10.3 15 12 15 C13.7 15 15 13.7 15 12 C15 10.3 13.7 9 12 9 Z",
    ),
    ("tech", "M7 7 H17 V17 H7 Z M10 7 V3 M14 7 V3 M10 21 V17 M14 21 V17 M7 10 H3 M7 14 H3 M21 10 H17 M21 14 H17"),
)

FACES: dict[str, Face] = {
    "agent": dossier(column=("power",), marks="branches", symbols=SYMBOLS, lines=("special", "mercenary"), blanks=("special", "mercenary")),
    "mission": dossier(corner="stars", marks="branches", symbols=SYMBOLS, lines=("condition",), blanks=("condition",)),
    "funding": dossier(column=("value",)),
    "situation": dossier(),
    "unplaced": dossier(lines=("type_guess",)),
    "token": dossier(marks="branches", symbols=SYMBOLS),
    "branch": dossier(marks="branches", symbols=SYMBOLS, lines=("colour",)),
    "component": dossier(corner="count"),
}
