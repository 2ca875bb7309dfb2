/* law_verify.c: all properties of a law in one list, with a verdict for each. */
#include "common/fail.h"
#include "law_motion.h"
#include "typical.h"

#include <trundle/plugins.h>

#include <stdio.h>

enum { LAW_DRAWS = 400 };

static const struct {
    const char *name;
    bool (*holds)(law_trial *t);
    const char *tries; /* what is counted */
} properties[TRU_LAW_PROPERTIES] = {
    {"accepts typical values of its fields", trio_law_has_values, "set"},
    {"writes only the rows that it claims", trio_law_keeps_to_rows, "draws"},
    {"projecting twice is projecting once", trio_law_is_idempotent, "draws"},
    {"the projection is the nearest point of the set", trio_law_is_nearest, "draws"},
    {"projections are not farther apart than points", trio_law_is_contracting, "draws"},
    {"support is the largest power of the set", trio_law_has_support, "draws"},
    {"boundary lies on the set", trio_law_has_boundary, "draws"},
    {"derivatives agree with differences", trio_law_has_slopes, "draws"},
    {"viscosity is symmetric and takes energy", trio_law_resists, "draws"},
    {"every coefficient changes the motion", trio_law_is_honest, "runs"},
    {"other units give the same bits", trio_law_has_units, "runs"},
    {"the energy ledger closes", trio_law_keeps_books, "runs"},
};

tru_status tru_law_verify(const tru_law *law, uint64_t seed, tru_law_verdict verdicts[TRU_LAW_PROPERTIES],
                          tru_error *err) {
    const tru_status s = tru_law_check(law, err);
    if (s < 0) return s;
    if (law->size > TYPICAL_ROOM)
        return trio_fail(err, TRU_OUT_OF_RANGE, "law %s: size is %zu bytes, must be at most %d to be checked",
                         law->name, law->size, TYPICAL_ROOM);
    for (int k = 0; k < TRU_LAW_PROPERTIES; k++) {
        law_trial t = {law, seed, LAW_DRAWS, ""};
        tru_law_verdict *v = &verdicts[k];
        v->property = properties[k].name;
        v->holds = properties[k].holds(&t);
        v->tried = t.draws;
        if (v->holds && t.draws == 0)
            snprintf(v->text, sizeof v->text, "does not apply");
        else if (v->holds)
            snprintf(v->text, sizeof v->text, "%d %s", t.draws, properties[k].tries);
        else
            snprintf(v->text, sizeof v->text, "%s", t.text);
    }
    return TRU_OK;
}
