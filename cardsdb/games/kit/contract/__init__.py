"""The contract that every game folder must keep; each fault is one sentence.

``checks.py`` is the entrance (``problems``). ``optional.py`` checks the parts that a game may lack,
``sentences.py`` the sentences of effects against their lines.
"""
