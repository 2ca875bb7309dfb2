/* expression.h: numbers as scenes write them: arithmetic with names and units, and what dimension came out. */
#ifndef TRUNDLE_IO_EXPRESSION_H
#define TRUNDLE_IO_EXPRESSION_H

#include <trundle/plugin.h>

/* Radians count as pure numbers, but 3 Hz is not an angular velocity. So a value remembers whether it is an angle. */
typedef enum quantity_angle { ANGLE_NO, ANGLE_YES, ANGLE_EITHER } quantity_angle;

/* A value in SI and its dimension. A bare value was written without a unit, or is a product with a parameter without a
 * unit. It takes the unit of the field; its powers are those of the factors that have units. */
typedef struct quantity {
    double value;    /* [unit of the quantity] */
    double kg, m, s; /* powers; halves and thirds come from sqrt and ^ */
    int32_t angle;   /* quantity_angle */
    bool bare;
    bool literal; /* bare, and written with numbers only: a pure number in products */
    bool mixed;   /* a product with such a number: the usual cause of a wrong unit */
    bool assumed; /* a sum in which a bare number other than 0 took the unit of the others */
} quantity;

/* Finds the value of a name. Returns false if it fails; *err says why. If `out` and `err` are NULL, it only tells whether
 * the name exists. */
typedef struct name_finder {
    bool (*find)(const void *user, const char *name, size_t length, quantity *out, tru_error *err);
    const void *user;
} name_finder;

/* Evaluates a text such as "2*pi*radius", "45 mm", "sqrt(2*9.81 m/s^2*drop)". The sentence of an error is about the text
 * only ("unknown name 'radus'; did you mean 'radius'?"). The caller adds the place. */
tru_status trio_expression_value(const char *text, const name_finder *names, quantity *out, tru_error *err);

/* Returns whether a value may stand where `unit` is expected. */
bool trio_quantity_fits(const quantity *q, tru_unit unit);
/* Returns whether the value says that it is in `unit`: it has this unit, or has it if its parameters without unit are
 * pure numbers ("n*radius"). */
bool trio_quantity_is_in(const quantity *q, tru_unit unit);
/* Writes the dimension as a unit that can be read back: "m/s^2", "kg m^2", "m^0.5", "rad"; "-" for a bare number. */
enum { QUANTITY_UNIT = 120 }; /* bytes of the longest such text */
void trio_quantity_unit(const quantity *q, char *out, size_t room);

/* Reads a decimal number at *at, correctly rounded in any locale. Returns false if there is none. */
bool trio_number_read(const char **at, double *value);
/* Returns true for a letter or _, then letters, digits, _. */
bool trio_is_name(const char *text);
/* Returns true for names that a parameter cannot have: sqrt, pi, ... */
bool trio_is_function(const char *name, size_t length);

#endif
