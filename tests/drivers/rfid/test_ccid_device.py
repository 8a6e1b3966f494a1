"""What only CCID readers do: numbers and slots, time extensions, what is said unasked."""

import asyncio

import pytest

from dealerbox.model.events import TagsGone, TagsSeen, ZoneUnknown
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.rfid.ccid import wire
from dealerbox_drivers.rfid.ccid.talk import MOST_WAITS, Talk, Timing
from dealerbox_drivers.rfid.ccid.wire import ANSWERS, Answer, Ask, Decoder, Message

BOTH = pytest.mark.parametrize("kind", ["acr122u", "acr1552u"])


class Slow:
    """Answers each question but the aborts after the delays given, with its own number as data."""

    def __init__(self, line, delays_ms=()) -> None:
        self.line, self.delays_ms = line, list(delays_ms)
        self.heard: list[Message] = []

    async def run(self) -> None:
        decoder = Decoder()
        try:
            while True:
                for question in decoder.feed(await self.line.read()):
                    self.heard.append(question)
                    kind = ANSWERS[Ask(question.kind)]
                    if question.kind == Ask.TRANSFER:
                        await asyncio.sleep((self.delays_ms.pop(0) if self.delays_ms else 3) / 1000)
                    self.line.write(wire.encode(Message(kind, question.slot, question.seq, data=bytes([question.seq]))))
        except DeviceGone:
            return


@pytest.fixture
def talked(run):
    """`talked(story, **how)`: a story with a Talk and who answers it, `Slow` unless told."""

    def tell(story, *delays_ms, timing=None):
        async def whole():
            near, far = memory_pair()
            slow = Slow(far, delays_ms)
            running = asyncio.create_task(slow.run())
            talk = Talk("left", near, timing or Timing(silent_answers=99))
            try:
                await story(talk, slow, far)
            finally:
                await talk.close()
                running.cancel()

        return run(whole(), limit_s=600)

    return tell


def test_every_question_has_a_number_of_its_own_and_begins_anew_after_255(talked) -> None:
    async def story(talk, slow, _) -> None:
        for _ in range(300):
            assert await talk.said(Ask.TRANSFER) is not None
        numbers = [message.seq for message in slow.heard]
        assert numbers == [number % 256 for number in range(302)]
        assert [message.kind for message in slow.heard[:2]] == [Ask.ABORT, Ask.SLOT_STATUS]

    talked(story)


@pytest.mark.parametrize("delays_ms", [(260,), (600, 262), (1400, 3, 251), (517, 530, 800)])
def test_an_answer_is_that_of_its_own_question_or_none(talked, delays_ms) -> None:
    async def story(talk, slow, _) -> None:
        answered = 0
        for _ in range(20):
            answer = await talk.said(Ask.TRANSFER)
            if answer is not None:
                assert answer.data == bytes([talk._seq])
                answered += 1
        assert answered >= 20 - 4 * len(delays_ms)

    talked(story, *delays_ms)


@pytest.mark.parametrize(
    "stale",
    [
        Message(0x80, 0, 77, data=b"\x04\x01"),
        Message(0x80, 1, 2, data=b"\x04\x01"),
        Message(0x83, 0, 2, data=b"\x04\x01"),
        Message(0x81, 0, 2),
    ],
    ids=["another number", "another slot", "another kind", "a slot's status"],
)
def test_what_is_not_the_answer_is_dropped_and_counted(talked, stale) -> None:
    async def story(talk, slow, far) -> None:
        await talk.mark()
        asking = asyncio.create_task(talk.said(Ask.TRANSFER))
        await asyncio.sleep(0)
        far.write(wire.encode(stale))
        assert await asking == Answer(0, 0, b"\x02")
        assert talk.faults == 1

    talked(story)


def test_a_time_extension_starts_the_wait_anew_by_its_factor(talked) -> None:
    async def story(talk, slow, far) -> None:
        await talk.mark()
        asking = asyncio.create_task(talk.said(Ask.TRANSFER))
        for factor in (1, 2):
            await asyncio.sleep(0.2)
            far.write(wire.encode(Message(0x80, 0, 2, bytes((0x80, factor, 0)))))
        assert await asking == Answer(0, 0, b"\x02")

    talked(story, 650)


@pytest.mark.parametrize("factor", [0, 1, 255])
def test_a_reader_that_only_ever_asks_for_time_is_given_up_in_time(talked, factor) -> None:
    async def story(talk, slow, far) -> None:
        await talk.mark()
        began_s = asyncio.get_running_loop().time()
        asking = asyncio.create_task(talk.said(Ask.TRANSFER))
        for _ in range(MOST_WAITS + 2):
            await asyncio.sleep(0.1)
            far.write(wire.encode(Message(0x80, 0, 2, bytes((0x80, factor, 0)))))
        assert await asking is None
        assert asyncio.get_running_loop().time() - began_s <= 0.75

    talked(story, 100_000)


def test_what_an_earlier_run_left_half_done_is_broken_off_and_drained_first(talked) -> None:
    """pyusb#463: not every time-out is idleness: the run before may have left an answer behind."""

    async def story(talk, slow, far) -> None:
        far.write(wire.encode(Message(0x80, 0, 0, data=b"old")))
        far.write(wire.encode(Message(0x81, 0, 1, data=b"old")))
        await asyncio.sleep(0.001)
        assert await talk.said(Ask.TRANSFER) == Answer(0, 0, b"\x02")
        assert slow.heard[0].kind == Ask.ABORT

    talked(story)


