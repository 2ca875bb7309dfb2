/* Fills: lattices, packings, emitters, their sizes and turns. */
#include "scene_text.h"

#include "scene/values/scene_fill.h"
#include "scene/scene_room.h"
#include "scene/scene_world.h"

#define HEAD                                                                                                           \
    "trundle: 1\ngravity: 0\npairs: [{default: none}]\nsteppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\nfill:\n"
#define BALLS ", body: {shape: {sphere: {radius: 1 cm}}, density: 1000}}\n"

typedef struct ball {
    tru_vec3 x;
    double radius, mass;
    tru_quat q;
} ball;

static size_t balls_of(const tru_world *w, ball *out, size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < tru_body_count(w) && count < most; k++) {
        tru_body_state s;
        tru_body_info i;
        check_status(tru_body_get(w, tru_body_at(w, k), &s, NULL), TRU_OK);
        check_status(tru_body_describe(w, tru_body_at(w, k), &i, NULL), TRU_OK);
        out[count++] = (ball){s.position, i.size, i.mass, s.orientation};
    }
    return count;
}

static double distance(tru_vec3 a, tru_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* ---- lattices: rows, neighbours, jitter ---- */

TEST(a_lattice_stands_in_rows) {
    tru_scene *s =
        scene_of(HEAD "  g: {place: {lattice: {first: [1, 2, 3], spacing: [10, 20, 30, cm], count: [2, 3, 4]}}" BALLS);
    tru_world *w = world_of(s, NULL);
    ball b[100];
    if (check(balls_of(w, b, 100) == 24)) {
        check(b[0].x.x == 1.0 && b[0].x.y == 2.0 && b[0].x.z == 3.0);
        check_close(b[1].x.x, 1.1, 1e-15, 0.0);
        check_close(b[2].x.y, 2.2, 1e-15, 0.0);
        check_close(b[23].x.z, 3.9, 1e-15, 0.0);
    }
    check(tru_body_find(w, "g-1") == 1 && tru_body_find(w, "g-24") == 24 && tru_body_find(w, "g-25") == TRU_NONE);
    tru_world_destroy(w);
    tru_scene_free(s);
}

/* Spheres that touch fill pi/6, pi sqrt(3)/8, pi sqrt(2)/6 of space: neighbours at 1, sqrt(3)/2, sqrt(1/2) cells. */
TEST(arrangements_have_their_nearest_neighbours) {
    static const char *const names[] = {"cubic", "body_centred", "face_centred"};
    const double nearest[] = {1.0, sqrt(0.75), sqrt(0.5)};
    const size_t each[] = {1, 2, 4};
    for (int k = 0; k < 3; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "  g: {place: {lattice: {spacing: [1, 1, 1], count: [3, 3, 3], arrangement: %s}}" BALLS,
                 names[k]);
        tru_scene *s = scene_of(text);
        tru_world *w = world_of(s, NULL);
        static ball b[200];
        const size_t count = balls_of(w, b, 200);
        double least = 1e9;
        check(count == 27 * each[k]);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < i; j++) least = fmin(least, distance(b[i].x, b[j].x));
        check_close(least, nearest[k], 1e-14, 0.0);
        tru_world_destroy(w);
        tru_scene_free(s);
    }
}

TEST(jitter_is_bounded_and_real) {
    tru_scene *s = scene_of(HEAD "  g: {place: {lattice: {spacing: [1, 1, 1], count: [5, 5, 5], jitter: 10 cm}}" BALLS);
    tru_world *w = world_of(s, NULL);
    static ball b[200];
    const size_t count = balls_of(w, b, 200);
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double off = fabs(b[i].x.x - (double)(i % 5));
        check(off <= 0.1);
        most = fmax(most, off);
    }
    check(most > 0.09); /* 125 draws: missed with probability 0.9^125 */
    tru_world_destroy(w);
    tru_scene_free(s);
}

/* ---- packings: no overlap, the same from the same seed ---- */

