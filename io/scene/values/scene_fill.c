/* scene_fill.c: the tables of fills, and the numbers drawn for each of their bodies.
 *
 * Body k draws with id k: index 0 and 1 its size, 2 to 4 its turn, 5 to 7 its jitter, from 8 on three per place tried.
 */
#include "scene_fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

const tru_field trio_fill_fields[] = {
    TRU_PLUGIN(fill_def, place, "place", TRU_REQUIRED, NULL, "Where the bodies stand: lattice, packing or emitter."),
    TRU_PLUGIN(fill_def, sizes, "sizes", 0, NULL,
               "Size of each body relative to the template, for every length of its shapes (default: 1)."),
    TRU_INTEGER(fill_def, seed, 1, TRU_RANGE(0, 2147483647), "Another number draws other sizes, turns and places."),
    TRU_CHOICE(fill_def, turn, "given|random", 0,
               "Orientation of each body: that of the template, or drawn at random."),
    {.name = NULL},
};

static const tru_field lattice_fields[] = {
    TRU_VEC3(fill_lattice, first, TRU_UNIT_M, 0.0, TRU_ANY, "Place of the first body."),
    TRU_VEC3(fill_lattice, spacing, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE, "Edges of a cell of the lattice."),
    TRU_VEC3(fill_lattice, count, TRU_UNIT_ONE, TRU_REQUIRED, TRU_RANGE(1, 100000), "Cells along x, y and z."),
    TRU_CHOICE(fill_lattice, arrangement, "cubic|body_centred|face_centred", 0,
               "Bodies in a cell: 1 at its corner, 1 more in its middle, 3 more in its faces."),
    TRU_REAL(fill_lattice, jitter, TRU_UNIT_M, 0.0, TRU_FROM_ZERO,
             "Each coordinate is moved at random by at most this."),
    {.name = NULL},
};

static const tru_field packing_fields[] = {
    TRU_VEC3(fill_packing, lowest, TRU_UNIT_M, TRU_REQUIRED, TRU_ANY,
             "Lowest corner of the box that holds the bodies whole."),
    TRU_VEC3(fill_packing, highest, TRU_UNIT_M, TRU_REQUIRED, TRU_ANY, "Highest corner of the box."),
    TRU_INTEGER(fill_packing, count, TRU_REQUIRED, TRU_RANGE(1, FILL_MOST), "Number of bodies."),
    TRU_REAL(fill_packing, clearance, TRU_UNIT_M, 0.0, TRU_FROM_ZERO,
             "Least distance between the spheres about two bodies."),
    TRU_INTEGER(fill_packing, tries, 10000, TRU_RANGE(1, 1000000000),
                "Places tried for one body before the fill fails."),
    {.name = NULL},
};

static const tru_field emitter_fields[] = {
    TRU_VEC3(fill_emitter, lowest, TRU_UNIT_M, TRU_REQUIRED, TRU_ANY,
             "Lowest corner of the box in which bodies appear."),
    TRU_VEC3(fill_emitter, highest, TRU_UNIT_M, TRU_REQUIRED, TRU_ANY, "Highest corner of the box."),
    TRU_REAL(fill_emitter, rate, TRU_UNIT_PER_S, TRU_REQUIRED, TRU_POSITIVE,
             "Bodies per time, one after the other; a body without room waits."),
    TRU_INTEGER(fill_emitter, count, TRU_REQUIRED, TRU_RANGE(1, FILL_MOST), "Number of bodies in all."),
    TRU_REAL(fill_emitter, start, TRU_UNIT_S, 0.0, TRU_FROM_ZERO, "When the first body appears."),
    TRU_REAL(fill_emitter, clearance, TRU_UNIT_M, 0.0, TRU_FROM_ZERO,
             "Least distance between the spheres about a new body and the others."),
    {.name = NULL},
};

static const tru_field uniform_fields[] = {
    TRU_REAL(size_uniform, lowest, TRU_UNIT_ONE, TRU_REQUIRED, TRU_POSITIVE, "Smallest size."),
    TRU_REAL(size_uniform, highest, TRU_UNIT_ONE, TRU_REQUIRED, TRU_POSITIVE, "Largest size."),
    {.name = NULL},
};

static const tru_field normal_fields[] = {
    TRU_REAL(size_normal, mean, TRU_UNIT_ONE, 1.0, TRU_POSITIVE, "Mean size."),
    TRU_REAL(size_normal, deviation, TRU_UNIT_ONE, TRU_REQUIRED, TRU_FROM_ZERO, "Standard deviation."),
    TRU_REAL(size_normal, lowest, TRU_UNIT_ONE, TRU_REQUIRED, TRU_POSITIVE, "Smaller sizes are raised to this one."),
    TRU_REAL(size_normal, highest, TRU_UNIT_ONE, TRU_REQUIRED, TRU_POSITIVE, "Larger sizes are lowered to this one."),
    {.name = NULL},
};

