/* The rules of PROTOCOL.md section 4, one by one. */
#include <string.h>

#include "../bytes.h"
#include "bench.h"

static void a_new_memory_is_declared(void)
{
    fresh(ALL_CAPS);
    CHECK(query() == CODE_OK);
    CHECK(status.state == STATE_LOCKED);
    CHECK(status.locks == (LOCK_BOOT | LOCK_WIPED | LOCK_CONTENT));
    CHECK(status.epoch != 0 && status.fence == 2 && status.machine == MACHINE_UNKNOWN && status.order == 1);
}

static void nothing_but_four_is_heard_before_a_greeting(void)
{
    const uint8_t nothing[40] = {0};

    fresh(ALL_CAPS);
    CHECK(ask(TYPE_HEARTBEAT, 0, nothing, 8) == CODE_NO_SESSION);
    CHECK(ask(TYPE_ARM, 0, nothing, 17) == CODE_NO_SESSION);
    CHECK(ask(TYPE_PLACES, 0, nothing, 26) == CODE_NO_SESSION);
    CHECK(ask(TYPE_QUERY, 9, nothing, 0) == CODE_OK);
    CHECK(ask(TYPE_EVENT_ACK, 9, nothing, 4) == 0xEE);
    CHECK(hold(9, 1) == CODE_OK);
}

static void a_session_is_greeted_and_an_older_one_is_stale(void)
{
    const uint8_t others[10] = {2, 3};

    fresh(ALL_CAPS);
    CHECK(hello(5) == 1);
    CHECK(query() == CODE_OK && status.own_session == 5 && status.fence == 3);
    CHECK(hello(5) == 1);
    CHECK(query() == CODE_OK && status.fence == 3);
    CHECK(hello(4) == 0);
    CHECK(beat() == CODE_STALE_SESSION);
    CHECK(ask(TYPE_HELLO, 6, others, sizeof others) == 0);
    CHECK(query() == CODE_OK && status.own_session == 5);
    CHECK(hello(6) == 1);
}

static void a_card_is_brought_up_and_let_out(void)
{
    unsigned writes;

    fresh(ALL_CAPS);
    ready();
    writes = board.writes;
    CHECK(dispense(2, 1) == CODE_OK && status.state == STATE_BUSY && status.cmd_state == COMMAND_MOVING);
    CHECK(status.token_id == 0 && status.deal_id == 2);
    CHECK(again() == CODE_IN_PROGRESS && board.starts == 2);
    board.sensors |= SENSOR_BEHIND_GATE;
    work_ends(1, 0);
    CHECK(again() == CODE_REPEAT && status.cmd_state == COMMAND_DONE && status.cmd_result == CODE_MOVED);
    CHECK(status.machine == 51 && status.exit_id == 3 && status.pulses == 1);
    CHECK(release(3, 10000) == CODE_OK && status.state == STATE_BUSY);
    card_passes();
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_DONE && status.cmd_result == CODE_PASSED);
    CHECK(status.exit_id == 0 && status.out_total == 1 && !board.gate_open && status.state == STATE_ARMED);
    CHECK(board.writes == writes + 4);
    board.sensors &= (uint16_t)~SENSOR_OUTLET;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.taken_id == 3);
}

static void a_gate_opens_once_for_an_id(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK);
    card_passes();
    CHECK(again() == CODE_REPEAT);
    CHECK(dispense(2, 0) == CODE_OK);
    board.sensors |= SENSOR_BEHIND_GATE;
    work_ends(1, 0);
    CHECK(board.gate_openings == 1 && !board.gate_open);
}

static void a_hold_before_the_gate_has_opened_ends_the_release_at_once(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK && board.gate_open);
    CHECK(hold(1, 1) == CODE_OK && status.state == STATE_LOCKED && !board.gate_open);
    CHECK(status.cmd_state == COMMAND_NOT_TAKEN && status.cmd_result == CODE_NOT_TAKEN && status.exit_id == 3);
    CHECK(status.hold_no == status.fence && status.hold_session == 1 && status.hold_key == 1);
    CHECK(status.hold_reason == 0x0203 && (status.locks & LOCK_HOLD));
    CHECK(!board.locks_at_write);
    CHECK(hold(1, 1) == CODE_HOLD_KNOWN);
}

