/* The reference device as a process: a machine in software on a pty, in real time; or on the side channel alone, in the
 * time that the side channel tells. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../wire.h"
#include "side.h"
#include "world.h"

enum { LINE_MOST = 16384, POLL_MOST_MS = 1000 };

static int line_file = -1;

static const char USAGE[] =
    "usage: shuffler [--clock] [--memory FILE] [--cards N] [--NAME NUMBER]...\n"
    "  without --clock: opens a pty, prints 'port PATH', runs in real time, and obeys lines on standard input\n"
    "  with --clock:    no pty; each line on standard input is 'MS WHAT', each is answered up to 'ready MS' (when it\n"
    "                   must run again at the latest) or 'ready -'\n"
    "  NAME: caps capacity serial first-tick seed, and times in ms: begin feed-min feed-max coil push gate retract\n"
    "        shuffle count-card dwell infeed\n";

static bool option(const char *name, uint32_t value)
{
    struct timings *timings = &world.machine.timings;
    const struct {
        const char *name;
        uint32_t *value;
    } numbers[] = {
        {"begin", &timings->begin},     {"feed-min", &timings->feed_min},     {"feed-max", &timings->feed_max},
        {"coil", &timings->coil},       {"push", &timings->push},             {"gate", &timings->gate},
        {"retract", &timings->retract}, {"shuffle", &timings->shuffle},       {"count-card", &timings->count_card},
        {"dwell", &timings->dwell},     {"infeed", &timings->infeed},         {"caps", &world.facts.caps},
        {"seed", &world.machine.random}, {"first-tick", &world.first_tick},
    };
    size_t place;

    if (strcmp(name, "capacity") == 0)
        world.facts.capacity = (uint8_t)value;
    else if (strcmp(name, "serial") == 0)
        world.facts.serial = value;
    else if (strcmp(name, "cards") == 0)
        world.machine.cards[IN_MACHINE] = value;
    else {
        for (place = 0; place < sizeof numbers / sizeof numbers[0]; place++) {
            if (strcmp(name, numbers[place].name) == 0) {
                *numbers[place].value = value;
                return true;
            }
        }
        return false;
    }
    return true;
}

/* Returns whether the side channel is the clock; ends the process at what it does not know. */
static bool read_options(int count, char **arguments)
{
    bool clock = false;
    int place;

    for (place = 1; place < count; place++) {
        const char *name = arguments[place];

        if (strcmp(name, "--clock") == 0) {
            clock = true;
            continue;
        }
        if (strncmp(name, "--", 2) == 0 && place + 1 < count) {
            const char *value = arguments[++place];

            if (strcmp(name, "--memory") == 0) {
                world.memory_file = value;
                continue;
            }
            if (option(name + 2, (uint32_t)strtoul(value, NULL, 10)))
                continue;
        }
        (void)fputs(USAGE, stderr);
        exit(2);
    }
    return clock;
}

static void make_world(void)
{
    const struct timings timings = {20, 350, 900, 15, 80, 60, 1200, 45000, 250, 120, 60};
    const struct board_facts facts = {54, 0x1FFF, 0x5248, 1, 2712847316u, 0x00010000, 2700, 90};

    memset(&world, 0, sizeof world);
    world.machine.timings = timings;
    world.machine.random = 1;
    world.facts = facts;
    side_connect();
}

static bool read_line(char *line)
{
    return fgets(line, LINE_MOST, stdin) != NULL;
}

static int run_by_the_side_channel(void)
{
    static char line[LINE_MOST];

    world.send = side_bytes;
    while (read_line(line)) {
        char *rest = line;
        uint32_t now = (uint32_t)strtoul(line, &rest, 10);
        bool was_on = world.on;
        uint32_t due = 0;

        world_run(now);
        if (was_on && !world.on)
            (void)puts("power 0");
        if (!side_obey(rest + strspn(rest, " "))) {
            (void)fprintf(stderr, "shuffler: not understood: %s", line);
            return 2;
        }
        if (world_due(&due))
            (void)printf("ready %u\n", (unsigned)due);
        else
            (void)puts("ready -");
        (void)fflush(stdout);
    }
    return 0;
}

static bool send_to_pty(const uint8_t *bytes, size_t length)
{
    return write(line_file, bytes, length) == (ssize_t)length;
}

/* A pty without echo or translation, whose other end stays open: a host may come and go. */
static const char *open_pty(void)
{
    struct termios raw;
    const char *path;
    int near;

    line_file = posix_openpt(O_RDWR | O_NOCTTY);
    if (line_file < 0 || grantpt(line_file) != 0 || unlockpt(line_file) != 0)
        return NULL;
    path = ptsname(line_file);
    near = path == NULL ? -1 : open(path, O_RDWR | O_NOCTTY);
    if (near < 0 || tcgetattr(near, &raw) != 0)
        return NULL;
    raw.c_iflag = 0;
    raw.c_oflag = 0;
    raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(near, TCSANOW, &raw) != 0 || fcntl(line_file, F_SETFL, O_NONBLOCK) != 0)
        return NULL;
    return path;
}

static uint32_t milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u);
}

static int wait_ms(uint32_t now)
{
    uint32_t due = 0;

    if (!world_due(&due))
        return POLL_MOST_MS;
    if (due <= now)
        return 0;
    return due - now < POLL_MOST_MS ? (int)(due - now) : POLL_MOST_MS;
}

static void read_pty(void)
{
    uint8_t bytes[512];
    ssize_t length = read(line_file, bytes, sizeof bytes);

    if (length > 0 && world.on)
        world_hear(bytes, (size_t)length);
}

/* Lines from standard input, which is not waited for in the middle of one. False: it has ended. */
static bool read_side(void)
{
    static char line[LINE_MOST];
    static size_t length;
    char byte;
    ssize_t got = read(STDIN_FILENO, &byte, 1);

    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    if (byte != '\n' && length + 1 < sizeof line) {
        line[length++] = byte;
        return true;
    }
    line[length] = 0;
    length = 0;
    if (!side_obey(line))
        (void)fprintf(stderr, "shuffler: not understood: %s\n", line);
    return true;
}

static int run_on_a_pty(void)
{
    const char *path = open_pty();
    uint32_t start = milliseconds();
    struct pollfd files[2] = {{-1, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};

    if (path == NULL) {
        (void)fprintf(stderr, "shuffler: no pty: %s\n", strerror(errno));
        return 1;
    }
    files[0].fd = line_file;
    (void)printf("port %s\n", path);
    world.send = send_to_pty;
    world_power_on(1);
    for (;;) {
        (void)fflush(stdout);
        (void)poll(files, 2, wait_ms(milliseconds() - start));
        world_run(milliseconds() - start);
        if (files[0].revents & POLLIN)
            read_pty();
        if ((files[1].revents & (POLLIN | POLLHUP)) && !read_side())
            return 0;
    }
}

int main(int count, char **arguments)
{
    bool clock;

    make_world();
    clock = read_options(count, arguments);
    if (world.machine.random == 0)
        world.machine.random = 1;
    world.machine.caps = world.facts.caps;
    world_read_memory_file();
    return clock ? run_by_the_side_channel() : run_on_a_pty();
}
