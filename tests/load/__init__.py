"""What the site holds on a real evening: ``make load`` asks more and more until it is full, then twice that,
and sees it come back.
"""
