/* Promise P6: a run that is saved, loaded (in another world, another process, with other threads) and continued ends in
 * the same bits as one that was not interrupted; for every stepper and every scheme. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "zoo.h"

#include <sys/wait.h>
#include <unistd.h>

typedef struct way {
    const zoo_scene *scene;
    const tru_stepper *stepper;
    int variant;
} way;

typedef struct snapshot {
    void *bytes;
    size_t count;
} snapshot;

static void show(const way *at, const char *what) {
    printf("%s, scheme %d, scene %s: %s\n", at->stepper->name, at->variant, at->scene->name, what);
}

/* A world of this way, or NULL if the stepper refuses it. */
static tru_world *world_of(const way *at, int threads) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = kit_create_zoo_world(at->scene, NULL, threads);
    MUST(kit_set_stepper(w, at->stepper, at->variant, at->scene->step, &err));
    if (tru_check(w, &err) >= 0) return w;
    if (err.status != TRU_REFUSED) MUST(err.status);
    show(at, err.text);
    tru_world_destroy(w);
    return NULL;
}

/* Half of the first half, what the scene does then, and the rest of it, in calls of `piece` steps. */
static void run_pieces(tru_world *w, uint64_t steps, uint64_t piece) {
    tru_error err;
    for (uint64_t done = 0; done < steps; done += piece)
        MUST(tru_run(w, piece < steps - done ? piece : steps - done, &err));
}

static void first_half(const way *at, tru_world *w, uint64_t piece) {
    const uint64_t half = at->scene->steps / 2;
    run_pieces(w, half / 2, piece);
    if (at->scene->act) at->scene->act(w);
    run_pieces(w, half - half / 2, piece);
}

static uint64_t second_half(const way *at, tru_world *w, uint64_t piece) {
    run_pieces(w, at->scene->steps - at->scene->steps / 2, piece);
    return tru_state_hash(w);
}

static snapshot save(const tru_world *w) {
    tru_error err;
    snapshot s = {NULL, tru_snapshot_size(w)};
    s.bytes = malloc(s.count);
    if (!s.bytes) exit(1);
    MUST(tru_snapshot_save(w, s.bytes, s.count, &err));
    return s;
}

#define SAME(a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)

static bool same_body(const tru_world *a, const tru_world *b, tru_id id) {
    tru_error err;
    tru_body_info ia, ib;
    const tru_body_state sa = kit_get_state(a, id), sb = kit_get_state(b, id);
    MUST(tru_body_describe(a, id, &ia, &err));
    MUST(tru_body_describe(b, id, &ib, &err));
    bool same = SAME(sa, sb) && strcmp(ia.name, ib.name) == 0 && tru_body_find(b, ia.name) == id;
    same = same && ia.kind == ib.kind && ia.mass == ib.mass && ia.size == ib.size && SAME(ia.centre, ib.centre) &&
           SAME(ia.inertia, ib.inertia) && SAME(ia.products, ib.products) && ia.shape_count == ib.shape_count;
    for (int k = 0; same && k < ia.shape_count; k++) {
        tru_shape_def da, db;
        MUST(tru_body_shape(a, id, k, &da, &err));
        MUST(tru_body_shape(b, id, k, &db, &err));
        same = da.shape.name == db.shape.name && da.material == db.material && da.density == db.density &&
               SAME(da.position, db.position) && SAME(da.orientation, db.orientation);
    }
    return same;
}

static bool same_contact(const tru_world *a, const tru_world *b, size_t k) {
    tru_error err;
    tru_contact_info ca, cb;
    MUST(tru_contact_get(a, k, &ca, &err));
    MUST(tru_contact_get(b, k, &cb, &err));
    return ca.body_a == cb.body_a && ca.body_b == cb.body_b && ca.shape_a == cb.shape_a && ca.shape_b == cb.shape_b &&
           ca.feature == cb.feature && ca.stuck == cb.stuck && SAME(ca.point, cb.point) && SAME(ca.normal, cb.normal) &&
           SAME(ca.t1, cb.t1) && SAME(ca.t2, cb.t2) && ca.gap == cb.gap && SAME(ca.impulse, cb.impulse) &&
           SAME(ca.velocity, cb.velocity) && SAME(ca.arm_a, cb.arm_a) && SAME(ca.arm_b, cb.arm_b) &&
           SAME(ca.couple_b, cb.couple_b);
}

