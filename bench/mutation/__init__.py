"""What the tests of a room are worth: changed programs, and whether a test fails. `docs/mutation.md` has the figures.

`python -m bench.mutation FILE...` tries functions as mutmut changes them, `python -m bench.mutation.tables` tables and
constants, of which mutmut makes no mutants.
"""
