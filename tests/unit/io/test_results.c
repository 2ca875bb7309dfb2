/* test_results.c: what run.h5 holds, and that an interrupted run ends with the same bytes as one that was not. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "h5_files.h"
#include "run_scenes.h"

#include "run_h5/h5_run.h"
#include "run_h5/results_layout.h"

static char *join(const char *dir, const char *name) {
    static char paths[8][500];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* ---- contents ---- */

static void check_unit(hid_t file, const char *set, const char *unit) {
    char text[64] = "";
    const hid_t d = H5Dopen2(file, set, H5P_DEFAULT);
    check(trio_h5_read_attribute_text(d, "unit", text, sizeof text));
    check_str(text, unit);
    H5Dclose(d);
}

/* Frames hold the bodies at the steps nearest to multiples of the interval, as floats; probes and ledger likewise. */
TEST(numbers_of_a_run) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("numbers");
    run_whole(scene, dir);
    const hid_t file = h5_open(join(dir, "run.h5"));
    size_t frames, rows, bodies = 3, n;
    double *time = h5_column(file, "/frames/time", NULL, &frames), *x = h5_column(file, "/frames/position", NULL, &n);
    double *q = h5_column(file, "/frames/orientation", NULL, &n), *v = h5_column(file, "/frames/velocity", NULL, &n);
    double *rate = h5_column(file, "/frames/angular_velocity", NULL, &n);
    double *row_time = h5_column(file, "/probes/time", NULL, &rows),
           *value = h5_column(file, "/probes/value", NULL, &n);
    double *kinetic = h5_column(file, "/ledger", "kinetic", &n), *gap = h5_column(file, "/ledger", "gap", &n);
    double *steps = h5_column(file, "/solver", "steps", &n), *relative = h5_column(file, "/solver", "relative", &n);
    check_status((long long)n, (long long)rows);
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    size_t f = 0, r = 0;
    double passed = 0.0, worst = 0.0, frame_number = 0.0, row_number = 0.0;
    for (int step = 0; step <= 700; step++) {
        if (step > 0) RUN(tru_sim_advance(sim, &err));
        const bool frame = step == floor(7.7 * frame_number + 0.5), row = step == floor(2.7 * row_number + 0.5);
        frame_number += frame;
        row_number += row;
        worst = fmax(worst, tru_world_solve_info(w).relative);
        passed += step > 0;
        for (size_t b = 0; (frame || step == 700) && b < bodies; b++) {
            tru_body_state s;
            RUN(tru_body_get(w, tru_body_at(w, b), &s, &err));
            const size_t i = f * bodies + b;
            check_close(x[3 * i + 2], (float)s.position.z, 0.0, 0.0);
            check_close(q[4 * i + 1], (float)s.orientation.x, 0.0, 0.0);
            check_close(v[3 * i], (float)s.velocity.x, 0.0, 0.0);
            check_close(rate[3 * i + 1], (float)s.angular_velocity.y, 0.0, 0.0);
        }
        if (frame || step == 700) check_close(time[f++], tru_time(w), 0.0, 0.0);
        if (!row && step != 700) continue;
        for (size_t p = 0; p < 5; p++) {
            const double now = tru_sim_value(sim, p), then = value[5 * r + p];
            check(now == then || (isnan(now) && isnan(then)));
        }
        check_close(row_time[r], tru_time(w), 0.0, 0.0);
        check_close(kinetic[r], tru_world_ledger(w).kinetic, 0.0, 0.0);
        check(fabs(gap[r]) < 1e-12);
        check_close(steps[r], passed, 0.0, 0.0);
        check_close(relative[r], worst, 0.0, 0.0);
        passed = worst = 0.0;
        r++;
    }
    check_status((long long)f, (long long)frames);
    check_status((long long)r, (long long)rows);
    double *const all[] = {time, x, q, v, rate, row_time, value, kinetic, gap, steps, relative};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    H5Fclose(file);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(contacts_and_events_of_a_run) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("contacts");
    run_whole(scene, dir);
    const hid_t file = h5_open(join(dir, "run.h5"));
    size_t frames, n, events, size;
    double *start = h5_column(file, "/contacts/start", NULL, &frames),
           *count = h5_column(file, "/contacts/count", NULL, &n);
    contact_row *c = (contact_row *)(void *)h5_bytes(file, "/contacts/record", &n, &size);
    event_row *e = (event_row *)(void *)h5_bytes(file, "/events", &events, &size);
    check_status((long long)size, sizeof(event_row));
    double sum = 0.0;
    bool several = false;
    for (size_t f = 0; f < frames; f++) {
        check_close(start[f], sum, 0.0, 0.0);
        sum += count[f];
        several |= count[f] > 2.0;
    }
    check(several);
    check_close(sum, (double)n, 0.0, 0.0);
    for (size_t i = 0; i < n; i++)
        check(c[i].body_b == 0 && (c[i].body_a == 1 || c[i].body_a == 2) && c[i].normal[2] == 1.0);
    /* the last frame is the end of the run: its contacts are those of the world */
    tru_sim *sim = sim_of(scene);
    RUN(tru_sim_run(sim, UINT64_MAX, &err));
    check_close(count[frames - 1], (double)tru_contact_count(tru_sim_world(sim)), 0.0, 0.0);
    for (size_t k = 0; k < tru_contact_count(tru_sim_world(sim)); k++) {
        tru_contact_info info;
        RUN(tru_contact_get(tru_sim_world(sim), k, &info, &err));
        const contact_row *row = &c[(size_t)start[frames - 1] + k];
        check(memcmp(row->impulse, info.impulse, sizeof info.impulse) == 0);
        check(row->gap == info.gap && row->stuck == info.stuck && row->point[0] == info.point.x);
    }
    size_t kept;
    const tru_event *list = tru_sim_events(sim, &kept);
    check_status((long long)kept, (long long)events);
    check(events > 5);
    for (size_t i = 0; i < events && i < kept; i++)
        check(e[i].time == list[i].time && e[i].kind == list[i].kind && e[i].row_kind == list[i].row_kind &&
              e[i].speed == list[i].speed && e[i].position[1] == list[i].position.y &&
              e[i].body_a == (int64_t)list[i].body_a - 1);
    free(start), free(count), free(c), free(e);
    H5Fclose(file);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(bodies_units_texts) {
    tru_scene *scene = scene_of(BALL_RUN);
    tru_error err;
    tru_results *res;
    tru_sim *sim = sim_of(scene);
    const char *dir = folder_path("deep/down/texts");
    RUN(tru_sim_set_command(sim, "trundle run ball.yaml", &err));
    RUN(tru_results_create(dir, sim, scene, TRU_RESULTS_NEW, &res, &err));
    run_recorded(sim, res, UINT64_MAX);
    RUN(tru_results_finish(res, 1.0, &err));
    tru_results_free(res);
    const hid_t file = h5_open(join(dir, "run.h5"));
    size_t n, size;
    body_row *b = (body_row *)(void *)h5_bytes(file, "/bodies/body", &n, &size);
    check(n == 3 && size == sizeof *b);
    check_str(b[1].name, "ball");
    check(b[0].kind == TRU_FIXED && b[1].kind == TRU_FREE && b[2].shapes == 2 && b[2].first_shape == 2);
    check_close(b[1].mass, 2.0, 0.0, 0.0);
    check_close(b[1].inertia[0], 0.4 * 2.0 * 0.01, 1e-15, 0.0);
    free(b);
    shape_row *s = (shape_row *)(void *)h5_bytes(file, "/bodies/shape", &n, &size);
    check(n == 4 && size == sizeof *s);
    check_str(s[1].type, "sphere");
    check_close(s[1].parameters[0], 0.1, 0.0, 0.0);
    check(isnan(s[1].parameters[1]));
    check_str(s[2].type, "box");
    check(s[2].body == 2 && s[2].parameters[0] == 0.2 && s[2].parameters[1] == 0.1 && s[2].parameters[2] == 0.05);
    /* box and sphere are concentric: so is their centre of mass */
    check_close(s[2].position[0], 0.0, 0.0, 1e-16);
    check_close(s[2].orientation[0], 1.0, 0.0, 0.0);
    free(s);
    check_unit(file, "/frames/position", "m");
    check_unit(file, "/frames/angular_velocity", "rad/s");
    char *text = (char *)h5_bytes(file, "/scene", &n, &size);
    check_str(text, tru_scene_text(scene));
    free(text);
    text = (char *)h5_bytes(file, "/probes/unit", &n, &size);
    check_str(text, "m/s");
    check_str(text + 2 * size, "rad");
    free(text);
    text = (char *)h5_bytes(file, "/probes/name", &n, &size);
    check_str(text + 2 * size, "second.tilt");
    free(text);
    char word[100];
    int64_t number;
    const hid_t g = H5Gopen2(file, "/provenance", H5P_DEFAULT);
    check(trio_h5_read_attribute_text(g, "version", word, sizeof word) && strcmp(word, tru_version()) == 0);
    check(trio_h5_read_attribute_text(g, "stepper", word, sizeof word) && strcmp(word, "moreau") == 0);
    check(trio_h5_read_attribute_text(g, "command", word, sizeof word) && strcmp(word, "trundle run ball.yaml") == 0);
    check(trio_h5_read_attribute_i64(g, "resumes", &number) && number == 0);
    check(trio_h5_read_attribute_text(g, "date", word, sizeof word) && strlen(word) == 20 && word[19] == 'Z');
    H5Gclose(g);
    H5Fclose(file);
    check(exists(join(dir, "summary.json")));
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Readers see every frame during the run. */
TEST(a_running_file_can_be_read) {
    tru_error err;
    tru_results *r;
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *sim = sim_of(scene);
    const char *dir = folder_path("live");
    RUN(tru_results_create(dir, sim, scene, TRU_RESULTS_NEW, &r, &err));
    for (uint64_t stop = 8; stop < 80; stop += 8) {
        run_recorded(sim, r, stop);
        const hid_t file = trio_results_open(join(dir, "run.h5"));
        check(file >= 0);
        check_status((long long)h5_rows(file, "/frames/time"), 1 + (long long)floor((double)stop / 7.7));
        H5Fclose(file);
    }
    tru_results_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Bodies of an emitter get columns when they come; before, they are NaN. */
TEST(columns_of_bodies_to_come) {
    tru_scene *scene = scene_of(RAIN_RUN);
    const char *dir = folder_path("rain");
    run_whole(scene, dir);
    const hid_t file = h5_open(join(dir, "run.h5"));
    size_t n, frames, rows;
    double *x = h5_column(file, "/frames/position", NULL, &frames), *time = h5_column(file, "/frames/time", NULL, &n);
    double *value = h5_column(file, "/probes/value", NULL, &rows);
    check_close(value[2 * rows - 1], 13.0, 0.0, 0.0);
    check_status((long long)h5_rows(file, "/bodies/body"), 13);
    for (size_t b = 1; b < 13; b++) {
        const double born = (double)(b - 1) / 40.0; /* [s] due; it may have waited for room */
        check(isnan(x[3 * b]) || b == 1);
        check(!isnan(x[(frames - 1) * 39 + 3 * b]));
        for (size_t f = 0; f < frames; f++) check(time[f] > born || isnan(x[39 * f + 3 * b]));
    }
    free(x), free(time), free(value);
    H5Fclose(file);
    tru_scene_free(scene);
}

/* Bodies that left are NaN from then on; every one of them has its row, and the events of all name one. */
TEST(columns_of_bodies_that_left) {
    tru_scene *scene = scene_of(LEAVE_RUN);
    const char *dir = folder_path("leave");
    run_whole(scene, dir);
    const hid_t file = h5_open(join(dir, "run.h5"));
    size_t frames, events, left = 0;
    double *x = h5_column(file, "/frames/position", NULL, &frames),
           *who = h5_column(file, "/events", "body_a", &events);
    check_status((long long)h5_rows(file, "/bodies/body"), 13);
    for (size_t b = 1; b < 13; b++) {
        size_t turns = 0; /* from there to gone, or back */
        for (size_t f = 1; f < frames; f++) turns += isnan(x[39 * f + 3 * b]) != isnan(x[39 * (f - 1) + 3 * b]);
        const bool there_first = !isnan(x[3 * b]), there_last = !isnan(x[39 * (frames - 1) + 3 * b]);
        check(turns == (size_t)(there_first ? 0 : 1) + (there_last ? 0 : 1));
        left += !there_last;
    }
    for (size_t i = 0; i < events; i++) check(who[i] >= 0.0);
    check(left > 3 && left < 12);
    free(x), free(who);
    H5Fclose(file);
    tru_scene_free(scene);
}

/* ---- resume ---- */

static void check_resume(const char *text, const char *name) {
    const uint64_t stops[] = {0, 1, 2, 50, 77, 123, 250, 399};
    char path[100];
    tru_scene *scene = scene_of(text);
    snprintf(path, sizeof path, "%s-whole", name);
    const char *whole = folder_path(path);
    run_whole(scene, whole);
    snprintf(path, sizeof path, "%s-parts", name);
    const char *parts = folder_path(path);
    run_resumed(scene, parts, stops[0], false); /* an empty folder: from the start */
    for (size_t i = 1; i < sizeof stops / sizeof *stops; i++) run_resumed(scene, parts, stops[i], false);
    const uint64_t hash = run_resumed(scene, parts, UINT64_MAX, true);
    check(h5_equal(join(whole, "run.h5"), join(parts, "run.h5")));
    tru_sim *sim = sim_of(scene);
    tru_error err;
    RUN(tru_sim_run(sim, UINT64_MAX, &err));
    check(hash == tru_state_hash(tru_sim_world(sim)));
    /* a finished run resumes to itself */
    run_resumed(scene, parts, UINT64_MAX, true);
    check(h5_equal(join(whole, "run.h5"), join(parts, "run.h5")));
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(resumed_run_equals_whole_run) { check_resume(BALL_RUN, "ball"); }
TEST(resumed_leaving_equals_whole_leaving) { check_resume(LEAVE_RUN, "leaves"); }
TEST(resumed_rain_equals_whole_rain) { check_resume(RAIN_RUN, "rains"); }

/* Events and summary too: they are not all in the file. */
TEST(resumed_summary_equals_whole_summary) {
    tru_scene *scene = scene_of(BALL_RUN);
    const char *whole = folder_path("summary-whole"), *parts = folder_path("summary-parts");
    size_t a, b;
    run_whole(scene, whole);
    run_resumed(scene, parts, 111, false);
    run_resumed(scene, parts, UINT64_MAX, true);
    char *one = (char *)file_bytes(join(whole, "summary.json"), &a),
         *two = (char *)file_bytes(join(parts, "summary.json"), &b);
    one[a] = two[b] = '\0';
    char *from = strstr(one, "\"done\""), *to = strstr(two, "\"done\""); /* behind the wall time */
    check_str(to, from);
    free(one), free(two);
    tru_scene_free(scene);
}

TEST(snapshots_change_nothing) {
    tru_error err;
    tru_results *r;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *whole = folder_path("plain"), *many = folder_path("many");
    run_whole(scene, whole);
    tru_sim *sim = sim_of(scene);
    RUN(tru_results_create(many, sim, scene, TRU_RESULTS_NEW, &r, &err));
    for (uint64_t stop = 1; stop < 700; stop += 23) {
        run_recorded(sim, r, stop);
        RUN(tru_results_snapshot(r, &err));
    }
    run_recorded(sim, r, UINT64_MAX);
    RUN(tru_results_finish(r, 0.0, &err));
    tru_results_free(r);
    tru_sim_free(sim);
    check(h5_equal(join(whole, "run.h5"), join(many, "run.h5")));
    tru_scene_free(scene);
}

/* Snapshots come by themselves when their wall time has passed, and a run that just vanishes continues from the last. */
TEST(snapshots_by_wall_time) {
    tru_error err;
    tru_results *r;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *whole = folder_path("calm"), *hasty = folder_path("hasty");
    run_whole(scene, whole);
    tru_sim *sim = sim_of(scene), *next = sim_of(scene);
    sim->plan.snapshots = 1e-9;
    RUN(tru_results_create(hasty, sim, scene, TRU_RESULTS_NEW, &r, &err));
    run_recorded(sim, r, 301);
    tru_results_free(r);
    tru_sim_free(sim);
    RUN(tru_sim_resume(next, scene, hasty, &err));
    check_status((long long)tru_steps_done(tru_sim_world(next)), 301);
    tru_sim_free(next);
    run_resumed(scene, hasty, UINT64_MAX, true);
    check(h5_equal(join(whole, "run.h5"), join(hasty, "run.h5")));
    tru_scene_free(scene);
}

/* A run that was finished continues to a later end as if it had never stopped; its last frame, off the beat, is dropped. */
TEST(a_finished_run_goes_on) {
    tru_error err;
    tru_results *r;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *whole = folder_path("long"), *parts = folder_path("short");
    run_whole(scene, whole);
    tru_sim *sim = sim_of(scene);
    RUN(tru_sim_set_until(sim, 0.3, &err));
    RUN(tru_results_create(parts, sim, scene, TRU_RESULTS_NEW, &r, &err));
    run_recorded(sim, r, UINT64_MAX);
    RUN(tru_results_finish(r, 0.0, &err));
    tru_results_free(r);
    tru_sim_free(sim);
    run_resumed(scene, parts, UINT64_MAX, true);
    check(h5_equal(join(whole, "run.h5"), join(parts, "run.h5")));
    tru_scene_free(scene);
}

/* A fresh run in an old folder replaces everything. */
TEST(a_fresh_run_replaces_an_old_one) {
    tru_scene *ball = scene_of(BALL_RUN), *rain = scene_of(RAIN_RUN);
    const char *dir = folder_path("again"), *other = folder_path("other");
    run_whole(rain, dir);
    run_whole(ball, dir);
    run_whole(ball, other);
    check(h5_equal(join(dir, "run.h5"), join(other, "run.h5")));
    check(!exists(join(dir, "run.h5.part")) && !exists(join(dir, "snapshot.tru.part")));
    tru_scene_free(ball);
    tru_scene_free(rain);
}
