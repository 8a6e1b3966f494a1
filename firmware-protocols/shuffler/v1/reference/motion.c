/* How a command moves and ends: write, then move, then write. */
#include "rules.h"

void motion_rest(struct device *device, enum command_state state, enum code result)
{
    device->phase = PHASE_REST;
    device->record.cmd_state = (uint8_t)state;
    device->record.cmd_result = (uint8_t)result;
}

void motion_told(struct device *device)
{
    event_tell(device, EVENT_FINAL, device->record.cmd_result);
}

void motion_finish(struct device *device, enum command_state state, enum code result)
{
    motion_rest(device, state, result);
    (void)device_write(device);
    motion_told(device);
}

/* Where the card is, nobody knows: a person must look. */
void motion_uncertain(struct device *device, enum code result)
{
    board_gate_lock();
    motion_rest(device, COMMAND_UNCERTAIN, result);
    device_fail(device, (uint8_t)result, LOCK_UNCERTAIN);
    motion_told(device);
}

void motion_enter(struct device *device, enum phase phase)
{
    device->phase = phase;
    device->phase_start = device->now;
}

static void add_cards(struct record *record, int number)
{
    if (record->machine != MACHINE_UNKNOWN)
        record->machine = (uint8_t)(record->machine + number);
}

void motion_begin(struct device *device, uint8_t scope, uint32_t open_ms)
{
    uint8_t expect = (uint8_t)device->record.cmd_arg;
    uint32_t cycle_ms = (uint32_t)device->facts.cycle_s * 1000u;

    if (device->record.cmd_kind == TYPE_RELEASE) {
        release_begin(device, open_ms);
        return;
    }
    motion_enter(device, PHASE_WORKING);
    switch (device->record.cmd_kind) {
    case TYPE_DISPENSE:
        device->final_limit = device->now + DISPENSE_FINAL_MS;
        board_start(WORK_FEED, 1, 0);
        break;
    case TYPE_RETRACT:
        device->final_limit = device->now + RETRACT_FINAL_MS;
        board_start(WORK_RETRACT, 1, 0);
        break;
    case TYPE_RETURN: {
        unsigned room = (unsigned)device->facts.capacity - device->record.machine;

        device->final_limit = device->now + open_ms + AFTER_RETURN_MS;
        board_start(WORK_TAKE, expect < room ? expect : (uint8_t)room, open_ms);
        break;
    }
    case TYPE_COUNT:
        device->final_limit = device->now + cycle_ms;
        board_start(WORK_COUNT, 0, 0);
        break;
    default:
        device->final_limit = device->now + cycle_ms;
        board_start(scope == 0 ? WORK_SHUFFLE : WORK_SHUFFLE_STUB, 0, 0);
        break;
    }
}

static bool is_cycle(const struct device *device)
{
    return device->record.cmd_kind == TYPE_SHUFFLE || device->record.cmd_kind == TYPE_COUNT;
}

static void restrict_work(struct device *device, uint16_t locks)
{
    uint8_t kind = device->record.cmd_kind;

    if (kind == TYPE_RETURN) {
        board_take_no_more();
    } else if (is_cycle(device) && (locks & (LOCK_DOOR | LOCK_ERROR))) {
        board_stop();
        motion_rest(device, COMMAND_INTERRUPTED, CODE_INTERRUPTED);
        content_unknown(&device->record);
        motion_told(device);
    } else if (kind == TYPE_DISPENSE && !device_can(device, CAP_GATE) && board_cancel()) {
        motion_rest(device, COMMAND_FAILED, CODE_INTERRUPTED);
        motion_told(device);
    }
}

/* The record is written, with the fence, by whoever restricts. */
void motion_restrict(struct device *device, uint16_t locks)
{
    switch (device->phase) {
    case PHASE_REST:
        board_gate_lock();
        break;
    case PHASE_WORKING:
        restrict_work(device, locks);
        break;
    default:
        release_restrict(device);
        break;
    }
}

