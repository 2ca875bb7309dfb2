// The rim points of a disk: lowest point and its two companions, frozen when flat, kept on landing.
#include "check.h"
#include "shape_cases.h"

static const tru_disk thin = {0.0375, 0.0}, coin = {0.5, 0.06};

static int touch(const tru_disk *disk, tru_vec3 up, const tru_touch *before, int count, tru_touch out[TRU_TOUCHES]) {
    return tru_shape_disk.touch_plane(disk, up, before, count, out);
}

// Normal of the plane in disk axes: inclination by its cosine s, lowest point at the angle `psi` of the rim.
static tru_vec3 inclined(double s, double psi, double side) {
    return v3(-s * cos(psi), -s * sin(psi), side * sqrt((1.0 - s) * (1.0 + s)));
}

static bool same_points(const tru_touch *a, const tru_touch *b, int n) {
    bool same = true;
    for (int j = 0; j < n; j++)
        same = same && same_bits(&a[j].point, &b[j].point, sizeof a[j].point) && a[j].feature == b[j].feature;
    return same;
}

// r_SC1 = -r e, g1 = -r s, g2 = g3 = +r s / 2 [rolling-disk.md 1].
TEST(three_points_120_degrees_apart) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 500; i++) {
        double s = draw_in(&d, 0.01, 1.0), psi = draw_in(&d, -3.0, 3.0), r = thin.radius;
        tru_vec3 up = inclined(s, psi, i % 2 ? 1.0 : -1.0);
        tru_touch t[TRU_TOUCHES];
        if (!check(touch(&thin, up, NULL, 0, t) == 3)) return;
        for (int j = 0; j < 3; j++) {
            double angle = psi + j * 2.0943951023931953;
            // The angle, up to 7.2, is itself rounded to 9e-16.
            check_close(t[j].point.x, r * cos(angle), 0.0, 2e-15 * r);
            check_close(t[j].point.y, r * sin(angle), 0.0, 2e-15 * r);
            check(t[j].point.z == 0.0 && t[j].feature == j && t[j].flags == 0);
            check_close(v3_dot(up, t[j].point), (j ? 0.5 : -1.0) * r * s, 0.0, 4e-16 * r);
        }
    }
}

TEST(a_thick_disk_has_two_rims) {
    tru_touch t[TRU_TOUCHES];
    check(touch(&coin, inclined(0.3, 1.0, 1.0), NULL, 0, t) == 6);
    for (int j = 0; j < 6; j++) {
        check(t[j].feature == j && t[j].point.z == (j < 3 ? -0.03 : 0.03));
        check(t[j].point.x == t[j % 3].point.x && t[j].point.y == t[j % 3].point.y);
    }
}

// Round-off tilt in ever new directions must not move the points of a disk that lies flat.
TEST(flat_disk_keeps_its_points) {
    draw d = {check_seed(), 1, 0};
    for (int k = 0; k < 2; k++) {
        const tru_disk *disk = k ? &coin : &thin;
        double side = k ? -1.0 : 1.0; // the coin lies on its rim 1
        tru_touch t[TRU_TOUCHES], now[TRU_TOUCHES];
        int n = touch(disk, inclined(1e-3, 3.14, side), NULL, 0, t);
        const tru_touch *before = t + (k ? 3 : 0);
        for (int i = 0; i < 500; i++) {
            double s = i ? draw_in(&d, 0.0, 0.99e-9) : 0.0;
            check(touch(disk, inclined(s, draw_in(&d, -3.0, 3.0), side), before, 3, now) == n);
            check(same_points(now + (k ? 3 : 0), before, 3) && now[0].flags == 0);
        }
    }
}

