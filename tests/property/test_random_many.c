/* test_random_many.c: what must hold for any few bodies that meet each other, joints, loads and driven bodies: every shape, law
 * and stepper for many bodies, over the ranges of random_draw.h. Options are in random_scene.h; an hour by hand:
 * property.random_many --seconds=900. */
#define _POSIX_C_SOURCE 200809L
#include "random_ladder.h"
#include "random_run.h"

#include <glob.h>

/* Known violations; the integrator removes a row when its fix has landed. */
static const pending_row pending[] = {
    {NULL, NULL, NULL},
};

static char text[SCENE_ROOM];

/* Steppers for many bodies. */
static bool way_for_many(const way *how) { return !how->rolls && strcmp(how->name, "event") != 0; }

TEST(nothing_breaks) {
    book b = book_open("nothing_breaks", 300, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, "many breaks", number);
        random_scene s = draw_many(&d, &b, false);
        s.step = fmax(s.step * draw_scale(&d, 0.1, 1.0), 1e-7);
        for (int k = 0; k < WAYS; k++)
            if (way_for_many(&ways[k])) check_run(&b, &s, &ways[k], 60, text);
    }
    book_close(&b);
}

static bool all_round(const random_scene *s) {
    bool round = true;
    for (int k = 0; k < s->body_count; k++)
        round = round && (s->bodies[k].shape == SPHERE || s->bodies[k].shape == ELLIPSOID);
    return round;
}

/* Stacks that touch from the start on, and bodies that meet later; where surfaces allow it, some with Hertz's contacts. */
TEST(runs_in_pieces_tell_the_same) {
    book b = book_open("runs_in_pieces_tell_the_same", 100, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        const bool stacks = number % 4 == 0;
        random_scene s = stacks ? draw_stacks(&d, &b) : draw_many(&d, &b, false);
        const random_law law = all_round(&s) && draw_chance(&d, 0.5) ? LAW_TRACK_HERTZ : LAW_ROLLING;
        if (stacks || law == LAW_TRACK_HERTZ)
            draw_laws(&d, law, s.length, s.bodies[0].mass, s.speed, s.laws, sizeof s.laws);
        if (law == LAW_TRACK_HERTZ) s.step *= draw_scale(&d, 0.03, 1.0); /* what Hertz's stiffness needs */
        for (int k = 0; k < WAYS; k++) {
            draws cuts = d;
            if (way_for_many(&ways[k])) check_pieces(&b, &s, &ways[k], &cuts, 60, text);
        }
    }
    book_close(&b);
}

/* As for one body: twice the energy of the start, and for each body what one step can lift it and an upright start. */
static double energy_band(const random_scene *s, const tru_ledger *start) {
    const double g = v3_norm(s->gravity);
    double band = 2.0 * start->kinetic + start->potential + start->stored;
    for (int k = 0; k < s->body_count; k++) {
        const random_body *b = &s->bodies[k];
        const double r = body_radius(b), way_of_step = v3_norm(b->velocity) + r * v3_norm(b->rate);
        if (b->kind == TRU_FREE)
            band += 2.0 * b->mass * g * (2.0 * r + v3_norm(b->position) + s->step * (way_of_step + g * s->step));
    }
    return band;
}

TEST(long_steps_fail_or_keep_the_energy) {
    book b = book_open("long_steps_fail_or_keep_the_energy", 100, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, "many long", number);
        random_scene s = draw_many(&d, &b, true);
        s.step *= draw_scale(&d, 1.0, 100.0);
        s.until = 100.0 * s.step;
        for (int k = 0; k < WAYS; k++) {
            opened o;
            tru_error err;
            tru_status status = TRU_OK;
            if (!way_for_many(&ways[k]) || !book_try(&b, &s, &ways[k], s.step, "", text, &o)) continue;
            tru_ledger l = tru_world_ledger(o.world);
            const tru_ledger first = l;
            const double start = l.kinetic + l.potential + l.stored, band = energy_band(&s, &l);
            double most = start;
            for (int i = 0; i < 100 && status == TRU_OK && most <= band; i++) {
                status = tru_run(o.world, 1, &err);
                l = tru_world_ledger(o.world);
                if (status == TRU_OK) most = fmax(most, ledger_grown(&l, &first));
            }
            if (status != TRU_OK) book_stop(&b, &s, &ways[k], &err);
            book_check(&b, most <= band, &s, &ways[k], text,
                       "energy from %.4g to %.4g J in %" PRIu64 " steps, band %.4g J, every step converged", start,
                       most, tru_steps_done(o.world), band);
            scene_close(&o);
        }
    }
    book_close(&b);
}

