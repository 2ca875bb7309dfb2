/* What friction can do at a contact, against closed forms: disc, meridian, lever of a sphere, radius of a pair. */
#include "check.h"

#include <trundle/plugin.h>

/* A ball of radius 0.1 m touching a plane, with the given laws. */
static tru_world *ball(const tru_use *laws, size_t count, tru_contact_info *c, tru_body_state *a, tru_body_state *b) {
    tru_world *w = NULL;
    tru_world_def wd = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    const tru_sphere sphere = {0.1};
    tru_shape_def plane = tru_default_shape_def(), round = tru_default_shape_def();
    tru_body_def floor = tru_default_body_def(), def = tru_default_body_def();
    pair.laws = laws;
    pair.law_count = count;
    plane.shape = (tru_use){"plane", NULL};
    round.shape = (tru_use){"sphere", &sphere};
    floor.kind = TRU_FIXED;
    floor.shapes = &plane;
    def.shapes = &round;
    floor.shape_count = def.shape_count = 1;
    def.mass = 1.0;
    def.position.z = 0.1;
    *c = (tru_contact_info){.normal = {0, 0, 1}, .t1 = {0.6, 0.8, 0}};
    check_status(tru_world_create(&wd, &w, NULL), TRU_OK);
    check_status(tru_pair_set(w, &pair, NULL), TRU_OK);
    check_status(tru_body_add(w, &floor, &c->body_b, NULL), TRU_OK);
    check_status(tru_body_add(w, &def, &c->body_a, NULL), TRU_OK);
    check_status(tru_body_get(w, c->body_a, a, NULL), TRU_OK);
    check_status(tru_body_get(w, c->body_b, b, NULL), TRU_OK);
    return w;
}

TEST(disc_of_coulomb_and_lever_of_contour) {
    tru_coulomb mu = tru_default_coulomb();
    tru_contour contour = tru_default_contour();
    mu.slide = 0.3;
    contour.contour = 0.02;
    const tru_use laws[] = {{"coulomb", &mu}, {"contour", &contour}};
    tru_contact_info c;
    tru_body_state a, b;
    tru_friction_set sets[TRU_PAIR_LAWS];
    size_t count = 0;
    tru_world *w = ball(laws, 2, &c, &a, &b);
    check_status(tru_friction_sets(w, &c, &a, &b, 1, sets, &count, NULL), TRU_OK);
    check_status((int)count, 2);
    check_str(sets[0].law->name, "coulomb");
    check_status((int)sets[0].claims, (int)TRU_KIND_BIT(TRU_KIND_SLIDE));
    check_str(sets[1].law->name, "contour");
    for (double angle = 0.0; angle < 6.2; angle += 0.3) {
        double y[TRU_FRICTION_ROWS];
        sets[0].law->boundary(sets[0].work, angle, y);
        check_close(hypot(y[0], y[1]), 0.3, 1e-14, 0.0);
        sets[1].law->boundary(sets[1].work, angle, y);
        check_close(hypot(y[3], y[4]), 0.02 * 0.1, 1e-13, 0.0); /* lever of a sphere: its radius */
    }
    tru_world_destroy(w);
}

TEST(length_in_parts_of_a_radius) {
    tru_rolling rolling = tru_default_rolling();
    rolling.roll = (tru_length){0.0, 0.05, TRU_RADIUS_EFFECTIVE};
    const tru_use law = {"rolling", &rolling};
    tru_contact_info c;
    tru_body_state a, b;
    tru_friction_set sets[TRU_PAIR_LAWS];
    size_t count = 0;
    double y[TRU_FRICTION_ROWS];
    tru_world *w = ball(&law, 1, &c, &a, &b);
    check_status(tru_friction_sets(w, &c, &a, &b, 1, sets, &count, NULL), TRU_OK);
    check_status((int)count, 1);
    sets[0].law->boundary(sets[0].work, 1.0, y);
    check_close(hypot(y[3], y[4]), 0.05 * 0.1, 1e-13, 0.0);
    tru_world_destroy(w);
}

TEST(what_does_not_exist) {
    tru_coulomb mu = tru_default_coulomb();
    mu.slide = 0.3;
    const tru_use law = {"coulomb", &mu};
    tru_contact_info c;
    tru_body_state a, b;
    tru_friction_set sets[TRU_PAIR_LAWS];
    size_t count = 7;
    tru_error err;
    tru_world *w = ball(&law, 1, &c, &a, &b);
    check_status(tru_friction_sets(w, NULL, &a, &b, 1, sets, &count, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_friction_sets needs a world, a contact and two states");
    c.shape_a = 1;
    check_status(tru_friction_sets(w, &c, &a, &b, 1, sets, &count, &err), TRU_STALE_ID);
    check_status((int)count, 0);
    check_str(err.text, "a body of the contact does not exist (any more)");
    tru_world_destroy(w);
}
