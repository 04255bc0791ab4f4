"""A deck as a value, without database and Django: its content, its edits, differences, verdict, odds.
Pure.
"""
