import type { JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import { findEvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import { ORPHAN_LIST } from '../../store/evaluation/block-lists.js';
import { findFeedback, seesFeedbackWithoutExperiment } from '../../store/evaluation/feedback.js';
import { keys } from '../../store/keys.js';
import type { DatasetAction } from '../../store/evaluation/rules.js';
import type { BodyMessage } from '../../wire/evaluation/evaluation.js';
import type { ExampleWriteResult, FromExampleWriter, ToExampleWriter } from '../../wire/evaluation/example-writes.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { writeExamples } from '../evaluation/write-examples.js';
import type { Attempted } from './rule.js';

/**
 * Adds a run to a dataset as a request to `/datasets/{id}/add-runs` does. Returns false for a run that the dataset has,
 * and the reason if the run cannot become an example. Throws DATASET_NOT_FOUND.
 */
export async function addRunToDataset(
  evaluation: EvaluationContext,
  caller: Caller,
  runId: string,
  { datasetId, inputsPath, outputsPath, splits, prefersCorrection }: DatasetAction,
): Promise<Attempted> {
  const correction = prefersCorrection ? correctionOf(evaluation, caller, runId) : null;
  const run = correction === null ? JSON.stringify(runId) : `{"id":${JSON.stringify(runId)},"outputs":${correction}}`;
  const options = JSON.stringify({ inputs_path: inputsPath, outputs_path: outputsPath, split: splits });
  const body = `{"runs":[${run}],${options.slice(1)}`;
  const { exampleIds, skipped } = await writeRuns(evaluation, caller, datasetId, body);
  const [skip] = skipped;
  if (skip !== undefined && skip.reason !== 'already_added')
    return `run ${runId} could not be added to the dataset: ${skip.reason}`;
  return exampleIds.length > 0;
}

async function writeRuns(
  evaluation: EvaluationContext,
  caller: Caller,
  datasetId: string,
  body: string,
): Promise<Pick<ExampleWriteResult, 'exampleIds' | 'skipped'>> {
  const session = evaluation.pool.openSession<ToExampleWriter | BodyMessage, FromExampleWriter, ExampleWriteResult>(
    'examples',
  );
  session.result.catch(() => undefined);
  const bytes = new Uint8Array(Buffer.from(body));
  session.duplex.send({
    type: 'kind',
    kind: 'runs',
    contentType: 'application/json',
    encoding: '',
    caller,
    datasetId,
    exampleId: null,
  });
  session.duplex.sendWithBytes({ type: 'body', bytes });
  session.duplex.send({ type: 'bodyEnd' });
  session.start(bytes.byteLength);
  return writeExamples(evaluation, caller, session);
}

/** The newest correction among the feedback of a run, as JSON: an object, or a value under `output`. */
function correctionOf({ latest }: EvaluationContext, caller: Caller, runId: string): string | null {
  const list = findEvaluationRun(latest, runId)?.place.list;
  let newest: { atUs: number; correction: JsonBytes } | null = null;
  for (const key of latest.keysUnder(keys.feedbackOfRun(runId)).slice(-LIMITS.ruleCorrectionsMax)) {
    const found = findFeedback(latest, key[2] as string);
    if (found?.feedback.correction == null) continue;
    const isVisible =
      found.place.list === ORPHAN_LIST
        ? seesFeedbackWithoutExperiment(latest, caller, found.feedback)
        : found.place.list === list;
    if (!isVisible) continue;
    const { correction, modifiedAtUs } = found.feedback;
    if (newest === null || modifiedAtUs > newest.atUs) newest = { atUs: modifiedAtUs, correction };
  }
  if (newest === null) return null;
  const text = Buffer.from(newest.correction).toString();
  return text.startsWith('{') ? text : `{"output":${text}}`;
}
