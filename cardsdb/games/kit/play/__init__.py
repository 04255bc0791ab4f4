"""Parts that a game declares beside its rules: statistics, opening hands and worksheets, small objects that
count and calculate.
"""
