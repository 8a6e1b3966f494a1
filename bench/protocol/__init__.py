"""A model check of the shuffler's wire, written from firmware-protocols/shuffler/v1/PROTOCOL.md alone.

It imports nothing of the driver, the twin or the reference: a fault that they share with the page shows here.
"""
