/* number.h: numbers as text, the same in every locale. */
#ifndef TRUNDLE_BASE_NUMBER_H
#define TRUNDLE_BASE_NUMBER_H

#define NUMBER_TEXT 32 /* characters that hold any number, with its end */

/* The shortest of 6 to 17 digits that reads back as the same number: 0.3, 1e-05, 0.30000000000000004, nan, -inf. */
void trui_number_text(char out[NUMBER_TEXT], double value);

#endif
