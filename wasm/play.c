/* play.c: what the page and the tests call in trundle.wasm: a scene from text, its simulation, its state as hash and snapshot,
 * its recording as a block of a report.
 *
 * Texts go in as UTF-8 bytes in memory of play_room. Texts come out terminated by zero, valid until the next call with that play.
 * A status below 0 is a failure, whose sentence play_sentence returns. */
#include <trundle/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name), used)) name

/* A scene and its simulation. */
typedef struct play {
    tru_scene *scene;
    tru_sim *sim;
    tru_recording *recording; /* NULL: none is wanted */
    tru_report *report;       /* of the last play_block */
    tru_error err;
    char text[64];
    void *snapshot; /* of the last play_save */
    size_t snapshot_bytes;
} play;

void *EXPORTED(play_room)(size_t bytes);
void EXPORTED(play_free_room)(void *room);
play *EXPORTED(play_begin)(void);
void EXPORTED(play_end)(play *p);
tru_status EXPORTED(play_scene)(play *p, const char *text, size_t bytes);
tru_status EXPORTED(play_change)(play *p, const char *path, const char *value);
tru_status EXPORTED(play_start)(play *p, const char *stepper, int record);
tru_status EXPORTED(play_show)(play *p);
tru_status EXPORTED(play_until)(play *p, double until);
tru_status EXPORTED(play_run)(play *p, double steps);
const char *EXPORTED(play_sentence)(const play *p);
const char *EXPORTED(play_stepper)(const play *p, size_t k);
const char *EXPORTED(play_state_hash)(play *p);
double EXPORTED(play_time)(const play *p);
double EXPORTED(play_steps)(const play *p);
double EXPORTED(play_last_step)(const play *p);
double EXPORTED(play_end_time)(const play *p);
double EXPORTED(play_bodies)(const play *p);
int EXPORTED(play_done)(const play *p);
tru_status EXPORTED(play_finish)(play *p, double wall);
const char *EXPORTED(play_block)(play *p, const char *label);
tru_status EXPORTED(play_save)(play *p);
const void *EXPORTED(play_snapshot)(const play *p);
size_t EXPORTED(play_snapshot_bytes)(const play *p);
tru_status EXPORTED(play_load)(play *p, const void *bytes, size_t count);

/* Returns memory of the module for the caller to write to; NULL if there is none. */
void *play_room(size_t bytes) { return malloc(bytes ? bytes : 1); }

/* Frees memory of play_room. */
void play_free_room(void *room) { free(room); }

/* Creates a play without a scene; NULL without memory. */
play *play_begin(void) { return calloc(1, sizeof(play)); }

/* Ends the simulation, keeps the scene. */
static void stop(play *p) {
    tru_report_free(p->report);
    tru_recording_free(p->recording);
    p->report = NULL;
    p->recording = NULL;
    tru_sim_free(p->sim);
    p->sim = NULL;
}

/* Frees a play with its scene and simulation. */
void play_end(play *p) {
    if (!p) return;
    stop(p);
    tru_scene_free(p->scene);
    free(p->snapshot);
    free(p);
}

/* Replaces the scene by one from text. If the text has a mistake, the old scene and its simulation stay. */
tru_status play_scene(play *p, const char *text, size_t bytes) {
    tru_scene *fresh;
    const tru_status status = tru_scene_parse(text, bytes, "scene.yaml", NULL, 0, &fresh, &p->err);
    if (status < 0) return status;
    stop(p);
    tru_scene_free(p->scene);
    p->scene = fresh;
    return status;
}

/* Changes one value of the scene, as --set does, and ends the simulation. */
tru_status play_change(play *p, const char *path, const char *value) {
    stop(p);
    return tru_scene_change(p->scene, path, value, &p->err);
}

/* Lets the scene record what a picture needs: frames if it has none, and contacts. Hashes of states do not depend on it. */
tru_status play_show(play *p) {
    enum { FRAMES = 400 };
    char interval[40];
    const tru_plan *plan = tru_scene_plan(p->scene);
    snprintf(interval, sizeof interval, "%.9g s", plan->until / FRAMES);
    if (plan->frames <= 0.0 && play_change(p, "record.frames", interval) < 0) return p->err.status;
    return play_change(p, "record.contacts", "true");
}

