/* array.h: a growable array of any type, kept in order.
 *
 *     typedef ARRAY(body) body_array;                 {body *items; size_t count, capacity;}, zero is empty
 *     body *b = array_push(m, &bodies);               a zeroed item at the end; NULL: no memory, nothing changed
 *     for (size_t i = 0; i < bodies.count; i++) use(&bodies.items[i]);
 *     array_remove(&bodies, 3);                       the items behind move up
 *     array_release(m, &bodies);
 *
 * These are macros, so that items keep their type; they evaluate their arguments more than once. */
#ifndef TRUNDLE_BASE_ARRAY_H
#define TRUNDLE_BASE_ARRAY_H

#include "base/memory.h"

#include <string.h>

#define ARRAY(T)                                                                                                       \
    struct {                                                                                                           \
        T *items;                                                                                                      \
        size_t count, capacity;                                                                                        \
    }

/* Room for n items in all; true if there is. Allocates only if the capacity does not suffice, then half as
 * much again, of many items a sixteenth. */
#define array_reserve(m, a, n)                                                                                         \
    ((a)->items = trui_array_grown((m), (a)->items, &(a)->capacity, sizeof *(a)->items, (n)), (a)->capacity >= (n))

/* A zeroed item at the end, or NULL. */
#define array_push(m, a) array_insert(m, a, (a)->count)

/* A zeroed item at place k <= count; those from k on move down. NULL: no memory. */
#define array_insert(m, a, k)                                                                                          \
    (array_reserve((m), (a), (a)->count + 1)                                                                           \
         ? &(a)->items[trui_array_open((a)->items, &(a)->count, sizeof *(a)->items, (k))]                              \
         : NULL)

/* Make it n items long; new ones are zeroed. False: no memory, nothing changed. */
#define array_resize(m, a, n)                                                                                          \
    (array_reserve((m), (a), (n)) &&                                                                                   \
     (trui_array_zero((a)->items, (a)->count, sizeof *(a)->items, (n)), (a)->count = (n), true))

/* Take item k out, keep the order of the others. */
#define array_remove(a, k) trui_array_close((a)->items, &(a)->count, sizeof *(a)->items, (k))

/* Forget the items, keep the room. */
#define array_clear(a) ((void)((a)->count = 0))

/* Give the room back; the array is empty again. */
#define array_release(m, a)                                                                                            \
    (trui_mem_release((m), (a)->items, (a)->capacity * sizeof *(a)->items), (a)->items = NULL,                         \
     (void)((a)->count = (a)->capacity = 0))

/* Where many items would have room and a third of it is empty, give it back but for an eighth; items may move. */
#define array_trim(m, a)                                                                                               \
    ((void)((a)->items = trui_array_trimmed((m), (a)->items, &(a)->capacity, sizeof *(a)->items, (a)->count)))

/* What the macros call. */
void *trui_array_grown(memory *m, void *items, size_t *capacity, size_t item, size_t need);
void *trui_array_trimmed(memory *m, void *items, size_t *capacity, size_t item, size_t count);
size_t trui_array_open(void *items, size_t *count, size_t item, size_t k);
void trui_array_close(void *items, size_t *count, size_t item, size_t k);
void trui_array_zero(void *items, size_t count, size_t item, size_t new_count);

#endif
