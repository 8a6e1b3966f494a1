"""Every step of every test: what it asks, and what to do when it fails or cannot be done (docs/codes.md)."""

from typing import Final

import msgspec


class Asked(msgspec.Struct, frozen=True):
    """One kind of step."""

    asks: str
    """What must be so."""
    todo: tuple[str, ...]
    """What to do first, second, third."""
    untested_too: bool = False
    """The same is to be done where it could not be tested; else the reason that is given says what."""


_CABLE: Final = "Its power, its cable, its plug."

STEPS: Final[dict[str, Asked]] = {
    "station-answers": Asked(
        "The station of the table answers.",
        ("`systemctl status dealerbox`", "Be in the socket's group.", "`dealerbox check FILE`"),
    ),
    "station-device": Asked(
        "The station finds the device working.",
        (
            "`dealerbox diag list`: is its port there?",
            _CABLE,
            "Take the table and test it: `dealerbox diag selftest`, or its own test.",
        ),
    ),
    "panel-rest": Asked(
        "With no finger on it no key is down.",
        ("Is a key jammed by dirt, or by its frame?", "Pull its plug: if it is still down, the cable is shorted."),
    ),
    "journal-whole": Asked(
        "The journal can be read from its beginning to its end.",
        (
            "Keep it as it is: copy the folder before anything else.",
            "`dealerbox log verify FOLDER` says which record.",
            "Run the test as the station's user if it may not be read.",
        ),
        untested_too=True,
    ),
    "journal-sync": Asked(
        "A record is on the disk soon enough: 99 of 100 within 100 ms, each within 500 ms.",
        (
            "Another card or disk: one for surveillance or industry, no bargain.",
            "Nothing else may write to it: move logs and swap away.",
            "Run the test as the station's user if it may not write.",
        ),
    ),
    "journal-space": Asked(
        "There is room for the records of an evening.",
        ("`dealerbox log export`, then `log prune`, with the station stopped.", "A larger disk."),
    ),
    "clock-wall": Asked(
        "The wall clock says no earlier date than that of this software.",
        ("Set it: `timedatectl set-time`.", "Let it be set by the network: `timedatectl set-ntp true`."),
    ),
    "clock-steady": Asked(
        "The wall clock and the clock of the limits run alike.",
        ("Look for a second time daemon.", "Wait until the first synchronisation is over, and try again."),
    ),
    "clock-battery": Asked(
        "There is a clock with a battery, and it agrees with the wall clock within two seconds.",
        (
            "Fit one, or its battery (on a Pi 5: J5).",
            "`hwclock --systohc` once the wall clock is right.",
            "Without one a power cut makes every limit unsure (`clock_unsure`): a count and another deck.",
        ),
        untested_too=True,
    ),
    "clock-synced": Asked(
        "The system's time daemon says that the wall clock is right.",
        ("`timedatectl timesync-status`", "Give the box a time server it can reach."),
    ),
    "watchdog-armed": Asked(
        "The machine's own watchdog is armed, at 15 s at most.",
        (
            "`systemd/watchdog.conf` as /etc/systemd/system.conf.d/dealerbox-watchdog.conf, then reboot.",
            "`wdctl` and `journalctl -b | grep -i watchdog`",
            "Other files there that ask for more than 15 s: take them out.",
        ),
        untested_too=True,
    ),
    "link-exchanges": Asked(
        "Questions over the line are answered: at most 1 of 1,000 is lost or spoilt.",
        (
            _CABLE,
            "Lead it away from motors and mains; a shorter one.",
            "`baud` and `parity` in the config as the device has them.",
        ),
    ),
    "link-delay": Asked(
        "Answers come soon: 99 of 100 within 100 ms.",
        ("On USB: `latency_timer` 1 (systemd/60-dealerbox.rules).", "Another hub, or none."),
    ),
    "shuffler-answers": Asked(
        "The shuffler answers, and its memory is sound.",
        (_CABLE, "`dealerbox diag link shuffler`", "A memory with a bad slot: its maker must see to it."),
    ),
    "shuffler-counters": Asked(
        "Its counters go on from where they were at the last service.",
        ("Was the machine, or its board, exchanged? Note it in the log book.",),
    ),
    "shuffler-rest": Asked(
        "At rest the door is shut, the gate is locked, and no sensor sees a card.",
        (
            "Take out what lies there; wipe the sensors.",
            "A gate that is not locked: its spring, its coil. No play with it.",
        ),
    ),
    "shuffler-door": Asked(
        "The sensor at the door tells open and shut.",
        ("Its magnet or switch, its plug.", "With it dead nobody knows who opened the machine: no play with it."),
    ),
    "shuffler-empty": Asked(
        "Empty, it counts no card.",
        ("Look for a card at rollers and carousel.", "Wipe the counter's sensor."),
    ),
    "shuffler-return": Asked(
        "It takes in every card that is laid into the infeed.",
        ("Count the cards that lie there still.", "Clean the infeed's roller; bent cards go to the side."),
    ),
    "shuffler-count": Asked(
        "It counts as many cards as went in.",
        ("Count them by hand.", "Clean the counter's sensor; try again.", "No play with a machine that counts wrong."),
    ),
    "shuffler-shuffle": Asked(
        "It shuffles all cards, to the end, and names the shuffle.",
        ("Look for a jam.", "`dealerbox explain` the code that is named."),
    ),
    "shuffler-feed": Asked(
        "Cards come up one by one, in time, and its sensors see each.",
        (
            "Clean the rollers, or exchange them; worn or sticky cards to the side.",
            "Wipe the sensor behind the gate.",
            "`dealerbox explain` the code that is named.",
        ),
    ),
    "shuffler-gate-shut": Asked(
        "The locked gate holds a card that is pushed at, and no release is taken under a hold.",
        ("No play with this machine.", "Its latch, spring and coil: its maker must see to it."),
    ),
    "shuffler-gate-opens": Asked(
        "Released, one card goes through the gate, which is locked again behind it.",
        ("Look for a card in the gate.", "Its coil and spring.", "No play with a gate that does not lock."),
    ),
    "shuffler-exit": Asked(
        "The sensor in the outlet sees a card that lies there, and that it is taken.",
        ("Wipe it; sunlight and lamps may blind it.", "Its plug."),
    ),
    "shuffler-back": Asked(
        "A card behind the gate is taken back.",
        ("Look for a jam; clean the rollers.",),
    ),
    "panel-key": Asked(
        "A key that is pressed once is felt once, by itself, and stands still at once.",
        (
            "Its plug and cable; clean the contact, or exchange the key.",
            "Felt with another: a short between two wires.",
            "Bounces long: exchange it; `stable_ms` in the config helps until then.",
        ),
    ),
    "panel-lamp": Asked(
        "A lamp that is switched on is lit, and its pin reads back as set.",
        ("Its plug and cable; exchange the lamp, then its transistor.", "`dealerbox check`: is it the right pin?"),
    ),
    "panel-buzzer": Asked("The buzzer is heard.", ("Its plug and cable; exchange it.",)),
    "panel-switch": Asked(
        "The director's key switch is felt when it is turned on, and off.",
        ("Its plug and cable.", "`director` in the config: the right pin, or 0 for none."),
    ),
    "button-rest": Asked(
        "With the button off the table no seat feels it.",
        ("A contact that sticks: its plug, its cable.", "Another magnet near the seat?"),
    ),
    "button-seat": Asked(
        "The button is felt where it lies, and nowhere else.",
        (
            "Lay it flat on the mark.",
            "The seat's contact, its plug and cable; the button's magnet.",
            "`dealerbox check`: has the seat the right pin?",
        ),
    ),
    "reader-answers": Asked(
        "The reader answers, and is of the kind that the config says.",
        (_CABLE, "`port`, `baud` and `address` in the config.", "`dealerbox diag link READER`"),
    ),
    "reader-empty": Asked(
        "Where no card lies none is read.",
        (
            "Look for a card or tag under the cloth, in the rail, on a chair.",
            "Move what is near the antenna: the neighbours' cards, the box of decks.",
        ),
    ),
    "reader-reference": Asked(
        "The tag that is fixed at the antenna is read in 95 of 100 looks.",
        ("The antenna's cable and plug.", "Is the tag where it was fixed, and its number in `references`?"),
    ),
    "reader-rate": Asked(
        "A card at rest is read in 95 of 100 looks, and never missed three times in a row.",
        (
            "Metal, a phone or a power supply near the antenna: away with it.",
            "The antenna's cable and plug; its tuning.",
            "Another card: if that is read, the first is worn.",
        ),
    ),
    "reader-time": Asked(
        "A zone is looked at twice a second, the exit every 150 ms.",
        ("Fewer antennas at one reader; fewer readers of one `field`.", "`dealerbox diag link READER`"),
    ),
    "reader-gone": Asked(
        "A card that was taken away is not read any more.",
        ("Does a second card lie there?", "Move the card box away."),
    ),
    "reader-bleeds": Asked(
        "A card is read in its own zone and in no other.",
        (
            "Move the antennas apart, or turn one; a ferrite sheet between them.",
            "Two readers that are neighbours: give both the same `field` (docs/readers.md).",
            "Less power at the reader that reads too far.",
        ),
    ),
    "reader-together": Asked(
        "With a card in every zone each reader reads its own, and that alone.",
        ("As for reader-bleeds.", "Two fields at once spoil each other: the same `field` for both."),
    ),
    "deal-zone": Asked(
        "Each card of a deck that is dealt onto a zone is read there once, in its turn, and nowhere else.",
        (
            "Deal more slowly: half a second a card, flat on the mark.",
            "The same place each time: that card is worn; try another deck.",
            "`dealerbox diag reader ZONE`, then `diag calibrate`.",
        ),
    ),
    "deal-budget": Asked(
        "Of all cards dealt at most 1 of 5,200 is misread.",
        ("More rounds, if there were too few cards: `--loops`.", "The zone that misreads most, first."),
    ),
}
"""Code of a step -> what it is, in the order of the page."""
