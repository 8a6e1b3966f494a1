"""What a device says of itself is kept for a line of text, and round trips for as long as they are news."""

from dealerbox_drivers.traffic import KEPT, LONGEST_WORDS, Traffic


def test_a_name_is_kept_as_it_can_be_printed_in_one_line() -> None:
    traffic = Traffic()
    traffic.met("ACME\x1b[2J\nreader " + "x" * 100, "1.0")
    assert traffic.identity.startswith("ACME?[2J?reader x")
    assert (len(traffic.identity), traffic.firmware) == (LONGEST_WORDS, "1.0")


def test_old_round_trips_make_room_for_new_ones() -> None:
    traffic = Traffic()
    for number in range(KEPT + 5):
        traffic.answered(float(number))
    assert (traffic.frames, traffic.trips_s[0], len(traffic.trips_s)) == (KEPT + 5, 5.0, KEPT)
