#include "bytes.h"

void put_u8(struct writer *to, unsigned value)
{
    *to->at++ = (uint8_t)(value & 0xFFu);
}

void put_u16(struct writer *to, unsigned value)
{
    put_u8(to, value);
    put_u8(to, value >> 8);
}

void put_u32(struct writer *to, uint32_t value)
{
    put_u16(to, (unsigned)(value & 0xFFFFu));
    put_u16(to, (unsigned)(value >> 16));
}

void put_u64(struct writer *to, uint64_t value)
{
    put_u32(to, (uint32_t)(value & 0xFFFFFFFFu));
    put_u32(to, (uint32_t)(value >> 32));
}

uint8_t take_u8(struct reader *from)
{
    return *from->at++;
}

uint16_t take_u16(struct reader *from)
{
    unsigned low = take_u8(from);

    return (uint16_t)(low | (unsigned)take_u8(from) << 8);
}

uint32_t take_u32(struct reader *from)
{
    uint32_t low = take_u16(from);

    return low | (uint32_t)take_u16(from) << 16;
}
