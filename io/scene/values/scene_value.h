/* scene_value.h: single values of a scene: numbers with units, vectors, words, references; and sentences about wrong ones. */
#ifndef TRUNDLE_IO_SCENE_VALUE_H
#define TRUNDLE_IO_SCENE_VALUE_H

#include "scene_reader.h"

/* Read one value each. `label` is the field, "mass". */
tru_status trio_read_quantity(reader *r, const char *what, const char *label, node_id n, quantity *out);
/* Reads the real of a field whose unit must be written: refuses a bare number other than 0, also one inside a sum. */
tru_status trio_read_spoken(reader *r, const char *what, const tru_field *f, node_id n, double *out);
tru_status trio_read_number(reader *r, const char *what, const char *label, node_id n, tru_unit unit, double *out);
tru_status trio_read_vec3(reader *r, const char *what, const char *label, node_id n, tru_unit unit, tru_vec3 *out);
tru_status trio_read_boolean(reader *r, const char *what, const char *label, node_id n, bool *out);
tru_status trio_read_word(reader *r, const char *what, const char *label, node_id n, const char **out);
tru_status trio_read_quaternion(reader *r, const char *what, const char *label, node_id n, tru_quat *out);
tru_status trio_read_reference(reader *r, const char *what, const char *label, const char *kind, node_id n,
                               tru_id *out);
/* [A, B] */
tru_status trio_read_two(reader *r, const char *what, const char *kind, node_id n, tru_id *a, tru_id *b);

/* ---- sentences ---- */

/* Writes the subject of a sentence, "body 'ball': mass". */
const char *trio_subject(const char *what, const char *label, char *out, size_t room);
/* Fails with the sentence "place: subject is TEXT, phrase"; lists and maps read "is a list" and "is a map". */
tru_status trio_wrong_value(reader *r, const char *what, const char *label, node_id n, const char *phrase);
/* Fails with a sentence if the node is not of this kind. */
tru_status trio_expect_kind(reader *r, const char *what, const char *label, node_id n, node_kind kind);
/* Writes a hint: "; did you mean 'x'?", or "; there are a, b, c", or "". */
void trio_suggest(const char *name, const char *const *names, size_t count, char *out, size_t room);
bool trio_word_among(const char *words, const char *word); /* "a|b|c" */

#endif
