#include <string.h>

#include "rules.h"

static void drop_oldest(struct device *device)
{
    device->events_waiting--;
    memmove(device->events, device->events + 1, device->events_waiting * sizeof device->events[0]);
    device->event_sent = false;
}

void event_tell(struct device *device, enum event_kind kind, uint32_t arg)
{
    struct event *event;

    if (device->events_waiting == EVENTS_KEPT)
        drop_oldest(device);
    event = &device->events[device->events_waiting++];
    event->number = ++device->event_number;
    event->tick = device->now;
    event->cmd_id = device->record.cmd_id;
    event->arg = arg;
    event->kind = (uint8_t)kind;
}

void event_acknowledge(struct device *device, uint32_t number)
{
    while (device->events_waiting > 0 && device->events[0].number <= number)
        drop_oldest(device);
}

void event_send(struct device *device)
{
    if (!device->greeted || device->events_waiting == 0)
        return;
    if (device->event_sent && !tick_reached(device->now, device->event_tick + EVENT_REPEAT_MS))
        return;
    send_event(device, &device->events[0]);
    device->event_sent = true;
    device->event_tick = device->now;
}
