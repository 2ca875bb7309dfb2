/* test_pack.c: what is packed comes back to the last bit; damage, truncation and foreign bytes are noticed. */
#include "check.h"
#include "failing_allocator.h"
#include "field_example.h"

#include "fields/pack_fields.h"

static bool find_solver(void *user, const char *kind, const char *name, plug *out) {
    (void)user;
    bool nests = strcmp(name, "nest") == 0; /* a struct whose solver may again be a nest */
    *out = nests ? (plug){example_fields, sizeof(example)} : (plug){example_layer, sizeof(layer)};
    return strcmp(kind, "solver") == 0 && (nests || strcmp(name, "newton") == 0);
}

static const plug_finder finder = {find_solver, NULL};

static const layer solver_params = {0.5, {0.25, 0.0, 0}, "solver's own"};

static example full_example(void) {
    static const layer layers[2] = {{1.0, {0.01, 0.0, 0}, "top"}, {2.0, {0.0, 0.05, TRU_RADIUS_SMALLER}, NULL}};
    static const double times[3] = {0.0, -0.0, 0.1};
    example e;
    memset(&e, 0, sizeof e);
    tru_fields_defaults(example_fields, &e);
    e.slide = 0.1 + 0.2, e.radius = DBL_TRUE_MIN, e.count = -7, e.on = false, e.body = UINT64_C(1) << 63, e.scheme = 0;
    e.turn = (tru_quat){0.5, -0.0, -0.5, 0.5};
    e.layers = (tru_list){layers, 2};
    e.times = (tru_list){times, 3};
    e.solver = (tru_use){"newton", &solver_params};
    e.roll = (tru_length){0.0, 0.05, TRU_RADIUS_EFFECTIVE};
    return e;
}

static void write_all(packer *p, const example *e) {
    trui_pack_begin(p, 3);
    trui_pack_bool(p, true);
    trui_pack_u32(p, UINT32_C(0xFEDCBA98));
    trui_pack_i32(p, INT32_MIN);
    trui_pack_u64(p, UINT64_C(0xFEDCBA9876543210));
    trui_pack_f64(p, -0.0);
    trui_pack_f64(p, NAN);
    trui_pack_vec3(p, (tru_vec3){1.0, DBL_MAX, -DBL_TRUE_MIN});
    trui_pack_quat(p, (tru_quat){1.0, 2.0, 3.0, 4.0});
    trui_pack_fields(p, example_fields, e, &finder);
    trui_pack_text(p, "a ball");
    trui_pack_text(p, NULL);
    trui_pack_text(p, ""); /* the last thing, with nothing behind it */
    trui_pack_end(p);
}

static unsigned char buffer[8192];

static size_t sweep_example(void) {
    example e = full_example();
    packer p = trui_pack_into(buffer, sizeof buffer);
    write_all(&p, &e);
    return trui_pack_good(&p) ? p.count : 0;
}

