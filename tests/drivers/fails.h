// Selects the calls that fail.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The error with which a call of a function fails, or 0. An environment variable lists failing
// calls as CALL:NUMBER:ERROR.
static int failure(const char *variable, const char *call, unsigned long number) {
    const char *fails = getenv(variable);
    char named[80];
    snprintf(named, sizeof named, "%s:%lu:", call, number);
    const char *found = fails ? strstr(fails, named) : NULL;
    return found ? atoi(found + strlen(named)) : 0;
}

// The error of the call that is made at this place in the source, counted over all threads.
#define FAILURE(variable, call) \
    ({ \
        static unsigned long calls; \
        failure(variable, call, __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED)); \
    })
