/* export_glb.c: a run as one binary glTF 2.0 file with an animation: for Blender, model viewers, slides.
 *
 * Node 0 turns our z upwards into glTF's y; its children are the bodies, animated; theirs are the shapes, as meshes, the
 * unit ones stretched. A body that is not there yet, or no longer, stays where it first, or last, was. */
#include "export.h"

#include "export_mesh.h"
#include "common/fail.h"
#include "common/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 5126, SHORTS = 5123 };

typedef struct view {
    size_t offset, bytes;
} view;

typedef struct accessor {
    size_t view, count;
    int component; /* FLOATS or SHORTS */
    const char *type;
    bool ranged;
    float low[3], high[3];
} accessor;

typedef struct glb {
    export_job *job;
    tru_json *json;
    unsigned char *bytes;
    size_t count, room;
    accessor *accessors;
    size_t accessor_count, accessor_room;
    view *views;
    size_t view_count, view_room;
    mesh_book book;
    float *poses; /* frame x body x (position 3, quaternion x y z w) */
    double reach; /* [m] farthest from the origin: how large planes are drawn */
    bool lost;
} glb;

/* ---- numbers ---- */

static int parts_of(const char *type) { return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4; }

static size_t add_accessor(glb *g, const void *values, size_t count, int component, const char *type, bool ranged) {
    const size_t parts = (size_t)parts_of(type), bytes = count * parts * (component == FLOATS ? 4 : 2);
    const size_t padded = (bytes + 3) / 4 * 4;
    if (!GROW(g->bytes, g->room, g->count + padded) || !GROW(g->accessors, g->accessor_room, g->accessor_count + 1) ||
        !GROW(g->views, g->view_room, g->view_count + 1)) {
        g->lost = true;
        return 0;
    }
    accessor a = {g->view_count,
                  count,
                  component,
                  type,
                  ranged,
                  {INFINITY, INFINITY, INFINITY},
                  {-INFINITY, -INFINITY, -INFINITY}};
    const float *x = values;
    for (size_t i = 0; ranged && i < count * parts; i++) {
        a.low[i % parts] = fminf(a.low[i % parts], x[i]);
        a.high[i % parts] = fmaxf(a.high[i % parts], x[i]);
    }
    memcpy(g->bytes + g->count, values, bytes);
    memset(g->bytes + g->count + bytes, 0, padded - bytes);
    g->views[g->view_count++] = (view){g->count, bytes};
    g->count += padded;
    g->accessors[g->accessor_count] = a;
    return g->accessor_count++;
}

static void put_range(tru_json *j, const char *key, const float *x, int parts) {
    tru_json_array(j, key);
    for (int i = 0; i < parts; i++) tru_json_number(j, NULL, (double)x[i]);
    tru_json_close(j);
}

static void put_accessors(const glb *g) {
    tru_json *j = g->json;
    tru_json_array(j, "accessors");
    for (size_t i = 0; i < g->accessor_count; i++) {
        const accessor *a = &g->accessors[i];
        tru_json_object(j, NULL);
        tru_json_integer(j, "bufferView", (int64_t)a->view);
        tru_json_integer(j, "componentType", a->component);
        tru_json_integer(j, "count", (int64_t)a->count);
        tru_json_text(j, "type", a->type);
        if (a->ranged) {
            put_range(j, "min", a->low, parts_of(a->type));
            put_range(j, "max", a->high, parts_of(a->type));
        }
        tru_json_close(j);
    }
    tru_json_close(j);
    tru_json_array(j, "bufferViews");
    for (size_t i = 0; i < g->view_count; i++) {
        tru_json_object(j, NULL);
        tru_json_integer(j, "buffer", 0);
        tru_json_integer(j, "byteOffset", (int64_t)g->views[i].offset);
        tru_json_integer(j, "byteLength", (int64_t)g->views[i].bytes);
        tru_json_close(j);
    }
    tru_json_close(j);
    tru_json_array(j, "buffers");
    tru_json_object(j, NULL);
    tru_json_integer(j, "byteLength", (int64_t)g->count);
    tru_json_close(j);
    tru_json_close(j);
}