/* Read everything; the status of the whole, all memory given back. */
static tru_status read_all(const void *bytes, size_t count, memory *m, example *out, tru_error *err) {
    unpacker u;
    tru_status status = trui_unpack_begin(&u, bytes, count, 3, err);
    if (status) return status;
    bool good = trui_unpack_bool(&u) && trui_unpack_u32(&u) == UINT32_C(0xFEDCBA98) && trui_unpack_i32(&u) == INT32_MIN;
    good = good && trui_unpack_u64(&u) == UINT64_C(0xFEDCBA9876543210);
    double zero = trui_unpack_f64(&u);
    good = good && zero == 0.0 && signbit(zero) && isnan(trui_unpack_f64(&u));
    tru_vec3 v = trui_unpack_vec3(&u);
    tru_quat q = trui_unpack_quat(&u);
    good = good && v.x == 1.0 && v.y == DBL_MAX && v.z == -DBL_TRUE_MIN && q.w == 1.0 && q.z == 4.0;
    status = trui_unpack_fields(&u, m, example_fields, out, &finder, "law x", err);
    if (status) return status;
    char name[7];
    trui_unpack_text(&u, name, sizeof name);
    char *none = trui_unpack_text_copy(&u, m), *empty = trui_unpack_text_copy(&u, m);
    status = trui_unpack_end(&u, err);
    if (!status) check(good && strcmp(name, "a ball") == 0 && none == NULL && empty && *empty == '\0');
    trui_mem_release_text(m, none);
    trui_mem_release_text(m, empty);
    if (status) trui_fields_release(m, example_fields, out, &finder);
    return status;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* ---- round trips: the same bits, and the same bytes everywhere ---- */

TEST(everything_comes_back_to_the_last_bit) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    example e = full_example(), back;
    packer measured = trui_pack_measure();
    write_all(&measured, &e);
    size_t count = sweep_example();
    check(count > 0 && measured.count == count && trui_pack_good(&measured));
    memset(&back, 0xFF, sizeof back);
    check_status(read_all(buffer, count, &m, &back, NULL), TRU_OK);
    check(same_bits(back.slide, e.slide) && same_bits(back.radius, e.radius) && back.activation == TRU_DERIVED);
    check(back.count == -7 && !back.on && back.body == e.body && back.scheme == 0 && same_bits(back.turn.x, -0.0));
    check(back.inertia.x == TRU_DERIVED && back.size.y == 0.25);
    check_str(back.note, "none");
    const layer *layers = back.layers.items, *inner = back.solver.params;
    check(back.layers.count == 2 && layers[1].depth == 2.0 && layers[1].roll.radius == TRU_RADIUS_SMALLER);
    check_str(layers[0].label, "top");
    check(layers[1].label == NULL);
    check(back.times.count == 3 && same_bits(((const double *)back.times.items)[1], -0.0));
    check_str(back.solver.name, "newton");
    check(inner->depth == 0.5 && inner->roll.length == 0.25);
    check_str(inner->label, "solver's own");
    check(back.roll.factor == 0.05 && back.roll.radius == TRU_RADIUS_EFFECTIVE);
    trui_fields_release(&m, example_fields, &back, &finder);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

/* The bytes are fixed for all time and all machines. */
TEST(known_bytes) {
    unsigned char bytes[64];
    packer p = trui_pack_into(bytes, sizeof bytes);
    trui_pack_begin(&p, 1);
    trui_pack_u32(&p, 0x01020304);
    trui_pack_f64(&p, 1.0);
    trui_pack_text(&p, "ab");
    trui_pack_end(&p);
    const unsigned char expected[] = {'T', 'R', 'U',  'N',  'D', 'L', 'E', 0x1A, 1, 0, 0, 0, 0, 0,   0,  0,
                                      55,  0,   0,    0,    0,   0,   0,   0,    4, 3, 2, 1, 0, 0,   0,  0,
                                      0,   0,   0xF0, 0x3F, 1,   2,   0,   0,    0, 0, 0, 0, 0, 'a', 'b'};
    check(p.count == 55 && sizeof expected == 47);
    check(memcmp(bytes, expected, sizeof expected) == 0);
}

TEST(too_small_a_buffer_is_noticed_and_not_overrun) {
    example e = full_example();
    size_t count = sweep_example();
    static unsigned char small[8192];
    for (size_t room = 0; room < count; room++) {
        memset(small, 0xAB, sizeof small);
        packer p = trui_pack_into(small, room);
        write_all(&p, &e);
        if (trui_pack_good(&p) || small[room] != 0xAB) check(false);
    }
    packer exact = trui_pack_into(small, count);
    write_all(&exact, &e);
    check(trui_pack_good(&exact) && exact.count == count);
}

/* ---- damage: noticed, or survived ---- */

TEST(every_damaged_byte_and_every_cut_is_noticed) {
    memory m = trui_memory_default();
    example back;
    tru_error err;
    size_t count = sweep_example();
    static unsigned char bad[8192];
    for (size_t i = 0; i < count; i++) {
        memcpy(bad, buffer, count);
        bad[i] ^= (unsigned char)(1u << (i % 8));
        if (read_all(bad, count, &m, &back, &err) != TRU_DAMAGED) check(false);
    }
    for (size_t cut = 0; cut < count; cut++)
        if (read_all(buffer, cut, &m, &back, &err) != TRU_DAMAGED) check(false);
    check_status(read_all(buffer, count, &m, &back, &err), TRU_OK);
    trui_fields_release(&m, example_fields, &back, &finder);
}

/* Behind the hash: bytes damaged before the hash was made, as by a bug or on purpose, must fail softly too. Run under
 * the sanitizers, this is the test against reading out of bounds. */
TEST(damage_with_a_right_hash_is_survived) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    size_t count = sweep_example();
    static unsigned char bad[8192];
    long noticed = 0, passed = 0;
    const unsigned char patterns[] = {0x01, 0x80, 0xFF};
    for (size_t i = 24; i + 8 < count; i++)
        for (size_t k = 0; k < sizeof patterns; k++) {
            memcpy(bad, buffer, count);
            bad[i] ^= patterns[k];
            packer p = {.bytes = bad, .room = count, .count = count - 8};
            trui_pack_end(&p);
            unpacker u;
            example back;
            tru_error err;
            check_status(trui_unpack_begin(&u, bad, count, 3, &err), TRU_OK);
            u.at = 24 + 1 + 4 + 4 + 8 + 16 + 24 + 32;
            tru_status status = trui_unpack_fields(&u, &m, example_fields, &back, &finder, "law x", &err);
            if (status)
                noticed++;
            else
                passed++, trui_fields_release(&m, example_fields, &back, &finder);
            if (f.live_blocks) check(f.live_blocks == 0);
            if (f.peak_bytes > 100 * sizeof buffer) check(false); /* no allocation for a damaged count */
        }
    check(f.wrong_sizes == 0);
    check(noticed > 0 && passed > 0); /* a changed real is as good as any */
}

