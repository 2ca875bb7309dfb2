/* export_vtp.c: frames for ParaView: bodies_*.vtp and contacts_*.vtp (points with arrays), surfaces_*.vtp (triangles of the
 * bodies that are not just spheres, which a glyph shows truly), and a PVD file of each.
 *
 * Arrays are binary, in base64 behind their length in bytes (UInt32), which is VTK's default for inline data. */
#include "export.h"

#include "common/base64.h"
#include "export_mesh.h"
#include "common/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays ---- */

/* Encodes bytes that arrive in parts. It allocates nothing, so a file that was begun cannot fail for lack of memory. */
typedef struct byte_text {
    FILE *file;
    unsigned char bytes[3 * 256]; /* groups of three bytes; the last may be shorter */
    size_t count;
} byte_text;

static void flush_bytes(byte_text *t) {
    char text[sizeof t->bytes / 3 * 4];
    fwrite(text, 1, trio_base64_into(t->bytes, t->count, text), t->file);
    t->count = 0;
}

static void put_bytes(byte_text *t, const void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        const size_t room = sizeof t->bytes - t->count, part = count - done < room ? count - done : room;
        memcpy(t->bytes + t->count, (const unsigned char *)bytes + done, part);
        t->count += part;
        done += part;
        if (t->count == sizeof t->bytes) flush_bytes(t);
    }
}

/* The array's head; its contents, `bytes` of them, follow with put_bytes. */
static byte_text begin_array(FILE *file, const char *type, const char *name, int components, size_t bytes) {
    byte_text t = {.file = file};
    unsigned char length[4];
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name,
            components);
    for (int b = 0; b < 4; b++) length[b] = (unsigned char)(bytes >> 8 * b);
    put_bytes(&t, length, sizeof length);
    return t;
}

static void end_array(byte_text *t) {
    flush_bytes(t);
    fputs("</DataArray>\n", t->file);
}

/* `count` rows of `components` numbers, each at the start of a row of `stride` doubles. */
static void put_columns(FILE *file, const char *name, int components, const double *values, size_t stride,
                        size_t count) {
    const size_t row = (size_t)components * sizeof *values;
    byte_text t = begin_array(file, "Float64", name, components, count * row);
    for (size_t i = 0; i < count; i++) put_bytes(&t, values + i * stride, row);
    end_array(&t);
}

static void put_integers(FILE *file, const char *name, const int32_t *values, size_t count) {
    byte_text t = begin_array(file, "Int32", name, 1, count * sizeof *values);
    put_bytes(&t, values, count * sizeof *values);
    end_array(&t);
}

/* `count` integers from `first` on. */
static void put_range(FILE *file, const char *name, int32_t first, size_t count) {
    byte_text t = begin_array(file, "Int32", name, 1, count * sizeof first);
    for (size_t i = 0; i < count; i++, first++) put_bytes(&t, &first, sizeof first);
    end_array(&t);
}

/* One vertex cell per point, so that glyphs and thresholds work. */
static void put_cells(FILE *file, size_t count) {
    fputs("<Verts>\n", file);
    put_range(file, "connectivity", 0, count);
    put_range(file, "offsets", 1, count);
    fputs("</Verts>\n", file);
}

static void put_head(FILE *file, size_t points, size_t vertices, size_t polygons) {
    const uint16_t one = 1;
    fprintf(
        file,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"%s\" "
        "header_type=\"UInt32\">\n<PolyData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
        *(const unsigned char *)&one ? "LittleEndian" : "BigEndian", points, vertices, polygons);
}

static void put_tail(FILE *file) { fputs("</Piece>\n</PolyData>\n</VTKFile>\n", file); }

/* ---- bodies ---- */

enum { BODY_NUMBERS = 15 }; /* position 3, quaternion 4, velocity 3, angular velocity 3, radius, mass */

