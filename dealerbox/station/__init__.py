"""Clock, signals, wiring: the daemon around the engine."""
