/* report_sets.c: the boundary of what friction can do at recorded contacts, from the laws of the scene, for a report.
 *
 * A set that does not depend on the geometry is the same at every contact of a pair and given once; others (friction of
 * the contour, lengths in parts of a radius) at up to REPORT_SETS frames, from the poses of that frame. */
#include "report_sets.h"

#include "report_run.h"

#include "common/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 72, CONTACTS = 8 }; /* of a boundary; that are looked at in a frame */

typedef struct sets {
    report_run *run;
    tru_sim *sim;
    struct {
        int64_t a, b;
        const tru_law *law;
    } * seen; /* pairs of bodies whose constant set of a law is given */
    size_t seen_count, seen_room;
    double *x, *q; /* of the frame */
} sets;

static tru_body_state state_of(const sets *s, int64_t body) {
    const double *x = s->x + 3 * body, *q = s->q + 4 * body;
    return (tru_body_state){{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}, {0, 0, 0}, {0, 0, 0}};
}

static tru_vec3 vec(const double x[3]) { return (tru_vec3){x[0], x[1], x[2]}; }

static tru_contact_info info_of(const sets *s, const contact_row *c) {
    return (tru_contact_info){.body_a = s->run->r.body[c->body_a].id,
                              .body_b = s->run->r.body[c->body_b].id,
                              .shape_a = c->shape_a,
                              .shape_b = c->shape_b,
                              .feature = c->feature,
                              .stuck = c->stuck,
                              .point = vec(c->point),
                              .normal = vec(c->normal),
                              .t1 = vec(c->t1),
                              .gap = c->gap};
}

/* Returns true if the set is written here: always if it changes, otherwise at the first contact of its bodies. */
static bool wanted(sets *s, const contact_row *c, const tru_law *law) {
    if (law->needs) return true;
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].a == c->body_a && s->seen[i].b == c->body_b && s->seen[i].law == law) return false;
    if (s->seen_count == s->seen_room) {
        void *more = realloc(s->seen, (2 * s->seen_room + 16) * sizeof *s->seen);
        if (!more) return false;
        s->seen = more;
        s->seen_room = 2 * s->seen_room + 16;
    }
    s->seen[s->seen_count].a = c->body_a;
    s->seen[s->seen_count].b = c->body_b;
    s->seen[s->seen_count++].law = law;
    return true;
}

static void add_set(const sets *s, uint64_t frame, uint64_t row, const tru_friction_set *set) {
    static const char *const kinds[] = {"normal", "slide", "spin", "roll"};
    tru_json *j = s->run->json;
    tru_json_object(j, NULL);
    tru_json_integer(j, "frame", (int64_t)frame);
    tru_json_integer(j, "contact", (int64_t)row);
    tru_json_text(j, "law", set->law->name);
    tru_json_array(j, "claims");
    for (int k = TRU_KIND_SLIDE; k < TRU_KINDS; k++)
        if (set->claims & TRU_KIND_BIT(k)) tru_json_text(j, NULL, kinds[k]);
    tru_json_close(j);
    tru_json_array(j, "points");
    for (int i = 0; i < POINTS; i++) {
        double y[TRU_FRICTION_ROWS];
        set->law->boundary(set->work, 2.0 * acos(-1.0) * i / POINTS, y);
        tru_json_array(j, NULL);
        for (int k = 0; k < TRU_FRICTION_ROWS; k++) tru_json_number(j, NULL, (double)(float)y[k]);
        tru_json_close(j);
    }
    tru_json_close(j);
    tru_json_close(j);
}

static int rim_points(const contact_row *rows, uint64_t count, uint64_t k) {
    int same = 0;
    for (uint64_t i = 0; i < count; i++)
        same += rows[i].body_a == rows[k].body_a && rows[i].body_b == rows[k].body_b &&
                rows[i].shape_a == rows[k].shape_a && rows[i].shape_b == rows[k].shape_b &&
                rows[i].feature / TRU_RIM_POINTS == rows[k].feature / TRU_RIM_POINTS;
    return same;
}

