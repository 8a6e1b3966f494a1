#include "vectors.h"

#include <stdio.h>
#include <string.h>

size_t vector_bytes(const char *line, uint8_t *bytes)
{
    const char *at = strchr(line, '"') + 1;
    size_t length = 0;
    unsigned byte;
    int used;

    while (length < VECTOR_MOST && sscanf(at, " %2x%n", &byte, &used) == 1) {
        bytes[length++] = (uint8_t)byte;
        at += used;
    }
    return length;
}

size_t vector_frame(const char *path, unsigned number, uint8_t *bytes)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    size_t length = 0;

    if (file == NULL)
        return 0;
    while (length == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "bytes = ", 8) == 0 && number-- == 0)
            length = vector_bytes(line, bytes);
    (void)fclose(file);
    return length;
}
