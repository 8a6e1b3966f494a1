/* Bytes out of vectors.toml. */
#ifndef SHUFFLER_TESTS_VECTORS_H
#define SHUFFLER_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum { VECTOR_MOST = 1200 };

/* The bytes of a line `bytes = "00 03 ..."`; returns how many. */
size_t vector_bytes(const char *line, uint8_t *bytes);

/* The bytes of the frame that stands in the file at `number`, from 0; returns how many, 0: there is none. */
size_t vector_frame(const char *path, unsigned number, uint8_t *bytes);

#endif
