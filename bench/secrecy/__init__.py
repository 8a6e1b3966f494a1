"""Nothing revealed: what leaves a station says nothing of a card (P4)."""
