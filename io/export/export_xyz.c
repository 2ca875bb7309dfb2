/* export_xyz.c: frames as extended XYZ, for OVITO and ASE: one file, bodies with position, size, orientation, velocity.
 *
 * Quaternions are (x, y, z, w) there, as OVITO reads them. Planes have no size and are left out. */
#include "export.h"

#include "common/fail.h"

static void put_body(FILE *file, const export_job *job, size_t i) {
    const double *q = job->q + 4 * i;
    const double numbers[] = {job->x[3 * i],
                              job->x[3 * i + 1],
                              job->x[3 * i + 2],
                              job->r.body[i].size,
                              q[1],
                              q[2],
                              q[3],
                              q[0],
                              job->v[3 * i],
                              job->v[3 * i + 1],
                              job->v[3 * i + 2],
                              job->w[3 * i],
                              job->w[3 * i + 1],
                              job->w[3 * i + 2]};
    const uint64_t first = job->r.body[i].first_shape;
    fprintf(file, "%s %llu", job->r.body[i].shapes > 0 ? job->r.shape[first].type : "body",
            (unsigned long long)job->r.body[i].id);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        fputc(' ', file);
        trio_export_number(file, numbers[k]);
    }
    fputc('\n', file);
}

static bool shown(const export_job *job, size_t i) { return job->r.body[i].size > 0.0 && trio_export_there(job, i); }

tru_status trio_export_xyz(export_job *job, tru_error *err) {
    FILE *file;
    tru_status s = trio_export_open(job, "frames.xyz", &file, err);
    if (s < 0) return s;
    for (uint64_t frame = 0; s >= 0 && frame < job->r.frames; frame++) {
        size_t count = 0;
        s = trio_export_frame(job, frame, err);
        for (size_t i = 0; s >= 0 && i < job->r.bodies; i++) count += shown(job, i);
        if (s < 0) break;
        fprintf(
            file,
            "%zu\nProperties=species:S:1:id:I:1:pos:R:3:radius:R:1:orientation:R:4:velo:R:3:angular_velocity:R:3 Time=",
            count);
        trio_export_number(file, job->time);
        fputc('\n', file);
        for (size_t i = 0; i < job->r.bodies; i++)
            if (shown(job, i)) put_body(file, job, i);
    }
    return trio_export_close(job, file, "frames.xyz", s, err);
}
