"""What the tests of a room are worth: changed programs, and whether a test fails. `docs/mutation.md` has the figures."""
