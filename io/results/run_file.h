/* run_file.h: DIR/run.h5 inside io/: the C structs of the rows of its tables, and the state of a writer. */
#ifndef TRUNDLE_IO_RUN_FILE_H
#define TRUNDLE_IO_RUN_FILE_H

#include "h5/h5_driver.h"
#include "results_table.h"
#include "sim/sim.h"
#include "snapshot/snapshot.h"

enum { RESULTS_FORMAT = 1, NAME_BYTES = 64, TYPE_BYTES = 32, SHAPE_PARAMETERS = 8 };
#define LEDGER_COLUMNS (sizeof(tru_ledger) / sizeof(double))

/* Rows have no padding, so that memory and file have the same layout. A body is the number of its row in /bodies/body. */
typedef struct ledger_row {
    double time; /* [s] */
    uint64_t step;
    tru_ledger ledger; /* [J] */
    double gap;        /* [J] */
} ledger_row;

/* Covers all steps since the previous row. */
typedef struct solver_row {
    double time; /* [s] */
    uint64_t step, steps, unconverged, iterations;
    int64_t most_iterations, contacts; /* contacts: now */
    double relative;                   /* [-] largest */
    double worst_time;                 /* [s] */
    double residual[TRU_KINDS];        /* [m/s], [rad/s] largest */
    double lift, hop;                  /* [m/s] of the relaxed form, largest */
} solver_row;

typedef struct event_row {
    double time; /* [s] */
    int32_t kind, row_kind;
    int64_t body_a, body_b;     /* -1: none */
    double position[3];         /* [m] of body_a */
    double speed;               /* [m/s] or [rad/s] */
    double orientation[4];      /* [-] of body_a */
    double velocity[3];         /* [m/s] of body_a */
    double angular_velocity[3]; /* [rad/s] of body_a */
    int32_t limit_case;         /* tru_limit_case; -1 if the stepper does not determine it */
} event_row;

typedef struct contact_row {
    int64_t body_a, body_b;
    int32_t shape_a, shape_b, feature;
    uint32_t stuck;
    double point[3];           /* [m] */
    double normal[3], t1[3];   /* [-] */
    double gap;                /* [m] */
    double impulse[TRU_ROWS];  /* [N s], [N m s] */
    double velocity[TRU_ROWS]; /* [m/s], [rad/s] */
} contact_row;

typedef struct body_row {
    uint64_t id;
    char name[NAME_BYTES];
    int32_t kind, shapes;
    uint64_t first_shape, born; /* row in /bodies/shape, step */
    double mass;                /* [kg] */
    double inertia[3];          /* [kg m^2] */
    double products[3];         /* [kg m^2] */
    double size;                /* [m] */
} body_row;

typedef struct shape_row {
    int64_t body;
    char type[TYPE_BYTES];
    double parameters[SHAPE_PARAMETERS];
    double position[3];    /* [m] from the centre of mass, body axes */
    double orientation[4]; /* [-] */
} shape_row;

/* A corner of a hull. */
typedef struct corner_row {
    double position[3]; /* [m] shape axes */
} corner_row;

struct tru_results {
    char *path, *part, *snapshot, *summary; /* run.h5, run.h5.part, snapshot.tru, summary.json */
    tru_sim *sim;
    const tru_scene *scene;
    hid_t file, driver;
    int lock;    /* of the folder */
    int failure; /* errno of the first failed write */
    table tables[RESULT_TABLES];
    uint64_t next_frame, next_row; /* steps; UINT64_MAX: never */
    tru_id *ids;                   /* of every row of /bodies/body, ascending */
    size_t id_count, id_room;
    size_t capacity; /* columns of the frames: largest number of bodies in the run */
    void *frame;     /* buffer for a frame of 4 numbers per body */
    contact_row *contacts;
    size_t contact_room;
    double *values;               /* of the probes */
    bool unflushed;               /* true if a kill would lose rows */
    double flushed, saved, begun; /* [s] wall clock: last flush, last snapshot, start */
};

#endif