TEST(a_packing_keeps_its_distance) {
    tru_scene *s = scene_of(
        "trundle: 1\ngravity: 0\npairs: [{default: none}]\nsteppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\n"
        "bodies:\n  big: {shape: {sphere: {radius: 3 cm}}, density: 1, position: [5, 5, 5, cm]}\n"
        "fill:\n"
        "  a: {place: {packing: {lowest: [0, 0, 0], highest: [10, 10, 10, cm], count: 300, clearance: 0.1 mm}}, sizes: {uniform: {lowest: 0.5, highest: 1.5}}, body: {shape: {sphere: {radius: 4 mm}}, density: 1000}}\n"
        "  b: {place: {packing: {lowest: [0, 0, 0], highest: [10, 10, 10, cm], count: 200}}, body: {shape: {sphere: {radius: 2 mm}}, density: 1000}}\n");
    tru_world *w = world_of(s, NULL);
    static ball b[600];
    const size_t count = balls_of(w, b, 600);
    double mean = 0.0;
    check(count == 501);
    for (size_t i = 1; i < count; i++) {
        const double clearance = i <= 300 ? 1e-4 : 0.0;
        check(b[i].x.x - b[i].radius >= -1e-15 && b[i].x.x + b[i].radius <= 0.1 + 1e-15);
        check(b[i].x.z - b[i].radius >= -1e-15 && b[i].x.z + b[i].radius <= 0.1 + 1e-15);
        for (size_t j = 0; j < i; j++)
            if (distance(b[i].x, b[j].x) < (b[i].radius + b[j].radius + clearance) * (1.0 - 1e-14))
                check(i == j); /* says where */
        if (i <= 300) mean += b[i].radius / 300.0;
    }
    check_close(mean, 0.004, 0.05, 0.0); /* deviation of the mean of 300: 0.29/sqrt(300) = 1.7 % */
    check_close(b[7].mass, 1000.0 * 4.0 / 3.0 * 3.14159265358979324 * pow(b[7].radius, 3.0), 1e-12, 0.0);
    tru_world_destroy(w);
    tru_scene_free(s);
}

TEST(the_same_seed_packs_the_same) {
#define SEEDED(seed)                                                                                                   \
    HEAD "  g: {place: {packing: {lowest: [0, 0, 0], highest: [1, 1, 1], count: 50}}, turn: random, seed: " seed BALLS
    tru_scene *s[3] = {scene_of(SEEDED("5")), scene_of(SEEDED("5")), scene_of(SEEDED("6"))};
    tru_world *w[3];
    for (int i = 0; i < 3; i++) w[i] = world_of(s[i], NULL);
    check(tru_state_hash(w[0]) == tru_state_hash(w[1]));
    check(tru_state_hash(w[0]) != tru_state_hash(w[2]));
    for (int i = 0; i < 3; i++) tru_world_destroy(w[i]);
    for (int i = 0; i < 3; i++) tru_scene_free(s[i]);
}

TEST(grid_and_brute_force_agree) {
    const uint64_t seed = check_seed();
    room p = trio_room_begin(0.05);
    static room_ball all[400];
    size_t count = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        const tru_vec3 x = {4 * tru_random(seed, i, 0) - 2, 4 * tru_random(seed, i, 1) - 2, tru_random(seed, i, 2)};
        const double r = i % 50 == 0 ? 0.3 : 0.05 * tru_random(seed, i, 3), clearance = 0.02 * (double)(i % 3);
        bool is_free = true;
        for (size_t k = 0; k < count; k++) {
            const double dx = all[k].x.x - x.x, dy = all[k].x.y - x.y, dz = all[k].x.z - x.z;
            const double sum = all[k].radius + (r + clearance);
            is_free = is_free && dx * dx + dy * dy + dz * dz >= sum * sum;
        }
        check(trio_room_is_free(&p, x, r, clearance) == is_free);
        if (count < 400 && i % 4 == 0) {
            check(trio_room_add(&p, x, r));
            all[count++] = (room_ball){x, r, 0};
        }
    }
    trio_room_end(&p);
}

/* ---- random sizes and turns: moments of their distributions ---- */

TEST(sizes_follow_their_distributions) {
    size_normal normal = {1.0, 0.1, 0.7, 1.25};
    const size_class classes[] = {{1.0, 3.0}, {2.0, 1.0}};
    const size_list list = {{classes, 2}};
    const fill_def a = {.sizes = {"normal", &normal}, .seed = 3}, b = {.sizes = {"list", &list}, .seed = 3};
    const fill fa = trio_fill_of(&a, 0), fb = trio_fill_of(&b, 1);
    const uint64_t n = 40000;
    double sum = 0.0, squares = 0.0, low = 9.0, high = 0.0, twos = 0.0;
    for (uint64_t k = 0; k < n; k++) {
        const double x = trio_fill_size(&fa, k);
        sum += x;
        squares += (x - 1.0) * (x - 1.0);
        low = fmin(low, x);
        high = fmax(high, x);
        twos += trio_fill_size(&fb, k) == 2.0;
    }
    check_close(sum / (double)n, 1.0, 0.0, 5 * 0.1 / 200);  /* five deviations of the mean */
    check_close(sqrt(squares / (double)n), 0.1, 0.03, 0.0); /* cut at 2.5 deviations above: -0.9 % */
    check(low >= 0.7 && low < 0.75 && high == 1.25);
    check_close(twos / (double)n, 0.25, 0.0, 5 * sqrt(0.25 * 0.75) / 200);
}

