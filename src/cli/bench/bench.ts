import { performance, type RecordableHistogram } from 'node:perf_hooks';
import { Load, type LoadMode } from './bench-load.js';
import { Client, CommandError, runCommand } from '../client.js';
import { parseDuration } from '../duration.js';
import { createProgressBar, formatSize } from '../output/progress.js';
import { formatPairs, formatTable } from '../output/table.js';

export interface BenchFlags {
  apiKey?: string;
  mode: string;
  assistant?: string;
  input: string;
  streamMode: string;
  connections: string;
  duration: string;
  amount?: string;
  timeout: string;
  json?: boolean;
}

const MODES: readonly string[] = ['wait', 'stream', 'threads'] satisfies LoadMode[];
const TICK_MS = 200;

/** Measures a server under load and prints the result. The help text lists the exit codes. */
export function bench(url: string, flags: BenchFlags): Promise<void> {
  return runCommand(2, async () => {
    const client = new Client({ url, apiKey: flags.apiKey });
    if (!MODES.includes(flags.mode))
      throw new CommandError(`--mode: must be one of ${MODES.join(', ')}; got "${flags.mode}".`);
    const connections = parseCount('--connections', flags.connections, 10_000);
    const amount = flags.amount === undefined ? null : parseCount('--amount', flags.amount, 1_000_000_000);
    const durationMs = parseDuration('--duration', flags.duration);
    const assistant = flags.assistant ?? (await firstAssistant(client));
    const load = new Load({
      url: client.url,
      headers: client.headers,
      mode: flags.mode as LoadMode,
      connections,
      timeoutMs: parseDuration('--timeout', flags.timeout),
      body: {
        assistant_id: assistant,
        input: parseJson('--input', flags.input),
        ...(flags.mode === 'stream' ? { stream_mode: flags.streamMode } : {}),
      },
    });
    await load.sendTrialRequest();
    const { elapsed, busy } = await measure(load, amount, durationMs);
    const result = resultOf(load, elapsed);
    const report = { url: client.url, mode: flags.mode, assistant, connections, ...result };
    process.stdout.write(`${flags.json === true ? JSON.stringify(report) : formatText(load, result)}\n`);
    if (busy > BUSY_SHARE_MAX)
      process.stderr.write(
        `This program was busy for ${Math.round(busy * 100)} % of the time, so it may have limited the ` +
          `result. Run several instances on another machine.\n`,
      );
    return load.errors.size > 0 ? 1 : 0;
  });
}

/** If this program is busy for a larger share of the time, it may itself limit the result. */
const BUSY_SHARE_MAX = 0.9;

/** Sends requests until the time is over, the amount is sent, or Ctrl-C is pressed. `busy` is a share from 0 to 1. */
async function measure(
  load: Load,
  amount: number | null,
  durationMs: number,
): Promise<{ elapsed: number; busy: number }> {
  let stopped = false;
  process.once('SIGINT', () => {
    stopped = true;
  });
  const bar = createProgressBar(amount ?? durationMs, 'answers');
  const begun = performance.now();
  const loop = performance.eventLoopUtilization();
  const tick = setInterval(
    () => bar.update(amount === null ? performance.now() - begun : load.answered, load.answered),
    TICK_MS,
  );
  try {
    await load.run(() => !stopped && (amount === null ? performance.now() - begun < durationMs : load.sent < amount));
  } finally {
    clearInterval(tick);
    bar.stop();
    await load.close();
  }
  return { elapsed: (performance.now() - begun) / 1_000, busy: performance.eventLoopUtilization(loop).utilization };
}

const PERCENTILES = [
  ['p50', 50],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
  ['p99.9', 99.9],
] as const;

function percentilesOf(histogram: RecordableHistogram): Record<string, number> | null {
  if (histogram.count === 0) return null;
  const milliseconds = (nanoseconds: number): number => Number((nanoseconds / 1e6).toFixed(3));
  return Object.fromEntries([
    ['mean', milliseconds(histogram.mean)],
    ...PERCENTILES.map(([name, at]) => [name, milliseconds(histogram.percentile(at))]),
    ['max', milliseconds(histogram.max)],
  ]);
}

interface BenchResult {
  seconds: number;
  sent: number;
  answered: number;
  per_second: number;
  bytes: number;
  errors: Record<string, number>;
  latency_ms: Record<string, number> | null;
  /** From sending the request to the first event; null unless the runs are streamed. */
  first_event_ms: Record<string, number> | null;
}

function resultOf(load: Load, seconds: number): BenchResult {
  return {
    seconds: Number(seconds.toFixed(3)),
    sent: load.sent,
    answered: load.answered,
    per_second: Number((load.answered / seconds).toFixed(2)),
    bytes: load.bytes,
    errors: Object.fromEntries(load.errors),
    latency_ms: percentilesOf(load.latency),
    first_event_ms: percentilesOf(load.firstEvent),
  };
}

function formatText(
  load: Load,
  { seconds, answered, per_second: rate, bytes, errors, latency_ms: latency, first_event_ms: first }: BenchResult,
): string {
  const rows = [
    ['answer', latency],
    ['first event', first],
  ].flatMap(([name, values]) =>
    values === null || typeof values === 'string'
      ? []
      : [[name as string, ...Object.values(values!).map((value) => value.toFixed(2))]],
  );
  const names = ['mean', ...PERCENTILES.map(([name]) => name), 'max'];
  return [
    ...(rows.length === 0 ? [] : [formatTable(['ms', ...names], rows, new Set(names)), '']),
    formatPairs([
      ['answered', `${answered} in ${seconds.toFixed(1)} s: ${rate.toFixed(1)} per second, ${formatSize(bytes)}`],
      ['errors', String(load.sent - answered)],
    ]),
    ...Object.entries(errors).map(([kind, times]) => `  ${times} × ${kind}`),
  ].join('\n');
}

async function firstAssistant(client: Client): Promise<string> {
  const [first] = JSON.parse(await client.post('/assistants/search', { limit: 1 })) as { assistant_id: string }[];
  if (first === undefined)
    throw new CommandError(`The server at ${client.url} lists no assistants. Name one with --assistant.`);
  return first.assistant_id;
}

function parseCount(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new CommandError(`${flag}: must be a whole number from 1 to ${most}; got "${text}".`);
  return value;
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${flag}: is not valid JSON: ${(error as Error).message}`);
  }
}
