"""NXP PN532 readers on a serial line, HSU (firmware-protocols/pn532)."""
