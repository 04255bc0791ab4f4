"""The way to a verdict: the rule objects, the judging by them, and the numbers that house rules may
change.
"""
