"""A reader through the real libusb: umockdev replays the device and its transfers, nothing of ours is between."""
