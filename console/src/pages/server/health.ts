import type { HistoryFigures } from '../../api/server.js';
import { formatBytes, formatCount, formatDuration, formatPercent, pluralize } from '../../components/format.js';

/** What is known of the server. Null or undefined: not known, because it is loading or this key may not read it. */
export interface HealthFacts {
  storeFailed: boolean;
  diskFreeBytes: number | null;
  silentWorkers: number;
  /** Of the last hour; null if nothing happened. */
  hour: HistoryFigures | null;
  firingAlerts?: number | undefined;
  failedDeliveries?: number | undefined;
  lostNodes?: readonly string[] | undefined;
}

export interface HealthProblem {
  level: 'bad' | 'warn';
  /** What is wrong, as a sentence. */
  what: string;
  /** What a person can do. */
  advice: string;
  /** Where to look. */
  link?: { name: string; path: string; query?: Readonly<Record<string, string>> };
}

const DISK_FREE_BYTES_LOW = 2 ** 30;
const DISK_FREE_BYTES_MIN = 256 * 2 ** 20;
const WAIT_SECONDS_LONG = 5;
const FAILED_SHARE_HIGH = 0.1;
/** A single failed run is no reason to worry. */
const FAILED_RUNS_MIN = 3;
const FAILED_REQUESTS_MIN = 5;
const FAILED_REQUESTS_SHARE = 0.01;

/** What is wrong with the server, the worst first. */
export function healthProblems(facts: HealthFacts): HealthProblem[] {
  const { storeFailed, diskFreeBytes, silentWorkers, hour, firingAlerts, failedDeliveries, lostNodes } = facts;
  const problems: HealthProblem[] = [];
  if (storeFailed)
    problems.push({
      level: 'bad',
      what: 'The server takes no more changes, because it could not write to its disk.',
      advice: 'Check that the disk of the data folder works and has space. Then restart the server.',
    });
  if (diskFreeBytes !== null && diskFreeBytes < DISK_FREE_BYTES_LOW)
    problems.push({
      level: diskFreeBytes < DISK_FREE_BYTES_MIN ? 'bad' : 'warn',
      what: `The disk of the data folder is nearly full: ${formatBytes(diskFreeBytes)} are free.`,
      advice: 'Make room on the disk, or delete data that is not needed any more.',
      link: { name: 'Show what takes space', path: '/server', query: { tab: 'storage' } },
    });
  if (lostNodes !== undefined && lostNodes.length > 0)
    problems.push({
      level: 'warn',
      what: `${pluralize(lostNodes.length, 'node')} of the cluster ${lostNodes.length === 1 ? 'is' : 'are'} lost: ${lostNodes.join(', ')}.`,
      advice: 'The other nodes go on. Restart what is lost.',
      link: { name: 'Show the nodes', path: '/server', query: { tab: 'nodes' } },
    });
  if (silentWorkers > 0)
    problems.push({
      level: 'warn',
      what: `${pluralize(silentWorkers, 'worker')} ${silentWorkers === 1 ? 'does' : 'do'} not respond, because code of a graph blocks ${silentWorkers === 1 ? 'it' : 'them'}.`,
      advice: 'The server replaces a worker that stays blocked, and retries its runs. See which run it has.',
      link: { name: 'Show the queue', path: '/server', query: { tab: 'queue' } },
    });
  if (hour !== null) problems.push(...problemsOfHour(hour));
  if (failedDeliveries !== undefined && failedDeliveries > 0)
    problems.push({
      level: 'warn',
      what: `${pluralize(failedDeliveries, 'webhook')} could not be delivered in the last 24 hours.`,
      advice: 'Check the address that was called, then send them again.',
      link: { name: 'Show the deliveries', path: '/server', query: { tab: 'webhooks', status: 'failed' } },
    });
  if (firingAlerts !== undefined && firingAlerts > 0)
    problems.push({
      level: 'warn',
      what: `${pluralize(firingAlerts, 'alert')} ${firingAlerts === 1 ? 'is' : 'are'} firing.`,
      advice: 'An alert says which runs it is about.',
      link: { name: 'Show the alerts', path: '/alerts' },
    });
  return problems.toSorted((one, other) => Number(one.level === 'warn') - Number(other.level === 'warn'));
}

function problemsOfHour(hour: HistoryFigures): HealthProblem[] {
  const { runs_failed: failed, requests, requests_failed: failedRequests, queue_wait_p95_seconds: waitSeconds } = hour;
  const ended = endedRuns(hour);
  const problems: HealthProblem[] = [];
  if (failedRequests >= FAILED_REQUESTS_MIN && failedRequests / requests >= FAILED_REQUESTS_SHARE)
    problems.push({
      level: 'bad',
      what: `The server itself failed at ${formatCount(failedRequests)} of ${pluralize(requests, 'request')} in the last hour.`,
      advice: 'Its log has a line with the reason for each of them. Search for the status 500 or above.',
    });
  if (failed >= FAILED_RUNS_MIN && failed / ended >= FAILED_SHARE_HIGH)
    problems.push({
      level: 'warn',
      what: `${formatPercent(failed / ended)} of the runs failed in the last hour: ${formatCount(failed)} of ${formatCount(ended)}.`,
      advice: 'Open a failed thread to see the error of its run.',
      link: { name: 'Show failed threads', path: '/threads', query: { status: 'error' } },
    });
  if (waitSeconds !== null && waitSeconds >= WAIT_SECONDS_LONG)
    problems.push({
      level: 'warn',
      what: `Runs waited long for a worker in the last hour: one of twenty more than ${formatDuration(waitSeconds * 1_000)}.`,
      advice: 'If that lasts, start the server with more workers (--workers), or on a larger machine.',
      link: { name: 'Show the queue', path: '/server', query: { tab: 'queue' } },
    });
  return problems;
}

/** One sentence on what the server did in the last hour. */
export function describeHour(hour: HistoryFigures | null): string {
  if (hour === null || endedRuns(hour) === 0)
    return hour === null || hour.requests === 0
      ? 'Nothing happened in the last hour, up to the last full minute.'
      : `No run ended in the last hour; the server answered ${pluralize(hour.requests, 'request')}.`;
  const { runs_failed: failed, run_duration_p50_seconds: median } = hour;
  const length = median === null ? '' : `, and half of them took less than ${formatDuration(median * 1_000)}`;
  return `${pluralize(endedRuns(hour), 'run')} ended in the last hour, ${failed === 0 ? 'none' : formatCount(failed)} failed${length}.`;
}

function endedRuns({
  runs_succeeded: succeeded,
  runs_failed: failed,
  runs_interrupted: interrupted,
}: HistoryFigures): number {
  return succeeded + failed + interrupted;
}