static const tru_field class_fields[] = {
    TRU_REAL(size_class, factor, TRU_UNIT_ONE, TRU_REQUIRED, TRU_POSITIVE, "A size."),
    TRU_REAL(size_class, share, TRU_UNIT_ONE, 1.0, TRU_POSITIVE, "How often it occurs, relative to the others."),
    {.name = NULL},
};

static const tru_field list_fields[] = {
    TRU_LIST(size_list, classes, TRU_UNIT_MISSING, TRU_REQUIRED, size_class, class_fields, "Sizes with their shares."),
    {.name = NULL},
};

/* ---- checks across fields ---- */

static tru_status refuse(tru_error *err, const char *sentence) {
    if (err) {
        err->status = TRU_OUT_OF_RANGE;
        strcpy(err->text, sentence);
    }
    return TRU_OUT_OF_RANGE;
}

static bool box_good(tru_vec3 low, tru_vec3 high) { return low.x <= high.x && low.y <= high.y && low.z <= high.z; }

static uint64_t per_cell(const fill_lattice *p) { return p->arrangement == 0 ? 1 : p->arrangement == 1 ? 2 : 4; }

static tru_status check_lattice(const void *params, tru_error *err) {
    const fill_lattice *p = params;
    const tru_vec3 n = p->count;
    if (n.x != floor(n.x) || n.y != floor(n.y) || n.z != floor(n.z))
        return refuse(err, "place lattice: count must be three whole numbers");
    const double bodies = (double)per_cell(p) * n.x * n.y * n.z;
    char sentence[100];
    snprintf(sentence, sizeof sentence, "place lattice: count makes %.6g bodies, must be at most %.6g", bodies,
             (double)FILL_MOST);
    if (bodies > FILL_MOST) return refuse(err, sentence);
    return TRU_OK;
}

static tru_status check_packing(const void *params, tru_error *err) {
    const fill_packing *p = params;
    return box_good(p->lowest, p->highest) ? TRU_OK : refuse(err, "place packing: lowest must not lie above highest");
}

static tru_status check_emitter(const void *params, tru_error *err) {
    const fill_emitter *p = params;
    return box_good(p->lowest, p->highest) ? TRU_OK : refuse(err, "place emitter: lowest must not lie above highest");
}

static tru_status check_uniform(const void *params, tru_error *err) {
    const size_uniform *p = params;
    return p->lowest <= p->highest ? TRU_OK : refuse(err, "sizes uniform: lowest must not lie above highest");
}

static tru_status check_normal(const void *params, tru_error *err) {
    const size_normal *p = params;
    return p->lowest <= p->highest ? TRU_OK : refuse(err, "sizes normal: lowest must not lie above highest");
}

bool trio_fill_plug(const char *kind, size_t k, plug *out) {
    static const plug places[] = {
        {"lattice", "Rows of bodies in a regular lattice.", lattice_fields, sizeof(fill_lattice), check_lattice},
        {"packing", "Bodies at random in a box, one after the other where there is room.", packing_fields,
         sizeof(fill_packing), check_packing},
        {"emitter", "Bodies that appear one after the other at random places of a box.", emitter_fields,
         sizeof(fill_emitter), check_emitter}};
    static const plug sizes[] = {
        {"uniform", "Every size between two limits is equally likely.", uniform_fields, sizeof(size_uniform),
         check_uniform},
        {"normal", "Normal distribution, cut at two limits.", normal_fields, sizeof(size_normal), check_normal},
        {"list", "A few sizes, each with its share.", list_fields, sizeof(size_list), NULL}};
    const bool place = strcmp(kind, "place") == 0;
    if (k >= 3 || (!place && strcmp(kind, "sizes") != 0)) return false;
    *out = place ? places[k] : sizes[k];
    return true;
}

/* ---- draws ---- */

enum { DRAW_SIZE = 0, DRAW_TURN = 2, DRAW_JITTER = 5, DRAW_PLACE = 8 };

fill trio_fill_of(const fill_def *def, size_t number) {
    return (fill){def, (uint64_t)number << 32 | (uint32_t)def->seed}; /* so that two fills with the same seed differ */
}

static bool is(const tru_use *use, const char *name) { return use->name && strcmp(use->name, name) == 0; }

bool trio_fill_is_emitter(const fill_def *def) { return is(&def->place, "emitter"); }

uint64_t trio_fill_count(const fill_def *def) {
    if (is(&def->place, "packing")) return (uint64_t)((const fill_packing *)def->place.params)->count;
    if (trio_fill_is_emitter(def)) return (uint64_t)((const fill_emitter *)def->place.params)->count;
    const fill_lattice *p = def->place.params;
    return (uint64_t)(p->count.x * p->count.y * p->count.z) * per_cell(p);
}