/* Directions of a turned axis have mean 0 and mean square 1/3 each. */
TEST(turns_are_uniform) {
    const fill_def d = {.seed = 11};
    const fill f = trio_fill_of(&d, 0);
    double mean[3] = {0}, square[3] = {0};
    const int n = 20000;
    for (int k = 0; k < n; k++) {
        const tru_quat q = trio_fill_turn(&f, (uint64_t)k);
        const double z[3] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
        check_close(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 4e-15, 0.0);
        for (int i = 0; i < 3; i++) mean[i] += z[i] / n, square[i] += z[i] * z[i] / n;
    }
    for (int i = 0; i < 3; i++) {
        check_close(mean[i], 0.0, 0.0, 5 * sqrt(1.0 / 3.0 / n));
        check_close(square[i], 1.0 / 3.0, 0.0, 5 * sqrt(4.0 / 45.0 / n));
    }
}

/* ---- emitters: rate, room, refusals ---- */

TEST(an_emitter_makes_one_after_the_other) {
    tru_scene *s = scene_of(
        HEAD
        "  rain: {place: {emitter: {lowest: [0, 0, 1], highest: [1, 1, 2], rate: 100 Hz, count: 30, start: 0.5 s}}, sizes: {uniform: {lowest: 1, highest: 2}}" BALLS);
    tru_world *w = world_of(s, NULL);
    uint64_t tries = 0;
    tru_error err;
    check(trio_scene_emitter_count(s) == 1 && tru_body_count(w) == 0);
    check_str(trio_scene_emitter_name(s, 0), "rain");
    check(trio_scene_emitter_due(s, 0, 0.499) == 0 && trio_scene_emitter_due(s, 0, 0.5) == 1);
    check(trio_scene_emitter_due(s, 0, 0.5125) == 2 && trio_scene_emitter_due(s, 0, 0.755) == 26);
    check(trio_scene_emitter_due(s, 0, 9.0) == 30);
    uint64_t made = 0;
    for (uint64_t due = 1; due < 10; due++) {
        for (int i = 0; i < 100 && made < due; i++)
            check_status(trio_scene_emit(s, 0, &made, due, &tries, w, &err), TRU_OK);
        check(made == due);
    }
    for (int i = 0; i < 2000 && made < 30; i++) check_status(trio_scene_emit(s, 0, &made, 30, &tries, w, &err), TRU_OK);
    check(made == 30);
    ball b[40];
    check(balls_of(w, b, 40) == 30 && tru_body_find(w, "rain-30") == 30);
    for (int i = 0; i < 30; i++) {
        check(b[i].x.z - b[i].radius >= 1.0 && b[i].x.z + b[i].radius <= 2.0);
        for (int j = 0; j < i; j++) check(distance(b[i].x, b[j].x) >= (b[i].radius + b[j].radius) * (1 - 1e-14));
    }
    check_status(tru_check(w, &err), TRU_OK);
    tru_world_destroy(w);
    tru_scene_free(s);
}

/* Faster than spheres can leave its box: a sentence before the run. Balls of 1 cm that fall out of a point at 1 m/s: three
 * faces of 4 cm^2, 1 m/s and what 6 cm of fall add. */
