/* cmd_analyze.c: "trundle analyze": energies, contacts, steady motions and limit directions of a state. */
#include "limit/analyze_limit.h"
#include "cli/app.h"
#include "cli/progress.h"
#include "text/table.h"
#include "limit/limit_picture.h"

#include <trundle/analysis.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 40 };

static double norm(tru_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/* ---- contacts ---- */

typedef struct contact_view {
    tru_contact_info info;
    const char *a, *b;
    double normal, friction; /* [N] mean over the last step */
    double couple[2];        /* [N m] spin, roll */
    double slip, spin, roll; /* [m/s], [rad/s] */
    const char *mode;
} contact_view;

static const char *name_of(const tru_world *w, tru_id body) {
    tru_body_info info;
    return tru_body_describe(w, body, &info, NULL) >= 0 ? info.name : "?";
}

static contact_view view(const tru_world *w, size_t k) {
    contact_view v = {0};
    const double h = tru_step_size(w);
    tru_contact_place now = {.gap = 0.0};
    tru_contact_get(w, k, &v.info, NULL);
    tru_contact_now(w, k, &now, NULL);
    const double *p = v.info.impulse, *u = now.velocity;
    v.a = name_of(w, v.info.body_a);
    v.b = name_of(w, v.info.body_b);
    v.normal = p[TRU_ROW_NORMAL] / h;
    v.friction = hypot(p[TRU_ROW_SLIDE1], p[TRU_ROW_SLIDE2]) / h;
    v.couple[0] = fabs(p[TRU_ROW_SPIN]) / h;
    v.couple[1] = hypot(p[TRU_ROW_ROLL1], p[TRU_ROW_ROLL2]) / h;
    v.slip = hypot(u[TRU_ROW_SLIDE1], u[TRU_ROW_SLIDE2]);
    v.spin = u[TRU_ROW_SPIN];
    v.roll = hypot(u[TRU_ROW_ROLL1], u[TRU_ROW_ROLL2]);
    const bool slides = !(v.info.stuck & (1u << TRU_KIND_SLIDE));
    const bool rolls = !(v.info.stuck & (1u << TRU_KIND_ROLL));
    const bool open = p[TRU_ROW_NORMAL] <= 0.0 && tru_steps_done(w) > 0; /* before the first step no force is known */
    v.mode = open ? "open" : slides ? "slips" : rolls ? "rolls" : "sticks";
    return v;
}

static void print_contacts(const tru_world *w) {
    static const char *const heads[] = {"contact",    "mode",         "normal [N]",   "friction [N]",     "demand [-]",
                                        "slip [m/s]", "spin [rad/s]", "roll [rad/s]", "roll couple [N m]"};
    const size_t count = tru_contact_count(w), shown = count < MOST_SHOWN ? count : MOST_SHOWN;
    say(stdout, "\n%zu contact%s; demand: friction force per normal force\n", count, count == 1 ? "" : "s");
    if (count == 0) return;
    table *t = table_new(heads, 9, "llrrrrrrr");
    for (size_t k = 0; k < shown; k++) {
        const contact_view v = view(w, k);
        table_cell(t, "%s on %s", v.a, v.b);
        table_cell(t, "%s", v.mode);
        table_cell(t, "%.5g", v.normal);
        table_cell(t, "%.5g", v.friction);
        table_cell(t, "%.5g", v.normal > 0.0 ? v.friction / v.normal : 0.0);
        table_cell(t, "%.4g", v.slip);
        table_cell(t, "%.4g", v.spin);
        table_cell(t, "%.4g", v.roll);
        table_cell(t, "%.4g", v.couple[1]);
    }
    table_print(t, stdout, 0, 2);
    if (shown < count) say(stdout, "  ... %zu more (--json has all)\n", count - shown);
}

/* ---- a disk on a plane: its probes ---- */

static const struct disk_probe {
    const char *name, *label;
} disk_probes[] = {{"beta", "inclination (0 upright)"},
                   {"alpha_rate", "precession"},
                   {"psi_rate", "rate of the contact point around the rim"},
                   {"spin", "spin about the normal"},
                   {"demand", "friction demand of circular rolling at this inclination"},
                   {"chi", "friction demand over friction coefficient (sticks below 1)"},
                   {"nutation", "frequency of small oscillations about circular rolling"},
                   {"time_left", "time until it lies flat, by the decay laws"}};
enum { DISK_PROBES = sizeof disk_probes / sizeof *disk_probes };

/* Reads the probes, NaN if one has no value. Returns false if the body is not a disk. */
static bool view_disk(tru_sim *sim, const char *body, double values[DISK_PROBES], tru_unit units[DISK_PROBES]) {
    for (size_t k = 0; k < DISK_PROBES; k++) {
        size_t index;
        char *name = need_text("%s.disk.%s", body, disk_probes[k].name);
        const tru_status status = tru_sim_probe(sim, name, &index, &units[k], NULL);
        free(name);
        if (status < 0) return false;
        values[k] = tru_sim_value(sim, index);
    }
    return !isnan(values[0]);
}

static void print_disk(tru_sim *sim, const char *body) {
    static const char *const heads[] = {"", "", ""};
    double values[DISK_PROBES];
    tru_unit units[DISK_PROBES];
    if (!view_disk(sim, body, values, units)) return;
    say(stdout, "\n%s is a disk\n", body);
    table *t = table_new(heads, 3, "lrl");
    for (size_t k = 0; k < DISK_PROBES; k++) {
        if (isnan(values[k])) continue;
        table_cell(t, "%s", disk_probes[k].label);
        table_cell(t, "%.6g", values[k]);
        table_cell(t, "%s", tru_unit_describe(units[k]).symbol);
    }
    table_print(t, stdout, 0, 2);
    tru_disk_view view;
    tru_error why = {TRU_OK, ""};
    const tru_world *w = tru_sim_world(sim);
    if (tru_disk_of_body(w, tru_body_find(w, body), &view, &why) >= 0 && !view.thin) say(stdout, "  %s\n", why.text);
}

static void disk_json(tru_json *json, tru_sim *sim, const char *body) {
    double values[DISK_PROBES];
    tru_unit units[DISK_PROBES];
    if (!view_disk(sim, body, values, units)) return;
    tru_json_object(json, "disk");
    for (size_t k = 0; k < DISK_PROBES; k++) tru_json_number(json, disk_probes[k].name, values[k]);
    tru_json_close(json);
}

/* ---- bodies ---- */

static void print_bodies(const tru_world *w) {
    static const char *const heads[] = {"body", "mass [kg]", "position [m]", "speed [m/s]", "angular speed [rad/s]"};
    const size_t count = tru_body_count(w);
    table *t = table_new(heads, 5, "lrlrr");
    size_t shown = 0;
    for (size_t k = 0; k < count && shown < MOST_SHOWN; k++) {
        tru_body_info info;
        tru_body_state s;
        const tru_id id = tru_body_at(w, k);
        if (tru_body_describe(w, id, &info, NULL) < 0 || tru_body_get(w, id, &s, NULL) < 0 || info.kind == TRU_FIXED)
            continue;
        table_cell(t, "%s", info.name);
        table_cell(t, "%.5g", info.mass);
        table_cell(t, "(%.6g, %.6g, %.6g)", s.position.x, s.position.y, s.position.z);
        table_cell(t, "%.6g", norm(s.velocity));
        table_cell(t, "%.6g", norm(s.angular_velocity));
        shown++;
    }
    table_print(t, stdout, 0, 2);
}

static size_t free_bodies(const tru_world *w) {
    size_t count = 0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_info info;
        count += tru_body_describe(w, tru_body_at(w, k), &info, NULL) >= 0 && info.kind == TRU_FREE;
    }
    return count;
}

