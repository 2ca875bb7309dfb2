/* Files as trees: what is read, what is refused, with which sentence, and changes. */
#include "check.h"

#include "yaml/yaml_change.h"

static tree parse(const char *text) {
    tree t;
    tru_error err = {TRU_OK, ""};
    if (!check_status(trio_tree_parse(&t, text, strlen(text), "a.yaml", &err), TRU_OK)) printf("  %s\n", err.text);
    return t;
}

static void refused(const char *text, size_t bytes, const char *sentence) {
    tree t;
    tru_error err = {TRU_OK, ""};
    check(trio_tree_parse(&t, text, bytes, "a.yaml", &err) < 0);
    check_str(err.text, sentence);
    check(t.nodes == NULL);
}
#define REFUSED(text, sentence) refused(text, strlen(text), sentence)

TEST(places_and_kinds) {
    tree t = parse("# first\na: 1\nlist:\n  - x\n  - {k: 'two words', e: }\n");
    const node_id a = trio_tree_find(&t, TREE_ROOT, "a"), list = trio_tree_find(&t, TREE_ROOT, "list");
    const node_id map = trio_tree_item(&t, list, 1), k = trio_tree_find(&t, map, "k"), e = trio_tree_find(&t, map, "e");
    char place[80];
    check(trio_tree_kind(&t, TREE_ROOT) == NODE_MAP && trio_tree_count(&t, TREE_ROOT) == 2);
    check_str(trio_tree_text(&t, a), "1");
    check(trio_tree_kind(&t, list) == NODE_LIST && trio_tree_count(&t, list) == 2);
    check_str(trio_tree_text(&t, k), "two words");
    check(t.nodes[k].quoted && !t.nodes[a].quoted && trio_tree_is_empty(&t, e) && !trio_tree_is_empty(&t, k));
    trio_tree_place(&t, k, false, place, sizeof place);
    check_str(place, "a.yaml:5:9");
    trio_tree_place(&t, k, true, place, sizeof place);
    check_str(place, "a.yaml:5:6");
    check(trio_tree_find(&t, TREE_ROOT, "b") == 0 && trio_tree_item(&t, list, 2) == 0 &&
          trio_tree_key(&t, map) == NULL);
    trio_tree_release(&t);
}

TEST(json_is_yaml) {
    tree t = parse("{\"a\": [1, 2.5e3, \"x\\u00e9\"], \"b\": {\"c\": true, \"d\": null}}");
    const node_id a = trio_tree_find(&t, TREE_ROOT, "a");
    check_str(trio_tree_text(&t, trio_tree_item(&t, a, 1)), "2.5e3");
    check_str(trio_tree_text(&t, trio_tree_item(&t, a, 2)), "x\xc3\xa9");
    check(trio_tree_is_empty(&t, trio_tree_find(&t, trio_tree_find(&t, TREE_ROOT, "b"), "d")));
    trio_tree_release(&t);
}

TEST(what_is_refused) {
    REFUSED("", "a.yaml:1:1: the file is empty");
    REFUSED("# only a remark\n", "a.yaml:1:1: the file is empty");
    REFUSED("---\n...\n", "a.yaml:1:1: the file is empty");
    REFUSED("a: 1\nb: 2\na: 3\n", "a.yaml:3:1: key 'a' is repeated; it is in line 1 already");
    REFUSED("a: &x 1\n", "a.yaml:1:4: anchors (&name) are not allowed");
    REFUSED("a: *x\n", "a.yaml:1:4: aliases (*name) are not allowed; put a product in quotation marks");
    REFUSED("a: !!float 1\n", "a.yaml:1:4: tags (!name) are not allowed");
    REFUSED("a: !mine {b: 1}\n", "a.yaml:1:4: tags (!name) are not allowed");
    REFUSED("a: 1\n---\nb: 2\n", "a.yaml:2:1: a second document begins; a file must have one");
    REFUSED("[1, 2]: 3\n", "a.yaml:1:1: a key must be a word, not a list or a map");
    REFUSED("{? {a: 1} : 3}\n", "a.yaml:1:4: a key must be a word, not a list or a map");
    REFUSED("'': 3\n", "a.yaml:1:1: a key is empty");
    REFUSED("a: \"x\\0y\"\n", "a.yaml:1:4: a text has a zero byte in it");
    REFUSED("a: [1, 2\nb: 3\n", "a.yaml:2:2: not YAML: did not find expected ',' or ']', while parsing a flow sequence "
                                "that begins in line 1");
    REFUSED("a:\n\t- 1\n", "a.yaml:2:1: not YAML: a tab; indent with spaces");
    REFUSED("a: 1\n b: 2\n", "a.yaml:2:3: not YAML: a second colon in a line; put texts in quotation marks, several "
                             "keys in braces {a: 1, b: 2}");
    REFUSED("a: 1\nb:2\nc: 3\n", "a.yaml:2:1: not YAML: a key needs a colon and a space after it");
    REFUSED("a: @b\n", "a.yaml:1:4: not YAML: this character cannot begin a value; put it in quotation marks");
    refused("a: 1\nb: \x01\x02\n", 11, "a.yaml:2:4: not a text file: control characters are not allowed");
    refused("\x89PNG\r\n\x1a\n\0\0", 10, "a.yaml:1:1: not a text file: invalid leading UTF-8 octet");
}

