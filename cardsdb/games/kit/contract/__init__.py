"""The contract that every game folder must keep; each fault is one sentence."""
