/* braille.h: a panel of a plot as braille dots, two by four to a character, in a terminal. */
#ifndef TRUNDLE_APP_BRAILLE_H
#define TRUNDLE_APP_BRAILLE_H

#include "plot.h"

/* Prints one panel as braille dots, `width` columns wide, with a colour per line. */
void plot_braille(const plot *p, size_t panel, FILE *out, int width);

#endif
