"""The closure: the real `step` explored to a fixed point by a world that offers every event it can produce."""
