/* export_mesh.c: unit solids as triangles, and which of them a shape is. */
#include "export_mesh.h"

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

static void make_sphere(mesh *m) {
    for (int j = 0; j <= DOWN; j++)
        for (int i = 0; i <= AROUND; i++) {
            const double fall = acos(-1.0) * j / DOWN, s = sin(fall), x = s * cos(turn(i)), y = s * sin(turn(i));
            add_point(m, x, y, cos(fall), x, y, cos(fall));
        }
    for (size_t j = 0; j < DOWN; j++)
        for (size_t i = 0; i < AROUND; i++) {
            const size_t a = j * (AROUND + 1) + i, b = a + AROUND + 1;
            if (j > 0) add_triangle(m, a, b, a + 1);
            if (j < DOWN - 1) add_triangle(m, a + 1, b, b + 1);
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

bool mesh_make(mesh_kind kind, mesh *out) {
    const size_t most = (AROUND + 1) * (DOWN + 1) * 3;
    *out =
        (mesh){malloc(most * sizeof(float)), malloc(most * sizeof(float)), malloc(2 * most * sizeof(uint16_t)), 0, 0};
    if (!out->points || !out->normals || !out->corners) {
        mesh_free(out);
        return false;
    }
    if (kind == MESH_SPHERE) make_sphere(out);
    if (kind == MESH_DISK) make_disk(out);
    if (kind == MESH_PLANE) make_face(out, 2, 1.0, 0.0);
    for (int axis = 0; kind == MESH_BOX && axis < 3; axis++) {
        make_face(out, axis, 1.0, 0.5);
        make_face(out, axis, -1.0, -0.5);
    }
    return true;
}

void mesh_free(mesh *m) {
    free(m->points);
    free(m->normals);
    free(m->corners);
    *m = (mesh){0};
}

const char *mesh_name(mesh_kind kind) {
    static const char *const names[] = {"sphere", "disk", "box", "plane"};
    return names[kind];
}

static void set(double scale[3], double x, double y, double z) {
    scale[0] = x;
    scale[1] = y;
    scale[2] = z;
}

mesh_kind mesh_of(const char *type, const double *p, double body_size, double reach, double scale[3]) {
    set(scale, body_size, body_size, body_size);
    if (strcmp(type, "sphere") == 0) set(scale, p[0], p[0], p[0]);
    if (strcmp(type, "ellipsoid") == 0 || strcmp(type, "box") == 0) set(scale, p[0], p[1], p[2]);
    if (strcmp(type, "disk") == 0) set(scale, p[0], p[0], fmax(p[1], 0.01 * p[0]));
    if (strcmp(type, "plane") == 0) set(scale, 4.0 * reach, 4.0 * reach, 1.0);
    if (strcmp(type, "box") == 0) return MESH_BOX;
    if (strcmp(type, "disk") == 0) return MESH_DISK;
    return strcmp(type, "plane") == 0 ? MESH_PLANE : MESH_SPHERE;
}
