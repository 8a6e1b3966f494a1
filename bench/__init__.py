"""Figures and long proofs: `make bench`, `make prove`. Not installed with the package."""
