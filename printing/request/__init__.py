"""A request for a print as one value: its lists, its options, the chosen cards, and the job made of them."""
