/* clock.h: clocks of a process. */
#ifndef TRUNDLE_IO_CLOCK_H
#define TRUNDLE_IO_CLOCK_H

/* Returns the monotonic wall clock [s]. */
double trio_now(void);
/* Returns the CPU time of the calling thread [s]. */
double trio_thread_seconds(void);

#endif
