"""Speed as ratios: ours and a named baseline, in turn, in one run. Times depend on the machine, ratios
hardly.
"""
