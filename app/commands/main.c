/* main.c: the table of commands; finds the one that is asked for and runs it. */
#include "cli/app.h"
#include "cli/plugin_files.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JSON                                                                                                           \
    { "json", OPTION_FLAG, false, NULL, "Print one JSON document on stdout and nothing else there." }
#define SET                                                                                                            \
    { "set", OPTION_PAIR, true, "PATH=VALUE", "Change a value of the scene, for example laws.rim.slide=0.3." }
#define STEPPER                                                                                                        \
    { "stepper", OPTION_TEXT, false, "S", "Stepper block of the scene that runs; default: its first." }
#define JOBS                                                                                                           \
    { "jobs", OPTION_COUNT, false, "N", "Processes that work at once; default: one per processor." }
#define REPORT                                                                                                         \
    { "report", OPTION_TEXT, false, "FILE", "Write tables, curves, maps and replays as one HTML file." }
#define PLUGIN                                                                                                         \
    { "plugin", OPTION_TEXT, true, "FILE", "Load laws from this shared object, which any scene or DIR may name." }
#define END                                                                                                            \
    { NULL, OPTION_FLAG, false, NULL, NULL }

static const option run_options[] = {
    STEPPER,
    SET,
    {"out", OPTION_TEXT, false, "DIR",
     "Folder of the results; default: the first free of NAME.run, NAME.2.run, ...; 'none': no files."},
    {"threads", OPTION_COUNT, false, "N", "Threads; the results do not depend on it; default 1."},
    {"until", OPTION_TIME, false, "T", "Simulated time to reach, instead of the scene's."},
    {"resume", OPTION_FLAG, false, NULL,
     "Continue from the snapshot in DIR; default: the last of NAME.run, NAME.2.run, ..."},
    {"force", OPTION_FLAG, false, NULL, "Replace the results in DIR; default: those in NAME.run."},
    {"plot", OPTION_FLAG, false, NULL, "Write SVG plots of the energy and of the recorded probes into DIR."},
    {"profile", OPTION_FLAG, false, NULL, "Print where the time went, and which solver got which contacts."},
    {"json", OPTION_FLAG, false, NULL,
     "Print summary.json, with hashes of state and motion, and nothing else on stdout."},
    PLUGIN,
    END,
};
static const option check_options[] = {STEPPER, SET, PLUGIN, JSON, END};
static const option list_options[] = {PLUGIN, JSON, END};
static const option papers_options[] = {JOBS, REPORT, JSON, END};
static const option analyze_options[] = {
    {"at", OPTION_TIME, false, "T",
     "Simulated time of the state; 0: as the scene has it; default: after the first step."},
    {"out", OPTION_TEXT, false, "DIR", "Draw limit directions there: BODY-portrait.svg and BODY-regions.svg."},
    STEPPER,
    SET,
    PLUGIN,
    JSON,
    END,
};
static const option compare_options[] = {
    {"variant", OPTION_PAIR, true, "PATH=VALUE", "One more way to run, for example steppers.moreau.scheme=paper."},
    {"until", OPTION_TIME, false, "T", "Simulated time to reach, instead of the scene's."},
    SET,
    PLUGIN,
    REPORT,
    JSON,
    END,
};
static const option sweep_options[] = {
    {"vary", OPTION_PAIR, true, "PATH=A:B:N",
     "N values from A to B, or PATH=X,Y,Z; the last unit counts for all, as in 0:30 deg:7."},
    {"bisect", OPTION_PAIR, false, "PATH=A:B:TOL",
     "In every cell: where between A and B the condition of --on changes."},
    {"on", OPTION_TEXT, false, "CONDITION", "PROBE>VALUE, PROBE<VALUE, PROBE (above 0) or class=WORD, at the end."},
    {"seeds", OPTION_COUNT, false, "N", "Every cell N times, with the scene's parameter seed = 1 .. N."},
    {"probe", OPTION_TEXT, true, "PROBE", "Record this probe at the end, instead of the scene's."},
    {"until", OPTION_TIME, false, "T", "Simulated time to reach, instead of the scene's."},
    {"against", OPTION_TEXT, false, "FILE", "A table like sweep.csv; print how far the cells differ from it."},
    STEPPER,
    SET,
    PLUGIN,
    JOBS,
    {"out", OPTION_TEXT, false, "DIR",
     "Folder of the results; default: the scene's name with .sweep; 'none': no files."},
    REPORT,
    JSON,
    END,
};
static const option report_options[] = {
    {"out", OPTION_TEXT, false, "FILE", "The file to write; default: DIR/report.html."},
    PLUGIN,
    END,
};
static const option play_options[] = {
    {"out", OPTION_TEXT, false, "FILE", "The file to write; default: a temporary one."},
    END,
};
static const option export_options[] = {
    {"format", OPTION_TEXT, false, "F", "vtp (ParaView), csv (spreadsheets), glb (Blender, viewers), xyz (OVITO)."},
    {"out", OPTION_TEXT, false, "FOLDER", "Where the files go; default: DIR/F."},
    END,
};
static const option bench_options[] = {JSON, END};

