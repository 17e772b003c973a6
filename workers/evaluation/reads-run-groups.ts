import type { RunGroupQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { isoMicros } from '../../src/base/micros.js';
import type { Caches } from './caches.js';
import type { KeptRun } from './list-facts.js';
import { listJson, parseId, parseTime, sliceOfPage } from './pages.js';
import { experimentOf } from './reads-experiments.js';
import { parseFilterParam, runFieldsOf } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { RunSubject } from './run-subject.js';
import { experimentStats, feedbackStats } from './statistics.js';

/** Page size of the API if the client does not choose one. */
const GROUPS = 10;

/** The root runs of one conversation, newest first. Never empty. */
interface Group {
  threadId: string;
  runs: KeptRun[];
}

/** The conversations of a project, the one with the newest run first. */
function groupsOf(caches: Caches, caller: Caller, body: RunGroupQuery): Group[] {
  const experiment = experimentOf(caches, caller, parseId(body.session_id, ['session_id'], 'body'));
  const filter = parseFilterParam(body.filter, ['filter']);
  const fromUs = parseTime(body.start_time, 'start_time', 'body');
  const toUs = parseTime(body.end_time, 'end_time', 'body');
  const groups = new Map<string, Group>();
  for (const run of caches.facts(experiment.list).derived.runs) {
    if (!run.root || (fromUs !== null && run.startUs < fromUs) || (toUs !== null && run.startUs > toUs)) continue;
    const subject = new RunSubject(caches.reader, run, experiment);
    const threadId = subject.field('thread_id');
    if (typeof threadId !== 'string' || (filter !== null && !filter(subject))) continue;
    const known = groups.get(threadId);
    if (known === undefined) groups.set(threadId, { threadId, runs: [run] });
    else known.runs.push(run);
  }
  return [...groups.values()];
}

const group: QueryHandler<RunGroupQuery> = (caches, caller, body) => {
  const groups = groupsOf(caches, caller, body);
  const experiment = experimentOf(caches, caller, parseId(body.session_id, ['session_id'], 'body'));
  const preview = (run: KeptRun): Record<string, unknown> => runFieldsOf(caches, { run, experiment });
  return jsonObject({
    groups: listJson(sliceOfPage(groups, body, GROUPS), ({ threadId, runs }) => {
      const [newest, oldest] = [runs[0]!, runs.at(-1)!];
      const stats = experimentStats(runs);
      const failed = runs.find((run) => run.failed);
      return jsonObject({
        filter: `eq(thread_id, ${JSON.stringify(threadId)})`,
        group_key: threadId,
        thread_id: threadId,
        count: runs.length,
        total_tokens: stats.total_tokens ?? 0,
        total_cost: stats.total_cost,
        min_start_time: isoMicros(oldest.startUs),
        max_start_time: isoMicros(newest.startUs),
        latency_p50: stats.latency_p50,
        latency_p99: stats.latency_p99,
        feedback_stats: feedbackStats(runs.flatMap((run) => run.feedback).filter(({ comparative }) => !comparative)),
        first_inputs: preview(oldest)['inputs_preview'] ?? '',
        last_outputs: preview(newest)['outputs_preview'] ?? '',
        last_error: failed === undefined ? null : preview(failed)['error'],
      });
    }),
    total: groups.length,
  });
};

const stats: QueryHandler<RunGroupQuery> = (caches, caller, body) => {
  const groups = groupsOf(caches, caller, body);
  const { last_run_start_us: lastUs, ...rest } = experimentStats(groups.flatMap(({ runs }) => runs));
  return jsonObject({
    ...rest,
    last_run_start_time: lastUs === null ? null : isoMicros(lastUs),
    run_facets: [],
    group_count: groups.length,
  });
};

export const runGroupReads = { 'runs.group': group, 'runs.groupStats': stats };
