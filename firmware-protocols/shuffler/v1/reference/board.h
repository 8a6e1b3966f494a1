/* What the device asks of its board: a firmware author implements these functions, and nothing else.
 *
 * They are called from device_boot(), device_receive() and device_poll() alone, never from an interrupt, and none of
 * them waits for a card. What takes long (a motion, the gate's coil) is begun here and asked after later.
 * Two things the board does without being asked: a watchdog (500 ms or less) resets it when device_poll() is not called
 * any more, and a gate that has lost its current is locked. */
#ifndef SHUFFLER_BOARD_H
#define SHUFFLER_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the machine is; the same from boot to boot. `caps` as in IDENT (PROTOCOL.md section 7). */
struct board_facts {
    uint8_t capacity;
    uint32_t caps;
    uint16_t vendor;
    uint16_t model;
    uint64_t serial;
    uint32_t firmware;
    uint16_t dispense_ms;
    uint16_t cycle_s;
};

enum board_work {
    WORK_FEED,         /* bring one card from the machine behind the gate (without a gate: out) */
    WORK_RETRACT,      /* take the card behind the gate back in */
    WORK_SHUFFLE,      /* shuffle the deck */
    WORK_SHUFFLE_STUB, /* shuffle what is left of it */
    WORK_COUNT,        /* count what is in the machine */
    WORK_TAKE          /* take cards in at the infeed */
};

/* How the work begun last stands. */
struct board_report {
    bool ended;     /* at rest; the motors are off */
    bool failed;    /* ended, and not as it should: something is stuck */
    uint8_t pulses; /* cards the exit counter has counted in it */
    uint8_t number; /* cards counted (shuffle, count) or taken in (take) */
};

struct board_facts board_facts(void);

/* Why the board runs anew: 1 power, 2 brown-out, 3 watchdog, 4 software, 5 pin. */
uint8_t board_reset_cause(void);

/* Milliseconds since boot; wraps. */
uint32_t board_tick(void);

/* 32 bits of hardware noise: the epoch of a memory and the number of a boot are made of it. */
uint32_t board_random(void);

/* Queue a whole frame for the line; false, and nothing is sent, when there is no room for all of it. Never waits. */
bool board_send(const uint8_t *bytes, size_t length);

/* The bits of STATUS.sensors, debounced (edges 5 ms, levels 20 ms), of those sensors that are fitted. Bit 20 (hex) is
 * the gate's own read-back: true only while it is really locked. */
uint16_t board_sensors(void);

/* Is the technician's key on? */
bool board_service_key(void);

/* The code of an error of the machine's own that came up since the last call (1 to 239, the maker's own), or 0. */
uint8_t board_error(void);

/* Give the gate current for `limit_ms` at most, kept by a timer of its own; the read-back tells when it is open. */
void board_gate_open(uint32_t limit_ms);

/* Take the current from the gate, at once. The read-back tells when it is locked. */
void board_gate_lock(void);

/* Begin work. WORK_TAKE takes `most` cards in and waits for them `limit_ms` at most; other work needs neither. */
void board_start(enum board_work work, uint8_t most, uint32_t limit_ms);

/* How does it stand? */
struct board_report board_report(void);

/* Do not begin to feed: true when no card has left its slot and now none will; false when it is too late. */
bool board_cancel(void);

/* WORK_TAKE: take in no card more, and end. */
void board_take_no_more(void);

/* Stop all motors where they are. */
void board_stop(void);

/* Two slots (0 and 1) of memory that outlives power. Reading gives what lies there; writing returns when the bytes are
 * safe (10 ms at most). False: the memory does not answer. A machine without such memory returns false always. */
bool board_memory_read(unsigned slot, uint8_t *bytes, size_t length);
bool board_memory_write(unsigned slot, const uint8_t *bytes, size_t length);

#endif
