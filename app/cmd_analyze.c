/* cmd_analyze.c: "trundle analyze": what the state of a scene at a time means: energies, contacts, steady motions. */
#include "app.h"
#include "progress.h"
#include "table.h"

#include <trundle/analysis.h>

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
    tru_contact_get(w, k, &v.info, NULL);
    const double *p = v.info.impulse, *u = v.info.velocity;
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
    v.mode = p[TRU_ROW_NORMAL] <= 0.0 ? "open" : slides ? "slips" : rolls ? "rolls" : "sticks";
    return v;
}

static void print_contacts(const tru_world *w) {
    static const char *const heads[] = {"contact",    "mode",         "normal [N]",   "friction [N]",     "demand [-]",
                                        "slip [m/s]", "spin [rad/s]", "roll [rad/s]", "roll couple [N m]"};
    const size_t count = tru_contact_count(w), shown = count < MOST_SHOWN ? count : MOST_SHOWN;
    printf("\n%zu contact%s; demand: friction force per normal force\n", count, count == 1 ? "" : "s");
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
    if (shown < count) printf("  ... %zu more (--json has all)\n", count - shown);
}

/* ---- a disk on a plane ---- */

typedef struct disk_view {
    const char *name;
    tru_disk_body disk;
    tru_disk_angles angles;
    tru_disk_steady steady; /* circular rolling at this inclination with this ratio */
    bool has_steady;
} disk_view;

/* A free body that is a thin disk and touches something; false when it is not. */
static bool view_disk(const tru_world *w, tru_id body, disk_view *out) {
    tru_body_info info;
    tru_shape_def shape;
    tru_body_state state;
    const tru_vec3 g = tru_world_gravity(w);
    if (tru_body_describe(w, body, &info, NULL) < 0 || info.kind != TRU_FREE || info.shape_count != 1) return false;
    if (tru_body_shape(w, body, 0, &shape, NULL) < 0 || tru_body_get(w, body, &state, NULL) < 0) return false;
    if (strcmp(shape.shape.name, "disk") != 0 || tru_disk_of(&info, &shape, norm(g), &out->disk, NULL) < 0)
        return false;
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        tru_contact_info c;
        if (tru_contact_get(w, k, &c, NULL) < 0 || c.body_a != body) continue;
        out->name = info.name;
        out->angles = tru_disk_angles_of(&state, shape.orientation, c.normal);
        const double ratio = -out->angles.alpha_rate / out->angles.gamma_rate;
        out->has_steady = isfinite(ratio) && ratio > 0.0 &&
                          tru_disk_circular(&out->disk, fabs(out->angles.beta), ratio, &out->steady, NULL) >= 0;
        return true;
    }
    return false;
}

static void print_disk(const disk_view *d) {
    printf("\n%s is a thin disk\n", d->name);
    printf(
        "  inclination %.6g rad (0 upright, %.5g flat), precession %.5g rad/s, nutation %.4g rad/s, spin %.4g rad/s\n",
        d->angles.beta, 0.5 * 3.14159265358979323846, d->angles.alpha_rate, d->angles.beta_rate, d->angles.spin);
    if (!d->has_steady) {
        puts("  no circular rolling has this inclination and this ratio of rates");
        return;
    }
    printf("  circular rolling like this: precession %.5g rad/s, centre at %.4g m/s, needs friction %.4g of the normal "
           "force, %s\n",
           d->steady.alpha_rate, d->steady.speed, d->steady.demand,
           d->steady.oscillation > 0.0 ? "small oscillations stay small" : "unstable");
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

static int tell(const tru_scene *scene, tru_sim *sim) {
    const tru_world *w = tru_sim_world(sim);
    const tru_ledger l = tru_world_ledger(w);
    printf("%s at %.6g s\n", tru_scene_title(scene), tru_time(w));
    printf("  energy %.8g J: kinetic %.8g, potential %.8g, stored %.8g\n\n", l.kinetic + l.potential + l.stored,
           l.kinetic, l.potential, l.stored);
    print_bodies(w);
    print_contacts(w);
    for (size_t k = 0; k < tru_body_count(w); k++) {
        disk_view d;
        if (view_disk(w, tru_body_at(w, k), &d)) print_disk(&d);
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

static void disk_json(tru_json *json, const disk_view *d) {
    tru_json_object(json, "disk");
    tru_json_number(json, "inclination", d->angles.beta);
    tru_json_number(json, "precession", d->angles.alpha_rate);
    tru_json_number(json, "nutation", d->angles.beta_rate);
    tru_json_number(json, "spin", d->angles.spin);
    if (d->has_steady) {
        tru_json_object(json, "circular_rolling");
        tru_json_number(json, "precession", d->steady.alpha_rate);
        tru_json_number(json, "speed", d->steady.speed);
        tru_json_number(json, "friction_demand", d->steady.demand);
        tru_json_number(json, "energy", d->steady.energy);
        tru_json_bool(json, "stable", d->steady.oscillation > 0.0);
        tru_json_close(json);
    }
    tru_json_close(json);
}

static void body_json(tru_json *json, const tru_world *w, tru_id id) {
    tru_body_info info;
    tru_body_state s;
    disk_view d;
    if (tru_body_describe(w, id, &info, NULL) < 0 || tru_body_get(w, id, &s, NULL) < 0) return;
    tru_json_object(json, NULL);
    tru_json_text(json, "name", info.name);
    tru_json_number(json, "mass", info.mass);
    vec_json(json, "position", s.position);
    vec_json(json, "velocity", s.velocity);
    vec_json(json, "angular_velocity", s.angular_velocity);
    if (view_disk(w, id, &d)) disk_json(json, &d);
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
    tru_json_array(json, "bodies");
    for (size_t k = 0; k < tru_body_count(w); k++) body_json(json, w, tru_body_at(w, k));
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

/* At least one step: reactions are those of a step. */
int cmd_analyze(const args *a) {
    int code;
    tru_error err;
    tru_sim *sim = NULL;
    tru_scene *scene = scene_open(a, &code);
    if (!scene) return code;
    tru_status status = tru_sim_create(scene, args_text(a, "stepper"), 1, &sim, &err);
    const double at = args_number(a, "at", 0.0);
    if (status >= 0) status = tru_sim_set_until(sim, fmax(at, tru_step_size(tru_sim_world(sim))), &err);
    progress p = {0};
    if (status >= 0) p = progress_begin(sim, false);
    while (status >= 0 && !tru_sim_done(sim)) {
        status = tru_sim_run(sim, 1000, &err);
        progress_update(&p, sim);
    }
    if (status >= 0) progress_end(&p);
    if (status < 0)
        code = complain(&err);
    else
        code = args_flag(a, "json") ? tell_json(scene, sim) : tell(scene, sim);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return code;
}
