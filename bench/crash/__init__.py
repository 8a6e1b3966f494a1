"""The journal under fire: every state that a cut, a failing disk or a flipped bit leaves of a recorded evening."""