def test_what_is_said_unasked_is_no_answer_and_no_fault(talked) -> None:
    async def story(talk, slow, far) -> None:
        await talk.mark()
        for said in ("5003", "5002", "5001", "51000201"):
            far.write(bytes.fromhex(said))
        assert await talk.said(Ask.TRANSFER) is not None
        assert (talk.moved, talk.broken, talk.faults) == (3, 1, 0)

    talked(story)


# At the table


@BOTH
def test_a_stale_answer_before_each_is_never_taken(bench, kind) -> None:
    async def story(b) -> None:
        b.twin.stale = wire.encode(Message(0x80, 0, 200, data=bytes.fromhex("1b969d00180104e09000")))
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: b.twin.inventories > 40)
        assert [event.uids for event in b.of(TagsSeen)] == [(b.family.cards[0],)]

    bench(story, family=kind)


@BOTH
def test_a_reader_that_takes_its_time_is_waited_for(bench, kind) -> None:
    async def story(b) -> None:
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        faults, looks = b.device.faults, b.twin.inventories
        b.twin.waits = [1, 1]
        await b.until(lambda: b.twin.inventories > looks + 20)
        assert not b.twin.waits
        assert not b.of(ZoneUnknown)
        assert b.device.faults == faults

    bench(story, family=kind)


def test_firmware_that_is_too_old_is_refused_with_its_number(bench) -> None:
    async def story(b) -> None:
        with pytest.raises(DeviceWrong, match=r"no ACR122U reader \(its firmware 1\.03 is too old; 2\.00 or newer\)"):
            await b.running

    bench(story, family="acr122u", identity=b"ACR122U103")


def test_a_mute_card_is_no_card_and_any_other_failure_is_no_look(bench) -> None:
    """libnfc: bStatus 40 with bError FE and nothing in it is how an ACR122U says that nothing is there."""

    async def story(b) -> None:
        await b.until(b.all_known)
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        b.twin.deaf["seat:2"] = wire.MUTE
        await b.until(lambda: b.of(TagsGone))
        b.twin.deaf["seat:2"] = 0x05
        await b.until(lambda: b.of(ZoneUnknown))
        assert "error 05" in b.of(ZoneUnknown)[0].why

    bench(story, family="acr122u")


def test_its_own_looking_is_switched_off_and_the_field_is_dark_between_looks(bench) -> None:
    async def story(b) -> None:
        await b.until(b.all_known)
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        assert not b.twin._polling
        dark = 0
        for _ in range(200):
            await asyncio.sleep(0.001)
            dark += not b.twin.lit
        assert dark > 40

    bench(story, family="acr122u")


def test_two_cards_before_an_antenna_for_one_are_both_told(bench) -> None:
    async def story(b) -> None:
        for card in b.family.cards[:2]:
            b.felt.put(card, "infeed")
        await b.until(lambda: b.of(TagsSeen))
        assert set(b.of(TagsSeen)[0].uids) == set(b.family.cards[:2])

    bench(story, family="acr122u", zones={0: "infeed"})


def test_only_the_tags_of_decks_are_looked_for(bench) -> None:
    async def story(b) -> None:
        await b.until(b.all_known)
        assert b.twin._kinds == bytes((0x01, 0x04))

    bench(story, family="acr1552u")


def test_uids_in_the_other_order_than_the_config_says_are_named_and_never_told(bench) -> None:
    async def story(b) -> None:
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: b.of(ZoneUnknown))
        assert "byte order reversed" in b.of(ZoneUnknown)[0].why
        assert not b.of(TagsSeen)

    bench(story, family="acr1552u", last_first=False)


def test_an_ultralight_is_read_by_the_other_reader_too(bench) -> None:
    async def story(b) -> None:
        b.twin._felt = type("One", (), {"readable": lambda _, zone: ("04A1B2C3D4E5F6",)})()
        await b.until(lambda: b.of(TagsSeen))
        assert b.of(TagsSeen)[0].uids == ("04A1B2C3D4E5F6",)

    bench(story, family="acr1552u")


@pytest.mark.parametrize(("said", "words"), [(b"\x50\x03", "came or went"), (b"\x51\x00\x00\x01", "error 01")])
def test_a_card_that_moves_while_it_is_read_and_a_broken_reader_are_no_looks(bench, said, words) -> None:
    async def story(b) -> None:
        await b.until(b.all_known)

        b.twin.answer_with = lambda question, sent: said + sent if question.kind == Ask.SLOT_STATUS else sent
        await b.until(lambda: b.of(ZoneUnknown))
        assert words in b.of(ZoneUnknown)[0].why

    bench(story, family="acr1552u")


def test_neighbours_of_a_shared_field_look_one_at_a_time(bench_of, run, family) -> None:
    async def whole() -> None:
        from dealerbox_drivers.rfid.field import Field

        field = Field()
        both = [bench_of(family, zones={0: zone}, field=field) for zone in ("infeed", "seat:2")]
        for b in both:
            await b.start()
        for b in both:
            b.felt.put(b.family.cards[0], b.zones[0])
        for b in both:
            await b.until(lambda b=b: b.of(TagsSeen))
        for b in both:
            assert not b.of(ZoneUnknown)
            await b.stop()

    run(whole(), limit_s=60)
