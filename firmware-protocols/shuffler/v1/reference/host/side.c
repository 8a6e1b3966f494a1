#include "side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { WORDS_MOST = 6, WORD_MOST = 16 };

static const char *const PLACE_NAMES[PLACES] = {"machine", "behind_gate", "outlet", "infeed"};
static const char *const STEP_NAMES[STEPS] = {"restricted", "journalled", "moved",    "opened", "passed",
                                              "locked",     "committed",  "answered", "writing"};
static const char *const FEED_NAMES[] = {"one", "none", "two_pulses", "two_as_one", "jam"};
static const char *const PUSH_NAMES[] = {"all", "nothing", "first", "jam"};

/* Which of the names is it? -1: none. */
static int which(const char *word, const char *const *names, int count)
{
    int place;

    for (place = 0; place < count; place++)
        if (strcmp(word, names[place]) == 0)
            return place;
    return -1;
}

static uint32_t number(const char *word)
{
    return (uint32_t)strtoul(word, NULL, 10);
}

bool side_bytes(const uint8_t *bytes, size_t length)
{
    size_t place;

    (void)fputs("bytes ", stdout);
    for (place = 0; place < length; place++)
        (void)printf("%02x", bytes[place]);
    (void)putchar('\n');
    return true;
}

static void moved(enum place from, enum place to, unsigned cards)
{
    (void)printf("move %s %s %u\n", PLACE_NAMES[from], PLACE_NAMES[to], cards);
}

static void shuffled(void)
{
    (void)puts("shuffled");
}

void side_connect(void)
{
    world.machine.moved = moved;
    world.machine.shuffled = shuffled;
}

static bool hear(const char *hex)
{
    uint8_t bytes[4096];
    size_t length = 0;
    unsigned byte;

    while (length < sizeof bytes && sscanf(hex, "%2x", &byte) == 1) {
        bytes[length++] = (uint8_t)byte;
        hex += 2;
    }
    world_hear(bytes, length);
    return true;
}

static bool tell_status(void)
{
    uint8_t body[STATUS_SIZE];
    size_t place;

    (void)world_status(body);
    (void)fputs("status ", stdout);
    for (place = 0; place < sizeof body; place++)
        (void)printf("%02x", body[place]);
    (void)printf(" %u\n", (unsigned)(world.device.receiver.dropped + world.device.dropped));
    return true;
}

static bool move_by_hand(char words[][WORD_MOST], int count)
{
    unsigned cards[PLACES];
    int place;

    if (count != 1 + PLACES)
        return false;
    for (place = 0; place < PLACES; place++)
        cards[place] = number(words[1 + place]);
    machine_people(&world.machine, cards);
    world_look();
    return true;
}

static bool feed_so(const char *word)
{
    int fault = which(word, FEED_NAMES, sizeof FEED_NAMES / sizeof FEED_NAMES[0]);

    if (fault < 0 || world.machine.feeds_waiting == FAULTS_MOST)
        return false;
    world.machine.feeds[world.machine.feeds_waiting++] = (enum feed)fault;
    return true;
}

static bool push_so(const char *word)
{
    int fault = which(word, PUSH_NAMES, sizeof PUSH_NAMES / sizeof PUSH_NAMES[0]);

    if (fault < 0 || world.machine.pushes_waiting == FAULTS_MOST)
        return false;
    world.machine.pushes[world.machine.pushes_waiting++] = (enum push)fault;
    return true;
}

static bool cut(const char *word)
{
    int step = which(word, STEP_NAMES, STEPS);

    if (step < 0)
        return false;
    world.cut[step] = true;
    return true;
}

static bool force(char words[][WORD_MOST], int count)
{
    if (count != 3)
        return false;
    world.machine.forced = (uint16_t)number(words[1]);
    world.machine.forced_to = (uint16_t)number(words[2]);
    world_look();
    return true;
}

static bool switch_power(uint32_t cause)
{
    if (cause == 0)
        world_power_off();
    else
        world_power_on((uint8_t)cause);
    return true;
}

static bool random_next(uint32_t value)
{
    if (world.random_waiting == sizeof world.random_next / sizeof world.random_next[0])
        return false;
    world.random_next[world.random_waiting++] = value;
    return true;
}

static bool turn(const char *what, uint32_t value)
{
    if (strcmp(what, "door") == 0)
        world.machine.door_open = value != 0;
    else if (strcmp(what, "key") == 0)
        world.machine.service_key = value != 0;
    else if (strcmp(what, "error") == 0)
        world.machine.error = (uint8_t)value;
    else if (strcmp(what, "stick") == 0)
        world.machine.sticks += value;
    else if (strcmp(what, "miscount") == 0)
        world.machine.miscount = (int)(int32_t)value;
    else
        return false;
    world_look();
    return true;
}

static bool obey(char words[][WORD_MOST], int count)
{
    const char *verb = words[0];

    if (strcmp(verb, "status") == 0)
        return tell_status();
    if (strcmp(verb, "wipe") == 0) {
        memset(world.memory, 0, sizeof world.memory);
        return true;
    }
    if (strcmp(verb, "cards") == 0)
        return move_by_hand(words, count);
    if (strcmp(verb, "force") == 0)
        return force(words, count);
    if (count != 2)
        return false;
    if (strcmp(verb, "feed") == 0)
        return feed_so(words[1]);
    if (strcmp(verb, "push") == 0)
        return push_so(words[1]);
    if (strcmp(verb, "cut") == 0)
        return cut(words[1]);
    if (strcmp(verb, "power") == 0)
        return switch_power(number(words[1]));
    if (strcmp(verb, "random") == 0)
        return random_next(number(words[1]));
    return turn(verb, number(words[1]));
}

bool side_obey(const char *line)
{
    char words[WORDS_MOST][WORD_MOST];
    bool was_on = world.on;
    bool known;
    int count;

    if (strncmp(line, "bytes ", 6) == 0) {
        known = hear(line + 6);
    } else {
        count = sscanf(line, "%15s %15s %15s %15s %15s %15s", words[0], words[1], words[2], words[3], words[4], words[5]);
        known = count <= 0 || obey(words, count);
    }
    if (was_on != world.on)
        (void)printf("power %d\n", world.on);
    return known;
}
