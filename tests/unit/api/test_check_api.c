/* What tru_check finds before a run: materials without a law however many there are, friction lengths without a radius or
 * above one. */
#include "check.h"
#include "worlds.h"

#include <trundle/plugin.h>

enum { DEFAULT_MATERIAL = 1 }; /* the id of "default", which every world begins with */

static tru_world *empty_world(void) {
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    return w;
}

static tru_id add_body(tru_world *w, const char *name, int32_t kind, const char *shape, const void *params,
                       tru_id material, tru_vec3 x) {
    return kit_add_body(w, {.name = name,
                            .kind = kind,
                            .shape = {shape, params},
                            .material = material,
                            .mass = kind == TRU_FREE ? 1.0 : 0.0,
                            .position = x});
}

static tru_status set_pair(tru_world *w, tru_id a, tru_id b, const tru_use *laws, size_t count) {
    tru_error err;
    tru_pair_def pair = tru_default_pair_def();
    pair.a = a;
    pair.b = b;
    pair.laws = laws;
    pair.law_count = count;
    const tru_status s = tru_pair_set(w, &pair, &err);
    MUST(s);
    return s;
}

/* A ball over many fixed ones, each of its own material and with a law for the ball, but for one: it is found wherever
 * it stands. */
TEST(a_missing_law_among_many_materials) {
    enum { MANY = 400 };
    const int missing[] = {0, 7, 127, 128, 254, 255, 256, 300, 399};
    for (size_t m = 0; m < sizeof missing / sizeof *missing; m++) {
        static tru_id material[MANY];
        char name[40], says[200];
        tru_error err = {TRU_OK, ""};
        tru_world *w = empty_world();
        const tru_sphere ball = {0.1};
        const tru_use coulomb = {"coulomb", NULL};
        for (int k = 0; k < MANY; k++) {
            snprintf(name, sizeof name, "stuff-%d", k);
            MUST(tru_material_add(w, name, &material[k], &err));
            if (k != missing[m]) set_pair(w, DEFAULT_MATERIAL, material[k], &coulomb, 1);
            add_body(w, name, TRU_FIXED, "sphere", &ball, material[k], (tru_vec3){k, 0.0, 0.0});
        }
        add_body(w, "ball", TRU_FREE, "sphere", &ball, TRU_NONE, (tru_vec3){0.0, 0.0, 9.0});
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        check_status(tru_check(w, &err), TRU_NO_LAW);
        snprintf(
            says, sizeof says,
            "materials 'default' and 'stuff-%d' can touch (bodies 'ball' and 'stuff-%d') but have no law; a pair or "
            "a default must give one",
            missing[m], missing[m]);
        check_str(err.text, says);
        set_pair(w, DEFAULT_MATERIAL, material[missing[m]], &coulomb, 1);
        check_status(tru_check(w, &err), TRU_OK);
        tru_world_destroy(w);
    }
}

/* A ball that rolls, slides and spins on a flat body; its roll and spin lengths in one of three ways. */
static tru_world *ball_on(const char *shape, const void *params, double radius, const tru_length *length,
                          const char *stepper) {
    tru_error err;
    tru_world *w = empty_world();
    const tru_sphere ball = {radius};
    tru_coulomb slide = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    tru_track_law track = tru_default_track_law();
    slide.slide = track.slide = 0.3;
    rolling.roll = rolling.spin = track.roll = track.spin = *length;
    const tru_use laws[] = {{"coulomb", &slide}, {"rolling", &rolling}}, tracked = {"track", &track};
    const bool springs = strcmp(stepper, "track") == 0;
    const bool box = strcmp(shape, "box") == 0;
    set_pair(w, TRU_NONE, TRU_NONE, springs ? &tracked : laws, springs ? 1 : 2);
    add_body(w, "ground", TRU_FIXED, shape, params, TRU_NONE, (tru_vec3){0.0, 0.0, box ? -5.0 * radius : 0.0});
    const tru_id id = add_body(w, "ball", TRU_FREE, "sphere", &ball, TRU_NONE, (tru_vec3){0.0, 0.0, radius});
    const double speed = sqrt(9.81 * radius);
    tru_body_state state;
    MUST(tru_body_get(w, id, &state, &err));
    state.velocity = (tru_vec3){speed, 0.5 * speed, 0.0};
    state.angular_velocity = (tru_vec3){0.0, 0.2 * speed / radius, 3.0 * speed / radius};
    MUST(tru_body_set(w, id, &state, &err));
    if (springs) {
        tru_track p = tru_default_track();
        p.step = 1e-4 * sqrt(radius);
        MUST(tru_stepper_set(w, "track", &p, &err));
    } else if (strcmp(stepper, "cone") == 0) {
        tru_cone p = tru_default_cone();
        p.step = 1e-3 * sqrt(radius);
        MUST(tru_stepper_set(w, "cone", &p, &err));
    } else {
        kit_set_moreau(w, 1e-3 * sqrt(radius), TRU_MIDPOINT);
    }
    return w;
}

/* A box that is wide and flat is ground to a ball: a part of the ball's radius is the same motion as that length in metres,
 * to the last bit with `smaller` and to rounding with `effective`, however large the ball is. */
