"""A card that acknowledges and forgets, or one put back: the log is whole and too short. Who notices?

A head kept elsewhere always; the shuffler when it has an id that the log never gave. What neither tells is counted.
"""

from collections import Counter
from random import Random

from bench.crash.disk import CrashDisk, Files
from bench.crash.evening import Recorder, batches
from bench.crash.states import SEGMENT
from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.record import BLOCK
from dealerbox.journal.recover import Head, Recovery, Verdict, recover
from dealerbox.model.events import Started
from dealerbox.model.shuffler import Cap, Memory
from dealerbox.station.entry import decode
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Lock, Sensor, Status
from dealerbox_drivers.shuffler.reconcile import judge, remembered


def prove(payloads: list[bytes], seed: int, most: int) -> tuple[Counter[str], list[str]]:
    """Let the card forget all since each group, up to `most` groups back, whole or in part."""
    rng, score, wrong = Random(seed), Counter[str](), []
    disk = CrashDisk()
    recorder = Recorder(disk, SEGMENT)
    kept: list[tuple[Files, Head]] = []
    for group in batches(payloads, rng):
        recorder.write([group])
        kept.append((disk.kept(), recorder.head))
    for newest, (files, head) in enumerate(kept):
        for back in range(1, min(most, newest) + 1):
            old, old_head = kept[newest - back]
            score["forgotten"] += 1
            wrong += _whole(old, old_head, head, score)
            wrong += _in_part(old, files, head, rng, score)
    return score, wrong + _asked(payloads, most, score)


def _read(files: Files, anchor: Head | None) -> Recovery:
    return recover(CrashDisk(files), lambda record: None, segment_bytes=SEGMENT, anchor=anchor)


def _whole(old: Files, old_head: Head, head: Head, score: Counter[str]) -> list[str]:
    """All since then is gone: nothing in the log can tell, the kept head does."""
    alone, anchored = _read(old, None), _read(old, head)
    score[anchored.verdict] += 1
    if (alone.verdict, alone.head) != (Verdict.CLEAN, old_head):
        return [f"a log that ends with {old_head.seq} is {alone.verdict} at {alone.head.seq}"]
    if anchored.verdict is not Verdict.ROLLED_BACK or f"record {head.seq}" not in anchored.why:
        return [f"a log that ends with {old_head.seq}, {head.seq} was kept: {anchored.verdict}: {anchored.why}"]
    return []


def _in_part(old: Files, new: Files, head: Head, rng: Random, score: Counter[str]) -> list[str]:
    """Some blocks since then were kept and some not: corrupt or rolled back, and never gone on with."""
    mixed = {}
    for name, data in new.items():
        before = old.get(name, bytes(len(data)))
        mixed[name] = b"".join(rng.choice((before, data))[at : at + BLOCK] for at in range(0, len(data), BLOCK))
    if mixed == new:
        return []
    found = _read(mixed, head)
    score[f"in part: {found.verdict}"] += 1
    return [] if found.verdict in (Verdict.CORRUPT, Verdict.ROLLED_BACK) else [f"in part: {found.verdict}: {found.why}"]


def _asked(payloads: list[bytes], most: int, score: Counter[str]) -> list[str]:
    """Start from each shortened log with the shuffler as it really is: an id that the log never gave is told."""
    wrong: list[str] = []
    states = [State()]
    for payload in payloads:
        states.append(step(states[-1], decode(payload).event)[0])
    for newest, now in enumerate(states):
        for past in states[max(1, newest - most) : newest]:
            score["shuffler asked"] += 1
            record, owed = remembered(past.memory)
            device = _device(now.memory)
            why = judge(record, owed, device, 1, Cap.GATE).record.strange
            again, _ = step(past, Started(past.now_ns, setup=past.setup, memory=past.memory, boot_id="again"))
            if device.cmd_id >= past.memory.next_id:
                score["told by the shuffler"] += 1
                if not why:
                    wrong.append(f"id {device.cmd_id} of the device, {past.memory.next_id} not given, and they agree")
            elif in_hand(past):
                score["held, a hand was open"] += 1
                if not again.holds:
                    wrong.append(f"a hand was open at record {newest} and nothing is held")
            else:
                score["by a kept head alone"] += 1
    return wrong


def _device(memory: Memory) -> Status:
    """Return what a shuffler says that has done all that was ever settled."""
    return Status(
        code=Code.OK, state=DeviceState.LOCKED, locks=Lock(0), epoch=memory.epoch, fence=9, boot_id=1, tick=1,
        session=memory.session, cmd_id=memory.settled, cmd_kind=0, cmd_state=CommandState.DONE,
        cmd_result=Code.MOVED, pulses=0, machine=memory.machine, order=0, exit_id=memory.exit_id, out_total=0,
        taken_id=0, deal_id=memory.deal_id, token_id=0, hold_no=0, hold_session=0, hold_key=0, hold_reason=0,
        error=0, sensors=Sensor(0), event_next=0,
    )  # fmt: skip
