"""A request for a print as one value: lists, options, chosen cards, job."""
