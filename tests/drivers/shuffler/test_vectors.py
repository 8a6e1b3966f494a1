"""The page, the table of frames and the codec say the same."""

import msgspec
import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Code, Flag


def raw(table):
    return bytes.fromhex(table["bytes"])


def named(item):
    """What a decoder's item is called in the table."""
    if isinstance(item, wire.Frame):
        return f"{item.type:02X}"
    return Code(item.code).name if isinstance(item, wire.RefusedFrame) else "DROPPED"


def frame_of(table):
    head = table["head"]
    body = m.BODIES[head["type"]](**table["fields"])
    return wire.Frame(head["type"], Flag(head["flags"]), head["seq"], head["session"], body)


def test_every_frame_of_the_table_is_encoded_to_its_bytes(vectors):
    for table in vectors["frame"]:
        assert wire.encode(frame_of(table)) == raw(table), table["name"]


def test_every_frame_of_the_table_is_decoded_to_its_fields(vectors):
    for table in vectors["frame"]:
        assert wire.Decoder().feed(raw(table)) == [frame_of(table)], table["name"]


def test_the_second_opinion_reads_every_frame_of_the_table_alike(vectors, second_opinion):
    for table in vectors["frame"]:
        head, fields = second_opinion["decode"](raw(table))
        assert (head, fields) == (table["head"] | {"ver": 1}, table["fields"]), table["name"]


def test_every_frame_of_the_table_comes_through_split_at_every_byte(vectors):
    for table in vectors["frame"]:
        whole = raw(table)
        for at in range(len(whole) + 1):
            decoder = wire.Decoder()
            assert decoder.feed(whole[:at]) + decoder.feed(whole[at:]) == [frame_of(table)], (table["name"], at)


def test_every_frame_of_the_table_comes_through_one_by_one_and_all_at_once(vectors):
    stream = b"".join(raw(table) for table in vectors["frame"])
    frames = [frame_of(table) for table in vectors["frame"]]
    decoder = wire.Decoder()
    assert [item for byte in stream for item in decoder.feed(bytes([byte]))] == frames
    assert wire.Decoder().feed(stream) == frames


def test_noise_before_and_between_frames_costs_no_frame(vectors):
    noise = bytes(range(1, 256))
    for table in vectors["frame"]:
        items = wire.Decoder().feed(noise + raw(table) + noise + raw(table))
        assert [item for item in items if isinstance(item, wire.Frame)] == [frame_of(table)] * 2, table["name"]


def test_noise_inside_a_frame_costs_that_frame_alone(vectors):
    for table in vectors["frame"]:
        whole = raw(table)
        for at in range(1, len(whole) - 1):
            for hit in (b"", b"\0", bytes([whole[at] ^ 0x10])):
                items = wire.Decoder().feed(whole[:at] + hit + whole[at + 1 :] + whole)
                frames = [item for item in items if isinstance(item, wire.Frame)]
                assert frames == [frame_of(table)], (table["name"], at, hit)


def test_every_edge_of_the_table_gives_what_it_says(vectors):
    for table in vectors["edge"]:
        assert [named(item) for item in wire.Decoder().feed(raw(table))] == table["gives"], table["name"]


def test_every_type_is_in_the_table(vectors):
    told = {table["head"]["type"] for table in vectors["frame"]}
    assert told >= {*m.REQUESTS, m.Type.EVENT, m.Type.IDENT, m.Type.QUERY | m.ANSWER}


def test_the_frames_of_the_page_are_those_of_the_table(vectors, page):
    worked = page[page.index("## 10 ") : page.index("## 11 ")]
    told = [table for table in vectors["frame"] if table["source"] == "PROTOCOL.md, section 10"]
    assert len(told) == worked.count(" bytes)\n")
    for table in told:
        frame = raw(table)
        assert f"{table['name']}  ({len(frame)} bytes)\n{frame.hex()}\n" in worked


def test_the_bodies_of_the_codec_have_the_layouts_of_the_page(second_opinion):
    sizes = {"B": 1, "H": 2, "I": 4, "Q": 8}
    told = second_opinion["LAYOUTS"]
    assert set(told) == set(m.BODIES)
    for kind, layout in told.items():
        body = m.BODIES[kind]
        assert body.__struct_fields__ == tuple(name for name, _ in layout), hex(kind)
        assert body.layout.size == sum(sizes[size] for _, size in layout), hex(kind)
    assert m.Ident.layout.size == 50
    assert m.Status.layout.size == 78


def test_every_code_of_the_page_has_its_number(page):
    for code in Code:
        assert f"{code:02X} {code.name}" in page


@pytest.mark.parametrize("caps", [Cap(0x1F7F)])
def test_sets_of_bits_come_back_as_such(vectors, caps):
    (ident,) = (item for item in vectors["frame"] if item["name"].startswith("IDENT protocol 1"))
    (frame,) = wire.Decoder().feed(raw(ident))
    assert isinstance(frame, wire.Frame)
    assert msgspec.structs.asdict(frame.body)["caps"] is caps
