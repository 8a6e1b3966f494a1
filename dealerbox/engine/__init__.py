"""What an event means now: phases, state, and the one pure function step(state, event)."""
