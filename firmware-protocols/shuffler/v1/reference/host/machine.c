#include "machine.h"

#include <string.h>

#include "../wire.h"

static bool fitted(const struct machine *machine, enum cap cap)
{
    return (machine->caps & (uint32_t)cap) != 0;
}

uint32_t machine_random(struct machine *machine)
{
    uint32_t x = machine->random;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return machine->random = x;
}

static void after(struct machine *machine, enum moment moment, uint32_t ms)
{
    machine->due[moment] = true;
    machine->when[moment] = machine->now + ms;
}

static void never(struct machine *machine, enum moment moment)
{
    machine->due[moment] = false;
}

static void move(struct machine *machine, enum place from, enum place to, unsigned cards)
{
    if (cards > machine->cards[from])
        cards = machine->cards[from];
    machine->cards[from] -= cards;
    machine->cards[to] += cards;
    if (cards > 0)
        machine->moved(from, to, cards);
}

uint16_t machine_sensors(const struct machine *machine)
{
    unsigned sensors = 0;

    if (machine->cards[BEHIND_GATE] > 0 && fitted(machine, CAP_SLOT_SENSOR))
        sensors |= SENSOR_BEHIND_GATE;
    if (machine->in_gate && fitted(machine, CAP_GATE))
        sensors |= SENSOR_IN_GATE;
    if (machine->cards[AT_OUTLET] > 0 && fitted(machine, CAP_OUTLET_SENSOR))
        sensors |= SENSOR_OUTLET;
    if (machine->cards[AT_INFEED] > 0 && fitted(machine, CAP_RETURN))
        sensors |= SENSOR_INFEED;
    if (machine->door_open && fitted(machine, CAP_DOOR_SENSOR))
        sensors |= SENSOR_DOOR_OPEN;
    if (!machine->gate_open && fitted(machine, CAP_GATE))
        sensors |= SENSOR_GATE_LOCKED;
    return (uint16_t)((sensors & ~(unsigned)machine->forced) | machine->forced_to);
}

static enum feed next_feed(struct machine *machine)
{
    enum feed feed = machine->feeds[0];

    if (machine->feeds_waiting == 0)
        return FEED_ONE;
    machine->feeds_waiting--;
    memmove(machine->feeds, machine->feeds + 1, machine->feeds_waiting * sizeof machine->feeds[0]);
    return feed;
}

static enum push next_push(struct machine *machine)
{
    enum push push = machine->pushes[0];

    if (machine->pushes_waiting == 0)
        return PUSH_ALL;
    machine->pushes_waiting--;
    memmove(machine->pushes, machine->pushes + 1, machine->pushes_waiting * sizeof machine->pushes[0]);
    return push;
}

static void feed(struct machine *machine)
{
    enum feed fault = next_feed(machine);
    unsigned before = machine->cards[IN_MACHINE];
    unsigned cards = fault == FEED_NONE ? 0 : fault == FEED_TWO_PULSES || fault == FEED_TWO_AS_ONE ? 2 : 1;
    unsigned moved;

    move(machine, IN_MACHINE, fitted(machine, CAP_GATE) ? BEHIND_GATE : AT_OUTLET, cards);
    moved = before - machine->cards[IN_MACHINE];
    if (fault == FEED_JAM)
        moved = 0;
    else if (fault == FEED_TWO_AS_ONE && moved > 1)
        moved = 1;
    machine->report.pulses = (uint8_t)moved;
    machine->report.ended = true;
}

/* The card that lies in the open gate's way slides into it. */
static void come(struct machine *machine)
{
    enum push fault = next_push(machine);

    if (!machine->gate_open || machine->cards[BEHIND_GATE] == 0 || fault == PUSH_NOTHING)
        return;
    machine->in_gate = true;
    machine->most = fault == PUSH_FIRST ? 1 : machine->cards[BEHIND_GATE];
    if (fault != PUSH_JAM)
        after(machine, CARD_CLEARS, machine->timings.gate);
}

static void clear_gate(struct machine *machine)
{
    machine->in_gate = false;
    move(machine, BEHIND_GATE, AT_OUTLET, machine->most);
}

static void retract(struct machine *machine)
{
    if (machine->sticks > 0)
        machine->sticks--;
    else
        move(machine, BEHIND_GATE, IN_MACHINE, machine->cards[BEHIND_GATE]);
    machine->report.ended = true;
}

static void end_cycle(struct machine *machine)
{
    int counted = (int)machine->cards[IN_MACHINE] + machine->miscount;

    machine->miscount = 0;
    if (machine->work != WORK_COUNT)
        machine->shuffled();
    machine->report.number = (uint8_t)(counted < 0 ? 0 : counted);
    machine->report.ended = true;
}

/* Draw the next one, wait for one, or end. */
static void take(struct machine *machine)
{
    if (machine->report.ended || machine->due[CARD_IS_DRAWN] || machine->due[CARD_IS_IN])
        return;
    if (machine->no_more || machine->report.number >= machine->most) {
        never(machine, TAKE_ENDS);
        machine->report.ended = true;
    } else if (machine->cards[AT_INFEED] > 0) {
        after(machine, CARD_IS_DRAWN, machine->timings.dwell);
    }
}