/* Events that are waiting; they are taken from both. */
static bool same_events(tru_world *a, tru_world *b) {
    tru_event ea[64], eb[64];
    uint64_t lost_a, lost_b;
    bool same = true;
    for (size_t n = 1; same && n > 0;) {
        n = tru_events_take(a, ea, 64, &lost_a);
        same = tru_events_take(b, eb, 64, &lost_b) == n && lost_a == lost_b;
        for (size_t i = 0; same && i < n; i++)
            same = ea[i].time == eb[i].time && ea[i].kind == eb[i].kind && ea[i].row_kind == eb[i].row_kind &&
                   ea[i].body_a == eb[i].body_a && ea[i].body_b == eb[i].body_b && ea[i].speed == eb[i].speed &&
                   SAME(ea[i].position, eb[i].position) && SAME(ea[i].orientation, eb[i].orientation) &&
                   SAME(ea[i].velocity, eb[i].velocity) && SAME(ea[i].angular_velocity, eb[i].angular_velocity) &&
                   ea[i].limit_case == eb[i].limit_case;
    }
    return same;
}

/* The judge says the same of the last step, or says of both that there is none. */
static bool same_verdict(const tru_world *a, const tru_world *b) {
    tru_verdict va, vb;
    const tru_status sa = tru_judge(a, &va, NULL), sb = tru_judge(b, &vb, NULL);
    if (sa < 0) return sa == sb;
    return sa == sb && SAME(va.law, vb.law) && va.momentum == vb.momentum && va.spin == vb.spin && va.worst == vb.worst;
}

static bool same_solve(const tru_world *a, const tru_world *b) {
    const tru_solve_info sa = tru_world_solve_info(a), sb = tru_world_solve_info(b);
    return sa.iterations == sb.iterations && sa.contacts == sb.contacts && sa.worst == sb.worst &&
           sa.converged == sb.converged && SAME(sa.residual, sb.residual) && sa.relative == sb.relative;
}

/* Everything a user can read is the same, to the bit. */
static bool same_sight(tru_world *a, tru_world *b) {
    const tru_ledger la = tru_world_ledger(a), lb = tru_world_ledger(b);
    bool same = tru_time(a) == tru_time(b) && tru_steps_done(a) == tru_steps_done(b) && SAME(la, lb);
    same = same && tru_body_count(a) == tru_body_count(b) && tru_contact_count(a) == tru_contact_count(b);
    for (size_t i = 0; same && i < tru_body_count(a); i++) same = same_body(a, b, tru_body_at(a, i));
    for (size_t i = 0; same && i < tru_contact_count(a); i++) same = same_contact(a, b, i);
    return same && same_events(a, b) && same_verdict(a, b) && same_solve(a, b);
}
/* ---- another process ---- */

static uint64_t resume(const way *at, const snapshot *s, int threads, uint64_t piece) {
    tru_error err;
    tru_world *w = kit_create_zoo_materials(at->scene, NULL, threads);
    MUST(kit_set_stepper(w, at->stepper, at->variant, at->scene->step, &err));
    MUST(tru_snapshot_load(w, s->bytes, s->count, &err));
    const uint64_t end = second_half(at, w, piece);
    tru_world_destroy(w);
    return end;
}

#define CHILD "TRU_RESUME_CHILD"

