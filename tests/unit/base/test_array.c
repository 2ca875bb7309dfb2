/* test_array.c: blocks and growable arrays: order, growth, and every allocation failed in turn. */
#include "check.h"
#include "failing_allocator.h"

#include "base/array.h"

typedef ARRAY(int32_t) int_array;

TEST(a_block_keeps_its_bytes_and_zero_bytes_are_no_failure) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    char *block = trui_mem_resize(&m, NULL, 0, 3);
    memcpy(block, "ab", 3);
    block = trui_mem_resize(&m, block, 3, 100);
    check_str(block, "ab");
    trui_mem_release(&m, block, 100);
    void *none = trui_mem_resize(&m, NULL, 0, 0);
    check(none != NULL);
    none = trui_mem_resize(&m, none, 0, 0);
    check(none != NULL);
    trui_mem_release(&m, none, 0);
    double *zeros = MEM_ARRAY(&m, double, 5);
    check(zeros[0] == 0.0 && zeros[4] == 0.0);
    trui_mem_release(&m, zeros, 5 * sizeof(double));
    char *text = trui_mem_copy_text(&m, "rim");
    check_str(text, "rim");
    trui_mem_release_text(&m, text);
    check(f.live_blocks == 0 && f.live_bytes == 0 && f.wrong_sizes == 0);
}

TEST(products_that_overflow_are_refused) {
    memory m = trui_memory_default();
    size_t bytes;
    check(!trui_mem_product(SIZE_MAX / 8 + 1, 8, &bytes));
    check(trui_mem_product(SIZE_MAX / 8, 8, &bytes) && bytes == SIZE_MAX / 8 * 8);
    check(trui_mem_product(5, 0, &bytes) && bytes == 0);
    check(trui_mem_array(&m, SIZE_MAX / 8 + 1, 16) == NULL);
    int_array a = {0};
    check(!array_reserve(&m, &a, SIZE_MAX / 2));
    check(a.items == NULL && a.capacity == 0);
}

TEST(arrays_keep_order) {
    memory m = trui_memory_default();
    int_array a = {0};
    for (int i = 0; i < 100; i++) *array_push(&m, &a) = i;
    array_remove(&a, 0);
    array_remove(&a, 49); /* the item 50 */
    array_remove(&a, a.count - 1);
    *array_insert(&m, &a, 0) = -1;
    *array_insert(&m, &a, a.count) = 200;
    check(a.count == 99);
    for (size_t i = 0, value = 1; i < 97; i++, value++) {
        if (value == 50) value++;
        if (!check(a.items[i + 1] == (int32_t)value)) break;
    }
    check(a.items[0] == -1 && a.items[98] == 200);
    check(array_resize(&m, &a, 120) && a.items[98] == 200 && a.items[99] == 0 && a.items[119] == 0);
    check(array_resize(&m, &a, 2) && a.count == 2 && a.items[1] == 1);
    array_clear(&a);
    check(*array_push(&m, &a) == 0); /* items come zeroed even where others were */
    array_release(&m, &a);
    check(a.items == NULL && a.count == 0 && a.capacity == 0);
}

TEST(growth_is_geometric_and_reserve_suffices) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator allocator = failing_allocator_of(&f);
    memory m = trui_memory_of(&allocator);
    int_array a = {0};
    for (int i = 0; i < 100000; i++) *array_push(&m, &a) = i;
    check(f.calls < 75); /* log(4096 / 8) / log(1.5) + log(1e5 / 4096) / log(17 / 16) = 15.4 + 52.7 */
    check(16 * a.capacity <= 17 * a.count); /* of many items hardly any room is unused */
    array_release(&m, &a);
    check(array_reserve(&m, &a, 1000));
    long calls = f.calls;
    for (int i = 0; i < 1000; i++) *array_push(&m, &a) = i;
    check(f.calls == calls);
    array_release(&m, &a);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(room_of_many_is_given_back) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator allocator = failing_allocator_of(&f);
    memory m = trui_memory_of(&allocator);
    int_array a = {0};
    array_resize(&m, &a, 9000);
    for (int i = 0; i < 9000; i++) a.items[i] = i;
    a.count = 6001; /* more than two thirds */
    array_trim(&m, &a);
    check(a.capacity == 9000);
    a.count = 800;
    array_trim(&m, &a);
    check(a.capacity == 900 && a.count == 800 && a.items[799] == 799);
    a.count = 1; /* of few none */
    array_trim(&m, &a);
    check(a.capacity == 900);
    array_release(&m, &a);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(every_allocation_failed_in_turn) {
    for (long k = 0;; k++) {
        failing_allocator f = failing_begin(k);
        tru_allocator allocator = failing_allocator_of(&f);
        memory m = trui_memory_of(&allocator);
        int_array a = {0};
        for (int i = 0; i < 1000; i++) {
            size_t count = a.count;
            int32_t *item = i % 2 ? array_push(&m, &a) : array_insert(&m, &a, a.count);
            if (item)
                *item = (int32_t)a.count - 1;
            else
                check(f.failed && a.count == count);
        }
        check(a.count == (f.failed ? 999 : 1000));
        for (size_t i = 0; i < a.count; i++)
            if (a.items[i] != (int32_t)i) check(a.items[i] == (int32_t)i);
        array_release(&m, &a);
        check(f.live_blocks == 0 && f.wrong_sizes == 0);
        if (!f.failed) break;
    }
}
