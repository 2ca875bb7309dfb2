/* row_tables.h: the tables of a run and the C structs of their rows, whatever holds them: memory, run.h5, CSV. */
#ifndef TRUNDLE_IO_ROW_TABLES_H
#define TRUNDLE_IO_ROW_TABLES_H

#include <trundle/io.h>

/* The tables of a run. */
typedef enum result_table {
    FRAME_TIME,
    FRAME_STEP,
    FRAME_POSITION,
    FRAME_ORIENTATION,
    FRAME_VELOCITY,
    FRAME_RATE,
    CONTACT_START,
    CONTACT_COUNT,
    CONTACT_RECORD,
    LEDGER,
    SOLVER,
    EVENTS,
    PROBE_TIME,
    PROBE_STEP,
    PROBE_VALUE,
    BODIES,
    SHAPES,
    CORNERS,
    RESULT_TABLES
} result_table;

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

/* Returns the name of a table, "/frames/time", which is its path in run.h5. */
const char *trio_results_path(result_table which);
/* Returns the size of a row in memory [bytes]; 0 for frames and values of probes, whose size depends on the run. */
size_t trio_rows_bytes(result_table which);
/* Returns the numbers per body of a table of frames; 0 for other tables. */
size_t trio_rows_frame_numbers(result_table which);

#endif
