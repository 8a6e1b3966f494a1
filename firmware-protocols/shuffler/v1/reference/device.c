#include "device.h"

#include <string.h>

#include "bytes.h"
#include "rules.h"

bool tick_reached(uint32_t now, uint32_t tick)
{
    return now - tick < 0x80000000u;
}

uint32_t tick_left(uint32_t now, uint32_t tick)
{
    return tick_reached(now, tick) ? 0 : tick - now;
}

bool device_can(const struct device *device, enum cap cap)
{
    return (device->facts.caps & (uint32_t)cap) != 0;
}

bool device_moving(const struct device *device)
{
    return device->phase != PHASE_REST;
}

uint16_t device_locks(const struct device *device)
{
    return (uint16_t)(device->record.locks | device->soft);
}

/* Without a memory there is nothing to write to: such a machine is known by its caps, and wiped at each boot. */
bool device_write(struct device *device)
{
    if (!device_can(device, CAP_NVM) || record_store(&device->record) || record_store(&device->record))
        return true;
    device->armed = false;
    device->record.fence++;
    device->record.error = ERROR_MEMORY;
    device->record.locks |= LOCK_ERROR;
    return false;
}

/* Lock, then write, then answer. */
void device_restrict(struct device *device, uint16_t kept, uint16_t soft)
{
    device->armed = false;
    device->record.fence++;
    device->record.locks |= kept;
    device->soft |= soft;
    event_tell(device, EVENT_LOCKED, device_locks(device));
    motion_restrict(device, (uint16_t)(kept | soft));
    (void)device_write(device);
}

void device_fail(struct device *device, uint8_t error, uint16_t kept)
{
    device->record.error = error;
    device_restrict(device, kept | LOCK_ERROR, 0);
    event_tell(device, EVENT_ERROR, error);
}

void content_unknown(struct record *record)
{
    record->locks |= LOCK_CONTENT;
    record->machine = MACHINE_UNKNOWN;
}

/* A command that was moving when the power went: nobody saw how it ended. */
static void interrupted(struct record *record)
{
    switch (record->cmd_kind) {
    case TYPE_DISPENSE:
    case TYPE_RELEASE:
    case TYPE_RETRACT:
        record->cmd_state = COMMAND_UNCERTAIN;
        record->locks |= LOCK_UNCERTAIN;
        break;
    default:
        record->cmd_state = COMMAND_INTERRUPTED;
        content_unknown(record);
        break;
    }
    record->cmd_result = CODE_INTERRUPTED;
}

/* Is what the record says of the card behind the gate beyond doubt? */
static bool exit_is_known(const struct device *device)
{
    if (!device_can(device, CAP_SLOT_SENSOR))
        return device->record.exit_id == 0;
    return slot_agrees(device, device->record.exit_id);
}

void device_boot(struct device *device)
{
    struct record *record = &device->record;

    memset(device, 0, sizeof *device);
    board_gate_lock();
    device->facts = board_facts();
    device->now = board_tick();
    device->sensors = board_sensors();
    device->boot_id = board_random();
    device->memory = record_load(record);
    record->boots++;
    if (record->cmd_state == COMMAND_MOVING)
        interrupted(record);
    if (!exit_is_known(device))
        record->locks |= LOCK_UNCERTAIN;
    if (device->sensors & SENSOR_DOOR_OPEN) {
        device->soft |= LOCK_DOOR;
        content_unknown(record);
        record->order = 1;
    }
    if (board_service_key())
        device->soft |= LOCK_SERVICE;
    if (device->memory != MEMORY_CLEAN && device_can(device, CAP_NVM))
        (void)record_store(record); /* the other slot is made good too */
    device_restrict(device, 0, LOCK_BOOT);
}

static void expire(struct device *device)
{
    if (!device->leased || !tick_reached(device->now, device->lease_end))
        return;
    device->leased = false;
    if (device->armed || device_moving(device))
        device_restrict(device, 0, LOCK_LEASE);
}

void device_poll(struct device *device)
{
    uint8_t error = board_error();

    device->now = board_tick();
    if (error != 0)
        device_fail(device, error, 0);
    sense(device);
    motion_poll(device);
    expire(device);
    event_send(device);
}

/* A frame of this device's version, or one of those that every version has. */
static void hear(struct device *device, const struct request *request)
{
    bool known = request->version == WIRE_VERSION || request->type == TYPE_HELLO || request->type == TYPE_HOLD;
    enum code code;

    if (!known)
        code = CODE_BAD_VERSION;
    else if (!request_is_sound(device, request))
        code = CODE_BAD_FRAME;
    else
        code = request_obey(device, request);
    if (request->type == TYPE_EVENT_ACK)
        device->dropped += code != CODE_OK;
    else if (request->type == TYPE_HELLO)
        answer_ident(device, request, code == CODE_OK);
    else
        answer_status(device, request, code);
}

void device_receive(struct device *device, uint8_t byte)
{
    size_t length = frame_receive(&device->receiver, byte);
    struct reader from = {device->receiver.bytes};
    struct request request;

    if (length == 0)
        return;
    request.version = take_u8(&from);
    request.type = take_u8(&from);
    (void)take_u8(&from); /* flags tell a reader of logs something; a HOLD is obeyed under any */
    request.seq = take_u8(&from);
    request.session = take_u32(&from);
    request.body = from.at;
    request.length = length - HEADER_SIZE;
    if (request.type >= TYPE_ANSWER || request.type == TYPE_EVENT) {
        device->dropped++;
        return;
    }
    device_poll(device); /* what has happened before the request came, came before it */
    hear(device, &request);
    event_send(device);
}

uint32_t device_sleep_ms(const struct device *device)
{
    uint32_t sleep_ms = motion_sleep_ms(device);
    uint32_t left;

    if (device->unlocked && !device->unlocked_told) {
        left = tick_left(device->now, device->unlocked_tick + SETTLE_MS);
        sleep_ms = left < sleep_ms ? left : sleep_ms;
    }
    if (device->leased) {
        left = tick_left(device->now, device->lease_end);
        sleep_ms = left < sleep_ms ? left : sleep_ms;
    }
    if (device->greeted && device->events_waiting > 0) {
        left = device->event_sent ? tick_left(device->now, device->event_tick + EVENT_REPEAT_MS) : 0;
        sleep_ms = left < sleep_ms ? left : sleep_ms;
    }
    return sleep_ms;
}
