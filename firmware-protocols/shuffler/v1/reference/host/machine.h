/* A card machine in numbers: how many cards lie where, what its motors and its gate do, and when. It knows no protocol.
 *
 * Time is what it is told. Cards are moved by its motors, and by people, who say how many lie where afterwards. */
#ifndef SHUFFLER_HOST_MACHINE_H
#define SHUFFLER_HOST_MACHINE_H

#include "../board.h"

enum place { IN_MACHINE, BEHIND_GATE, AT_OUTLET, AT_INFEED, PLACES };

enum moment {
    FEED_BEGINS, /* the card leaves its slot */
    FEED_ENDS,
    GATE_OPENS,
    GATE_SHUTS,
    COIL_ENDS, /* the coil's own time is up */
    CARD_COMES, /* into the gate */
    CARD_CLEARS,
    RETRACT_ENDS,
    CYCLE_ENDS,
    CARD_IS_DRAWN, /* from the infeed */
    CARD_IS_IN,
    TAKE_ENDS,
    MOMENTS
};

enum feed { FEED_ONE, FEED_NONE, FEED_TWO_PULSES, FEED_TWO_AS_ONE, FEED_JAM };
enum push { PUSH_ALL, PUSH_NOTHING, PUSH_FIRST, PUSH_JAM };

enum { FAULTS_MOST = 32 };

/* Milliseconds, near those of a machine with 54 slots. */
struct timings {
    uint32_t begin, feed_min, feed_max, coil, push, gate, retract, shuffle, count_card, dwell, infeed;
};

struct machine {
    struct timings timings;
    uint32_t caps;
    uint32_t now;
    uint32_t random; /* never 0 */
    unsigned cards[PLACES];
    bool due[MOMENTS];
    uint32_t when[MOMENTS];
    bool gate_open, coil_on, in_gate;
    bool door_open, service_key;
    uint8_t error;
    uint16_t forced, forced_to; /* sensors that say this whatever is true */
    enum board_work work;
    bool begun, no_more;
    unsigned most;
    struct board_report report;
    enum feed feeds[FAULTS_MOST]; /* what goes wrong next, the next first */
    unsigned feeds_waiting;
    enum push pushes[FAULTS_MOST];
    unsigned pushes_waiting;
    unsigned sticks; /* so many retractions leave the card where it was */
    int miscount;
    void (*moved)(enum place from, enum place to, unsigned cards);
    void (*shuffled)(void);
};

/* Let everything happen that is due until `now`, one moment at a time; `each` is called after each. */
void machine_run(struct machine *machine, uint32_t now, void (*each)(void));
/* Is anything due, and when? */
bool machine_due(const struct machine *machine, uint32_t *when);
/* People have moved cards. */
void machine_people(struct machine *machine, const unsigned cards[PLACES]);
uint16_t machine_sensors(const struct machine *machine);
void machine_start(struct machine *machine, enum board_work work, uint8_t most, uint32_t limit_ms);
bool machine_cancel(struct machine *machine);
void machine_take_no_more(struct machine *machine);
void machine_stop(struct machine *machine);
void machine_gate_open(struct machine *machine, uint32_t limit_ms);
void machine_gate_lock(struct machine *machine);
/* The spring shuts the gate; a card that is in it falls through. */
void machine_lose_power(struct machine *machine);
uint32_t machine_random(struct machine *machine);

#endif