static void a_hold_over_an_open_gate_locks_it_and_the_sensor_decides(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK);
    gate_follows();
    CHECK(query() == CODE_OK && status.state == STATE_OPEN);
    CHECK(hold(1, 1) == CODE_OK && !board.gate_open && status.cmd_state == COMMAND_MOVING);
    gate_follows();
    pass_ms(99);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_MOVING);
    pass_ms(1);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_NOT_TAKEN && status.exit_id == 3);
}

static void a_card_in_the_gate_is_let_through_before_it_locks(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK);
    gate_follows();
    board.sensors |= SENSOR_IN_GATE;
    pass_ms(5);
    CHECK(hold(1, 1) == CODE_OK && board.gate_open);
    board.sensors &= (uint16_t) ~(SENSOR_IN_GATE | SENSOR_BEHIND_GATE);
    pass_ms(1);
    CHECK(!board.gate_open);
    gate_follows();
    pass_ms(100);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_DONE && status.cmd_result == CODE_PASSED);
}

static void a_card_that_stands_in_the_gate_is_a_jam(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK);
    gate_follows();
    board.sensors |= SENSOR_IN_GATE;
    pass_ms(301);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_UNCERTAIN && status.cmd_result == CODE_JAM);
    CHECK((status.locks & (LOCK_UNCERTAIN | LOCK_ERROR)) == (LOCK_UNCERTAIN | LOCK_ERROR) && status.error == CODE_JAM);
    CHECK(!board.gate_open);
}

static void a_release_that_nobody_takes_ends_in_time(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 500) == CODE_OK);
    gate_follows();
    (void)beat();
    pass_ms(500);
    gate_follows();
    pass_ms(101);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_NOT_TAKEN && status.state == STATE_ARMED);
    CHECK(release(3, 500) == CODE_OK);
}

static void a_gate_that_does_not_lock_is_an_error(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 500) == CODE_OK);
    gate_follows();
    board.gate_stuck = true;
    CHECK(hold(1, 1) == CODE_OK);
    pass_ms(600);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_UNCERTAIN && status.error == CODE_JAM);
}

static void a_gate_that_stands_open_arms_nobody(void)
{
    fresh(ALL_CAPS);
    ready();
    board.sensors &= (uint16_t)~SENSOR_GATE_LOCKED;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.state == STATE_ARMED);
    CHECK(arm() == CODE_DISAGREE);
    pass_ms(SETTLE_MS);
    CHECK(query() == CODE_OK && status.error == ERROR_GATE && status.locks == LOCK_ERROR);
    CHECK(places(52, 0, 0) == CODE_OK);
    pass_ms(1000);
    CHECK(arm() == CODE_DISAGREE && status.locks == 0);
    board.sensors |= SENSOR_GATE_LOCKED;
    pass_ms(1);
    CHECK(arm() == CODE_OK);
}

static void a_second_card_behind_the_gate_contradicts_the_record(void)
{
    fresh(ALL_CAPS);
    brought_up();
    CHECK(release(3, 10000) == CODE_OK);
    gate_follows();
    board.sensors |= SENSOR_IN_GATE;
    pass_ms(20);
    board.sensors &= (uint16_t)~SENSOR_IN_GATE;
    pass_ms(1);
    gate_follows();
    CHECK(query() == CODE_OK && status.cmd_result == CODE_PASSED && (status.locks & LOCK_UNCERTAIN));
}

static void a_misfeed_is_told_apart(void)
{
    fresh(ALL_CAPS);
    ready();
    CHECK(dispense(2, 1) == CODE_OK);
    work_ends(0, 0);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_FAILED && status.cmd_result == CODE_NO_FEED);
    CHECK(status.machine == 52 && status.deal_id == 2 && status.state == STATE_ARMED);
    CHECK(dispense(2, 0) == CODE_OK);
    board.sensors |= SENSOR_BEHIND_GATE;
    work_ends(2, 0);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_UNCERTAIN && status.cmd_result == CODE_DOUBLE_FEED);
    CHECK(arm() == CODE_DISAGREE);
    CHECK(places(50, status.cmd_id - 1, 0) == CODE_OK && status.error == 0 && status.locks == 0);
}

