import type { RunQuery } from '../../../schemas/compiled/types.js';
import { LIMITS } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import type { RunSelection } from '../../wire/evaluation/example-writes.js';
import type { EvaluationContext } from './context.js';

interface Page {
  runs: { id: string }[];
  cursors: { next: string | null };
}

/** Ids of the newest runs of a selection, oldest first. Throws INVALID_REQUEST. */
export async function selectRuns(
  evaluation: EvaluationContext,
  caller: Caller,
  { session, filter, traceFilter, isRoot, limit }: RunSelection,
): Promise<string[]> {
  const found: string[] = [];
  const sessions = session ?? (await projects(evaluation, caller));
  if (sessions.length === 0) return found;
  let cursor: string | null = null;
  do {
    const query: Partial<RunQuery> = {
      session: [...sessions],
      filter,
      trace_filter: traceFilter,
      ...(isRoot ? { is_root: true } : {}),
      select: ['id'],
      limit: Math.min(LIMITS.pageRows, limit - found.length),
      cursor,
    };
    const page: Page = await read(evaluation, caller, 'runs.query', query);
    found.push(...page.runs.map(({ id }) => id));
    cursor = page.cursors.next;
  } while (cursor !== null && found.length < limit);
  return found.reverse();
}

/** Ids of the newest projects without a dataset. */
async function projects(evaluation: EvaluationContext, caller: Caller): Promise<string[]> {
  const list = await read<{ id: string }[]>(evaluation, caller, 'experiments.list', {
    reference_free: true,
    include_stats: false,
    limit: LIMITS.pageRows,
  });
  return list.map(({ id }) => id);
}

async function read<T>(evaluation: EvaluationContext, caller: Caller, name: string, params: unknown): Promise<T> {
  const { body } = await evaluation.pool.read(name, caller, params);
  return JSON.parse(Buffer.from(body).toString()) as T;
}
