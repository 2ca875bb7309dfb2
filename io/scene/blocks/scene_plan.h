/* scene_plan.h: `record` and `stop_when`: how long to run, what to write, what ends the run. */
#ifndef TRUNDLE_IO_SCENE_PLAN_H
#define TRUNDLE_IO_SCENE_PLAN_H

#include "scene/values/scene_model.h"

/* As `record` says it; the plan of io.h is made from it. */
typedef struct record_def {
    double until, frames, interval, snapshots; /* [s] */
    bool contacts, wide;
    tru_list probes; /* of const char * */
    tru_list events; /* of int32_t: tru_event_kind */
} record_def;
extern const tru_field trio_record_fields[], trio_event_fields[];
extern const extra_key trio_stop_keys[], trio_probe_keys[];

tru_status trio_read_record(reader *r, const scene_model *m, record_def *out);
tru_status trio_read_plan(reader *r, scene_model *m);
tru_status trio_read_stops(reader *r, scene_model *m);

#endif