/* ---- meshes ---- */

static void put_meshes(glb *g) {
    static const double tints[2][3] = {{0.18, 0.43, 0.71}, {0.75, 0.78, 0.82}};
    tru_json *j = g->json;
    tru_json_array(j, "materials");
    for (int i = 0; i < 2; i++) {
        tru_json_object(j, NULL);
        tru_json_text(j, "name", i == 0 ? "moves" : "plane");
        tru_json_bool(j, "doubleSided", true);
        tru_json_object(j, "pbrMetallicRoughness");
        tru_json_array(j, "baseColorFactor");
        for (int k = 0; k < 3; k++) tru_json_number(j, NULL, tints[i][k]);
        tru_json_number(j, NULL, 1.0);
        tru_json_close(j);
        tru_json_number(j, "metallicFactor", 0.1);
        tru_json_close(j);
        tru_json_close(j);
    }
    tru_json_close(j);
    tru_json_array(j, "meshes");
    for (size_t k = 0; k < g->book.count; k++) {
        const mesh *m = &g->book.meshes[k];
        const size_t positions = add_accessor(g, m->points, m->point_count, FLOATS, "VEC3", true);
        add_accessor(g, m->normals, m->point_count, FLOATS, "VEC3", false);
        add_accessor(g, m->corners, m->corner_count, SHORTS, "SCALAR", false);
        tru_json_object(j, NULL);
        tru_json_text(j, "name", trio_mesh_name(m->kind));
        tru_json_array(j, "primitives");
        tru_json_object(j, NULL);
        tru_json_object(j, "attributes");
        tru_json_integer(j, "POSITION", (int64_t)positions);
        tru_json_integer(j, "NORMAL", (int64_t)positions + 1);
        tru_json_close(j);
        tru_json_integer(j, "indices", (int64_t)positions + 2);
        tru_json_integer(j, "material", m->kind == MESH_PLANE);
        tru_json_close(j);
        tru_json_close(j);
        tru_json_close(j);
    }
    tru_json_close(j);
}

/* ---- nodes ---- */

static void put_floats(tru_json *j, const char *key, const float *x, int count) { put_range(j, key, x, count); }

static void put_shape(const glb *g, const shape_row *s, const drawn *d) {
    tru_json *j = g->json;
    tru_json_object(j, NULL);
    tru_json_text(j, "name", s->type);
    tru_json_integer(j, "mesh", (int64_t)d->mesh);
    tru_json_array(j, "translation");
    for (int k = 0; k < 3; k++) tru_json_number(j, NULL, s->position[k]);
    tru_json_close(j);
    tru_json_array(j, "rotation");
    for (int k = 1; k <= 4; k++) tru_json_number(j, NULL, s->orientation[k % 4]);
    tru_json_close(j);
    tru_json_array(j, "scale");
    for (int k = 0; k < 3; k++) tru_json_number(j, NULL, d->scale[k]);
    tru_json_close(j);
    tru_json_close(j);
}

static void put_children(tru_json *j, size_t first, size_t count) {
    if (count == 0) return;
    tru_json_array(j, "children");
    for (size_t i = 0; i < count; i++) tru_json_integer(j, NULL, (int64_t)(first + i));
    tru_json_close(j);
}

/* Node 0, then the bodies, then the shapes in the order of their bodies. */
static void put_nodes(const glb *g) {
    static const float upwards[4] = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    const reader *r = &g->job->r;
    tru_json *j = g->json;
    tru_json_array(j, "nodes");
    tru_json_object(j, NULL);
    tru_json_text(j, "name", "scene");
    put_floats(j, "rotation", upwards, 4);
    put_children(j, 1, r->bodies);
    tru_json_close(j);
    for (size_t i = 0; i < r->bodies; i++) {
        tru_json_object(j, NULL);
        tru_json_text(j, "name", r->body[i].name);
        put_floats(j, "translation", g->poses + 7 * i, 3);
        put_floats(j, "rotation", g->poses + 7 * i + 3, 4);
        put_children(j, 1 + r->bodies + r->body[i].first_shape, (size_t)r->body[i].shapes);
        tru_json_close(j);
    }
    for (size_t i = 0; i < r->shapes; i++) put_shape(g, &r->shape[i], &g->book.shapes[i]);
    tru_json_close(j);
}

