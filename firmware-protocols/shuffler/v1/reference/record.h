/* What the device remembers without power. PROTOCOL.md section 3. */
#ifndef SHUFFLER_RECORD_H
#define SHUFFLER_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

enum { RECORD_SIZE = 104, RECORD_SLOTS = 2 };

struct record {
    uint32_t generation;
    uint32_t epoch;
    uint32_t fence;
    uint32_t session;
    uint32_t seen_session; /* the newest HOLD ever obeyed: its session and key */
    uint32_t seen_key;
    uint32_t cmd_id;
    uint8_t cmd_kind;
    uint8_t cmd_state;
    uint8_t cmd_result;
    uint8_t pulses;
    uint32_t cmd_arg; /* the shuffle, card, number or person that the command names */
    uint16_t locks;   /* of LOCKS_KEPT */
    uint8_t machine;
    uint8_t order;
    uint32_t exit_id;
    uint32_t out_total;
    uint32_t taken_id;
    uint32_t deal_id;
    uint32_t token_id;
    uint32_t hold_no;
    uint32_t hold_session;
    uint32_t hold_key;
    uint16_t hold_reason;
    uint8_t error;
    uint32_t boots;
    uint32_t dispensed;
    uint32_t no_feeds;
    uint32_t double_feeds;
    uint32_t retracted;
};

/* Read the newest good slot, or make a new record when none is good; what is made is not yet written. */
enum memory_state record_load(struct record *record);

/* Write it to the slot that does not hold the newest, and read it back. False: what is in the memory is the record
 * before this one, and `generation` is as it was. */
bool record_store(struct record *record);

#endif