TEST(parts_of_a_radius_on_a_box) {
    static const char *const steppers[] = {"moreau", "cone", "track"};
    for (double radius = 0x1p-13; radius < 100.0; radius *= 32.0)
        for (int k = 0; k < 3; k++) {
            const tru_box box = {{200.0 * radius, 200.0 * radius, 10.0 * radius}};
            const tru_length lengths[] = {{.length = 0.0625 * radius},
                                          {.factor = 0.0625, .radius = TRU_RADIUS_SMALLER},
                                          {.factor = 0.0625, .radius = TRU_RADIUS_EFFECTIVE}};
            tru_body_state end[3];
            for (int l = 0; l < 3; l++) {
                tru_error err = {TRU_OK, ""};
                tru_world *w = ball_on("box", &box, radius, &lengths[l], steppers[k]);
                if (!check(tru_run(w, 300, &err) >= 0)) printf("  %s, %g m: %s\n", steppers[k], radius, err.text);
                MUST(tru_body_get(w, tru_body_find(w, "ball"), &end[l], &err));
                tru_world_destroy(w);
            }
            check(end[0].position.x > 0.01 * radius);
            if (!check(memcmp(&end[0], &end[1], sizeof end[0]) == 0)) printf("  %s, %g m\n", steppers[k], radius);
            check_close(end[2].position.x, end[0].position.x, 1e-9, 0.0);
            check_close(end[2].angular_velocity.z, end[0].angular_velocity.z, 1e-9, 0.0);
        }
}

