import { LIMITS } from '../../base/limits.js';
import { listsOf, type ExperimentRecord } from '../../store/evaluation/experiments.js';
import type { EvaluationContext } from './context.js';
import type { ListChanges } from './list-changes.js';

/**
 * The list of a project for a run of this trace: the one that has the trace, else the last one. If that is full, the
 * commit adds a list to the project, whose record is another one then.
 */
export function listForTrace(
  evaluation: EvaluationContext,
  changes: ListChanges,
  project: ExperimentRecord,
  traceId: string,
): { list: number; project: ExperimentRecord } {
  const { plan } = changes;
  const traced = changes.listOfTrace(traceId);
  if (traced !== null && changes.experimentIdOf(traced) === project.experimentId) return { list: traced, project };
  const last = listsOf(project).at(-1)!;
  // The examples of a dataset are compared over all runs of an experiment, which are therefore in one list.
  const isExperiment = project.referenceDatasetId !== null;
  if (isExperiment || changes.headOf(last).nextRun < LIMITS.projectListRunsMax) return { list: last, project };
  const added = evaluation.lists.assign(plan);
  // Full lists have statistics of another kind.
  changes.touch(last);
  const longer = { ...project, laterLists: [...(project.laterLists ?? []), added] };
  evaluation.experiments.put(plan, longer, project);
  return { list: added, project: longer };
}