/* ---- solvers agree */

typedef struct solver_block {
    const char *name, *block;
} solver_block;
static const solver_block solvers[] = {
    {"newton", ", solver: {newton: {tolerance: 1e-13, max_steps: 1000}}"},
    {"proxnewton", ", solver: {proxnewton: {tolerance: 1e-12, iterations: 1000}}"},
    {"ngs",
     ", solver: {ngs: {tolerance: 1e-10, iterations: 100000, dense_limit: 0, factor_cost_limit: 0, precision: double}}"},
    {"sor",
     ", solver: {sor: {tolerance: 1e-10, iterations: 100000, dense_limit: 0, factor_cost_limit: 0, relaxation: 1}}"},
    {"apgd", ", solver: {apgd: {tolerance: 1e-10, iterations: 100000, dense_limit: 0, factor_cost_limit: 0}}"},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };
#define MOST_WRONG 1e-9 /* [-] of the speed: sweeps allow their worst contact ten times the tolerance (stopping.c) */

enum { MANY_CONTACTS = 200 };

/* Velocities after one step by one solver, and how far they are from the laws. */
typedef struct answer {
    tru_vec3 v[RANDOM_BODIES], w[RANDOM_BODIES];
    double impulse[MANY_CONTACTS][TRU_ROWS]; /* [N s], [N m s] */
    size_t contacts;
    tru_verdict verdict;
    bool converged, ran;
} answer;

static void take_impulses(const tru_world *w, answer *a) {
    a->contacts = tru_contact_count(w);
    for (size_t k = 0; k < a->contacts; k++) {
        tru_contact_info c;
        if (k == MANY_CONTACTS || tru_contact_get(w, k, &c, NULL) < 0) exit(1);
        memcpy(a->impulse[k], c.impulse, sizeof c.impulse);
    }
}

static answer answer_of(book *b, const random_scene *s, const way *how, const solver_block *by) {
    answer a = {.ran = false};
    opened o;
    tru_error err;
    if (!book_try(b, s, how, s->step, by->block, text, &o)) return a;
    const tru_status status = tru_run(o.world, 1, &err);
    a.ran = status >= 0;
    if (status < 0) book_stop(b, s, how, &err);
    a.converged = status == TRU_OK && tru_judge(o.world, &a.verdict, &err) >= 0;
    take_impulses(o.world, &a);
    for (int k = 0; k < s->body_count; k++) {
        const tru_body_state state = state_of(o.world, k);
        a.v[k] = state.velocity;
        a.w[k] = state.angular_velocity;
    }
    scene_close(&o);
    return a;
}

/* Largest difference of two answers, in parts of gravity times step. */
static double answer_distance(const random_scene *s, const answer *a, const answer *b) {
    double most = 0.0;
    for (int k = 0; k < s->body_count; k++)
        most = fmax(most, fmax(v3_norm(v3_sub(a->v[k], b->v[k])), s->length * v3_norm(v3_sub(a->w[k], b->w[k]))));
    return most / (earth_gravity * s->step);
}

/* Mass and inertia of the bodies, as the library has them. */
static void masses_of(const random_scene *s, tru_body_info info[RANDOM_BODIES]) {
    char block[SCENE_ROOM];
    opened o;
    tru_error err;
    if (!scene_open_with(s, way_named("cone-relaxed"), s->step, "", 1, block, &o, &err)) exit(1);
    for (int k = 0; k < s->body_count; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        if (tru_body_describe(o.world, tru_body_find(o.world, name), &info[k], &err) < 0) exit(1);
    }
    scene_close(&o);
}

/* [kg^1/2 m/s] Difference of two answers in the norm of the masses, at the pose of the start, where the laws acted. */
static double mass_distance(const random_scene *s, const tru_body_info *info, const answer *a, const answer *b) {
    double sum = 0.0;
    for (int k = 0; k < s->body_count; k++) {
        const tru_vec3 i = info[k].inertia, p = info[k].products, v = v3_sub(a->v[k], b->v[k]);
        const tru_vec3 w = quat_unrotate(s->bodies[k].attitude, v3_sub(a->w[k], b->w[k]));
        sum += info[k].mass * v3_norm2(v) + i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z +
               2.0 * (p.x * w.x * w.y + p.y * w.x * w.z + p.z * w.y * w.z);
    }
    return sqrt(sum);
}

