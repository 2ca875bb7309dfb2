/* shape_disk.c: shape "disk", a coin about the shape's z axis that touches with its rims, infinitely thin or of some thickness.
 *
 * [LSLG05]       here           unit
 * e_z in K_B     up             [-]  normal of the plane in shape axes: (R31, R32, R33)
 * sqrt(R31^2 + R32^2)  s        [-]  cosine of the inclination; never sqrt(1 - R33^2), which loses half the digits
 * r_SC1          points[0]      [m]  lowest point of a rim; r_SC2, r_SC3 are points[1], points[2]
 *
 * Lying flat (s < DISK_FLAT) the lowest point is undefined: the points of the last step are kept, so that they do not run
 * round the rim by round-off. When the disk passes through flat within a step the lowest point jumps to the other
 * side: the old points are kept as well, flagged TRU_TOUCH_LANDING. */
#include "math/mat.h"
#include "shapes/rim.h"

static const tru_field fields[] = {
    TRU_REAL(tru_disk, radius, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE, "Radius of the rim, about the shape's z axis."),
    TRU_REAL(tru_disk, thickness, TRU_UNIT_M, 0.0, TRU_FROM_ZERO,
             "Distance of the two rims along z; 0 for an infinitely thin disk with one rim, whose mass must be given."),
    {0},
};

static double disk_radius(const void *params) {
    const tru_disk *d = params;
    double half = 0.5 * d->thickness;
    return sqrt(d->radius * d->radius + half * half);
}

/* Returns the extent to which overlaps are compared. A thin disk touches with its rim, so that it is the width across the rim. */
static double disk_extent(const void *params) {
    const tru_disk *d = params;
    return d->thickness > 0.0 ? fmin(d->thickness, 2.0 * d->radius) : 2.0 * d->radius;
}

/* A thin disk has no volume, hence mass 0. */
static void disk_mass(const void *params, double density, tru_mass *out) {
    const double pi = 0x1.921fb54442d18p+1;
    const tru_disk *d = params;
    double rr = d->radius * d->radius, tt = d->thickness * d->thickness;
    double mass = density * pi * rr * d->thickness;
    double across = mass * (3.0 * rr + tt) / 12.0;
    *out = (tru_mass){.mass = mass, .inertia = {across, across, 0.5 * mass * rr}};
}

/* Homogeneous thin disk: r^2/4 across, r^2/2 about its axis. */
static bool disk_gyration(const void *params, tru_vec3 *out) {
    const tru_disk *d = params;
    const double rr = d->radius * d->radius;
    *out = v3(0.25 * rr, 0.25 * rr, 0.5 * rr);
    return d->thickness == 0.0;
}

/* h = r s + |d_z| thickness/2: point on the rim, second derivative (r/s) e e^T with e horizontal across d. Straight
 * above or below (s < DISK_FLAT) the point towards x stands for the whole rim, with the finite r/DISK_FLAT for the lever. */
static void disk_surface(const void *params, tru_vec3 d, tru_surface *out) {
    const tru_disk *disk = params;
    double r = disk->radius, half = 0.5 * disk->thickness;
    double s = sqrt(d.x * d.x + d.y * d.y), x = 1.0, y = 0.0;
    if (s < DISK_FLAT) {
        s = DISK_FLAT;
    } else {
        x = d.x / s;
        y = d.y / s;
    }
    double f = r / s;
    out->point = v3(r * x, r * y, d.z >= 0.0 ? half : -half);
    out->hessian = (tru_mat3){{{f * (y * y), -f * (x * y), 0.0}, {-f * (x * y), f * (x * x), 0.0}, {0.0, 0.0, 0.0}}};
}

/* Returns c turned about z by +120 (sign 1) or -120 degrees (sign -1): -c/2 +- (sqrt 3 / 2) e_z x c. */
static tru_vec3 third(tru_vec3 c, double sign) {
    double q = sign * 0x1.bb67ae8584caap-1;
    return v3(-0.5 * c.x - q * c.y, -0.5 * c.y + q * c.x, c.z);
}

/* Finds the points of the last step on the rim whose features begin at `first`; returns a bit for each of the three that exists. */
static unsigned rim_before(int32_t first, const tru_touch *before, int before_count, tru_vec3 points[3]) {
    unsigned found = 0;
    for (int i = 0; i < before_count; i++) {
        int32_t j = before[i].feature - first;
        if (j < 0 || j > 2) continue;
        points[j] = before[i].point;
        found |= 1u << j;
    }
    return found;
}

/* Completes three points from those in `found`, whose bits stay unchanged. */
static void rim_complete(unsigned found, tru_vec3 points[3]) {
    if (!(found & 1u)) points[0] = found & 2u ? third(points[1], -1.0) : third(points[2], 1.0);
    if (!(found & 2u)) points[1] = third(points[0], 1.0);
    if (!(found & 4u)) points[2] = third(points[0], -1.0);
}

/* Writes the three touches of a rim whose lowest point is `low`. */
static void rim_touch(int32_t first, tru_vec3 low, double s, const tru_touch *before, int before_count,
                      tru_touch *out) {
    tru_vec3 points[3];
    unsigned found = rim_before(first, before, before_count, points);
    bool flipped = (found & 1u) && rim_flipped(points[0], low, s);
    bool flat = s < DISK_FLAT;
    if (!found || !(flat || flipped)) {
        points[0] = low;
        found = 1u;
    }
    rim_complete(found, points);
    for (int j = 0; j < 3; j++) out[j] = (tru_touch){points[j], first + j, flipped && !flat ? TRU_TOUCH_LANDING : 0u};
}

static int disk_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count,
                            tru_touch *out) {
    const tru_disk *d = params;
    double s = rim_slope(up), half = 0.5 * d->thickness;
    tru_vec3 low = rim_lowest(d->radius, up, s);
    low.z = -half;
    rim_touch(0, low, s, before, before_count, out);
    if (!(half > 0.0)) return 3;
    low.z = half;
    rim_touch(3, low, s, before, before_count, out + 3);
    return 6;
}

const tru_shape tru_shape_disk = {
    .name = "disk",
    .doc = "A disk about the shape's z axis that touches with its rim, or with both rims when it has a thickness.",
    .fields = fields,
    .size = sizeof(tru_disk),
    .bounded = true,
    .radius = disk_radius,
    .extent = disk_extent,
    .mass = disk_mass,
    .gyration = disk_gyration,
    .surface = disk_surface,
    .touch_plane = disk_touch_plane,
};
