#include "frame.h"

#include "bytes.h"

/* Bit by bit: a frame has 100 bytes, and a table would cost a kilobyte. */
uint32_t frame_crc(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    size_t place;

    for (place = 0; place < length; place++) {
        unsigned bit;

        crc ^= bytes[place];
        for (bit = 0; bit < 8; bit++)
            crc = (crc & 1u) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

/* The code byte before each run says how far its zero is; a run of 254 bytes has none. Payload and crc are 204 bytes at
 * most, so one run never grows that long. */
size_t frame_encode(const uint8_t *payload, size_t length, uint8_t *frame)
{
    uint8_t crc[CRC_SIZE];
    struct writer to = {crc};
    uint8_t *code = frame + 1;
    uint8_t *at = frame + 2;
    size_t place;

    put_u32(&to, frame_crc(payload, length));
    frame[0] = 0;
    for (place = 0; place < length + CRC_SIZE; place++) {
        uint8_t byte = place < length ? payload[place] : crc[place - length];

        if (byte == 0) {
            *code = (uint8_t)(at - code);
            code = at++;
        } else {
            *at++ = byte;
        }
    }
    *code = (uint8_t)(at - code);
    *at++ = 0;
    return (size_t)(at - frame);
}

/* Decode in place; 0 when it is not COBS. */
static size_t decode(uint8_t *bytes, size_t length)
{
    size_t from = 0;
    size_t to = 0;

    while (from < length) {
        size_t end = from + bytes[from];
        bool full = bytes[from] == 0xFF;

        if (end > length)
            return 0;
        for (from++; from < end; from++)
            bytes[to++] = bytes[from];
        if (from < length && !full)
            bytes[to++] = 0;
    }
    return to;
}

static size_t checked(uint8_t *bytes, size_t length)
{
    struct reader from;

    if (length < HEADER_SIZE + CRC_SIZE || length > PAYLOAD_MOST + CRC_SIZE)
        return 0;
    from.at = bytes + (length - CRC_SIZE);
    return take_u32(&from) == frame_crc(bytes, length - CRC_SIZE) ? length - CRC_SIZE : 0;
}

size_t frame_receive(struct frame_receiver *receiver, uint8_t byte)
{
    size_t length = receiver->length;
    bool too_long = receiver->too_long;

    if (byte != 0) {
        if (length == ENCODED_MOST)
            receiver->too_long = true;
        else
            receiver->bytes[receiver->length++] = byte;
        return 0;
    }
    receiver->length = 0;
    receiver->too_long = false;
    if (length == 0)
        return 0;
    length = too_long ? 0 : checked(receiver->bytes, decode(receiver->bytes, length));
    if (length == 0)
        receiver->dropped++;
    return length;
}