/* [m/s] What rounding leaves open of an answer. A velocity is the sum of the one before and of impulses over masses; the judge forms
 * p - P u and its projection, with 1/P up to the response of a contact to its own impulse. So rates below the last bits of v and of
 * p/P are not seen: scene 333 of seed 61803 is one ball of 1.5e-9 kg at 0.01 m/s, whose last bit is 1.7e-18 m/s; two solvers give
 * velocities that differ by 1e-18 m/s, and the judge tells 0 of both. Each of the sums has a few terms more than contacts. */
static double rounding(const random_scene *s, const tru_body_info *info, const answer *a) {
    double push = 0.0, speed = 0.0, response = 0.0;
    for (size_t k = 0; k < a->contacts; k++)
        push +=
            fabs(a->impulse[k][TRU_ROW_NORMAL]) + hypot(a->impulse[k][TRU_ROW_SLIDE1], a->impulse[k][TRU_ROW_SLIDE2]);
    for (int k = 0; k < s->body_count; k++) {
        const tru_vec3 i = info[k].inertia;
        const random_body *b = &s->bodies[k];
        speed = fmax(speed, v3_norm(b->velocity) + info[k].size * v3_norm(b->rate));
        response = fmax(response, 1.0 / info[k].mass + info[k].size * info[k].size / fmin(i.x, fmin(i.y, i.z)));
    }
    return (4.0 + (double)a->contacts) * DBL_EPSILON * (speed + earth_gravity * s->step + push * response);
}

/* How far two answers of the convex problem can be from each other, in the norm of the masses. The judge's distance from the laws is
 * e = P^-1 (gamma - y), y the projection of gamma - P g onto the cone, g = u + bias. By that projection y is in the cone, g - e in its
 * dual, and their product is 0, so that for two answers (y_a - y_b) . (g_a - e_a - g_b + e_b) <= 0. With d = a - b and |dv|^2 =
 * dgamma . dg this is |dv|^2 <= dgamma . de + (P de) . dg. The first product is known but for the directions of e; in the
 * second P is not larger than the inverse of a contact's own block, so it is at most |dv| sqrt(n sum P de^2). Motion that no
 * impulse explains, m, adds |dv| |m|, and so does rounding. Two rows of a kind have an error sqrt(2) times that of the worse. */
static double mass_bound(const random_scene *s, const tru_body_info *info, const answer *a, const answer *b) {
    double e[TRU_KINDS], mass = 0.0, size = 0.0, linear = 0.0;
    for (int k = 0; k < s->body_count; k++) mass += info[k].mass, size = fmax(size, info[k].size);
    for (int kind = 0; kind < TRU_KINDS; kind++) e[kind] = sqrt(2.0) * (a->verdict.law[kind] + b->verdict.law[kind]);
    for (size_t k = 0; k < a->contacts; k++) {
        double d[TRU_ROWS];
        for (int row = 0; row < TRU_ROWS; row++) d[row] = a->impulse[k][row] - b->impulse[k][row];
        linear += e[TRU_KIND_NORMAL] * fabs(d[TRU_ROW_NORMAL]) +
                  e[TRU_KIND_SLIDE] * hypot(d[TRU_ROW_SLIDE1], d[TRU_ROW_SLIDE2]) +
                  e[TRU_KIND_SPIN] * fabs(d[TRU_ROW_SPIN]) +
                  e[TRU_KIND_ROLL] * hypot(d[TRU_ROW_ROLL1], d[TRU_ROW_ROLL2]);
    }
    const double off = e[TRU_KIND_NORMAL] + e[TRU_KIND_SLIDE] + size * (e[TRU_KIND_SPIN] + e[TRU_KIND_ROLL]);
    const double moved = a->verdict.momentum + b->verdict.momentum + size * (a->verdict.spin + b->verdict.spin) +
                         rounding(s, info, a) + rounding(s, info, b);
    return sqrt(linear) + sqrt(mass) * ((double)a->contacts * off + moved);
}

/* The relaxed form is a convex problem with one answer: every solver that says it converged is within what its own distance from the
 * laws allows. The exact form may have several; answers that all pass the judge but differ are counted and printed. */
