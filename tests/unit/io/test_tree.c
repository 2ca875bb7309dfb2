/* Any file as a tree for programs. */
#include "check.h"

#include <trundle/io.h>

static const char *write_file(const char *text) {
    static char path[] = "tree_test.yaml";
    FILE *f = fopen(path, "wb");
    if (check(f != NULL)) {
        fputs(text, f);
        fclose(f);
    }
    return path;
}

TEST(nodes_keys_texts_places) {
    tru_tree *root = NULL;
    tru_error err;
    const char *file;
    int line, column;
    check_status(tru_tree_read(write_file("rows:\n  - {id: one, value: 3 mm}\n  - {id: two}\nname: x\n"), &root, &err),
                 TRU_OK);
    const tru_tree *rows = tru_tree_find(root, "rows"), *first = tru_tree_at(rows, 0);
    check(tru_tree_is(root) == TRU_TREE_MAP && tru_tree_is(rows) == TRU_TREE_LIST && tru_tree_count(rows) == 2);
    check_str(tru_tree_key(root, 1), "name");
    check_str(tru_tree_text(tru_tree_find(first, "value")), "3 mm");
    check(tru_tree_text(rows) == NULL && tru_tree_find(rows, "id") == NULL && tru_tree_at(rows, 2) == NULL);
    check(tru_tree_key(root, 2) == NULL && tru_tree_is(tru_tree_find(root, "name")) == TRU_TREE_TEXT);
    tru_tree_where(tru_tree_find(first, "value"), &file, &line, &column);
    check_str(file, "tree_test.yaml");
    check(line == 2 && column == 22);
    tru_tree_free(root);
}

TEST(mistakes_have_their_sentence) {
    tru_tree *root = NULL;
    tru_error err;
    check_status(tru_tree_read(write_file("a: 1\na: 2\n"), &root, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tree_test.yaml:2:1: key 'a' is repeated; it is in line 1 already");
    check(root == NULL);
    check_status(tru_tree_read("nowhere.yaml", &root, &err), TRU_FILE);
    remove("tree_test.yaml");
    tru_tree_free(NULL);
}
