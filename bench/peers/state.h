/* state.h: bodies and planes as all drivers of bench/peers read and write them, and the options and answer of a driver.
 *
 * A state file is text, SI units, one object a line:
 *
 *     peers 1
 *     gravity X Y Z
 *     law SLIDE ROLL SPIN                      [-] [m] [m]
 *     plane NX NY NZ OFFSET                    fixed; free bodies are where n.x > offset
 *     body SHAPE A B C MASS IXX IYY IZZ  X Y Z  QW QX QY QZ  VX VY VZ  WX WY WZ
 *
 * SHAPE: sphere (A radius), box (A B C half widths), disk (A radius, no thickness, axis z). Inertia in body axes, velocities
 * in world axes. Numbers are written so that they read back to the same bits. */
#ifndef PEERS_STATE_H
#define PEERS_STATE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_shape { PEER_SPHERE, PEER_BOX, PEER_DISK } peer_shape;

typedef struct peer_body {
    peer_shape shape;
    double size[3];     /* [m] */
    double mass;        /* [kg] */
    double inertia[3];  /* [kg m^2] */
    double position[3]; /* [m] */
    double turn[4];     /* [-] w, x, y, z */
    double velocity[3]; /* [m/s] */
    double rate[3];     /* [rad/s] */
} peer_body;

typedef struct peer_plane {
    double normal[3]; /* [-] */
    double offset;    /* [m] */
} peer_plane;

typedef struct peer_state {
    double gravity[3]; /* [m/s^2] */
    double slide;      /* [-] */
    double roll, spin; /* [m] */
    size_t plane_count, body_count;
    peer_plane *planes;
    peer_body *bodies;
} peer_state;

/* How long to run and how; every driver takes these. */
typedef struct peer_options {
    const char *in, *out; /* state files */
    double step;          /* [s] */
    long steps;           /* in a window */
    int windows;          /* each timed for itself */
    long warmup;          /* steps before the first window */
    double tilt;          /* [rad] > 0: stop when the first body's axis z is nearer to world z than that */
    int iterations;       /* of the peer's solver, 0: its default */
    const char *solver;   /* a name that the peer knows, "": its default */
} peer_options;

enum { PEER_WINDOWS = 64 };

/* What a driver found. */
typedef struct peer_answer {
    const char *peer;
    char version[40];
    double seconds[PEER_WINDOWS]; /* [s] CPU time of the thread, each window */
    int windows;                  /* that were timed */
    long steps;                   /* in all, warm-up included */
    double stopped;               /* [s] simulated time at which the tilt was reached, < 0: never */
    long contacts;                /* after the last step */
    long iterations, unconverged; /* of the solver over all steps, and steps that it left unconverged; 0: not told */
    double residual;              /* [m/s] rms of the last step, by Trundle's own account; 0: not told */
} peer_answer;

/* Advances a peer by a number of steps. */
typedef void peer_advance(void *peer, long steps);
/* The axis z of the first body: its angle to world z [rad]. */
typedef double peer_tilt(void *peer);

/* Each of these exits with a sentence when something is wrong. */
peer_options peer_read_options(int count, char **words);
peer_state peer_read_state(const char *path);
void peer_write_state(const char *path, const peer_state *state);
void peer_free_state(peer_state *state);

/* Warm-up and windows as the options say. */
void peer_run(const peer_options *options, void *peer, peer_advance *advance, peer_tilt *tilt, peer_answer *answer);
/* One line of JSON on stdout. */
void peer_tell(const peer_answer *answer);
double peer_seconds(void); /* [s] CPU time of this thread */

#ifdef __cplusplus
}
#endif
#endif
