/* file.h: folders and whole files: made, read, and replaced so that a kill leaves the old one or the new one. */
#ifndef TRUNDLE_IO_FILE_H
#define TRUNDLE_IO_FILE_H

#include <trundle/trundle.h>

/* "dir/name" in memory of the caller's; NULL: no memory. */
char *trio_file_join(const char *dir, const char *name);
/* Make a folder and those above it; one that exists is good. */
tru_status trio_file_make_folder(const char *path, tru_error *err);
bool trio_file_exists(const char *path);
/* Write aside (path + ".part"), rename. Durable: also on the disk when the call returns. */
tru_status trio_file_replace(const char *path, const void *bytes, size_t count, bool durable, tru_error *err);
/* All bytes of a file, for free(); one byte longer with a zero behind them. */
tru_status trio_file_read(const char *path, unsigned char **bytes, size_t *count, tru_error *err);
/* Put a file written aside into its place. */
tru_status trio_file_rename(const char *from, const char *to, bool durable, tru_error *err);
/* Keep other processes from writing results there; on a file system without locks *lock is -1 and all is good. */
tru_status trio_file_lock_folder(const char *path, int *lock, tru_error *err);
void trio_file_unlock(int lock);

#endif
