"""Words for people: the only room that prints."""
