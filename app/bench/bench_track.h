/* bench_track.h: benchmarks of stepper track: springs per contact of a pile, contact search of ellipsoids. */
#ifndef TRUNDLE_APP_BENCH_TRACK_H
#define TRUNDLE_APP_BENCH_TRACK_H

#include "bench_call.h"

bench_call bench_track_loads;   /* [ns] per contact: following it and loading its springs, best step of several */
bench_call bench_track_collide; /* [ns] per contact: finding it, all pairs included, best step of several */
bench_call bench_track_step;    /* [ns] per contact: the whole step */

#endif
