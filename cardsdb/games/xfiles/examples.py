"""Decks and the verdicts they must get. Every rule that is checked is broken by one of them."""

from __future__ import annotations

from cardsdb.games.kit import Example

Lines = tuple[str, ...]

# The page's own example of a team (lines 71-77), with the names it uses: 7 + 7 + 3 + 3 = 20 RP.
PAGE_TEAM = ("Fox Mulder", "Dana Scully", "Special Agent Karen Kossoff", "Special Agent Henderson")
EIGHTY_RP = (
    *(
        "Agent Fox Mulder",
        "Agent Dana Scully",
        "Agent Alex Krycek",
        "Assistant Director Walter Skinner",
    ),  # 26
    *("Agent Bill Patterson", "Agent Danny Pendrell", "Inspector Phoebe Green", "Agent Moe Bocks"),  # 22
    *("Agent Reggie Purdue", "Clyde Bruckman", "Section Chief Scott Blevins", "Albert Hosteen"),  # 18
    *("Agent Rich", "Agent Lucy Kazdin", "Agent Jack Willis", "Agent Fred Nemhauser"),  # 14
)

# Fifteen Sites that the page's team can solve, asking all four questions.
SITES = (
    "2 Coastal Northwest Oregon",
    "2 Lake Okobogee, Campsite #53, Sioux City, IA",
    "2 Aubrey, MO",
    "2 Marion, VA",
    "2 Franklin, PA",
    "2 Newark, NJ",
    "2 Arlington, VA",
    "1 Fairfield Zoo, Fairfield, ID",
)
EVENTS = (
    "2 I Want To Believe",
    "2 Medical Treatment",
    "2 Street Contacts",
    "2 Suspect Description",
    "2 Fingerprints",
    "2 Crop Circles",
    "2 Hard Evidence",
    "1 Paperwork",
)
HELPERS = (
    *("2 Sheriff Spencer", "2 Billy Miles", "2 Maggie Holvey"),
    *("2 Knife", "2 Binoculars", "2 Government Car", "2 First Aid", "2 Ambush", "2 Kick"),
)
HINDRANCES = (
    *("2 Slithers In The Night", "2 Hunter In The Dark", "2 Squeeze"),
    *("2 Dr. Berube", "2 Cigarette Butts", "2 Car Troubles"),
)
SIXTY = (*SITES, *EVENTS, *HELPERS, *HINDRANCES)

# Neither the green X nor Combat: what a starter leaves for the Basic game.
BASIC_SIXTY = (
    *SITES,
    *(
        "2 I Want To Believe",
        "2 Medical Treatment",
        "2 Street Contacts",
        "2 Suspect Description",
        "2 Fingerprints",
    ),
    *("2 Crop Circles", "2 Autopsy", "1 Paperwork"),
    *("2 Sheriff Spencer", "2 Billy Miles", "2 Maggie Holvey", "2 Gerd Thomas", "2 Dr. Hodge"),
    *("2 Binoculars", "2 Government Car", "2 Wire-Tap", "2 Slithers In The Night", "2 Hunter In The Dark"),
    *("2 Squeeze", "2 Dr. Berube", "2 Cigarette Butts", "2 Car Troubles", "2 Paul Mossinger"),
)

# 42 more cards: 12 Sites, so that the quarter holds, and 30 others.
MORE_SITES = (
    *("2 Olympic National Forest, WA", "2 Icy Cape, AK", "2 Cape Cod, MA"),
    *("2 Mt. Avalon, WA", "2 Gibsonton, FL", "2 Browning, MT"),
)
MORE_CARDS = (
    *("2 Autopsy", "2 Hidden Grave", "2 Clone", "2 Red Tape", "2 Travel Arrangements", "2 Core Training"),
    *("2 Dr. Hodge", "2 Doug Spinney", "2 Byers", "2 Dr. Davey", "2 Peter Tanaka", "2 Detective Miles"),
    *("2 Wire-Tap", "2 Laptop Computer", "2 Geiger Counter"),
)

# Fifteen cards to exchange, none of them among the sixty.
FIFTEEN = (
    "2 Dr. Hodge",
    "2 Doug Spinney",
    "2 Byers",
    "2 Autopsy",
    "2 Clone",
    "2 Peter Tanaka",
    "2 Wire-Tap",
    "1 Red Tape",
)


def examples() -> tuple[Example, ...]:
    """Legal decks of every format, then decks that break one rule each."""
    return (*_legal(), *_teams(), *_x_files(), *_bureau(), *_remarks(), *_basic(), *_contingency())


def deck(
    bureau: Lines = SIXTY,
    agents: Lines = PAGE_TEAM,
    x_files: Lines = ("Duane Barry",),
    sideboard: Lines = (),
) -> str:
    """A list as people paste it."""
    blocks = [("Agents:", agents), ("X-File:", x_files), ("Bureau deck:", bureau), ("Sideboard:", sideboard)]
    return "\n\n".join("\n".join((heading, *lines)) for heading, lines in blocks if lines)


