"""A small display beside the dealer's panel: the one thing to do next, and the panel's open menu."""
