"""What takes longer than somebody waits, prints and large files of own texts and pictures: stored jobs and
who makes them.
"""
