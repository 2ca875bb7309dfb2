/* peer_trundle.c: runs a scene with Trundle through its public path, and writes the state it starts and ends in.
 *
 * Beside the options of every driver: --scene FILE, --stepper BLOCK, --set PATH=VALUE (repeated), --start FILE (the state
 * after the warm-up, for the other drivers), --save and --load FILE (a snapshot after the warm-up). The law of state files
 * are the scene's parameters slide, roll and spin. */
#include "state.h"

#include <trundle/io.h>
#include <trundle/trundle.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 32 };

typedef struct request {
    const char *scene, *stepper, *start, *save, *load;
    tru_set sets[SETS];
    size_t set_count;
} request;

typedef struct engine {
    tru_scene *scene;
    tru_sim *sim;
    tru_error err;
    tru_id first; /* free body */
} engine;

static void need(tru_status status, const tru_error *err) {
    if (status >= 0) return;
    fprintf(stderr, "peers: Trundle: %s\n", err->text);
    exit(3);
}

/* Takes its own options out of `words`; what stays is for peer_read_options. */
static request take_options(int *count, char **words) {
    request r = {0};
    int kept = 1;
    for (int k = 1; k < *count; k++) {
        char *value = k + 1 < *count ? words[k + 1] : NULL;
        const char **place = NULL;
        if (strcmp(words[k], "--scene") == 0) place = &r.scene;
        if (strcmp(words[k], "--stepper") == 0) place = &r.stepper;
        if (strcmp(words[k], "--start") == 0) place = &r.start;
        if (strcmp(words[k], "--save") == 0) place = &r.save;
        if (strcmp(words[k], "--load") == 0) place = &r.load;
        if (place && value) {
            *place = value;
            k++;
        } else if (strcmp(words[k], "--set") == 0 && value && strchr(value, '=') && r.set_count < SETS) {
            char *equals = strchr(value, '=');
            *equals = '\0';
            r.sets[r.set_count++] = (tru_set){value, equals + 1};
            k++;
        } else {
            words[kept++] = words[k];
        }
    }
    *count = kept;
    return r;
}

static void advance(void *peer, long steps) {
    engine *e = peer;
    if (steps > 0) need(tru_sim_run(e->sim, (uint64_t)steps, &e->err), &e->err);
}

/* The body whose tilt is watched. */
static tru_id first_free(engine *e) {
    const tru_world *w = tru_sim_world(e->sim);
    tru_body_info info = {.kind = TRU_FIXED};
    tru_id id = TRU_NONE;
    for (size_t k = 0; info.kind != TRU_FREE; k++) {
        id = tru_body_at(w, k);
        need(tru_body_describe(w, id, &info, &e->err), &e->err);
    }
    return id;
}

static double tilt(void *peer) {
    engine *e = peer;
    tru_body_state s;
    need(tru_body_get(tru_sim_world(e->sim), e->first, &s, &e->err), &e->err);
    const tru_quat q = s.orientation;
    const double x = 2.0 * (q.x * q.z + q.w * q.y), y = 2.0 * (q.y * q.z - q.w * q.x);
    return atan2(sqrt(x * x + y * y), fabs(1.0 - 2.0 * (q.x * q.x + q.y * q.y)));
}

/* ---- the state */

