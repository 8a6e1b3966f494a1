"""Drivers: bytes and pins of the things on the table."""