/* Only where neither body has a radius a factor has no meaning. */
TEST(parts_of_a_radius_that_is_not_there) {
    const tru_box box = {{1.0, 1.0, 1.0}};
    const tru_sphere ball = {0.1};
    const tru_disk disk = {0.1, 0.01};
    const tru_ellipsoid egg = {{0.1, 0.2, 0.3}};
    const tru_capsule pill = {0.1, 0.2};
    const struct {
        const char *a;
        const void *pa;
        const char *b;
        const void *pb;
        bool good;
    } cases[] = {{"sphere", &ball, "box", &box, true},     {"sphere", &ball, "disk", &disk, true},
                 {"ellipsoid", &egg, "box", &box, true},   {"capsule", &pill, "box", &box, true},
                 {"sphere", &ball, "plane", NULL, true},   {"box", &box, "box", &box, false},
                 {"box", &box, "plane", NULL, false},      {"disk", &disk, "plane", NULL, false},
                 {"sphere", &ball, "sphere", &ball, true}, {"sphere", &ball, "ellipsoid", &egg, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tru_error err = {TRU_OK, ""};
        tru_world *w = empty_world();
        tru_rolling rolling = tru_default_rolling();
        rolling.roll = (tru_length){.factor = 0.1, .radius = TRU_RADIUS_EFFECTIVE};
        const tru_use law = {"rolling", &rolling};
        char says[300];
        const bool plane = !cases[k].pb;
        set_pair(w, TRU_NONE, TRU_NONE, &law, 1);
        add_body(w, "a", TRU_FREE, cases[k].a, cases[k].pa, TRU_NONE, (tru_vec3){0.0, 0.0, 9.0});
        add_body(w, "b", plane ? TRU_FIXED : TRU_FREE, cases[k].b, cases[k].pb, TRU_NONE, (tru_vec3){0.0, 0.0, 0.0});
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        snprintf(says, sizeof says,
                 "law rolling: a friction length is given in parts of a radius, but a contact of %s and %s has none; "
                 "give it as a length, 0.1 mm",
                 plane ? cases[k].b : cases[k].a, plane ? cases[k].a : cases[k].b);
        const tru_status s = tru_check(w, &err);
        if (cases[k].good)
            check_str(s == TRU_NO_MEMORY || strstr(err.text, "radius") ? err.text : "", "");
        else
            check_str(err.text, says);
        tru_world_destroy(w);
    }
}

/* A length above the radius of the smallest body it acts on is a remark, no error; at the radius there is none. */
TEST(lengths_above_the_radius) {
    for (double radius = 1e-4; radius < 200.0; radius *= 10.0)
        for (int above = 0; above < 2; above++)
            for (int spin = 0; spin < 2; spin++) {
                tru_error err = {TRU_OK, ""};
                tru_world *w = empty_world();
                tru_rolling rolling = tru_default_rolling();
                const double length = above ? 1.25 * radius : radius;
                *(spin ? &rolling.spin : &rolling.roll) = (tru_length){.length = length};
                const tru_use law = {"rolling", &rolling};
                const tru_sphere small = {radius}, large = {2.0 * radius};
                char says[300] = "";
                set_pair(w, TRU_NONE, TRU_NONE, &law, 1);
                add_body(w, "floor", TRU_FIXED, "plane", NULL, TRU_NONE, (tru_vec3){0.0, 0.0, 0.0});
                add_body(w, "large", TRU_FREE, "sphere", &large, TRU_NONE, (tru_vec3){9.0 * radius, 0.0, 9.0 * radius});
                add_body(w, "small", TRU_FREE, "sphere", &small, TRU_NONE, (tru_vec3){0.0, 0.0, 9.0 * radius});
                kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
                if (above)
                    snprintf(
                        says, sizeof says,
                        "law rolling: %s is %.6g m, above the radius %.6g m of body 'small'; a part of the radius is "
                        "{factor: ..., radius: smaller}",
                        spin ? "spin" : "roll", length, radius);
                check_status(tru_check(w, &err), above ? TRU_REMARK : TRU_OK);
                check_str(err.text, says);
                check(tru_run(w, 1, &err) >= 0);
                tru_world_destroy(w);
            }
}

/* A box has no radius: a ball that touches it is the measure, whichever of them is larger. */
TEST(lengths_above_the_radius_beside_a_box) {
    for (int above = 0; above < 2; above++) {
        tru_error err = {TRU_OK, ""};
        tru_world *w = empty_world();
        tru_rolling rolling = tru_default_rolling();
        rolling.roll.length = above ? 1.5 : 0.5;
        const tru_use law = {"rolling", &rolling};
        const tru_sphere ball = {1.0};
        const tru_box box = {{0.1, 0.1, 0.1}};
        set_pair(w, TRU_NONE, TRU_NONE, &law, 1);
        add_body(w, "box", TRU_FIXED, "box", &box, TRU_NONE, (tru_vec3){0.0, 0.0, -9.0});
        add_body(w, "ball", TRU_FREE, "sphere", &ball, TRU_NONE, (tru_vec3){0.0, 0.0, 9.0});
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        check_status(tru_check(w, &err), above ? TRU_REMARK : TRU_OK);
        check_str(err.text,
                  above ? "law rolling: roll is 1.5 m, above the radius 1 m of body 'ball'; a part of the radius "
                          "is {factor: ..., radius: smaller}"
                        : "");
        tru_world_destroy(w);
    }
}

/* ---- statuses of a run ---- */

/* A column of balls under cone with one sweep per step, and a roll length that is above their radius if `remarked`. */
static tru_world *column(bool remarked, bool few_sweeps) {
    enum { BALLS = 20 }; /* more than go to newton */
    tru_error err;
    static tru_coulomb slide;
    static tru_rolling roll;
    slide = tru_default_coulomb();
    roll = tru_default_rolling();
    slide.slide = 0.5;
    roll.roll = (tru_length){.length = remarked ? 0.2 : 0.01};
    const tru_use laws[] = {{"coulomb", &slide}, {"rolling", &roll}};
    tru_world *w = kit_create_floor(laws, 2, 0.0);
    for (int i = 0; i < BALLS; i++) {
        const tru_id id = kit_add_ball(w, 0.1, 1.0, (tru_vec3){0}, (tru_vec3){0});
        tru_body_state at = kit_get_state(w, id);
        at.position.z = 0.1 + 0.2 * i;
        MUST(tru_body_set(w, id, &at, &err));
    }
    tru_ngs ngs = tru_default_ngs();
    tru_cone c = tru_default_cone();
    ngs.iterations = few_sweeps ? 1 : 1000;
    ngs.factor_cost_limit = 0;
    c.step = 1e-3;
    c.solver = (tru_use){"ngs", &ngs};
    MUST(tru_stepper_set(w, "cone", &c, &err));
    return w;
}

static void check_told(tru_status s, const tru_error *err, bool remarked, bool few_sweeps) {
    check_status(s, few_sweeps ? TRU_UNCONVERGED : remarked ? TRU_REMARK : TRU_OK);
    if (s > 0) check_status(err->status, s);
    if (remarked) check(strstr(err->text, "roll is 0.2 m, above the radius 0.1 m") != NULL);
    if (few_sweeps) check(strstr(err->text, "the solver stopped after") != NULL);
}

/* A remark of the check does not hide that steps did not converge, nor the other way round: for a world alone, for several,
 * and without a place for the sentence. */
TEST(the_most_serious_status_is_told) {
    for (int which = 0; which < 4; which++) {
        const bool remarked = which & 1, few_sweeps = which & 2;
        tru_error err = {TRU_OK, ""}, errs[2] = {{TRU_OK, ""}, {TRU_OK, ""}};
        tru_status many[2];
        tru_world *w = column(remarked, few_sweeps), *pair[2] = {column(remarked, few_sweeps), column(false, false)};
        const tru_status s = tru_run(w, 3, &err);
        check_told(s, &err, remarked, few_sweeps);
        check_status(tru_run(w, 1, NULL), few_sweeps ? TRU_UNCONVERGED : TRU_OK);
        tru_run_many(pair, 2, 3, many, errs);
        check_told(many[0], &errs[0], remarked, few_sweeps);
        check_status(many[1], TRU_OK);
        tru_world_destroy(w);
        tru_world_destroy(pair[0]);
        tru_world_destroy(pair[1]);
        w = column(remarked, few_sweeps);
        check_status(tru_run(w, 3, NULL), few_sweeps ? TRU_UNCONVERGED : remarked ? TRU_REMARK : TRU_OK);
        tru_world_destroy(w);
    }
}
