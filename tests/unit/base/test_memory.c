/* test_memory.c: blocks of the library: sizes that overflow, and where there is no memory. */
#include "check.h"

#include "base/memory.h"
#include "failing_allocator.h"

#include <stdint.h>

/* The largest product that fits, and the smallest that does not, by division. */
TEST(products_that_overflow_are_refused) {
    const size_t factors[] = {1, 2, 3, 7, 255, 65537, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        const size_t item = factors[i], most = SIZE_MAX / item;
        size_t bytes = 0;
        check(trui_mem_product(most, item, &bytes) && bytes == most * item);
        if (most < SIZE_MAX) check(!trui_mem_product(most + 1, item, &bytes));
    }
    size_t none = 1;
    check(trui_mem_product(0, SIZE_MAX, &none) && none == 0);
}

TEST(arrays_are_zeroed_and_copies_equal) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    const tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    const double values[3] = {1.0, -2.0, 3.5};
    double *zeroed = MEM_ARRAY(&m, double, 1000), *copy = trui_mem_copy(&m, values, sizeof values);
    char *text = trui_mem_copy_text(&m, "midpoint");
    bool clean = true;
    for (int i = 0; i < 1000; i++) clean = clean && zeroed[i] == 0.0;
    check(clean && memcmp(copy, values, sizeof values) == 0);
    check_str(text, "midpoint");
    check(!MEM_ARRAY(&m, double, SIZE_MAX / 4) && f.live_blocks == 3);
    trui_mem_release(&m, zeroed, 1000 * sizeof(double));
    trui_mem_release(&m, copy, sizeof values);
    trui_mem_release_text(&m, text);
    trui_mem_release(&m, NULL, 0);
    trui_mem_release_text(&m, NULL);
    check(f.live_bytes == 0 && f.live_blocks == 0 && f.wrong_sizes == 0);
}

/* A block that cannot grow stays, with what is in it. */
TEST(a_failed_resize_keeps_the_block) {
    failing_allocator f = failing_begin(1);
    const tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    int32_t *block = MEM_NEW(&m, int32_t);
    *block = 42;
    check(!trui_mem_resize(&m, block, sizeof *block, 100 * sizeof *block));
    check(f.failed && *block == 42 && f.live_blocks == 1);
    trui_mem_release(&m, block, sizeof *block);
    check(f.live_bytes == 0 && f.wrong_sizes == 0);
}