TEST(solvers_agree) {
    book b = book_open("solvers_agree", 200, pending);
    long several = 0, compared[2] = {0, 0};
    double nearest = 0.0, worst = 0.0; /* largest part of a bound that was needed; judged error in parts of the speed */
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = draw_stacks(&d, &b);
        const random_law laws[] = {LAW_NONE, LAW_COULOMB, LAW_ROLLING, LAW_ROLLING};
        draw_laws(&d, laws[draw_below(&d, 4)], s.length, s.bodies[0].mass, s.speed, s.laws, sizeof s.laws);
        const way *forms[] = {way_named("cone-relaxed"), way_named("cone")};
        tru_body_info info[RANDOM_BODIES];
        double scale = earth_gravity * s.step; /* [m/s] what tolerances are parts of */
        for (int k = 0; k < s.body_count; k++)
            scale = fmax(scale, v3_norm(s.bodies[k].velocity) + s.length * v3_norm(s.bodies[k].rate));
        masses_of(&s, info);
        for (int f = 0; f < 2; f++) {
            answer first = {.ran = false};
            for (int k = 0; k < SOLVERS; k++) {
                const answer a = answer_of(&b, &s, forms[f], &solvers[k]);
                if (!a.ran || !a.converged) continue;
                const double wrong = fmax(a.verdict.law[TRU_KIND_NORMAL], a.verdict.law[TRU_KIND_SLIDE]);
                worst = fmax(worst, wrong / scale);
                book_check(&b, wrong <= MOST_WRONG * scale, &s, forms[f], text,
                           "%s converged, but is %.3g m/s from the laws at speeds of %.3g m/s", solvers[k].name, wrong,
                           scale);
                if (!first.ran) {
                    first = a;
                    continue;
                }
                const double off = answer_distance(&s, &first, &a);
                compared[f]++;
                if (f == 0) {
                    const double apart = mass_distance(&s, info, &first, &a), bound = mass_bound(&s, info, &first, &a);
                    nearest = fmax(nearest, apart / bound);
                    book_check(&b, apart <= bound, &s, forms[f], text,
                               "%s is %.3g g h from the first answer: %.3g, with bound %.3g kg^1/2 m/s",
                               solvers[k].name, off, apart, bound);
                } else if (off > 1e-5)
                    several++, printf("%" PRIu64 " (%s, %.2g g h) ", number, solvers[k].name, off);
            }
        }
    }
    printf("are scenes whose exact form has further answers\n");
    printf(
        "relaxed form: %ld answers compared, differences up to %.3g of what their residuals allow; judged errors up to %.3g of the speed; exact form: %ld compared, "
        "%ld further answers that pass the judge\n",
        compared[0], nearest, worst, compared[1], several);
    book_close(&b);
}

/* ---- the numerical part of the ledger falls with the step */

/* [m] The deepest overlap in a run of `steps`; 0 if it was refused or stopped. */
static double deepest_overlap(book *b, const random_scene *s, const way *how, int steps) {
    opened o;
    tru_error err;
    tru_contact_info c;
    double deep = 0.0;
    if (!book_try(b, s, how, s->until / steps, "", text, &o)) return 0.0;
    for (int i = 0; i < steps && tru_run(o.world, 1, &err) >= 0; i++)
        for (size_t k = 0; k < tru_contact_count(o.world); k++)
            if (tru_contact_get(o.world, k, &c, &err) >= 0) deep = fmax(deep, -c.gap);
    scene_close(&o);
    return deep;
}

/* Springs are given a compliance that the lightest body's contacts can follow. Where heavy bodies sink into each other by more
 * than 0.03 of the length, the points of faces and edges that meet change while they overlap, and the energy of their springs
 * comes and goes with them at any step: that is the limit of soft contacts, and no error of the step. */
TEST(numerical_part_falls_with_joints_and_drives) {
    book b = book_open("numerical_part_falls_with_joints_and_drives", 6, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = draw_many(&d, &b, false);
        double mass = HUGE_VAL;
        for (int k = 0; k < s.body_count; k++) mass = fmin(mass, s.bodies[k].mass);
        s.until = 2.0 * s.length / s.speed;
        for (int k = 0; k < WAYS; k++) {
            random_scene own = s;
            const int steps = ways[k].soft ? 400 : 64;
            if (!way_for_many(&ways[k]) || (ways[k].lifts && s.restitution > 0.0))
                continue; /* as over impacts of one body */
            if (ways[k].soft) own.compliance = 9.0 * s.until * s.until / ((double)steps * steps) / mass;
            if (ways[k].soft && deepest_overlap(&b, &own, &ways[k], steps) > 0.03 * s.length) continue;
            check_ladder(&b, &own, &ways[k], steps, 1.0, 1e-9, text);
        }
    }
    book_close(&b);
}

/* ---- the scenes of the tree */

/* Writes the path of the step of a stepper block, and the name of its stepper; false: the block has none. */
static bool step_path(const tru_scene *scene, const char *block, char path[200], const way **how) {
    static const char *const kinds[] = {"moreau", "cone", "event", "variational", "track"};
    double value;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const bool own = strcmp(block, kinds[k]) == 0;
        snprintf(path, 200, own ? "steppers.%s.step" : "steppers.%s.%s.step", block, kinds[k]);
        *how = way_named(kinds[k]);
        if (tru_scene_number(scene, path, &value, NULL, NULL) >= 0) return true;
    }
    return false;
}

