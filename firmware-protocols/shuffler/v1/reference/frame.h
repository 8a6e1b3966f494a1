/* Frames: 00 COBS(payload, crc) 00. PROTOCOL.md section 1. */
#ifndef SHUFFLER_FRAME_H
#define SHUFFLER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum {
    ENCODED_MOST = PAYLOAD_MOST + CRC_SIZE + 1, /* one code byte for each 254 */
    FRAME_MOST = ENCODED_MOST + 2
};

/* Bytes of the frame that is coming in. Zeroed: ready. */
struct frame_receiver {
    uint8_t bytes[ENCODED_MOST];
    size_t length;
    bool too_long;
    uint32_t dropped;
};

/* CRC-32/ISO-HDLC, as of zlib. */
uint32_t frame_crc(const uint8_t *bytes, size_t length);

/* Write the frame of a payload (1 to PAYLOAD_MOST bytes) to `frame` (FRAME_MOST bytes); returns its length. */
size_t frame_encode(const uint8_t *payload, size_t length, uint8_t *frame);

/* Take one byte. Returns the length of the payload that it completes, which then lies in receiver->bytes until the next
 * call; else 0. What is no frame is dropped and counted. */
size_t frame_receive(struct frame_receiver *receiver, uint8_t byte);

#endif
