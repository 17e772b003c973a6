import { isoMicros } from '../../base/micros.js';
import { LIMITS } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import type { ExperimentJobRecord } from '../../store/evaluation/experiment-jobs.js';
import type { Needs } from '../context.js';
import type { ExampleJson } from './parts.js';

/** Pages of the examples of a job, as they were when it started. Throws DATASET_NOT_FOUND if the dataset is gone. */
export async function* examplePages(
  { evaluation }: Needs<'evaluation'>,
  caller: Caller,
  { datasetId, versionUs, splits }: Pick<ExperimentJobRecord, 'datasetId' | 'versionUs' | 'splits'>,
): AsyncGenerator<ExampleJson[]> {
  const limit = LIMITS.experimentExamplesPage;
  for (let offset = 0; ; offset += limit) {
    const { body } = await evaluation.pool.read('examples.list', caller, {
      dataset: datasetId,
      as_of: isoMicros(versionUs),
      order: 'id',
      ...(splits === null ? {} : { splits }),
      limit,
      offset,
    });
    const page = JSON.parse(Buffer.from(body).toString()) as ExampleJson[];
    yield page;
    if (page.length < limit) return;
  }
}
