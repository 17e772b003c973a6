import { SoakClient } from './client.js';
import { crons, experiments, items } from './records.js';
import { cancel, shortRun, threadRuns } from './runs.js';
import { webSocket } from './sockets.js';
import { brokenStream } from './streams.js';

interface Kind {
  name: string;
  /** Who do it again and again, at once. */
  clients: number;
  round: (client: SoakClient, round: number) => Promise<void>;
  /** Of one round: more is an error. */
  msMax: number;
}

const MINUTE = 60_000;

const KINDS: readonly Kind[] = [
  { name: 'short run', clients: 32, round: shortRun, msMax: MINUTE },
  { name: 'runs on a thread', clients: 3, round: threadRuns, msMax: MINUTE },
  { name: 'broken stream', clients: 4, round: brokenStream, msMax: MINUTE },
  { name: 'experiments', clients: 1, round: experiments, msMax: 2 * MINUTE },
  { name: 'crons', clients: 1, round: crons, msMax: 3 * MINUTE },
  { name: 'cancel', clients: 2, round: cancel, msMax: MINUTE },
  { name: 'item', clients: 1, round: items, msMax: MINUTE },
  { name: 'WebSocket', clients: 2, round: webSocket, msMax: MINUTE },
];
/** After an error, so that a server that is gone is not asked a million times. */
const ERROR_PAUSE_MS = 200;

/** What a load did, by its words, and what went wrong that was not asked for: how often, by kind and message. */
export interface Report {
  done: Map<string, number>;
  errors: Map<string, number>;
}

/** Everything that people do, all at once, until `stopped`; then every round is brought to its end. */
export async function everything(url: string, stopped: AbortSignal, report: Report): Promise<void> {
  const client = new SoakClient(url, stopped, report.done);
  await Promise.all(
    KINDS.flatMap((kind) =>
      Array.from({ length: kind.clients }, async (_, at) => {
        for (let round = at; !stopped.aborted; round += kind.clients) {
          try {
            await within(kind.msMax, kind.round(client, round));
          } catch (error) {
            const what = `${kind.name}: ${said(error)}`;
            report.errors.set(what, (report.errors.get(what) ?? 0) + 1);
            await client.pause(ERROR_PAUSE_MS);
          }
        }
      }),
    ),
  );
}

/** `fetch failed` alone tells nothing. */
function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not over after ${ms / 1_000} s`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
