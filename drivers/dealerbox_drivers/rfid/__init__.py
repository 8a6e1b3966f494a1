"""RFID readers, a folder a family."""