static size_t gather(const export_job *job, double *rows, int32_t *ids) {
    size_t count = 0;
    for (size_t i = 0; i < job->r.bodies; i++) {
        if (!trio_export_there(job, i) || !(job->r.body[i].size > 0.0)) continue;
        double *row = rows + BODY_NUMBERS * count;
        memcpy(row, job->x + 3 * i, 3 * sizeof *row);
        memcpy(row + 3, job->q + 4 * i, 4 * sizeof *row);
        memcpy(row + 7, job->v + 3 * i, 3 * sizeof *row);
        memcpy(row + 10, job->w + 3 * i, 3 * sizeof *row);
        row[13] = job->r.body[i].size;
        row[14] = job->r.body[i].mass;
        ids[count++] = (int32_t)job->r.body[i].id;
    }
    return count;
}

static tru_status write_bodies(export_job *job, const char *name, tru_error *err) {
    double *rows = malloc((BODY_NUMBERS * job->r.bodies + 1) * sizeof *rows);
    int32_t *ids = malloc((job->r.bodies + 1) * sizeof *ids);
    FILE *file = NULL;
    tru_status s = rows && ids ? trio_export_open(job, name, &file, err) : trio_no_memory(err);
    if (file) {
        const size_t n = gather(job, rows, ids);
        put_head(file, n, n, 0);
        fputs("<Points>\n", file);
        put_columns(file, "position", 3, rows, BODY_NUMBERS, n);
        fputs("</Points>\n<PointData>\n", file);
        put_columns(file, "quaternion", 4, rows + 3, BODY_NUMBERS, n);
        put_columns(file, "velocity", 3, rows + 7, BODY_NUMBERS, n);
        put_columns(file, "angular_velocity", 3, rows + 10, BODY_NUMBERS, n);
        put_columns(file, "radius", 1, rows + 13, BODY_NUMBERS, n);
        put_columns(file, "mass", 1, rows + 14, BODY_NUMBERS, n);
        put_integers(file, "id", ids, n);
        fputs("</PointData>\n", file);
        put_cells(file, n);
        put_tail(file);
        s = trio_export_close(job, file, name, TRU_OK, err);
    }
    free(rows);
    free(ids);
    return s;
}

/* ---- contacts ---- */

enum { CONTACT_NUMBERS = 13 }; /* point 3, normal 3, force 3, slip 3, gap */

