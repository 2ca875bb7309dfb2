/* scene_room.c: a grid of cells over spheres. */
#include "scene_room.h"

#include <math.h>
#include <stdlib.h>

room trio_room_begin(double largest) { return (room){.cell = 2.0 * largest, .largest = largest}; }

void trio_room_end(room *p) {
    free(p->balls);
    free(p->large);
    free(p->heads);
    *p = (room){0};
}

static bool reserve(room_ball **items, size_t *most, size_t count) {
    if (count <= *most) return true;
    room_ball *more = realloc(*items, 2 * count * sizeof *more);
    if (!more) return false;
    *items = more;
    *most = 2 * count;
    return true;
}

/* Cell numbers wrap around: two far cells may share a place, which costs time and nothing else. */
static size_t place(const room *p, double x, double y, double z) {
    const uint64_t i = (uint64_t)(int64_t)x, j = (uint64_t)(int64_t)y, k = (uint64_t)(int64_t)z;
    uint64_t h = i * UINT64_C(0x9e3779b97f4a7c15) ^ j * UINT64_C(0xc2b2ae3d27d4eb4f) ^ k * UINT64_C(0x165667b19e3779f9);
    h ^= h >> 29;
    return (size_t)(h * UINT64_C(0xbf58476d1ce4e5b9) >> 20) & (p->head_room - 1);
}

static double cell_of(const room *p, double x) { return fmin(fmax(floor(x / p->cell), -1e15), 1e15); }

static void link(room *p, size_t i) {
    const tru_vec3 x = p->balls[i].x;
    size_t *head = &p->heads[place(p, cell_of(p, x.x), cell_of(p, x.y), cell_of(p, x.z))];
    p->balls[i].next = *head;
    *head = i + 1;
}

static bool grow_heads(room *p) {
    if (p->count < p->head_room) return true;
    const size_t heads_now = p->head_room ? 4 * p->head_room : 256;
    size_t *heads = calloc(heads_now, sizeof *heads);
    if (!heads) return false;
    free(p->heads);
    p->heads = heads;
    p->head_room = heads_now;
    for (size_t i = 0; i < p->count; i++) link(p, i);
    return true;
}

bool trio_room_add(room *p, tru_vec3 x, double radius) {
    if (!(radius <= p->largest) || !(p->cell > 0.0)) {
        if (!reserve(&p->large, &p->large_room, p->large_count + 1)) return false;
        p->large[p->large_count++] = (room_ball){x, radius, 0};
        return true;
    }
    if (!reserve(&p->balls, &p->room, p->count + 1) || !grow_heads(p)) return false;
    p->balls[p->count] = (room_ball){x, radius, 0};
    link(p, p->count++);
    return true;
}

static bool apart(const room_ball *b, tru_vec3 x, double reach) {
    const double dx = b->x.x - x.x, dy = b->x.y - x.y, dz = b->x.z - x.z, sum = b->radius + reach;
    return dx * dx + dy * dy + dz * dz >= sum * sum;
}

bool trio_room_is_free(const room *p, tru_vec3 x, double radius, double clearance) {
    const double reach = radius + clearance;
    for (size_t i = 0; i < p->large_count; i++)
        if (!apart(&p->large[i], x, reach)) return false;
    if (p->count == 0) return true;
    const double far = floor((reach + p->largest) / p->cell) + 1.0; /* cells that can hold a ball in reach */
    const double ci = cell_of(p, x.x), cj = cell_of(p, x.y), ck = cell_of(p, x.z);
    for (double i = -far; i <= far; i++)
        for (double j = -far; j <= far; j++)
            for (double k = -far; k <= far; k++)
                for (size_t b = p->heads[place(p, ci + i, cj + j, ck + k)]; b; b = p->balls[b - 1].next)
                    if (!apart(&p->balls[b - 1], x, reach)) return false;
    return true;
}
