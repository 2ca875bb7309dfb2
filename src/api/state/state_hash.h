/* state_hash.h: parts of the state hash that tests use by themselves. */
#ifndef TRUNDLE_API_STATE_STATE_HASH_H
#define TRUNDLE_API_STATE_STATE_HASH_H

#include <trundle/trundle.h>

/* Returns the hash of the ledger: entries by name, only those that are not 0. Kinetic and potential energy are omitted, because
 * they follow from the bodies. */
uint64_t trui_hash_ledger(const tru_ledger *ledger);

#endif
