"""What people say to the station: the dealer's keys and the director's rulings."""

from enum import StrEnum


class Key(StrEnum):
    """A logical key of the dealer's panel. The layout in the config maps buttons to these."""

    START = "start"
    ACTION = "action"
    NEXT = "next"
    AWARD = "award"
    EXPOSED = "exposed"
    OFF_TABLE = "off_table"
    FACED = "faced"
    MISDEAL = "misdeal"
    PREMATURE = "premature"
    UNBURN = "unburn"
    CUT = "cut"
    COUNT = "count"
    DECK = "deck"
    SUSPECT = "suspect"
    RETRIEVE = "retrieve"
    MANUAL = "manual"
    FIND = "find"
    ACK = "ack"
    NO = "no"
    UNDO = "undo"


class Ruling(StrEnum):
    """A ruling of the tournament director (1830(2)), given with a reason."""

    STAND = "stand"
    TO_STUB = "to_stub"
    HAND_DEAD = "hand_dead"
    RETRIEVE = "retrieve"
    VOID_HAND = "void_hand"
    SET_BUTTON = "set_button"
    SEATS = "seats"
    BEGAN = "began"
    HOUR = "hour"
    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
