/* unit.h: numbers as text, the same in every locale. unit.c also has the functions tru_unit_* of plugin.h. */
#ifndef TRUNDLE_BASE_UNIT_H
#define TRUNDLE_BASE_UNIT_H

#include <trundle/plugin.h>

#define NUMBER_TEXT 32 /* bytes that hold any number with its terminating 0 */

/* Writes a number with the least digits, 6 to 17, that read back as the same number: 0.3, 1e-05, 0.30000000000000004, nan, -inf. */
void trui_number_text(char out[NUMBER_TEXT], double value);

#endif
