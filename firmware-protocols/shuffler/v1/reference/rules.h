/* The rules of PROTOCOL.md section 4, between the device's own files. */
#ifndef SHUFFLER_RULES_H
#define SHUFFLER_RULES_H

#include "device.h"

/* Is a tick reached? (Ticks compare modulo 2^32.) */
bool tick_reached(uint32_t now, uint32_t tick);

/* Milliseconds until then; 0 when it is reached. */
uint32_t tick_left(uint32_t now, uint32_t tick);

bool device_can(const struct device *device, enum cap cap);
bool device_moving(const struct device *device);
uint16_t device_locks(const struct device *device);

/* Write the record. False: it could not be written, and the device has locked itself for that. */
bool device_write(struct device *device);

/* Restrict: no permit given so far is good any more. `kept` outlives power, `soft` does not; both may be 0. */
void device_restrict(struct device *device, uint16_t kept, uint16_t soft);

/* Restrict for an error of its own. */
void device_fail(struct device *device, uint8_t error, uint16_t kept);

/* What is inside the machine is no longer known. */
void content_unknown(struct record *record);

/* Events. */
void event_tell(struct device *device, enum event_kind kind, uint32_t arg);
void event_acknowledge(struct device *device, uint32_t number);
void event_send(struct device *device);

/* Sensors. */
bool slot_agrees(const struct device *device, uint32_t exit_id);
bool slot_occupied(const struct device *device);
bool gate_is_locked(const struct device *device);
void sense(struct device *device);

/* Motions: command_take() has checked that it may begin. */
void motion_begin(struct device *device, uint8_t scope, uint32_t open_ms);
void motion_restrict(struct device *device, uint16_t locks);
void motion_poll(struct device *device);
uint32_t motion_sleep_ms(const struct device *device);

/* Steps of every motion. What rests is not yet written; what has finished is. */
void motion_enter(struct device *device, enum phase phase);
void motion_rest(struct device *device, enum command_state state, enum code result);
void motion_finish(struct device *device, enum command_state state, enum code result);
void motion_uncertain(struct device *device, enum code result); /* nobody knows where the card is */
void motion_told(struct device *device);

/* The one motion that is the gate's. */
void release_begin(struct device *device, uint32_t open_ms);
void release_restrict(struct device *device);
void release_poll(struct device *device);
uint32_t release_sleep_ms(const struct device *device);

/* A request's body after its header, complete but for its length. */
struct request {
    uint8_t version;
    uint8_t type;
    uint8_t seq;
    uint32_t session;
    const uint8_t *body;
    size_t length;
};

/* Is the body long enough, and every value one that means something? */
bool request_is_sound(const struct device *device, const struct request *request);
enum code request_obey(struct device *device, const struct request *request);
enum code command_take(struct device *device, const struct request *request);
void answer_status(struct device *device, const struct request *request, enum code code);
void answer_ident(struct device *device, const struct request *request, bool met);
void send_event(struct device *device, const struct event *event);

#endif