static void a_lease_ends_by_the_tick_that_was_read(void)
{
    uint8_t body[8];
    struct writer to = {body};

    fresh(ALL_CAPS);
    ready();
    put_u32(&to, status.boot_id);
    put_u32(&to, status.tick);
    pass_ms(900);
    CHECK(ask(TYPE_HEARTBEAT, 1, body, sizeof body) == CODE_OK && status.state == STATE_ARMED);
    pass_ms(99);
    CHECK(query() == CODE_OK && status.state == STATE_ARMED);
    pass_ms(1);
    CHECK(query() == CODE_OK && status.state == STATE_LOCKED && status.locks == LOCK_LEASE);
}

static void ticks_wrap(void)
{
    fresh(ALL_CAPS);
    board.tick = 0xFFFFFE00u;
    device_poll(&device);
    ready();
    pass_ms(900);
    CHECK(beat() == CODE_OK && status.state == STATE_ARMED && status.tick < 2000);
    pass_ms(999);
    CHECK(query() == CODE_OK && status.state == STATE_ARMED);
    pass_ms(1);
    CHECK(query() == CODE_OK && status.state == STATE_LOCKED);
}

static void a_power_cut_in_a_motion_is_uncertain(void)
{
    fresh(ALL_CAPS);
    ready();
    CHECK(dispense(2, 1) == CODE_OK);
    power_cycle();
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_UNCERTAIN && status.cmd_result == CODE_INTERRUPTED);
    CHECK(status.locks == (LOCK_BOOT | LOCK_UNCERTAIN) && status.deal_id == 2 && status.token_id == 0);
    CHECK(hello(1) == 1);
    CHECK(again() == 1);
    CHECK(places(51, 0, 1) == CODE_OK);
    CHECK(arm() == CODE_OK && shuffle(51) == CODE_OK);
    power_cycle();
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_INTERRUPTED);
    CHECK(status.locks == (LOCK_BOOT | LOCK_CONTENT) && status.machine == MACHINE_UNKNOWN);
}

static void a_spoiled_slot_leaves_the_other(void)
{
    uint32_t fence;

    fresh(ALL_CAPS);
    ready();
    CHECK(query() == CODE_OK);
    fence = status.fence;
    CHECK(hold(1, 1) == CODE_OK);
    board.memory[device.record.generation % RECORD_SLOTS][50] ^= 1;
    power_cycle();
    CHECK(query() == CODE_OK && status.fence == fence + 1 && !(status.locks & LOCK_HOLD));
    CHECK(device.memory == MEMORY_ONE_BAD);
    power_cycle();
    CHECK(device.memory == MEMORY_CLEAN);
    memset(board.memory, 0xA5, sizeof board.memory);
    power_cycle();
    CHECK(query() == CODE_OK && device.memory == MEMORY_FORMATTED && (status.locks & LOCK_WIPED));
}

static void nothing_moves_when_the_memory_does_not_take_it(void)
{
    unsigned starts;

    fresh(ALL_CAPS);
    ready();
    starts = board.starts;
    board.memory_broken = true;
    CHECK(dispense(2, 1) == CODE_NOT_ARMED && board.starts == starts);
    CHECK(status.cmd_id == 2 && status.error == ERROR_MEMORY && (status.locks & LOCK_ERROR));
}

static void door_key_and_hands_lock(void)
{
    fresh(ALL_CAPS);
    ready();
    board.sensors |= SENSOR_DOOR_OPEN;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.locks == (LOCK_DOOR | LOCK_CONTENT) && status.machine == MACHINE_UNKNOWN);
    CHECK(places(52, 0, 1) == CODE_SENSOR_SAYS_NO && status.cmd_state == COMMAND_FAILED);
    board.sensors &= (uint16_t)~SENSOR_DOOR_OPEN;
    pass_ms(1);
    CHECK(places(52, 0, 0) == CODE_OK && status.locks == 0 && status.token_id == 2);
    CHECK(arm() == CODE_OK);
    board.service_key = true;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.locks == LOCK_SERVICE);
    CHECK(arm() == CODE_DISAGREE);
    board.service_key = false;
    pass_ms(1);
    CHECK(arm() == CODE_OK);
    board.sensors |= SENSOR_BEHIND_GATE;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.locks == LOCK_UNCERTAIN);
    board.error = 9;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.error == 9 && (status.locks & LOCK_ERROR));
}

