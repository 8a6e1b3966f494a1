/* Everything that is no command: HELLO, QUERY, HEARTBEAT, EVENT_ACK, HOLD, CLEAR_HOLD, ARM. */
#include "bytes.h"
#include "rules.h"

struct layout {
    uint8_t type;
    uint8_t size;
};

static const struct layout LAYOUTS[] = {
    {TYPE_HELLO, 10},    {TYPE_QUERY, 0},    {TYPE_HEARTBEAT, 8}, {TYPE_EVENT_ACK, 4}, {TYPE_HOLD, 6},
    {TYPE_CLEAR_HOLD, 20}, {TYPE_ARM, 17},     {TYPE_DISPENSE, 22}, {TYPE_RELEASE, 22},  {TYPE_RETRACT, 20},
    {TYPE_SHUFFLE, 18},  {TYPE_COUNT, 17},   {TYPE_RETURN, 19},   {TYPE_PLACES, 26},
};

enum { PERMIT_SIZE = 16, CMD_ID_AT = 8 };

static bool values_mean_something(const struct device *device, const struct request *request)
{
    const uint8_t *own = request->body + PERMIT_SIZE;
    struct reader cmd_id = {request->body + CMD_ID_AT};
    struct reader exit_id = {own + 1};

    switch (request->type) {
    case TYPE_DISPENSE:
        return own[4] <= 1;
    case TYPE_SHUFFLE:
        return own[1] <= 1;
    case TYPE_COUNT:
        return own[0] <= 1;
    case TYPE_PLACES:
        return own[0] <= device->facts.capacity && own[5] <= 1 && take_u32(&exit_id) <= take_u32(&cmd_id);
    default:
        return true;
    }
}

bool request_is_sound(const struct device *device, const struct request *request)
{
    size_t place;

    for (place = 0; place < sizeof LAYOUTS / sizeof LAYOUTS[0]; place++)
        if (LAYOUTS[place].type == request->type)
            return request->length >= LAYOUTS[place].size && values_mean_something(device, request);
    return false;
}

static enum code hello(struct device *device, const struct request *request)
{
    uint8_t least = request->body[0];
    uint8_t most = request->body[1];

    if (request->session < device->record.session)
        return CODE_STALE_SESSION;
    if (least > WIRE_VERSION || most < WIRE_VERSION)
        return CODE_BAD_VERSION;
    if (request->session > device->record.session) {
        device->leased = false;
        device->record.session = request->session;
        device_restrict(device, 0, LOCK_SESSION);
    }
    device->greeted = true;
    return CODE_OK;
}

static enum code heartbeat(struct device *device, struct reader body)
{
    uint32_t boot_id = take_u32(&body);
    uint32_t echo = take_u32(&body);
    uint32_t end = echo + LEASE_MS;

    if (boot_id != device->boot_id)
        return CODE_NO_SESSION;
    if (!tick_reached(device->now, echo) || tick_reached(device->now, end))
        return CODE_OK;
    if (!device->leased || tick_reached(end, device->lease_end)) {
        device->leased = true;
        device->lease_end = end;
    }
    return CODE_OK;
}

static enum code hold(struct device *device, uint32_t session, struct reader body)
{
    struct record *record = &device->record;
    uint32_t key = take_u32(&body);

    if (session < record->seen_session || (session == record->seen_session && key <= record->seen_key))
        return CODE_HOLD_KNOWN;
    record->seen_session = session;
    record->seen_key = key;
    record->hold_no = record->fence + 1;
    record->hold_session = session;
    record->hold_key = key;
    record->hold_reason = take_u16(&body);
    device_restrict(device, LOCK_HOLD, 0);
    return CODE_OK;
}

static enum code clear_hold(struct device *device, struct reader body)
{
    struct record *record = &device->record;
    bool same = take_u32(&body) == record->epoch;

    same = take_u32(&body) == record->hold_no && same;
    same = take_u32(&body) == record->hold_session && same;
    same = take_u32(&body) == record->hold_key && same;
    if (!same || !(record->locks & LOCK_HOLD))
        return CODE_NOT_THAT_HOLD;
    record->locks &= (uint16_t)~LOCK_HOLD;
    device_restrict(device, 0, 0);
    return CODE_OK;
}

static bool all_five_equal(const struct record *record, struct reader body)
{
    bool same = take_u32(&body) == record->epoch;
    uint8_t machine;

    same = take_u32(&body) == record->fence && same;
    same = take_u32(&body) == record->cmd_id && same;
    machine = take_u8(&body);
    same = (machine == record->machine || (record->locks & LOCK_CONTENT)) && same;
    return take_u32(&body) == record->exit_id && same;
}

static enum code arm(struct device *device, struct reader body)
{
    const uint16_t in_the_way = LOCK_UNCERTAIN | LOCK_WIPED | LOCK_ERROR | LOCK_DOOR | LOCK_SERVICE;

    if (device_moving(device))
        return CODE_BUSY;
    if (!device->leased || !all_five_equal(&device->record, body) || (device_locks(device) & in_the_way))
        return CODE_DISAGREE;
    if (!slot_agrees(device, device->record.exit_id) || (device->sensors & SENSOR_IN_GATE) || !gate_is_locked(device))
        return CODE_DISAGREE;
    device->armed = true;
    device->soft &= (uint16_t)~LOCKS_SOFT;
    return CODE_OK;
}

enum code request_obey(struct device *device, const struct request *request)
{
    struct reader body = {request->body};

    switch (request->type) {
    case TYPE_HELLO:
        return hello(device, request);
    case TYPE_QUERY:
        return CODE_OK;
    case TYPE_EVENT_ACK:
        event_acknowledge(device, take_u32(&body));
        return CODE_OK;
    case TYPE_HOLD:
        return hold(device, request->session, body);
    default:
        break;
    }
    if (!device->greeted || request->session > device->record.session)
        return CODE_NO_SESSION;
    if (request->session < device->record.session)
        return CODE_STALE_SESSION;
    switch (request->type) {
    case TYPE_HEARTBEAT:
        return heartbeat(device, body);
    case TYPE_CLEAR_HOLD:
        return clear_hold(device, body);
    case TYPE_ARM:
        return arm(device, body);
    default:
        return command_take(device, request);
    }
}
