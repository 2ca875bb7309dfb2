/* test_parallel.c: every item once, range borders on the grain, sums with the same bits for any number of threads. */
#include "check.h"

#include "parallel/parallel.h"

typedef struct visits {
    int *count;
    size_t n, grain;
} visits;

static void visit(void *context, size_t begin, size_t end) {
    visits *v = context;
    for (size_t i = begin; i < end; i++) v->count[i]++;
    /* An item that starts a range off the grain is marked. */
    if (begin % v->grain || (end % v->grain && end != v->n)) v->count[begin] += 1000;
}

TEST(every_item_once) {
    static int count[1000];
    for (size_t n = 0; n <= 1000; n = n * 3 + 1)
        for (int threads = 0; threads <= 8; threads++)
            for (size_t grain = 0; grain < 70; grain += 8) {
                memset(count, 0, sizeof count);
                visits v = {count, n, grain ? grain : 1};
                trui_parallel_for(&(crew){.threads = threads}, n, grain, visit, &v);
                bool good = true;
                for (size_t i = 0; i < 1000; i++) good = good && count[i] == (i < n);
                if (!good) check(good);
            }
    check(trui_parallel_threads() >= 1);
}

static void count_call(void *context, size_t begin, size_t end) {
    (void)begin, (void)end;
    ++*(int *)context;
}

TEST(small_loops_stay_on_one_thread) {
    int calls = 0;
    trui_parallel_for(&(crew){.threads = 8}, 64, 64, count_call, &calls);
    check(calls == 1);
    trui_parallel_for(&(crew){.threads = 8}, 0, 64, count_call, &calls);
    check(calls == 1);
}

/* Stage s adds up what the one before it left in all places: a range that ran too early would find zeros. */
enum { PLACES = 600, STAGES = 12 };
typedef struct relay {
    size_t counts[STAGES];
    unsigned sums[STAGES + 1][PLACES]; /* modulo 2^32 */
} relay;

static void add_up(void *context, size_t stage, size_t begin, size_t end) {
    relay *r = context;
    for (size_t i = begin; i < end; i++) {
        r->sums[stage + 1][i] += 1;
        for (size_t j = 0; j < PLACES; j++) r->sums[stage + 1][i] += r->sums[stage][j] * (unsigned)(i + j + 1);
    }
}

TEST(stages_follow_each_other) {
    static const size_t counts[STAGES] = {PLACES, 500, 40, 3, 600, 0, 599, 17, 1, 600, 600, 0};
    static relay one, many;
    for (int threads = 0; threads <= 8; threads++)
        for (size_t grain = 0; grain < 200; grain += 33)
            for (int repeat = 0; repeat < 20; repeat++) {
                relay *r = threads == 0 && grain == 0 ? &one : &many;
                memset(r, 0, sizeof *r);
                memcpy(r->counts, counts, sizeof counts);
                trui_parallel_stages(&(crew){.threads = threads}, STAGES, r->counts, grain, add_up, r);
                const bool same = memcmp(&one, r, sizeof one) == 0;
                if (!same) check(same);
            }
    check(one.sums[1][0] == 1 && one.sums[11][599] > 1);
    trui_parallel_stages(&(crew){.threads = 4}, 0, NULL, 8, add_up, &many); /* none */
}

/* Loops of all kinds one after the other, between them what only one thread does; the same again where threads stand by already. */
typedef struct shift {
    crew crew;
    relay *relay;
    int rounds, entered;
    int count[1000];
    bool good;
} shift;

static void work_together(void *context) {
    static const size_t counts[STAGES] = {PLACES, 500, 40, 3, 600, 0, 599, 17, 1, 600, 600, 0};
    shift *s = context;
    if (++s->entered == 1) trui_parallel_together(&s->crew, work_together, s);
    for (int round = 0; round < s->rounds; round++) {
        memset(s->count, 0, sizeof s->count);
        memset(s->relay, 0, sizeof *s->relay);
        memcpy(s->relay->counts, counts, sizeof counts);
        visits v = {s->count, 1000 - (size_t)round, 8};
        trui_parallel_for(&s->crew, v.n, v.grain, visit, &v);
        for (size_t i = 0; i < 1000; i++) s->good = s->good && s->count[i] == (i < v.n);
        trui_parallel_stages(&s->crew, STAGES, s->relay->counts, 33, add_up, s->relay);
    }
}