/* The other process is this program again: it reads the snapshot from its standard input, writes the final hash. */
__attribute__((constructor)) static void child(void) {
    const char *task = getenv(CHILD);
    size_t scene, stepper;
    int variant;
    if (!task || sscanf(task, "%zu %zu %d", &scene, &stepper, &variant) != 3) return;
    const way at = {&zoo[scene], tru_stepper_at(stepper), variant};
    snapshot s = {malloc(1 << 24), 0};
    if (!s.bytes) exit(1);
    s.count = fread(s.bytes, 1, 1 << 24, stdin);
    const uint64_t end = resume(&at, &s, 2, 97);
    free(s.bytes);
    if (fwrite(&end, sizeof end, 1, stdout) != 1 || fflush(stdout)) exit(1);
    exit(0);
}

static uint64_t resume_elsewhere(size_t scene, size_t stepper, int variant, const snapshot *s) {
    char self[4096] = "", task[64];
    uint64_t end = 0;
    FILE *in = tmpfile(), *out = tmpfile();
    if (!in || !out || readlink("/proc/self/exe", self, sizeof self - 1) < 0) exit(1);
    snprintf(task, sizeof task, "%zu %zu %d", scene, stepper, variant);
    if (fwrite(s->bytes, 1, s->count, in) != s->count || fflush(in) || lseek(fileno(in), 0, SEEK_SET)) exit(1);
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(fileno(in), STDIN_FILENO);
        dup2(fileno(out), STDOUT_FILENO);
        setenv(CHILD, task, 1);
        execl(self, self, (char *)NULL);
        _exit(1);
    }
    int status = 1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) printf("the other process failed\n");
    rewind(out);
    if (fread(&end, sizeof end, 1, out) != 1) end = 0;
    fclose(in);
    fclose(out);
    return end;
}

/* ---- tests ---- */

typedef void visit(const way *at, size_t scene, size_t stepper);

/* Every stepper runs some scene, or the test says nothing about it. */
static void visit_all(visit *f) {
    for (size_t k = 0; tru_stepper_at(k); k++)
        for (int variant = 0; variant < kit_count_variants(tru_stepper_at(k)); variant++) {
            int ran = 0;
            for (size_t i = 0; i < ZOO_COUNT; i++) {
                const way at = {&zoo[i], tru_stepper_at(k), variant};
                tru_world *w = world_of(&at, 1);
                if (!w) continue;
                tru_world_destroy(w);
                f(&at, i, k);
                ran++;
            }
            check(ran > 0);
        }
}

static void one_call_or_pieces(const way *at, size_t scene, size_t stepper) {
    (void)scene, (void)stepper;
    uint64_t end[3];
    const uint64_t piece[3] = {UINT64_MAX, 7, 1};
    for (int i = 0; i < 3; i++) {
        tru_world *w = world_of(at, i == 1 ? 2 : 1);
        first_half(at, w, piece[i]);
        end[i] = second_half(at, w, piece[i]);
        tru_world_destroy(w);
    }
    if (!check(end[0] == end[1] && end[0] == end[2])) show(at, "pieces differ from one call");
}

TEST(runs_in_pieces) { visit_all(one_call_or_pieces); }

static void interrupted_or_not(const way *at, size_t scene, size_t stepper) {
    tru_error err;
    tru_world *straight = world_of(at, 1), *again = world_of(at, 2);
    first_half(at, straight, UINT64_MAX);
    const uint64_t middle = tru_state_hash(straight);
    snapshot s = save(straight);
    check(tru_state_hash(straight) == middle); /* looking does not touch */

    /* into a world with bodies of its own, which has already moved on */
    MUST(tru_run(again, 3, &err));
    MUST(tru_snapshot_load(again, s.bytes, s.count, &err));
    check(tru_state_hash(again) == middle);
    snapshot twice = save(again);
    check(twice.count == s.count && memcmp(twice.bytes, s.bytes, s.count) == 0);
    if (!check(same_sight(straight, again))) show(at, "what was loaded looks different");

    const uint64_t end = second_half(at, straight, UINT64_MAX);
    check(end != middle);
    if (!check(second_half(at, again, UINT64_MAX) == end)) show(at, "another world ends elsewhere");
    if (!check(same_sight(straight, again))) show(at, "another world looks different");

    /* the same world goes back in time */
    MUST(tru_snapshot_load(straight, s.bytes, s.count, &err));
    if (!check(second_half(at, straight, UINT64_MAX) == end)) show(at, "going back ends elsewhere");

    if (!check(resume(at, &s, 1, 13) == end)) show(at, "an empty world ends elsewhere");
    if (!check(resume_elsewhere(scene, stepper, at->variant, &s) == end)) show(at, "another process ends elsewhere");
    tru_world_destroy(straight);
    tru_world_destroy(again);
    free(s.bytes);
    free(twice.bytes);
}