static double draw(const fill *f, uint64_t k, uint64_t index) { return tru_random(f->stream, k, index); }

/* Box and Muller. */
static double draw_normal(const fill *f, uint64_t k) {
    double logarithm, root, cosine;
    tru_elementary("log", 1.0 - draw(f, k, DRAW_SIZE), &logarithm);
    tru_elementary("sqrt", -2.0 * logarithm, &root);
    tru_elementary("cos", 6.28318530717958647692 * draw(f, k, DRAW_SIZE + 1), &cosine);
    return root * cosine;
}

static double class_size(const size_list *list, double u) {
    const size_class *c = list->classes.items;
    double total = 0.0, sum = 0.0;
    for (size_t i = 0; i < list->classes.count; i++) total += c[i].share;
    for (size_t i = 0; i < list->classes.count; i++)
        if ((sum += c[i].share) > u * total) return c[i].factor;
    return c[list->classes.count - 1].factor;
}

double trio_fill_size(const fill *f, uint64_t k) {
    const tru_use *use = &f->def->sizes;
    const size_uniform *u = use->params;
    const size_normal *n = use->params;
    if (!use->name) return 1.0;
    if (is(use, "uniform")) return u->lowest + (u->highest - u->lowest) * draw(f, k, DRAW_SIZE);
    if (is(use, "normal")) return fmin(fmax(n->mean + n->deviation * draw_normal(f, k), n->lowest), n->highest);
    return class_size(use->params, draw(f, k, DRAW_SIZE));
}

/* Two circles of squared radii u and 1 - u make the uniform point of the 3-sphere [Shoemake 1992]. */
tru_quat trio_fill_turn(const fill *f, uint64_t k) {
    const double u = draw(f, k, DRAW_TURN), two_pi = 6.28318530717958647692;
    double s1, c1, s2, c2, r1, r2;
    tru_elementary("sin", two_pi * draw(f, k, DRAW_TURN + 1), &s1);
    tru_elementary("cos", two_pi * draw(f, k, DRAW_TURN + 1), &c1);
    tru_elementary("sin", two_pi * draw(f, k, DRAW_TURN + 2), &s2);
    tru_elementary("cos", two_pi * draw(f, k, DRAW_TURN + 2), &c2);
    tru_elementary("sqrt", u, &r1);
    tru_elementary("sqrt", 1.0 - u, &r2);
    return (tru_quat){r1 * c1, r1 * s1, r2 * c2, r2 * s2};
}

/* x runs fastest, then y, z; the bodies of a cell stand side by side. */
tru_vec3 trio_fill_lattice_spot(const fill *f, uint64_t k) {
    static const double inside[3][4][3] = {
        {{0, 0, 0}}, {{0, 0, 0}, {0.5, 0.5, 0.5}}, {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
    const fill_lattice *p = f->def->place.params;
    const uint64_t cell = k / per_cell(p), nx = (uint64_t)p->count.x, ny = (uint64_t)p->count.y;
    const double *in = inside[p->arrangement][k % per_cell(p)];
    const double jitter = p->jitter;
    return (tru_vec3){p->first.x + p->spacing.x * ((double)(cell % nx) + in[0]) +
                          jitter * (2.0 * draw(f, k, DRAW_JITTER) - 1.0),
                      p->first.y + p->spacing.y * ((double)(cell / nx % ny) + in[1]) +
                          jitter * (2.0 * draw(f, k, DRAW_JITTER + 1) - 1.0),
                      p->first.z + p->spacing.z * ((double)(cell / nx / ny) + in[2]) +
                          jitter * (2.0 * draw(f, k, DRAW_JITTER + 2) - 1.0)};
}

/* Returns a position between the walls, or their middle if they are too close. */
static double between(double low, double high, double radius, double u) {
    const double room = high - low - 2.0 * radius;
    return room > 0.0 ? low + radius + room * u : 0.5 * (low + high);
}

tru_vec3 trio_fill_spot(tru_vec3 lowest, tru_vec3 highest, double radius, double u) {
    return (tru_vec3){between(lowest.x, highest.x, radius, u), between(lowest.y, highest.y, radius, u),
                      between(lowest.z, highest.z, radius, u)};
}

tru_vec3 trio_fill_random_spot(const fill *f, tru_vec3 lowest, tru_vec3 highest, double radius, uint64_t k,
                               uint64_t attempt) {
    const uint64_t index = DRAW_PLACE + 3 * attempt;
    return (tru_vec3){between(lowest.x, highest.x, radius, draw(f, k, index)),
                      between(lowest.y, highest.y, radius, draw(f, k, index + 1)),
                      between(lowest.z, highest.z, radius, draw(f, k, index + 2))};
}
