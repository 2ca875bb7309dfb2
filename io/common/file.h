/* file.h: creates folders, reads whole files, and replaces them so that a kill leaves the old file or the new one. */
#ifndef TRUNDLE_IO_FILE_H
#define TRUNDLE_IO_FILE_H

#include <trundle/trundle.h>

/* Returns "dir/name", which the caller frees. NULL if memory ran out. */
char *trio_file_join(const char *dir, const char *name);
/* Creates a folder and its parents. Succeeds if the folder exists. */
tru_status trio_file_make_folder(const char *path, tru_error *err);
bool trio_file_exists(const char *path);
/* Writes to path + ".part" and renames it. `durable`: the file is on the disk when the call returns. */
tru_status trio_file_replace(const char *path, const void *bytes, size_t count, bool durable, tru_error *err);
/* Reads all bytes of a file and adds a zero byte. The caller frees them. */
tru_status trio_file_read(const char *path, unsigned char **bytes, size_t *count, tru_error *err);
/* Renames a file that was written aside to its final path. */
tru_status trio_file_rename(const char *from, const char *to, bool durable, tru_error *err);
/* Locks a folder against other writers of results. On a file system without locks *lock becomes -1 and the call succeeds. */
tru_status trio_file_lock_folder(const char *path, int *lock, tru_error *err);
void trio_file_unlock(int lock);

#endif
