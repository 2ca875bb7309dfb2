/* types.h: the types that every other header needs: status, error, vectors, ids, plug-in references.
 *
 * All other headers of Trundle include this one. */
#ifndef TRUNDLE_TYPES_H
#define TRUNDLE_TYPES_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks a function that the shared library exports. */
#if defined(__GNUC__)
#define TRU_API __attribute__((visibility("default")))
#else
#define TRU_API
#endif

/* ---- status and error */

/* Lists every status as X(name, value, meaning).
 * The value is 0 for success, positive for success with a remark, negative for a failure that left the state unchanged.
 * Of two values that are not failures, the larger is the more serious. */
#define TRU_STATUS_LIST(X)                                                                                             \
    X(TRU_OK, 0, "done")                                                                                               \
    X(TRU_REMARK, 1, "done, with a remark")                                                                            \
    X(TRU_UNCONVERGED, 2, "done, but the contact solver stopped before it reached its tolerance")                      \
    X(TRU_BAD_ARGUMENT, -1, "an argument is missing or makes no sense")                                                \
    X(TRU_OUT_OF_RANGE, -2, "a value lies outside its allowed range")                                                  \
    X(TRU_UNKNOWN_NAME, -3, "no such plug-in, field or object")                                                        \
    X(TRU_CONFLICT, -4, "two things that were given exclude each other")                                               \
    X(TRU_REFUSED, -5, "the stepper cannot use something that was given")                                              \
    X(TRU_STALE_ID, -6, "the object does not exist (any more)")                                                        \
    X(TRU_OVERLAP, -7, "bodies overlap more than allowed at the start")                                                \
    X(TRU_NO_LAW, -8, "a pair of materials touches but has no law")                                                    \
    X(TRU_NOT_FINITE, -9, "a step produced a number that is not finite")                                               \
    X(TRU_NO_SOLUTION, -10, "the contact problem could not be solved")                                                 \
    X(TRU_NO_MEMORY, -11, "out of memory")                                                                             \
    X(TRU_DAMAGED, -12, "a snapshot is damaged or foreign")                                                            \
    X(TRU_FILE, -13, "a file or folder cannot be read or written")

/* Result of a call. TRU_STATUS_LIST gives the meaning of each value. */
typedef enum tru_status {
#define TRU_STATUS_ENTRY(name, value, meaning) name = (value), /* see TRU_STATUS_LIST */
    TRU_STATUS_LIST(TRU_STATUS_ENTRY)
#undef TRU_STATUS_ENTRY
} tru_status;

/* Explanation of a failure or remark. The caller owns it.
 * A call fills it if its status is not TRU_OK; after TRU_OK its contents mean nothing.
 * Every `err` argument may be NULL unless a comment says otherwise. */
typedef struct tru_error {
    tru_status status; /* status that the call returned */
    char text[500];    /* one sentence, terminated by zero; a longer one is cut and ends in "..." */
} tru_error;

/* Returns the meaning of a status as a phrase. The text is static and never NULL. */
TRU_API const char *tru_status_text(tru_status status);
/* Returns the version of the library as static text, "major.minor.patch". */
TRU_API const char *tru_version(void);

/* ---- values */

/* Vector in right-handed Cartesian axes. */
typedef struct tru_vec3 {
    double x, y, z; /* [unit of the quantity] components */
} tru_vec3;
/* Quaternion that turns body axes into world axes, or shape axes into body axes. */
typedef struct tru_quat {
    double w, x, y, z; /* [-] real part w, then the vector part */
} tru_quat;
/* Matrix of three rows and three columns. */
typedef struct tru_mat3 {
    double m[3][3]; /* [unit of the quantity] row major: m[row][column] */
} tru_mat3;

/* Identifier of a body, material, joint or load. Each of these kinds counts its own ids from 1.
 * Ids grow in the order of creation. A world never uses an id twice. */
typedef uint64_t tru_id;
/* The id that belongs to no object. */
#define TRU_NONE ((tru_id)0)

/* Value of a parameter that the library shall derive. It lies outside every allowed range; NaN is always an error. */
#define TRU_DERIVED (-DBL_MAX)

/* Reference to a plug-in by name, with its parameters. Calls that take one copy what they need. */
typedef struct tru_use {
    const char *name;   /* name of the plug-in, as `trundle list` prints it */
    const void *params; /* the plug-in's typed struct of params.h or joints.h; NULL: its defaults */
} tru_use;

/* A simulated world: bodies, materials, laws, joints, a stepper and their state. Only the library sees its members. */
typedef struct tru_world tru_world;

#ifdef __cplusplus
}
#endif
#endif
