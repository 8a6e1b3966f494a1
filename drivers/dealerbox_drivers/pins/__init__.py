"""Pins: the button sensor and the dealer's panel through gpiozero."""
