"""Rules, judging, and the numbers that house rules may change.

``construction`` has the rules that games are built from and ``judge``; a game's own rules derive from
``model.format.Rule``. ``house_rules`` changes numbers of rules for one table.
"""
