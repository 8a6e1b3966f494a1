"""One file for support: what is in it, and that no tag, no face and no key is."""
