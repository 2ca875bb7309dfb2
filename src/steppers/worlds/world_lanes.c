/* world_lanes.c: which worlds share the lanes of a kernel, and the steps that a world does alone. */
#include "steppers/worlds/world_lanes.h"

#include "base/assert.h"

#include <string.h>

enum { CHUNK = 64 }; /* worlds among which groups are made */

/* Does steps of one world by its stepper. Returns whether all of them succeeded. */
static bool step_alone(tru_world *w, uint64_t steps, tru_status *status, tru_error *err) {
    for (uint64_t taken = 1; steps > 0; steps -= taken) {
        const tru_status s = w->stepper->run ? w->stepper->run(w->stepper_params, w, steps, &taken, err)
                                             : w->stepper->step(w->stepper_params, w, err);
        TRU_ASSERT(taken >= 1 && taken <= steps);
        if (s < 0 || s > *status) *status = s;
        if (s < 0) return false;
    }
    return true;
}

static void repeat_lane(lane_group *j, int rows, int from, int to) {
    TRU_ASSERT(from != to && from >= 0 && from < WORLD_LANES && to >= 0 && to < WORLD_LANES);
    for (int row = 0; row < rows; row++) j->row[row][to] = j->row[row][from];
}

/* Fills lanes without a world with the numbers of the first used lane, so that the kernel finds a valid state there. */
static void fill_unused(const lane_kind *k, lane_group *j) {
    int from = 0;
    while (from < WORLD_LANES && !(j->used >> from & 1u)) from++;
    for (int i = 0; i < WORLD_LANES && from < WORLD_LANES; i++)
        if (!(j->used >> i & 1u)) repeat_lane(j, k->rows, from, i);
}

/* Returns whether a world still has the form of its group. */
static bool still_fits(const lane_kind *k, const lane_group *j, tru_world *w) {
    unsigned char form[LANE_FORM_BYTES] = {0};
    return k->match(k->context, w, form) && memcmp(form, j->form, sizeof form) == 0;
}

static void store(const lane_kind *k, lane_group *j, int lane) {
    j->w[lane]->profile.lanes += j->steps[lane];
    k->store(j, lane);
    j->steps[lane] = 0;
}

/* Returns whether a lane leaves its group because its world does most of its steps alone: each of them interrupts the others. */
static bool is_restless(lane_group *j, int lane) {
    enum { FEW = 8, PATIENCE = 4 };
    j->restless[lane] = j->steps[lane] < FEW ? j->restless[lane] + 1 : 0;
    return j->restless[lane] > PATIENCE;
}

/* Lets the world of a lane do one step alone. If it still fits, its lane is loaded again; else it does the rest alone, too. */
static void step_lane_alone(const lane_kind *k, lane_group *j, int lane, uint64_t left, tru_status *status,
                            tru_error *err) {
    const bool leaves = is_restless(j, lane);
    store(k, j, lane);
    if (step_alone(j->w[lane], 1, status, err) && !leaves && still_fits(k, j, j->w[lane])) {
        k->load(j, lane, false);
        return;
    }
    j->used &= ~(1u << lane);
    if (*status >= 0) step_alone(j->w[lane], left, status, err);
}

/* Does all but the last steps of every world in the lanes. Each world does those alone. */
static void run_lanes(const lane_kind *k, lane_group *j, uint64_t steps, tru_status *status, tru_error *err) {
    const uint64_t last = (uint64_t)k->last;
    lane_kernel *kernel = k->kernel();
    TRU_ASSERT(steps > last);
    uint64_t left = steps - last;
    while (left > 0 && j->used) {
        uint64_t done;
        const unsigned odd = kernel(j->row, j->form, left, &done);
        TRU_ASSERT(done <= left && (odd == 0 || done < left));
        left -= done;
        for (int i = 0; i < WORLD_LANES; i++) j->steps[i] += done;
        if (left == 0) break;
        left--;
        for (int i = 0; i < WORLD_LANES; i++) {
            if (!(j->used >> i & 1u)) continue;
            if (odd >> i & 1u)
                step_lane_alone(k, j, i, left + last, &status[j->world[i]], &err[j->world[i]]);
            else if (odd >> (WORLD_LANES + i) & 1u)
                k->report(j, i);
            else
                j->steps[i]++;
        }
        if (odd & 0xffu) fill_unused(k, j);
    }
    for (int i = 0; i < WORLD_LANES; i++) {
        if (!(j->used >> i & 1u)) continue;
        store(k, j, i);
        step_alone(j->w[i], last, &status[j->world[i]], &err[j->world[i]]);
    }
}

