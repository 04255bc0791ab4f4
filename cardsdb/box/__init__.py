"""All that people bring: texts, own sets, checklists, pictures."""
