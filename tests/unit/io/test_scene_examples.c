/* Every file under scenes/ reads, resolves and builds; the examples end where elementary mechanics says. */
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include <dirent.h>

#define SCENES TRUNDLE_SOURCE_DIR "/scenes"

static void check_file(const char *path) {
    tru_scene *s = NULL;
    tru_error err = {TRU_OK, ""};
    if (!check_status(tru_scene_read(path, NULL, 0, &s, &err), TRU_OK)) {
        printf("  %s\n", err.text);
        return;
    }
    tru_scene *again = scene_of(tru_scene_text(s));
    check(tru_scene_hash(again) == tru_scene_hash(s));
    check(*tru_scene_title(s) != '\0' && tru_scene_stepper(s, 0) != NULL);
    for (size_t k = 0; tru_scene_stepper(s, k); k++) {
        tru_sim *sim = NULL; /* with its probes and stop conditions */
        const tru_status made = tru_sim_create(s, tru_scene_stepper(s, k), 1, &sim, &err);
        /* the only remark of a good scene: the restitution that soft contacts have */
        if (!check(made == TRU_OK || (made == TRU_REMARK && strstr(err.text, "stepper track: restitution"))))
            printf("  %s\n", err.text);
        tru_sim_free(sim);
    }
    tru_scene_free(again);
    tru_scene_free(s);
}

/* Files of a folder and the folders in it. */
static int check_folder(const char *folder, int depth) {
    int count = 0;
    DIR *dir = opendir(folder);
    if (!check(dir != NULL)) return 0;
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char path[1000];
        const char *dot = strrchr(e->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!dot && depth > 0) count += check_folder(path, depth - 1);
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        check_file(path);
        count++;
    }
    closedir(dir);
    return count;
}

TEST(every_scene_is_good) { check(check_folder(SCENES, 2) >= 6); }

/* ---- the examples ---- */

static double parameter(const tru_scene *s, const char *name) {
    double value = NAN;
    check_status(tru_scene_number(s, name, &value, NULL, NULL), TRU_OK);
    return value;
}

/* A scene run to its end, and what its probes say. */
typedef struct run {
    tru_scene *scene;
    tru_sim *sim;
} run;

static run run_example(const char *name, const tru_set *sets, size_t count) {
    char path[1000];
    run r = {NULL, NULL};
    tru_error err = {TRU_OK, ""};
    snprintf(path, sizeof path, SCENES "/examples/%s.yaml", name);
    tru_status s = tru_scene_read(path, sets, count, &r.scene, &err);
    if (!s) s = tru_sim_create(r.scene, NULL, 1, &r.sim, &err);
    if (!s) s = tru_sim_run(r.sim, UINT64_MAX / 2, &err);
    if (!check_status(s, TRU_OK)) printf("  %s\n", err.text);
    return r;
}

static double probe(const run *r, const char *name) {
    size_t k;
    if (!check_status(tru_sim_probe(r->sim, name, &k, NULL, NULL), TRU_OK)) return NAN;
    return tru_sim_value(r->sim, k);
}

static void end(run *r) {
    tru_sim_free(r->sim);
    tru_scene_free(r->scene);
}

TEST(sliding_ball_ends_at_five_sevenths) {
    run r = run_example("sliding-ball", NULL, 0);
    const double speed = parameter(r.scene, "speed"), radius = parameter(r.scene, "radius");
    check_close(probe(&r, "ball.speed"), 5.0 / 7.0 * speed, 1e-9, 0.0);
    check_close(probe(&r, "ball.angular_speed"), 5.0 / 7.0 * speed / radius, 1e-9, 0.0);
    const double mass = 1800.0 * 4.0 / 3.0 * 3.14159265358979324 * pow(radius, 3.0);
    const double sliding = 2.0 * speed / (7.0 * parameter(r.scene, "friction") * 9.81), h = 1e-3;
    check_close(probe(&r, "energy.dissipated"), mass * speed * speed / 7.0, h * h / (sliding * sliding),
                0.0); /* 2/7 of m v^2/2; the step of the transition is second order */
    end(&r);
}

TEST(spinning_ball_stops_in_time) {
    run r = run_example("spinning-ball", NULL, 0);
    const double radius = parameter(r.scene, "radius"), rate = parameter(r.scene, "rate");
    const double stop = 0.4 * radius * radius * rate / (parameter(r.scene, "spin") * 9.81);
    check_str(tru_sim_reason(r.sim), "all bodies are at rest");
    check_close(tru_time(tru_sim_world(r.sim)), stop, 0.0, 3e-3); /* within the steps that call it rest */
    const double mass = 700.0 * 4.0 / 3.0 * 3.14159265358979324 * pow(radius, 3.0);
    check_close(probe(&r, "ledger.spin"), 0.2 * mass * radius * radius * rate * rate, 1e-6, 0.0);
    end(&r);
}

TEST(ball_on_incline_rolls_or_slides) {
    run r = run_example("ball-on-incline", NULL, 0);
    const double tilt = parameter(r.scene, "tilt"), along = 0.5 * 5.0 / 7.0 * 9.81 * sin(tilt);
    check_close(probe(&r, "ball.speed"), 2.0 * along, 1e-9, 0.0);
    check_close(probe(&r, "ball.position.x"), 0.05 * sin(tilt) + along * cos(tilt), 1e-5, 0.0);
    end(&r);
    const tru_set steep[] = {{"tilt", "60 deg"}};
    r = run_example("ball-on-incline", steep, 1);
    const double angle = 3.14159265358979324 / 3.0;
    check_close(probe(&r, "ball.speed"), 9.81 * (sin(angle) - 0.3 * cos(angle)), 1e-9, 0.0);
    check_close(probe(&r, "ball.angular_speed"), 2.5 * 0.3 * 9.81 * cos(angle) / 0.05, 1e-9, 0.0);
    end(&r);
}

TEST(box_on_incline_stays_or_goes) {
    run r = run_example("box-on-incline", NULL, 0);
    const double tilt = parameter(r.scene, "tilt");
    check(probe(&r, "box.speed") < 1e-12);
    end(&r);
    const tru_set go[] = {{"start.0.slide", "slipping"}};
    r = run_example("box-on-incline", go, 1);
    check_close(probe(&r, "box.speed"), 9.81 * (sin(tilt) - 0.25 * cos(tilt)), 1e-9, 0.0);
    end(&r);
}

/* The ball is highest again a time e v/g after its first impact, at e^2 of its height; a step of 0.1 ms cuts the
 * impact short by up to v h of height. */
TEST(bouncing_balls_come_back) {
    static const struct {
        const char *name;
        double e;
    } balls[] = {{"rubber.position.z", 0.9}, {"wood.position.z", 0.6}};
    const double v = sqrt(2.0 * 9.81 * 1.0), fall = v / 9.81;
    for (int k = 0; k < 2; k++) {
        char until[40];
        snprintf(until, sizeof until, "%.6f s", fall * (1.0 + balls[k].e));
        const tru_set sets[] = {{"record.until", until}};
        run r = run_example("bouncing-balls", sets, 1);
        check_close(probe(&r, balls[k].name), 0.02 + balls[k].e * balls[k].e, 0.0, 2.0 * v * 1e-4);
        end(&r);
    }
}