TEST(many_repeated_keys_are_found_fast) {
    static char text[400000];
    size_t used = 0;
    for (int i = 0; i < 20000; i++) used += (size_t)snprintf(text + used, sizeof text - used, "k%d: 1\n", i);
    tree t = parse(text);
    check(trio_tree_count(&t, TREE_ROOT) == 20000);
    trio_tree_release(&t);
    snprintf(text + used, sizeof text - used, "k777: 1\n");
    REFUSED(text, "a.yaml:20001:1: key 'k777' is repeated; it is in line 778 already");
}

TEST(depth_has_a_limit) {
    static char text[200003];
    memset(text, '[', 200000);
    refused(text, 200000, "a.yaml:1:65: lists and maps are nested more than 64 levels deep");
    char good[200] = "";
    for (int i = 0; i < 64; i++) strcat(good, "[");
    for (int i = 0; i < 64; i++) strcat(good, "]");
    tree t = parse(good);
    check(trio_tree_kind(&t, TREE_ROOT) == NODE_LIST);
    trio_tree_release(&t);
    memset(text, 0, sizeof text);
    size_t used = 0;
    for (int i = 0; i < 70; i++) used += (size_t)snprintf(text + used, sizeof text - used, "{a: ");
    refused(text, used, "a.yaml:1:257: lists and maps are nested more than 64 levels deep");
}

