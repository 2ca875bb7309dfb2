/* describe.h: field tables in words and in JSON. */
#ifndef TRUNDLE_APP_DESCRIBE_H
#define TRUNDLE_APP_DESCRIBE_H

#include <trundle/plugins.h>

#include <stdio.h>

/* Prints a field table: name, type, unit, default, range, doc. Blocks of alternatives and lists are indented. */
void describe_fields(const tru_field *fields, FILE *out);
void describe_fields_json(tru_json *json, const char *key, const tru_field *fields);

/* Returns why a stepper cannot use a law at all; NULL if it can. */
const char *refused_law(const tru_stepper *stepper, const tru_law *law);
/* Returns why a stepper cannot use a law if this field is given; NULL if it can. */
const char *refused_field(const tru_stepper *stepper, const tru_law *law, const tru_field *field);
/* Prints the table law x stepper. */
void describe_honesty(const tru_plugins *plugins, FILE *out);
void describe_honesty_json(tru_json *json, const tru_plugins *plugins, const char *key);
/* Returns the k-th law, first the built-in ones, then those of plug-ins (NULL: none); NULL past the end. */
const tru_law *describe_law_at(const tru_plugins *plugins, size_t k);

#endif
