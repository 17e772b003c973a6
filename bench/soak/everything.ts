import { SoakClient } from './client.js';
import { crons, experiments, items } from './records.js';
import { cancelledRun, shortRun, threadRuns } from './runs.js';
import { webSocketRun } from './sockets.js';
import { interruptedStream } from './streams.js';

interface Workload {
  name: string;
  /** Number of clients that repeat it concurrently. */
  clients: number;
  round: (client: SoakClient, round: number) => Promise<void>;
  /** Longest time of one round. A longer round is an error. */
  msMax: number;
}

const MINUTE = 60_000;

const WORKLOADS: readonly Workload[] = [
  { name: 'short run', clients: 32, round: shortRun, msMax: MINUTE },
  { name: 'runs on a thread', clients: 3, round: threadRuns, msMax: MINUTE },
  { name: 'broken stream', clients: 4, round: interruptedStream, msMax: MINUTE },
  { name: 'experiments', clients: 1, round: experiments, msMax: 2 * MINUTE },
  { name: 'crons', clients: 1, round: crons, msMax: 3 * MINUTE },
  { name: 'cancel', clients: 2, round: cancelledRun, msMax: MINUTE },
  { name: 'item', clients: 1, round: items, msMax: MINUTE },
  { name: 'WebSocket', clients: 2, round: webSocketRun, msMax: MINUTE },
];
/** Pause after an error, so that a stopped server does not cause a busy loop. */
const ERROR_PAUSE_MS = 200;

/** Counts of completed operations by name, and of unexpected errors by workload and message. */
export interface Report {
  done: Map<string, number>;
  errors: Map<string, number>;
}

/** Runs all workloads concurrently until `stopped`, then waits for the rounds to end. */
export async function runWorkloads(url: string, stopped: AbortSignal, report: Report): Promise<void> {
  const client = new SoakClient(url, stopped, report.done);
  await Promise.all(
    WORKLOADS.flatMap((kind) =>
      Array.from({ length: kind.clients }, async (_, at) => {
        for (let round = at; !stopped.aborted; round += kind.clients) {
          try {
            await withTimeout(kind.msMax, kind.round(client, round));
          } catch (error) {
            const what = `${kind.name}: ${errorText(error)}`;
            report.errors.set(what, (report.errors.get(what) ?? 0) + 1);
            await client.pause(ERROR_PAUSE_MS);
          }
        }
      }),
    ),
  );
}

/** The message with its cause, because `fetch failed` alone says nothing. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`did not end within ${ms / 1_000} s`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
