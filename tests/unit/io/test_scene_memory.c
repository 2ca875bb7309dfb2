/* Every allocation of reading, changing, writing and building a scene fails in turn: a status, no crash, no leak. */
#include "scene_text.h"
#include "scene/scene_world.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 1

/* Those of glibc, behind ours. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void __libc_free(void *block);

static struct {
    bool counts;
    long allocations, fail_at, live; /* fail_at 0: none fails */
} heap;

static bool fails(void) { return heap.counts && ++heap.allocations == heap.fail_at; }

static void *made(void *block) {
    if (heap.counts && block) heap.live++;
    return block;
}

/* Visible, so that libyaml uses them too. */
#pragma GCC visibility push(default)
void *malloc(size_t bytes) { return fails() ? NULL : made(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return fails() ? NULL : made(__libc_calloc(count, bytes)); }
void *realloc(void *block, size_t bytes) {
    if (fails()) return NULL;
    return block ? __libc_realloc(block, bytes) : made(__libc_realloc(block, bytes));
}
void free(void *block) {
    if (heap.counts && block) heap.live--;
    __libc_free(block);
}
#pragma GCC visibility pop
#endif

static const char text[] = BALL_HEAD BALL_LAWS BALL_BODIES BALL_END
    "stop_when: [{rest: ball}, {probe: {name: ball.speed, below: 1 mm/s}}]\n"
    "fill:\n"
    "  grid: {place: {packing: {lowest: [1, 1, 1], highest: [2, 2, 2], count: 3}}, body: {shape: {sphere: {radius: 1 "
    "cm}}, density: 1000, material: steel}}\n"
    "  rain: {place: {emitter: {lowest: [1, 1, 1], highest: [2, 2, 2], count: 3, rate: 5}}, body: {shape: {sphere: "
    "{radius: 1 cm}}, density: 1000, material: steel}}\n"
    "loads: [{body: ball, force: [1, 0, 0], knots: [[0, 0], [1 s, 1]]}]\n"
    "start: [{between: [ball, table], slide: stuck}]\n"
    "overlap: 0.02\n";

/* All that can be done with a scene; the first status below zero. */
static tru_status everything(tru_error *err) {
    tru_scene *scene = NULL, *copy = NULL;
    tru_world *world = NULL;
    double value;
    uint64_t tries = 0, made = 0;
    const tru_set sets[] = {{"pairs", "[{between: [steel, glass], law: felt}, {default: none}]"}, {"radius", "0.2 m"}};
    tru_status s = tru_scene_parse(text, strlen(text), "a.yaml", sets, 2, &scene, err);
    if (!s) s = tru_scene_change(scene, "laws.felt.slide", "0.5", err);
    if (!s) s = tru_scene_change(scene, "laws.felt.rolling", "{roll: 1 mm}", err);
    if (!s) s = tru_scene_copy(scene, &copy, err);
    if (!s) s = tru_scene_number(scene, "steppers.moreau.sweeps", &value, NULL, err);
    if (!s) s = tru_scene_text(copy) ? TRU_OK : TRU_NO_MEMORY;
    if (!s) s = trio_scene_build_world(copy, NULL, 1, &world, err);
    if (!s) s = trio_scene_check_world(copy, world, err);
    if (!s) s = trio_scene_emit(copy, 0, &made, 1, &tries, world, err);
    tru_world_destroy(world);
    tru_scene_free(copy);
    tru_scene_free(scene);
    return s;
}

TEST(every_allocation_fails_in_turn) {
#ifndef OWN_MALLOC
    check_skip("needs glibc's allocator without a sanitizer");
    (void)everything;
#else
    tru_error err = {TRU_OK, ""};
    if (!check_status(everything(&err), TRU_OK)) printf("  %s\n", err.text);
    long failures = 0;
    for (heap.fail_at = 1; heap.fail_at < 100000; heap.fail_at++) {
        heap.allocations = heap.live = 0;
        err = (tru_error){TRU_OK, ""};
        heap.counts = true;
        const tru_status s = everything(&err);
        heap.counts = false;
        if (heap.allocations < heap.fail_at) break; /* none was left to fail */
        failures++;
        if (!check(heap.live == 0)) printf("  allocation %ld: %ld blocks left\n", heap.fail_at, heap.live);
        const bool told = s == TRU_NO_MEMORY || s == TRU_OK; /* a growing buffer may be only nice to have */
        if (!check(told)) printf("  allocation %ld: %s\n", heap.fail_at, err.text);
    }
    check(failures > 100);
    heap.fail_at = 0;
#endif
}
