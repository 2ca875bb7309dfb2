/* springs_api.c: reading the springs of a contact. */
#include "base/error.h"
#include "world/world.h"

#include <trundle/analysis.h>

#include <string.h>

tru_status tru_contact_springs_get(const tru_world *w, size_t k, tru_contact_springs *out, tru_error *err) {
    if (!w || !out)
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contact_springs_get needs a world and a place for the result");
    if (k >= tru_contact_count(w)) return tru_fail(err, TRU_STALE_ID, "contact %zu does not exist", k);
    const springs *s = k < w->contacts.count ? w->contacts.items[k].springs : NULL; /* none before the first step */
    if (!s) return tru_fail(err, TRU_REFUSED, "contact %zu has no springs; only stepper track has them", k);
    out->stretch[TRU_ROW_NORMAL] = s->overlap;
    memcpy(out->stretch + TRU_ROW_SLIDE1, s->stretch, sizeof s->stretch);
    memcpy(out->stiffness, s->stiffness, sizeof s->stiffness);
    memcpy(out->energy, s->energy, sizeof s->energy);
    return TRU_OK;
}
