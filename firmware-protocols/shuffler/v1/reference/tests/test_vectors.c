/* Each frame of vectors.toml is read, and made anew to the same bytes; spoiled, it is dropped. */
#include <stdio.h>
#include <string.h>

#include "../bytes.h"
#include "bench.h"
#include "vectors.h"

static unsigned long number_after(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    unsigned long number = 0;

    CHECK(at != NULL);
    if (at != NULL)
        CHECK(sscanf(at + strlen(name), " = %lu", &number) == 1);
    return number;
}

static size_t receive(const uint8_t *bytes, size_t length, struct frame_receiver *receiver)
{
    size_t found = 0;
    size_t place;

    memset(receiver, 0, sizeof *receiver);
    for (place = 0; place < length; place++) {
        size_t payload = frame_receive(receiver, bytes[place]);

        found = payload > 0 ? payload : found;
    }
    return found;
}

static void spoiled(const uint8_t *bytes, size_t length)
{
    uint8_t copy[FRAME_MOST];
    struct frame_receiver receiver;
    size_t place;

    for (place = 1; place + 1 < length; place++) {
        memcpy(copy, bytes, length);
        copy[place] ^= 0x10;
        CHECK(receive(copy, length, &receiver) == 0);
        CHECK(receiver.dropped > 0);
    }
}

static void frame_is_kept(const char *head, const uint8_t *bytes, size_t length)
{
    struct frame_receiver receiver;
    uint8_t made[FRAME_MOST];
    size_t payload = receive(bytes, length, &receiver);
    struct reader session = {receiver.bytes + 4};

    CHECK(payload >= HEADER_SIZE);
    CHECK(receiver.bytes[0] == WIRE_VERSION);
    CHECK(receiver.bytes[1] == number_after(head, "type"));
    CHECK(receiver.bytes[2] == number_after(head, "flags"));
    CHECK(receiver.bytes[3] == number_after(head, "seq"));
    CHECK(take_u32(&session) == number_after(head, "session"));
    CHECK(frame_encode(receiver.bytes, payload, made) == length);
    CHECK(memcmp(made, bytes, length) == 0);
    spoiled(bytes, length);
}

static const char *heard(const struct frame_receiver *receiver)
{
    static char name[16];
    const uint8_t *code = receiver->bytes + HEADER_SIZE;

    if (*code == CODE_BAD_FRAME)
        return "BAD_FRAME";
    if (*code == CODE_BAD_VERSION)
        return "BAD_VERSION";
    (void)snprintf(name, sizeof name, "%02X", receiver->bytes[1] & 0x7Fu);
    return name;
}

/* The device makes of an edge what it `gives`: so many dropped, and these answers in their order. */
static void edge_is_kept(const char *gives, const uint8_t *bytes, size_t length)
{
    struct frame_receiver receiver = {{0}, 0, false, 0};
    const char *at = strchr(gives, '[');
    unsigned dropped = 0;
    size_t place;

    fresh(ALL_CAPS);
    for (place = 0; place < length; place++)
        device_receive(&device, bytes[place]);
    for (place = 0; place < board.line_length; place++) {
        char wanted[16] = "";

        if (frame_receive(&receiver, board.line[place]) == 0)
            continue;
        while ((at = strchr(at, '"')) != NULL && strncmp(at, "\"DROPPED", 8) == 0) {
            dropped++;
            at += 9;
        }
        CHECK(at != NULL && sscanf(at, "\"%15[^\"]", wanted) == 1);
        CHECK(strcmp(wanted, heard(&receiver)) == 0);
        at = at == NULL ? gives : strchr(at + 1, '"') + 1;
    }
    while ((at = strchr(at, '"')) != NULL) {
        CHECK(strncmp(at, "\"DROPPED", 8) == 0);
        dropped++;
        at += 9;
    }
    CHECK(device.receiver.dropped == dropped);
}

int main(int count, char **arguments)
{
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    char line[4096];
    char head[256] = "";
    uint8_t bytes[VECTOR_MOST];
    size_t length = 0;
    unsigned frames = 0;
    unsigned edges = 0;

    if (file == NULL) {
        printf("usage: test_vectors vectors.toml\n");
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "[[edge]]", 8) == 0) {
            head[0] = 0;
        } else if (strncmp(line, "head = ", 7) == 0) {
            (void)snprintf(head, sizeof head, "%.250s", line);
        } else if (strncmp(line, "bytes = ", 8) == 0) {
            length = vector_bytes(line, bytes);
            if (head[0] != 0) {
                frame_is_kept(head, bytes, length);
                frames++;
            }
        } else if (strncmp(line, "gives = ", 8) == 0) {
            edge_is_kept(line, bytes, length);
            edges++;
        }
    }
    (void)fclose(file);
    CHECK(frames >= 25 && edges >= 15);
    return checked();
}
