/* What sensors, door and key say while nobody asks. */
#include "rules.h"

bool slot_occupied(const struct device *device)
{
    return (device->sensors & SENSOR_BEHIND_GATE) != 0;
}

bool slot_agrees(const struct device *device, uint32_t exit_id)
{
    return !device_can(device, CAP_SLOT_SENSOR) || slot_occupied(device) == (exit_id != 0);
}

bool gate_is_locked(const struct device *device)
{
    return !device_can(device, CAP_GATE) || (device->sensors & SENSOR_GATE_LOCKED);
}

/* Card sensors that the command under way may change. */
static uint16_t asked(const struct device *device)
{
    if (!device_moving(device))
        return 0;
    switch (device->record.cmd_kind) {
    case TYPE_RELEASE:
        return SENSOR_BEHIND_GATE | SENSOR_IN_GATE;
    case TYPE_DISPENSE:
    case TYPE_RETRACT:
        return SENSOR_BEHIND_GATE;
    default:
        return 0;
    }
}

static void door(struct device *device, bool open)
{
    if (open) {
        content_unknown(&device->record);
        device->record.order = 1;
        device_restrict(device, LOCK_CONTENT, LOCK_DOOR);
    } else {
        device->soft &= (uint16_t)~LOCK_DOOR;
    }
    event_tell(device, EVENT_DOOR, open);
}

/* A gate that stays unlocked though nothing is released: forced, or its spring is broken. */
static void watch_lock(struct device *device)
{
    if (gate_is_locked(device) || device->phase > PHASE_WORKING) {
        device->unlocked = false;
        device->unlocked_told = false;
        return;
    }
    if (!device->unlocked) {
        device->unlocked = true;
        device->unlocked_tick = device->now;
    } else if (!device->unlocked_told && tick_reached(device->now, device->unlocked_tick + SETTLE_MS)) {
        device->unlocked_told = true;
        device_fail(device, ERROR_GATE, 0);
    }
}

static void service_key(struct device *device, bool on)
{
    if (on && !(device->soft & LOCK_SERVICE))
        device_restrict(device, 0, LOCK_SERVICE);
    else if (!on)
        device->soft &= (uint16_t)~LOCK_SERVICE;
}

void sense(struct device *device)
{
    uint16_t now = board_sensors();
    uint16_t changed = now ^ device->sensors;

    device->sensors = now;
    service_key(device, board_service_key());
    if (changed & SENSOR_DOOR_OPEN)
        door(device, (now & SENSOR_DOOR_OPEN) != 0);
    if (changed & (SENSOR_BEHIND_GATE | SENSOR_IN_GATE) & ~asked(device)) {
        device_restrict(device, LOCK_UNCERTAIN, 0);
        event_tell(device, EVENT_UNASKED, now);
    }
    watch_lock(device);
    if ((changed & SENSOR_INFEED) && !(device_moving(device) && device->record.cmd_kind == TYPE_RETURN))
        event_tell(device, EVENT_INFEED, (now & SENSOR_INFEED) != 0);
    if ((changed & SENSOR_OUTLET) && !(now & SENSOR_OUTLET) && device->passed_id != 0) {
        device->record.taken_id = device->passed_id;
        event_tell(device, EVENT_TAKEN, device->passed_id);
    }
}