def swapped(*new: str, old: Lines, bureau: Lines = SIXTY) -> Lines:
    """The deck with the lines ``old`` taken out and ``new`` put in."""
    return (*(line for line in bureau if line not in old), *new)


def _legal() -> tuple[Example, ...]:
    with_agent = swapped("1 Agent Jerry Lamana", "1 Paperwork", old=("1 Paperwork", "2 Kick"))
    return (
        Example("sixty cards, the page's team of 20 RP, one X-File", "advanced", deck(), "legal", notes=()),
        Example("an Agent in the Bureau deck", "advanced", deck((*with_agent, "1 Hide")), "legal", notes=()),
        Example(
            "the five cards called Smoke & Mirrors, two of each",
            "advanced",
            deck(_smoke_and_mirrors()),
            "legal",
            notes=(),
        ),
        Example("Killer cards by agreement", "advanced-killer", deck(_with_killers()), "legal", notes=()),
        Example(
            "the Basic game with four Agents of any cost",
            "basic",
            deck(BASIC_SIXTY, EIGHTY_RP[:4]),
            "legal",
            notes=(),
        ),
        Example("a sideboard of fifteen", "contingency", deck(sideboard=FIFTEEN), "legal", notes=()),
    )


def _teams() -> tuple[Example, ...]:
    twenty_one = (*PAGE_TEAM[:3], "Section Chief Scott Blevins")
    twice = ("2 Agent Fox Mulder", "1 Special Agent Henderson", "1 Special Agent Karen Kossoff")
    two_prints = (
        "1 Agent Fox Mulder (PRE) 169",
        "1 Agent Fox Mulder (PRE) 163",
        "Special Agent Henderson",
        "Special Agent Karen Kossoff",
    )
    site = swapped("1 Paperwork", old=("1 Paperwork",))
    return (
        Example("a team of 21 RP", "advanced", deck(agents=twenty_one), "illegal", ("S4",)),
        Example(
            "a team of 80 RP, as the page's misprint has it",
            "advanced",
            deck(agents=EIGHTY_RP),
            "illegal",
            ("S4",),
        ),
        Example("the same Agent starts twice", "advanced", deck(agents=twice), "illegal", ("S6",)),
        Example(
            "two prints of one Agent are one Agent", "advanced", deck(agents=two_prints), "illegal", ("S6",)
        ),
        Example("no starting Agents", "advanced", deck(agents=()), "incomplete", ("D7",)),
        Example(
            "two starting Agents are few", "advanced", deck(agents=PAGE_TEAM[:2]), "legal", notes=("D7",)
        ),
        Example(
            "a Site among the starting Agents",
            "advanced",
            deck(site, (*PAGE_TEAM, "Icy Cape, AK")),
            "illegal",
            ("S3",),
        ),
    )


def _x_files() -> tuple[Example, ...]:
    return (
        Example("no X-File", "advanced", deck(x_files=()), "incomplete", ("S2",)),
        Example("two X-Files", "advanced", deck(x_files=("Duane Barry", "The Host")), "illegal", ("S2",)),
        Example("a Witness as the X-File", "advanced", deck(x_files=("Gerd Thomas",)), "illegal", ("S2",)),
        Example("an X-File in the Bureau deck", "advanced", deck((*SIXTY, "1 The Host")), "illegal", ("D9",)),
        Example(
            "an X-File does not fill the sixty",
            "advanced",
            deck(swapped("1 The Host", old=("1 Paperwork",))),
            "illegal",
            ("S1", "D9"),
        ),
    )


def _bureau() -> tuple[Example, ...]:
    three_of_one = swapped(
        "2 Smoke & Mirrors (PRO) 6-SC2", "1 Smoke & Mirrors #2", old=("1 Paperwork", "2 Kick")
    )
    return (
        Example(
            "nothing but headings",
            "advanced",
            "Agents:\nX-File:\nBureau deck:",
            "incomplete",
            ("S1", "S2", "D7"),
        ),
        Example("fifty-nine cards", "advanced", deck(swapped(old=("1 Paperwork",))), "incomplete", ("S1",)),
        Example("three copies", "advanced", deck(swapped("3 Kick", old=("2 Kick",))), "illegal", ("D4",)),
        Example(
            "three copies over two editions",
            "advanced",
            deck(swapped("2 Kick (PRE)", "1 Kick (TRU)", old=("2 Kick",))),
            "illegal",
            ("D4",),
        ),
        Example(
            "three of one of the five Smoke & Mirrors", "advanced", deck(three_of_one), "illegal", ("D4",)
        ),
        Example("Killer cards without agreement", "advanced", deck(_with_killers()), "illegal", ("D12",)),
        Example("a sideboard in an official format", "advanced", deck(sideboard=FIFTEEN), "illegal", ("C1",)),
        Example(
            "three copies are too many with Killer cards too",
            "advanced-killer",
            deck(swapped("3 Kick", old=("2 Kick",))),
            "illegal",
            ("D4",),
        ),
    )


