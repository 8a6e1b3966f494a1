"""A tag in the dealer's button, read by the readers of the seats: a second kind of button sensor (C11)."""

from dealerbox.ports import Clock
from dealerbox_drivers.pins.button import Button
from dealerbox_drivers.rfid.contacts import TagContacts
from dealerbox_drivers.rfid.settings import TagButtonSettings


def tag_button(name: str, settings: TagButtonSettings, contacts: TagContacts, clock: Clock) -> Button:
    """Return a button sensor that knows what the readers tell."""
    return Button(name, settings, contacts, clock)
