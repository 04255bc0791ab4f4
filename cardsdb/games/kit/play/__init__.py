"""Parts that a game declares besides its rules: statistics, opening hands, worksheets, roles.

Each module has the classes that a game fills in, and functions to evaluate them for a deck. All are optional:
a game that declares none gets the defaults or no such page.
"""