/* ---- failures: a sentence, and zero from then on ---- */

TEST(sentences) {
    tru_error err;
    unpacker u;
    size_t count = sweep_example();
    check_status(trui_unpack_begin(&u, "hello, this is not one of ours...", 33, 3, &err), TRU_DAMAGED);
    check_str(err.text, "this is not a snapshot of Trundle");
    check_status(trui_unpack_begin(&u, buffer, 5, 3, &err), TRU_DAMAGED);
    check_str(err.text, "this is not a snapshot of Trundle");
    check_status(trui_unpack_begin(&u, buffer, count, 2, &err), TRU_DAMAGED);
    check_str(err.text,
              "the snapshot has version 3, this library reads version 2; load it with the Trundle that saved it");
    check_status(trui_unpack_begin(&u, buffer, count, 9, &err), TRU_DAMAGED);
    check_str(err.text,
              "the snapshot has version 3, this library reads version 9; load it with the Trundle that saved it");
    check_status(trui_unpack_begin(&u, buffer, 100, 3, &err), TRU_DAMAGED);
    check(strstr(err.text, "the snapshot should have ") && strstr(err.text, " bytes but has 100"));
    buffer[count - 20] ^= 4;
    check_status(trui_unpack_begin(&u, buffer, count, 3, &err), TRU_DAMAGED);
    check_str(err.text, "the snapshot is damaged: its contents do not match its hash");
    buffer[count - 20] ^= 4;
    check_status(trui_unpack_begin(&u, buffer, count, 3, &err), TRU_OK);
    check_status(trui_unpack_end(&u, &err), TRU_DAMAGED);
    check(strstr(err.text, "bytes too many"));
}

TEST(a_failure_sticks_and_reads_as_zero) {
    unsigned char bytes[100];
    packer p = trui_pack_into(bytes, sizeof bytes);
    trui_pack_begin(&p, 1);
    trui_pack_text(&p, "four");
    trui_pack_u32(&p, 7);
    trui_pack_end(&p);
    unpacker u;
    char name[4] = "abc";
    tru_error err;
    check_status(trui_unpack_begin(&u, bytes, p.count, 1, &err), TRU_OK);
    trui_unpack_text(&u, name, sizeof name); /* no room for its end */
    check_str(name, "");
    check(trui_unpack_u32(&u) == 0 && trui_unpack_f64(&u) == 0.0 && trui_unpack_count(&u, 1) == 0);
    check_status(trui_unpack_end(&u, &err), TRU_DAMAGED);
    check_str(err.text, "the snapshot ends early or holds an impossible value");
}

/* Bytes written by one table and read by another. */
static const char *read_as(const tru_field *writes, const tru_field *reads) {
    static tru_error err;
    memory m = trui_memory_default();
    layer from = {0.5, {0.0, 0.1, TRU_RADIUS_SMALLER}, "x"}, to;
    unsigned char bytes[1000];
    packer p = trui_pack_into(bytes, sizeof bytes);
    trui_pack_begin(&p, 1);
    trui_pack_fields(&p, writes, &from, NULL);
    trui_pack_end(&p);
    unpacker u;
    check(trui_pack_good(&p));
    check_status(trui_unpack_begin(&u, bytes, p.count, 1, &err), TRU_OK);
    tru_status status = trui_unpack_fields(&u, &m, reads, &to, NULL, "law coulomb", &err);
    if (status)
        check_status(trui_unpack_end(&u, NULL), TRU_DAMAGED); /* the failure sticks */
    else
        check_status(trui_unpack_end(&u, NULL), TRU_OK);
    if (!status) trui_fields_release(&m, reads, &to, NULL);
    return status ? err.text : "good";
}