/* Prints limit directions of a free body with one contact. If it is the only body, prints why it has none. */
static bool has_limits(const tru_world *w, tru_id body) {
    tru_body_info info;
    size_t count = 0;
    if (tru_body_describe(w, body, &info, NULL) < 0 || info.kind != TRU_FREE) return false;
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        tru_contact_info c;
        if (tru_contact_get(w, k, &c, NULL) >= 0) count += c.body_a == body || c.body_b == body;
    }
    return count == 1 || free_bodies(w) == 1;
}

/* ---- heaps ---- */

static void print_heap(const tru_world *w) {
    const double deg = 57.29577951308232;
    tru_repose r;
    char spread[40] = "";
    if (tru_repose_of_world(w, &r, NULL) < 0) return;
    const bool known = !isnan(r.angle_error); /* unless a quadrant has no flank */
    if (known) snprintf(spread, sizeof spread, " +- %.2f deg", deg * r.angle_error);
    say(stdout, "\nheap about (%.4f, %.4f) m: highest ring %.4f m, centre of mass %.4f m\n", r.axis_x, r.axis_y,
        r.height, r.centre);
    say(stdout, "  angle of repose %.2f deg%s: line over %d rings of the flank%s\n", deg * r.angle, spread,
        (int)r.rings, known ? ", spread of the four quadrants" : "");
    say(stdout, "  angle of repose %.2f deg: uniform cone with the median height and radius of all bodies\n",
        deg * r.median_angle);
}