static void contact_numbers(const contact_row *c, double step, double *row) {
    const double *n = c->normal, *t = c->t1;
    const double t2[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    memcpy(row, c->point, sizeof c->point);
    memcpy(row + 3, c->normal, sizeof c->normal);
    for (int k = 0; k < 3; k++) {
        row[6 + k] = (c->impulse[0] * n[k] + c->impulse[1] * t[k] + c->impulse[2] * t2[k]) / step;
        row[9 + k] = c->velocity[1] * t[k] + c->velocity[2] * t2[k];
    }
    row[12] = c->gap;
}

static void put_contacts(FILE *file, const contact_row *c, size_t n, double step, double *rows, int32_t *numbers) {
    for (size_t i = 0; i < n; i++) contact_numbers(&c[i], step, rows + CONTACT_NUMBERS * i);
    put_head(file, n, n, 0);
    fputs("<Points>\n", file);
    put_columns(file, "point", 3, rows, CONTACT_NUMBERS, n);
    fputs("</Points>\n<PointData>\n", file);
    put_columns(file, "normal", 3, rows + 3, CONTACT_NUMBERS, n);
    put_columns(file, "force", 3, rows + 6, CONTACT_NUMBERS, n);
    put_columns(file, "slip", 3, rows + 9, CONTACT_NUMBERS, n);
    put_columns(file, "gap", 1, rows + 12, CONTACT_NUMBERS, n);
    for (size_t i = 0; i < n; i++) numbers[i] = (int32_t)c[i].body_a;
    put_integers(file, "body_a", numbers, n);
    for (size_t i = 0; i < n; i++) numbers[i] = (int32_t)c[i].body_b;
    put_integers(file, "body_b", numbers, n);
    for (size_t i = 0; i < n; i++) numbers[i] = (int32_t)c[i].stuck;
    put_integers(file, "stuck", numbers, n);
    fputs("</PointData>\n", file);
    put_cells(file, n);
    put_tail(file);
}

static tru_status write_contacts(export_job *job, uint64_t frame, const char *name, tru_error *err) {
    contact_row *c = NULL;
    uint64_t n = 0;
    tru_status s = trio_export_contacts(job, frame, &c, &n, err);
    double *rows = malloc((CONTACT_NUMBERS * n + 1) * sizeof *rows);
    int32_t *numbers = malloc((n + 1) * sizeof *numbers);
    if (s >= 0 && (!rows || !numbers)) s = trio_no_memory(err);
    FILE *file = NULL;
    if (s >= 0) s = trio_export_open(job, name, &file, err);
    if (file) {
        put_contacts(file, c, n, job->r.step, rows, numbers);
        s = trio_export_close(job, file, name, TRU_OK, err);
    }
    free(rows);
    free(numbers);
    free(c);
    return s;
}

/* ---- surfaces ---- */

enum { POINT_NUMBERS = 6 }; /* position 3, velocity 3 */

typedef struct surface {
    double *rows;
    int32_t *ids, *corners, *offsets;
    size_t points, triangles;
} surface;

static bool has_surface(const reader *r, const body_row *b) {
    for (int64_t k = 0; b->size > 0.0 && k < b->shapes; k++) {
        const size_t s = (size_t)b->first_shape + (size_t)k;
        if (s < r->shapes && strcmp(r->shape[s].type, "sphere") != 0 && strcmp(r->shape[s].type, "plane") != 0)
            return true;
    }
    return false;
}

static void turned(const double q[4], const double v[3], double out[3]) {
    const double *u = q + 1;
    const double t[3] = {2.0 * (u[1] * v[2] - u[2] * v[1]), 2.0 * (u[2] * v[0] - u[0] * v[2]),
                         2.0 * (u[0] * v[1] - u[1] * v[0])};
    out[0] = v[0] + q[0] * t[0] + u[1] * t[2] - u[2] * t[1];
    out[1] = v[1] + q[0] * t[1] + u[2] * t[0] - u[0] * t[2];
    out[2] = v[2] + q[0] * t[2] + u[0] * t[1] - u[1] * t[0];
}

/* Computes the triangles of a shape of body i in world axes; without a buffer only their number. */
static void add_shape(const export_job *job, const mesh *m, const drawn *d, const shape_row *shape, size_t i,
                      surface *out) {
    const double *x = job->x + 3 * i, *v = job->v + 3 * i, *w = job->w + 3 * i;
    for (size_t k = 0; out->rows && k < m->point_count; k++) {
        double p[3], r[3], *row = out->rows + POINT_NUMBERS * (out->points + k);
        for (int c = 0; c < 3; c++) p[c] = d->scale[c] * (double)m->points[3 * k + (size_t)c];
        turned(shape->orientation, p, r);
        for (int c = 0; c < 3; c++) p[c] = r[c] + shape->position[c];
        turned(job->q + 4 * i, p, r);
        for (int c = 0; c < 3; c++) {
            row[c] = x[c] + r[c];
            row[3 + c] = v[c] + w[(c + 1) % 3] * r[(c + 2) % 3] - w[(c + 2) % 3] * r[(c + 1) % 3];
        }
        out->ids[out->points + k] = (int32_t)job->r.body[i].id;
    }
    for (size_t k = 0; out->rows && k < m->corner_count; k++)
        out->corners[3 * out->triangles + k] = (int32_t)(out->points + m->corners[k]);
    out->points += m->point_count;
    out->triangles += m->corner_count / 3;
}

static void add_surfaces(const export_job *job, const mesh_book *book, surface *out) {
    const reader *r = &job->r;
    out->points = out->triangles = 0;
    for (size_t s = 0; s < r->shapes; s++) {
        const int64_t i = r->shape[s].body;
        if (i < 0 || i >= (int64_t)r->bodies || !trio_export_there(job, (size_t)i) || !has_surface(r, &r->body[i]))
            continue;
        if (book->shapes[s].mesh == MESH_PLANE) continue;
        add_shape(job, &book->meshes[book->shapes[s].mesh], &book->shapes[s], &r->shape[s], (size_t)i, out);
    }
    for (size_t k = 0; out->rows && k < out->triangles; k++) out->offsets[k] = 3 * (int32_t)(k + 1);
}

static void put_surface(FILE *file, const surface *f) {
    put_head(file, f->points, 0, f->triangles);
    fputs("<Points>\n", file);
    put_columns(file, "position", 3, f->rows, POINT_NUMBERS, f->points);
    fputs("</Points>\n<PointData>\n", file);
    put_columns(file, "velocity", 3, f->rows + 3, POINT_NUMBERS, f->points);
    put_integers(file, "id", f->ids, f->points);
    fputs("</PointData>\n<Polys>\n", file);
    put_integers(file, "connectivity", f->corners, 3 * f->triangles);
    put_integers(file, "offsets", f->offsets, f->triangles);
    fputs("</Polys>\n", file);
    put_tail(file);
}

static tru_status write_surfaces(export_job *job, const mesh_book *book, const char *name, tru_error *err) {
    surface f = {0};
    add_surfaces(job, book, &f);
    f.rows = malloc((POINT_NUMBERS * f.points + 1) * sizeof *f.rows);
    f.ids = malloc((f.points + 1) * sizeof *f.ids);
    f.corners = malloc((3 * f.triangles + 1) * sizeof *f.corners);
    f.offsets = malloc((f.triangles + 1) * sizeof *f.offsets);
    const bool room = f.rows && f.ids && f.corners && f.offsets;
    FILE *file = NULL;
    tru_status s = room ? trio_export_open(job, name, &file, err) : trio_no_memory(err);
    if (file) {
        add_surfaces(job, book, &f);
        put_surface(file, &f);
        s = trio_export_close(job, file, name, TRU_OK, err);
    }
    free(f.rows);
    free(f.ids);
    free(f.corners);
    free(f.offsets);
    return s;
}

/* ---- the collections ---- */

static tru_status write_pvd(export_job *job, const char *stem, const double *times, tru_error *err) {
    char name[64];
    snprintf(name, sizeof name, "%s.pvd", stem);
    FILE *file;
    const tru_status s = trio_export_open(job, name, &file, err);
    if (s < 0) return s;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", file);
    for (uint64_t k = 0; k < job->r.frames; k++) {
        fputs("<DataSet timestep=\"", file);
        trio_export_number(file, times[k]);
        fprintf(file, "\" part=\"0\" file=\"%s_%06llu.vtp\"/>\n", stem, (unsigned long long)k);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
    return trio_export_close(job, file, name, TRU_OK, err);
}

static tru_status write_frame(export_job *job, uint64_t k, const mesh_book *book, bool surfaces, tru_error *err) {
    char name[64];
    snprintf(name, sizeof name, "bodies_%06llu.vtp", (unsigned long long)k);
    tru_status s = write_bodies(job, name, err);
    snprintf(name, sizeof name, "contacts_%06llu.vtp", (unsigned long long)k);
    if (s >= 0 && job->r.contacts) s = write_contacts(job, k, name, err);
    snprintf(name, sizeof name, "surfaces_%06llu.vtp", (unsigned long long)k);
    return s >= 0 && surfaces ? write_surfaces(job, book, name, err) : s;
}

tru_status trio_export_vtp(export_job *job, tru_error *err) {
    double *times = malloc((job->r.frames + 1) * sizeof *times);
    mesh_book book = {0};
    bool surfaces = false;
    tru_status s = times && trio_mesh_book_make(&job->r, 0.0, &book) ? TRU_OK : trio_no_memory(err);
    for (size_t i = 0; i < job->r.bodies; i++) surfaces = surfaces || has_surface(&job->r, &job->r.body[i]);
    for (uint64_t k = 0; s >= 0 && k < job->r.frames; k++) {
        s = trio_export_frame(job, k, err);
        times[k] = job->time;
        if (s >= 0) s = write_frame(job, k, &book, surfaces, err);
    }
    if (s >= 0) s = write_pvd(job, "bodies", times, err);
    if (s >= 0 && job->r.contacts) s = write_pvd(job, "contacts", times, err);
    if (s >= 0 && surfaces) s = write_pvd(job, "surfaces", times, err);
    trio_mesh_book_free(&book);
    free(times);
    return s;
}