static bool known(const sets *s, const contact_row *c) {
    const int64_t n = (int64_t)s->run->r.bodies;
    return c->body_a >= 0 && c->body_b >= 0 && c->body_a < n && c->body_b < n && c->impulse[0] > 0.0;
}

/* `first`: row of the report's contacts at which those of this frame begin. */
static tru_status add_frame(sets *s, uint64_t frame, uint64_t first, tru_error *err) {
    const reader *r = &s->run->r;
    const uint64_t at = frame * s->run->frame_step;
    uint64_t start = 0, count = 0;
    contact_row *rows = NULL;
    tru_status status = trio_reader_read(r, CONTACT_START, at, 1, 1, &start, err);
    if (status >= 0) status = trio_reader_read(r, CONTACT_COUNT, at, 1, 1, &count, err);
    if (status >= 0) status = trio_reader_take(r, CONTACT_RECORD, start, 1, count, &rows, err);
    if (status >= 0) status = trio_reader_read(r, FRAME_POSITION, at, 1, 1, s->x, err);
    if (status >= 0) status = trio_reader_read(r, FRAME_ORIENTATION, at, 1, 1, s->q, err);
    for (uint64_t k = 0; status >= 0 && k < count && k < CONTACTS; k++) {
        tru_friction_set out[TRU_PAIR_LAWS];
        size_t found = 0;
        if (!known(s, &rows[k])) continue;
        const tru_contact_info info = info_of(s, &rows[k]);
        const tru_body_state a = state_of(s, rows[k].body_a), b = state_of(s, rows[k].body_b);
        /* a body of an emitter is not in the initial world: its contacts have no picture */
        if (tru_friction_sets(tru_sim_world(s->sim), &info, &a, &b, rim_points(rows, count, k), out, &found, NULL) < 0)
            continue;
        for (size_t i = 0; i < found; i++)
            if (wanted(s, &rows[k], out[i].law)) add_set(s, frame, first + k, &out[i]);
    }
    free(rows);
    return status;
}

static tru_status add_all(sets *s, uint64_t stride, tru_error *err) {
    uint64_t *counts = NULL, first = 0;
    report_run *run = s->run;
    tru_status status = trio_reader_take(&run->r, CONTACT_COUNT, 0, run->frame_step * stride,
                                         trio_reader_kept(run->frames, stride), &counts, err);
    const uint64_t kept = trio_reader_kept(run->frames, stride), every = trio_reader_stride(kept, REPORT_SETS);
    tru_json_array(run->json, "sets");
    for (uint64_t k = 0; status >= 0 && k < kept; k++) {
        if (k % every == 0) status = add_frame(s, k * stride, first, err);
        first += counts[k];
    }
    tru_json_close(run->json);
    free(counts);
    return status;
}

tru_status trio_report_sets(report_run *run, tru_error *err) {
    sets s = {.run = run};
    tru_scene *scene = NULL;
    tru_status status = TRU_OK;
    if (!run->r.contacts || run->frames == 0) return TRU_OK;
    /* a scene that this version cannot build has no sets */
    if (tru_scene_parse_with(run->r.plugins, run->r.scene, strlen(run->r.scene), run->r.scene_name, NULL, 0, &scene,
                             NULL) < 0)
        return TRU_OK;
    if (tru_sim_create(scene, run->r.stepper, 1, &s.sim, NULL) >= 0) {
        s.x = malloc((3 * run->r.bodies + 1) * sizeof *s.x);
        s.q = malloc((4 * run->r.bodies + 1) * sizeof *s.q);
        status = s.x && s.q ? add_all(&s, run->contact_stride, err) : trio_no_memory(err);
    }
    free(s.x);
    free(s.q);
    free(s.seen);
    tru_sim_free(s.sim);
    tru_scene_free(scene);
    return status;
}
