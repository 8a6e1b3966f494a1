"""The demo, `python -m dealerbox.simulate.demo`: the real daemon at a simulated table, in real time, with a picture."""