/* ---- animation ---- */

static void put_sampler(tru_json *j, size_t input, size_t output) {
    tru_json_object(j, NULL);
    tru_json_integer(j, "input", (int64_t)input);
    tru_json_integer(j, "output", (int64_t)output);
    tru_json_text(j, "interpolation", "LINEAR");
    tru_json_close(j);
}

static void put_channel(tru_json *j, size_t sampler, size_t node, const char *path) {
    tru_json_object(j, NULL);
    tru_json_integer(j, "sampler", (int64_t)sampler);
    tru_json_object(j, "target");
    tru_json_integer(j, "node", (int64_t)node);
    tru_json_text(j, "path", path);
    tru_json_close(j);
    tru_json_close(j);
}

/* Columns of the poses of one body: 3 or 4 of the 7 numbers. */
static size_t add_track(glb *g, size_t body, int first, int parts) {
    const size_t frames = g->job->r.frames, width = 7 * g->job->r.bodies;
    float *track = malloc((frames * (size_t)parts + 1) * sizeof *track);
    for (size_t f = 0; track && f < frames; f++)
        memcpy(track + f * (size_t)parts, g->poses + f * width + 7 * body + first, (size_t)parts * sizeof *track);
    const size_t at = track ? add_accessor(g, track, frames, FLOATS, parts == 3 ? "VEC3" : "VEC4", false) : 0;
    g->lost = g->lost || !track;
    free(track);
    return at;
}

static void put_animation(glb *g, const float *times) {
    const reader *r = &g->job->r;
    tru_json *j = g->json;
    const size_t input = add_accessor(g, times, r->frames, FLOATS, "SCALAR", true), first = g->accessor_count;
    size_t moving = 0;
    for (size_t i = 0; i < r->bodies; i++) moving += r->body[i].kind != TRU_FIXED;
    if (moving == 0) return;
    tru_json_array(j, "animations");
    tru_json_object(j, NULL);
    tru_json_text(j, "name", "run");
    tru_json_array(j, "channels");
    for (size_t i = 0, k = 0; i < r->bodies; i++) {
        if (r->body[i].kind == TRU_FIXED) continue;
        put_channel(j, k++, 1 + i, "translation");
        put_channel(j, k++, 1 + i, "rotation");
        add_track(g, i, 0, 3);
        add_track(g, i, 3, 4);
    }
    tru_json_close(j);
    tru_json_array(j, "samplers");
    for (size_t k = 0; k < 2 * moving; k++) put_sampler(j, input, first + k);
    tru_json_close(j);
    tru_json_close(j);
    tru_json_close(j);
}

/* ---- poses ---- */

static void keep_pose(glb *g, uint64_t frame, size_t i) {
    const size_t width = 7 * g->job->r.bodies;
    float *to = g->poses + frame * width + 7 * i;
    const double *x = g->job->x + 3 * i, *q = g->job->q + 4 * i;
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!trio_export_there(g->job, i) || !(size > 0.0)) {
        if (frame > 0) memcpy(to, to - width, 7 * sizeof *to);
        return;
    }
    /* q and -q are the same turn; the shorter way is meant between frames */
    const double dot = frame > 0 ? to[3 - (int64_t)width] * q[1] + to[4 - (int64_t)width] * q[2] +
                                       to[5 - (int64_t)width] * q[3] + to[6 - (int64_t)width] * q[0]
                                 : 1.0;
    const double unit = (dot < 0.0 ? -1.0 : 1.0) / size;
    for (int k = 0; k < 3; k++) to[k] = (float)x[k];
    for (int k = 0; k < 4; k++) to[3 + k] = (float)(q[(k + 1) % 4] * unit);
    g->reach = fmax(g->reach, fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + g->job->r.body[i].size);
    const bool first = frame > 0 && isnan(to[-(int64_t)width]);
    for (uint64_t f = frame; first && f > 0; f--) memcpy(to - (frame - f + 1) * width, to, 7 * sizeof *to);
}

