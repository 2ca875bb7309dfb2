/* array.h: a growable array of any type. Items keep their order and stay adjacent.
 *
 *     typedef ARRAY(body) body_array;                 {body *items; size_t count, capacity;}, zero is empty
 *     body *b = array_push(m, &bodies);               a zeroed item at the end; NULL: no memory, array unchanged
 *     for (size_t i = 0; i < bodies.count; i++) use(&bodies.items[i]);
 *     array_remove(&bodies, 3);                       the items behind it move forward
 *     array_release(m, &bodies);
 *
 * Macros keep the type of the items. They evaluate their arguments more than once. */
#ifndef TRUNDLE_BASE_ARRAY_H
#define TRUNDLE_BASE_ARRAY_H

#include "base/memory.h"

#include <string.h>

#define ARRAY(T)                                                                                                       \
    struct {                                                                                                           \
        T *items;                                                                                                      \
        size_t count, capacity;                                                                                        \
    }

/* Reserves memory for n items in all. False if there is no memory. If the capacity is too small it grows by at least half, or by a
 * sixteenth if there are many items. */
#define array_reserve(m, a, n)                                                                                         \
    ((a)->items = trui_array_grown((m), (a)->items, &(a)->capacity, sizeof *(a)->items, (n)), (a)->capacity >= (n))

/* Appends a zeroed item and returns its address; NULL if there is no memory. */
#define array_push(m, a) array_insert(m, a, (a)->count)

/* Inserts a zeroed item at place k <= count and returns its address; items from k on move back. NULL if there is no memory. */
#define array_insert(m, a, k)                                                                                          \
    (array_reserve((m), (a), (a)->count + 1)                                                                           \
         ? &(a)->items[trui_array_open((a)->items, &(a)->count, sizeof *(a)->items, (k))]                              \
         : NULL)

/* Sets the number of items to n; new ones are zeroed. False if there is no memory, and then the array is unchanged. */
#define array_resize(m, a, n)                                                                                          \
    (array_reserve((m), (a), (n)) &&                                                                                   \
     (trui_array_zero((a)->items, (a)->count, sizeof *(a)->items, (n)), (a)->count = (n), true))

/* Removes item k; the items behind it move forward. */
#define array_remove(a, k) trui_array_close((a)->items, &(a)->count, sizeof *(a)->items, (k))

/* Removes all items, keeps the memory. */
#define array_clear(a) ((void)((a)->count = 0))

/* Returns the memory to the allocator; the array is empty. */
#define array_release(m, a)                                                                                            \
    (trui_mem_release((m), (a)->items, (a)->capacity * sizeof *(a)->items), (a)->items = NULL,                         \
     (void)((a)->count = (a)->capacity = 0))

/* Returns unused memory of a large array to the allocator if a third of it is empty, but for an eighth. Items may move. */
#define array_trim(m, a)                                                                                               \
    ((void)((a)->items = trui_array_trimmed((m), (a)->items, &(a)->capacity, sizeof *(a)->items, (a)->count)))

/* Functions that the macros call; `item` is the size of an item in bytes.
 * Returns the items in a block for at least `need` of them; on failure the old block with the old capacity. */
void *trui_array_grown(memory *m, void *items, size_t *capacity, size_t item, size_t need);
/* Returns the items in a smaller block if array_trim applies, otherwise in the old one. */
void *trui_array_trimmed(memory *m, void *items, size_t *capacity, size_t item, size_t count);
/* Moves items from k on back by one, zeroes item k and returns k. */
size_t trui_array_open(void *items, size_t *count, size_t item, size_t k);
/* Removes item k. */
void trui_array_close(void *items, size_t *count, size_t item, size_t k);
/* Zeroes the items from `count` to `new_count` - 1. */
void trui_array_zero(void *items, size_t count, size_t item, size_t new_count);

#endif
