/* stop.c: signals that ask a command to end at a good place. */
#include "stop.h"

#include <signal.h>
#include <stddef.h>

/* The only mutable global of the program: signals have no other way in. */
static volatile sig_atomic_t stop_signal;

static void on_signal(int number) { stop_signal = number; }

/* A closing terminal sends SIGHUP twice, from the kernel and from the shell, so that one keeps its handler. */
static void catch_one(int number, int flags) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
    sigaction(number, &action, NULL);
}

void stop_catch(void) {
    catch_one(SIGINT, (int)SA_RESETHAND);
    catch_one(SIGTERM, (int)SA_RESETHAND);
    catch_one(SIGHUP, 0);
}

int stop_asked(void) { return stop_signal; }

void stop_as_asked(void) {
    if (stop_signal == 0) return;
    signal(stop_signal, SIG_DFL);
    raise(stop_signal);
}