TEST(tables_that_differ) {
    tru_field other[4], words[3];
    memcpy(other, example_layer, sizeof other);
    check_str(read_as(example_layer, other), "good");
    other[0] = example_layer[2], other[2] = example_layer[0]; /* the order does not matter */
    check_str(read_as(example_layer, other), "good");
    memcpy(other, example_layer, sizeof other), other[0].name = "dept";
    check_str(read_as(other, example_layer),
              "the snapshot gives 'dept' to law coulomb, which has no such field (nearest: 'depth')");
    other[0].name = "mass";
    check_str(read_as(other, example_layer), "the snapshot gives 'mass' to law coulomb, which has no such field");
    memcpy(other, example_layer, sizeof other), other[2] = (tru_field){0};
    check_str(read_as(other, example_layer), "the snapshot lacks label of law coulomb");
    memcpy(other, example_layer, sizeof other), other[0].unit = TRU_UNIT_ONE;
    check_str(read_as(other, example_layer), "the snapshot has depth of law coulomb in another type or unit");
    memcpy(other, example_layer, sizeof other), other[1] = other[0];
    check_str(read_as(other, example_layer), "the snapshot has depth of law coulomb twice");
    memcpy(words, example_length, sizeof words), words[1].words = "none|effective|tiny";
    memcpy(other, example_layer, sizeof other), other[1].block = words;
    check_str(read_as(other, example_layer),
              "the snapshot has radius 'tiny' in law coulomb, which this library does not know");
    words[1].words = "effective|none|smaller|larger"; /* words may move and come */
    check_str(read_as(other, example_layer), "good");
}

TEST(what_cannot_be_packed_says_so) {
    example e = full_example();
    packer p = trui_pack_measure();
    trui_pack_fields(&p, example_fields, &e, NULL); /* the solver is unknown */
    check(!trui_pack_good(&p));
    e.scheme = 9;
    p = trui_pack_measure();
    trui_pack_fields(&p, example_fields, &e, &finder);
    check(!trui_pack_good(&p));
    e.scheme = INT32_MIN; /* not chosen */
    p = trui_pack_measure();
    trui_pack_fields(&p, example_fields, &e, &finder);
    check(trui_pack_good(&p));
}

/* Bytes made on purpose could nest without end. */
static tru_status read_nest(int depth) {
    static unsigned char bytes[100000];
    memory m = trui_memory_default();
    example nest[40], back;
    for (int i = 0; i <= depth; i++) {
        nest[i] = full_example();
        if (i < depth) nest[i].solver = (tru_use){"nest", &nest[i + 1]};
    }
    packer p = trui_pack_into(bytes, sizeof bytes);
    trui_pack_begin(&p, 1);
    trui_pack_fields(&p, example_fields, &nest[0], &finder);
    trui_pack_end(&p);
    unpacker u;
    check(trui_pack_good(&p));
    check_status(trui_unpack_begin(&u, bytes, p.count, 1, NULL), TRU_OK);
    tru_status status = trui_unpack_fields(&u, &m, example_fields, &back, &finder, "law x", NULL);
    if (!status) trui_fields_release(&m, example_fields, &back, &finder);
    return status;
}

TEST(nesting_is_bounded) {
    check_status(read_nest(10), TRU_OK);
    check_status(read_nest(30), TRU_DAMAGED);
}

/* ---- memory ---- */

TEST(every_allocation_failed_in_turn) {
    size_t count = sweep_example();
    long k = 0;
    for (;; k++) {
        failing_allocator f = failing_begin(k);
        tru_allocator a = failing_allocator_of(&f);
        memory m = trui_memory_of(&a);
        example back;
        tru_error err = {0};
        tru_status status = read_all(buffer, count, &m, &back, &err);
        check_status(status, f.failed ? TRU_NO_MEMORY : TRU_OK);
        if (f.failed)
            check_str(err.text, "out of memory");
        else
            trui_fields_release(&m, example_fields, &back, &finder);
        check(f.live_blocks == 0 && f.wrong_sizes == 0);
        if (!f.failed) break;
    }
    check(k >= 8);
}
