"""Rules, judging, and the numbers that house rules may change.

``construction`` has ``judge`` and the rules that games are built from, ``card_lists`` those about named
cards; a game's own rules derive from ``model.format.Rule``. ``house_rules`` changes numbers of rules for one
table.
"""
