"""The daemon killed anywhere and started again: in virtual time at every event, and as a real process at any moment."""
