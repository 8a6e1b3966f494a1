#include "record.h"

#include <string.h>

#include "board.h"
#include "bytes.h"
#include "frame.h"

static const uint8_t MAGIC[4] = {'S', 'H', 'W', '1'};

static void encode(const struct record *record, uint8_t *bytes)
{
    struct writer to = {bytes + sizeof MAGIC};

    memcpy(bytes, MAGIC, sizeof MAGIC);
    put_u32(&to, record->generation);
    put_u32(&to, record->epoch);
    put_u32(&to, record->fence);
    put_u32(&to, record->session);
    put_u32(&to, record->seen_session);
    put_u32(&to, record->seen_key);
    put_u32(&to, record->cmd_id);
    put_u8(&to, record->cmd_kind);
    put_u8(&to, record->cmd_state);
    put_u8(&to, record->cmd_result);
    put_u8(&to, record->pulses);
    put_u32(&to, record->cmd_arg);
    put_u16(&to, record->locks);
    put_u8(&to, record->machine);
    put_u8(&to, record->order);
    put_u32(&to, record->exit_id);
    put_u32(&to, record->out_total);
    put_u32(&to, record->taken_id);
    put_u32(&to, record->deal_id);
    put_u32(&to, record->token_id);
    put_u32(&to, record->hold_no);
    put_u32(&to, record->hold_session);
    put_u32(&to, record->hold_key);
    put_u16(&to, record->hold_reason);
    put_u8(&to, record->error);
    put_u8(&to, 0);
    put_u32(&to, record->boots);
    put_u32(&to, record->dispensed);
    put_u32(&to, record->no_feeds);
    put_u32(&to, record->double_feeds);
    put_u32(&to, record->retracted);
    put_u32(&to, frame_crc(bytes, RECORD_SIZE - CRC_SIZE));
}

static void decode(const uint8_t *bytes, struct record *record)
{
    struct reader from = {bytes + sizeof MAGIC};

    record->generation = take_u32(&from);
    record->epoch = take_u32(&from);
    record->fence = take_u32(&from);
    record->session = take_u32(&from);
    record->seen_session = take_u32(&from);
    record->seen_key = take_u32(&from);
    record->cmd_id = take_u32(&from);
    record->cmd_kind = take_u8(&from);
    record->cmd_state = take_u8(&from);
    record->cmd_result = take_u8(&from);
    record->pulses = take_u8(&from);
    record->cmd_arg = take_u32(&from);
    record->locks = take_u16(&from);
    record->machine = take_u8(&from);
    record->order = take_u8(&from);
    record->exit_id = take_u32(&from);
    record->out_total = take_u32(&from);
    record->taken_id = take_u32(&from);
    record->deal_id = take_u32(&from);
    record->token_id = take_u32(&from);
    record->hold_no = take_u32(&from);
    record->hold_session = take_u32(&from);
    record->hold_key = take_u32(&from);
    record->hold_reason = take_u16(&from);
    record->error = take_u8(&from);
    (void)take_u8(&from);
    record->boots = take_u32(&from);
    record->dispensed = take_u32(&from);
    record->no_feeds = take_u32(&from);
    record->double_feeds = take_u32(&from);
    record->retracted = take_u32(&from);
}

static bool load_slot(unsigned slot, struct record *record)
{
    uint8_t bytes[RECORD_SIZE];
    struct reader from = {bytes + RECORD_SIZE - CRC_SIZE};

    if (!board_memory_read(slot, bytes, sizeof bytes) || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return false;
    if (take_u32(&from) != frame_crc(bytes, RECORD_SIZE - CRC_SIZE))
        return false;
    decode(bytes, record);
    return true;
}

static void format(struct record *record)
{
    memset(record, 0, sizeof *record);
    do
        record->epoch = board_random();
    while (record->epoch == 0);
    record->fence = 1;
    record->order = 1;
    record->locks = LOCK_WIPED | LOCK_CONTENT;
    record->machine = MACHINE_UNKNOWN;
}

enum memory_state record_load(struct record *record)
{
    struct record other;
    bool first = load_slot(0, record);
    bool second = load_slot(1, &other);

    if (!first && !second) {
        format(record);
        return MEMORY_FORMATTED;
    }
    if (!first || (second && other.generation > record->generation))
        *record = other;
    return first && second ? MEMORY_CLEAN : MEMORY_ONE_BAD;
}

bool record_store(struct record *record)
{
    uint8_t bytes[RECORD_SIZE];
    uint8_t back[RECORD_SIZE];
    unsigned slot;

    record->generation++;
    slot = record->generation % RECORD_SLOTS;
    encode(record, bytes);
    if (board_memory_write(slot, bytes, sizeof bytes) && board_memory_read(slot, back, sizeof back) &&
        memcmp(bytes, back, sizeof bytes) == 0)
        return true;
    record->generation--;
    return false;
}