// A flat disk whose record holds only some points of the rim: those stay to the last bit, the others fall in place.
TEST(frozen_points_are_completed_from_any_of_them) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 200; i++) {
        tru_touch t[TRU_TOUCHES], now[TRU_TOUCHES], some[3];
        touch(&thin, inclined(0.1, draw_in(&d, -3.0, 3.0), 1.0), NULL, 0, t);
        unsigned keep = 1u + (unsigned)draw_in(&d, 0.0, 7.0);
        int count = 0;
        for (int j = 2; j >= 0; j--)
            if (keep >> j & 1u) some[count++] = t[j];
        touch(&thin, v3(0.0, 0.0, 1.0), some, count, now);
        for (int j = 0; j < 3; j++) {
            check_close(v3_norm(v3_sub(now[j].point, t[j].point)), 0.0, 0.0, 1e-15 * thin.radius);
            if (keep >> j & 1u) check(same_bits(&now[j].point, &t[j].point, sizeof t[j].point));
        }
    }
}

TEST(flat_without_a_past_starts_at_the_x_axis) {
    tru_touch t[TRU_TOUCHES];
    for (int side = -1; side <= 1; side += 2) {
        check(touch(&thin, v3(0.0, 0.0, side), NULL, 0, t) == 3);
        check(t[0].point.x == thin.radius && t[0].point.y == 0.0 && t[0].flags == 0);
        tru_surface s;
        tru_shape_disk.surface(&thin, v3(0.0, 0.0, -side), &s);
        check(s.point.x == thin.radius && s.point.y == 0.0 && isfinite(s.hessian.m[1][1]) && s.hessian.m[1][1] > 0.0);
    }
}

// The lowest point jumped to the other side: landing, and the old points stay.
TEST(flip_through_flat_is_a_landing) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 500; i++) {
        double psi = draw_in(&d, -3.0, 3.0), turn = draw_in(&d, 0.0, 3.14159), s = draw_in(&d, 1e-6, 0.49);
        tru_touch t[TRU_TOUCHES], now[TRU_TOUCHES];
        touch(&thin, inclined(0.01, psi, 1.0), NULL, 0, t);
        touch(&thin, inclined(s, psi + turn, 1.0), t, i % 2 ? 1 : 3, now);
        bool flips = turn > 1.5707963267948966;
        check(same_points(now, t, 3) == flips);
        for (int j = 0; j < 3; j++) check(now[j].flags == (flips ? TRU_TOUCH_LANDING : 0u));
    }
}

TEST(no_landing_without_a_lowest_point_before_or_when_steep) {
    tru_touch t[TRU_TOUCHES], now[TRU_TOUCHES], fresh[TRU_TOUCHES];
    touch(&thin, inclined(0.01, 0.0, 1.0), NULL, 0, t);
    // It rocks over the chord of points 1 and 2: point 0 had left the table and is no landing.
    touch(&thin, inclined(0.01, 3.0, 1.0), t + 1, 2, now);
    touch(&thin, inclined(0.01, 3.0, 1.0), NULL, 0, fresh);
    check(same_points(now, fresh, 3) && now[0].flags == 0);
    // Upright and rolling fast, the lowest point may pass half the rim in one step.
    touch(&thin, inclined(0.9, 0.0, 1.0), NULL, 0, t);
    touch(&thin, inclined(0.9, 3.0, 1.0), t, 1, now);
    check(now[0].flags == 0 && now[0].point.x < 0.0);
}

// One rim lands, the other is not concerned.
TEST(a_landing_belongs_to_one_rim) {
    tru_touch t[TRU_TOUCHES], now[TRU_TOUCHES];
    touch(&coin, inclined(0.01, 0.5, 1.0), NULL, 0, t);
    touch(&coin, inclined(0.01, 3.5, 1.0), t, 1, now);
    for (int j = 0; j < 3; j++) check(now[j].flags == TRU_TOUCH_LANDING && now[j + 3].flags == 0);
    check(same_points(now, t, 3) && !same_points(now + 3, t + 3, 3));
}

// The points depend on s = sqrt(up_x^2 + up_y^2): a tilt of 1e-8, lost in sqrt(1 - up_z^2), still shows.
TEST(a_tiny_tilt_keeps_its_direction) {
    tru_touch t[TRU_TOUCHES];
    touch(&thin, v3(-1e-8 * cos(2.0), -1e-8 * sin(2.0), 1.0), NULL, 0, t);
    check_close(t[0].point.x, thin.radius * cos(2.0), 1e-14, 0.0);
    check_close(t[0].point.y, thin.radius * sin(2.0), 1e-14, 0.0);
}
