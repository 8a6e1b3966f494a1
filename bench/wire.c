/* wire_to_wire: a measuring device and the plainest possible host, each on a pty.
 *
 *   wire host FD                      answers every whole FEIG frame with a fixed HOLD frame, by epoll
 *   wire measure N SEED PAUSE FD...   sends one inventory reply at a time to each host in turn, in random
 *                                     order, PAUSE us apart, waits for a HOLD frame and times it; prints,
 *                                     for each FD, p50 p99 p99.9 max in nanoseconds
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

/* FEIG inventory reply: one ISO15693 tag, E0040150A05F02B7 (recorded, see firmware-protocols/readers/frames.json). */
static const unsigned char FRAME[] = {0x11, 0x00, 0xb0, 0x00, 0x01, 0x03, 0x00, 0xe0, 0x04,
                                      0x01, 0x50, 0xa0, 0x5f, 0x02, 0xb7, 0xd7, 0xbe};
/* HOLD, key 1 (firmware-protocols/shuffler/v1/PROTOCOL.md, section 10). */
static const unsigned char HOLD[] = {0x00, 0x03, 0x01, 0x05, 0x03, 0x06, 0x1d, 0x01, 0x01, 0x02, 0x01,
                                     0x01, 0x01, 0x07, 0x03, 0x02, 0xf3, 0x0a, 0x01, 0x65, 0x00};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void write_all(int fd, const unsigned char *data, size_t size) {
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR && errno != EAGAIN) die("write");
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
}

static uint16_t check(const unsigned char *data, size_t size) {
    uint16_t crc = 0xffff;
    while (size--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc >> 1 ^ (crc & 1 ? 0x8408 : 0));
    }
    return crc;
}

static int host(int fd) {
    unsigned char buffer[512];
    size_t have = 0;
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) die("epoll");
    for (;;) {
        if (epoll_wait(epoll, &event, 1, -1) < 1) continue;
        ssize_t n = read(fd, buffer + have, sizeof buffer - have);
        if (n <= 0) return 0;
        have += (size_t)n;
        while (have && have >= buffer[0] && buffer[0] >= 5) {
            size_t length = buffer[0];
            if (check(buffer, length - 2) == (buffer[length - 2] | buffer[length - 1] << 8))
                write_all(fd, HOLD, sizeof HOLD);
            memmove(buffer, buffer + length, have - length);
            have -= length;
        }
    }
}

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Is this one whole HOLD (type 05, PROTOCOL.md sections 1 and 4): framing, COBS and CRC-32? */
static int is_hold(const unsigned char *frame, size_t size) {
    unsigned char content[256];
    size_t at = 1, length = 0;
    if (size < 4 || frame[0] || frame[size - 1]) return 0;
    while (at < size - 1) {
        size_t run = frame[at++];
        if (!run || at + run - 1 > size - 1) return 0;
        memcpy(content + length, frame + at, run - 1);
        length += run - 1;
        at += run - 1;
        if (run < 0xff && at < size - 1) content[length++] = 0;
    }
    if (length != 8 + 6 + 4 || content[1] != 0x05) return 0;
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length - 4; i++) {
        crc ^= content[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    crc = ~crc;
    for (int i = 0; i < 4; i++)
        if (content[length - 4 + (size_t)i] != (crc >> 8 * i & 0xff)) return 0;
    return 1;
}

/* Returns when a whole frame has come, in nanoseconds; ends the program when it is no HOLD or none comes. */
static uint64_t await_hold(int fd) {
    unsigned char buffer[256];
    size_t have = 0;
    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, 5000) != 1) {
            fprintf(stderr, "wire: host on fd %d did not answer in 5 s\n", fd);
            exit(1);
        }
        ssize_t n = read(fd, buffer + have, sizeof buffer - have);
        if (n <= 0) die("read");
        have += (size_t)n;
        if (have > 1 && buffer[have - 1] == 0) {
            uint64_t came = now_ns();
            if (is_hold(buffer, have)) return came;
            fprintf(stderr, "wire: host on fd %d answered %zu bytes that are no HOLD\n", fd, have);
            exit(1);
        }
        if (have == sizeof buffer) die("frame");
    }
}

static int measure(int count, unsigned seed, unsigned pause_us, int hosts, char **fds) {
    int fd[16], order[16];
    uint64_t *took[16];
    if (hosts > 16) die("hosts");
    for (int i = 0; i < hosts; i++) {
        fd[i] = atoi(fds[i]);
        order[i] = i;
        took[i] = calloc((size_t)count, sizeof(uint64_t));
    }
    srand(seed);
    for (int n = -count / 20; n < count; n++) {
        for (int i = hosts - 1; i > 0; i--) {
            int j = rand() % (i + 1), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        for (int i = 0; i < hosts; i++) {
            if (pause_us) usleep(pause_us);
            uint64_t begun = now_ns();
            write_all(fd[order[i]], FRAME, sizeof FRAME);
            uint64_t came = await_hold(fd[order[i]]);
            if (n >= 0) took[order[i]][n] = came - begun;
        }
    }
    for (int i = 0; i < hosts; i++) {
        uint64_t *t = took[i];
        qsort(t, (size_t)count, sizeof *t, by_size);
        printf("%llu %llu %llu %llu\n", (unsigned long long)t[count / 2], (unsigned long long)t[(long)count * 99 / 100],
               (unsigned long long)t[(long)count * 999 / 1000], (unsigned long long)t[count - 1]);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "host")) return host(atoi(argv[2]));
    if (argc > 5 && !strcmp(argv[1], "measure"))
        return measure(atoi(argv[2]), (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]), argc - 5, argv + 5);
    fprintf(stderr, "usage: wire host FD | wire measure N SEED PAUSE FD...\n");
    return 2;
}
