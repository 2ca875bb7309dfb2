/* h5_run.h: the state of a writer of DIR/run.h5. */
#ifndef TRUNDLE_IO_H5_RUN_H
#define TRUNDLE_IO_H5_RUN_H

#include "h5/h5_driver.h"
#include "results_table.h"
#include "rows/row_writer.h"
#include "snapshot/snapshot.h"

struct tru_results {
    row_writer rows;
    char *path, *part, *snapshot, *summary; /* run.h5, run.h5.part, snapshot.tru, summary.json */
    tru_sim *sim;
    const tru_scene *scene;
    hid_t file, driver;
    int lock;    /* of the folder */
    int failure; /* errno of the first failed write */
    table tables[RESULT_TABLES];
    double flushed, saved, begun; /* [s] wall clock: last flush, last snapshot, start */
};

#endif
