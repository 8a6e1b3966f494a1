/* The board of a machine in software: power, memory, line and clock around `struct machine`. */
#ifndef SHUFFLER_HOST_WORLD_H
#define SHUFFLER_HOST_WORLD_H

#include <setjmp.h>

#include "../device.h"
#include "machine.h"

/* Where the power can be cut once, when it would come next. */
enum step {
    STEP_RESTRICTED, /* before a write that raises the fence */
    STEP_JOURNALLED, /* before the write of a command's id */
    STEP_MOVED,      /* before the motors start */
    STEP_OPENED,     /* before the gate has current */
    STEP_PASSED,     /* the gate is open, no card is in it yet */
    STEP_LOCKED,     /* before an open gate loses its current */
    STEP_COMMITTED,  /* before the write of a command's end */
    STEP_ANSWERED,   /* before an answer */
    STEP_WRITING,    /* in the middle of a write: the slot is spoilt */
    STEPS
};

struct world {
    struct device device;
    struct machine machine;
    struct board_facts facts;
    bool on;
    uint8_t reset_cause;
    uint32_t boot_at;
    uint32_t first_tick;
    bool cut[STEPS];
    jmp_buf lost; /* where to go when the power goes in the middle of something */
    uint8_t memory[RECORD_SLOTS][RECORD_SIZE];
    const char *memory_file;      /* or NULL: nothing outlives the process */
    uint32_t random_next[4];      /* numbers to give before chance is asked */
    unsigned random_waiting;
    bool (*send)(const uint8_t *bytes, size_t length);
};

extern struct world world;

void world_power_on(uint8_t cause);
void world_power_off(void);
/* Let everything happen until `now`. */
void world_run(uint32_t now);
void world_hear(const uint8_t *bytes, size_t length);
/* Look at once: a sensor was changed by hand. */
void world_look(void);
/* When must it run again at the latest? False: only if something comes from outside. */
bool world_due(uint32_t *when);
void world_read_memory_file(void);
/* The body of a STATUS as the device would answer now; without power (false) what its memory would let it say. */
bool world_status(uint8_t body[STATUS_SIZE]);

#endif
