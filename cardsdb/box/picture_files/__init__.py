"""Picture files: their kind and headers, cleaning them, the card that each is for. No pixel is decoded
here.
"""
