/* bench_parts.h: benchmark of whole steps of a run and the parts they consist of. */
#ifndef TRUNDLE_APP_BENCH_PARTS_H
#define TRUNDLE_APP_BENCH_PARTS_H

#include "bench_call.h"

bench_call bench_parts; /* [ms] per step from `from` to the end of the scene; the remark has the parts */

#endif
