/* state.c: state files, options and answers of the drivers in bench/peers. */
#define _POSIX_C_SOURCE 200809L
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const shape_names[] = {"sphere", "box", "disk"};

static void fail(const char *what, const char *which) {
    fprintf(stderr, "peers: %s: %s\n", which, what);
    exit(2);
}

static void *grown(void *array, size_t count, size_t size) {
    void *larger = (count & (count - 1)) == 0 ? realloc(array, size * (count ? 2 * count : 1)) : array;
    if (!larger) fail("out of memory", "state");
    return larger;
}

/* ---- options */

peer_options peer_read_options(int count, char **words) {
    peer_options o = {.steps = 1, .windows = 1, .solver = ""};
    for (int k = 1; k < count; k++) {
        const char *name = words[k], *value = k + 1 < count ? words[k + 1] : NULL;
        if (!value) fail("needs a value", name);
        if (strcmp(name, "--in") == 0)
            o.in = value;
        else if (strcmp(name, "--out") == 0)
            o.out = value;
        else if (strcmp(name, "--step") == 0)
            o.step = atof(value);
        else if (strcmp(name, "--steps") == 0)
            o.steps = atol(value);
        else if (strcmp(name, "--windows") == 0)
            o.windows = atoi(value);
        else if (strcmp(name, "--warmup") == 0)
            o.warmup = atol(value);
        else if (strcmp(name, "--tilt") == 0)
            o.tilt = atof(value);
        else if (strcmp(name, "--iterations") == 0)
            o.iterations = atoi(value);
        else if (strcmp(name, "--solver") == 0)
            o.solver = value;
        else
            fail("no such option", name);
        k++;
    }
    if (o.windows < 1 || o.windows > PEER_WINDOWS) fail("out of range", "--windows");
    return o;
}

/* ---- state files */

static void read_body(FILE *file, peer_body *b, const char *path) {
    char name[16];
    double number[20];
    int shape = 0;
    if (fscanf(file, "%15s", name) != 1) fail("a body without a shape", path);
    while (shape < 3 && strcmp(name, shape_names[shape]) != 0) shape++;
    if (shape == 3) fail("unknown shape", name);
    for (int k = 0; k < 20; k++)
        if (fscanf(file, "%lf", &number[k]) != 1) fail("a body with a number missing", path);
    b->shape = (peer_shape)shape;
    memcpy(b->size, number, sizeof b->size);
    b->mass = number[3];
    memcpy(b->inertia, number + 4, sizeof b->inertia);
    memcpy(b->position, number + 7, sizeof b->position);
    memcpy(b->turn, number + 10, sizeof b->turn);
    memcpy(b->velocity, number + 14, sizeof b->velocity);
    memcpy(b->rate, number + 17, sizeof b->rate);
}

static bool read_numbers(FILE *file, double *numbers, int count) {
    for (int k = 0; k < count; k++)
        if (fscanf(file, "%lf", &numbers[k]) != 1) return false;
    return true;
}

peer_state peer_read_state(const char *path) {
    peer_state s = {0};
    char word[16];
    int version = 0;
    double law[3];
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) fail("cannot be read", path ? path : "--in");
    if (fscanf(file, "peers %d", &version) != 1 || version != 1) fail("not a state file of version 1", path);
    bool good = true;
    while (good && fscanf(file, "%15s", word) == 1) {
        if (strcmp(word, "gravity") == 0) {
            good = read_numbers(file, s.gravity, 3);
        } else if (strcmp(word, "law") == 0) {
            good = read_numbers(file, law, 3);
            s.slide = law[0], s.roll = law[1], s.spin = law[2];
        } else if (strcmp(word, "plane") == 0) {
            s.planes = grown(s.planes, s.plane_count, sizeof *s.planes);
            peer_plane *p = &s.planes[s.plane_count++];
            good = read_numbers(file, p->normal, 3) && read_numbers(file, &p->offset, 1);
        } else if (strcmp(word, "body") == 0) {
            s.bodies = grown(s.bodies, s.body_count, sizeof *s.bodies);
            read_body(file, &s.bodies[s.body_count++], path);
        } else {
            good = false;
        }
    }
    fclose(file);
    if (!good || s.body_count == 0) fail("not a good state file", path);
    return s;
}

static void write_numbers(FILE *file, const double *numbers, int count) {
    for (int k = 0; k < count; k++) fprintf(file, " %.17g", numbers[k]);
}

void peer_write_state(const char *path, const peer_state *s) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) fail("cannot be written", path ? path : "--out");
    const double law[] = {s->slide, s->roll, s->spin};
    fputs("peers 1\ngravity", file);
    write_numbers(file, s->gravity, 3);
    fputs("\nlaw", file);
    write_numbers(file, law, 3);
    for (size_t k = 0; k < s->plane_count; k++) {
        fputs("\nplane", file);
        write_numbers(file, s->planes[k].normal, 3);
        write_numbers(file, &s->planes[k].offset, 1);
    }
    for (size_t k = 0; k < s->body_count; k++) {
        const peer_body *b = &s->bodies[k];
        fprintf(file, "\nbody %s", shape_names[b->shape]);
        write_numbers(file, b->size, 3);
        write_numbers(file, &b->mass, 1);
        write_numbers(file, b->inertia, 3);
        write_numbers(file, b->position, 3);
        write_numbers(file, b->turn, 4);
        write_numbers(file, b->velocity, 3);
        write_numbers(file, b->rate, 3);
    }
    fputs("\n", file);
    if (fclose(file) != 0) fail("cannot be written", path);
}

void peer_free_state(peer_state *s) {
    free(s->planes);
    free(s->bodies);
}

/* ---- running and telling */

double peer_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_to_tilt(const peer_options *o, void *peer, peer_advance *advance, peer_tilt *tilt, peer_answer *a) {
    for (long k = 0; k < o->steps && a->stopped < 0.0; k++) {
        advance(peer, 1);
        a->steps++;
        if (tilt(peer) < o->tilt) a->stopped = o->step * (double)a->steps;
    }
}

void peer_run(const peer_options *o, void *peer, peer_advance *advance, peer_tilt *tilt, peer_answer *a) {
    a->stopped = -1.0;
    a->windows = 0;
    a->steps = 0;
    if (o->warmup > 0) {
        advance(peer, o->warmup);
        a->steps += o->warmup;
    }
    for (int k = 0; k < o->windows && a->stopped < 0.0; k++) {
        const double begun = peer_seconds();
        if (o->tilt > 0.0) {
            run_to_tilt(o, peer, advance, tilt, a);
        } else {
            advance(peer, o->steps);
            a->steps += o->steps;
        }
        a->seconds[a->windows++] = peer_seconds() - begun;
    }
}

void peer_tell(const peer_answer *a) {
    printf("{\"peer\": \"%s\", \"version\": \"%s\", \"seconds\": [", a->peer, a->version);
    for (int k = 0; k < a->windows; k++) printf("%s%.9g", k ? ", " : "", a->seconds[k]);
    printf("], \"steps\": %ld, \"stopped\": %.9g, \"contacts\": %ld, ", a->steps, a->stopped, a->contacts);
    printf("\"iterations\": %ld, \"unconverged\": %ld, \"residual\": %.9g}\n", a->iterations, a->unconverged,
           a->residual);
}
