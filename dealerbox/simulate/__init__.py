"""The simulated table: people, faults and an independent checker around the felt. Not on an installed table."""
