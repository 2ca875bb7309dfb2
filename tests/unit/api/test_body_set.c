/* tru_body_set between steps: a body's own state changes nothing; contacts that go on keep what they remember. */
#include "check.h"
#include "zoo.h"

/* ---- a body's own state ---- */

static void set_all_to_their_own(tru_world *w) {
    tru_error err;
    for (size_t i = 0; i < tru_body_count(w); i++) {
        const tru_body_state s = kit_get_state(w, tru_body_at(w, i));
        MUST(tru_body_set(w, tru_body_at(w, i), &s, &err));
    }
}

TEST(own_state_changes_nothing) {
    size_t ran = 0;
    for (size_t i = 0; i < ZOO_COUNT; i++)
        for (size_t k = 0; tru_stepper_at(k); k++) {
            tru_error err;
            tru_world *w[2];
            bool runs = true;
            for (int n = 0; n < 2; n++) {
                w[n] = kit_create_zoo_world(&zoo[i], NULL, 1);
                runs = runs && kit_set_stepper(w[n], tru_stepper_at(k), 0, zoo[i].step, &err) >= 0;
                runs = runs && tru_run(w[n], 30, &err) >= 0;
            }
            for (int n = 0; runs && n < 5; n++) {
                set_all_to_their_own(w[0]);
                check(tru_state_hash(w[0]) == tru_state_hash(w[1]));
                const tru_status a = tru_run(w[0], 7, &err), b = tru_run(w[1], 7, &err);
                check(a == b);
            }
            ran += runs;
            if (runs && !check(tru_state_hash(w[0]) == tru_state_hash(w[1])))
                printf("%s, %s\n", zoo[i].name, tru_stepper_at(k)->name);
            for (int n = 0; n < 2; n++) tru_world_destroy(w[n]);
        }
    check(ran > 30);
}

/* ---- springs ---- */

enum { HOLDS = 40 };
static const double stiffness = 1e3; /* [N/m] */

/* A heavy ball on a floor under stepper track, without dashpots. */
static tru_world *heavy_ball(double radius, double step, tru_id *ball) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.5;
    const tru_use law = {"coulomb", &coulomb};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    tru_track t = tru_default_track();
    t.step = step;
    t.stiffness = stiffness;
    t.normal_stiffness = 1e7 * 9.81 / (1e-3 * radius);
    t.damping = 0.0;
    t.allow_unstable = true;
    *ball = kit_add_ball(w, radius, 1e7, (tru_vec3){0, 0, 0}, (tru_vec3){0, 0, 0});
    tru_body_state s = kit_get_state(w, *ball);
    s.position.z -= 1e-3 * radius; /* where the floor carries it */
    MUST(tru_body_set(w, *ball, &s, &err));
    MUST(tru_stepper_set(w, "track", &t, &err));
    MUST(tru_run(w, 2, &err));
    return w;
}

static double friction_x(const tru_world *w) {
    tru_error err;
    tru_contact_info c;
    if (tru_contact_count(w) == 0) return 0.0;
    MUST(tru_contact_get(w, 0, &c, &err));
    return (c.impulse[TRU_ROW_SLIDE1] * c.t1.x + c.impulse[TRU_ROW_SLIDE2] * c.t2.x) / tru_step_size(w);
}

/* A loop that prescribes the ball's velocity in every step, and also moves it aside by `shift` [m]: its spring is stretched by
 * speed * step in each, whatever the shift is. */
static void prescribe(double radius, double step, double shift) {
    tru_error err;
    tru_id ball;
    tru_world *w = heavy_ball(radius, step, &ball);
    const double speed = 1e-3;
    for (int i = 1; i <= HOLDS; i++) {
        tru_body_state s = kit_get_state(w, ball);
        s.velocity.x = speed;
        s.angular_velocity = (tru_vec3){0, 0, 0};
        s.position.x += shift;
        s.position.y -= shift;
        MUST(tru_body_set(w, ball, &s, &err));
        MUST(tru_run(w, 1, &err));
        /* loads are those of the start of the step */
        if (!check_close(friction_x(w), -stiffness * (i - 1) * speed * step, 1e-6, 1e-12 * stiffness * step)) {
            printf("radius %g m, step %g s, shift %g m: step %d\n", radius, step, shift, i);
            break;
        }
    }
    tru_world_destroy(w);
}

