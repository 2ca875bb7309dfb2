/* peer_frozen.c: one step of a snapshot with Trundle, its contact problem frozen into a file for other solvers (frozen.h).
 *
 *     peer_frozen --scene FILE --load SNAPSHOT [--set PATH=VALUE]... [--problem FILE] [--ends FILE]
 *
 * The solver starts cold: impulses of the snapshot are forgotten. Prints the CPU time of packing and solving, and what
 * the solver and frozen.h's judge say of the answer; `least_speed` tells whether the relaxed problem can have one. Like the tests it looks into the world: frames, bias and impulses of
 * the step as the laws saw them are not all public. */
#include "frozen.h"
#include "state.h"

#include "world/world.h"

#include <trundle/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 32 };

static void need(tru_status status, const tru_error *err) {
    if (status >= 0) return;
    fprintf(stderr, "peers: Trundle: %s\n", err->text);
    exit(3);
}

static void read_snapshot(tru_world *w, const char *path) {
    tru_error err;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(4);
    const long bytes = ftell(file);
    void *buffer = bytes > 0 ? malloc((size_t)bytes) : NULL;
    rewind(file);
    if (!buffer || fread(buffer, 1, (size_t)bytes, file) != (size_t)bytes) exit(4);
    fclose(file);
    need(tru_snapshot_load(w, buffer, (size_t)bytes, &err), &err);
    free(buffer);
}

static void forget_impulses(tru_world *w) {
    for (size_t k = 0; k < w->contacts.count; k++) {
        contact *c = &w->contacts.items[k];
        memset(c->dry, 0, sizeof c->dry);
        if (c->end) memset(c->end->last, 0, sizeof c->end->last);
        memset(c->impulse, 0, sizeof c->impulse);
    }
}

static void put(double *to, tru_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static void put_rows(double *to, const contact_frame *c, double n, double t1, double t2) {
    put(to, v3_add(v3_scale(n, c->normal), v3_add(v3_scale(t1, c->t1), v3_scale(t2, c->t2))));
}

static frozen_body body_of(const tru_world *w, size_t k) {
    const body *b = &w->bodies.items[k];
    const body_start *start = &w->before.items[k];
    frozen_body out = {1.0 / b->mass, 1.0 / b->moment, {0}, {0}};
    put(out.v, v3_add(start->v, v3_scale(w->step, w->gravity)));
    put(out.w, start->w);
    return out;
}

/* The problem of the last step and Trundle's answer; spheres only. */
static frozen freeze(tru_world *w, const double limit[FROZEN_LIMITS], frozen_impulse **answer) {
    const size_t n = w->bodies.count, m = w->contacts.count;
    frozen f = {malloc(n * sizeof *f.bodies), malloc(m * sizeof *f.contacts), 0, m};
    long *place = malloc(n * sizeof *place);
    *answer = calloc(m, sizeof **answer);
    if (!f.bodies || !f.contacts || !place || !*answer) exit(4);
    for (size_t k = 0; k < n; k++) {
        place[k] = w->bodies.items[k].kind == TRU_FREE ? (long)f.body_count : -1;
        if (place[k] >= 0) f.bodies[f.body_count++] = body_of(w, k);
    }
    for (size_t k = 0; k < m; k++) {
        const contact *c = &w->contacts.items[k];
        frozen_contact *o = &f.contacts[k];
        *o = (frozen_contact){.a = place[c->a], .b = place[c->b], .bias = c->bias};
        put(o->n, c->c.normal);
        o->arm_a = -v3_dot(c->c.arm_a, c->c.normal);
        o->arm_b = o->b < 0 ? 0.0 : v3_dot(c->c.arm_b, c->c.normal);
        memcpy(o->limit, limit, sizeof o->limit);
        put_rows((*answer)[k].p, &c->c, c->impulse[0], c->impulse[1], c->impulse[2]);
        put_rows((*answer)[k].t, &c->c, c->impulse[3], c->impulse[4], c->impulse[5]);
    }
    free(place);
    return f;
}

int main(int argc, char **argv) {
    const char *scene_path = NULL, *snapshot = NULL, *problem = NULL, *ends = NULL, *form = "exact";
    tru_set sets[SETS];
    size_t set_count = 0;
    tru_error err;
    tru_scene *scene;
    tru_sim *sim;
    for (int k = 1; k + 1 < argc; k += 2) {
        char *equals = strchr(argv[k + 1], '=');
        if (strcmp(argv[k], "--scene") == 0) scene_path = argv[k + 1];
        if (strcmp(argv[k], "--load") == 0) snapshot = argv[k + 1];
        if (strcmp(argv[k], "--problem") == 0) problem = argv[k + 1];
        if (strcmp(argv[k], "--ends") == 0) ends = argv[k + 1];
        if (strcmp(argv[k], "--set") != 0 || !equals || set_count == SETS) continue;
        *equals = '\0';
        sets[set_count++] = (tru_set){argv[k + 1], equals + 1};
        if (strcmp(argv[k + 1], "steppers.cone.form") == 0) form = equals + 1;
    }
    need(tru_scene_read(scene_path, sets, set_count, &scene, &err), &err);
    need(tru_sim_create(scene, "cone", 1, &sim, &err), &err);
    need(tru_sim_set_until(sim, 1e6, &err), &err);
    tru_world *w = tru_sim_world(sim);
    read_snapshot(w, snapshot);
    forget_impulses(w);
    tru_profile_set(w, peer_seconds);
    const double begun = peer_seconds();
    need(tru_sim_run(sim, 1, &err), &err);
    const double whole = peer_seconds() - begun;
    const tru_profile profile = tru_profile_get(w);
    const tru_solve_info info = tru_world_solve_info(w);
    double limit[FROZEN_LIMITS];
    const char *const names[FROZEN_LIMITS] = {"parameters.slide", "parameters.spin", "parameters.roll"};
    for (int k = 0; k < FROZEN_LIMITS; k++) need(tru_scene_number(scene, names[k], &limit[k], NULL, &err), &err);
    frozen_impulse *answer;
    frozen f = freeze(w, limit, &answer);
    const frozen_verdict verdict = frozen_judge(&f, answer, strcmp(form, "relaxed") == 0);
    if (problem) frozen_write(problem, &f);
    if (ends) frozen_write_ends(ends, &f, answer);
    printf("{\"peer\": \"Trundle\", \"version\": \"%s\", \"contacts\": %zu, \"seconds\": %.9g, \"step_seconds\": %.9g, "
           "\"iterations\": %d, \"own_rms\": %.9g, \"rms\": %.9g, \"max\": %.9g, \"least_speed\": %.9g}\n",
           tru_version(), f.contact_count, profile.pack + profile.solve, whole, info.iterations, info.rms, verdict.rms,
           verdict.max, frozen_least_speed(&f, answer));
    free(answer);
    frozen_free(&f);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return 0;
}
