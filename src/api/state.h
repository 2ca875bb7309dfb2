/* state.h: parts of the state hash that tests use by themselves. */
#ifndef TRUNDLE_API_STATE_H
#define TRUNDLE_API_STATE_H

#include <trundle/trundle.h>

/* Lines of the ledger by name, only those that are not 0; without kinetic and potential energy, which follow from the
 * bodies. */
uint64_t trui_hash_ledger(const tru_ledger *ledger);

#endif
