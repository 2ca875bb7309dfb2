/* export_mesh.c: the shapes of a run as triangles. */
#include "export_mesh.h"

#include "common/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 32, DOWN = 16 };

static void add_point(mesh *m, double x, double y, double z, double nx, double ny, double nz) {
    const float p[3] = {(float)x, (float)y, (float)z}, n[3] = {(float)nx, (float)ny, (float)nz};
    memcpy(m->points + 3 * m->point_count, p, sizeof p);
    memcpy(m->normals + 3 * m->point_count++, n, sizeof n);
}

static void add_triangle(mesh *m, size_t a, size_t b, size_t c) {
    const uint16_t corners[3] = {(uint16_t)a, (uint16_t)b, (uint16_t)c};
    memcpy(m->corners + m->corner_count, corners, sizeof corners);
    m->corner_count += 3;
}

static double turn(int k) { return 2.0 * acos(-1.0) * k / AROUND; }

/* Builds a ball about the origin. If its halves are `apart`, with a tube between them, it is a capsule. */
static void make_round(mesh *m, double radius, double apart) {
    const int rows = DOWN + (apart > 0.0);
    for (int j = 0; j <= rows; j++)
        for (int i = 0; i <= AROUND; i++) {
            const bool lower = j > DOWN / 2;
            const double fall = acos(-1.0) * (lower ? j - (rows - DOWN) : j) / DOWN, up = cos(fall);
            const double x = sin(fall) * cos(turn(i)), y = sin(fall) * sin(turn(i));
            add_point(m, radius * x, radius * y, radius * up + (lower ? -0.5 : 0.5) * apart, x, y, up);
        }
    for (int j = 0; j < rows; j++)
        for (size_t i = 0; i < AROUND; i++) {
            const size_t a = (size_t)j * (AROUND + 1) + i, b = a + AROUND + 1;
            if (j > 0) add_triangle(m, a, b, a + 1);
            if (j < rows - 1) add_triangle(m, a + 1, b, b + 1);
        }
}

static void make_disk(mesh *m) {
    for (int side = 1; side >= -1; side -= 2) {
        const size_t centre = m->point_count;
        add_point(m, 0, 0, 0.5 * side, 0, 0, side);
        for (int i = 0; i <= AROUND; i++) add_point(m, cos(turn(i)), sin(turn(i)), 0.5 * side, 0, 0, side);
        for (size_t i = 1; i <= AROUND; i++)
            add_triangle(m, centre, centre + (side > 0 ? i : i + 1), centre + (side > 0 ? i + 1 : i));
    }
    const size_t rim = m->point_count;
    for (int i = 0; i <= AROUND; i++) {
        const double c = cos(turn(i)), s = sin(turn(i));
        add_point(m, c, s, 0.5, c, s, 0);
        add_point(m, c, s, -0.5, c, s, 0);
    }
    for (size_t i = 0; i < AROUND; i++) {
        add_triangle(m, rim + 2 * i, rim + 2 * i + 1, rim + 2 * i + 2);
        add_triangle(m, rim + 2 * i + 2, rim + 2 * i + 1, rim + 2 * i + 3);
    }
}

/* The face of the unit box across an axis, on its positive or negative side. */
static void make_face(mesh *m, int axis, double side, double height) {
    const size_t first = m->point_count;
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    for (int k = 0; k < 4; k++) {
        double p[3], n[3] = {0, 0, 0};
        n[axis] = side;
        p[axis] = height;
        p[(axis + 1) % 3] = corner[k][0];
        p[(axis + 2) % 3] = corner[k][1];
        add_point(m, p[0], p[1], p[2], n[0], n[1], n[2]);
    }
    const size_t second = side > 0 ? 1 : 3, fourth = side > 0 ? 3 : 1;
    add_triangle(m, first, first + second, first + 2);
    add_triangle(m, first, first + 2, first + fourth);
}

static void mesh_free(mesh *m) {
    free(m->points);
    free(m->normals);
    free(m->corners);
    *m = (mesh){0};
}

/* Faces are flat: triangles do not share points. */
static void make_hull(mesh *m, const tru_mesh *hull) {
    for (int32_t k = 0; k < hull->triangle_count; k++) {
        const tru_vec3 *a = &hull->points[hull->triangles[k][0]], *b = &hull->points[hull->triangles[k][1]];
        const tru_vec3 *c = &hull->points[hull->triangles[k][2]];
        const double u[3] = {b->x - a->x, b->y - a->y, b->z - a->z}, v[3] = {c->x - a->x, c->y - a->y, c->z - a->z};
        double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const size_t first = m->point_count;
        for (int i = 0; i < 3; i++) n[i] /= size;
        add_point(m, a->x, a->y, a->z, n[0], n[1], n[2]);
        add_point(m, b->x, b->y, b->z, n[0], n[1], n[2]);
        add_point(m, c->x, c->y, c->z, n[0], n[1], n[2]);
        add_triangle(m, first, first + 1, first + 2);
    }
}