/* ---- all of it ---- */

static int tell(const tru_scene *scene, tru_sim *sim) {
    const tru_world *w = tru_sim_world(sim);
    const tru_ledger l = tru_world_ledger(w);
    say(stdout, "%s at %.6g s\n", tru_scene_title(scene), tru_time(w));
    say(stdout, "  energy %.8g J: kinetic %.8g, potential %.8g, stored %.8g\n\n", l.kinetic + l.potential + l.stored,
        l.kinetic, l.potential, l.stored);
    print_bodies(w);
    print_contacts(w);
    print_heap(w);
    for (size_t k = 0; k < tru_body_count(w); k++) {
        print_disk(sim, name_of(w, tru_body_at(w, k)));
        if (!has_limits(w, tru_body_at(w, k))) continue;
        const limit_view v = limit_view_of(w, tru_body_at(w, k), name_of(w, tru_body_at(w, k)));
        limit_print(&v);
    }
    return EXIT_GOOD;
}

/* ---- JSON ---- */

static void vec_json(tru_json *json, const char *key, tru_vec3 v) {
    tru_json_array(json, key);
    tru_json_number(json, NULL, v.x);
    tru_json_number(json, NULL, v.y);
    tru_json_number(json, NULL, v.z);
    tru_json_close(json);
}

static void contact_json(tru_json *json, const contact_view *v) {
    tru_json_object(json, NULL);
    tru_json_text(json, "a", v->a);
    tru_json_text(json, "b", v->b);
    tru_json_text(json, "mode", v->mode);
    vec_json(json, "point", v->info.point);
    vec_json(json, "normal", v->info.normal);
    tru_json_number(json, "gap", v->info.gap);
    tru_json_number(json, "normal_force", v->normal);
    tru_json_number(json, "friction_force", v->friction);
    tru_json_number(json, "friction_demand", v->normal > 0.0 ? v->friction / v->normal : 0.0);
    tru_json_number(json, "slip", v->slip);
    tru_json_number(json, "spin", v->spin);
    tru_json_number(json, "roll", v->roll);
    tru_json_number(json, "spin_couple", v->couple[0]);
    tru_json_number(json, "roll_couple", v->couple[1]);
    tru_json_close(json);
}

static void body_json(tru_json *json, tru_sim *sim, tru_id id) {
    const tru_world *w = tru_sim_world(sim);
    tru_body_info info;
    tru_body_state s;
    if (tru_body_describe(w, id, &info, NULL) < 0 || tru_body_get(w, id, &s, NULL) < 0) return;
    tru_json_object(json, NULL);
    tru_json_text(json, "name", info.name);
    tru_json_number(json, "mass", info.mass);
    vec_json(json, "position", s.position);
    vec_json(json, "velocity", s.velocity);
    vec_json(json, "angular_velocity", s.angular_velocity);
    disk_json(json, sim, info.name);
    if (has_limits(w, id)) {
        const limit_view v = limit_view_of(w, id, info.name);
        limit_json(json, &v);
    }
    tru_json_close(json);
}