static const command commands[] = {
    {"run", cmd_run, "SCENE", 1, 1, "Simulate a scene, show progress, write results.", run_options},
    {"check", cmd_check, "[SCENE]", 0, 1,
     "Check a scene and print what would run; without a SCENE check the laws of --plugin.", check_options},
    {"list", cmd_list, "[KIND [NAME]]", 0, 2,
     "List what exists: shapes, laws, solvers, steppers, probes, units, scenes, papers.", list_options},
    {"papers", cmd_papers, "[NAME...]", 0, 100,
     "Recompute published numbers and print which hold; lengthy ones (whole piles) by name only.", papers_options},
    {"analyze", cmd_analyze, "SCENE|DIR", 1, 1,
     "Energies, contacts, friction demand, limit directions and steady motions of a state.", analyze_options},
    {"compare", cmd_compare, "SCENE", 1, 1, "Run every stepper block at three steps; orders and differences.",
     compare_options},
    {"sweep", cmd_sweep, "SCENE", 1, 1, "A grid of runs or bisections; tables and a map; continues after a kill.",
     sweep_options},
    {"report", cmd_report, "DIR", 1, 1, "One HTML file of a run: 3-D replay, plots, events, provenance.",
     report_options},
    {"play", cmd_play, "[SCENE]", 0, 1, "Open the playground, where a scene runs live with sliders, in a browser.",
     play_options},
    {"export", cmd_export, "DIR", 1, 1, "A run for other programs: VTP and PVD, CSV, GLB, extended XYZ.",
     export_options},
    {"bench", cmd_bench, "[NAME...]", 0, 100,
     "Time the benchmark scenes and the limits of the machine; lengthy ones (whole piles, 1e5 stones) by name only.",
     bench_options},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const command *find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int unknown(const char *name) {
    const char *names[COMMANDS + 1];
    for (size_t i = 0; i < COMMANDS; i++) names[i] = commands[i].name;
    names[COMMANDS] = "help";
    const char *near = tru_nearest_name(name, names, COMMANDS + 1);
    say(stderr, "trundle: unknown command '%s'%s%s (trundle help)\n", name, near ? "; the nearest is " : "",
        near ? near : "");
    return EXIT_USAGE;
}

static void help(FILE *out) {
    char left[64];
    fputs("trundle: simulates how rigid bodies slide, roll and spin on each other\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++) {
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].operands);
        fprintf(out, "    trundle %-22s %s\n", left, commands[i].purpose);
    }
    fputs(
        "    trundle help CMD               Options of a command.\n    trundle version                Version of the program.\n\nSCENE is a file, or the name of a scene that comes with the program (trundle list scenes).\nExit codes: 0 success, 1 usage, 2 bad input, 3 numerical failure, 4 file or system,\n            5 stopped by a signal with a snapshot written.\n",
        out);
}

static int cmd_help(int argc, char **argv) {
    if (argc == 0) {
        help(stdout);
        return EXIT_GOOD;
    }
    const command *c = find(argv[0]);
    if (!c) return unknown(argv[0]);
    args_help(c, stdout);
    return EXIT_GOOD;
}

static bool asks_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

/* OpenMP threads wait by spinning for 10 ms and more. If other programs use the processors, two threads then take twenty
 * times as long as one. OpenMP reads the spin time from the environment before main begins, so the program restarts itself
 * with another value unless the user has set one. */
static void wait_briefly(const args *a, const command *c, char **argv) {
    if (args_number(a, "threads", 1.0) < 2.0 && strcmp(c->name, "bench") != 0) return;
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 0) != 0 || setenv("KMP_BLOCKTIME", "0", 0) != 0) return;
    execv("/proc/self/exe", argv); /* if that fails, the program continues as it is */
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (!*name) {
        help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return cmd_help(argc - 2, argv + 2);
    if (strcmp(name, "version") == 0 || strcmp(name, "--version") == 0) {
        say(stdout, "trundle %s, %s HDF5\n", tru_version(), tru_has_hdf5() ? "with" : "without");
        return EXIT_GOOD;
    }
    const command *c = find(name);
    if (!c) return unknown(name);
    if (asks_help(argc - 2, argv + 2)) {
        args_help(c, stdout);
        return EXIT_GOOD;
    }
    signal(SIGXFSZ, SIG_IGN); /* a file size limit becomes an error with a sentence */
    args a = {0};
    int code = EXIT_USAGE;
    if (args_read(c, argc - 2, argv + 2, &a)) {
        wait_briefly(&a, c, argv);
        code = plugin_files_open(&a);
        if (code == EXIT_GOOD) code = c->run(&a);
    }
    plugin_files_close(&a);
    args_free(&a);
    if (fflush(stdout) != 0 && code == EXIT_GOOD) {
        perror("trundle: standard output");
        code = EXIT_SYSTEM;
    }
    return code;
}
