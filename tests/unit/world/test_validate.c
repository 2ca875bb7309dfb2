/* A world with every kind of object is valid; each single damage is found and told by its own sentence. */
#include "check.h"
#include "worlds.h"

#include "world/validate.h"

#include <math.h>
#include <string.h>

static tru_id add_ball(tru_world *w, const char *name, tru_vec3 at, tru_body_kind kind) {
    tru_error err;
    tru_id id;
    static const tru_sphere sphere = {0.1};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = (tru_use){"sphere", &sphere};
    shape.density = 1000.0;
    b.name = name;
    b.kind = kind;
    b.position = at;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &id, &err));
    return id;
}

/* Nine balls in a row on a floor, two of them joined, one loaded, and a driven one; after five steps. The row is long enough that the
 * pair list is kept. */
static tru_world *busy_world(void) {
    tru_error err;
    tru_coulomb law = tru_default_coulomb();
    law.slide = 0.5;
    tru_world *w = kit_create_floor(&(tru_use){"coulomb", &law}, 1, 0.0);
    tru_id ids[9];
    for (int i = 0; i < 9; i++) {
        char name[40];
        snprintf(name, sizeof name, i % 2 ? "ball %d" : "a ball with a long name, number %d", i);
        ids[i] = add_ball(w, name, (tru_vec3){0.2 * i, 0.0, 0.1}, TRU_FREE);
    }
    const tru_id paddle = add_ball(w, "paddle", (tru_vec3){0.0, 5.0, 3.0}, TRU_DRIVEN);
    kit_add_joint(w, "link", "ball", NULL, ids[0], ids[1], (tru_vec3){0.1, 0.0, 0.1}, (tru_vec3){0.0, 0.0, 1.0});
    const tru_knot knots[3] = {{0.0, 0.0}, {1.0, 1.0}, {2.0, 0.0}};
    tru_load_def push = tru_default_load_def();
    push.body = ids[4];
    push.force.x = 1.0;
    push.knots = knots;
    push.knot_count = 3;
    MUST(tru_load_add(w, &push, NULL, &err));
    tru_motion_def drive = tru_default_motion_def();
    drive.body = paddle;
    drive.velocity.x = 0.5;
    MUST(tru_motion_set(w, &drive, &err));
    kit_set_moreau(w, 1e-3, 0);
    MUST(tru_run(w, 5, &err));
    return w;
}

/* True if the world is valid, has this sentence after the damage, and is valid again when the damage is undone. */
#define DAMAGE(place, value, sentence)                                                                                 \
    do {                                                                                                               \
        check(trui_world_validate(w) == NULL);                                                                         \
        char kept_[sizeof(place)];                                                                                     \
        memcpy(kept_, &(place), sizeof(place));                                                                        \
        (place) = (value);                                                                                             \
        const char *told_ = trui_world_validate(w);                                                                    \
        check_str(told_ ? told_ : "valid", sentence);                                                                  \
        memcpy(&(place), kept_, sizeof(place));                                                                        \
    } while (0)

TEST(a_busy_world_is_valid) {
    tru_world *w = busy_world();
    const char *wrong = trui_world_validate(w);
    check_str(wrong ? wrong : "valid", "valid");
    check(w->contacts.count >= 9 && w->joints.count == 1 && w->events.count > 0 && w->pair_list.good);
    tru_world_destroy(w);
}

TEST(an_empty_world_is_valid) {
    tru_error err;
    tru_world *w;
    const tru_world_def def = tru_default_world_def();
    MUST(tru_world_create(&def, &w, &err));
    check(trui_world_validate(w) == NULL);
    tru_world_destroy(w);
}

