"""The live screen of `dealerbox diag watch`: what is said, and the Textual application that shows it."""
