/* stop.h: signals that ask a command to end at a good place: SIGINT, SIGTERM and SIGHUP. */
#ifndef TRUNDLE_APP_STOP_H
#define TRUNDLE_APP_STOP_H

/* Catches the signals from now on. A second SIGINT or SIGTERM ends the process. A signal that the caller ignores
 * (nohup) stays ignored. */
void stop_catch(void);
/* Returns the number of the signal that came, 0 if none did. */
int stop_asked(void);
/* Ends the process as the signal that came would have done. Returns if none came. */
void stop_as_asked(void);

#endif