TEST(bodies) {
    tru_world *w = busy_world();
    body *b = &w->bodies.items[3];
    DAMAGE(b->id, b[-1].id, "ids of bodies do not increase");
    DAMAGE(w->next_id, w->bodies.items[w->bodies.count - 1].id, "a body has an id that was not given out");
    DAMAGE(b->x.y, NAN, "the state of a body is not finite");
    DAMAGE(b->w.z, INFINITY, "the state of a body is not finite");
    DAMAGE(b->q.w, 1.001, "the orientation of a body is not a unit quaternion");
    DAMAGE(b->mass, -1.0, "a free body has an impossible mass");
    DAMAGE(b->moment, -1.0, "a free body has an impossible inertia");
    DAMAGE(b->kind, 7, "a body has an unknown kind");
    DAMAGE(b->diagonal, false, "an isotropic inertia is not diagonal");
    DAMAGE(b->size, -0.1, "a body has an impossible size");
    DAMAGE(w->bodies.items[0].inv_mass, 1.0, "a body that is not free has inverse inertia");
    DAMAGE(b->solid_first, 2u, "solids are not in the order of bodies");
    DAMAGE(w->bodies.items[w->bodies.count - 1].solid_count, 2u, "a body has solids that do not exist");
    DAMAGE(w->labels.count, 2, "bodies and their labels differ in number");
    DAMAGE(w->stepped, w->next_id + 1, "a mark is beyond the last body");
    DAMAGE(w->before.items[3].q.x, 0.1, "an orientation before the last step is not a unit quaternion");
    if (check(w->middle.count > 0))
        DAMAGE(w->middle.items[3].w, 2.0, "an orientation in the last step is not a unit quaternion");
    solid *s = &w->solids.items[3];
    DAMAGE(s->body, 4u, "a solid does not know its body");
    DAMAGE(s->material, 9u, "a solid has an unknown material");
    DAMAGE(s->at->holders, 0, "a solid does not own its mount and parameters");
    DAMAGE(s->at->q.x, 0.1, "a solid has an orientation that is not a unit quaternion");
    DAMAGE(s->radius, -1.0, "a solid has an impossible radius");
    DAMAGE(w->bodies.capacity, 2, "an array has more items than its memory holds");
    DAMAGE(w->names.used, 3, "the table of names has a wrong number of entries");
    DAMAGE(w->names.room, 17, "the size of the table of names is not a power of two");
    char *name = w->labels.items[2].name; /* "ball 1", which is short */
    check_str(name, "ball 1");
    DAMAGE(name[0], 'c', "the name of a body leads to another body");
    tru_world_destroy(w);
}

TEST(contacts) {
    tru_world *w = busy_world();
    contact *c = &w->contacts.items[2];
    const contact_key key = c->key;
    c->key = c[-1].key;
    check_str(trui_world_validate(w), "contacts are not in the order of their keys");
    c->key = key;
    contact *last = &w->contacts.items[w->contacts.count - 1];
    DAMAGE(last->a, 1000u, "a contact is of bodies that do not exist");
    DAMAGE(last->solid_b, 1000u, "a contact is of solids that do not exist");
    DAMAGE(last->solid_b, last->solid_a, "a contact is of solids of other bodies");
    DAMAGE(c->c.normal.z, 1.1, "the frame of a contact is not orthonormal");
    DAMAGE(c->c.t2.x, c->c.t2.x + 0.1, "the frame of a contact is not orthonormal");
    DAMAGE(c->c.gap, NAN, "the place of a contact is not finite");
    DAMAGE(c->dry[4], NAN, "an impulse of a contact is not finite");
    DAMAGE(c->impulse[0], INFINITY, "an impulse of a contact is not finite");
    contact_end elsewhere;
    DAMAGE(c->end, &elsewhere, "the end of a contact is not in the world");
    springs slack;
    DAMAGE(c->springs, &slack, "the springs of a contact are not in the world");
    double number;
    DAMAGE(c->c.memory, &number, "the history of a contact is not in the world");
    pair other;
    DAMAGE(c->pair, &other, "the pair of a contact is not in the world");
    DAMAGE(w->bodies.items[2].contacts, 9, "bodies count other contacts than there are");
    DAMAGE(w->bodies.items[2].contacts, -1, "a body counts fewer than 0 contacts");
    DAMAGE(w->pair_list.pairs.items[0].b, 1000u, "the pair list has an index out of range");
    DAMAGE(w->pair_list.boxes.items[2].lo[1], 9.0f, "a box of the pair list is inside out");
    DAMAGE(w->pair_list.boxes.count, 0, "valid"); /* new solids have no boxes yet */
    tru_world_destroy(w);
}

