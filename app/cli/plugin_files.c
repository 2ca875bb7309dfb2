/* plugin_files.c: a child process loads a plug-in and tries its laws, so that a crash ends the child and not the run. */
#include "plugin_files.h"

#include "app.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIAL_SECONDS = 60 }; /* [s] a trial takes about 0.1 s */

/* What the child tells: how far it came, and which property a law lacks. */
typedef struct trial {
    bool done;
    char law[80];     /* that is being tried; "" while the file is being loaded */
    char remark[500]; /* the first property that does not hold; "" if all hold */
} trial;

static void try_law(const tru_law *law, trial *shared) {
    tru_law_verdict verdicts[TRU_LAW_PROPERTIES];
    snprintf(shared->law, sizeof shared->law, "%s", law->name);
    if (tru_law_verify(law, PLUGIN_SEED, verdicts, NULL) < 0) return;
    for (int k = 0; k < TRU_LAW_PROPERTIES && !*shared->remark; k++)
        if (!verdicts[k].holds)
            snprintf(shared->remark, sizeof shared->remark, "law %s: '%s' does not hold: %s", law->name,
                     verdicts[k].property, verdicts[k].text);
}

/* Runs the child. A sanitizer would end it with a report of its own. */
static void live(const char *path, trial *shared) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    tru_plugins *set = NULL;
    tru_plugin_info info;
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) signal(fatal[k], SIG_DFL);
    alarm(TRIAL_SECONDS);
    if (tru_plugins_create(&set, NULL) >= 0 && tru_plugins_load(set, path, NULL) >= 0)
        for (size_t k = 0; tru_plugins_at(set, k, &info); k++) try_law(info.law, shared);
    shared->done = true;
    _exit(EXIT_GOOD);
}

/* "signal 11 (Segmentation fault)", "more than 60 s", "an exit with code 3" */
static char *ending(int status) {
    if (!WIFSIGNALED(status)) return need_text("an exit with code %d", WEXITSTATUS(status));
    if (WTERMSIG(status) == SIGALRM) return need_text("more than %d s", TRIAL_SECONDS);
    return need_text("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static int judge(const char *path, const trial *t, int status) {
    if (t->done && *t->remark) say(stderr, "trundle: remark: %s: %s\n", path, t->remark);
    if (t->done) return EXIT_GOOD;
    char *what = ending(status);
    say(stderr, "trundle: %s: %s%s ends its trial by %s; nothing was run\n", path, *t->law ? "law " : "loading it",
        t->law, what);
    free(what);
    return EXIT_INPUT;
}

static int try_file(const char *path) {
    trial *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    if (shared == MAP_FAILED) no_memory();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) live(path, shared);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    const int code = child > 0 ? judge(path, shared, status) : EXIT_SYSTEM;
    if (child < 0) say(stderr, "trundle: cannot start a process: %s\n", strerror(errno));
    munmap(shared, sizeof *shared);
    return code;
}

int plugin_files_open(args *a) {
    const size_t count = args_times(a, "plugin");
    int code = EXIT_GOOD;
    tru_error err;
    if (count == 0) return EXIT_GOOD;
    if (tru_plugins_create(&a->plugins, &err) < 0) return complain(&err);
    for (size_t k = 0; k < count && code == EXIT_GOOD; k++) {
        const char *path = args_nth(a, "plugin", k);
        code = try_file(path);
        if (code == EXIT_GOOD && tru_plugins_load(a->plugins, path, &err) < 0) code = complain(&err);
    }
    return code;
}

void plugin_files_close(args *a) {
    tru_plugins_free(a->plugins);
    a->plugins = NULL;
}
