"""Words of The X-Files CCG that its rules, statistics and emblems go by."""

from __future__ import annotations

DECK_TYPES = ("agent", "site", "event", "witness", "bluff", "equipment", "combat", "adversary")

# Fact key -> name on the card, in the order in which the Agents' cards are listed.
SKILLS = {
    "alien_investigation": "Alien Investigation",
    "behavioral": "Behavioral",
    "bureaucracy": "Bureaucracy",
    "computer": "Computer",
    "criminal_investigation": "Criminal Investigation",
    "evidence_collection": "Evidence Collection",
    "medical": "Medical",
    "observation": "Observation",
    "occult_investigation": "Occult Investigation",
    "sciences": "Sciences",
    "subterfuge": "Subterfuge",
}
QUESTIONS = ("Affiliation", "Motive", "Method", "Result")
