/* Commands: which are stopped at the fence, which are refused behind it, and which begin. */
#include "bytes.h"
#include "rules.h"

struct permit {
    uint32_t epoch;
    uint32_t fence;
    uint32_t cmd_id;
    uint32_t prev_id;
};

/* What a command asks for, over all types. */
struct order {
    uint8_t type;
    uint32_t cmd_id;
    uint32_t named; /* the shuffle or the card it names; PLACES: the card at the exit */
    uint8_t number; /* cards expected, or said to be in the machine */
    uint8_t choice; /* DISPENSE first, SHUFFLE and COUNT scope, PLACES order */
    uint8_t dest;
    uint32_t open_ms;
    uint32_t person;
};

static struct permit read_permit(struct reader *body)
{
    struct permit permit;

    permit.epoch = take_u32(body);
    permit.fence = take_u32(body);
    permit.cmd_id = take_u32(body);
    permit.prev_id = take_u32(body);
    return permit;
}

static struct order read_order(uint8_t type, uint32_t cmd_id, struct reader *body)
{
    struct order order = {0};

    order.type = type;
    order.cmd_id = cmd_id;
    switch (type) {
    case TYPE_DISPENSE:
        order.named = take_u32(body);
        order.choice = take_u8(body);
        order.dest = take_u8(body);
        break;
    case TYPE_RELEASE:
        order.named = take_u32(body);
        order.open_ms = take_u16(body);
        break;
    case TYPE_RETRACT:
        order.named = take_u32(body);
        break;
    case TYPE_SHUFFLE:
        order.number = take_u8(body);
        order.choice = take_u8(body);
        break;
    case TYPE_COUNT:
        order.choice = take_u8(body);
        break;
    case TYPE_RETURN:
        order.number = take_u8(body);
        order.open_ms = take_u16(body);
        break;
    default:
        order.number = take_u8(body);
        order.named = take_u32(body);
        order.choice = take_u8(body);
        order.person = take_u32(body);
        break;
    }
    return order;
}

/* CODE_OK: through the fence. */
static enum code fenced(const struct device *device, uint8_t type, const struct permit *permit)
{
    const struct record *record = &device->record;

    if (permit->epoch != record->epoch)
        return CODE_BAD_EPOCH;
    if (permit->cmd_id != 0 && permit->cmd_id == record->cmd_id)
        return device_moving(device) ? CODE_IN_PROGRESS : CODE_REPEAT;
    if (permit->cmd_id <= record->cmd_id)
        return CODE_STALE_ID;
    if (device_moving(device))
        return CODE_BUSY;
    if (permit->fence != record->fence)
        return CODE_BAD_FENCE;
    if (permit->prev_id != record->cmd_id)
        return CODE_BAD_PREV;
    return device->armed || type == TYPE_PLACES ? CODE_OK : CODE_NOT_ARMED;
}

static bool supported(const struct device *device, const struct order *order)
{
    switch (order->type) {
    case TYPE_DISPENSE:
        return order->dest == 0;
    case TYPE_RELEASE:
        return device_can(device, CAP_GATE);
    case TYPE_RETRACT:
        return device_can(device, CAP_RETRACT);
    case TYPE_SHUFFLE:
        return device_can(device, order->choice == 0 ? CAP_SHUFFLE : CAP_STUB_SHUFFLE);
    case TYPE_COUNT:
        return device_can(device, CAP_OWN_COUNT);
    case TYPE_RETURN:
        return device_can(device, CAP_RETURN);
    default:
        return true;
    }
}

static bool exit_is_empty(const struct device *device)
{
    return device->record.exit_id == 0 && slot_agrees(device, 0);
}

static enum code refused_dispense(const struct device *device, const struct order *order)
{
    const struct record *record = &device->record;

    if (!exit_is_empty(device))
        return CODE_EXIT_FULL;
    if (!device_can(device, CAP_PRESENT_AHEAD) && (device->sensors & SENSOR_OUTLET))
        return CODE_OUTLET_FULL;
    if (record->machine == 0)
        return CODE_EMPTY;
    if (order->choice == 1)
        return order->named != 0 && order->named == record->token_id ? CODE_OK : CODE_NO_TOKEN;
    return order->named == record->deal_id ? CODE_OK : CODE_NO_TOKEN;
}

