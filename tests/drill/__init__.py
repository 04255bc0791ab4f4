"""Drills (``make drill``): harm a running site on purpose and check that it still answers and loses
nothing.
"""