TEST(an_emitter_faster_than_its_space) {
    const char *const text[] = {
        HEAD "  rain: {place: {emitter: {lowest: [0, 0, 1], highest: [0, 0, 1], rate: 100 Hz, count: 1000}}" BALLS,
        "trundle: 1\ngravity: 9.81\npairs: [{default: none}]\nsteppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\nfill:\n"
        "  rain: {place: {emitter: {lowest: [0, 0, 1], highest: [0, 0, 1], rate: 1000 Hz, count: 1000}}, body: {shape: {sphere: "
        "{radius: 1 cm}}, density: 1000, velocity: [0, 0, -1]}}\n"};
    const char *const sentence[] = {
        "a.yaml:7:9: fill 'rain': rate is 100 bodies per second, too fast for its box: bodies of "
        "radius 0.01 m can leave it at most at 0 per second",
        "a.yaml:7:9: fill 'rain': rate is 1000 bodies per second, too fast for its box: bodies of "
        "radius 0.01 m can leave it at most at 442 per second"};
    for (int i = 0; i < 2; i++) {
        tru_error err;
        tru_scene *s = scene_of(text[i]);
        tru_world *w = world_of(s, NULL);
        check_status(trio_scene_check_emitters(s, NULL, w, &err), TRU_REFUSED);
        check_str(err.text, sentence[i]);
        tru_world_destroy(w);
        tru_scene_free(s);
    }
}

/* What the stepper would refuse of bodies that come later is refused before the run: shapes that do not meet, with each other
 * or with what stands there, and pairs of materials without a law. */
TEST(emitted_bodies_are_checked_before_they_come) {
#define START "trundle: 1\nsteppers: {cone: {step: 1 ms}}\nrecord: {until: 1}\n"
#define FLOOR "bodies: {floor: {kind: fixed, shape: plane}}\n"
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {START
         "pairs: [{default: none}]\n" FLOOR "fill:\n"
         "  coin: {place: {emitter: {lowest: [0, 0, 1], highest: [1, 1, 2], rate: 2 Hz, count: 2}}, body: {shape: "
         "{disk: {radius: 2 cm}}, mass: 10 g}}\n",
         "a.yaml:7:9: bodies 'coin-1' and 'coin-2': there is no contact between disk and disk; disk meets plane; pass: true in "
         "their pair lets them pass through each other"},
        {START
         "pairs: [{default: none}]\n" FLOOR "fill:\n"
         "  coin: {place: {emitter: {lowest: [0, 0, 1], highest: [1, 1, 2], rate: 2 Hz, count: 1}}, body: {shape: "
         "{disk: {radius: 2 cm}}, mass: 10 g}}\n",
         NULL},
        {START
         "materials: [ice]\nlaws: {wet: {coulomb: {slide: 0.1}}}\npairs: [{between: [default, ice], law: wet}]\n" FLOOR
         "fill:\n  ball: {place: {emitter: {lowest: [0, 0, 1], highest: [1, 1, 2], rate: 2 Hz, count: 2}}, body: "
         "{material: ice, shape: {sphere: {radius: 2 cm}}, density: 1000}}\n",
         "a.yaml:9:9: materials 'ice' and 'ice' can touch (bodies 'ball-1' and 'ball-2') but have no law; a pair or a default "
         "must give one"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tru_error err = {TRU_OK, ""};
        tru_scene *s = scene_of(cases[i].text);
        tru_world *w = world_of(s, NULL);
        const tru_status status = trio_scene_check_emitters(s, NULL, w, &err);
        if (cases[i].sentence) {
            check(status < 0);
            check_str(err.text, cases[i].sentence);
        } else {
            check_status(status, TRU_OK);
        }
        check(tru_body_count(w) == 1); /* of the trial nothing is left */
        tru_world_destroy(w);
        tru_scene_free(s);
    }
#undef START
#undef FLOOR
}

TEST(an_emitter_waits_for_room) {
    tru_scene *s = scene_of(
        HEAD "  rain: {place: {emitter: {lowest: [0, 0, 1], highest: [0, 0, 1], rate: 100 Hz, count: 2}}" BALLS);
    tru_world *w = world_of(s, NULL);
    uint64_t tries = 0, made = 0;
    check_status(trio_scene_emit(s, 0, &made, 1, &tries, w, NULL), TRU_OK);
    check(made == 1 && tries == 1);
    check_status(trio_scene_emit(s, 0, &made, 2, &tries, w, NULL), TRU_OK);
    check(made == 1 && tries == 17 && tru_body_count(w) == 1);
    tru_body_state state;
    check_status(tru_body_get(w, 1, &state, NULL), TRU_OK);
    state.position.z = 0.97;
    check_status(tru_body_set(w, 1, &state, NULL), TRU_OK);
    check_status(trio_scene_emit(s, 0, &made, 2, &tries, w, NULL), TRU_OK);
    check(made == 2 && tru_body_count(w) == 2);
    tru_world_destroy(w);
    tru_scene_free(s);
}
