/* lever.c: lever and radii of a contact from the second derivatives of the support functions, without their inverses.
 *
 * [AS19]  here     unit
 * H       h        [m]    tangential block of the second derivative of the support function, inverse curvature
 * w_P     -        [m/s]  lever times roll rate
 * Two curved bodies: no slip gives (S_A + S_B) w = ((omega_A - omega_B) x n)_t with S = 1/H, so the inverse curvature
 * of the pair is the parallel sum (S_A + S_B)^-1 = H_A (H_A + H_B)^-1 H_B. In two dimensions that is
 * (H_A det H_B + H_B det H_A) / det(H_A + H_B), which also holds where one of them is singular (rim, corner). */
#include "detect/lever.h"

#include "base/assert.h"
#include "shapes/shape.h"

/* [-] A determinant below this part of the squared trace is round-off: the matrix has rank one or zero. */
#define SINGULAR_PART 0x1p-48
/* [-] Direction cosine below which a normal is in the plane of a face or edge of a box. */
#define ALONG_COSINE 1e-9

static double det(sym2 h) { return h.xx * h.yy - h.xy * h.xy; }

static double trace(sym2 h) { return h.xx + h.yy; }

static bool singular(sym2 h) { return !(det(h) > SINGULAR_PART * (trace(h) * trace(h))); }

/* Returns a x + b y. */
static sym2 combine(double a, sym2 x, double b, sym2 y) {
    return (sym2){a * x.xx + b * y.xx, a * x.xy + b * y.xy, a * x.yy + b * y.yy};
}

/* Returns H of a bounded shape for the outward normal `dir`, in the basis (t1, t2); all in world axes. */
static sym2 inverse_curvature(const placed *p, tru_vec3 dir, tru_vec3 t1, tru_vec3 t2) {
    tru_surface s;
    p->shape->surface(p->params, placed_dir_to_local(p, dir), &s);
    tru_vec3 u = placed_dir_to_local(p, t1), v = placed_dir_to_local(p, t2);
    tru_vec3 hu = m3_apply(s.hessian, u), hv = m3_apply(s.hessian, v);
    return (sym2){v3_dot(u, hu), v3_dot(v, hu), v3_dot(v, hv)};
}

static sym2 parallel_sum(sym2 a, sym2 b) {
    sym2 sum = combine(1.0, a, 1.0, b);
    if (!singular(sum)) return combine(det(b) / det(sum), a, det(a) / det(sum), b);
    /* both are multiples of the same matrix of rank one, or zero */
    return trace(sum) > 0.0 ? combine(trace(b) / trace(sum), a, 0.0, b) : sum;
}

/* Returns the number of straight directions of a box's surface where its outward normal is `dir`: 2 on a face, 1 along an edge, 0 at a corner. *edge
 * gets the direction of an edge in the basis (t1, t2). The second derivative of the support function does not tell these cases apart. */
static int flat_directions(const placed *p, tru_vec3 dir, tru_vec3 t1, tru_vec3 t2, vec2 *edge) {
    if (p->shape != &tru_shape_box) return 0;
    tru_vec3 d = placed_dir_to_local(p, dir);
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(v3_get(d, i)) > ALONG_COSINE) continue;
        tru_vec3 axis = m3_column(p->r, i);
        *edge = v2(v3_dot(axis, t1), v3_dot(axis, t2));
        count++;
    }
    return count;
}

/* Returns the limit of the parallel sum of h with a large multiple of e e^T: e e^T / (e^T h^-1 e). */
static sym2 parallel_edge(sym2 h, vec2 e) {
    vec2 across = v2(-e.y, e.x);
    double width = v2_dot(across, s2_apply(h, across));
    double f = width > 0.0 ? det(h) / width : 0.0;
    return (sym2){f * e.x * e.x, f * e.x * e.y, f * e.y * e.y};
}

/* Returns the inverse curvature of two bounded shapes from those of A and B. A's outward normal at the contact is -n, B's is n. */
static sym2 pair_inverse_curvature(const placed *a, const placed *b, sym2 ha, sym2 hb, tru_vec3 n, tru_vec3 t1,
                                   tru_vec3 t2) {
    vec2 edge_a = {0}, edge_b = {0};
    tru_vec3 down = v3_neg(n);
    int flat_a = flat_directions(a, down, t1, t2, &edge_a), flat_b = flat_directions(b, n, t1, t2, &edge_b);
    if (flat_a == 2) return hb;
    if (flat_b == 2) return ha;
    if (flat_a == 1) return parallel_edge(hb, edge_a);
    if (flat_b == 1) return parallel_edge(ha, edge_b);
    return parallel_sum(ha, hb);
}

/* Returns the mean radius [m] 2 / trace(1/H) = 2 det H / trace H; 0 if a curvature is infinite. */
static double mean_radius(sym2 h) { return singular(h) ? 0.0 : 2.0 * det(h) / trace(h); }

static double smaller(double a, double b) { return a < b ? a : b; }

void trui_lever_of(const placed *a, const placed *b, tru_vec3 normal, tru_vec3 t1, tru_vec3 t2, double lever[2][2],
                   double *radius_effective, double *radius_smaller) {
    TRU_ASSERT(a->shape->bounded || b->shape->bounded);
    const bool on_plane = !a->shape->bounded || !b->shape->bounded;
    const sym2 none = {0.0, 0.0, 0.0};
    const sym2 ha = a->shape->bounded ? inverse_curvature(a, v3_neg(normal), t1, t2) : none;
    const sym2 hb = b->shape->bounded ? inverse_curvature(b, normal, t1, t2) : none;
    const sym2 h = !b->shape->bounded   ? ha
                   : !a->shape->bounded ? hb
                                        : pair_inverse_curvature(a, b, ha, hb, normal, t1, t2);
    /* (omega x n)_t = (omega_2, -omega_1) */
    lever[0][0] = -h.xy;
    lever[0][1] = h.xx;
    lever[1][0] = -h.yy;
    lever[1][1] = h.xy;
    const double ra = a->shape->bounded ? a->shape->radius(a->params) : 0.0,
                 rb = b->shape->bounded ? b->shape->radius(b->params) : 0.0;
    *radius_effective = mean_radius(h);
    *radius_smaller = on_plane ? ra + rb : smaller(ra, rb);
    if (on_plane) return;
    /* for a round body on a rim, an edge, a corner or a face both radii are those of the round body */
    const double round_a = mean_radius(ha), round_b = mean_radius(hb);
    if ((round_a > 0.0) == (round_b > 0.0)) return;
    *radius_effective = round_a > 0.0 ? round_a : round_b;
    *radius_smaller = round_a > 0.0 ? ra : rb;
}

bool trui_lever_is_curved(double lever[2][2]) {
    const sym2 h = {lever[0][1], lever[1][1], -lever[1][0]};
    return !singular(h);
}
