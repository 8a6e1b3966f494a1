"""Disk: one append-only log of everything that happened and was decided, in records that cannot lie unnoticed."""
