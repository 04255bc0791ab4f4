"""The print page: what a request says, the form made from the options, presets, what is remembered, the words beside the preview."""
