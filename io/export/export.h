/* export.h: the exporters, one for each format. */
#ifndef TRUNDLE_IO_EXPORT_H
#define TRUNDLE_IO_EXPORT_H

#include "export_job.h"

tru_status trio_export_csv(export_job *job, tru_error *err);
tru_status trio_export_xyz(export_job *job, tru_error *err);
tru_status trio_export_vtp(export_job *job, tru_error *err);
tru_status trio_export_glb(export_job *job, tru_error *err);

#endif