def _remarks() -> tuple[Example, ...]:
    fewer_sites = swapped("2 Autopsy", old=("2 Franklin, PA",))
    one_question = (
        "2 Aubrey, MO",
        "2 Lake Okobogee, Campsite #53, Sioux City, IA",
        "1 Fairfield Zoo, Fairfield, ID",
    )
    only_motive = (*one_question, *(line for line in (*SIXTY[len(SITES) :], *MORE_CARDS[:6])))
    return (
        Example(
            "more than a hundred cards",
            "advanced",
            deck((*SIXTY, *MORE_SITES, *MORE_CARDS)),
            "legal",
            notes=("D2",),
        ),
        Example(
            "an Agent who also starts",
            "advanced",
            deck((*SIXTY, "1 Agent Fox Mulder")),
            "legal",
            notes=("D11", "D13"),
        ),
        Example(
            "two copies of an Agent",
            "advanced",
            deck((*SIXTY, "2 Agent Weiss")),
            "legal",
            notes=("D11", "D13"),
        ),
        Example("Sites below a quarter", "advanced", deck(fewer_sites), "legal", notes=("D13",)),
        Example(
            "Sites that ask one kind of question", "advanced", deck(only_motive), "legal", notes=("D13",)
        ),
        Example(
            "a Site that the team cannot solve",
            "advanced",
            deck(swapped("1 Cumberland Prison, VA", old=("1 Fairfield Zoo, Fairfield, ID",))),
            "legal",
            notes=("D13",),
        ),
        Example(
            "a card for three players",
            "advanced",
            deck(swapped("1 Hidden Transmitter", old=("1 Paperwork",))),
            "legal",
            notes=("D13",),
        ),
    )


def _basic() -> tuple[Example, ...]:
    with_agent = swapped("1 Agent Weiss", old=("1 Paperwork",), bureau=BASIC_SIXTY)
    with_combat = swapped("1 Kick", old=("1 Paperwork",), bureau=BASIC_SIXTY)
    with_green_x = swapped("1 Hard Evidence", old=("1 Paperwork",), bureau=BASIC_SIXTY)
    return (
        Example(
            "three Agents in the Basic game", "basic", deck(BASIC_SIXTY, PAGE_TEAM[:3]), "incomplete", ("B1",)
        ),
        Example(
            "five Agents in the Basic game", "basic", deck(BASIC_SIXTY, EIGHTY_RP[:5]), "illegal", ("B1",)
        ),
        Example("an Agent in a Basic deck", "basic", deck(with_agent), "illegal", ("B2",)),
        Example("a Combat card in a Basic deck", "basic", deck(with_combat), "illegal", ("B3",)),
        Example("a green X in a Basic deck", "basic", deck(with_green_x), "illegal", ("B3",)),
        Example("an X-File in a Basic deck", "basic", deck((*BASIC_SIXTY, "1 The Host")), "illegal", ("D9",)),
        Example("fewer than sixty in a Basic deck", "basic", deck(BASIC_SIXTY[:12]), "legal", notes=("B4",)),
    )


def _contingency() -> tuple[Example, ...]:
    fourteen = FIFTEEN[:-1]
    shared = swapped("1 Kick", old=("1 Red Tape",), bureau=FIFTEEN)
    killer = swapped("1 The Host Attacks", old=("1 Red Tape",), bureau=FIFTEEN)
    return (
        Example("a sideboard of fourteen", "contingency", deck(sideboard=fourteen), "incomplete", ("C1",)),
        Example(
            "a sideboard of sixteen",
            "contingency",
            deck(sideboard=(*FIFTEEN, "1 Nasty Surprise")),
            "illegal",
            ("C1",),
        ),
        Example("a third copy in the sideboard", "contingency", deck(sideboard=shared), "illegal", ("D4",)),
        Example("a Killer card in the sideboard", "contingency", deck(sideboard=killer), "illegal", ("D12",)),
    )


def _with_killers() -> Lines:
    return swapped("1 The Host Attacks", old=("1 Paperwork",))


def _smoke_and_mirrors() -> Lines:
    five = ("2 Smoke & Mirrors (PRO) 6-SC1", *(f"2 Smoke & Mirrors #{number}" for number in range(2, 6)))
    return swapped(
        *five,
        old=(
            "2 Street Contacts",
            "2 Suspect Description",
            "2 Fingerprints",
            "2 Crop Circles",
            "2 Hard Evidence",
        ),
    )
