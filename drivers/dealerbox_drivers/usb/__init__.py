"""USB devices as lines: pyusb on threads of their own, the loop's side, and a twin of the bus."""
