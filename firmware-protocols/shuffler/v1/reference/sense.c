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
    if (changed & SENSOR_INFEED)
        event_tell(device, EVENT_INFEED, (now & SENSOR_INFEED) != 0);
    if ((changed & SENSOR_OUTLET) && !(now & SENSOR_OUTLET) && device->passed_id != 0) {
        device->record.taken_id = device->passed_id;
        event_tell(device, EVENT_TAKEN, device->passed_id);
    }
}
