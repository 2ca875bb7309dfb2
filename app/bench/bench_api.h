/* bench_api.h: benchmarks of single calls of the library: one step, a force, a view, copies of bodies and contacts. */
#ifndef TRUNDLE_APP_BENCH_API_H
#define TRUNDLE_APP_BENCH_API_H

#include "bench_call.h"

bench_call bench_api_step;     /* [ns] tru_run of one step */
bench_call bench_api_force;    /* [ns] tru_load_set */
bench_call bench_api_view;     /* [ns] tru_bodies_view and tru_bodies_check */
bench_call bench_api_copy;     /* [us] tru_bodies_get of all bodies */
bench_call bench_api_contacts; /* [ms] tru_contacts_get of all contacts */

#endif