/* Loads up to eight worlds from `first` on that have the form of the first one, and marks them as taken. */
static void fill_group(const lane_kind *k, lane_group *j, tru_world *const *worlds, size_t count, size_t first,
                       bool *taken) {
    j->used = 0;
    j->context = k->context;
    memset(j->steps, 0, sizeof j->steps);
    memset(j->restless, 0, sizeof j->restless);
    for (size_t i = first, lane = 0; i < count && lane < WORLD_LANES; i++) {
        unsigned char form[LANE_FORM_BYTES] = {0};
        if (taken[i] || !k->match(k->context, worlds[i], form)) continue;
        if (lane == 0) memcpy(j->form, form, sizeof form);
        if (memcmp(form, j->form, sizeof form) != 0) continue;
        TRU_ASSERT(!(j->used >> lane & 1u));
        taken[i] = true;
        j->w[lane] = worlds[i];
        j->world[lane] = i;
        k->load(j, (int)lane, true);
        j->used |= 1u << lane++;
    }
    fill_unused(k, j);
}

static bool fits(const lane_kind *k, tru_world *w) {
    unsigned char form[LANE_FORM_BYTES] = {0};
    return k->match(k->context, w, form);
}

static bool all_ready(const lane_kind *k, tru_world *const *worlds, size_t count, const tru_status *status) {
    size_t ready = 0;
    while (ready < count && (status[ready] < 0 || fits(k, worlds[ready]))) ready++;
    return ready == count;
}

/* A contact can be continued from its second or third step on, and a ball that is laid down without a gap may have none in its first
 * step. Worlds at their start, or with a new contact, do a few steps alone. Returns the steps that are left. */
static uint64_t step_to_ready(const lane_kind *k, tru_world *const *worlds, size_t count, uint64_t steps,
                              tru_status *status, tru_error *err) {
    enum { START = 6, WORTH = 16 };
    if (steps < WORTH) return steps;
    for (int tried = 0; tried < START && !all_ready(k, worlds, count, status); tried++, steps--)
        for (size_t i = 0; i < count; i++)
            if (status[i] >= 0) step_alone(worlds[i], 1, &status[i], &err[i]);
    return steps;
}

/* Advances up to CHUNK worlds. */
static void run_chunk(const lane_kind *k, tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                      tru_error *err) {
    bool taken[CHUNK];
    lane_group j;
    TRU_ASSERT(count <= CHUNK);
    for (size_t i = 0; i < count; i++) taken[i] = status[i] < 0;
    for (size_t i = 0; i < count; i++) {
        if (taken[i]) continue;
        if (steps > (uint64_t)k->last + 1 && fits(k, worlds[i])) {
            fill_group(k, &j, worlds, count, i, taken);
            run_lanes(k, &j, steps, status, err);
        } else {
            taken[i] = true;
            step_alone(worlds[i], steps, &status[i], &err[i]);
        }
    }
}

void trui_worlds_run(const lane_kind *k, tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                     tru_error *err) {
    enum { BLOCK = 512 }; /* steps after which worlds that went on alone may join a group again */
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        const size_t n = count - begin < CHUNK ? count - begin : CHUNK;
        uint64_t left = step_to_ready(k, worlds + begin, n, steps, status + begin, err + begin);
        for (uint64_t now; left > 0; left -= now) {
            now = left < BLOCK + BLOCK / 2 ? left : BLOCK;
            run_chunk(k, worlds + begin, n, now, status + begin, err + begin);
        }
    }
}

void trui_lane_copy(lane_copier *t, int row, double *x, int count) {
    TRU_ASSERT(row >= 0 && count > 0 && row + count <= LANE_ROWS_MOST);
    TRU_ASSERT(t->lane >= 0 && t->lane < WORLD_LANES);
    for (int i = 0; i < count; i++) {
        if (t->in)
            t->group->row[row + i][t->lane] = x[i];
        else
            x[i] = t->group->row[row + i][t->lane];
    }
}

void trui_lane_copy_vector(lane_copier *t, int row, tru_vec3 *x) {
    trui_lane_copy(t, row, &x->x, 1);
    trui_lane_copy(t, row + 1, &x->y, 1);
    trui_lane_copy(t, row + 2, &x->z, 1);
}

void trui_lane_copy_quat(lane_copier *t, int row, tru_quat *q) {
    trui_lane_copy(t, row, &q->w, 1);
    trui_lane_copy(t, row + 1, &q->x, 1);
    trui_lane_copy(t, row + 2, &q->y, 1);
    trui_lane_copy(t, row + 3, &q->z, 1);
}
