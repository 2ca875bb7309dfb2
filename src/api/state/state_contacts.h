/* state_contacts.h: contacts with their history and springs in the stream of a world. */
#ifndef TRUNDLE_API_STATE_STATE_CONTACTS_H
#define TRUNDLE_API_STATE_STATE_CONTACTS_H

#include "api/state/stream.h"
#include "world/world.h"

/* The shapes of a contact by ids that stay the same, unlike places in arrays. */
typedef struct contact_ids {
    tru_id body_a, body_b;
    int32_t shape_a, shape_b; /* index of the shape in its body */
} contact_ids;

/* Returns the ids of a key. */
contact_ids trui_contact_ids_of(const tru_world *w, const contact_key *k);
/* Streams a contact without the memory of its laws. To read one, `end` and `springs` point to where they go; those that it has
 * not are NULL afterwards. */
void trui_io_contact(stream *s, contact_ids *ids, contact *c);
/* Writes or reads all contacts with the memory of their laws. */
void trui_io_contacts(stream *s, tru_world *w);
/* Writes or reads contacts of the start that were announced and whose springs have no load yet. */
void trui_io_start_contacts(stream *s, tru_world *w);

#endif