TEST(bodies_of_a_contact_have_an_order) {
    tru_world *w = busy_world();
    contact *all = w->contacts.items;
    const contact kept = all[0];
    all[0].a = kept.b, all[0].b = kept.a, all[0].solid_a = kept.solid_b, all[0].solid_b = kept.solid_a;
    check_str(trui_world_validate(w), "the bodies of a contact are in the wrong order");
    all[0] = kept;
    tru_world_destroy(w);
}

TEST(pairs) {
    tru_world *w = busy_world();
    pair *p = &w->pairs.items[0];
    DAMAGE(p->a, 1, "a pair is of unknown materials");
    DAMAGE(p->law_count, TRU_PAIR_LAWS + 1, "a pair has too many laws");
    DAMAGE(p->claims, 0u, "a pair claims other rows than its laws");
    DAMAGE(p->restitution, 1.5, "a restitution is not between 0 and 1");
    DAMAGE(p->history, 1000, "a pair has more history than contacts have");
    DAMAGE(p->laws[0].memory, -1, "a law has its memory outside of the history");
    DAMAGE(w->materials.items[0].id, 2, "materials are not numbered from 1 on");
    DAMAGE(w->pair_table.count, 0, "the table of pairs does not have an entry for every two materials");
    DAMAGE(w->pair_table.items[0], 5, "the table of pairs has an index out of range");
    DAMAGE(w->pair_table.items[0], -1, "the table of pairs has a wrong entry");
    const pair kept = *p;
    p->law_count = 2;
    p->laws[1] = p->laws[0];
    check_str(trui_world_validate(w), "two laws of a pair claim the same rows");
    *p = kept;
    tru_world_destroy(w);
}

TEST(joints_and_loads) {
    tru_world *w = busy_world();
    joint *j = &w->joints.items[0];
    DAMAGE(j->id, w->next_joint, "ids of joints do not increase");
    DAMAGE(j->a, j->b, "a joint has an index out of range");
    DAMAGE(j->a, 5, "a joint has the index of another body");
    DAMAGE(j->rows, -1, "a joint has too many rows");
    DAMAGE(j->axes_b.m[1][1], 2.0, "the axes of a joint are not orthonormal");
    DAMAGE(j->impulse[0], NAN, "an impulse of a joint is not finite");
    DAMAGE(w->bodies.items[5].joints, 1, "bodies count other joints than there are");
    load *l = &w->loads.items[0];
    DAMAGE(l->body, 1000, "a load acts on a body that does not exist");
    DAMAGE(l->schedule.knots[1].time, 3.0, "times of a schedule do not increase");
    DAMAGE(w->motions.items[0].body, w->bodies.items[2].id, "a motion drives a body that is free or does not exist");
    tru_world_destroy(w);
}

TEST(time_and_events) {
    tru_world *w = busy_world();
    DAMAGE(w->gravity.z, NAN, "gravity is not finite");
    DAMAGE(w->step, -1.0, "the time is not finite");
    DAMAGE(w->time_base, NAN, "the time is not finite");
    DAMAGE(w->steps_here, w->steps_done + 1, "more steps were done at this step size than in all");
    DAMAGE(w->energy_seen, NAN, "the largest energy so far is not finite");
    DAMAGE(w->events.first, EVENT_ROOM, "the event ring has an index out of range");
    DAMAGE(w->events.count, EVENT_ROOM + 1, "the event ring has an index out of range");
    DAMAGE(w->events.items[w->events.first].time, NAN, "an event has a time that is not finite");
    DAMAGE(w->scratch.first->used, w->scratch.first->room + 1,
           "a block of scratch memory has more bytes in use than it has");
    tru_world_destroy(w);
}

/* The counters of the bodies that stay are right after a body was removed, and a whole run stays valid. */
TEST(a_removed_body_takes_its_contacts_along) {
    tru_error err;
    tru_world *w = busy_world();
    MUST(tru_body_remove(w, tru_body_find(w, "ball 3"), &err));
    const char *wrong = trui_world_validate(w);
    check_str(wrong ? wrong : "valid", "valid");
    MUST(tru_run(w, 50, &err));
    wrong = trui_world_validate(w);
    check_str(wrong ? wrong : "valid", "valid");
    tru_world_destroy(w);
}
