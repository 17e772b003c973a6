import type { ExampleRunsQuery, RunsDeltaQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { jsonBytes, setOwn } from '../../src/base/json/json.js';
import { itemAt } from '../../src/store/evaluation/blocks.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { unpackFeedback } from '../../src/store/evaluation/feedback.js';
import { feedbackConfigOf } from '../../src/store/evaluation/feedback-configs.js';
import type { Caches } from './caches.js';
import { checkFeedbackKey, feedbackKeysIn } from './feedback-keys.js';
import { DatasetExamples } from './dataset-examples.js';
import type { ExampleEntry } from './example-directory.js';
import type { RunFilter } from './filter.js';
import type { KeptRun } from './list-facts.js';
import { parseId, parseIds, listJson, sliceOfPage } from './pages.js';
import { datasetOf } from './reads-datasets.js';
import { experimentOf } from './reads-experiments.js';
import { runFieldsOf, parseFilterParam } from './reads-runs.js';
import { jsonArray, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { feedbackJson } from './run-json.js';
import { RunSubject } from './run-subject.js';
import { finite } from './numbers.js';

/**
 * Loads experiments of this dataset by id, in the given order. Throws EXPERIMENT_NOT_FOUND for any other
 * experiment.
 */
export function experimentsOf(
  caches: Caches,
  caller: Caller,
  dataset: DatasetRecord,
  ids: readonly string[],
): ExperimentRecord[] {
  return ids.map((id) => {
    const experiment = experimentOf(caches, caller, id);
    if (experiment.referenceDatasetId !== dataset.datasetId) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: id });
    return experiment;
  });
}

/** The root runs of an example in an experiment. Repetitions give several. */
export function runsOf(caches: Caches, experiment: ExperimentRecord, exampleId: string): readonly KeptRun[] {
  return caches.facts(experiment.list).derived.byExample.get(exampleId) ?? [];
}

function runWithFeedback(caches: Caches, experiment: ExperimentRecord, run: KeptRun, preview: boolean): Buffer {
  return jsonObject({
    ...runFieldsOf(caches, { run, experiment }, preview),
    feedbacks: jsonArray(
      run.feedback.map((one) =>
        feedbackJson(unpackFeedback(itemAt(caches.reader, 'F', one.place)!), experiment.experimentId, run),
      ),
    ),
  });
}

interface ExampleSelection {
  experiments: ExperimentRecord[];
  examples: DatasetExamples;
  entries: readonly ExampleEntry[];
}

/** The examples that a query asks for, in its order. */
export function selectExamples(
  caches: Caches,
  caller: Caller,
  body: ExampleRunsQuery & { dataset_id: string },
): ExampleSelection {
  const dataset = datasetOf(caches, caller, body.dataset_id);
  const experiments = experimentsOf(caches, caller, dataset, parseIds(body.session_ids, 'session_ids', 'body')!);
  const examples = new DatasetExamples(caches, dataset);
  const { directory } = examples;
  const ids = parseIds(body.example_ids, 'example_ids', 'body');
  let entries: readonly ExampleEntry[] =
    ids === null
      ? directory.newestFirst(null)
      : ids.map((id) => directory.at(id, null)).filter((entry) => entry !== undefined);
  for (const [sessionId, expressions] of Object.entries(body.filters ?? {})) {
    const experiment = experiments.find(
      (one) => one.experimentId === parseId(sessionId, ['filters', sessionId], 'body'),
    );
    if (experiment === undefined || !Array.isArray(expressions)) continue;
    const tests: RunFilter[] = [];
    for (const [at, text] of expressions.entries()) {
      const test = parseFilterParam(text, ['filters', sessionId, at]);
      if (test === null) continue;
      for (const key of feedbackKeysIn(text))
        checkFeedbackKey(caches, [experiment], key, ['body', 'filters', sessionId, at]);
      tests.push(test);
    }
    entries = entries.filter(({ exampleId }) =>
      runsOf(caches, experiment, exampleId).some((run) =>
        tests.every((test) => test(new RunSubject(caches.reader, run, experiment))),
      ),
    );
  }
  if (body.sort_params)
    entries = sorted(caches, entries, experiments[0]!, {
      sortBy: body.sort_params.sort_by,
      ascending: body.sort_params.sort_order?.toUpperCase() !== 'DESC',
    });
  return { experiments, examples, entries };
}

