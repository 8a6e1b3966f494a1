"""AnyID R321 readers, serial or USB HID (firmware-protocols/r321)."""
