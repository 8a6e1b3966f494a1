#include "bytes.h"
#include "rules.h"

static void put_header(struct writer *to, unsigned type, unsigned flags, unsigned seq, uint32_t session)
{
    put_u8(to, WIRE_VERSION);
    put_u8(to, type);
    put_u8(to, flags);
    put_u8(to, seq);
    put_u32(to, session);
}

/* A frame for which the line has no room is lost: state is asked again, events are told again. */
static void send(const uint8_t *payload, const struct writer *end)
{
    uint8_t frame[FRAME_MOST];
    size_t length = frame_encode(payload, (size_t)(end->at - payload), frame);

    (void)board_send(frame, length);
}

static enum state state_of(const struct device *device)
{
    if (device->phase == PHASE_OPEN || device->phase == PHASE_LETTING)
        return STATE_OPEN;
    if (device_moving(device))
        return STATE_BUSY;
    return device->armed ? STATE_ARMED : STATE_LOCKED;
}

void answer_status(struct device *device, const struct request *request, enum code code)
{
    const struct record *record = &device->record;
    uint8_t payload[HEADER_SIZE + STATUS_SIZE];
    struct writer to = {payload};

    put_header(&to, request->type | TYPE_ANSWER, FLAG_ANSWER, request->seq, request->session);
    put_u8(&to, code);
    put_u8(&to, state_of(device));
    put_u16(&to, device_locks(device));
    put_u32(&to, record->epoch);
    put_u32(&to, record->fence);
    put_u32(&to, device->boot_id);
    put_u32(&to, device->now);
    put_u32(&to, record->session);
    put_u32(&to, record->cmd_id);
    put_u8(&to, record->cmd_kind);
    put_u8(&to, record->cmd_state);
    put_u8(&to, record->cmd_result);
    put_u8(&to, record->pulses);
    put_u8(&to, record->machine);
    put_u8(&to, record->order);
    put_u32(&to, record->exit_id);
    put_u32(&to, record->out_total);
    put_u32(&to, record->taken_id);
    put_u32(&to, record->deal_id);
    put_u32(&to, record->token_id);
    put_u32(&to, record->hold_no);
    put_u32(&to, record->hold_session);
    put_u32(&to, record->hold_key);
    put_u16(&to, record->hold_reason);
    put_u8(&to, record->error);
    put_u8(&to, 0);
    put_u16(&to, device->sensors);
    put_u16(&to, 0);
    put_u32(&to, device->events_waiting > 0 ? device->events[0].number : 0);
    send(payload, &to);
}

void answer_ident(struct device *device, const struct request *request, bool met)
{
    const struct board_facts *facts = &device->facts;
    const struct record *record = &device->record;
    uint8_t payload[HEADER_SIZE + IDENT_SIZE];
    struct writer to = {payload};

    put_header(&to, TYPE_HELLO | TYPE_ANSWER, FLAG_ANSWER, request->seq, request->session);
    put_u8(&to, met ? WIRE_VERSION : 0);
    put_u8(&to, facts->capacity);
    put_u16(&to, PAYLOAD_MOST);
    put_u32(&to, facts->caps);
    put_u16(&to, facts->vendor);
    put_u16(&to, facts->model);
    put_u64(&to, facts->serial);
    put_u32(&to, facts->firmware);
    put_u32(&to, device->boot_id);
    put_u32(&to, record->boots);
    put_u8(&to, board_reset_cause());
    put_u8(&to, device->memory);
    put_u32(&to, record->epoch);
    put_u32(&to, record->fence);
    put_u32(&to, record->session);
    put_u16(&to, facts->dispense_ms);
    put_u16(&to, facts->cycle_s);
    send(payload, &to);
}

void send_event(struct device *device, const struct event *event)
{
    uint8_t payload[HEADER_SIZE + EVENT_SIZE];
    struct writer to = {payload};

    put_header(&to, TYPE_EVENT, FLAG_EVENT, 0, device->record.session);
    put_u32(&to, event->number);
    put_u32(&to, event->tick);
    put_u8(&to, event->kind);
    put_u32(&to, event->cmd_id);
    put_u32(&to, event->arg);
    send(payload, &to);
}