TEST(springs_stretch_under_prescribed_velocities) {
    const double shifts[] = {0.0, 1e-9, 1e-3, 10.0};
    for (int i = 0; i < 4; i++)
        for (double radius = 1e-2; radius < 200.0; radius *= 10.0) {
            prescribe(radius, 1e-4, shifts[i]);
            prescribe(radius, 1e-5, shifts[i]);
        }
}

/* A ball on a slope; and when it rests there, by its springs alone, slide and roll. */
static tru_world *prepared_ball(const char *stepper, tru_id *ball) {
    tru_error err;
    tru_world *w = kit_create_world((tru_vec3){0.5, 0.0, -9.8});
    kit_set_dry_pair(w, 0.5, 0.01, 0.01, 0.0);
    kit_add_floor(w);
    *ball = kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.0, 0.0, 0.1}, (tru_vec3){0, 0, 0}, (tru_vec3){0, 0, 0});
    for (size_t k = 0; tru_stepper_at(k); k++)
        if (strcmp(tru_stepper_at(k)->name, stepper) == 0) MUST(kit_set_stepper(w, tru_stepper_at(k), 0, 1e-3, &err));
    return w;
}

static tru_world *resting_ball(const char *stepper, tru_id *ball) {
    tru_error err;
    tru_world *w = prepared_ball(stepper, ball);
    MUST(tru_run(w, 3000, &err));
    return w;
}

/* Did a contact begin, end, or change its mode? Rest may be announced again. */
static bool something_happened(tru_world *w) {
    tru_event e;
    bool any = false;
    while (tru_events_take(w, &e, 1, NULL) > 0) any = any || e.kind != TRU_EVENT_REST;
    return any;
}

/* At rest friction carries the slope's part of the weight, and continues to carry it. */
static void rest_goes_on(const char *stepper, tru_vec3 shift, double velocity) {
    tru_error err;
    tru_id ball;
    tru_body_info info;
    tru_world *w = resting_ball(stepper, &ball);
    MUST(tru_body_describe(w, ball, &info, &err));
    check_close(friction_x(w), -0.5 * info.mass, 1e-6, 0.0);
    something_happened(w);
    for (int i = 0; i < 20; i++) {
        tru_body_state s = kit_get_state(w, ball);
        s.position.x += shift.x;
        s.position.y += shift.y;
        s.velocity.y += velocity;
        MUST(tru_body_set(w, ball, &s, &err));
        MUST(tru_run(w, 1, &err));
        if (!check_close(friction_x(w), -0.5 * info.mass, 1e-5, 0.0) || !check(!something_happened(w)))
            printf("%s, shift %g m, velocity %g m/s, step %d\n", stepper, shift.x, velocity, i);
    }
    check(fabs(kit_get_state(w, ball).velocity.x) < 1e-5);
    tru_world_destroy(w);
}

TEST(rest_survives_a_touch) {
    const char *const steppers[] = {"moreau", "cone", "track"};
    for (int i = 0; i < 3; i++) {
        rest_goes_on(steppers[i], (tru_vec3){0, 0, 0}, 1e-9);
        rest_goes_on(steppers[i], (tru_vec3){1e-9, 1e-9, 0}, 0.0);
        rest_goes_on(steppers[i], (tru_vec3){0.3, -2.0, 0}, 0.0);
    }
}

/* Lifted off, it has forgotten: set down again it begins without friction. */
TEST(memory_goes_with_the_contact) {
    tru_error err;
    tru_id ball;
    tru_world *w = resting_ball("track", &ball);
    tru_body_state s = kit_get_state(w, ball);
    const double height = s.position.z;
    s.position.z += 1.0;
    MUST(tru_body_set(w, ball, &s, &err));
    MUST(tru_run(w, 1, &err));
    check(tru_contact_count(w) == 0 && tru_world_ledger(w).stored == 0.0);
    s.position.z = height;
    MUST(tru_body_set(w, ball, &s, &err));
    MUST(tru_run(w, 1, &err));
    check(tru_contact_count(w) == 1);
    check_close(friction_x(w), 0.0, 0.0, 1e-9);
    tru_world_destroy(w);
}

