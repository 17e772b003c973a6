import { setTimeout } from 'node:timers/promises';
import { CommandError, type Client } from '../client.js';
import { formatNumber, formatPairs, formatPercent, formatSeconds, formatTable } from './table.js';

const STATISTICS_WAIT_MS = 10_000;
const POLL_MS = 50;

interface FeedbackStats {
  n: number;
  avg: number | null;
  values: Record<string, number> | null;
}

/** An experiment with its statistics, as the server shows it. */
export interface Experiment {
  id: string;
  name: string;
  test_run_number: number | null;
  run_count: number | null;
  error_rate: number | null;
  latency_p50: number | null;
  latency_p99: number | null;
  total_tokens?: number | null;
  total_cost?: number | string | null;
  feedback_stats: Record<string, FeedbackStats> | null;
  session_feedback_stats: Record<string, FeedbackStats> | null;
}

/** Waits for the statistics of the experiment. Returns it without them if they take too long. */
export async function waitForStatistics(client: Client, experiment: string, rows: number): Promise<string> {
  let known = experiment;
  for (const until = Date.now() + STATISTICS_WAIT_MS; Date.now() < until; await setTimeout(POLL_MS)) {
    const next = await fetchCurrent(client, '/api/v1/sessions', experiment);
    if (next === null) break;
    known = next;
    const { run_count: count, error_rate: errorRate } = JSON.parse(known) as Experiment;
    if (count !== null && count >= rows && (errorRate !== null || rows === 0)) break;
  }
  return known;
}

/**
 * The current state of a record, because the response to a change has its state before the rows. Null if the server
 * cannot be reached.
 */
export async function fetchCurrent(client: Client, path: string, record: string): Promise<string | null> {
  try {
    return await client.get(`${path}/${(JSON.parse(record) as { id: string }).id}`);
  } catch (error) {
    // The change has succeeded, even if the server stops now.
    if (error instanceof CommandError) return null;
    throw error;
  }
}

/** The experiment with its scores, for a terminal. */
export function formatExperiment(
  experiment: Experiment,
  { dataset, rows, addresses }: { dataset: string; rows: number; addresses: { api: string; console: string | null } },
): string {
  const { latency_p50: p50, latency_p99: p99, error_rate: errorRate, total_tokens: tokens = null } = experiment;
  const cost = experiment.total_cost ?? null;
  const parts = [
    formatPairs([
      ['dataset', dataset],
      [
        'experiment',
        `${experiment.name}${experiment.test_run_number === null ? '' : ` (number ${experiment.test_run_number} of its dataset)`}`,
      ],
      ['rows', String(rows)],
      ...(p50 === null ? [] : [['latency', `p50 ${formatSeconds(p50)}, p99 ${formatSeconds(p99)}`] as const]),
      ...(errorRate === null ? [] : [['errors', formatPercent(errorRate)] as const]),
      ...(tokens === null || tokens === 0 ? [] : [['tokens', String(tokens)] as const]),
      ...(cost === null || Number(cost) === 0 ? [] : [['cost', `${formatNumber(Number(cost))} USD`] as const]),
      ['address', addresses.api],
      ...(addresses.console === null ? [] : [['console', addresses.console] as const]),
    ]),
  ];
  const scores = [
    ...Object.entries(experiment.feedback_stats ?? {}),
    ...Object.entries(experiment.session_feedback_stats ?? {}).map(
      ([key, stats]) => [`${key} (experiment)`, stats] as const,
    ),
  ].map(([key, { n, avg, values }]) => [
    key,
    String(n),
    formatNumber(avg),
    Object.entries(values ?? {})
      .map(([value, count]) => `${value}: ${count}`)
      .join(', '),
  ]);
  if (scores.length > 0) {
    const labelled = scores.some((row) => row[3] !== '');
    parts.push(
      formatTable(
        ['score', 'n', 'average', ...(labelled ? ['values'] : [])],
        scores.map((row) => (labelled ? row : row.slice(0, 3))),
        new Set(['n', 'average']),
      ),
    );
  }
  if (experiment.run_count === null) parts.push('The statistics are not ready yet. Read them at the address above.');
  return parts.join('\n\n');
}