static void draw(struct machine *machine)
{
    if (machine->cards[AT_INFEED] > 0) {
        move(machine, AT_INFEED, IN_MACHINE, 1);
        after(machine, CARD_IS_IN, machine->timings.infeed);
    } else {
        take(machine);
    }
}

static void shut(struct machine *machine)
{
    machine->gate_open = false;
    never(machine, CARD_COMES);
}

static void happen(struct machine *machine, enum moment moment)
{
    switch (moment) {
    case FEED_BEGINS:
        machine->begun = true;
        break;
    case FEED_ENDS:
        feed(machine);
        break;
    case GATE_OPENS:
        machine->gate_open = true;
        after(machine, CARD_COMES, machine->timings.push);
        break;
    case GATE_SHUTS:
        shut(machine);
        break;
    case COIL_ENDS:
        machine_gate_lock(machine);
        break;
    case CARD_COMES:
        come(machine);
        break;
    case CARD_CLEARS:
        clear_gate(machine);
        break;
    case RETRACT_ENDS:
        retract(machine);
        break;
    case CYCLE_ENDS:
        end_cycle(machine);
        break;
    case CARD_IS_DRAWN:
        draw(machine);
        break;
    case CARD_IS_IN:
        machine->report.number++;
        take(machine);
        break;
    default:
        machine_take_no_more(machine);
        break;
    }
}

bool machine_due(const struct machine *machine, uint32_t *when)
{
    bool any = false;
    int moment;

    for (moment = 0; moment < MOMENTS; moment++) {
        if (machine->due[moment] && (!any || machine->when[moment] < *when)) {
            *when = machine->when[moment];
            any = true;
        }
    }
    return any;
}

void machine_run(struct machine *machine, uint32_t now, void (*each)(void))
{
    uint32_t when = 0;

    while (machine_due(machine, &when) && when <= now) {
        int moment = 0;

        while (!machine->due[moment] || machine->when[moment] != when)
            moment++;
        machine->now = when;
        never(machine, (enum moment)moment);
        happen(machine, (enum moment)moment);
        each();
    }
    machine->now = now;
}

void machine_people(struct machine *machine, const unsigned cards[PLACES])
{
    memcpy(machine->cards, cards, sizeof machine->cards);
    if (machine->cards[BEHIND_GATE] == 0 && machine->in_gate) {
        machine->in_gate = false;
        never(machine, CARD_CLEARS);
    }
    if (machine->work == WORK_TAKE)
        take(machine);
}

void machine_start(struct machine *machine, enum board_work work, uint8_t most, uint32_t limit_ms)
{
    const struct timings *timings = &machine->timings;
    uint32_t span = timings->feed_max - timings->feed_min + 1;

    machine->work = work;
    machine->begun = false;
    machine->no_more = false;
    machine->report = (struct board_report){false, false, 0, 0};
    switch (work) {
    case WORK_FEED:
        after(machine, FEED_BEGINS, timings->begin);
        after(machine, FEED_ENDS, timings->begin + timings->feed_min + machine_random(machine) % span);
        break;
    case WORK_RETRACT:
        after(machine, RETRACT_ENDS, timings->retract);
        break;
    case WORK_COUNT:
        after(machine, CYCLE_ENDS, timings->count_card * machine->cards[IN_MACHINE]);
        break;
    case WORK_TAKE:
        machine->most = most;
        after(machine, TAKE_ENDS, limit_ms);
        take(machine);
        break;
    default:
        after(machine, CYCLE_ENDS, timings->shuffle);
        break;
    }
}

bool machine_cancel(struct machine *machine)
{
    if (machine->begun)
        return false;
    never(machine, FEED_BEGINS);
    never(machine, FEED_ENDS);
    machine->report.ended = true;
    return true;
}

void machine_take_no_more(struct machine *machine)
{
    machine->no_more = true;
    never(machine, TAKE_ENDS);
    never(machine, CARD_IS_DRAWN);
    take(machine);
}

void machine_stop(struct machine *machine)
{
    static const enum moment MOTORS[] = {FEED_BEGINS, FEED_ENDS,     RETRACT_ENDS, CYCLE_ENDS,
                                         TAKE_ENDS,   CARD_IS_DRAWN, CARD_IS_IN};
    size_t place;

    for (place = 0; place < sizeof MOTORS / sizeof MOTORS[0]; place++)
        never(machine, MOTORS[place]);
    machine->report.ended = true;
}

void machine_gate_open(struct machine *machine, uint32_t limit_ms)
{
    machine->coil_on = true;
    never(machine, GATE_SHUTS);
    after(machine, GATE_OPENS, machine->timings.coil);
    after(machine, COIL_ENDS, limit_ms);
}

void machine_gate_lock(struct machine *machine)
{
    if (!machine->coil_on)
        return;
    machine->coil_on = false;
    never(machine, GATE_OPENS);
    never(machine, COIL_ENDS);
    if (machine->gate_open)
        after(machine, GATE_SHUTS, machine->timings.coil);
}

void machine_lose_power(struct machine *machine)
{
    machine_stop(machine);
    memset(machine->due, 0, sizeof machine->due);
    if (machine->in_gate && machine->gate_open)
        move(machine, BEHIND_GATE, AT_OUTLET, 1);
    machine->in_gate = false;
    machine->coil_on = false;
    shut(machine);
}