TEST(threads_stand_by) {
    static relay one, many;
    shift alone = {.crew = {.threads = 1}, .relay = &one, .rounds = 1, .good = true};
    trui_parallel_together(&alone.crew, work_together, &alone);
    check(alone.good && alone.entered == 2);
    for (int threads = 0; threads <= 8; threads += 2) {
        shift s = {.crew = {.threads = threads}, .relay = &many, .rounds = 2, .good = true};
        for (int again = 0; again < 3; again++) trui_parallel_together(&s.crew, work_together, &s);
        check(s.good && s.entered == 4 && !s.crew.standby);
        check(memcmp(&one, &many, sizeof one) == 0);
    }
}

static unsigned bits_of(void *context, size_t begin, size_t end) {
    const unsigned *x = context;
    unsigned all = 0;
    for (size_t i = begin; i < end; i++) all |= x[i];
    return all;
}

TEST(what_any_range_finds_is_found) {
    static unsigned x[500];
    for (size_t at = 0; at < 500; at += 7)
        for (int threads = 0; threads <= 8; threads++) {
            memset(x, 0, sizeof x);
            x[at] = 4;
            x[499 - at] |= 1;
            check(trui_parallel_any(&(crew){.threads = threads}, 500, 16, bits_of, x) == 5);
            x[at] = x[499 - at] = 0;
            check(trui_parallel_any(&(crew){.threads = threads}, 500, 16, bits_of, x) == 0);
        }
    check(trui_parallel_any(&(crew){.threads = 2}, 0, 16, bits_of, x) == 0);
}

static double block_sum(void *context, size_t begin, size_t end) {
    const double *x = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) sum += x[i];
    return sum;
}

TEST(sums_have_the_same_bits_for_any_number_of_threads) {
    enum { N = 20000 };
    static double x[N];
    uint64_t seed = check_seed();
    for (size_t i = 0; i < N; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = ldexp((double)(int64_t)seed, (int)(seed % 40) - 80); /* cancels, so that order matters */
    }
    const int threads[] = {2, 3, 8, 200};
    int differs_from_plain = 0;
    for (size_t n = 1; n <= N; n = n * 2 + 3) {
        double one = trui_parallel_sum(&(crew){.threads = 1}, n, block_sum, x);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            double many = trui_parallel_sum(&(crew){.threads = threads[t]}, n, block_sum, x);
            check(memcmp(&one, &many, sizeof one) == 0);
        }
        double bound = 0.0;
        for (size_t i = 0; i < n; i++) bound += fabs(x[i]);
        check_close(one, block_sum(x, 0, n), 0.0, 2.3e-16 * (double)n * bound);
        differs_from_plain += one != block_sum(x, 0, n);
    }
    check(differs_from_plain > 3); /* the order does matter for these numbers */
    check(trui_parallel_sum(&(crew){.threads = 2}, 0, block_sum, x) == 0.0);
}

static double one_block(void *context, size_t begin, size_t end) {
    (void)context;
    return begin % PARALLEL_BLOCK == 0 && end - begin <= PARALLEL_BLOCK ? (double)(end - begin) : NAN;
}

TEST(terms_see_whole_blocks) {
    for (size_t n = 1; n < 10000; n = n * 5 / 4 + 1)
        check(trui_parallel_sum(&(crew){.threads = 3}, n, one_block, NULL) == (double)n);
}

static _Thread_local char mine; /* another address in every thread */

static double foreign(void *context, size_t begin, size_t end) {
    (void)begin, (void)end;
    return context == &mine ? 0.0 : 1.0;
}

TEST(short_sums_stay_on_one_thread) {
    check(trui_parallel_sum(&(crew){.threads = 8}, 1500, foreign, &mine) == 0.0);
    check(trui_parallel_threads() == 1 || getenv("OMP_THREAD_LIMIT") ||
          trui_parallel_sum(&(crew){.threads = 2}, 15000, foreign, &mine) > 0.0);
}
