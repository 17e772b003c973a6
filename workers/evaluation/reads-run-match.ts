import { seesFeedbackWithoutExperiment } from '../../src/store/evaluation/feedback.js';
import type { RunMatch } from '../../src/wire/evaluation/run-match.js';
import { listJson } from './pages.js';
import type { QueryHandler } from './read.js';
import { orphanedFeedback } from './reads-feedback.js';
import { findRun, runFieldsOf, testOf } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import { selectFields } from './run-json.js';

/**
 * A list with the run if it has ended and matches the filters, else an empty one. For rules. Filters find the feedback
 * of the run's thread, too: users whose filter hides the project score their runs there.
 */
const match: QueryHandler<RunMatch> = (caches, caller, { id, filter, traceFilter, treeFilter, select }) => {
  const test = testOf(caches, { filter, trace_filter: traceFilter, tree_filter: treeFilter });
  const one = findRun(caches, caller, id);
  if (one === undefined || one.run.endUs === null) return listJson([], jsonObject);
  const ofThread = orphanedFeedback(caches, [id]).filter((feedback) =>
    seesFeedbackWithoutExperiment(caches.reader, caller, feedback),
  );
  const found = { ...one, run: { ...one.run, feedback: [...one.run.feedback, ...ofThread] } };
  return listJson(test(found) ? [found] : [], (run) => jsonObject(selectFields(runFieldsOf(caches, run), select)));
};

export const runMatchReads = { 'runs.match': match };