static int tell_json(const tru_scene *scene, tru_sim *sim) {
    const tru_world *w = tru_sim_world(sim);
    const tru_ledger l = tru_world_ledger(w);
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(scene));
    tru_json_number(json, "time", tru_time(w));
    tru_json_object(json, "energy");
    tru_json_number(json, "kinetic", l.kinetic);
    tru_json_number(json, "potential", l.potential);
    tru_json_number(json, "stored", l.stored);
    tru_json_close(json);
    tru_json_heap(json, w);
    tru_json_array(json, "bodies");
    for (size_t k = 0; k < tru_body_count(w); k++) body_json(json, sim, tru_body_at(w, k));
    tru_json_close(json);
    tru_json_array(json, "contacts");
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        const contact_view v = view(w, k);
        contact_json(json, &v);
    }
    tru_json_close(json);
    tru_json_close(json);
    return print_json(json);
}

/* ---- the command ---- */

/* Steps to a time. Takes at least one step unless the time is 0, because reactions belong to a step. */
static tru_status advance(tru_sim *sim, double at, tru_error *err) {
    if (at == 0.0) return TRU_OK;
    tru_status status = tru_sim_set_until(sim, fmax(at, tru_step_size(tru_sim_world(sim))), err);
    progress p = progress_begin(sim, false);
    while (status >= 0 && !tru_sim_done(sim)) {
        status = tru_sim_run(sim, 1000, err);
        progress_update(&p, sim);
    }
    progress_end(&p);
    return status;
}

/* Opens the state of the snapshot in a folder of results. */
static tru_status open_results(const args *a, tru_scene **scene, tru_sim **sim, tru_error *err) {
    char stepper[100];
    tru_status status = tru_results_scene(a->operands[0], scene, stepper, sizeof stepper, err);
    if (status >= 0) status = tru_sim_create(*scene, stepper, 1, sim, err);
    return status >= 0 ? tru_sim_resume(*sim, *scene, a->operands[0], err) : status;
}

static bool is_results(const char *operand) {
    char *path = need_text("%s/%s", operand, tru_has_hdf5() ? "run.h5" : "snapshot.tru");
    FILE *file = fopen(path, "r");
    free(path);
    if (file) fclose(file);
    return file != NULL;
}

/* Draws portrait and regions of every body that has limit directions. */
static int draw(const tru_world *w, const char *folder) {
    int code = EXIT_GOOD;
    for (size_t k = 0; code == EXIT_GOOD && k < tru_body_count(w); k++) {
        const tru_id body = tru_body_at(w, k);
        if (!has_limits(w, body)) continue;
        const limit_view v = limit_view_of(w, body, name_of(w, body));
        if (!v.known) continue;
        code = limit_draw_portrait(&v, folder);
        if (code == EXIT_GOOD) code = limit_draw_regions(&v, folder);
    }
    return code;
}

int cmd_analyze(const args *a) {
    int code = EXIT_GOOD;
    tru_error err;
    tru_sim *sim = NULL;
    tru_scene *scene = NULL;
    tru_status status = TRU_OK;
    if (is_results(a->operands[0])) {
        if (a->given_count > (size_t)args_flag(a, "json") + (size_t)args_flag(a, "out")) {
            say(stderr, "trundle analyze: %s is a folder of results, for which only --json and --out apply\n",
                a->operands[0]);
            return EXIT_USAGE;
        }
        status = open_results(a, &scene, &sim, &err);
    } else {
        scene = scene_open(a, &code);
        if (!scene) return code;
        status = tru_sim_create(scene, args_text(a, "stepper"), 1, &sim, &err);
        if (status >= 0) status = advance(sim, args_number(a, "at", DBL_MIN), &err);
    }
    if (status < 0)
        code = complain(&err);
    else
        code = args_flag(a, "json") ? tell_json(scene, sim) : tell(scene, sim);
    if (code == EXIT_GOOD && args_text(a, "out")) code = draw(tru_sim_world(sim), args_text(a, "out"));
    tru_sim_free(sim);
    tru_scene_free(scene);
    return code;
}