/** Examples with their runs in experiments, including the feedback of each run (evaluation-api.md, 3.6). */
const exampleRuns: QueryHandler<ExampleRunsQuery & { dataset_id: string }> = (caches, caller, body) => {
  const { experiments, examples, entries } = selectExamples(caches, caller, body);
  return listJson(sliceOfPage(entries, body), (entry) => {
    const runs = experiments.flatMap((experiment) =>
      runsOf(caches, experiment, entry.exampleId).map((run) =>
        runWithFeedback(caches, experiment, run, body.preview ?? false),
      ),
    );
    return jsonObject({ ...examples.fieldsWithLinks(entry), runs: jsonArray(runs) });
  });
};

/** Names of `sort_by` that are no feedback key. */
const FIELDS: ReadonlySet<string> = new Set(['latency', 'start_time']);

/** Sorts by a run's latency, start or score in one experiment. Examples without a value come last. */
function sorted(
  caches: Caches,
  entries: readonly ExampleEntry[],
  experiment: ExperimentRecord,
  { sortBy, ascending }: { sortBy: string; ascending: boolean },
): ExampleEntry[] {
  const key = sortBy.replace(/^feedback\.|^feedback_stats\./, '');
  if (!FIELDS.has(sortBy)) checkFeedbackKey(caches, [experiment], key, ['body', 'sort_params', 'sort_by']);
  const valueOf = (run: KeptRun): number | null => {
    if (sortBy === 'latency') return run.endUs === null ? null : run.endUs - run.startUs;
    if (sortBy === 'start_time') return run.startUs;
    return meanScore(run, key);
  };
  const ranked = entries.map((entry, at) => ({
    entry,
    at,
    rank: meanOf(runsOf(caches, experiment, entry.exampleId).map(valueOf)),
  }));
  return ranked
    .sort((a, b) => {
      if (a.rank === null || b.rank === null)
        return (a.rank === null ? 1 : 0) - (b.rank === null ? 1 : 0) || a.at - b.at;
      return (ascending ? a.rank - b.rank : b.rank - a.rank) || a.at - b.at;
    })
    .map(({ entry }) => entry);
}

/** Mean of the scores with one key on a run. */
export function meanScore(run: KeptRun, key: string): number | null {
  return meanOf(run.feedback.map((one) => (one.key === key && !one.comparative ? one.score : null)));
}

export function meanOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : finite(sum / count);
}

/** Without a configuration, higher scores are better. */
export function higherIsBetter(caches: Caches, key: string): boolean {
  return feedbackConfigOf(caches.reader, key)?.isLowerScoreBetter !== true;
}

/**
 * Lists the examples on which each experiment did better or worse than the baseline, by the mean score of one
 * key.
 */
const delta: QueryHandler<RunsDeltaQuery & { dataset_id: string }> = (caches, caller, body) => {
  const dataset = datasetOf(caches, caller, body.dataset_id);
  const [baseline] = experimentsOf(caches, caller, dataset, [
    parseId(body.baseline_session_id, ['baseline_session_id'], 'body'),
  ]);
  const others = experimentsOf(
    caches,
    caller,
    dataset,
    body.comparison_session_ids.map((id, at) => parseId(id, ['comparison_session_ids', at], 'body')),
  );
  checkFeedbackKey(caches, [baseline!, ...others], body.feedback_key, ['body', 'feedback_key']);
  const sign = higherIsBetter(caches, body.feedback_key) ? 1 : -1;
  const scoreIn = (experiment: ExperimentRecord, exampleId: string): number | null =>
    meanOf(runsOf(caches, experiment, exampleId).map((run) => meanScore(run, body.feedback_key)));
  const deltas = {};
  for (const experiment of others) {
    const improved: string[] = [];
    const regressed: string[] = [];
    for (const { exampleId } of caches.directory(dataset).newestFirst(null)) {
      const [before, after] = [scoreIn(baseline!, exampleId), scoreIn(experiment, exampleId)];
      if (before === null || after === null || before === after) continue;
      (sign * (after - before) > 0 ? improved : regressed).push(exampleId);
    }
    setOwn(deltas, experiment.experimentId, {
      improved_examples: sliceOfPage(improved, body),
      regressed_examples: sliceOfPage(regressed, body),
    });
  }
  return jsonBytes({ feedback_deltas: deltas });
};

export const exampleRunReads = { 'examples.runs': exampleRuns, 'examples.delta': delta };
