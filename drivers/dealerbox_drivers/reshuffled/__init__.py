"""A shuffler that speaks the ReShuffled text protocol: level 0, it shuffles and proves nothing."""