TEST(files) {
    tree t;
    tru_error err;
    check_status(trio_tree_read(&t, "/nowhere/at/all.yaml", &err), TRU_FILE);
    check_str(err.text, "/nowhere/at/all.yaml: cannot be opened: No such file or directory");
    check_status(trio_tree_read(&t, TRUNDLE_SOURCE_DIR "/io", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, TRUNDLE_SOURCE_DIR "/io: is a folder, not a file");
    check_status(trio_tree_read(&t, "/dev/zero", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "/dev/zero: is larger than 64 MiB, the limit for such files");
    check_status(trio_tree_read(&t, "/dev/null", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "/dev/null:1:1: the file is empty");
}

/* ---- changes ---- */

static void check_replaced(tree *t, const char *key, const char *text, tree_undo *undo) {
    tru_error err = {TRU_OK, ""};
    check_status(trio_tree_replace(t, trio_tree_find(t, TREE_ROOT, key), key, text, undo, &err), TRU_OK);
}

TEST(a_value_is_replaced_and_taken_back) {
    tree t = parse("a: 1\nb: [1, 2]\nc: 3\n");
    tree_undo undo;
    char place[80];
    check_replaced(&t, "b", "20 deg", &undo);
    node_id b = trio_tree_find(&t, TREE_ROOT, "b");
    check_str(trio_tree_text(&t, b), "20 deg");
    check_str(trio_tree_text(&t, trio_tree_next(&t, b)), "3");
    trio_tree_place(&t, b, false, place, sizeof place);
    check_str(place, "set b=20 deg");
    trio_tree_take_back(&t, &undo);
    check(trio_tree_kind(&t, b) == NODE_LIST && trio_tree_count(&t, b) == 2 && t.change_count == 0);
    check_replaced(&t, "a", "{x: [1, '2'], y: 4}", &undo);
    const node_id a = trio_tree_find(&t, TREE_ROOT, "a");
    check_str(trio_tree_text(&t, trio_tree_item(&t, trio_tree_find(&t, a, "x"), 1)), "2");
    check_str(trio_tree_key(&t, trio_tree_next(&t, a)), "b");
    trio_tree_take_back(&t, &undo);
    check_str(trio_tree_text(&t, a), "1");
    trio_tree_release(&t);
}

TEST(a_key_is_added_and_taken_back) {
    tree t = parse("a: {b: 1}\ne:\n");
    tree_undo undo;
    tru_error err;
    const node_id a = trio_tree_find(&t, TREE_ROOT, "a"), e = trio_tree_find(&t, TREE_ROOT, "e");
    check_status(trio_tree_add(&t, a, "c.d", "a.c.d", "7", &undo, &err), TRU_OK);
    check_str(trio_tree_text(&t, trio_tree_find(&t, trio_tree_find(&t, a, "c"), "d")), "7");
    check(trio_tree_count(&t, a) == 2);
    trio_tree_take_back(&t, &undo);
    check(trio_tree_count(&t, a) == 1 && trio_tree_find(&t, a, "c") == 0);
    check_status(trio_tree_add(&t, e, "x", "e.x", "y", &undo, &err), TRU_OK);
    check(trio_tree_kind(&t, e) == NODE_MAP && trio_tree_count(&t, e) == 1);
    trio_tree_take_back(&t, &undo);
    check(trio_tree_is_empty(&t, e));
    trio_tree_release(&t);
}

TEST(a_bad_value_changes_nothing) {
    tree t = parse("a: 1\n");
    const size_t nodes = t.node_count, texts = t.text_count;
    tree_undo undo;
    tru_error err;
    const node_id a = trio_tree_find(&t, TREE_ROOT, "a");
    check(trio_tree_replace(&t, a, "a", "[1, 2", &undo, &err) < 0);
    check_str(err.text, "set a=[1, 2: not YAML: did not find expected ',' or ']', while parsing a flow sequence");
    check(t.node_count == nodes && t.text_count == texts && t.change_count == 0);
    check(trio_tree_replace(&t, a, "a", "&x 1", &undo, &err) < 0);
    check_str(err.text, "set a=&x 1: anchors (&name) are not allowed");
    check(trio_tree_replace(&t, a, "a", "# nothing", &undo, &err) < 0);
    check_str(err.text, "set a=# nothing: the value is empty");
    check_str(trio_tree_text(&t, a), "1");
    trio_tree_release(&t);
}

TEST(a_sweep_does_not_grow_the_tree) {
    tree t = parse("a: 1\nb: 2\n");
    tree_undo undo;
    char value[40];
    check_replaced(&t, "a", "0.5", &undo);
    const size_t nodes = t.node_count, texts = t.text_count;
    for (int i = 0; i < 1000; i++) {
        snprintf(value, sizeof value, "%.17g deg", 1.0 / (i + 3));
        check_replaced(&t, "a", value, &undo);
        check_str(trio_tree_text(&t, trio_tree_find(&t, TREE_ROOT, "a")), value);
    }
    check(t.node_count == nodes && t.text_count == texts);
    check_replaced(&t, "a", "5", &undo);
    trio_tree_take_back(&t, &undo);
    check_str(trio_tree_text(&t, trio_tree_find(&t, TREE_ROOT, "a")), value);
    trio_tree_release(&t);
}

TEST(a_copy_is_its_own) {
    tree t = parse("a: 1\nb: [x]\n"), copy;
    tree_undo undo;
    check_status(trio_tree_copy(&copy, &t, NULL), TRU_OK);
    check_replaced(&copy, "a", "[1, 2, 3, 4, 5, 6, 7, 8]", &undo);
    check_str(trio_tree_text(&t, trio_tree_find(&t, TREE_ROOT, "a")), "1");
    trio_tree_release(&t);
    check(trio_tree_count(&copy, trio_tree_find(&copy, TREE_ROOT, "a")) == 8);
    trio_tree_release(&copy);
}