static void a_shuffle_is_stopped_by_a_door_and_not_by_a_hold(void)
{
    fresh(ALL_CAPS);
    ready();
    CHECK(shuffle(52) == CODE_OK);
    CHECK(hold(1, 1) == CODE_OK && status.state == STATE_BUSY && board.stops == 0);
    board.sensors |= SENSOR_DOOR_OPEN;
    pass_ms(1);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_INTERRUPTED && board.stops == 1);
}

static void a_machine_without_gate_does_not_begin_under_a_hold(void)
{
    fresh(ALL_CAPS & ~(CAP_GATE | CAP_SLOT_SENSOR | CAP_RETRACT));
    ready();
    CHECK(dispense(2, 1) == CODE_OK);
    CHECK(hold(1, 1) == CODE_OK && status.cmd_state == COMMAND_FAILED && status.cmd_result == CODE_INTERRUPTED);
    CHECK(clear() == CODE_OK && arm() == CODE_OK);
    CHECK(dispense(2, 0) == CODE_OK);
    board.begun = true;
    CHECK(hold(1, 2) == CODE_OK && status.cmd_state == COMMAND_MOVING);
    work_ends(1, 0);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_DONE && status.out_total == 1 && status.exit_id == 0);
    CHECK(release(1, 100) == CODE_NOT_ARMED);
}

static void a_motion_that_never_ends_is_ended(void)
{
    fresh(ALL_CAPS);
    ready();
    CHECK(dispense(2, 1) == CODE_OK);
    pass_ms(DISPENSE_FINAL_MS + 1);
    CHECK(query() == CODE_OK && status.cmd_state == COMMAND_UNCERTAIN && status.cmd_result == CODE_JAM);
    CHECK(board.stops == 1);
}

static void an_event_is_told_until_it_is_acknowledged(void)
{
    uint8_t body[4];
    struct writer to = {body};

    fresh(ALL_CAPS);
    pass_ms(1000);
    CHECK(events_heard == 0);
    CHECK(hello(1) == 1 && events_heard == 1 && last_event_number == 1);
    pass_ms(500);
    CHECK(events_heard == 3 && last_event_number == 1);
    put_u32(&to, 1);
    CHECK(ask(TYPE_EVENT_ACK, 1, body, sizeof body) == 0xEE);
    CHECK(events_heard == 4 && last_event_number == 2);
    CHECK(query() == CODE_OK && status.event_next == 2);
}

int main(void)
{
    a_new_memory_is_declared();
    nothing_but_four_is_heard_before_a_greeting();
    a_session_is_greeted_and_an_older_one_is_stale();
    a_card_is_brought_up_and_let_out();
    a_gate_opens_once_for_an_id();
    a_hold_before_the_gate_has_opened_ends_the_release_at_once();
    a_hold_over_an_open_gate_locks_it_and_the_sensor_decides();
    a_card_in_the_gate_is_let_through_before_it_locks();
    a_card_that_stands_in_the_gate_is_a_jam();
    a_release_that_nobody_takes_ends_in_time();
    a_gate_that_does_not_lock_is_an_error();
    a_gate_that_stands_open_arms_nobody();
    a_second_card_behind_the_gate_contradicts_the_record();
    a_misfeed_is_told_apart();
    a_lease_ends_by_the_tick_that_was_read();
    ticks_wrap();
    a_power_cut_in_a_motion_is_uncertain();
    a_spoiled_slot_leaves_the_other();
    nothing_moves_when_the_memory_does_not_take_it();
    door_key_and_hands_lock();
    a_shuffle_is_stopped_by_a_door_and_not_by_a_hold();
    a_machine_without_gate_does_not_begin_under_a_hold();
    a_motion_that_never_ends_is_ended();
    an_event_is_told_until_it_is_acknowledged();
    return checked();
}
