/* Little-endian numbers in a row of bytes. */
#ifndef SHUFFLER_BYTES_H
#define SHUFFLER_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct writer {
    uint8_t *at;
};

struct reader {
    const uint8_t *at;
};

void put_u8(struct writer *to, unsigned value);
void put_u16(struct writer *to, unsigned value);
void put_u32(struct writer *to, uint32_t value);
void put_u64(struct writer *to, uint64_t value);

uint8_t take_u8(struct reader *from);
uint16_t take_u16(struct reader *from);
uint32_t take_u32(struct reader *from);

#endif
