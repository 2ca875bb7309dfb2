/* grip.h: a law of this folder: the couple about the normal is at most `length` times the normal force. */
#ifndef EXAMPLE_GRIP_H
#define EXAMPLE_GRIP_H

#include <trundle/plugin.h>

typedef struct grip {
    double length; /* [m] couple per normal force, at least 0 */
} grip;

extern const tru_law grip_law;

#endif
