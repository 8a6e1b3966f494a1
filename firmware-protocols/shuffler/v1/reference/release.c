/* How a release opens the gate and how it ends. */
#include "rules.h"

enum { LOCK_MOST_MS = 500 };

void release_begin(struct device *device, uint32_t open_ms)
{
    uint32_t limit = open_ms < OPEN_MOST_MS ? open_ms : OPEN_MOST_MS;

    device->passed = false;
    device->judged = false;
    device->two = false;
    device->in_gate = false;
    device->final_limit = device->now + limit;
    motion_enter(device, PHASE_OPENING);
    board_gate_open(limit + AFTER_OPEN_MS);
}

static void lock_gate(struct device *device)
{
    board_gate_lock();
    motion_enter(device, PHASE_LOCKING);
}

static void close_open_gate(struct device *device)
{
    device->judged = true;
    if (device->sensors & SENSOR_IN_GATE)
        motion_enter(device, PHASE_LETTING);
    else
        lock_gate(device);
}

/* No card can have gone through it. */
static void give_up_opening(struct device *device)
{
    board_gate_lock();
    motion_rest(device, COMMAND_NOT_TAKEN, CODE_NOT_TAKEN);
    motion_told(device);
}

void release_restrict(struct device *device)
{
    if (device->phase != PHASE_OPENING && device->phase != PHASE_OPEN)
        return; /* it locks already */
    if (device->sensors & SENSOR_GATE_LOCKED)
        give_up_opening(device);
    else
        close_open_gate(device);
}

/* A card that comes into the gate or leaves it. */
static void watch_gate(struct device *device)
{
    bool was = device->in_gate;

    device->in_gate = (device->sensors & SENSOR_IN_GATE) != 0;
    if (device->in_gate && !was) {
        device->edge_tick = device->now;
        device->two = device->two || device->passed;
    } else if (was && !device->in_gate) {
        device->passed = true;
    }
}

static bool stands_in_gate(const struct device *device)
{
    return (device->sensors & SENSOR_IN_GATE) && tick_reached(device->now, device->edge_tick + IN_GATE_MOST_MS);
}

static void let_out(struct device *device)
{
    struct record *record = &device->record;
    bool contradicts = device->two || (device_can(device, CAP_SLOT_SENSOR) && slot_occupied(device));

    device->passed_id = record->exit_id;
    record->exit_id = 0;
    record->out_total++;
    motion_finish(device, COMMAND_DONE, CODE_PASSED);
    if (contradicts)
        device_restrict(device, LOCK_UNCERTAIN, 0);
}

static void judge(struct device *device)
{
    bool behind = device_can(device, CAP_SLOT_SENSOR) ? slot_occupied(device) : !device->passed;

    if (device->sensors & SENSOR_IN_GATE)
        return; /* it clears it, or stands in it too long */
    if (behind && !device->passed)
        motion_finish(device, COMMAND_NOT_TAKEN, CODE_NOT_TAKEN);
    else
        let_out(device);
}

void release_poll(struct device *device)
{
    bool locked = (device->sensors & SENSOR_GATE_LOCKED) != 0;

    watch_gate(device);
    if (stands_in_gate(device)) {
        motion_uncertain(device, CODE_JAM);
        return;
    }
    if (device->phase == PHASE_OPENING && !locked)
        motion_enter(device, PHASE_OPEN);
    if (device->phase == PHASE_OPEN && device->passed)
        lock_gate(device);
    if ((device->phase == PHASE_OPEN || device->phase == PHASE_OPENING) &&
        tick_reached(device->now, device->final_limit))
        close_open_gate(device);
    if (device->phase == PHASE_LETTING && !(device->sensors & SENSOR_IN_GATE))
        lock_gate(device);
    if (device->phase == PHASE_LOCKING && locked && !device->judged)
        let_out(device);
    if (device->phase == PHASE_LOCKING && locked)
        motion_enter(device, PHASE_SETTLING);
    if (device->phase == PHASE_LOCKING && tick_reached(device->now, device->phase_start + LOCK_MOST_MS))
        motion_uncertain(device, CODE_JAM);
    if (device->phase == PHASE_SETTLING && tick_reached(device->now, device->phase_start + SETTLE_MS))
        judge(device);
}

uint32_t release_sleep_ms(const struct device *device)
{
    uint32_t sleep_ms = SLEEP_FOR_EVER;

    if (device->phase == PHASE_LOCKING)
        sleep_ms = tick_left(device->now, device->phase_start + LOCK_MOST_MS);
    else if (device->phase == PHASE_SETTLING && !device->in_gate)
        sleep_ms = tick_left(device->now, device->phase_start + SETTLE_MS);
    else if (device->phase == PHASE_OPENING || device->phase == PHASE_OPEN)
        sleep_ms = tick_left(device->now, device->final_limit);
    if (device->in_gate) {
        uint32_t stuck = tick_left(device->now, device->edge_tick + IN_GATE_MOST_MS);

        sleep_ms = stuck < sleep_ms ? stuck : sleep_ms;
    }
    return sleep_ms;
}