/* Starts the simulation with a stepper block of the scene, and its recording if asked. An empty name means the first block. */
tru_status play_start(play *p, const char *stepper, int record) {
    stop(p);
    tru_status status = tru_sim_create(p->scene, *stepper ? stepper : NULL, 1, &p->sim, &p->err);
    if (status < 0 || !record) return status;
    const tru_error remark = p->err;
    if (tru_recording_begin(p->sim, p->scene, &p->recording, &p->err) < 0) return p->err.status;
    p->err = remark;
    return status;
}

/* Sets another end [s] of the run than the scene's. */
tru_status play_until(play *p, double until) { return tru_sim_set_until(p->sim, until, &p->err); }

/* Takes up to `steps` steps and records what is due. Returns the most serious status. */
tru_status play_run(play *p, double steps) {
    const uint64_t last = tru_steps_done(tru_sim_world(p->sim)) + (uint64_t)steps;
    tru_status worst = TRU_OK;
    for (uint64_t at; !tru_sim_done(p->sim) && (at = tru_steps_done(tru_sim_world(p->sim))) < last;) {
        tru_status status = tru_sim_run(p->sim, last - at, &p->err);
        if (status >= 0 && p->recording && tru_recording_step(p->recording, &p->err) < 0) status = p->err.status;
        if (status < 0) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

/* Records the last state and the summary of the run, which took `wall` [s]. */
tru_status play_finish(play *p, double wall) { return tru_recording_finish(p->recording, wall, &p->err); }

/* Packs what is recorded so far as the block of a report; NULL after a failure. */
const char *play_block(play *p, const char *label) {
    tru_report_free(p->report);
    p->report = NULL;
    if (tru_report_begin(&p->report, &p->err) < 0) return NULL;
    if (tru_report_add_recording(p->report, p->recording, label, &p->err) < 0) return NULL;
    return tru_report_block(p->report, 0);
}

/* Returns the sentence of the last failure or remark. */
const char *play_sentence(const play *p) { return p->err.text; }

/* Returns the name of the k-th stepper block of the scene, NULL past the end. */
const char *play_stepper(const play *p, size_t k) { return tru_scene_stepper(p->scene, k); }

/* Returns the hash of the state as 16 hexadecimal digits, as summary.json has it. */
const char *play_state_hash(play *p) {
    snprintf(p->text, sizeof p->text, "%016llx", (unsigned long long)tru_state_hash(tru_sim_world(p->sim)));
    return p->text;
}

/* Returns the time [s] of the state. */
double play_time(const play *p) { return tru_time(tru_sim_world(p->sim)); }

/* Returns the number of steps taken. */
double play_steps(const play *p) { return (double)tru_steps_done(tru_sim_world(p->sim)); }

/* Returns the number of steps at the end of the run. */
double play_last_step(const play *p) { return (double)tru_sim_last_step(p->sim); }

/* Returns the end [s] of the run. */
double play_end_time(const play *p) { return tru_sim_until(p->sim); }

/* Returns the number of bodies. */
double play_bodies(const play *p) { return (double)tru_body_count(tru_sim_world(p->sim)); }

/* Returns 1 if the run has reached its end or a stop condition. */
int play_done(const play *p) { return tru_sim_done(p->sim); }

/* Keeps a snapshot of the simulation for play_snapshot. */
tru_status play_save(play *p) {
    const size_t bytes = tru_sim_save_size(p->sim);
    void *fresh = realloc(p->snapshot, bytes);
    if (!fresh) {
        snprintf(p->err.text, sizeof p->err.text, "a snapshot needs %zu bytes, which are not there", bytes);
        return TRU_NO_MEMORY;
    }
    p->snapshot = fresh;
    p->snapshot_bytes = bytes;
    return tru_sim_save(p->sim, fresh, bytes, &p->err);
}

/* Returns the bytes of the last play_save. */
const void *play_snapshot(const play *p) { return p->snapshot; }

/* Returns the number of bytes of the last play_save. */
size_t play_snapshot_bytes(const play *p) { return p->snapshot_bytes; }

/* Brings the simulation to the state of a snapshot, of play_save or of a file snapshot.tru. */
tru_status play_load(play *p, const void *bytes, size_t count) { return tru_sim_load(p->sim, bytes, count, &p->err); }