/* Every joule that a set brings or takes is in the ledger's start, none in its numerical part. */
TEST(the_ledger_takes_what_a_set_gives) {
    tru_error err;
    const tru_vec3 shifts[] = {{0, 0, -1e-4}, {0, 0, 1.0}, {0.5, 0.5, 2e-5}};
    for (int i = 0; i < 3; i++) {
        tru_id ball;
        tru_world *w = resting_ball("track", &ball);
        const tru_ledger before = tru_world_ledger(w);
        const double energy = before.kinetic + before.potential + before.stored;
        tru_body_state s = kit_get_state(w, ball);
        s.position.x += shifts[i].x;
        s.position.y += shifts[i].y;
        s.position.z += shifts[i].z;
        MUST(tru_body_set(w, ball, &s, &err));
        const tru_ledger set = tru_world_ledger(w);
        check_close(set.start - before.start, set.kinetic + set.potential + set.stored - energy, 1e-12, 1e-15);
        check_close(tru_ledger_gap(&set), tru_ledger_gap(&before), 0.0, 1e-13);
        MUST(tru_run(w, 1, &err));
        const tru_ledger after = tru_world_ledger(w);
        check_close(tru_ledger_gap(&after), tru_ledger_gap(&before), 0.0, 1e-13);
        /* one step of a soft contact: its own numerical part is of the order of the weight's work in it */
        if (i == 1) check_close(after.slide + after.roll, before.slide + before.roll, 1e-12, 0.0);
        tru_world_destroy(w);
    }
}

/* A resume between a set and the next step. */
TEST(a_set_is_in_snapshots) {
    tru_error err;
    tru_id ball;
    tru_world *w = resting_ball("track", &ball), *other = resting_ball("track", &ball);
    tru_body_state s = kit_get_state(w, ball);
    s.position.x += 1e-5;
    s.velocity.x = 1e-4;
    MUST(tru_body_set(w, ball, &s, &err));
    const size_t bytes = tru_snapshot_size(w);
    void *buffer = malloc(bytes);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(w, buffer, bytes, &err));
    MUST(tru_snapshot_load(other, buffer, bytes, &err));
    MUST(tru_run(w, 50, &err));
    MUST(tru_run(other, 50, &err));
    check(tru_state_hash(w) == tru_state_hash(other));
    free(buffer);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* A resume before the set: the world that is loaded into has neither run nor been checked. */
TEST(a_set_after_a_resume_gives_the_same_bits) {
    tru_error err;
    tru_id ball;
    tru_world *w = resting_ball("track", &ball), *other = prepared_ball("track", &ball);
    const size_t bytes = tru_snapshot_size(w);
    void *buffer = malloc(bytes);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(w, buffer, bytes, &err));
    MUST(tru_snapshot_load(other, buffer, bytes, &err));
    tru_body_state s = kit_get_state(w, ball);
    s.position = (tru_vec3){s.position.x + 0.3, s.position.y, s.position.z - 1e-5};
    MUST(tru_body_set(w, ball, &s, &err));
    MUST(tru_body_set(other, ball, &s, &err));
    check(tru_state_hash(w) == tru_state_hash(other));
    MUST(tru_run(w, 50, &err));
    MUST(tru_run(other, 50, &err));
    check(tru_state_hash(w) == tru_state_hash(other));
    free(buffer);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* Many balls, so that springs are loaded in lanes: those that were not changed reach the same bits. */
TEST(other_contacts_do_not_notice) {
    tru_error err;
    tru_world *w[2];
    for (int n = 0; n < 2; n++) {
        w[n] = kit_create_zoo_materials(&zoo[ZOO_BALL], NULL, 1);
        zoo_ball_defs(w[n]);
        kit_add_floor(w[n]);
        for (int i = 0; i < 20; i++)
            kit_add_solid_ball(w[n], NULL, 0.1, (tru_vec3){i, 0.0, 0.1}, (tru_vec3){0.1, 0.01 * i, 0.0},
                               (tru_vec3){0, 1, i});
        tru_track t = tru_default_track();
        t.step = 1e-3;
        MUST(tru_stepper_set(w[n], "track", &t, &err));
        MUST(tru_run(w[n], 40, &err));
    }
    const tru_id moved = tru_body_at(w[0], 7);
    tru_body_state s = kit_get_state(w[0], moved);
    s.position.y += 0.1;
    MUST(tru_body_set(w[0], moved, &s, &err));
    for (int n = 0; n < 2; n++) MUST(tru_run(w[n], 40, &err));
    for (size_t i = 0; i < tru_body_count(w[0]); i++) {
        const tru_id id = tru_body_at(w[0], i);
        const tru_body_state a = kit_get_state(w[0], id), b = kit_get_state(w[1], id);
        check((memcmp(&a, &b, sizeof a) == 0) == (id != moved));
    }
    for (int n = 0; n < 2; n++) tru_world_destroy(w[n]);
}
