#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "../bytes.h"

struct fake_board board;
struct device device;
struct status status;
unsigned events_heard;
uint8_t last_event_kind;
uint32_t last_event_number;

static uint32_t next_random;
static uint32_t session_used;
static uint8_t said[FRAME_MOST];
static size_t said_length;
static unsigned checks;
static unsigned faults;

void check(bool true_, const char *what, const char *file, int line)
{
    checks++;
    if (true_)
        return;
    faults++;
    printf("%s:%d: not so: %s\n", file, line, what);
}

int checked(void)
{
    printf("%u checks, %u faults\n", checks, faults);
    return faults == 0 ? 0 : 1;
}

/* The board. */

struct board_facts board_facts(void) { return board.facts; }
uint8_t board_reset_cause(void) { return 1; }
uint32_t board_tick(void) { return board.tick; }
uint32_t board_random(void) { return board.random != 0 ? board.random : EPOCH + next_random++; }
bool board_service_key(void) { return board.service_key; }
struct board_report board_report(void) { return board.report; }
void board_take_no_more(void) { board.take_no_more = true; }
void board_stop(void) { board.stops++; }
void board_gate_lock(void) { board.gate_open = false; }

uint8_t board_error(void)
{
    uint8_t error = board.error;

    board.error = 0;
    return error;
}

bool board_send(const uint8_t *bytes, size_t length)
{
    if (board.line_length + length > sizeof board.line)
        return false;
    memcpy(board.line + board.line_length, bytes, length);
    board.line_length += length;
    return true;
}

uint16_t board_sensors(void) { return board.sensors; }

void board_gate_open(uint32_t limit_ms)
{
    (void)limit_ms;
    board.gate_open = true;
    board.gate_openings++;
}

void board_start(enum board_work work, uint8_t most, uint32_t limit_ms)
{
    (void)most;
    (void)limit_ms;
    board.work = work;
    board.starts++;
    board.report = (struct board_report){false, false, 0, 0};
}

bool board_cancel(void)
{
    if (!board.begun)
        board.report.ended = true;
    return !board.begun;
}

bool board_memory_read(unsigned slot, uint8_t *bytes, size_t length)
{
    if (!(board.facts.caps & CAP_NVM))
        return false;
    memcpy(bytes, board.memory[slot], length);
    return true;
}

bool board_memory_write(unsigned slot, const uint8_t *bytes, size_t length)
{
    if (board.memory_broken || !(board.facts.caps & CAP_NVM))
        return false;
    memcpy(board.memory[slot], bytes, length);
    board.writes++;
    board.locks_at_write = board.gate_open;
    return true;
}

/* The host. */

static void read_status(struct reader from)
{
    status.code = take_u8(&from);
    status.state = take_u8(&from);
    status.locks = take_u16(&from);
    status.epoch = take_u32(&from);
    status.fence = take_u32(&from);
    status.boot_id = take_u32(&from);
    status.tick = take_u32(&from);
    status.own_session = take_u32(&from);
    status.cmd_id = take_u32(&from);
    status.cmd_kind = take_u8(&from);
    status.cmd_state = take_u8(&from);
    status.cmd_result = take_u8(&from);
    status.pulses = take_u8(&from);
    status.machine = take_u8(&from);
    status.order = take_u8(&from);
    status.exit_id = take_u32(&from);
    status.out_total = take_u32(&from);
    status.taken_id = take_u32(&from);
    status.deal_id = take_u32(&from);
    status.token_id = take_u32(&from);
    status.hold_no = take_u32(&from);
    status.hold_session = take_u32(&from);
    status.hold_key = take_u32(&from);
    status.hold_reason = take_u16(&from);
    status.error = take_u8(&from);
    (void)take_u8(&from);
    status.sensors = take_u16(&from);
    (void)take_u16(&from);
    status.event_next = take_u32(&from);
}

static bool read_answer(const uint8_t *payload, size_t length)
{
    struct reader from = {payload + 1};

    if (payload[1] == TYPE_EVENT) {
        from.at = payload + HEADER_SIZE;
        last_event_number = take_u32(&from);
        (void)take_u32(&from);
        last_event_kind = take_u8(&from);
        events_heard++;
        return false;
    }
    status.type = take_u8(&from);
    status.flags = take_u8(&from);
    status.seq = take_u8(&from);
    status.session = take_u32(&from);
    if (length == HEADER_SIZE + IDENT_SIZE)
        status.code = take_u8(&from);
    else
        read_status(from);
    return true;
}

static uint8_t hear(void)
{
    struct frame_receiver receiver = {{0}, 0, false, 0};
    bool answered = false;
    size_t place;

    for (place = 0; place < board.line_length; place++) {
        size_t length = frame_receive(&receiver, board.line[place]);

        if (length > 0)
            answered = read_answer(receiver.bytes, length) || answered;
    }
    CHECK(receiver.dropped == 0);
    board.line_length = 0;
    return answered ? status.code : 0xEE;
}

uint8_t again(void)
{
    size_t place;

    (void)hear();
    for (place = 0; place < said_length; place++)
        device_receive(&device, said[place]);
    return hear();
}

uint8_t ask(uint8_t type, uint32_t session, const uint8_t *body, size_t length)
{
    uint8_t payload[PAYLOAD_MOST] = {WIRE_VERSION, type, 0, 77};
    struct writer to = {payload + 4};

    put_u32(&to, session);
    if (length > 0)
        memcpy(to.at, body, length);
    said_length = frame_encode(payload, HEADER_SIZE + length, said);
    return again();
}