static enum code refused_card(const struct device *device, const struct order *order)
{
    if (device->record.exit_id == 0 || !slot_agrees(device, device->record.exit_id))
        return CODE_EXIT_EMPTY;
    return order->named == device->record.exit_id ? CODE_OK : CODE_WRONG_CARD;
}

static enum code refused_places(const struct device *device, const struct order *order)
{
    const uint16_t asks = LOCK_HOLD | LOCK_UNCERTAIN | LOCK_CONTENT | LOCK_WIPED | LOCK_ERROR;

    if (!(device->record.locks & asks))
        return CODE_NOT_ASKED;
    if ((device->soft & LOCK_DOOR) || !slot_agrees(device, order->named))
        return CODE_SENSOR_SAYS_NO;
    return CODE_OK;
}

/* CODE_OK: it may begin. */
static enum code refused(const struct device *device, const struct order *order)
{
    bool outward = order->type == TYPE_DISPENSE || order->type == TYPE_RELEASE;
    bool may_be_unknown = order->type == TYPE_COUNT || order->type == TYPE_PLACES;

    if (outward && (device->record.locks & LOCK_HOLD))
        return CODE_HELD;
    if (!may_be_unknown && (device->record.locks & LOCK_CONTENT))
        return CODE_CONTENT;
    if (!supported(device, order))
        return CODE_UNSUPPORTED;
    switch (order->type) {
    case TYPE_DISPENSE:
        return refused_dispense(device, order);
    case TYPE_RELEASE:
    case TYPE_RETRACT:
        return refused_card(device, order);
    case TYPE_PLACES:
        return refused_places(device, order);
    default:
        return exit_is_empty(device) ? CODE_OK : CODE_EXIT_FULL;
    }
}

static void lose_order(struct record *record)
{
    record->order = 1;
    record->deal_id = 0;
    record->token_id = 0;
}

static void set_places(struct device *device, const struct order *order)
{
    struct record *record = &device->record;

    record->machine = order->number;
    record->exit_id = order->named;
    if (order->choice == 1)
        lose_order(record);
    else
        record->order = 0;
    record->error = 0;
    record->locks &= LOCK_HOLD;
    record->cmd_state = COMMAND_DONE;
    record->cmd_result = CODE_SET;
    device->armed = false;
}

/* What the record owes the command in the same write as its MOVING. */
static void spend(struct device *device, const struct order *order)
{
    struct record *record = &device->record;

    switch (order->type) {
    case TYPE_DISPENSE:
        if (order->choice == 1) {
            record->token_id = 0;
            record->deal_id = order->named;
        }
        break;
    case TYPE_COUNT:
        if (!device_can(device, CAP_COUNT_KEEPS_ORDER))
            lose_order(record);
        break;
    case TYPE_SHUFFLE:
    case TYPE_RETURN:
        lose_order(record);
        break;
    default:
        break;
    }
}

static uint32_t argument(const struct order *order)
{
    switch (order->type) {
    case TYPE_SHUFFLE:
    case TYPE_RETURN:
        return order->number;
    case TYPE_COUNT:
        return order->choice;
    case TYPE_PLACES:
        return order->person;
    default:
        return order->named;
    }
}

enum code command_take(struct device *device, const struct request *request)
{
    struct record *record = &device->record;
    struct record before = *record;
    struct reader body = {request->body};
    struct permit permit = read_permit(&body);
    struct order order = read_order(request->type, permit.cmd_id, &body);
    enum code code = fenced(device, request->type, &permit);

    if (code != CODE_OK)
        return code;
    code = refused(device, &order);
    record->cmd_id = order.cmd_id;
    record->cmd_kind = order.type;
    record->cmd_arg = argument(&order);
    record->pulses = 0;
    if (code != CODE_OK) {
        record->cmd_state = COMMAND_FAILED;
        record->cmd_result = (uint8_t)code;
    } else if (order.type == TYPE_PLACES) {
        set_places(device, &order);
    } else {
        record->cmd_state = COMMAND_MOVING;
        record->cmd_result = 0;
        spend(device, &order);
    }
    if (!device_write(device)) {
        *record = before; /* an id that is not in the memory is not consumed, and nothing moves for it */
        device_fail(device, ERROR_MEMORY, 0);
        return CODE_NOT_ARMED;
    }
    if (record->cmd_state == COMMAND_MOVING)
        motion_begin(device, order.choice, order.open_ms);
    return code;
}