static void fed(struct device *device, struct board_report report)
{
    struct record *record = &device->record;
    bool has_slot = device_can(device, CAP_GATE) && device_can(device, CAP_SLOT_SENSOR);
    bool has_pulses = device_can(device, CAP_PULSES);
    unsigned out = has_pulses ? report.pulses : has_slot ? slot_occupied(device) : 1u;
    bool occupied = has_slot ? slot_occupied(device) : out > 0;

    record->pulses = has_pulses ? report.pulses : 0;
    if (out > 1) {
        record->double_feeds++;
        motion_uncertain(device, CODE_DOUBLE_FEED);
    } else if (report.failed || occupied != (out == 1)) {
        motion_uncertain(device, CODE_JAM);
    } else if (out == 0) {
        record->no_feeds++;
        motion_finish(device, COMMAND_FAILED, CODE_NO_FEED);
    } else {
        record->dispensed++;
        add_cards(record, -1);
        if (device_can(device, CAP_GATE)) {
            record->exit_id = record->cmd_id;
        } else {
            record->out_total++;
            device->passed_id = record->cmd_id;
        }
        motion_finish(device, COMMAND_DONE, CODE_MOVED);
    }
}

static void retracted(struct device *device, struct board_report report)
{
    struct record *record = &device->record;

    if (report.failed || (device_can(device, CAP_SLOT_SENSOR) && slot_occupied(device))) {
        motion_uncertain(device, CODE_JAM);
        return;
    }
    add_cards(record, 1);
    record->retracted++;
    record->exit_id = 0;
    record->order = 1;
    record->deal_id = 0;
    record->token_id = 0;
    motion_finish(device, COMMAND_DONE, CODE_MOVED);
}

static void cycled(struct device *device, struct board_report report)
{
    struct record *record = &device->record;
    uint8_t expect = (uint8_t)record->cmd_arg;

    if (device_can(device, CAP_OWN_COUNT))
        record->machine = report.number;
    if (record->cmd_kind == TYPE_COUNT) {
        record->locks &= (uint16_t)~LOCK_CONTENT;
        motion_finish(device, COMMAND_DONE, CODE_CYCLE_DONE);
        return;
    }
    record->order = 0;
    if (record->machine == expect)
        record->token_id = record->cmd_id;
    motion_finish(device, COMMAND_DONE, record->machine == expect ? CODE_CYCLE_DONE : CODE_WRONG_NUMBER);
}

static void taken_in(struct device *device, struct board_report report)
{
    add_cards(&device->record, report.number);
    motion_finish(device, COMMAND_DONE, report.number == device->record.cmd_arg ? CODE_CYCLE_DONE : CODE_WRONG_NUMBER);
}

static void poll_work(struct device *device)
{
    struct board_report report = board_report();

    if (!report.ended) {
        if (!tick_reached(device->now, device->final_limit))
            return;
        board_stop();
        report.failed = true;
    }
    if (report.failed && is_cycle(device)) {
        device_fail(device, ERROR_MOTION, LOCK_CONTENT); /* which ends the cycle */
        return;
    }
    switch (device->record.cmd_kind) {
    case TYPE_DISPENSE:
        fed(device, report);
        break;
    case TYPE_RETRACT:
        retracted(device, report);
        break;
    case TYPE_RETURN:
        taken_in(device, report);
        if (report.failed) {
            content_unknown(&device->record);
            device_fail(device, ERROR_MOTION, LOCK_CONTENT);
        }
        break;
    default:
        cycled(device, report);
        break;
    }
}

void motion_poll(struct device *device)
{
    if (device->phase == PHASE_WORKING)
        poll_work(device);
    else if (device->phase != PHASE_REST)
        release_poll(device);
}

uint32_t motion_sleep_ms(const struct device *device)
{
    if (device->phase == PHASE_REST)
        return SLEEP_FOR_EVER;
    if (device->phase == PHASE_WORKING)
        return tick_left(device->now, device->final_limit);
    return release_sleep_ms(device);
}
