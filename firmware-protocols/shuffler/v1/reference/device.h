/* The device side of PROTOCOL.md: what a firmware author calls. One struct device, for ever; no heap, no system.
 *
 *     static struct device device;
 *     device_boot(&device);
 *     for (;;) {
 *         while (a byte has come in)
 *             device_receive(&device, byte);
 *         device_poll(&device);
 *         kick the watchdog, sleep device_sleep_ms(&device) or until a sensor, a motor or the line has news
 *     }
 */
#ifndef SHUFFLER_DEVICE_H
#define SHUFFLER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "frame.h"
#include "record.h"

enum { EVENTS_KEPT = 16, SLEEP_FOR_EVER = 0x7FFFFFFF };

/* Codes of STATUS.error that the device itself gives, beside the result of a misfeed or a jam; the rest are the board's. */
enum own_error {
    ERROR_MOTION = 0xF1, /* a cycle has failed */
    ERROR_GATE = 0xF2,   /* it is not locked, and nothing is released */
    ERROR_MEMORY = 0xF3  /* it cannot be written: nothing moves any more */
};

enum phase {
    PHASE_REST,
    PHASE_WORKING,  /* the board's motors run */
    PHASE_OPENING,  /* the gate has current and is not yet open */
    PHASE_OPEN,
    PHASE_LETTING,  /* restricted, and a card is in the gate: it may clear it */
    PHASE_LOCKING,  /* no current; not yet locked */
    PHASE_SETTLING  /* locked; the sensor behind it decides soon */
};

struct event {
    uint32_t number;
    uint32_t tick;
    uint32_t cmd_id;
    uint32_t arg;
    uint8_t kind;
};

struct device {
    struct board_facts facts;
    struct record record;
    enum memory_state memory;
    uint32_t boot_id;
    uint32_t now;
    uint16_t sensors; /* as seen last */
    uint16_t soft;    /* locks that no power cut outlives: of LOCKS_SOFT, DOOR, SERVICE */
    bool armed;
    bool greeted;
    bool leased;
    uint32_t lease_end;
    uint32_t passed_id; /* the card that passed last */

    enum phase phase;
    bool in_gate;         /* this release: a card is in the gate */
    bool passed;          /* this release: a trailing edge was seen in the gate */
    bool judged;          /* this release ends by the sensor behind the gate */
    bool two;             /* this release: a second card was in the gate */
    uint32_t phase_start;
    uint32_t final_limit; /* tick at which the motion has failed, or the gate locks by itself */
    uint32_t edge_tick;   /* when a card came into the gate */

    bool unlocked; /* the gate is, at rest, since: */
    uint32_t unlocked_tick;
    bool unlocked_told;

    struct event events[EVENTS_KEPT]; /* the oldest first */
    unsigned events_waiting;
    uint32_t event_number;
    bool event_sent; /* the oldest was sent, at: */
    uint32_t event_tick;

    struct frame_receiver receiver;
    uint32_t dropped; /* answers and events that came in */
};

/* After any reset, with the gate locked. */
void device_boot(struct device *device);

/* A byte from the line. */
void device_receive(struct device *device, uint8_t byte);

/* Look at the clock, the sensors and the motion. Call it at least each 5 ms, or whenever one of them has news and at
 * the latest after device_sleep_ms(). */
void device_poll(struct device *device);

/* Milliseconds until a time of the device's own is up; SLEEP_FOR_EVER when none runs. */
uint32_t device_sleep_ms(const struct device *device);

#endif
