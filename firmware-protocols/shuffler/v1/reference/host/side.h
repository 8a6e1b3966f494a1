/* The side channel: a line of text in is something that happens to the machine, lines out are what it did.
 *
 *   bytes HEX                           from the line (only where the line is the side channel)
 *   cards MACHINE BEHIND OUTLET INFEED  people have moved cards: so many lie there now
 *   door 0|1, key 0|1, error CODE, power 0, power CAUSE (1 to 5), cut STEP, wipe
 *   feed FAULT, push FAULT, stick N, miscount N, force SENSORS VALUES (decimal; 0 0: the truth again)
 *   random NUMBER                       what chance says next
 *   status                              -> status HEX DROPPED, without power as its memory has it
 *
 *   bytes HEX | move FROM TO CARDS | shuffled | power 0|1
 */
#ifndef SHUFFLER_HOST_SIDE_H
#define SHUFFLER_HOST_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Do what a line says; false: it says nothing that is known. */
bool side_obey(const char *line);

/* For the machine: tell what it did. */
bool side_bytes(const uint8_t *bytes, size_t length);
void side_connect(void);

#endif