/* `hull` for a mesh of that kind. */
static bool mesh_make(mesh *m, const tru_mesh *hull) {
    const size_t most = hull ? 9 * (size_t)hull->triangle_count : (AROUND + 1) * (DOWN + 2) * 3;
    m->points = malloc(most * sizeof(float));
    m->normals = malloc(most * sizeof(float));
    m->corners = malloc(2 * most * sizeof(uint16_t));
    if (!m->points || !m->normals || !m->corners) {
        mesh_free(m);
        return false;
    }
    if (hull) make_hull(m, hull);
    if (m->kind == MESH_SPHERE) make_round(m, 1.0, 0.0);
    if (m->kind == MESH_CAPSULE) make_round(m, m->own[0], m->own[1]);
    if (m->kind == MESH_DISK) make_disk(m);
    if (m->kind == MESH_PLANE) make_face(m, 2, 1.0, 0.0);
    for (int axis = 0; m->kind == MESH_BOX && axis < 3; axis++) {
        make_face(m, axis, 1.0, 0.5);
        make_face(m, axis, -1.0, -0.5);
    }
    return true;
}

const char *trio_mesh_name(mesh_kind kind) {
    static const char *const names[] = {"sphere", "disk", "box", "plane", "capsule", "hull"};
    return names[kind];
}

/* ---- the book ---- */

static bool add_mesh(mesh_book *b, mesh_kind kind, const double own[2], const tru_mesh *hull) {
    if (!GROW(b->meshes, b->room, b->count + 1)) return false;
    mesh *m = &b->meshes[b->count];
    *m = (mesh){.kind = kind, .own = {own[0], own[1]}};
    if (!mesh_make(m, hull)) return false;
    b->count++;
    return true;
}

/* Returns the mesh of a shape with its size. The first shape of a size builds it. */
static bool own_mesh(mesh_book *b, mesh_kind kind, const double *p, const tru_mesh *hull, drawn *out) {
    *out = (drawn){UNIT_MESHES, {1.0, 1.0, 1.0}};
    for (; out->mesh < b->count; out->mesh++) {
        const mesh *m = &b->meshes[out->mesh];
        if (m->kind == kind && m->own[0] == p[0] && m->own[1] == p[1]) return true;
    }
    return add_mesh(b, kind, p, hull);
}

static void set(drawn *d, mesh_kind kind, double x, double y, double z) { *d = (drawn){kind, {x, y, z}}; }

static bool draw(mesh_book *b, const reader *r, const shape_row *s, double body_size, double reach, drawn *out) {
    const double *p = s->parameters;
    tru_mesh hull;
    set(out, MESH_SPHERE, body_size, body_size, body_size);
    if (strcmp(s->type, "sphere") == 0) set(out, MESH_SPHERE, p[0], p[0], p[0]);
    if (strcmp(s->type, "ellipsoid") == 0) set(out, MESH_SPHERE, p[0], p[1], p[2]);
    if (strcmp(s->type, "box") == 0) set(out, MESH_BOX, p[0], p[1], p[2]);
    if (strcmp(s->type, "disk") == 0) set(out, MESH_DISK, p[0], p[0], fmax(p[1], 0.01 * p[0]));
    if (strcmp(s->type, "plane") == 0) set(out, MESH_PLANE, 4.0 * reach, 4.0 * reach, 1.0);
    if (strcmp(s->type, "capsule") == 0) return own_mesh(b, MESH_CAPSULE, p, NULL, out);
    if (strcmp(s->type, "hull") == 0 && trio_reader_mesh(r, s, &hull)) return own_mesh(b, MESH_HULL, p, &hull, out);
    return true;
}

bool trio_mesh_book_make(const reader *r, double reach, mesh_book *out) {
    *out = (mesh_book){.shapes = malloc((r->shapes + 1) * sizeof *out->shapes)};
    static const double none[2] = {0.0, 0.0};
    bool good = out->shapes != NULL;
    for (int kind = 0; good && kind < UNIT_MESHES; kind++) good = add_mesh(out, (mesh_kind)kind, none, NULL);
    for (size_t i = 0; good && i < r->shapes; i++) {
        const int64_t body = r->shape[i].body;
        const double size = body >= 0 && body < (int64_t)r->bodies ? r->body[body].size : 0.0;
        good = draw(out, r, &r->shape[i], size, reach, &out->shapes[i]);
    }
    return good;
}

void trio_mesh_book_free(mesh_book *b) {
    for (size_t k = 0; k < b->count; k++) mesh_free(&b->meshes[k]);
    free(b->meshes);
    free(b->shapes);
    *b = (mesh_book){0};
}