/* Adds the numerical part of `seconds` of a scene file in steps of `step`. */
static bool add_file_numerical(const char *file, const char *block, const char *path, double seconds, int count,
                               double *part, tru_ledger *last) {
    char value[60];
    const tru_set set = {path, value};
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    tru_error err;
    snprintf(value, sizeof value, "%.17g s", seconds / count);
    bool good = tru_scene_read(file, &set, 1, &scene, &err) >= 0 && tru_sim_create(scene, block, 1, &sim, &err) >= 0;
    good = good && tru_run(tru_sim_world(sim), (uint64_t)count, &err) >= 0;
    if (good) *last = tru_world_ledger(tru_sim_world(sim));
    if (good) *part += ledger_numerical(last) / PHASES;
    if (!good && check_option("--stops")) printf("%s, %s: stopped: %s\n", file, block, err.text);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return good;
}

enum { FILE_STEPS = 60, FILE_BODIES = 12 };

static void check_file_block(book *b, random_scene *s, const char *file, const char *short_name, const char *block) {
    tru_scene *scene;
    tru_sim *sim = NULL;
    tru_error err;
    char path[200];
    const way *how;
    double part[MORE_RUNGS] = {0.0}, step[MORE_RUNGS], base = 0.0;
    tru_ledger last = {0};
    if (tru_scene_read(file, NULL, 0, &scene, &err) < 0) exit(1);
    bool wanted =
        step_path(scene, block, path, &how) && book_wants(b, how) && tru_sim_create(scene, block, 1, &sim, &err) >= 0;
    wanted = wanted && (tru_body_count(tru_sim_world(sim)) <= FILE_BODIES || check_option("--piles"));
    if (wanted) base = tru_step_size(tru_sim_world(sim));
    const double seconds = wanted ? fmin(tru_sim_until(sim), FILE_STEPS * base) : 0.0;
    tru_sim_free(sim);
    tru_scene_free(scene);
    if (!wanted) return;
    const double begun = clock_now();
    int first = 0, rungs = 0, count = (int)ceil(seconds / base * (1.0 - 1e-9));
    b->ran[how - ways]++;
    for (; rungs < MORE_RUNGS && rungs < first + RUNGS; rungs++, count *= 3) {
        step[rungs] = 1.0 / count;
        for (int j = 0; j < PHASES; j++)
            if (!add_file_numerical(file, block, path, seconds, count + count * j / 15, &part[rungs], &last)) return;
        if (part[rungs] > part[first] && part[rungs] > 1e-9 * ledger_largest(&last)) first = rungs;
        if (rungs == 0 && clock_now() - begun > 0.05 && !check_option("--piles")) {
            printf("%s, %s: left out, its first rung takes %.2g s; --piles takes it in\n", short_name, block,
                   clock_now() - begun);
            return;
        }
    }
    const double unit = ledger_largest(&last), *end = &part[rungs - RUNGS];
    if (end[RUNGS - 1] <= 1e-9 * unit) return;
    const double slope = fitted_slope(&step[rungs - RUNGS], end, RUNGS);
    book_check(b, slope >= 0.6, s, how, "",
               "%s, %s: numerical part %.3g, %.3g, %.3g, %.3g of the largest entry, slope %.2f, mostly %s", short_name,
               block, end[0] / unit, end[1] / unit, end[2] / unit, end[3] / unit, slope, ledger_worst(&last));
}

/* Every scene of scenes/ with at most FILE_BODIES bodies, its first FILE_STEPS steps, by each of its stepper blocks; --piles takes
 * the large ones too. */
TEST(numerical_part_falls_in_scene_files) {
    book b = book_open("numerical_part_falls_in_scene_files", 1, pending);
    glob_t files;
    if (glob(TRUNDLE_SOURCE_DIR "/scenes/*/*.yaml", 0, NULL, &files) != 0) exit(1);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        random_scene s = {.test = b.test, .number = i, .body_count = 1};
        tru_scene *scene;
        tru_error err;
        const char *file = files.gl_pathv[i], *only = option_text("--file");
        if ((only && !strstr(file, only)) || tru_scene_read(file, NULL, 0, &scene, &err) < 0) continue;
        for (size_t k = 0; tru_scene_stepper(scene, k); k++)
            check_file_block(&b, &s, file, tru_scene_name(scene), tru_scene_stepper(scene, k));
        tru_scene_free(scene);
    }
    globfree(&files);
    b.done = 1;
    book_close(&b);
}
