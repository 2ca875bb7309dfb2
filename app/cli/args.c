/* args.c: reads the words of a command line by the command's option table. */
#include "args.h"

#include "text/memory.h"
#include "text/say.h"

#include <trundle/plugin.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option *find(const option *options, const char *name, size_t length) {
    for (const option *o = options; o && o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return NULL;
}

/* Prints a sentence about a wrong word, and which help text to read. */
static bool refuse(const command *c, const char *sentence, const char *word, const char *near) {
    say(stderr, "trundle %s: ", c->name);
    say(stderr, sentence, word);
    if (near) say(stderr, "; the nearest is --%s", near);
    say(stderr, " (trundle help %s)\n", c->name);
    return false;
}

static const char *nearest_option(const option *options, const char *name) {
    const char *names[64];
    size_t count = 0;
    for (const option *o = options; o && o->name && count < 64; o++) names[count++] = o->name;
    return tru_nearest_name(name, names, count);
}

/* "2 s", "300 ms"; a bare number is in seconds. */
static bool read_time(const char *text, double *seconds) {
    char *end;
    double value = strtod(text, &end), scale = 1.0;
    if (end == text) return false;
    while (*end == ' ') end++;
    if (*end) {
        tru_unit_info unit;
        bool angle;
        if (!tru_unit_parse(end, &scale, &unit, &angle)) return false;
        if (unit.kg != 0 || unit.m != 0 || unit.s != 1 || angle) return false;
    }
    *seconds = tru_unit_to_si(value, scale);
    return isfinite(*seconds) && *seconds >= 0.0;
}

static bool read_count(const char *text, double *count) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *count = (double)value;
    return end != text && !*end && errno == 0 && value >= 1 && value <= 1000000000;
}

static bool check_value(const command *c, args_given *g) {
    char sentence[120];
    const char *wanted = NULL;
    const char *equals = strchr(g->value, '=');
    if (g->option->kind == OPTION_COUNT && !read_count(g->value, &g->number))
        wanted = "a whole number of 1 or more";
    else if (g->option->kind == OPTION_TIME && !read_time(g->value, &g->number))
        wanted = "a time such as '2 s' or '300 ms'";
    else if (g->option->kind == OPTION_PAIR && (!equals || equals == g->value || !equals[1]))
        wanted = "path=value";
    if (!wanted) return true;
    snprintf(sentence, sizeof sentence, "--%s needs %s, not '%%s'", g->option->name, wanted);
    return refuse(c, sentence, g->value, NULL);
}

/* Reads the option argv[*k] and its value. *k moves to the last word used. */
static bool read_option(const command *c, int argc, char **argv, int *k, args_given *g) {
    const char *word = argv[*k] + 2;
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    g->option = find(c->options, word, length);
    if (!g->option) return refuse(c, "unknown option --%s", name, nearest_option(c->options, name));
    if (g->option->kind == OPTION_FLAG) return equals ? refuse(c, "--%s takes no value", name, NULL) : true;
    g->value = equals ? equals + 1 : *k + 1 < argc ? argv[++*k] : NULL;
    if (!g->value || !*g->value) return refuse(c, "--%s needs a value", name, NULL);
    return check_value(c, g);
}

static bool given_twice(const args_given *all, size_t count, const option *o) {
    for (size_t i = 0; i < count; i++)
        if (all[i].option == o) return !o->repeats;
    return false;
}

bool args_read(const command *c, int argc, char **argv, args *out) {
    const char **operands = need((size_t)argc + 1, sizeof *operands);
    args_given *all = need((size_t)argc + 1, sizeof *all);
    bool only_operands = false;
    *out = (args){.command = c, .operands = operands, .given = all};
    for (int k = 0; k < argc; k++) {
        if (!only_operands && strcmp(argv[k], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argv[k][0] == '-' && argv[k][1]) {
            if (argv[k][1] != '-') return refuse(c, "unknown option %s", argv[k], NULL);
            args_given g = {0};
            if (!read_option(c, argc, argv, &k, &g)) return false;
            if (given_twice(all, out->given_count, g.option))
                return refuse(c, "--%s is given twice", g.option->name, NULL);
            all[out->given_count++] = g;
        } else {
            operands[out->operand_count++] = argv[k];
        }
    }
    if (out->operand_count < c->fewest) return refuse(c, "%s is missing", c->operands, NULL);
    if (out->operand_count > c->most) return refuse(c, "unexpected argument '%s'", operands[c->most], NULL);
    return true;
}

void args_free(args *a) {
    free((void *)a->operands);
    free((void *)a->given);
    *a = (args){0};
}

const char *args_nth(const args *a, const char *name, size_t k) {
    for (size_t i = 0; i < a->given_count; i++)
        if (strcmp(a->given[i].option->name, name) == 0 && k-- == 0) return a->given[i].value;
    return NULL;
}

size_t args_times(const args *a, const char *name) {
    size_t times = 0;
    for (size_t i = 0; i < a->given_count; i++) times += strcmp(a->given[i].option->name, name) == 0;
    return times;
}

bool args_flag(const args *a, const char *name) { return args_times(a, name) > 0; }

const char *args_text(const args *a, const char *name) { return args_nth(a, name, 0); }

double args_number(const args *a, const char *name, double otherwise) {
    for (size_t i = 0; i < a->given_count; i++)
        if (strcmp(a->given[i].option->name, name) == 0) return a->given[i].number;
    return otherwise;
}

/* Quotes words that have special characters. */
static void put_word(FILE *out, const char *before, const char *word) {
    const bool plain =
        *word &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+%@") == strlen(word);
    fputs(before, out);
    if (!plain) fputc('\'', out);
    for (const char *c = word; *c; c++) {
        if (*c == '\'' && !plain) fputs("'\\'", out);
        fputc(*c, out);
    }
    if (!plain) fputc('\'', out);
}

static bool is_named(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

char *args_line(const args *a, const char *const *but, const char *folder) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return need_text("trundle %s", a->command->name);
    fprintf(out, "trundle %s", a->command->name);
    for (size_t k = 0; k < a->operand_count; k++) put_word(out, " ", a->operands[k]);
    for (size_t k = 0; k < a->given_count; k++) {
        if (is_named(but, a->given[k].option->name)) continue;
        fprintf(out, " --%s", a->given[k].option->name);
        if (a->given[k].value) put_word(out, " ", a->given[k].value);
    }
    if (folder) put_word(out, " --out ", folder);
    fclose(out);
    return text;
}

void args_help(const command *c, FILE *out) {
    char left[64];
    fprintf(out, "trundle %s%s%s%s\n", c->name, *c->operands ? " " : "", c->operands,
            c->options && c->options->name ? " [options]" : "");
    fprintf(out, "    %s\n", c->purpose);
    for (const option *o = c->options; o && o->name; o++) {
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->word ? " " : "", o->word ? o->word : "");
        fprintf(out, "%s    %-22s %s%s\n", o == c->options ? "\n" : "", left, o->doc,
                o->repeats ? " May be repeated." : "");
    }
}