uint8_t query(void) { return ask(TYPE_QUERY, session_used, NULL, 0); }

uint8_t hello(uint32_t session)
{
    const uint8_t body[10] = {1, 1};

    session_used = session;
    return ask(TYPE_HELLO, session, body, sizeof body);
}

uint8_t beat(void)
{
    uint8_t body[8];
    struct writer to = {body};

    (void)query();
    put_u32(&to, status.boot_id);
    put_u32(&to, status.tick);
    return ask(TYPE_HEARTBEAT, session_used, body, sizeof body);
}

uint8_t arm(void)
{
    uint8_t body[17];
    struct writer to = {body};

    (void)beat();
    put_u32(&to, status.epoch);
    put_u32(&to, status.fence);
    put_u32(&to, status.cmd_id);
    put_u8(&to, status.machine);
    put_u32(&to, status.exit_id);
    return ask(TYPE_ARM, session_used, body, sizeof body);
}

uint8_t hold(uint32_t session, uint32_t key)
{
    uint8_t body[6];
    struct writer to = {body};

    put_u32(&to, key);
    put_u16(&to, 0x0203);
    return ask(TYPE_HOLD, session, body, sizeof body);
}

uint8_t clear(void)
{
    uint8_t body[20];
    struct writer to = {body};

    (void)query();
    put_u32(&to, status.epoch);
    put_u32(&to, status.hold_no);
    put_u32(&to, status.hold_session);
    put_u32(&to, status.hold_key);
    put_u32(&to, 7);
    return ask(TYPE_CLEAR_HOLD, session_used, body, sizeof body);
}

uint8_t command(uint8_t type, const uint8_t *own, size_t length)
{
    uint8_t body[BODY_MOST];
    struct writer to = {body};

    (void)query();
    put_u32(&to, status.epoch);
    put_u32(&to, status.fence);
    put_u32(&to, status.cmd_id + 1);
    put_u32(&to, status.cmd_id);
    memcpy(to.at, own, length);
    return ask(type, session_used, body, 16 + length);
}

uint8_t dispense(uint32_t deal_id, uint8_t first)
{
    uint8_t own[6];
    struct writer to = {own};

    put_u32(&to, deal_id);
    put_u8(&to, first);
    put_u8(&to, 0);
    return command(TYPE_DISPENSE, own, sizeof own);
}

uint8_t release(uint32_t card_id, uint16_t open_ms)
{
    uint8_t own[6];
    struct writer to = {own};

    put_u32(&to, card_id);
    put_u16(&to, open_ms);
    return command(TYPE_RELEASE, own, sizeof own);
}

uint8_t retract(uint32_t card_id)
{
    uint8_t own[4];
    struct writer to = {own};

    put_u32(&to, card_id);
    return command(TYPE_RETRACT, own, sizeof own);
}

uint8_t places(uint8_t machine, uint32_t exit_id, uint8_t order)
{
    uint8_t own[10];
    struct writer to = {own};

    put_u8(&to, machine);
    put_u32(&to, exit_id);
    put_u8(&to, order);
    put_u32(&to, 7);
    return command(TYPE_PLACES, own, sizeof own);
}

uint8_t shuffle(uint8_t expect)
{
    const uint8_t own[2] = {expect, 0};

    return command(TYPE_SHUFFLE, own, sizeof own);
}

/* Stories. */

void power_cycle(void)
{
    board.gate_open = false;
    board.sensors |= SENSOR_GATE_LOCKED;
    board.line_length = 0;
    board.tick = 0;
    device_boot(&device);
}

void fresh(uint32_t caps)
{
    const struct board_facts facts = {54, caps, 0x1234, 1, 0xA1B2C3D4u, 0x010203, 2700, 90};

    memset(&board, 0, sizeof board);
    board.facts = facts;
    next_random = 0;
    events_heard = 0;
    power_cycle();
}

void pass_ms(uint32_t ms)
{
    while (ms-- > 0) {
        board.tick++;
        device_poll(&device);
    }
    (void)hear();
}

void gate_follows(void)
{
    if (board.gate_open)
        board.sensors &= (uint16_t)~SENSOR_GATE_LOCKED;
    else if (!board.gate_stuck)
        board.sensors |= SENSOR_GATE_LOCKED;
    device_poll(&device);
}

void work_ends(uint8_t pulses, uint8_t number)
{
    board.report = (struct board_report){true, false, pulses, number};
    pass_ms(1);
}

void card_passes(void)
{
    gate_follows();
    board.sensors |= SENSOR_IN_GATE;
    pass_ms(20);
    board.sensors &= (uint16_t)~SENSOR_BEHIND_GATE;
    pass_ms(20);
    board.sensors &= (uint16_t)~SENSOR_IN_GATE;
    board.sensors |= SENSOR_OUTLET;
    pass_ms(1);
    gate_follows();
}

void ready(void)
{
    CHECK(hello(1) == 1);
    CHECK(places(52, 0, 1) == CODE_OK);
    CHECK(arm() == CODE_OK);
    CHECK(shuffle(52) == CODE_OK);
    work_ends(0, 52);
    (void)beat();
    CHECK(status.token_id == 2);
}

void brought_up(void)
{
    ready();
    CHECK(dispense(2, 1) == CODE_OK);
    board.sensors |= SENSOR_BEHIND_GATE;
    work_ends(1, 0);
    (void)query();
    CHECK(status.exit_id == 3);
}
