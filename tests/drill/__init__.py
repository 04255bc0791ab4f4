"""What is done to a running site on purpose, and whether anything is lost by it: ``python -m
tests.drill``.
"""
