"""What a person brought along, beside the catalogue: texts of cards in boxes, compared with a file, added whole or not at all."""
