"""Looking at the whole of Cutout with tools of others: make audit, make sbom, make mutate."""
