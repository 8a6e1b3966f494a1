/* The worked frames of PROTOCOL.md section 10, told to the device: it answers byte for byte. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "vectors.h"

enum frame {
    SAY_HELLO, IDENT, SAY_QUERY, SAY_HEARTBEAT, SAY_ARM, SAY_DISPENSE, SAY_REPEAT, STATUS_MOVING, EVENT_17, SAY_ACK,
    SAY_RELEASE, SAY_HOLD, STATUS_HELD, STATUS_LATE, SAY_PLACES, SAY_CLEAR, SAY_ARM_AGAIN, SAY_COUNT
};

static const char *path;

/* The machine as the tale finds it: it was shuffled at the end of an evening, and the power was off since. */
static void remember(void)
{
    struct record record;

    memset(&record, 0, sizeof record);
    record.epoch = 0xE90C0001u;
    record.fence = 94;
    record.session = 28;
    record.cmd_id = 200;
    record.cmd_kind = TYPE_SHUFFLE;
    record.cmd_state = COMMAND_DONE;
    record.cmd_result = CODE_CYCLE_DONE;
    record.machine = 52;
    record.out_total = 1000;
    record.token_id = 200;
    record.boots = 6;
    CHECK(record_store(&record) && record_store(&record));
}

static void at(uint32_t tick)
{
    while (board.tick < tick) {
        board.tick++;
        device_poll(&device);
    }
}

static void say(enum frame frame)
{
    uint8_t bytes[VECTOR_MOST];
    size_t length = vector_frame(path, (unsigned)frame, bytes);
    size_t place;

    CHECK(length > 0);
    board.line_length = 0;
    for (place = 0; place < length; place++)
        device_receive(&device, bytes[place]);
}

/* What was sent last but for events, or an event. */
static void heard(enum frame frame)
{
    uint8_t bytes[VECTOR_MOST];
    size_t length = vector_frame(path, (unsigned)frame, bytes);
    bool found = false;
    size_t place;

    for (place = 0; place + length <= board.line_length; place++)
        found = found || memcmp(board.line + place, bytes, length) == 0;
    CHECK(found);
    board.line_length = 0;
}

static void the_tale_is_told(void)
{
    fresh(0x1F7F);
    remember();
    board.random = 0xB0070007u;
    power_cycle();
    device.event_number = 16; /* as if this were the end of a long evening */
    device.events_waiting = 0;
    at(4900);
    say(SAY_HELLO);
    heard(IDENT);
    device.event_number = 16;
    device.events_waiting = 0;
    at(5000);
    say(SAY_HEARTBEAT);
    say(SAY_ARM);
    at(5100);
    say(SAY_DISPENSE);
    heard(STATUS_MOVING);
    at(5479);
    board.line_length = 0;
    board.sensors |= SENSOR_BEHIND_GATE;
    board.report = (struct board_report){true, false, 1, 0};
    at(5480);
    heard(EVENT_17);
    say(SAY_ACK);
    at(5890);
    say(SAY_RELEASE);
    CHECK(board.gate_open);
    at(5900);
    say(SAY_HOLD);
    heard(STATUS_HELD);
    CHECK(!board.gate_open);
    at(6000);
    say(SAY_RELEASE);
    heard(STATUS_LATE);
    board.sensors &= (uint16_t)~SENSOR_BEHIND_GATE;
    at(6050);
    board.sensors |= SENSOR_DOOR_OPEN;
    at(6100);
    board.sensors &= (uint16_t)~SENSOR_DOOR_OPEN;
    at(6150);
    say(SAY_PLACES);
    CHECK(device.record.cmd_id == 203 && device.record.cmd_result == CODE_SET);
    say(SAY_CLEAR);
    CHECK(device.record.fence == 100 && !(device.record.locks & LOCK_HOLD));
    CHECK(hello(29) == 1 && beat() == CODE_OK);
    say(SAY_ARM_AGAIN);
    CHECK(device.armed);
    say(SAY_COUNT);
    CHECK(device.record.cmd_id == 204 && device.record.cmd_state == COMMAND_MOVING);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        printf("usage: test_tale vectors.toml\n");
        return 2;
    }
    path = arguments[1];
    the_tale_is_told();
    return checked();
}
