"""Lawful hands from a second reading of the law page, and the proof that the station lets them be (P2, P1, P7).

Everything here but `proof` and `__main__` is the outside world: machine, readers, dealer, players, director and clock.
It imports `dealerbox.model` alone, so that it cannot repeat a mistake of `law` or `engine`.
"""