static tru_status read_poses(glb *g, float *times, tru_error *err) {
    const reader *r = &g->job->r;
    const size_t width = 7 * r->bodies;
    tru_status s = TRU_OK;
    for (size_t i = 0; i < width; i++) g->poses[i] = NAN;
    for (uint64_t f = 0; s >= 0 && f < r->frames; f++) {
        s = trio_export_frame(g->job, f, err);
        times[f] = (float)g->job->time;
        for (size_t i = 0; s >= 0 && i < r->bodies; i++) keep_pose(g, f, i);
    }
    for (size_t i = 0; i < r->frames * width; i++)
        if (isnan(g->poses[i])) g->poses[i] = i % 7 == 6 ? 1.0f : 0.0f; /* never there */
    return s;
}

/* ---- the file ---- */

static void put_u32(FILE *file, size_t x) {
    for (int b = 0; b < 4; b++) fputc((int)(x >> 8 * b & 255), file);
}

static tru_status write_file(glb *g, tru_error *err) {
    const char *text = tru_json_done(g->json);
    if (!text || g->lost) return trio_no_memory(err);
    FILE *file;
    const tru_status s = trio_export_open(g->job, "run.glb", &file, err);
    if (s < 0) return s;
    const size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    put_u32(file, 0x46546c67); /* "glTF" */
    put_u32(file, 2);
    put_u32(file, 12 + 8 + padded + 8 + g->count);
    put_u32(file, padded);
    put_u32(file, 0x4e4f534a); /* "JSON" */
    fwrite(text, 1, length, file);
    for (size_t i = length; i < padded; i++) fputc(' ', file);
    put_u32(file, g->count);
    put_u32(file, 0x004e4942); /* "BIN" */
    fwrite(g->bytes, 1, g->count, file);
    return trio_export_close(g->job, file, "run.glb", TRU_OK, err);
}

static void put_document(glb *g, const float *times) {
    tru_json *j = g->json;
    tru_json_object(j, NULL);
    tru_json_object(j, "asset");
    tru_json_text(j, "version", "2.0");
    tru_json_text(j, "generator", "trundle");
    tru_json_close(j);
    tru_json_integer(j, "scene", 0);
    tru_json_array(j, "scenes");
    tru_json_object(j, NULL);
    tru_json_array(j, "nodes");
    tru_json_integer(j, NULL, 0);
    tru_json_close(j);
    tru_json_close(j);
    tru_json_close(j);
    put_meshes(g);
    put_nodes(g);
    put_animation(g, times);
    put_accessors(g);
    tru_json_close(j);
}

tru_status trio_export_glb(export_job *job, tru_error *err) {
    glb g = {.job = job, .json = tru_json_begin(), .reach = 0.0};
    float *times = malloc((job->r.frames + 1) * sizeof *times);
    g.poses = malloc((job->r.frames * job->r.bodies * 7 + 1) * sizeof *g.poses);
    tru_status s = g.json && times && g.poses ? read_poses(&g, times, err) : trio_no_memory(err);
    if (s >= 0 && !trio_mesh_book_make(&job->r, g.reach, &g.book)) s = trio_no_memory(err);
    if (s >= 0) put_document(&g, times);
    if (s >= 0) s = write_file(&g, err);
    trio_mesh_book_free(&g.book);
    tru_json_free(g.json);
    free(times);
    free(g.poses);
    free(g.bytes);
    free(g.accessors);
    free(g.views);
    return s;
}
