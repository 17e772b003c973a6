import { performance, type RecordableHistogram } from 'node:perf_hooks';
import ms, { type StringValue } from 'ms';
import { Load, type Mode } from './bench-load.js';
import { Client, CommandError, runCommand } from '../client.js';
import { progress, sizeText } from '../output/progress.js';
import { facts, table } from '../output/table.js';

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

const MODES: readonly string[] = ['wait', 'stream', 'threads'] satisfies Mode[];
const TICK_MS = 200;

/** Loads a server and prints how it answered. Exit codes as the help text has them. */
export function bench(url: string, flags: BenchFlags): Promise<void> {
  return runCommand(2, async () => {
    const client = new Client({ url, apiKey: flags.apiKey });
    if (!MODES.includes(flags.mode)) throw new CommandError(`--mode: "${flags.mode}" is none of ${MODES.join(', ')}.`);
    const connections = count('--connections', flags.connections, 10_000);
    const amount = flags.amount === undefined ? null : count('--amount', flags.amount, 1_000_000_000);
    const durationMs = time('--duration', flags.duration);
    const assistant = flags.assistant ?? (await firstAssistant(client));
    const load = new Load({
      url: client.url,
      headers: client.headers,
      mode: flags.mode as Mode,
      connections,
      timeoutMs: time('--timeout', flags.timeout),
      body: {
        assistant_id: assistant,
        input: json('--input', flags.input),
        ...(flags.mode === 'stream' ? { stream_mode: flags.streamMode } : {}),
      },
    });
    await load.try();
    const seconds = await measured(load, amount, durationMs);
    const figures = figuresOf(load, seconds.elapsed);
    process.stdout.write(
      `${flags.json === true ? JSON.stringify({ url: client.url, mode: flags.mode, assistant, connections, ...figures }) : asText(load, figures)}\n`,
    );
    if (seconds.busy > BUSY)
      process.stderr.write(
        `This program itself was busy for ${Math.round(seconds.busy * 100)} % of the time: the figures may be its own. Run several at once, on another machine.\n`,
      );
    return load.errors.size > 0 ? 1 : 0;
  });
}

/** Share of its time from which the one that asks is what is measured. */
const BUSY = 0.9;

/** Sends until the time is over, so many are sent, or Ctrl-C. */
async function measured(
  load: Load,
  amount: number | null,
  durationMs: number,
): Promise<{ elapsed: number; busy: number }> {
  let stopped = false;
  process.once('SIGINT', () => {
    stopped = true;
  });
  const bar = progress(amount ?? durationMs, 'answers');
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

function spread(histogram: RecordableHistogram): Record<string, number> | null {
  if (histogram.count === 0) return null;
  const milliseconds = (nanoseconds: number): number => Number((nanoseconds / 1e6).toFixed(3));
  return Object.fromEntries([
    ['mean', milliseconds(histogram.mean)],
    ...PERCENTILES.map(([name, at]) => [name, milliseconds(histogram.percentile(at))]),
    ['max', milliseconds(histogram.max)],
  ]);
}

interface Figures {
  seconds: number;
  sent: number;
  answered: number;
  per_second: number;
  bytes: number;
  errors: Record<string, number>;
  latency_ms: Record<string, number> | null;
  /** From sending the request on; of streams alone. */
  first_event_ms: Record<string, number> | null;
}

function figuresOf(load: Load, seconds: number): Figures {
  return {
    seconds: Number(seconds.toFixed(3)),
    sent: load.sent,
    answered: load.answered,
    per_second: Number((load.answered / seconds).toFixed(2)),
    bytes: load.bytes,
    errors: Object.fromEntries(load.errors),
    latency_ms: spread(load.latency),
    first_event_ms: spread(load.firstEvent),
  };
}

function asText(
  load: Load,
  { seconds, answered, per_second: rate, bytes, errors, latency_ms: latency, first_event_ms: first }: Figures,
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
    ...(rows.length === 0 ? [] : [table(['ms', ...names], rows, new Set(names)), '']),
    facts([
      ['answered', `${answered} in ${seconds.toFixed(1)} s: ${rate.toFixed(1)} a second, ${sizeText(bytes)}`],
      ['errors', String(load.sent - answered)],
    ]),
    ...Object.entries(errors).map(([kind, times]) => `  ${times} × ${kind}`),
  ].join('\n');
}

async function firstAssistant(client: Client): Promise<string> {
  const [first] = JSON.parse(await client.post('/assistants/search', { limit: 1 })) as { assistant_id: string }[];
  if (first === undefined) throw new CommandError(`${client.url} names no assistant. Say which with --assistant.`);
  return first.assistant_id;
}

function count(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new CommandError(`${flag}: must be a whole number from 1 to ${most}; got "${text}".`);
  return value;
}

function time(flag: string, text: string): number {
  // A number alone would be milliseconds.
  const value = /^\d+(\.\d+)? ?[a-z]+$/.test(text) ? ms(text as StringValue) : Number.NaN;
  if (!(value > 0 && value <= 86_400_000))
    throw new CommandError(`${flag}: must be a time with its unit, such as 30s or 2m, up to 1d; got "${text}".`);
  return value;
}

function json(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${flag}: is no JSON: ${(error as Error).message}`);
  }
}
