/* peer_bullet.cpp: runs a state file with Bullet Physics.
 *
 * Coefficients: Bullet multiplies the friction of both bodies, and adds the rolling (spinning) friction of each times the
 * friction of the other; with sqrt(slide) and roll/(2 sqrt(slide)) on every body the pair gets slide [-] and roll [m].
 * A disk is Bullet's cylinder, a four-thousandth of its radius thick, with a margin of a twentieth of that: thicker ones
 * start farther from the same state (1 mm gains half the energy at 0.1 ms).
 * Solver: sequential impulses, 10 sweeps by default; nothing sleeps. */
#include "state.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> planes, bodies;
    btScalar step = 0; /* [s] */
};

btScalar real(double x) { return static_cast<btScalar>(x); }
btVector3 vector(const double *x) { return btVector3(real(x[0]), real(x[1]), real(x[2])); }

void set_friction(btRigidBody &body, const peer_state &s) {
    const double root = std::sqrt(s.slide);
    body.setFriction(real(root));
    if (s.roll > 0.0) body.setRollingFriction(real(s.roll / (2.0 * root)));
    if (s.spin > 0.0) body.setSpinningFriction(real(s.spin / (2.0 * root)));
    body.setRestitution(0);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setDamping(0, 0);
}

std::unique_ptr<btCollisionShape> shape_of(const peer_body &b) {
    if (b.shape == PEER_SPHERE) return std::make_unique<btSphereShape>(real(b.size[0]));
    if (b.shape == PEER_BOX) return std::make_unique<btBoxShape>(vector(b.size));
    const double half = 1.25e-4 * b.size[0];
    auto cylinder = std::make_unique<btCylinderShapeZ>(btVector3(real(b.size[0]), real(b.size[0]), real(half)));
    cylinder->setMargin(real(0.1 * half));
    return cylinder;
}

void add_plane(engine &e, const peer_state &s, const peer_plane &p) {
    e.shapes.push_back(std::make_unique<btStaticPlaneShape>(vector(p.normal), real(p.offset)));
    e.planes.push_back(std::make_unique<btRigidBody>(btScalar(0), nullptr, e.shapes.back().get()));
    set_friction(*e.planes.back(), s);
    e.world.addRigidBody(e.planes.back().get());
}

void add_body(engine &e, const peer_state &s, const peer_body &b) {
    e.shapes.push_back(shape_of(b));
    btRigidBody::btRigidBodyConstructionInfo info(real(b.mass), nullptr, e.shapes.back().get(), vector(b.inertia));
    info.m_startWorldTransform = btTransform(
        btQuaternion(real(b.turn[1]), real(b.turn[2]), real(b.turn[3]), real(b.turn[0])), vector(b.position));
    e.bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody &body = *e.bodies.back();
    body.setLinearVelocity(vector(b.velocity));
    body.setAngularVelocity(vector(b.rate));
    set_friction(body, s);
    e.world.addRigidBody(&body);
}

void advance(void *peer, long steps) {
    engine &e = *static_cast<engine *>(peer);
    for (long k = 0; k < steps; k++) e.world.stepSimulation(e.step, 0);
}

double tilt(void *peer) {
    const engine &e = *static_cast<engine *>(peer);
    const btMatrix3x3 &r = e.bodies[0]->getWorldTransform().getBasis();
    return std::atan2(std::hypot(double(r[0][2]), double(r[1][2])), std::fabs(double(r[2][2])));
}

void read_back(const engine &e, peer_state &s) {
    for (size_t k = 0; k < s.body_count; k++) {
        peer_body &b = s.bodies[k];
        const btTransform &t = e.bodies[k]->getWorldTransform();
        const btQuaternion q = t.getRotation();
        const double turn[4] = {q.w(), q.x(), q.y(), q.z()};
        for (int i = 0; i < 4; i++) b.turn[i] = turn[i];
        for (int i = 0; i < 3; i++) {
            b.position[i] = t.getOrigin()[i];
            b.velocity[i] = e.bodies[k]->getLinearVelocity()[i];
            b.rate[i] = e.bodies[k]->getAngularVelocity()[i];
        }
    }
}

long contact_count(engine &e) {
    long count = 0;
    for (int k = 0; k < e.dispatcher.getNumManifolds(); k++)
        count += e.dispatcher.getManifoldByIndexInternal(k)->getNumContacts();
    return count;
}

} // namespace

int main(int argc, char **argv) {
    const peer_options o = peer_read_options(argc, argv);
    peer_state s = peer_read_state(o.in);
    peer_answer answer = {};
    answer.peer = "Bullet";
    std::snprintf(answer.version, sizeof answer.version, "%d.%d%s", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100,
                  sizeof(btScalar) == 4 ? " (single precision)" : "");
    /* Left to the end of the process: taking ten thousand bodies out one by one takes Bullet longer than the work. */
    engine &e = *new engine;
    e.step = real(o.step);
    e.world.setGravity(vector(s.gravity));
    if (o.iterations > 0) e.world.getSolverInfo().m_numIterations = o.iterations;
    for (size_t k = 0; k < s.plane_count; k++) add_plane(e, s, s.planes[k]);
    for (size_t k = 0; k < s.body_count; k++) add_body(e, s, s.bodies[k]);
    peer_run(&o, &e, advance, tilt, &answer);
    answer.contacts = contact_count(e);
    read_back(e, s);
    peer_write_state(o.out, &s);
    peer_tell(&answer);
    peer_free_state(&s);
    return 0;
}
