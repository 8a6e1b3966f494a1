#include "world.h"

#include <stdio.h>
#include <string.h>

#include "../bytes.h"
#include "../rules.h"

struct world world;

static bool capturing;
static uint8_t captured[STATUS_SIZE];

/* The power goes here and now, if a test has asked for it. */
static void step(enum step which)
{
    if (!world.on || !world.cut[which])
        return;
    world.cut[which] = false;
    world_power_off();
    longjmp(world.lost, 1);
}

/* What a write is for, told by what it changes. */
static enum step purpose(const uint8_t *bytes)
{
    enum { FENCE_AT = 12, CMD_ID_AT = 28 };
    uint32_t newest = 0;
    const uint8_t *before = NULL;
    unsigned slot;

    for (slot = 0; slot < RECORD_SLOTS; slot++) {
        struct reader from = {world.memory[slot] + 4};
        uint32_t generation = take_u32(&from);

        if (world.memory[slot][0] == 'S' && (before == NULL || generation > newest)) {
            newest = generation;
            before = world.memory[slot];
        }
    }
    if (before == NULL || memcmp(before + FENCE_AT, bytes + FENCE_AT, 4) != 0)
        return STEP_RESTRICTED;
    return memcmp(before + CMD_ID_AT, bytes + CMD_ID_AT, 4) != 0 ? STEP_JOURNALLED : STEP_COMMITTED;
}

static void save(void)
{
    FILE *file;

    if (world.memory_file == NULL || (file = fopen(world.memory_file, "wb")) == NULL)
        return;
    (void)fwrite(world.memory, 1, sizeof world.memory, file);
    (void)fclose(file);
}

void world_read_memory_file(void)
{
    FILE *file = world.memory_file == NULL ? NULL : fopen(world.memory_file, "rb");

    if (file == NULL)
        return;
    (void)fread(world.memory, 1, sizeof world.memory, file);
    (void)fclose(file);
}

/* The board. */

struct board_facts board_facts(void) { return world.facts; }
uint8_t board_reset_cause(void) { return world.reset_cause; }
uint32_t board_tick(void) { return world.first_tick + (world.machine.now - world.boot_at); }
uint16_t board_sensors(void) { return machine_sensors(&world.machine); }
bool board_service_key(void) { return world.machine.service_key; }
struct board_report board_report(void) { return world.machine.report; }
bool board_cancel(void) { return machine_cancel(&world.machine); }
void board_take_no_more(void) { machine_take_no_more(&world.machine); }
void board_stop(void) { machine_stop(&world.machine); }

uint32_t board_random(void)
{
    uint32_t number;

    if (world.random_waiting == 0)
        return machine_random(&world.machine);
    number = world.random_next[0];
    world.random_waiting--;
    memmove(world.random_next, world.random_next + 1, world.random_waiting * sizeof world.random_next[0]);
    return number;
}

uint8_t board_error(void)
{
    uint8_t error = world.machine.error;

    world.machine.error = 0;
    return error;
}

static bool is_answer(const uint8_t *frame, size_t length)
{
    struct frame_receiver receiver = {{0}, 0, false, 0};
    size_t payload = 0;
    size_t place;

    for (place = 0; place < length; place++) {
        size_t found = frame_receive(&receiver, frame[place]);

        payload = found > 0 ? found : payload;
    }
    if (capturing && payload == HEADER_SIZE + STATUS_SIZE)
        memcpy(captured, receiver.bytes + HEADER_SIZE, sizeof captured);
    return payload > 0 && receiver.bytes[1] >= TYPE_ANSWER;
}

bool board_send(const uint8_t *bytes, size_t length)
{
    bool answer = is_answer(bytes, length);

    if (capturing && answer)
        return true;
    if (answer)
        step(STEP_ANSWERED);
    return world.send(bytes, length);
}

void board_gate_open(uint32_t limit_ms)
{
    step(STEP_OPENED);
    machine_gate_open(&world.machine, limit_ms);
}

void board_gate_lock(void)
{
    if (world.machine.gate_open)
        step(STEP_LOCKED);
    machine_gate_lock(&world.machine);
}

void board_start(enum board_work work, uint8_t most, uint32_t limit_ms)
{
    step(STEP_MOVED);
    machine_start(&world.machine, work, most, limit_ms);
}

bool board_memory_read(unsigned slot, uint8_t *bytes, size_t length)
{
    if (!(world.facts.caps & CAP_NVM))
        return false;
    memcpy(bytes, world.memory[slot], length);
    return true;
}

bool board_memory_write(unsigned slot, const uint8_t *bytes, size_t length)
{
    if (!(world.facts.caps & CAP_NVM))
        return false;
    step(purpose(bytes));
    if (world.cut[STEP_WRITING]) {
        memcpy(world.memory[slot], bytes, length / 2);
        save();
        step(STEP_WRITING);
    }
    memcpy(world.memory[slot], bytes, length);
    save();
    return true;
}

/* The world. */

void world_power_off(void)
{
    if (!world.on)
        return;
    world.on = false;
    machine_lose_power(&world.machine);
}

void world_power_on(uint8_t cause)
{
    if (setjmp(world.lost) != 0)
        return;
    world_power_off();
    world.on = true;
    world.reset_cause = cause;
    world.boot_at = world.machine.now;
    device_boot(&world.device);
}

void world_look(void)
{
    if (!world.on || setjmp(world.lost) != 0)
        return;
    device_poll(&world.device);
}

static void each(void)
{
    if (!world.on || setjmp(world.lost) != 0)
        return;
    if (world.machine.gate_open && !world.machine.in_gate && world.device.phase == PHASE_OPENING)
        step(STEP_PASSED);
    device_poll(&world.device);
}

/* It was asked just now: never before the next millisecond, however broken a device may be that runs here. */
static uint32_t device_due(void)
{
    uint32_t sleep_ms = device_sleep_ms(&world.device);

    return world.machine.now + (sleep_ms > 0 ? sleep_ms : 1);
}

void world_run(uint32_t now)
{
    while (world.on && device_due() < now) {
        machine_run(&world.machine, device_due(), each);
        world_look();
    }
    machine_run(&world.machine, now, each);
    world_look();
}

void world_hear(const uint8_t *bytes, size_t length)
{
    size_t place;

    if (setjmp(world.lost) != 0)
        return;
    for (place = 0; place < length && world.on; place++)
        device_receive(&world.device, bytes[place]);
}

bool world_due(uint32_t *when)
{
    bool due = machine_due(&world.machine, when);

    if (world.on && device_sleep_ms(&world.device) != SLEEP_FOR_EVER && (!due || device_due() < *when)) {
        *when = device_due();
        due = true;
    }
    return due;
}

bool world_status(uint8_t body[STATUS_SIZE])
{
    const struct request query = {WIRE_VERSION, TYPE_QUERY, 0, 0, NULL, 0};
    struct device kept = world.device;

    if (!world.on)
        (void)record_load(&world.device.record);
    capturing = true;
    answer_status(&world.device, &query, CODE_OK);
    capturing = false;
    world.device = kept;
    memcpy(body, captured, STATUS_SIZE);
    return world.on;
}