static void put(double *to, tru_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static peer_plane plane_of(const tru_body_state *s) {
    const tru_quat q = s->orientation;
    const double n[3] = {2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                         1.0 - 2.0 * (q.x * q.x + q.y * q.y)};
    const tru_vec3 x = s->position;
    return (peer_plane){{n[0], n[1], n[2]}, n[0] * x.x + n[1] * x.y + n[2] * x.z};
}

static peer_body body_of(const tru_body_state *s, const tru_body_info *info, const tru_use *shape) {
    peer_body b = {.mass = info->mass};
    if (strcmp(shape->name, "sphere") == 0) {
        b.size[0] = ((const tru_sphere *)shape->params)->radius;
    } else if (strcmp(shape->name, "box") == 0) {
        b.shape = PEER_BOX;
        put(b.size, ((const tru_box *)shape->params)->size);
        for (int k = 0; k < 3; k++) b.size[k] *= 0.5;
    } else {
        b.shape = PEER_DISK;
        b.size[0] = ((const tru_disk *)shape->params)->radius;
    }
    put(b.inertia, info->inertia);
    put(b.position, s->position);
    put(b.velocity, s->velocity);
    put(b.rate, s->angular_velocity);
    const double turn[4] = {s->orientation.w, s->orientation.x, s->orientation.y, s->orientation.z};
    memcpy(b.turn, turn, sizeof turn);
    return b;
}

static double parameter(engine *e, const char *path) {
    double value = 0.0;
    need(tru_scene_number(e->scene, path, &value, NULL, &e->err), &e->err);
    return value;
}

static void write_state(engine *e, const char *path) {
    const tru_world *w = tru_sim_world(e->sim);
    const size_t count = tru_body_count(w);
    peer_state s = {.planes = calloc(count, sizeof *s.planes), .bodies = calloc(count, sizeof *s.bodies)};
    if (!s.planes || !s.bodies) exit(4);
    put(s.gravity, tru_world_gravity(w));
    s.slide = parameter(e, "parameters.slide");
    s.roll = parameter(e, "parameters.roll");
    s.spin = parameter(e, "parameters.spin");
    for (size_t k = 0; k < count; k++) {
        const tru_id id = tru_body_at(w, k);
        tru_body_state state;
        tru_body_info info;
        tru_shape_def shape;
        need(tru_body_get(w, id, &state, &e->err), &e->err);
        need(tru_body_describe(w, id, &info, &e->err), &e->err);
        need(tru_body_shape(w, id, 0, &shape, &e->err), &e->err);
        if (info.kind == TRU_FREE)
            s.bodies[s.body_count++] = body_of(&state, &info, &shape.shape);
        else
            s.planes[s.plane_count++] = plane_of(&state);
    }
    peer_write_state(path, &s);
    peer_free_state(&s);
}

/* ---- snapshots */

static void save(engine *e, const char *path) {
    const tru_world *w = tru_sim_world(e->sim);
    const size_t bytes = tru_snapshot_size(w);
    void *buffer = malloc(bytes);
    FILE *file = fopen(path, "wb");
    if (!buffer || !file) exit(4);
    need(tru_snapshot_save(w, buffer, bytes, &e->err), &e->err);
    if (fwrite(buffer, 1, bytes, file) != bytes || fclose(file) != 0) exit(4);
    free(buffer);
}

static void load(engine *e, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(4);
    const long bytes = ftell(file);
    void *buffer = bytes > 0 ? malloc((size_t)bytes) : NULL;
    rewind(file);
    if (!buffer || fread(buffer, 1, (size_t)bytes, file) != (size_t)bytes) exit(4);
    fclose(file);
    need(tru_snapshot_load(tru_sim_world(e->sim), buffer, (size_t)bytes, &e->err), &e->err);
    free(buffer);
}

int main(int argc, char **argv) {
    request r = take_options(&argc, argv);
    peer_options o = peer_read_options(argc, argv);
    peer_answer answer = {.peer = "Trundle"};
    engine e = {0};
    need(tru_scene_read(r.scene, r.sets, r.set_count, &e.scene, &e.err), &e.err);
    need(tru_sim_create(e.scene, r.stepper, 1, &e.sim, &e.err), &e.err);
    snprintf(answer.version, sizeof answer.version, "%s", tru_version());
    o.step = tru_step_size(tru_sim_world(e.sim));
    need(tru_sim_set_until(e.sim, 1e6, &e.err), &e.err);
    e.first = first_free(&e);
    if (r.load) load(&e, r.load);
    advance(&e, o.warmup);
    o.warmup = 0;
    if (r.start) write_state(&e, r.start);
    if (r.save) save(&e, r.save);
    peer_run(&o, &e, advance, tilt, &answer);
    answer.contacts = (long)tru_contact_count(tru_sim_world(e.sim));
    if (o.out) write_state(&e, o.out);
    const tru_solver_summary solver = tru_sim_solver(e.sim);
    answer.unconverged = (long)solver.unconverged;
    answer.iterations = (long)solver.iterations;
    answer.residual = tru_world_solve_info(tru_sim_world(e.sim)).rms;
    peer_tell(&answer);
    tru_sim_free(e.sim);
    tru_scene_free(e.scene);
    return 0;
}
