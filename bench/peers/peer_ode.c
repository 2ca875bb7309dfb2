/* peer_ode.c: runs a state file with the Open Dynamics Engine.
 *
 * Coefficients: slide is mu of both axes with dContactApprox1, so that limits follow the normal force (a pyramid along the
 * contact's axes); roll and spin are rho, rho2 and rhoN, lengths as ours. A disk is ODE's cylinder, a four-thousandth of
 * its radius thick, since ODE has no disk without thickness.
 * Solvers: "step" (dWorldStep, direct) and "quick" (dWorldQuickStep, sweeps, 20 by default). */
#include "state.h"

#include <ode/ode.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 8 }; /* of two geoms at most */

typedef struct engine {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    dBodyID *bodies;
    size_t body_count;
    dSurfaceParameters surface;
    double step; /* [s] */
    bool quick;
    long contacts; /* of the last step */
} engine;

static void near(void *data, dGeomID a, dGeomID b) {
    engine *e = data;
    dContact contacts[CONTACTS];
    const int count = dCollide(a, b, CONTACTS, &contacts[0].geom, sizeof *contacts);
    for (int k = 0; k < count; k++) {
        contacts[k].surface = e->surface;
        dJointID joint = dJointCreateContact(e->world, e->group, &contacts[k]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
    e->contacts += count;
}

static void advance(void *peer, long steps) {
    engine *e = peer;
    for (long k = 0; k < steps; k++) {
        e->contacts = 0;
        dSpaceCollide(e->space, e, near);
        if (e->quick)
            dWorldQuickStep(e->world, e->step);
        else
            dWorldStep(e->world, e->step);
        dJointGroupEmpty(e->group);
    }
}

static double tilt(void *peer) {
    const engine *e = peer;
    const dReal *r = dBodyGetRotation(e->bodies[0]); /* 3 rows of 4 */
    return atan2(sqrt(r[2] * r[2] + r[6] * r[6]), fabs(r[10]));
}

static dGeomID new_geom(const engine *e, const peer_body *b) {
    if (b->shape == PEER_SPHERE) return dCreateSphere(e->space, b->size[0]);
    if (b->shape == PEER_BOX) return dCreateBox(e->space, 2.0 * b->size[0], 2.0 * b->size[1], 2.0 * b->size[2]);
    return dCreateCylinder(e->space, b->size[0], 2.5e-4 * b->size[0]);
}

static dBodyID new_body(const engine *e, const peer_body *b) {
    dBodyID body = dBodyCreate(e->world);
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
    dBodySetQuaternion(body, b->turn);
    dBodySetLinearVel(body, b->velocity[0], b->velocity[1], b->velocity[2]);
    dBodySetAngularVel(body, b->rate[0], b->rate[1], b->rate[2]);
    dGeomSetBody(new_geom(e, b), body);
    return body;
}

static dSurfaceParameters surface_of(const peer_state *s) {
    dSurfaceParameters surface = {.mode = dContactApprox1 | dContactAxisDep, .mu = s->slide, .mu2 = s->slide};
    if (s->roll > 0.0 || s->spin > 0.0) {
        surface.mode |= dContactRolling;
        surface.rho = surface.rho2 = s->roll;
        surface.rhoN = s->spin;
    }
    return surface;
}

static engine start(const peer_state *s, const peer_options *o) {
    engine e = {.step = o->step, .quick = strcmp(o->solver, "quick") == 0, .body_count = s->body_count};
    dInitODE2(0);
    e.world = dWorldCreate();
    e.space = s->body_count > 64 ? dHashSpaceCreate(0) : dSimpleSpaceCreate(0);
    e.group = dJointGroupCreate(0);
    e.surface = surface_of(s);
    e.bodies = malloc(s->body_count * sizeof *e.bodies);
    if (!e.bodies) exit(2);
    dWorldSetGravity(e.world, s->gravity[0], s->gravity[1], s->gravity[2]);
    dWorldSetAutoDisableFlag(e.world, 0);
    if (o->iterations > 0) dWorldSetQuickStepNumIterations(e.world, o->iterations);
    for (size_t k = 0; k < s->plane_count; k++) {
        const peer_plane *p = &s->planes[k];
        dCreatePlane(e.space, p->normal[0], p->normal[1], p->normal[2], p->offset);
    }
    for (size_t k = 0; k < s->body_count; k++) e.bodies[k] = new_body(&e, &s->bodies[k]);
    return e;
}

static void copy(double *to, const dReal *from, int count) {
    for (int k = 0; k < count; k++) to[k] = from[k];
}

static void finish(engine *e, peer_state *s) {
    for (size_t k = 0; k < s->body_count; k++) {
        peer_body *b = &s->bodies[k];
        copy(b->position, dBodyGetPosition(e->bodies[k]), 3);
        copy(b->turn, dBodyGetQuaternion(e->bodies[k]), 4);
        copy(b->velocity, dBodyGetLinearVel(e->bodies[k]), 3);
        copy(b->rate, dBodyGetAngularVel(e->bodies[k]), 3);
    }
    dJointGroupDestroy(e->group);
    dSpaceDestroy(e->space);
    dWorldDestroy(e->world);
    dCloseODE();
    free(e->bodies);
}

int main(int argc, char **argv) {
    const peer_options o = peer_read_options(argc, argv);
    peer_state s = peer_read_state(o.in);
    peer_answer answer = {.peer = "ODE"};
    snprintf(answer.version, sizeof answer.version, "%s", PEERS_ODE_VERSION);
    engine e = start(&s, &o);
    peer_run(&o, &e, advance, tilt, &answer);
    answer.contacts = e.contacts;
    finish(&e, &s);
    peer_write_state(o.out, &s);
    peer_tell(&answer);
    peer_free_state(&s);
    return 0;
}