TEST(resumes_to_the_same_bits) { visit_all(interrupted_or_not); }

/* The stepper may be set after loading: time continues to the same bits, and so does a schedule that depends on it. */
TEST(stepper_set_after_loading) {
    tru_error err;
    const way at = {&zoo[ZOO_BELT], tru_stepper_at(0), 0};
    tru_world *w = world_of(&at, 1), *other = kit_create_zoo_materials(at.scene, NULL, 1);
    first_half(&at, w, UINT64_MAX);
    snapshot s = save(w);
    MUST(tru_snapshot_load(other, s.bytes, s.count, &err));
    check(tru_time(other) == tru_time(w) && tru_step_size(other) == 0.0);
    MUST(kit_set_stepper(other, at.stepper, at.variant, at.scene->step, &err));
    check(second_half(&at, w, UINT64_MAX) == second_half(&at, other, UINT64_MAX));
    tru_world_destroy(w);
    tru_world_destroy(other);
    free(s.bytes);
}

/* Time that did not begin with this stepper, and a body that was just turned, are part of the state. */
TEST(resumes_after_changes_from_outside) {
    tru_error err;
    const way belt = {&zoo[ZOO_BELT], tru_stepper_at(0), 0}, egg = {&zoo[ZOO_ELLIPSOID], tru_stepper_at(0), 0};
    const way *ways[] = {&belt, &egg};
    for (int i = 0; i < 2; i++) {
        tru_world *w = world_of(ways[i], 1), *other = kit_create_zoo_materials(ways[i]->scene, NULL, 1);
        first_half(ways[i], w, UINT64_MAX);
        MUST(kit_set_stepper(w, tru_stepper_at(0), 0, 0.7e-3, &err));
        MUST(kit_set_stepper(other, tru_stepper_at(0), 0, 0.7e-3, &err));
        MUST(tru_run(w, 50, &err));
        const tru_id last = tru_body_at(w, tru_body_count(w) - 1);
        tru_body_state state = kit_get_state(w, last);
        state.orientation.x += 0.01;
        MUST(tru_body_set(w, last, &state, &err));
        snapshot s = save(w);
        MUST(tru_snapshot_load(other, s.bytes, s.count, &err));
        check(tru_time(w) == tru_time(other));
        check(second_half(ways[i], w, UINT64_MAX) == second_half(ways[i], other, UINT64_MAX));
        tru_world_destroy(w);
        tru_world_destroy(other);
        free(s.bytes);
    }
}

/* Many saves on the way change nothing: at every step the next one starts from a loaded world. */
TEST(loading_at_every_step) {
    tru_error err;
    for (size_t i = 0; i < ZOO_COUNT; i++) {
        const way at = {&zoo[i], tru_stepper_at(0), 0};
        tru_world *w = world_of(&at, 1), *other = world_of(&at, 1);
        if (!w || !other) continue;
        for (uint64_t step = 0; step < at.scene->steps; step++) {
            MUST(tru_run(w, 1, &err));
            snapshot s = save(other);
            MUST(tru_snapshot_load(other, s.bytes, s.count, &err));
            MUST(tru_run(other, 1, &err));
            free(s.bytes);
            if (tru_state_hash(w) == tru_state_hash(other)) continue;
            show(&at, "diverged");
            check(false);
            break;
        }
        check(tru_state_hash(w) == tru_state_hash(other));
        tru_world_destroy(w);
        tru_world_destroy(other);
    }
}
