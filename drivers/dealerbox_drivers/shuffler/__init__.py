"""The card shuffler, wire version 1 (firmware-protocols/shuffler/v1)."""
