import type { ConversationAggregate, ConversationStatsQuery } from '../../schemas/compiled/types.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest, type RequestPart } from '../../src/base/request-problems.js';
import type { KeptRun } from './list-facts.js';
import { parseId } from './pages.js';
import { experimentOf } from './reads-experiments.js';
import { conversationsOf, groupsOf, ownFeedbackStats } from './reads-run-groups.js';
import { parseFilterParam } from './reads-runs.js';
import { refuseUnsupported } from './reads-v2.js';
import { isoOrNull, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { quantile } from './numbers.js';
import { experimentStats, type ExperimentStats } from './run-statistics.js';

/** Statistics of conversations in the second version of the API. Clients choose the fields. */

/** The input of every field. */
interface Traces {
  /** Root runs. */
  runs: readonly KeptRun[];
  conversations: number;
  stats: ExperimentStats;
}

/** Name in the response, and value, of each selectable field. */
type Fields = Readonly<Record<string, [name: string, value: (traces: Traces) => unknown]>>;

const none = (): null => null;
const SHARED: Fields = {
  LATENCY_P50: ['latency_p50_seconds', ({ stats }) => stats.latency_p50],
  LATENCY_P99: ['latency_p99_seconds', ({ stats }) => stats.latency_p99],
  PROMPT_TOKENS: ['prompt_tokens', ({ stats }) => stats.prompt_tokens ?? 0],
  COMPLETION_TOKENS: ['completion_tokens', ({ stats }) => stats.completion_tokens ?? 0],
  TOTAL_TOKENS: ['total_tokens', ({ stats }) => stats.total_tokens ?? 0],
  PROMPT_COST: ['prompt_cost', ({ stats }) => stats.prompt_cost],
  COMPLETION_COST: ['completion_cost', ({ stats }) => stats.completion_cost],
  TOTAL_COST: ['total_cost', ({ stats }) => stats.total_cost],
  // The server stores no breakdown of tokens and costs.
  PROMPT_TOKEN_DETAILS: ['prompt_token_details', none],
  COMPLETION_TOKEN_DETAILS: ['completion_token_details', none],
  PROMPT_COST_DETAILS: ['prompt_cost_details', none],
  COMPLETION_COST_DETAILS: ['completion_cost_details', none],
};

const OF_ONE: Fields = {
  ...SHARED,
  TURNS: ['turns', ({ runs }) => runs.length],
  FIRST_START_TIME: ['first_start_time', ({ runs }) => startOrNull(runs.at(-1))],
  LAST_START_TIME: ['last_start_time', ({ runs }) => startOrNull(runs[0])],
  LAST_END_TIME: ['last_end_time', ({ runs }) => isoOrNull(lastEndUs(runs))],
  FEEDBACK_STATS: ['feedback_stats', ({ runs }) => ownFeedbackStats(runs)],
};

const OF_MANY: Fields = {
  ...SHARED,
  THREAD_COUNT: ['thread_count', ({ conversations }) => conversations],
  TRACE_COUNT: ['trace_count', ({ runs }) => runs.length],
  ERROR_RATE: ['error_rate', ({ stats }) => stats.error_rate],
  STREAMING_RATE: ['streaming_rate', ({ stats }) => stats.streaming_rate],
  FIRST_TOKEN_P50: ['first_token_p50_seconds', ({ stats }) => stats.first_token_p50],
  FIRST_TOKEN_P99: ['first_token_p99_seconds', ({ stats }) => stats.first_token_p99],
  MEDIAN_TOKENS: ['median_tokens', ({ runs }) => medianTokens(runs)],
  // Feedback belongs to runs here, never to a whole conversation.
  THREAD_FEEDBACK_STATS: ['thread_feedback_stats', () => ({})],
};

function startOrNull(run: KeptRun | undefined): string | null {
  return run === undefined ? null : isoMicros(run.startUs);
}

function lastEndUs(runs: readonly KeptRun[]): number | null {
  return runs.reduce<number | null>(
    (last, { endUs }) => (endUs === null || (last !== null && last >= endUs) ? last : endUs),
    null,
  );
}

function medianTokens(runs: readonly KeptRun[]): number | null {
  const tokens = runs.flatMap(({ totalTokens }) => totalTokens ?? []).toSorted((a, b) => a - b);
  return tokens.length === 0 ? null : quantile(tokens, 0.5);
}

/** Throws INVALID_REQUEST for an unknown field. */
function statsJson(
  fields: Fields,
  { selects, where, name }: { selects: readonly string[]; where: RequestPart; name: string },
  { runs, conversations }: Omit<Traces, 'stats'>,
): Buffer {
  const names = selects.map((one) => one.toUpperCase());
  const unknown = names.filter((one) => !Object.hasOwn(fields, one));
  if (unknown.length > 0)
    throw invalidRequest(
      where,
      unknown.map((one) => ({ loc: [name], msg: `must not contain ${JSON.stringify(one)}`, type: 'enum' })),
    );
  const traces = { runs, conversations, stats: experimentStats(runs) };
  return jsonObject(
    Object.fromEntries(
      names.map((one) => {
        const [key, value] = fields[one]!;
        return [key, value(traces)];
      }),
    ),
  );
}

const ofOne: QueryHandler<ConversationStatsQuery & { thread_id: string }> = (caches, caller, params) => {
  const experiment = experimentOf(caches, caller, parseId(params.session_id, ['session_id']));
  const filters = [parseFilterParam(params.filter, ['filter'], 'query')];
  const found = groupsOf(caches, experiment, { filters }).find(({ threadId }) => threadId === params.thread_id);
  return statsJson(
    OF_ONE,
    { selects: params.selects, where: 'query', name: 'selects' },
    { runs: found?.runs ?? [], conversations: 1 },
  );
};

const ofMany: QueryHandler<ConversationAggregate> = (caches, caller, body) => {
  refuseUnsupported(body, ['thread_filter']);
  const { groups } = conversationsOf(caches, caller, body);
  return statsJson(
    OF_MANY,
    { selects: body.select, where: 'body', name: 'select' },
    { runs: groups.flatMap(({ runs }) => runs), conversations: groups.length },
  );
};

export const conversationStatsReads = { 'v2.threads.stats': ofOne, 'v2.threads.aggregate': ofMany };
