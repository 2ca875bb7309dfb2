/* circle.h: the circle on which a path lies, at every sample or where another quantity has its maxima. */
#ifndef TRUNDLE_IO_CIRCLE_H
#define TRUNDLE_IO_CIRCLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct circle {
    double x, y, radius; /* [unit of the path] NaN: fewer than 3 points, or on a line */
    double error;        /* [unit of the path] largest distance of a point from it */
    double turn;         /* [rad] mean angle from point to point */
} circle;

/* Returns the circle with the least sum of (distance^2 - radius^2)^2. */
circle trio_circle_fit(const double *x, const double *y, size_t count);

enum { FOOTSTEPS_WINDOW = 8 };

/* A path that is being sampled. */
typedef struct footsteps {
    double time[FOOTSTEPS_WINDOW], height[FOOTSTEPS_WINDOW], ahead[FOOTSTEPS_WINDOW],
        aside[FOOTSTEPS_WINDOW]; /* the last samples */
    size_t seen;
    double *x, *y; /* points that count, owned */
    size_t count, x_room, y_room;
    bool no_memory; /* a point could not be kept */
} footsteps;

/* Adds a point. */
void trio_footsteps_point(footsteps *p, double x, double y);
/* Adds a sample. Points of the path are the maxima of `height`, located by the polynomial through eight samples. */
void trio_footsteps_sample(footsteps *p, double time, double height, double x, double y);
/* Returns the circle of the points and frees them. */
circle trio_footsteps_circle(footsteps *p);
void trio_footsteps_free(footsteps *p);

#endif
