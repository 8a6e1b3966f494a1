/* A device on a board of variables, and a host that says what a test tells it to. */
#ifndef SHUFFLER_TESTS_BENCH_H
#define SHUFFLER_TESTS_BENCH_H

#include "../device.h"

enum { EPOCH = 0x5EED0001, ALL_CAPS = 0x1FFF };

struct fake_board {
    struct board_facts facts;
    uint32_t tick;
    uint32_t random; /* what chance says; 0: a new number each time */
    uint16_t sensors; /* the gate's read-back follows `gate_open`, unless: */
    bool gate_stuck;
    bool service_key;
    uint8_t error;
    bool gate_open;
    unsigned gate_openings;
    struct board_report report;
    enum board_work work;
    unsigned starts;
    bool begun;
    bool take_no_more;
    unsigned stops;
    uint8_t memory[RECORD_SLOTS][RECORD_SIZE];
    unsigned writes;
    bool memory_broken;
    uint8_t locks_at_write; /* was the gate open at the last write? */
    uint8_t line[4096];
    size_t line_length;
};

struct status {
    uint8_t type, flags, seq;
    uint32_t session;
    uint8_t code, state;
    uint16_t locks;
    uint32_t epoch, fence, boot_id, tick, own_session, cmd_id;
    uint8_t cmd_kind, cmd_state, cmd_result, pulses, machine, order;
    uint32_t exit_id, out_total, taken_id, deal_id, token_id, hold_no, hold_session, hold_key;
    uint16_t hold_reason;
    uint8_t error;
    uint16_t sensors;
    uint32_t event_next;
};

extern struct fake_board board;
extern struct device device;
extern struct status status;
extern unsigned events_heard;
extern uint8_t last_event_kind;
extern uint32_t last_event_number;

void check(bool true_, const char *what, const char *file, int line);
#define CHECK(what) check((what), #what, __FILE__, __LINE__)
int checked(void);

/* A new machine: memory never written, powered on. */
void fresh(uint32_t caps);
void power_cycle(void);
void pass_ms(uint32_t ms);

/* Requests; each returns STATUS.code (and leaves the whole in `status`), or 0xEE when nothing was answered. */
uint8_t ask(uint8_t type, uint32_t session, const uint8_t *body, size_t length);
uint8_t query(void);
uint8_t hello(uint32_t session); /* returns IDENT.proto */
uint8_t beat(void);
uint8_t arm(void);
uint8_t hold(uint32_t session, uint32_t key);
uint8_t clear(void);
/* A command under the newest numbers and a new id, with what follows the permit. */
uint8_t command(uint8_t type, const uint8_t *body, size_t length);
uint8_t again(void); /* the same bytes */
uint8_t dispense(uint32_t deal_id, uint8_t first);
uint8_t release(uint32_t card_id, uint16_t open_ms);
uint8_t retract(uint32_t card_id);
uint8_t places(uint8_t machine, uint32_t exit_id, uint8_t order);
uint8_t shuffle(uint8_t expect);

/* Stories told often. */
void ready(void);       /* 52 cards said, armed, shuffled: token 2 */
void brought_up(void);  /* and the first card is behind the gate: id 3 */
void work_ends(uint8_t pulses, uint8_t number);
void gate_follows(void);
void card_passes(void);

#endif
