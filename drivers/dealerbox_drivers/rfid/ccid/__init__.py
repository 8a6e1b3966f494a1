"""Readers of the USB class for chip cards: ACS ACR122U and ACR1552U (firmware-protocols/ccid)."""
