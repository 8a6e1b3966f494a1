"""Dealerbox: the controller in the box under a poker table.

The box can stop a hand; it cannot start, reorder or reveal one.
"""

__version__ = "0.1.0"
